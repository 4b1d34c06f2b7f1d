"""Publishing generations of the embedded index."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from legacylens_assets.errors import FingerprintMismatch, IndexError_, NoIndex
from legacylens_assets.store.batch import batches
from legacylens_assets.store.edge_build import BuildOrder, run_builder
from legacylens_assets.store.layout import GEN_FILE, Layout, discard, new_generation, sweep, sync_folder, sync_tree, write_record
from legacylens_assets.store.lock import locked
from legacylens_assets.store.pointers import Pointers, utc_now
from legacylens_assets.store.protocol import DENSE, EMPTY_FILES, EMPTY_PAYLOADS, GenerationInfo, GenerationRow, Point, Snapshot

SHARD = "shard"


class EdgeWriter:
    """Builds and publishes generations under ``root``; one writer for each codebase at a time, over all processes."""

    def __init__(self, root: Path, keep: int = 2, lock_timeout: float = 600.0, on_step: Callable[[str], None] = lambda step: None) -> None:
        """Make a writer. ``on_step`` is told upserted, sealed, renamed, current and published as each is reached."""
        self.layout = Layout(root)
        self.pointers = Pointers(self.layout)
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
        with self._writing(codebase) as lock:
            sweep(self.layout.building(codebase))
            kept = tuple(keep_ids)
            old = self._base(codebase, fingerprints) if kept else None
            generation = new_generation(self.layout, codebase)
            folder = self.layout.building(codebase) / generation
            folder.mkdir(parents=True)
            try:
                legs = tuple(sorted(set(fingerprints) - {DENSE}))
                order = BuildOrder(folder / SHARD, old, kept, {key: dict(value) for key, value in payloads.items()}, legs)
                count = run_builder(order, self._told(batches(points)), lock)
                self.on_step("sealed")
                info = self._finish(codebase, generation, folder, count, meta, files)
            finally:
                if folder.exists():
                    shutil.rmtree(folder)
            self.pointers.switch(codebase, generation, self.on_step)
            self.on_step("published")
            self.collect(codebase)
        return info

    def current(self, codebase: str) -> GenerationInfo | None:
        """Return the generation that CURRENT names, None when there is none."""
        name = self.layout.current(codebase)
        return self.layout.info(codebase, name) if name else None

    def is_whole(self, codebase: str) -> bool:
        """Return whether the current generation's shard is there; finishes a switch that was cut short."""
        info = self.current(codebase)
        if info is None or not (self.layout.generation(codebase, info.generation) / SHARD / "edge_config.json").is_file():
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
            self.pointers.switch(info.codebase, generation)
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

    def _base(self, codebase: str, fingerprints: Mapping[str, str]) -> Path:
        """Return the shard to copy kept points from; raises when its vectors are other encoders'."""
        info = self.current(codebase)
        if info is None:
            raise IndexError_(f"codebase {codebase}: points are to be kept, but nothing is published; publish all points")
        if dict(info.fingerprints) != dict(fingerprints):
            raise FingerprintMismatch(f"codebase {codebase}: points to keep were made by {dict(info.fingerprints)}, new ones by {dict(fingerprints)}")
        return self.layout.generation(codebase, info.generation) / SHARD

    def _told(self, source: Iterable[Any]) -> Iterator[Any]:
        yield from source
        self.on_step("upserted")

    def _unheld(self, codebase: str) -> list[str]:
        held = self.pointers.holders(codebase)
        return [info.generation for info in self.layout.generations(codebase) if info.generation not in held]

    def _finish(self, codebase: str, generation: str, folder: Path, count: int, meta: Mapping[str, Any], files: Mapping[str, Path]) -> GenerationInfo:
        """Add the sidecars and GEN.json, make all durable, and move the folder to its place."""
        for name, source in files.items():
            if Path(name).name != name or name in (SHARD, GEN_FILE):
                raise IndexError_(f"sidecar {name!r}: expected a plain file name other than {SHARD} and {GEN_FILE}")
            shutil.copyfile(source, folder / name)
        extra = {key: value for key, value in meta.items() if key != "fingerprints"}
        info = GenerationInfo(codebase, generation, count, dict(meta["fingerprints"]), utc_now(), extra)
        sync_tree(folder)
        write_record(as_record(info), folder / GEN_FILE)
        place = self.layout.generation(codebase, generation)
        place.parent.mkdir(exist_ok=True)
        os.rename(folder, place)
        sync_folder(place.parent)
        self.on_step("renamed")
        return info


def as_record(info: GenerationInfo) -> dict[str, Any]:
    """Return what GEN.json holds."""
    return {
        "codebase": info.codebase,
        "generation": info.generation,
        "points": info.points,
        "fingerprints": dict(info.fingerprints),
        "built_at": info.built_at,
        "extra": dict(info.extra),
    }
