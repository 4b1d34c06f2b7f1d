"""Runs questions through the one Retriever and scores what comes back."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from legacylens_assets.errors import UsageError
from legacylens_assets.settings import Settings
from legacylens_eval.metrics import Ranked, by_file, by_lines, ceiling, rank_of_first, score_all, summarise
from legacylens_eval.question_sets import Question, load_questions, shipped_questions
from legacylens_eval.resolve import Place, Resolver

if TYPE_CHECKING:
    from legacylens_assets.retrieval.retriever import Retriever
    from legacylens_assets.service import Service

DEPTH = 10
KEPT_SETTINGS = (
    "profile", "dense", "splade", "rerank", "rrf_k", "dense_weight", "identifiers_weight", "splade_weight", "prefetch_limit",
    "max_chunks_per_file", "levers",
)  # fmt: skip

Search = Callable[[Question], Sequence[Mapping[str, Any]]]


@dataclass(frozen=True, slots=True)
class Evaluation:
    """Rows and summary of one run."""

    configuration: Mapping[str, Any]
    generation: str
    commit: str
    questions: tuple[Mapping[str, Any], ...]
    stale: tuple[Mapping[str, str], ...]
    unanswerable: int
    summary: Mapping[str, Any] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """Return the eval contract's object."""
        return {
            "configuration": dict(self.configuration),
            "generation": self.generation,
            "commit": self.commit,
            "summary": dict(self.summary),
            "questions": [dict(row) for row in self.questions],
            "stale": [dict(row) for row in self.stale],
            "unanswerable": self.unanswerable,
        }


def load_default_questions(path: Path | None) -> list[Question]:
    """Return the questions of ``path``, or all that are shipped."""
    return load_questions([path]) if path else shipped_questions()


def evaluate(
    settings: Settings, questions: Sequence[Question], *, codebases: Sequence[str] = (), split: str = "all", unfiltered: bool = False, name: str = ""
) -> Evaluation:
    """Return the scores of the current index over ``questions``.

    Filtered runs ask each question within its own codebase; unfiltered ones over all. Questions of codebases that are not indexed, and in unfiltered
    runs those of samples that other codebases hide, are left out and named in the configuration; questions whose place is gone are stale.
    Unanswerable ones are counted, not scored.
    """
    from legacylens_assets.service import open_service

    service = open_service(settings)
    snapshot = service.reader.snapshot()
    asked = [q for q in questions if (not codebases or q.codebase in codebases) and split in ("all", q.split)]
    if codebases and not asked:
        raise UsageError(f"no questions for {', '.join(codebases)}; question sets: {', '.join(sorted({q.codebase for q in questions}))}")
    reachable = set(snapshot.generations) - (_hidden(service, snapshot.generations) - set(codebases) if unfiltered else set())
    indexed = [q for q in asked if q.codebase in reachable]
    left_out = sorted({q.codebase for q in asked} - reachable)
    resolvers = {key: Resolver(service.reader.generation_dir(key)) for key in {q.codebase for q in indexed}}
    configuration: dict[str, Any] = {key: settings[key] for key in KEPT_SETTINGS}
    configuration |= {"name": name or settings.profile, "unfiltered": unfiltered, "split": split, "not_indexed": left_out}
    rows, stale = score(indexed, resolvers, searcher(service.retriever, unfiltered))
    unanswerable = sum(not q.answerable for q in indexed)
    return Evaluation(configuration, snapshot.id, project_commit(settings.root), tuple(rows), tuple(stale), unanswerable, summaries(rows))


def _hidden(service: Service, generations: Mapping[str, str]) -> set[str]:
    """Return the samples, when another codebase is indexed beside them: search without a filter does not show them then."""
    samples = {key for key in generations if service.catalog.role(key) == "sample"}
    return samples if samples != set(generations) else set()


def searcher(retriever: Retriever, unfiltered: bool) -> Search:
    """Return the function that asks one question."""

    def search(question: Question) -> Sequence[Mapping[str, Any]]:
        where = () if unfiltered else (question.codebase,)
        found: Sequence[Mapping[str, Any]] = retriever.search(question.question, codebases=where, k=DEPTH).to_json()["hits"]
        return found

    return search


def score(questions: Sequence[Question], resolvers: Mapping[str, Resolver], search: Search) -> tuple[list[dict[str, Any]], list[dict[str, str]]]:
    """Return one row for each answerable question that is not stale, and the stale ones with their reasons."""
    stale: list[dict[str, str]] = []
    asked: list[tuple[Question, list[Place], Sequence[Mapping[str, Any]]]] = []
    for question in questions:
        if not question.answerable:
            continue
        places, reason = resolvers[question.codebase].places(question)
        if reason:
            stale.append({"id": question.id, "codebase": question.codebase, "reason": reason})
        else:
            asked.append((question, places, search(question)))
    files = {q.id: by_file(_ranked(hits, q.codebase), places) for q, places, hits in asked}
    lines = {q.id: by_lines(_ranked(hits, q.codebase), places) for q, places, hits in asked}
    file_scores, line_scores = score_all(files), score_all(lines)
    rows = [
        {
            "id": question.id, "codebase": question.codebase, "kind": question.kind, "split": question.split, "question": question.question,
            "rank_file": rank_of_first(*files[question.id]), "rank_lines": rank_of_first(*lines[question.id]),
            "hits": [hit["chunk_id"] for hit in hits], "places": [_place(hit) for hit in hits],
            "expected": [f"{p.path}:{p.start_line}-{p.end_line}" for p in places],
            "scores": file_scores[question.id], "scores_lines": line_scores[question.id],
            "ceiling": ceiling(files[question.id][1]), "ceiling_lines": ceiling(lines[question.id][1]),
        }
        for question, places, hits in asked
    ]  # fmt: skip
    return rows, stale


def summaries(rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return codebase or "all" -> metrics by file, with those by line overlap under "lines" and those by kind under "kinds"."""
    groups: dict[str, list[Mapping[str, Any]]] = {"all": list(rows)}
    for row in rows:
        groups.setdefault(row["codebase"], []).append(row)
    found = {}
    for name, mine in groups.items():
        summary = summarise([row["scores"] for row in mine], [row["ceiling"] for row in mine])
        summary["lines"] = summarise([row["scores_lines"] for row in mine], [row["ceiling_lines"] for row in mine])
        kinds = sorted({row["kind"] for row in mine if row["kind"]})
        summary["kinds"] = {
            kind: summarise([r["scores"] for r in mine if r["kind"] == kind], [r["ceiling"] for r in mine if r["kind"] == kind]) for kind in kinds
        }
        found[name] = summary
    return found


def project_commit(root: Path) -> str:
    """Return the commit of the project's checkout, "" when there is none."""
    try:
        run = subprocess.run(["git", "-C", str(root), "rev-parse", "HEAD"], capture_output=True, text=True, timeout=10, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return run.stdout.strip() if run.returncode == 0 else ""


def _ranked(hits: Sequence[Mapping[str, Any]], codebase: str) -> list[Ranked]:
    """Return the hits as ranked items; those of other codebases keep their ranks under a path that matches nothing."""
    ranked = []
    for hit in hits:
        path = hit["path"] if hit["codebase"] == codebase else f"{hit['codebase']}:/{hit['path']}"
        unit = str(hit.get("qualified_name") or "")
        ranked.append(Ranked(path, hit["start_line"], hit["end_line"], unit))
    return ranked


def _place(hit: Mapping[str, Any]) -> str:
    return f"{hit['codebase']}/{hit['path']}:{hit['start_line']}-{hit['end_line']}"
