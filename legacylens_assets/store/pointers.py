"""Switching what is served, and deciding what may be deleted: shared by both back ends."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime

from legacylens_assets.errors import GenerationGone, UsageError
from legacylens_assets.store.layout import CURRENT_FILE, Layout, read_record, snapshot_of, sync_folder, write_record
from legacylens_assets.store.lock import locked
from legacylens_assets.store.protocol import GenerationInfo, GenerationRow, Snapshot

SWITCH_TIMEOUT = 60.0
"""Seconds to wait for the lock of a switch, which is held for milliseconds."""
_LEASE = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,80}")


@dataclass(frozen=True, slots=True)
class Pointers:
    """CURRENT, SNAPSHOT and leases of one index."""

    layout: Layout

    def switch(self, codebase: str, generation: str, on_step: Callable[[str], None] = lambda step: None) -> Snapshot:
        """Serve ``generation``: CURRENT first, then the snapshot. Between the two the old one is served; `repair` finishes a switch cut short."""
        with self._lock():
            write_record({"generation": generation, "switched_at": utc_now()}, self.layout.codebase(codebase) / CURRENT_FILE)
            on_step("current")
            return self._write_snapshot()

    def repair(self) -> None:
        """Make the snapshot name what the CURRENT files name."""
        if read_record(self.layout.snapshot_file).get("generations", {}) != self._currents():
            with self._lock():
                self._write_snapshot()

    def forget(self, codebase: str) -> None:
        """Take a codebase out of the snapshot."""
        with self._lock():
            (self.layout.codebase(codebase) / CURRENT_FILE).unlink(missing_ok=True)
            self._write_snapshot()

    def holders(self, codebase: str) -> dict[str, set[str]]:
        """Return generation -> what holds it: ``current``, ``snapshot``, or a lease's name. None of them may be deleted."""
        found: dict[str, set[str]] = {}
        current = self.layout.current(codebase)
        if current:
            found.setdefault(current, set()).add("current")
        served = read_record(self.layout.snapshot_file).get("generations", {}).get(codebase)
        if served:
            found.setdefault(served, set()).add("snapshot")
        for name, lease in self.leases().items():
            if codebase in lease["generations"]:
                found.setdefault(lease["generations"][codebase], set()).add(name)
        return found

    def collectable(self, codebase: str, keep: int) -> list[str]:
        """Return the generations that nothing holds and that are not among the newest ``keep``, oldest first."""
        names = [info.generation for info in self.layout.generations(codebase)]
        held = self.holders(codebase)
        newest = set(names[-max(1, keep) :])
        return [name for name in names if name not in held and name not in newest]

    def rows(self) -> list[GenerationRow]:
        """Return every generation with what holds it."""
        rows = []
        for codebase in self.layout.codebases():
            held = self.holders(codebase)
            for info in self.layout.generations(codebase):
                by = held.get(info.generation, set())
                rows.append(GenerationRow(codebase, info.generation, info.points, info.built_at, "current" in by, tuple(sorted(by))))
        return rows

    def find(self, generation: str, codebase: str) -> GenerationInfo:
        """Return a generation by name, in ``codebase`` or (when "") in any; raises GenerationGone when it is not there."""
        keys = [codebase] if codebase else self.layout.codebases()
        found = [info for key in keys for info in self.layout.generations(key) if info.generation == generation]
        if len(found) == 1:
            return found[0]
        known = [f"{info.codebase} {info.generation}" for key in keys for info in self.layout.generations(key)]
        raise GenerationGone(f"generation {generation!r}: was collected or never existed; there are {', '.join(known) or 'none'}")

    def leases(self) -> dict[str, dict[str, dict[str, str]]]:
        """Return the leases that hold, by name; one taken by a process that ended does not."""
        found = {}
        for path in sorted(self.layout.root.glob("leases/*.json")):
            lease = read_record(path)
            if lease and not (lease.get("pid") and not _alive(int(lease["pid"]))):
                found[path.stem] = lease
        return found

    def hold(self, snapshot: Snapshot, name: str, permanent: bool) -> None:
        """Keep a snapshot's generations; a lease that is not permanent ends with this process."""
        if not _LEASE.fullmatch(name):
            raise UsageError(f"lease {name!r}: expected letters, digits, '-', '_' and '.', at most 81 characters")
        record = {"id": snapshot.id, "generations": dict(snapshot.generations), "pid": 0 if permanent else os.getpid(), "taken_at": utc_now()}
        with self._lock():
            self.layout.earlier(snapshot.id)
            write_record(record, self.layout.root / "leases" / f"{name}.json")

    def release(self, name: str) -> None:
        """End a lease; nothing happens when there is none."""
        with self._lock():
            (self.layout.root / "leases" / f"{name}.json").unlink(missing_ok=True)

    @contextmanager
    def collecting(self) -> Iterator[None]:
        """Hold the lock under which generations are deleted, so that no lease is taken meanwhile."""
        with self._lock():
            yield

    def prune_snapshots(self) -> None:
        """Delete the records of snapshots that name a generation which is gone."""
        for path in sorted(self.layout.root.glob("snapshots/*.json")):
            named = read_record(path).get("generations", {})
            if any(self.layout.info(key, generation) is None for key, generation in named.items()):
                path.unlink(missing_ok=True)

    @contextmanager
    def _lock(self) -> Iterator[None]:
        with locked(self.layout.root / ".snapshot.lock", SWITCH_TIMEOUT, "switching the index"):
            yield

    def _currents(self) -> Mapping[str, str]:
        found = {key: self.layout.current(key) for key in self.layout.codebases()}
        return {key: generation for key, generation in found.items() if generation and self.layout.info(key, generation) is not None}

    def _write_snapshot(self) -> Snapshot:
        snapshot = snapshot_of(self._currents())
        record = {"id": snapshot.id, "generations": dict(snapshot.generations), "switched_at": utc_now()}
        if snapshot.generations:
            write_record(record, self.layout.root / "snapshots" / f"{snapshot.id}.json")
        write_record(record, self.layout.snapshot_file)
        sync_folder(self.layout.root)
        return snapshot


def utc_now() -> str:
    """Return the time in ISO 8601, UTC, to the second."""
    return datetime.fromtimestamp(time.time(), UTC).isoformat(timespec="seconds")


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
