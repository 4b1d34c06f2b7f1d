"""Ranking that does not depend on chance: order among equal scores, and the fusion of legs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from legacylens_assets.store.protocol import Leg, Scored

DIGITS = 9
"""Scores that agree to this many digits are equal: Qdrant gives equal scores in random order, and sums them in any order."""


def ranked(found: Iterable[Scored]) -> list[Scored]:
    """Return candidates by (-score, chunk_id)."""
    return sorted(found, key=lambda item: (-round(item.score, DIGITS), item.chunk_id))


def rrf(by_leg: Mapping[str, Sequence[Scored]], legs: Sequence[Leg], k: int) -> list[Scored]:
    """Return the reciprocal rank fusion of ranked legs (Cormack et al. 2009).

    A score is the sum of 1 / ((rank + 1) / weight + k - 1) over the legs, rank from 0: the formula that Qdrant uses.

    >>> a, b = Scored("a", 9.0, {}), Scored("b", 8.0, {})
    >>> [(item.chunk_id, round(item.score, 4)) for item in rrf({"x": [a, b], "y": [b]}, [Leg("x", None), Leg("y", None, weight=0.5)], 2)]
    [('b', 0.6667), ('a', 0.5)]
    """
    scores: dict[str, float] = {}
    payloads: dict[str, Scored] = {}
    for leg in legs:
        if leg.weight <= 0:
            continue
        for rank, item in enumerate(by_leg.get(leg.name, ())):
            scores[item.chunk_id] = scores.get(item.chunk_id, 0.0) + 1.0 / ((rank + 1) / leg.weight + k - 1)
            payloads.setdefault(item.chunk_id, item)
    return ranked(Scored(chunk_id, score, payloads[chunk_id].payload) for chunk_id, score in scores.items())
