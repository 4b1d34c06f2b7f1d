"""The regression gate: fails on a real regression, not on noise."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from legacylens_assets.settings import Settings
from legacylens_eval.compare import compare, load_result

BASELINE = Path(__file__).parent / "results" / "baseline.json"
ALPHA = 0.01
"""Level of each of the two tests over all questions; codebases share one more such budget (Bonferroni)."""

MAX_STALE = 0.05


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the gate says."""

    passed: bool
    reasons: tuple[str, ...]
    comparison: Mapping[str, Any]

    def to_json(self) -> dict[str, Any]:
        """Return the verdict as JSON-able values."""
        return {"passed": self.passed, "reasons": list(self.reasons), "comparison": dict(self.comparison)}

    def to_text(self) -> str:
        """Return the verdict in a few lines."""
        head = "gate passed" if self.passed else "gate failed"
        return "\n".join([head, *(f"  {reason}" for reason in self.reasons)])


def gate(settings: Settings, result: Path | None = None, baseline: Path | None = None) -> Verdict:
    """Return the verdict on ``result`` (run now when None) against ``baseline`` (the committed one when None)."""
    base = load_result(baseline or BASELINE)
    if result is not None:
        return judge(base, load_result(result))
    from legacylens_eval.runner import evaluate, load_default_questions

    unfiltered = bool(base.get("configuration", {}).get("unfiltered", False))
    codebases = sorted({row["codebase"] for row in base["questions"]})
    return judge(base, evaluate(settings, load_default_questions(None), codebases=codebases, unfiltered=unfiltered).to_json())


def judge(baseline: Mapping[str, Any], result: Mapping[str, Any]) -> Verdict:
    """Return the verdict: hits by McNemar, MRR by sign flips, over all and (Bonferroni) by codebase; stale questions by share."""
    compared = compare(_indexed(baseline, result), result)
    reasons = []
    if not compared["differences"]["all"]["questions"]:
        return Verdict(True, ("no question in common with the baseline: nothing to compare",), compared)
    groups = [name for name in compared["differences"] if name != "all"]
    for name, row in compared["differences"].items():
        level = ALPHA if name == "all" else ALPHA / max(1, len(groups))
        change = row["mcnemar"]
        if change["lost"] > change["won"] and change["p"] < level:
            hit = row["hit_rate@10"]
            reasons.append(f"{name}: hit_rate@10 fell from {hit['before']:.3f} to {hit['after']:.3f} (McNemar p {change['p']:.4f})")
        mrr = row["mrr@10"]
        if mrr["difference"] < 0 and mrr["p_worse"] < level / 2:
            reasons.append(f"{name}: mrr@10 fell from {mrr['before']:.3f} to {mrr['after']:.3f} (sign-flip p {mrr['p_worse']:.4f})")
    stale, total = len(result.get("stale", [])), len(result.get("stale", [])) + len(result["questions"])
    if total and stale / total > MAX_STALE:
        reasons.append(f"{stale} of {total} questions are stale (more than {MAX_STALE:.0%}): their files changed; judge them again")
    return Verdict(not reasons, tuple(reasons), compared)


def _indexed(baseline: Mapping[str, Any], result: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the baseline without the codebases that the result names as not indexed: they are absent, not worse."""
    absent = set(result.get("configuration", {}).get("not_indexed", ()))
    return {**baseline, "questions": [row for row in baseline["questions"] if row["codebase"] not in absent]}
