"""What each leg and lever is worth: the same questions, one thing changed at a time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from legacylens_assets.settings import Settings
from legacylens_eval.compare import paired
from legacylens_eval.question_sets import Question
from legacylens_eval.runner import evaluate

QUERY_ROWS: tuple[tuple[str, Mapping[str, Any]], ...] = (
    ("best (RRF of all legs)", {}),
    ("dense alone", {"identifiers_weight": 0.0, "splade_weight": 0.0}),
    ("identifiers alone", {"dense_weight": 0.0, "splade_weight": 0.0}),
    ("no synonyms", {"levers": "synonyms"}),
    ("no synonyms in the dense leg", {"levers": "dense_synonyms"}),
    ("repeats at full weight", {"levers": "repeats"}),
    ("siblings not grouped", {"levers": "family"}),
    ("one chunk per file", {"max_chunks_per_file": 1}),
    ("100 candidates a leg", {"prefetch_limit": 100}),
    ("30 candidates a leg", {"prefetch_limit": 30}),
    ("rrf k 10", {"rrf_k": 10}),
    ("rrf k 30", {"rrf_k": 30}),
    ("dense weight 1.5", {"dense_weight": 1.5}),
    ("identifiers weight 1.5", {"identifiers_weight": 1.5}),
)
"""Rows that need no reindex. Levers of the index are measured by reindexing with ``levers`` set and `eval compare`."""


def ablate(
    settings: Settings, questions: Sequence[Question], *, codebases: Sequence[str] = (), split: str = "dev", unfiltered: bool = False
) -> dict[str, Any]:
    """Return one row for each change with metrics and paired differences from the best."""
    rows: list[dict[str, Any]] = []
    base: dict[str, dict[str, Any]] = {}
    for name, changes in QUERY_ROWS:
        result = evaluate(settings.replace(**changes), questions, codebases=codebases, split=split, unfiltered=unfiltered, name=name)
        scores = {row["id"]: {**row["scores"], "codebase": row["codebase"]} for row in result.questions}
        base = base or scores
        rows.append(
            {
                "name": name,
                "changes": dict(changes),
                "summary": result.summary["all"],
                "difference": paired(base, scores, sorted(base)) if base else {},
            }
        )
    return {"split": split, "unfiltered": unfiltered, "rows": rows}
