"""Publishing generations: build out of sight, seal, switch the pointers, collect. The same for both back ends."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from legacylens_assets.errors import FingerprintMismatch, IndexError_, NoIndex
from legacylens_assets.store.batch import Batch, batches
from legacylens_assets.store.layout import GEN_FILE, Layout, discard, new_generation, sweep, sync_folder, sync_tree, write_record
from legacylens_assets.store.lock import locked
from legacylens_assets.store.pointers import Pointers, utc_now
from legacylens_assets.store.protocol import EMPTY_FILES, EMPTY_PAYLOADS, GenerationInfo, GenerationRow, Point, Snapshot


@dataclass(frozen=True, slots=True)
class Job:
    """One generation to build.

    ``base`` is the generation that ``keep_ids`` are taken from, None when nothing is kept; ``lock`` is the writer lock's descriptor.
    """

    codebase: str
    generation: str
    folder: Path
    base: GenerationInfo | None
    keep_ids: tuple[str, ...]
    payloads: Mapping[str, Mapping[str, Any]]
    fingerprints: Mapping[str, str]
    lock: int


class Builder(Protocol):
    """What differs between the back ends."""

    reserved: frozenset[str]
    """Names in a generation's folder that no sidecar may have."""

    def prepare(self, codebase: str, published: Sequence[GenerationInfo]) -> None:
        """Remove what killed builds left behind; ``published`` are the whole generations."""
        ...

    def build(self, job: Job, points: Iterable[Batch]) -> int:
        """Store the points where no reader sees them yet, and return their number, counted."""
        ...

    def is_whole(self, info: GenerationInfo, folder: Path) -> bool:
        """Return whether the vectors of a generation are there."""
        ...

    def switched(self, info: GenerationInfo) -> None:
        """Follow a switch of the pointers."""
        ...

    def collected(self, codebase: str, kept: Sequence[GenerationInfo]) -> None:
        """Delete what only collected generations needed."""
        ...


