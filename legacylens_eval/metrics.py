"""Metrics by ir-measures over rank-derived scores, with intervals.

A hit counts once for each relevant item: later hits of the same file (or of the same place) keep their ranks as items that are not relevant,
so that no list looks better for repeating itself. precision@5 comes with its ceiling min(R, 5) / 5.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from legacylens_eval.resolve import Place

DEPTH = 10
NAMES = ("hit_rate@10", "mrr@10", "precision@5", "recall@5", "ndcg@10")
RATES = frozenset({"hit_rate@10"})
BOOTSTRAPS = 2000
SEED = 20261201


@dataclass(frozen=True, slots=True)
class Ranked:
    """One hit as scoring sees it."""

    path: str
    start_line: int
    end_line: int
    unit: str


def by_file(hits: Sequence[Ranked], places: Sequence[Place]) -> tuple[list[str], list[str]]:
    """Return (ranked ids, relevant ids), an item being a file."""
    relevant = list(dict.fromkeys(place.path for place in places))
    seen: set[str] = set()
    ranked = []
    for number, hit in enumerate(_units_once(hits)):
        ranked.append(hit.path if hit.path not in seen else f"{hit.path}#{number}")
        seen.add(hit.path)
    return ranked, relevant


def by_lines(hits: Sequence[Ranked], places: Sequence[Place]) -> tuple[list[str], list[str]]:
    """Return (ranked ids, relevant ids), an item being a relevant place and a hit relevant when it overlaps one not yet found."""
    relevant = [f"place {number}" for number in range(len(places))]
    left = dict(zip(relevant, places, strict=True))
    ranked = []
    for number, hit in enumerate(_units_once(hits)):
        found = next((name for name, place in left.items() if _overlaps(hit, place)), None)
        ranked.append(found or f"other {number}")
        if found:
            del left[found]
    return ranked, relevant


def rank_of_first(ranked: Sequence[str], relevant: Sequence[str]) -> int | None:
    """Return the rank, from 1, of the first relevant item within the depth; None when there is none.

    >>> rank_of_first(["a", "b"], ["b"])
    2
    """
    wanted = set(relevant)
    return next((rank for rank, item in enumerate(ranked[:DEPTH], 1) if item in wanted), None)


def score_all(rankings: Mapping[str, tuple[Sequence[str], Sequence[str]]]) -> dict[str, dict[str, float]]:
    """Return question id -> metric -> value for rankings id -> (ranked ids, relevant ids)."""
    import ir_measures
    from ir_measures import RR, P, R, Success, nDCG

    measures = {Success @ 10: "hit_rate@10", RR @ 10: "mrr@10", P @ 5: "precision@5", R @ 5: "recall@5", nDCG @ 10: "ndcg@10"}
    qrels = {key: dict.fromkeys(relevant, 1) for key, (_, relevant) in rankings.items()}
    run = {key: {item: 1.0 / rank for rank, item in enumerate(ranked[:DEPTH], 1)} for key, (ranked, _) in rankings.items()}
    scores: dict[str, dict[str, float]] = {key: dict.fromkeys(NAMES, 0.0) for key in rankings}
    for found in ir_measures.iter_calc(list(measures), qrels, {key: items for key, items in run.items() if items}):
        scores[found.query_id][measures[found.measure]] = float(found.value)
    return scores


def summarise(scores: Sequence[Mapping[str, float]], ceilings: Sequence[float]) -> dict[str, Any]:
    """Return metric -> {value, low, high} over questions: Wilson's interval for rates, percentile bootstrap for the rest (95 %)."""
    summary: dict[str, Any] = {"questions": len(scores)}
    for name in NAMES:
        values = np.array([score[name] for score in scores], dtype=float)
        if not len(values):
            continue
        low, high = wilson(float(values.sum()), len(values)) if name in RATES else bootstrap_interval(values)
        summary[name] = {"value": round(float(values.mean()), 4), "low": round(low, 4), "high": round(high, 4)}
    if "precision@5" in summary and len(ceilings):
        summary["precision@5"]["ceiling"] = round(float(np.mean(ceilings)), 4)
    return summary


def ceiling(relevant: Sequence[str]) -> float:
    """Return the best precision@5 that any list can have: min(R, 5) / 5.

    >>> ceiling(["a"])
    0.2
    """
    return min(len(relevant), 5) / 5


def wilson(successes: float, n: int, z: float = 1.959964) -> tuple[float, float]:
    """Return Wilson's score interval of a rate (Wilson 1927).

    >>> [round(x, 3) for x in wilson(19, 20)]
    [0.764, 0.991]
    """
    if n == 0:
        return 0.0, 1.0
    p = successes / n
    centre = p + z * z / (2 * n)
    spread = z * ((p * (1 - p) + z * z / (4 * n)) / n) ** 0.5
    return max(0.0, (centre - spread) / (1 + z * z / n)), min(1.0, (centre + spread) / (1 + z * z / n))


def bootstrap_interval(values: np.ndarray[Any, np.dtype[Any]]) -> tuple[float, float]:
    """Return the 95 % percentile bootstrap interval of the mean; fixed seed."""
    rng = np.random.default_rng(SEED)
    means = values[rng.integers(0, len(values), (BOOTSTRAPS, len(values)))].mean(axis=1)
    low, high = np.percentile(means, [2.5, 97.5])
    return float(low), float(high)


def _units_once(hits: Sequence[Ranked]) -> list[Ranked]:
    """Return the hits without later parts of a unit that is listed already."""
    kept: dict[tuple[str, str], Ranked] = {}
    ordered = []
    for hit in hits:
        key = (hit.path, hit.unit)
        if hit.unit and key in kept:
            continue
        kept[key] = hit
        ordered.append(hit)
    return ordered


def _overlaps(hit: Ranked, place: Place) -> bool:
    return hit.path == place.path and hit.start_line <= place.end_line and place.start_line <= hit.end_line
