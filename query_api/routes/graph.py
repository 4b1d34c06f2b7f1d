"""`GET /graph/{query}/{name}`: complete lists from the code graph; needs no encoder and no model."""

from __future__ import annotations

import html
from typing import Annotated, Any

from fastapi import APIRouter, Query
from fastapi.responses import HTMLResponse, PlainTextResponse, Response

from legacylens_assets.graph.index import Graphs
from legacylens_assets.graph.inventory import inventory, summaries
from legacylens_assets.graph.queries import MOST_DEPTH, QUERIES, answer, render
from legacylens_assets.retrieval.catalog import IndexedFile
from query_api.services import Services

TYPES = {"text": "text/plain", "mermaid": "text/vnd.mermaid", "dot": "text/vnd.graphviz"}


def router(services: Services) -> APIRouter:
    """Return the routes."""
    routes = APIRouter()
    held: list[Graphs] = []

    def ask(query: str, name: str, codebase: str, depth: int) -> dict[str, Any]:
        if not held:
            held.append(Graphs(services.reader))
        return answer(held[0].of("" if codebase == "all" else codebase), query, name, depth=depth)

    @routes.get("/graph", include_in_schema=False)
    def queries() -> dict[str, Any]:
        return {"queries": list(QUERIES)}

    @routes.get("/graph/{query}", response_model=None)
    def survey(
        query: str,
        codebase: str = "",
        format: Annotated[str, Query(pattern="^(json|text|mermaid|dot)$")] = "json",  # noqa: A002
    ) -> dict[str, Any] | Response:
        return shown(ask(query, "", codebase, 0), format)

    @routes.get("/graph/{query}/{name:path}", response_model=None)
    def graph(
        query: str,
        name: str,
        codebase: str = "",
        depth: Annotated[int, Query(ge=0, le=MOST_DEPTH)] = 0,
        format: Annotated[str, Query(pattern="^(json|text|mermaid|dot)$")] = "json",  # noqa: A002
    ) -> dict[str, Any] | Response:
        return shown(ask(query, name, codebase, depth), format)

    @routes.get("/report/{codebase}", response_model=None, include_in_schema=False)
    def report(codebase: str) -> HTMLResponse:
        (one,) = Graphs(services.reader).of(codebase)
        ids = {record["path"]: record["file_id"] for record in services.catalog.generation(codebase).files()}
        return HTMLResponse(inventory(one, codebase, ids, summaries(one))[0])

    @routes.get("/source-page/{codebase}/{file_id}", response_model=None, include_in_schema=False)
    def source_page(codebase: str, file_id: str) -> HTMLResponse:
        return HTMLResponse(page_of(services.catalog.generation(codebase).file(file_id)))

    return routes


def page_of(file: IndexedFile) -> str:
    """Return a file's indexed text as a page whose lines are anchors (`#L12`)."""
    rows = "".join(f'<span id="L{n}"><a href="#L{n}">{n:6}</a>  {html.escape(line)}\n</span>' for n, line in enumerate(file.lines, 1))
    style = "body{margin:1rem;font-family:system-ui,sans-serif}pre a{color:#777;text-decoration:none}:target{background:#fff3bf;color:#000}"
    title = html.escape(f"{file.codebase}: {file.path}")
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title}</title><style>{style}</style></head>'
        f"<body><h1>{title}</h1><p>{html.escape(file.language)}, {len(file.lines)} lines</p><pre>{rows}</pre></body></html>"
    )


def shown(value: dict[str, Any], format: str) -> dict[str, Any] | Response:  # noqa: A002 - the parameter's name
    """Return the answer as JSON or as text in one of the formats."""
    return value if format == "json" else PlainTextResponse(render(value, format), media_type=f"{TYPES[format]}; charset=utf-8")
