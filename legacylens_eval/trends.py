"""Evaluation results as they accumulate under data/eval, and the numbers that Dagster plots.

scores/KEY.json is the last run of one codebase, runs/STAMP.json a roll-up with every question, history.jsonl one short line for each roll-up.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from legacylens_assets.errors import QuestionError
from legacylens_assets.quality import Finding
from legacylens_assets.registry import Registry
from legacylens_assets.settings import Settings
from legacylens_assets.tables import read_json, write_json
from legacylens_assets.workspace import digest
from legacylens_eval.gate import BASELINE, MAX_STALE, Verdict, judge
from legacylens_eval.question_sets import SHIPPED, shipped_questions
from legacylens_eval.resolve import Resolver
from legacylens_eval.runner import Evaluation, evaluate

PLOTTED = ("hit_rate@10", "mrr@10", "precision@5", "recall@5", "ndcg@10")
METRICS_VERSION = "1"
"""Raise it when the way of scoring changes."""

SHOWN = 20


@dataclass(frozen=True, slots=True)
class Scores:
    """Numbers for Dagster's plots, rows for its tables, and the version of what they were computed from."""

    metadata: Mapping[str, Any]
    data_version: str
    rows: tuple[Mapping[str, Any], ...] = ()
    worst: tuple[Mapping[str, Any], ...] = ()
    results: Mapping[str, Any] = field(default_factory=dict)


def eval_folder(settings: Settings) -> Path:
    """Return the folder of evaluation results."""
    return settings.data / "eval"


def questions_version() -> str:
    """Return the version of the question sets and of the way they are scored."""
    files = sorted(SHIPPED.glob("*.jsonl"))
    return f"metrics-{METRICS_VERSION}-questions-{digest(*(path.name + path.read_text(encoding='utf-8') for path in files))[:8]}"


def questions_current(key: str, settings: Settings) -> Finding:
    """Return whether at most 5 % of the codebase's questions are stale: their files or symbols are not in the generation that is served.

    A codebase that came from a fallback origin is another version than the questions were judged on: that passes, and is said.
    """
    from legacylens_assets.quality import from_first_origin
    from legacylens_assets.store import open_reader

    asked = [q for q in shipped_questions() if q.codebase == key and q.answerable]
    if not asked:
        return Finding(True, f"no question set for {key}; add legacylens_eval/questions/{key}.jsonl", {"questions": 0})
    resolver = Resolver(open_reader(settings).generation_dir(key))
    reasons = {q.id: resolver.places(q)[1] for q in asked}
    stale = [f"{name}: {reason}" for name, reason in reasons.items() if reason]
    share = len(stale) / len(asked)
    first = from_first_origin(key, settings)
    message = f"{len(stale)} of {len(asked)} questions are stale"
    if share > MAX_STALE:
        message += "; judge them again (legacylens_eval/questions)" if first.passed else f" and left out: the codebase came {first.message}"
    return Finding(share <= MAX_STALE or not first.passed, message, {"questions": len(asked), "stale": len(stale), "share": share}, stale[:SHOWN])


def score_codebase(settings: Settings, key: str) -> Scores:
    """Score one codebase, filtered to it; write data/eval/scores/KEY.json. A codebase without questions is said to have none."""
    questions = [q for q in shipped_questions() if q.codebase == key]
    if not questions:
        return Scores({"questions": 0, "note": f"no question set for {key}; add legacylens_eval/questions/{key}.jsonl"}, "none")
    result = evaluate(settings, questions, codebases=[key], name="scheduled")
    write_json(result.to_json(), eval_folder(settings) / "scores" / f"{key}.json")
    metadata: dict[str, Any] = {"questions": len(result.questions), "stale": len(result.stale), "unanswerable": result.unanswerable}
    metadata |= _numbers(result.summary.get(key, {}))
    return Scores(metadata, _version(result), summary_rows(result.summary), worst_rows(result), {key: result.to_json()})


def roll_up(settings: Settings, registry: Registry) -> Scores:
    """Score every codebase that is no sample over one snapshot, filtered and unfiltered; keep the result under data/eval/runs."""
    samples = {codebase.key for codebase in registry.codebases.values() if codebase.role == "sample"}
    questions = [q for q in shipped_questions() if q.codebase not in samples]
    filtered, unfiltered = _over_one_snapshot(settings, questions)
    if not filtered.questions:
        return Scores({"questions": 0, "note": "no codebase with a question set is indexed yet"}, "none")
    stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%S%fZ")
    value = {"at": stamp, "filtered": filtered.to_json(), "unfiltered": unfiltered.to_json()}
    write_json(value, eval_folder(settings) / "runs" / f"{stamp}.json")
    _remember(settings, value)
    metadata: dict[str, Any] = {"questions": len(filtered.questions), "stale": len(filtered.stale)}
    for name, summary in filtered.summary.items():
        metadata |= {(metric if name == "all" else f"{metric}/{name}"): value for metric, value in _numbers(summary).items()}
    metadata |= {f"{metric}/unfiltered": value for metric, value in _numbers(unfiltered.summary["all"]).items()}
    rows = (*summary_rows(filtered.summary), *({**row, "codebase": "all, unfiltered"} for row in summary_rows({"all": unfiltered.summary["all"]})))
    return Scores(metadata, _version(filtered), rows, worst_rows(filtered), value)


