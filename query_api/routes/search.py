"""`POST /search` (and GET, for a browser's address line): ranked hits, no answer."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query
from pydantic import BaseModel, ConfigDict, Field

from legacylens_assets.errors import UsageError
from query_api.services import Services

MOST_HITS = 50
Names = list[str] | str | None


class SearchBody(BaseModel):
    """What is searched for. A filter is one name or a list of names; `not_codebase` and `not_language` exclude."""

    model_config = ConfigDict(extra="forbid")
    question: str = Field(min_length=1)
    codebase: Names = None
    language: Names = None
    not_codebase: Names = None
    not_language: Names = None
    k: int = Field(10, ge=1, le=MOST_HITS)
    explain: bool = False


def names(value: Names) -> tuple[str, ...]:
    """Return a filter's names, "all" and "" being none.

    >>> names("lapack"), names(["a", "b"]), names(None)
    (('lapack',), ('a', 'b'), ())
    """
    given = [value] if isinstance(value, str) else value or []
    return tuple(name for name in given if name and name != "all")


def check_length(question: str, services: Services) -> None:
    """Raise UsageError for a question that is blank or too long."""
    most = services.settings.question_max_chars
    if not question.strip():
        raise UsageError("question: is empty; expected a question in plain words")
    if len(question) > most:
        raise UsageError(f"question: {len(question)} characters, expected at most {most}")


def router(services: Services) -> APIRouter:
    """Return the routes."""
    routes = APIRouter()

    def run(body: SearchBody) -> dict[str, Any]:
        check_length(body.question, services)
        result = services.retriever.search(
            body.question, codebases=names(body.codebase), languages=names(body.language), not_codebases=names(body.not_codebase),
            not_languages=names(body.not_language), k=body.k, explain=body.explain,
        )  # fmt: skip
        return result.to_json()

    @routes.post("/search")
    def search(body: SearchBody) -> dict[str, Any]:
        return run(body)

    @routes.get("/search")
    def search_by_address(
        question: Annotated[str, Query(min_length=1)],
        codebase: Annotated[list[str] | None, Query()] = None,
        language: Annotated[list[str] | None, Query()] = None,
        not_codebase: Annotated[list[str] | None, Query()] = None,
        not_language: Annotated[list[str] | None, Query()] = None,
        k: Annotated[int, Query(ge=1, le=MOST_HITS)] = 10,
        explain: bool = False,
    ) -> dict[str, Any]:
        return run(
            SearchBody(
                question=question, codebase=codebase, language=language, not_codebase=not_codebase, not_language=not_language, k=k, explain=explain
            )
        )

    return routes
