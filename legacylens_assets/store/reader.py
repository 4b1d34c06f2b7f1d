"""Reading an index: any number of threads and processes, following the snapshot as it changes. The same for both back ends."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, TypeVar

from legacylens_assets.encoders.idf import IdfTable
from legacylens_assets.errors import GenerationGone, IndexError_, NoIndex
from legacylens_assets.store.layout import Layout
from legacylens_assets.store.merge import ranked, rrf
from legacylens_assets.store.protocol import EVERYTHING, IDENTIFIERS, Filter, GenerationInfo, Leg, Scored, Snapshot
from legacylens_assets.store.sidecars import Sidecars

T = TypeVar("T")
REOPEN_ATTEMPTS = 5


class OpenShard(Protocol):
    """The vectors of one generation, open for questions."""

    def leg(self, leg: Leg, where: Filter) -> list[Scored]:
        """Return the candidates of one leg; none when there are no such vectors."""
        ...

    def hybrid(self, legs: Sequence[Leg], where: Filter, k: int) -> list[Scored]:
        """Return all candidates of the legs, fused natively."""
        ...

    def retrieve(self, ids: Sequence[str]) -> list[Scored]:
        """Return stored points in the order asked; those that are not there are left out."""
        ...

    def close(self) -> None:
        """Release it."""
        ...


@dataclass(slots=True)
class _Handle:
    """An open shard and how many queries use it. ``stale`` ones close when the last of them ends."""

    shard: OpenShard
    users: int = 0
    stale: bool = False


class IndexReader:
    """Answers queries over the current snapshot, or over one that it was pinned to (`at`). Safe to share between threads."""

    def __init__(self, root: Path, open_shard: Callable[[Path, GenerationInfo], OpenShard], pinned: Snapshot | None = None) -> None:
        """Make a reader of the index at ``root``; nothing is opened before the first question.

        ``open_shard`` is given a generation's folder and what is known of it.
        """
        self.layout = Layout(root)
        self.sidecars = Sidecars(self.layout, pinned)
        self._open_shard = open_shard
        self._lock = threading.Lock()
        self._handles: dict[tuple[str, str], _Handle] = {}

    def at(self, snapshot_id: str) -> IndexReader:
        """Return a reader of an earlier snapshot; close it after use."""
        return IndexReader(self.layout.root, self._open_shard, self.layout.earlier(snapshot_id))

    def snapshot(self) -> Snapshot:
        """Return the snapshot being served; raises NoIndex when nothing was published."""
        return self.sidecars.snapshot()

    def info(self, codebase: str) -> GenerationInfo:
        """Return what is known of the codebase's generation."""
        return self.sidecars.info(codebase)

    def generation_dir(self, codebase: str) -> Path:
        """Return the folder of the generation's sidecar files."""
        return self.sidecars.generation_dir(codebase)

    def idf(self, where: Filter = EVERYTHING, leg: str = IDENTIFIERS) -> IdfTable:
        """Return the document frequencies of a sparse leg; see `Reader.idf`."""
        return self.sidecars.idf(where, leg)

    def check_fingerprints(self, fingerprints: Mapping[str, str]) -> None:
        """Raise FingerprintMismatch when a codebase was built by other encoders than those that ask."""
        self.sidecars.check_fingerprints(fingerprints)

    def legs(self, legs: Sequence[Leg], where: Filter) -> dict[str, list[Scored]]:
        """Return each leg's candidates, merged over the shards by score; see `Reader.legs`."""

        def ask(shards: Mapping[str, OpenShard]) -> dict[str, list[Scored]]:
            found = {leg.name: ranked(item for shard in shards.values() for item in shard.leg(leg, where)) for leg in legs}
            return {leg.name: found[leg.name][: leg.limit] for leg in legs}

        return self._asked(where, ask)

    def hybrid(self, legs: Sequence[Leg], where: Filter, k: int, limit: int) -> list[Scored]:
        """Return the fusion; see `Reader.hybrid`. The candidates of all legs are fetched and then cut, so that ties never depend on chance."""
        wanted = [leg for leg in legs if leg.weight > 0]

        def ask(shards: Mapping[str, OpenShard]) -> list[Scored]:
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

    def _asked(self, where: Filter, ask: Callable[[Mapping[str, OpenShard]], T]) -> T:
        """Return what ``ask`` says of the shards that ``where`` admits, all of one snapshot.

        A generation may be collected between reading the snapshot and opening its shard: the snapshot is read again then.
        """
        for attempt in range(REOPEN_ATTEMPTS):
            snapshot = self.snapshot()
            try:
                with self._open(snapshot, self.sidecars.admitted(where, snapshot)) as shards:
                    return ask(shards)
            except GenerationGone:
                if self.sidecars.pinned is not None or attempt == REOPEN_ATTEMPTS - 1:
                    raise
        raise NoIndex(f"{self.layout.root}: the index changes faster than it can be opened")

    @contextmanager
    def _open(self, snapshot: Snapshot, codebases: Sequence[str]) -> Iterator[Mapping[str, OpenShard]]:
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
            info = self.sidecars.generation(key, generation)
            try:
                held = _Handle(self._open_shard(self.layout.generation(key, generation), info))
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
