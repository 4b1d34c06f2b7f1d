"""Reading the embedded index: any number of threads and processes, following the snapshot as it changes."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from legacylens_assets.errors import GenerationGone, IndexError_, NoIndex
from legacylens_assets.store.edge_shard import Shard
from legacylens_assets.store.edge_writer import SHARD
from legacylens_assets.store.layout import Layout
from legacylens_assets.store.merge import ranked, rrf
from legacylens_assets.store.protocol import Filter, Leg, Scored, Snapshot
from legacylens_assets.store.sidecars import SidecarReader

T = TypeVar("T")
REOPEN_ATTEMPTS = 5


@dataclass(slots=True)
class _Handle:
    """An open shard and how many queries use it. ``stale`` ones close when the last of them ends."""

    shard: Shard
    users: int = 0
    stale: bool = False


class EdgeReader(SidecarReader):
    """Answers queries over the current snapshot, or over one that it was pinned to (`at`)."""

    def __init__(self, root: Path, pinned: Snapshot | None = None) -> None:
        """Make a reader of the index at ``root``; nothing is opened before the first question."""
        super().__init__(Layout(root), pinned)
        self._lock = threading.Lock()
        self._handles: dict[tuple[str, str], _Handle] = {}

    def at(self, snapshot_id: str) -> EdgeReader:
        """Return a reader of an earlier snapshot; close it after use."""
        return EdgeReader(self.layout.root, self.layout.earlier(snapshot_id))

    def legs(self, legs: Sequence[Leg], where: Filter) -> dict[str, list[Scored]]:
        """Return each leg's candidates, merged over the shards by score; see `Reader.legs`."""

        def ask(shards: Mapping[str, Shard]) -> dict[str, list[Scored]]:
            found = {leg.name: ranked(item for shard in shards.values() for item in shard.leg(leg, where)) for leg in legs}
            return {leg.name: found[leg.name][: leg.limit] for leg in legs}

        return self._asked(where, ask)

    def hybrid(self, legs: Sequence[Leg], where: Filter, k: int, limit: int) -> list[Scored]:
        """Return the fusion; see `Reader.hybrid`. The candidates of all legs are fetched and then cut, so that ties never depend on chance."""
        wanted = [leg for leg in legs if leg.weight > 0]

        def ask(shards: Mapping[str, Shard]) -> list[Scored]:
            if len(shards) == 1:
                (shard,) = shards.values()
                return ranked(shard.hybrid(wanted, where, k))
            return rrf({leg.name: ranked(i for s in shards.values() for i in s.leg(leg, where))[: leg.limit] for leg in wanted}, wanted, k)

        return self._asked(where, ask)[:limit] if wanted else []

    def retrieve(self, chunk_ids: Sequence[str], codebase: str) -> list[Scored]:
        """Return stored points of a codebase in the order asked."""
        return self._asked(Filter(codebases=(codebase,)), lambda shards: [i for shard in shards.values() for i in shard.retrieve(chunk_ids)])

    def close(self) -> None:
        """Close every shard; a query in flight keeps its own until it ends."""
        with self._lock:
            self._retire(set())

    def _asked(self, where: Filter, ask: Callable[[Mapping[str, Shard]], T]) -> T:
        """Return what ``ask`` says of the shards that ``where`` admits, all of one snapshot.

        A generation may be collected between reading the snapshot and opening its shard: the snapshot is read again then.
        """
        for attempt in range(REOPEN_ATTEMPTS):
            snapshot = self.snapshot()
            try:
                with self._open(snapshot, self.admitted(where, snapshot)) as shards:
                    return ask(shards)
            except GenerationGone:
                if self.pinned is not None or attempt == REOPEN_ATTEMPTS - 1:
                    raise
        raise NoIndex(f"{self.layout.root}: the index changes faster than it can be opened")

    @contextmanager
    def _open(self, snapshot: Snapshot, codebases: Sequence[str]) -> Iterator[Mapping[str, Shard]]:
        taken: dict[str, _Handle] = {}
        try:
            with self._lock:
                self._retire({(key, generation) for key, generation in snapshot.generations.items()})
                for key in codebases:
                    taken[key] = self._handle(key, snapshot.generations[key])
                    taken[key].users += 1
            yield {key: handle.shard for key, handle in taken.items()}
        finally:
            with self._lock:
                for handle in taken.values():
                    handle.users -= 1
                    if handle.stale and not handle.users:
                        handle.shard.close()

    def _handle(self, key: str, generation: str) -> _Handle:
        held = self._handles.get((key, generation))
        if held is None:
            folder = self.layout.generation(key, generation)
            try:
                held = _Handle(Shard.open(folder / SHARD))
            except IndexError_ as error:
                if self.layout.info(key, generation) is None:
                    raise GenerationGone(f"generation {generation} of {key} was collected") from error
                raise
            self._handles[key, generation] = held
        return held

    def _retire(self, wanted: set[tuple[str, str]]) -> None:
        """Let go of the shards that the snapshot no longer names. For the holder of the lock."""
        for place in [place for place in self._handles if place not in wanted]:
            handle = self._handles.pop(place)
            handle.stale = True
            if not handle.users:
                handle.shard.close()
