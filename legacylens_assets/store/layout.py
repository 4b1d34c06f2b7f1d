"""Where an index lies on disk, and how its pointers are switched.

::

    index/SNAPSHOT.json               {"id", "generations": {codebase: generation}}: what readers serve
    index/snapshots/<id>.json         earlier snapshots, until a generation of theirs is collected
    index/leases/<name>.json          snapshots that a baseline, a replay or a running evaluation holds
    index/<cb>/CURRENT                {"generation"}: what the next publish starts from
    index/<cb>/gens/<gen>/            an immutable generation; GEN.json is written last
    index/<cb>/building/<gen>/        in progress, or on its way out; swept by the next builder
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import uuid
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from legacylens_assets.errors import GenerationGone, IndexError_, NoIndex, UsageError
from legacylens_assets.store.protocol import GenerationInfo, Snapshot

GEN_FILE = "GEN.json"
SNAPSHOT_FILE = "SNAPSHOT.json"
CURRENT_FILE = "CURRENT"
_KEY = re.compile(r"[a-z0-9][a-z0-9_.-]{0,63}")
_RESERVED = frozenset({"snapshots", "leases"})


@dataclass(frozen=True, slots=True)
class Layout:
    """Paths of an index under ``root`` (``data/index``)."""

    root: Path

    def codebase(self, key: str) -> Path:
        """Return the folder of a codebase; raises UsageError for a key that is no plain name."""
        if not _KEY.fullmatch(key) or key in _RESERVED:
            raise UsageError(f"codebase {key!r}: expected a name of lower-case letters, digits, '-', '_' and '.', at most 64 characters")
        return self.root / key

    def generation(self, key: str, generation: str) -> Path:
        """Return the folder of a generation."""
        return self.codebase(key) / "gens" / generation

    def building(self, key: str) -> Path:
        """Return the folder of generations in progress."""
        return self.codebase(key) / "building"

    @property
    def snapshot_file(self) -> Path:
        """Return the path of the pointer that readers follow."""
        return self.root / SNAPSHOT_FILE

    def codebases(self) -> list[str]:
        """Return the codebases that have a folder, sorted."""
        if not self.root.is_dir():
            return []
        return sorted(p.name for p in self.root.iterdir() if p.is_dir() and _KEY.fullmatch(p.name) and p.name not in _RESERVED)

    def generations(self, key: str) -> list[GenerationInfo]:
        """Return the whole generations of a codebase, oldest first."""
        folder = self.codebase(key) / "gens"
        names = sorted(p.name for p in folder.iterdir()) if folder.is_dir() else []
        return [info for info in (self.info(key, name) for name in names) if info is not None]

    def info(self, key: str, generation: str) -> GenerationInfo | None:
        """Return what GEN.json says, None when the generation is not there."""
        found = read_record(self.generation(key, generation) / GEN_FILE)
        return GenerationInfo(**found) if found else None

    def current(self, key: str) -> str:
        """Return the generation that CURRENT names, "" when there is none."""
        return str(read_record(self.codebase(key) / CURRENT_FILE).get("generation", ""))

    def snapshot(self) -> Snapshot:
        """Return what readers serve; raises NoIndex when nothing was published."""
        found = read_record(self.snapshot_file)
        if not found.get("generations"):
            raise NoIndex(f"{self.root}: nothing is indexed yet; run `legacylens reindex` or `make run`")
        return Snapshot(found["id"], found["generations"])

    def earlier(self, snapshot_id: str) -> Snapshot:
        """Return a snapshot by id (a prefix of eight characters is enough); raises GenerationGone when it is not known or no longer whole."""
        for found in self._recorded():
            if found["id"] == snapshot_id or (len(snapshot_id) >= 8 and found["id"].startswith(snapshot_id)):
                snapshot = Snapshot(found["id"], found["generations"])
                for key, generation in snapshot.generations.items():
                    if self.info(key, generation) is None:
                        raise GenerationGone(
                            f"snapshot {snapshot_id}: generation {generation} of {key} was collected; only leased snapshots are kept"
                        )
                return snapshot
        raise GenerationGone(f"snapshot {snapshot_id}: not known here; it was collected or belongs to another index")

    def _recorded(self) -> Iterator[dict[str, Any]]:
        for path in (self.snapshot_file, *sorted(self.root.glob("snapshots/*.json")), *sorted(self.root.glob("leases/*.json"))):
            found = read_record(path)
            if found.get("id") and isinstance(found.get("generations"), dict):
                yield found


def snapshot_of(generations: Mapping[str, str]) -> Snapshot:
    """Return the snapshot that names these generations; its id is their hash."""
    joined = "\n".join(f"{key}={generation}" for key, generation in sorted(generations.items()))
    return Snapshot(hashlib.sha256(joined.encode()).hexdigest()[:16], dict(sorted(generations.items())))


def new_generation(layout: Layout, key: str) -> str:
    """Return a name that sorts after every earlier generation of the codebase and is no other's."""
    last = max((int(info.generation[1:7]) for info in layout.generations(key)), default=0)
    return f"g{last + 1:06d}-{uuid.uuid4().hex[:8]}"


def read_record(path: Path) -> dict[str, Any]:
    """Return the JSON object at ``path``, {} when there is none; raises IndexError_ when it is damaged."""
    try:
        text = path.read_text(encoding="utf-8")
    except (FileNotFoundError, NotADirectoryError):
        return {}
    try:
        found = json.loads(text)
    except ValueError as error:
        raise IndexError_(f"{path}: not valid JSON ({error}); remove it and run `legacylens reindex`") from error
    return found if isinstance(found, dict) else {}


def write_record(value: Mapping[str, Any], path: Path) -> None:
    """Write a JSON object durably: aside, synced, renamed, and the folder synced."""
    path.parent.mkdir(parents=True, exist_ok=True)
    aside = path.with_name(f".{path.name}.{uuid.uuid4().hex[:8]}")
    try:
        with aside.open("w", encoding="utf-8") as handle:
            handle.write(json.dumps(value, sort_keys=True) + "\n")
            handle.flush()
            os.fsync(handle.fileno())
        os.replace(aside, path)
    finally:
        aside.unlink(missing_ok=True)
    sync_folder(path.parent)


def sync_folder(path: Path) -> None:
    """Make renames inside a folder durable."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def sync_tree(path: Path) -> None:
    """Make every file below a folder durable."""
    for folder, _, names in os.walk(path):
        for name in names:
            handle = os.open(os.path.join(folder, name), os.O_RDONLY)
            try:
                os.fsync(handle)
            finally:
                os.close(handle)
        sync_folder(Path(folder))


def sweep(building: Path) -> int:
    """Delete what killed builders left; return how many folders there were. Only for the holder of the writer lock."""
    if not building.is_dir():
        return 0
    left = sorted(building.iterdir())
    for path in left:
        shutil.rmtree(path)
    return len(left)


def discard(layout: Layout, key: str, generation: str) -> None:
    """Delete a generation: moved away first, so that it is never half there. Readers that hold it open read on."""
    building = layout.building(key)
    building.mkdir(parents=True, exist_ok=True)
    aside = building / f"out-{generation}"
    os.rename(layout.generation(key, generation), aside)
    sync_folder(building)
    shutil.rmtree(aside)
