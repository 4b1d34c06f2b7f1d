"""The embedded back end: one shard of qdrant-edge in each generation's folder."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from legacylens_assets.store.batch import Batch
from legacylens_assets.store.edge_build import BuildOrder, run_builder
from legacylens_assets.store.edge_shard import Shard
from legacylens_assets.store.layout import Layout
from legacylens_assets.store.protocol import DENSE, GenerationInfo
from legacylens_assets.store.reader import IndexReader
from legacylens_assets.store.writer import IndexWriter, Job

SHARD = "shard"


class EdgeBuilder:
    """Builds each shard whole, in a process of its own; kept points are copied from the shard before."""

    reserved = frozenset({SHARD})

    def __init__(self, layout: Layout, run: Callable[[BuildOrder, Iterable[Batch], int], int] = run_builder) -> None:
        """Make a builder; ``run`` carries an order out (tests do so in their own process, which spares its start)."""
        self.layout = layout
        self.run = run

    def prepare(self, codebase: str, published: Sequence[GenerationInfo]) -> None:
        """Do nothing: what killed builds leave lies in folders that the writer sweeps."""

    def build(self, job: Job, points: Iterable[Batch]) -> int:
        """Build the shard below the job's folder and return its points."""
        base = self.layout.generation(job.codebase, job.base.generation) / SHARD if job.base else None
        legs = tuple(sorted(set(job.fingerprints) - {DENSE}))
        return self.run(BuildOrder(job.folder / SHARD, base, job.keep_ids, job.payloads, legs), points, job.lock)

    def is_whole(self, info: GenerationInfo, folder: Path) -> bool:
        """Return whether the shard is there."""
        return (folder / SHARD / "edge_config.json").is_file()

    def switched(self, info: GenerationInfo) -> None:
        """Do nothing: readers follow the snapshot."""

    def collected(self, codebase: str, kept: Sequence[GenerationInfo]) -> None:
        """Do nothing: a generation's vectors went with its folder."""


def edge_reader(root: Path) -> IndexReader:
    """Return a reader of the embedded index at ``root``."""
    return IndexReader(root, lambda folder, info: Shard.open(folder / SHARD))


def edge_writer(root: Path, keep: int = 2, lock_timeout: float = 600.0, on_step: Callable[[str], None] = lambda step: None) -> IndexWriter:
    """Return a writer to the embedded index at ``root``; see `IndexWriter`."""
    return IndexWriter(root, EdgeBuilder(Layout(root)), keep, lock_timeout, on_step)
