"""Where each leg placed each candidate."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from legacylens_assets.store.protocol import Scored


def leg_places(legs: Mapping[str, Sequence[Scored]]) -> dict[str, dict[str, Any]]:
    """Return chunk_id -> {leg: {rank, score}}, ranks from 1."""
    found: dict[str, dict[str, Any]] = {}
    for name in sorted(legs):
        for rank, item in enumerate(legs[name], start=1):
            found.setdefault(item.chunk_id, {})[name] = {"rank": rank, "score": round(item.score, 6)}
    return found


def scores_of(ranked: Sequence[Scored]) -> dict[str, tuple[int, float]]:
    """Return chunk_id -> (rank from 1, score)."""
    return {item.chunk_id: (rank, item.score) for rank, item in enumerate(ranked, start=1)}