def _over_one_snapshot(settings: Settings, questions: list[Any]) -> tuple[Evaluation, Evaluation]:
    """Return the filtered and the unfiltered run over the same snapshot, leased meanwhile; an index that is switched in between is scored again."""
    from legacylens_assets.store import open_reader, open_writer

    writer = open_writer(settings)
    for attempt in range(3):
        snapshot = open_reader(settings).snapshot().id
        writer.lease(snapshot, "evaluation")
        try:
            filtered = evaluate(settings, questions, name="filtered")
            unfiltered = evaluate(settings, questions, unfiltered=True, name="unfiltered") if filtered.questions else filtered
        finally:
            writer.release("evaluation")
        if attempt == 2 or filtered.generation == unfiltered.generation == snapshot == open_reader(settings).snapshot().id:
            break
    return filtered, unfiltered


def _remember(settings: Settings, value: Mapping[str, Any]) -> None:
    """Append one line to history.jsonl: what the trends need of a roll-up, without its questions."""
    line = {"at": value["at"], "generation": value["filtered"]["generation"], "commit": value["filtered"]["commit"]}
    for setting in ("filtered", "unfiltered"):
        line[setting] = {
            name: {"questions": summary["questions"], **{metric: summary[metric] for metric in PLOTTED if metric in summary}}
            for name, summary in value[setting]["summary"].items()
        }
    path = eval_folder(settings) / "history.jsonl"
    with path.open("a", encoding="utf-8") as handle:
        handle.write(json.dumps(line, sort_keys=True) + "\n")


def history(settings: Settings) -> list[dict[str, Any]]:
    """Return one record for each roll-up ever made, oldest first; a line that a crash cut short is left out."""
    path = eval_folder(settings) / "history.jsonl"
    if not path.exists():
        return []
    found = []
    for line in path.read_text(encoding="utf-8").split("\n"):
        try:
            record = json.loads(line) if line.strip() else None
        except ValueError:
            continue
        if isinstance(record, dict) and "at" in record:
            found.append(record)
    return sorted(found, key=lambda record: str(record["at"]))


def run_names(settings: Settings) -> list[str]:
    """Return the names of the roll-ups whose questions are still kept, oldest first."""
    return sorted(path.stem for path in (eval_folder(settings) / "runs").glob("*.json"))


def load_run(settings: Settings, name: str) -> dict[str, Any]:
    """Return one kept roll-up: {"at", "filtered", "unfiltered"}; raises QuestionError for a name that is not in the list."""
    if name not in run_names(settings):
        raise QuestionError(f"run {name!r}: not kept; there are {', '.join(run_names(settings)[-5:]) or 'none yet'}")
    return read_json(eval_folder(settings) / "runs" / f"{name}.json")


def regression(settings: Settings) -> Verdict:
    """Return the gate's verdict on the newest roll-up against the baseline (the committed one, else the roll-up before)."""
    names = run_names(settings)
    if not names:
        return Verdict(True, ("nothing scored yet",), {})
    newest = load_run(settings, names[-1])["filtered"]
    baseline = read_json(BASELINE) or (load_run(settings, names[-2])["filtered"] if len(names) > 1 else newest)
    present = {row["codebase"] for row in newest["questions"]}
    shared = {**baseline, "questions": [row for row in baseline["questions"] if row["codebase"] in present]}
    return judge(shared, newest)


def summary_rows(summary: Mapping[str, Any]) -> tuple[Mapping[str, Any], ...]:
    """Return one row for each codebase (and "all") with each metric and its interval as text."""
    rows = []
    for name, values in summary.items():
        row: dict[str, Any] = {"codebase": name, "questions": int(values["questions"])}
        for metric in PLOTTED:
            if metric in values:
                cell = values[metric]
                row[metric] = f"{cell['value']:.3f} [{cell['low']:.2f}, {cell['high']:.2f}]"
        row["precision@5 ceiling"] = f"{values.get('precision@5', {}).get('ceiling', 0):.3f}"
        rows.append(row)
    return tuple(rows)


def worst_rows(result: Evaluation) -> tuple[Mapping[str, Any], ...]:
    """Return the questions whose answer was not in the first ten: what was expected, and what came first."""
    missed = [row for row in result.questions if row["rank_file"] is None]
    return tuple(
        {"id": row["id"], "question": row["question"], "expected": ", ".join(row["expected"][:3]), "came first": (row["places"] or ["nothing"])[0]}
        for row in missed[:SHOWN]
    )


def _numbers(summary: Mapping[str, Any]) -> dict[str, float]:
    return {metric: float(summary[metric]["value"]) for metric in PLOTTED if metric in summary}


def _version(result: Evaluation) -> str:
    return digest(result.generation, *(f"{row['id']}:{row['rank_file']}:{row['rank_lines']}" for row in result.questions))
