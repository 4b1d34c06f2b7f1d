"""What an index store is: one shard (or alias) per codebase, immutable generations, one snapshot that names the state of the whole index."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from legacylens_assets.encoders.protocol import SparseVector, Vector

DENSE = "dense"


@dataclass(frozen=True, slots=True)
class Point:
    """One chunk as stored. ``payload`` is JSON-able and holds every column that a hit shows (see DESIGN.md, chunk record)."""

    chunk_id: str
    dense: Vector | None
    sparse: Mapping[str, SparseVector]
    payload: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Leg:
    """One prefetch: a query vector for a named vector, how many candidates it may give, and its weight in the fusion."""

    name: str
    vector: Vector | SparseVector
    limit: int = 100
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class Filter:
    """Which points may come back. Empty means all. A name in ``not_*`` is excluded."""

    codebases: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    not_codebases: tuple[str, ...] = ()
    not_languages: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Scored:
    """A candidate of one leg or of the fusion."""

    chunk_id: str
    score: float
    payload: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The state of the whole index: codebase -> generation. ``id`` is the hash of that mapping: "the index generation"."""

    id: str
    generations: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class GenerationInfo:
    """What is known of one generation (GEN.json)."""

    codebase: str
    generation: str
    points: int
    fingerprints: Mapping[str, str]
    built_at: str
    extra: Mapping[str, Any] = field(default_factory=dict)


class Reader(Protocol):
    """Answers queries; follows the snapshot as it changes. Safe to share between threads."""

    def snapshot(self) -> Snapshot:
        """Return the current snapshot; raises NoIndex when nothing is published."""
        ...

    def info(self, codebase: str) -> GenerationInfo:
        """Return what is known of the codebase's current generation."""
        ...

    def legs(self, legs: Sequence[Leg], where: Filter) -> dict[str, list[Scored]]:
        """Return for each leg its candidates over all shards that ``where`` admits, by (-round(score, 9), chunk_id)."""
        ...

    def hybrid(self, legs: Sequence[Leg], where: Filter, k: int, limit: int) -> list[Scored]:
        """Return the RRF fusion: one native query when one shard is admitted, else the merged legs fused with the same formula."""
        ...

    def retrieve(self, chunk_ids: Sequence[str], codebase: str) -> list[Scored]:
        """Return the stored points of these ids (score 0), in the order asked."""
        ...


class Writer(Protocol):
    """Builds and publishes a generation of one codebase. Waits for the writer lock."""

    def publish(self, codebase: str, points: Iterable[Point], keep_ids: Iterable[str], meta: Mapping[str, Any]) -> GenerationInfo:
        """Publish a generation holding ``points`` and, unchanged, the points of the current one that ``keep_ids`` names."""
        ...
