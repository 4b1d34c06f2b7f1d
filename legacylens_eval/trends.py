"""Evaluation results as they accumulate: one file for each run under data/eval, numbers for the trends."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from legacylens_assets.registry import Registry
from legacylens_assets.settings import Settings
from legacylens_assets.tables import read_json, write_json
from legacylens_assets.workspace import digest
from legacylens_eval.gate import BASELINE, Verdict, judge
from legacylens_eval.question_sets import shipped_questions
from legacylens_eval.runner import Evaluation, evaluate

PLOTTED = ("hit_rate@10", "mrr@10", "precision@5", "recall@5", "ndcg@10")


@dataclass(frozen=True, slots=True)
class Scores:
    """Numbers for Dagster's plots and the version of what they were computed from."""

    metadata: Mapping[str, Any]
    data_version: str


def eval_folder(settings: Settings) -> Path:
    """Return the folder of evaluation results."""
    return settings.data / "eval"


def score_codebase(settings: Settings, key: str) -> Scores:
    """Score one codebase, filtered to it; write data/eval/scores/KEY.json. A codebase without questions is said to have none."""
    questions = [q for q in shipped_questions() if q.codebase == key]
    if not questions:
        return Scores({"questions": 0, "note": f"no question set for {key}; add legacylens_eval/questions/{key}.jsonl"}, "none")
    result = evaluate(settings, questions, codebases=[key], name="scheduled")
    write_json(result.to_json(), eval_folder(settings) / "scores" / f"{key}.json")
    metadata: dict[str, Any] = {"questions": len(result.questions), "stale": len(result.stale), "unanswerable": result.unanswerable}
    metadata |= _numbers(result.summary.get(key, {}))
    return Scores(metadata, _version(result))


def roll_up(settings: Settings, registry: Registry) -> Scores:
    """Score every codebase that is no sample over one snapshot, filtered and unfiltered; keep the result under data/eval/runs."""
    samples = {codebase.key for codebase in registry.codebases.values() if codebase.role == "sample"}
    questions = [q for q in shipped_questions() if q.codebase not in samples]
    filtered = evaluate(settings, questions, name="filtered")
    if not filtered.questions:
        return Scores({"questions": 0, "note": "no codebase with a question set is indexed yet"}, "none")
    unfiltered = evaluate(settings, questions, unfiltered=True, name="unfiltered")
    stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%SZ")
    value = {"at": stamp, "filtered": filtered.to_json(), "unfiltered": unfiltered.to_json()}
    write_json(value, eval_folder(settings) / "runs" / f"{stamp}.json")
    metadata: dict[str, Any] = {"questions": len(filtered.questions), "stale": len(filtered.stale)}
    for name, summary in filtered.summary.items():
        metadata |= {(metric if name == "all" else f"{metric}/{name}"): value for metric, value in _numbers(summary).items()}
    metadata |= {f"{metric}/unfiltered": value for metric, value in _numbers(unfiltered.summary["all"]).items()}
    return Scores(metadata, _version(filtered))


def runs(settings: Settings) -> list[dict[str, Any]]:
    """Return every kept roll-up, oldest first."""
    found = [read_json(path) for path in sorted((eval_folder(settings) / "runs").glob("*.json"))]
    return [value for value in found if value]


def regression(settings: Settings) -> Verdict:
    """Return the gate's verdict on the newest roll-up against the baseline (the committed one, else the roll-up before)."""
    kept = runs(settings)
    if not kept:
        return Verdict(True, ("nothing scored yet",), {})
    newest = kept[-1]["filtered"]
    baseline = read_json(BASELINE) or (kept[-2]["filtered"] if len(kept) > 1 else newest)
    present = {row["codebase"] for row in newest["questions"]}
    shared = {**baseline, "questions": [row for row in baseline["questions"] if row["codebase"] in present]}
    return judge(shared, newest)


def _numbers(summary: Mapping[str, Any]) -> dict[str, float]:
    return {metric: float(summary[metric]["value"]) for metric in PLOTTED if metric in summary}


def _version(result: Evaluation) -> str:
    return digest(result.generation, *(f"{row['id']}:{row['rank_file']}:{row['rank_lines']}" for row in result.questions))
