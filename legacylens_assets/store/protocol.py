"""What an index store is: one shard (or alias) per codebase, immutable generations, one snapshot that names the state of the whole index."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Protocol

from legacylens_assets.encoders.protocol import SparseVector, Vector

if TYPE_CHECKING:
    from legacylens_assets.encoders.idf import IdfTable

EMPTY_FILES: Mapping[str, Path] = MappingProxyType({})
EMPTY_PAYLOADS: Mapping[str, Mapping[str, Any]] = MappingProxyType({})
DENSE = "dense"
IDENTIFIERS = "identifiers"


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


@dataclass(frozen=True, slots=True)
class GenerationRow:
    """One line of the list of generations; ``held_by`` names what keeps it: current, snapshot, or a lease's name."""

    codebase: str
    generation: str
    points: int
    built_at: str
    current: bool
    held_by: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Return the row as JSON-able values."""
        return {**asdict(self), "held_by": list(self.held_by)}


EVERYTHING = Filter()


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
        """Return the stored points of these ids (score 0), in the order asked; ids that are not there are left out."""
        ...

    def generation_dir(self, codebase: str) -> Path:
        """Return the folder of the codebase's sidecar files (files, symbols, graph, df...)."""
        ...

    def idf(self, where: Filter = EVERYTHING, leg: str = IDENTIFIERS) -> IdfTable:
        """Return document frequencies of a sparse leg over the codebases that ``where`` admits: over the whole snapshot when it names none."""
        ...

    def check_fingerprints(self, fingerprints: Mapping[str, str]) -> None:
        """Raise FingerprintMismatch, naming both, when a codebase was built by other encoders than those that ask."""
        ...

    def at(self, snapshot_id: str) -> Reader:
        """Return a reader of an earlier snapshot; raises GenerationGone when it, or a generation it names, was collected."""
        ...

    def close(self) -> None:
        """Release what is open."""
        ...


class Writer(Protocol):
    """Builds and publishes a generation of one codebase. Waits for the writer lock."""

    def publish(
        self,
        codebase: str,
        points: Iterable[Point],
        keep_ids: Iterable[str],
        meta: Mapping[str, Any],
        files: Mapping[str, Path] = EMPTY_FILES,
        payloads: Mapping[str, Mapping[str, Any]] = EMPTY_PAYLOADS,
    ) -> GenerationInfo:
        """Publish a generation holding ``points`` and the points of the current one that ``keep_ids`` names.

        ``meta["fingerprints"]`` maps each leg to its encoder's fingerprint; the rest of ``meta`` is kept as `GenerationInfo.extra`. ``files`` are
        copied beside the generation under their key; ``payloads`` replaces the whole payload of kept points. Nothing is visible until everything
        is written; raises IndexError_ when it fails, and what was served is served on.
        """
        ...

    def current(self, codebase: str) -> GenerationInfo | None:
        """Return the generation being served, None when there is none."""
        ...

    def is_whole(self, codebase: str) -> bool:
        """Return whether the current generation is there and published; finishes the switch of pointers that a killed publish left half done."""
        ...

    def generation_dir(self, codebase: str) -> Path:
        """Return the folder of the current generation's sidecar files."""
        ...

    def generations(self) -> list[GenerationRow]:
        """Return every generation of every codebase, oldest first within a codebase."""
        ...

    def rollback(self, generation: str, codebase: str = "") -> GenerationInfo:
        """Serve an earlier generation again; raises GenerationGone when it was collected."""
        ...

    def lease(self, snapshot_id: str, name: str, permanent: bool = False) -> Snapshot:
        """Keep the generations of a snapshot until `release`, or (unless ``permanent``) until this process ends; raises GenerationGone."""
        ...

    def release(self, name: str) -> None:
        """End a lease; nothing happens when there is none."""
        ...

    def remove(self, codebase: str) -> None:
        """Take a codebase out of the index and delete its generations."""
        ...