class IndexWriter:
    """Builds and publishes generations under ``root``; one writer for each codebase at a time, over all processes."""

    def __init__(
        self, root: Path, builder: Builder, keep: int = 2, lock_timeout: float = 600.0, on_step: Callable[[str], None] = lambda step: None
    ) -> None:
        """Make a writer. ``on_step`` is told upserted, sealed, renamed, current and published as each is reached."""
        self.layout = Layout(root)
        self.pointers = Pointers(self.layout)
        self.builder = builder
        self.keep = keep
        self.lock_timeout = lock_timeout
        self.on_step = on_step

    def publish(
        self,
        codebase: str,
        points: Iterable[Point],
        keep_ids: Iterable[str],
        meta: Mapping[str, Any],
        files: Mapping[str, Path] = EMPTY_FILES,
        payloads: Mapping[str, Mapping[str, Any]] = EMPTY_PAYLOADS,
    ) -> GenerationInfo:
        """Publish a generation: build aside, seal, reopen and count, sync, rename, switch the pointers; see `Writer.publish`."""
        fingerprints = dict(meta["fingerprints"])
        self._check_names(files)
        with self._writing(codebase) as lock:
            sweep(self.layout.building(codebase))
            self.builder.prepare(codebase, self.layout.generations(codebase))
            kept = tuple(keep_ids)
            base = self._base(codebase, fingerprints) if kept else None
            generation = new_generation(self.layout, codebase)
            folder = self.layout.building(codebase) / generation
            folder.mkdir(parents=True)
            changed = {key: dict(value) for key, value in payloads.items()}
            try:
                count = self.builder.build(Job(codebase, generation, folder, base, kept, changed, fingerprints, lock), self._told(batches(points)))
                self.on_step("sealed")
                info = self._finish(GenerationInfo(codebase, generation, count, fingerprints, utc_now(), _extra(meta)), folder, files)
            finally:
                if folder.exists():
                    shutil.rmtree(folder)
            self._switch(info)
            self.on_step("published")
            self.collect(codebase)
        return info

    def current(self, codebase: str) -> GenerationInfo | None:
        """Return the generation that CURRENT names, None when there is none."""
        name = self.layout.current(codebase)
        return self.layout.info(codebase, name) if name else None

    def is_whole(self, codebase: str) -> bool:
        """Return whether the current generation's vectors are there; finishes a switch that was cut short."""
        info = self.current(codebase)
        if info is None or not self.builder.is_whole(info, self.layout.generation(codebase, info.generation)):
            return False
        self.pointers.repair()
        return True

    def generation_dir(self, codebase: str) -> Path:
        """Return the folder of the current generation; raises NoIndex when there is none."""
        name = self.layout.current(codebase)
        if not name:
            raise NoIndex(f"codebase {codebase}: not indexed yet; run `legacylens reindex {codebase}`")
        return self.layout.generation(codebase, name)

    def generations(self) -> list[GenerationRow]:
        """Return every generation with what holds it."""
        return self.pointers.rows()

    def rollback(self, generation: str, codebase: str = "") -> GenerationInfo:
        """Serve an earlier generation again."""
        info = self.pointers.find(generation, codebase)
        with self._writing(info.codebase):
            info = self.pointers.find(generation, info.codebase)
            self._switch(info)
        return info

    def remove(self, codebase: str) -> None:
        """Take a codebase out of the index and delete its generations; leased ones stay."""
        with self._writing(codebase):
            self.pointers.forget(codebase)
            self.collect(codebase, keep_newest=False)

    def collect(self, codebase: str, keep_newest: bool = True) -> list[str]:
        """Delete the generations that nothing needs; return their names. For the holder of the writer lock."""
        with self.pointers.collecting():
            names = self.pointers.collectable(codebase, self.keep) if keep_newest else self._unheld(codebase)
            for name in names:
                discard(self.layout, codebase, name)
            if names:
                self.pointers.prune_snapshots()
        self.builder.collected(codebase, self.layout.generations(codebase))
        return names

    def lease(self, snapshot_id: str, name: str, permanent: bool = False) -> Snapshot:
        """Keep the generations of a snapshot until `release`, or until this process ends; raises GenerationGone when it is too late."""
        snapshot = self.layout.earlier(snapshot_id)
        self.pointers.hold(snapshot, name, permanent)
        return snapshot

    def release(self, name: str) -> None:
        """End a lease."""
        self.pointers.release(name)

    @contextmanager
    def _writing(self, codebase: str) -> Iterator[int]:
        with locked(self.layout.codebase(codebase) / ".writer.lock", self.lock_timeout, f"publishing {codebase}") as lock:
            yield lock

    def _base(self, codebase: str, fingerprints: Mapping[str, str]) -> GenerationInfo:
        """Return the generation to take kept points from; raises when its vectors are other encoders'."""
        info = self.current(codebase)
        if info is None:
            raise IndexError_(f"codebase {codebase}: points are to be kept, but nothing is published; publish all points")
        if dict(info.fingerprints) != dict(fingerprints):
            raise FingerprintMismatch(f"codebase {codebase}: points to keep were made by {dict(info.fingerprints)}, new ones by {dict(fingerprints)}")
        return info

    def _check_names(self, files: Mapping[str, Path]) -> None:
        reserved = {GEN_FILE, *self.builder.reserved}
        for name in files:
            if Path(name).name != name or name in reserved:
                raise IndexError_(f"sidecar {name!r}: expected a plain file name other than {', '.join(sorted(reserved))}")

    def _told(self, source: Iterable[Any]) -> Iterator[Any]:
        yield from source
        self.on_step("upserted")

    def _unheld(self, codebase: str) -> list[str]:
        held = self.pointers.holders(codebase)
        return [info.generation for info in self.layout.generations(codebase) if info.generation not in held]

    def _switch(self, info: GenerationInfo) -> None:
        self.pointers.switch(info.codebase, info.generation, self.on_step)
        self.builder.switched(info)

    def _finish(self, info: GenerationInfo, folder: Path, files: Mapping[str, Path]) -> GenerationInfo:
        """Add the sidecars and GEN.json, make all durable, and move the folder to its place."""
        for name, source in files.items():
            shutil.copyfile(source, folder / name)
        sync_tree(folder)
        write_record(_as_record(info), folder / GEN_FILE)
        place = self.layout.generation(info.codebase, info.generation)
        place.parent.mkdir(exist_ok=True)
        os.rename(folder, place)
        sync_folder(place.parent)
        self.on_step("renamed")
        return info


def _extra(meta: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in meta.items() if key != "fingerprints"}


def _as_record(info: GenerationInfo) -> dict[str, Any]:
    """Return what GEN.json holds."""
    return {
        "codebase": info.codebase,
        "generation": info.generation,
        "points": info.points,
        "fingerprints": dict(info.fingerprints),
        "built_at": info.built_at,
        "extra": dict(info.extra),
    }
