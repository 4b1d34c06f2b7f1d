"""Two results, paired by question: differences with intervals, McNemar's test for hits."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from legacylens_assets.errors import QuestionError
from legacylens_eval.metrics import BOOTSTRAPS, SEED

FLIPS = 9999
"""Random sign changes; the smallest p that can come out is one in ten thousand."""

NO_CHANGE = {"before": 0.0, "after": 0.0, "difference": 0.0, "low": 0.0, "high": 0.0, "p_worse": 1.0}
PAIRED = ("hit_rate@10", "mrr@10", "precision@5", "ndcg@10")


def load_result(path: Path) -> dict[str, Any]:
    """Return a result of `legacylens eval run --out`; raises QuestionError when it is none."""
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise QuestionError(f"{path}: no result of `legacylens eval run --out FILE`: {error}") from error
    if not isinstance(value, dict) or "questions" not in value:
        raise QuestionError(f"{path}: no result of `legacylens eval run --out FILE`: it has no questions")
    return value


def compare_files(a: Path, b: Path) -> dict[str, Any]:
    """Return the comparison of two result files, ``b`` against ``a``."""
    return compare(load_result(a), load_result(b))


def compare(a: Mapping[str, Any], b: Mapping[str, Any]) -> dict[str, Any]:
    """Return differences b - a over the questions of ``a``, over all and by codebase.

    A question missing from ``b`` scores 0; one that is stale in either (its place is gone) is left out and named.
    """
    before, after = _scores(a), _scores(b)
    stale = {row["id"] for result in (a, b) for row in result.get("stale", [])}
    ids = sorted(set(before) - stale)
    groups = {"all": ids}
    for key in ids:
        groups.setdefault(before[key]["codebase"], []).append(key)
    return {
        "a": _name(a),
        "b": _name(b),
        "missing": [key for key in ids if key not in after],
        "stale": sorted(stale),
        "differences": {group: paired(before, after, keys) for group, keys in groups.items()},
        "lost": [key for key in ids if before[key]["hit_rate@10"] > after.get(key, {}).get("hit_rate@10", 0.0)],
        "won": [key for key in ids if before[key]["hit_rate@10"] < after.get(key, {}).get("hit_rate@10", 0.0)],
    }


def paired(before: Mapping[str, Mapping[str, Any]], after: Mapping[str, Mapping[str, Any]], ids: Sequence[str]) -> dict[str, Any]:
    """Return metric -> {before, after, difference, low, high, p_worse} and McNemar's exact p for hits.

    Intervals are 95 % paired bootstrap; ``p_worse`` is the one-sided p of a fall, by sign flips.
    """
    found: dict[str, Any] = {"questions": len(ids)}
    if not ids:
        return found | dict.fromkeys(PAIRED, dict(NO_CHANGE)) | {"mcnemar": {"lost": 0, "won": 0, "p": 1.0}}
    for name in PAIRED:
        old = np.array([before[key][name] for key in ids], dtype=float)
        new = np.array([after.get(key, {}).get(name, 0.0) for key in ids], dtype=float)
        difference = new - old
        rng = np.random.default_rng(SEED)
        means = difference[rng.integers(0, len(ids), (BOOTSTRAPS, len(ids)))].mean(axis=1)
        low, high = np.percentile(means, [2.5, 97.5])
        found[name] = {
            "before": round(float(old.mean()), 4), "after": round(float(new.mean()), 4), "difference": round(float(difference.mean()), 4),
            "low": round(float(low), 4), "high": round(float(high), 4), "p_worse": round(sign_flip(difference), 5),
        }  # fmt: skip
        if name == "hit_rate@10":
            lost, won = int((difference < 0).sum()), int((difference > 0).sum())
            found["mcnemar"] = {"lost": lost, "won": won, "p": mcnemar(lost, won)}
    return found


def sign_flip(difference: np.ndarray[Any, np.dtype[Any]]) -> float:
    """Return the one-sided p of a fall as large as that of ``difference`` (after - before), by flipping signs at random (Fisher 1935).

    A change without a direction flips any pair's sign; unlike a bootstrap this holds for the few changed questions of one codebase as well.

    >>> sign_flip(np.array([0.0, 0.5, -0.5])) > 0.4, sign_flip(np.full(12, -0.5)) < 0.01
    (True, True)
    """
    changed = np.abs(difference[difference != 0]).astype(np.float32)
    if not len(changed):
        return 1.0
    rng = np.random.default_rng(SEED)
    signs = rng.integers(0, 2, (FLIPS, len(changed)), dtype=np.int8).astype(np.float32) * 2 - 1
    at_least = int((signs @ changed <= float(difference.sum()) + 1e-6).sum())
    return (1 + at_least) / (1 + FLIPS)


def mcnemar(lost: int, won: int) -> float:
    """Return the exact two-sided p of McNemar's test for ``lost`` and ``won`` changed pairs.

    >>> mcnemar(0, 0), round(mcnemar(8, 0), 4)
    (1.0, 0.0078)
    """
    from scipy.stats import binomtest

    return 1.0 if lost + won == 0 else float(binomtest(lost, lost + won, 0.5).pvalue)


def _scores(result: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    return {row["id"]: {**row["scores"], "codebase": row["codebase"]} for row in result["questions"] if row.get("scores")}


def _name(result: Mapping[str, Any]) -> str:
    configuration = result.get("configuration", {})
    return f"{configuration.get('name', 'result')}@{str(result.get('commit', ''))[:12]} generation {result.get('generation', '')}"
