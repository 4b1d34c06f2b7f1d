"""The server back end: a collection for each codebase, schema and fingerprint; an alias ``<prefix>_<codebase>`` as the public name.

Pointers and sidecar files lie under ``data/index`` as for the embedded back end, and only the vectors on the server: one data folder
publishes to a prefix.
"""

from __future__ import annotations

import itertools
import json
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from legacylens_assets.errors import IndexError_
from legacylens_assets.settings import Settings
from legacylens_assets.store.batch import Batch
from legacylens_assets.store.protocol import DENSE, GenerationInfo
from legacylens_assets.store.reader import IndexReader
from legacylens_assets.store.server_client import Missing, Server, connect
from legacylens_assets.store.server_collection import CHUNK, FROM, OPEN, UNTIL, Collection, check_collection, collection_name, number, point_id
from legacylens_assets.store.writer import IndexWriter, Job

UPSERT_POINTS = 256
UPSERT_BYTES = 8 * 1024 * 1024
GREEN_TIMEOUT = 600.0
KEPT_PAGE = 500


@dataclass(frozen=True, slots=True)
class ServerOptions:
    """How collections are made."""

    prefix: str = "legacylens"
    shards: int = 1
    replicas: int = 1
    on_disk: bool = False
    quantisation: str = "none"

    @classmethod
    def of(cls, settings: Settings) -> ServerOptions:
        """Return the options that the settings name."""
        return cls(settings.qdrant_prefix, settings.qdrant_shards, settings.qdrant_replicas, settings.qdrant_on_disk, settings.qdrant_quantisation)


class ServerBuilder:
    """Writes what changed; kept points stay where they are."""

    reserved: frozenset[str] = frozenset()

    def __init__(self, server: Server, options: ServerOptions, sleep: Callable[[float], None] = time.sleep) -> None:
        self.server = server
        self.options = options
        self._sleep = sleep

    def prepare(self, codebase: str, published: Sequence[GenerationInfo]) -> None:
        """Undo what a killed publish wrote: points of generations that were never published go, points that these closed open again."""
        last = max((number(info.generation) for info in published), default=0)
        names = {collection_name(self.options.prefix, codebase, info.fingerprints) for info in published}
        for name in self._collections(codebase):
            if name not in names:
                self.server.call("delete a collection", "delete_collection", name)
                continue
            self._delete(name, _range(FROM, gt=last))
            self._set(name, {UNTIL: OPEN}, _range(UNTIL, gt=last, lt=OPEN))

    def build(self, job: Job, points: Iterable[Batch]) -> int:
        """Write new points, close those that the generation leaves out, wait until the collection is ready, and count."""
        name = collection_name(self.options.prefix, job.codebase, job.fingerprints)
        this = number(job.generation)
        batches = iter(points)
        first = next(batches, None)
        self._create(name, job, first)
        carried = self._keep(name, job, this)
        fresh = 0
        for batch in itertools.chain([first] if first else [], batches):
            fresh += len(batch.ids)
            self._upsert(name, _structs(batch, this))
        self._close(name, job, this, carried)
        self._wait_green(name)
        found, expected = Collection(self.server, name, this).count(), fresh + len(job.keep_ids)
        if found != expected:
            raise IndexError_(f"collection {name}: generation {job.generation} sees {found} points, expected {expected}; publish again")
        return found

    def is_whole(self, info: GenerationInfo, folder: Path) -> bool:
        """Return whether the server holds the generation's points."""
        try:
            return Collection.of(self.server, self.options.prefix, info).count() == info.points
        except Missing:
            return False

    def switched(self, info: GenerationInfo) -> None:
        """Let the alias follow."""
        from qdrant_client import models

        name = collection_name(self.options.prefix, info.codebase, info.fingerprints)
        alias = f"{self.options.prefix}_{info.codebase}"
        known = {item.alias_name for item in self.server.call("list aliases", "get_aliases").aliases}
        steps: list[Any] = []
        if alias in known:
            steps.append(models.DeleteAliasOperation(delete_alias=models.DeleteAlias(alias_name=alias)))
        steps.append(models.CreateAliasOperation(create_alias=models.CreateAlias(collection_name=name, alias_name=alias)))
        self.server.call("switch the alias", "update_collection_aliases", change_aliases_operations=steps)

    def collected(self, codebase: str, kept: Sequence[GenerationInfo]) -> None:
        """Delete the points that ended before the oldest kept generation, and collections of encoders that none uses."""
        oldest: dict[str, int] = {}
        for info in kept:
            name = collection_name(self.options.prefix, codebase, info.fingerprints)
            oldest[name] = min(oldest.get(name, OPEN), number(info.generation))
        for name in self._collections(codebase):
            if name in oldest:
                self._delete(name, _range(UNTIL, lte=oldest[name]))
            else:
                self.server.call("delete a collection", "delete_collection", name)

    def _collections(self, codebase: str) -> list[str]:
        """Return the collections of a codebase: those named by it and ten hexadecimal digits."""
        start = f"{self.options.prefix}_{codebase}_"
        found = self.server.call("list collections", "get_collections").collections
        names = sorted(item.name for item in found if item.name.startswith(start))
        return [name for name in names if len(name) == len(start) + 10 and set(name[len(start) :]) <= set("0123456789abcdef")]

    def _create(self, name: str, job: Job, first: Batch | None) -> None:
        """Make the collection and its payload indexes, unless it is there; one that was made for no points at all has no dense vectors yet."""
        from qdrant_client import models

        if self._usable(name, first):
            return
        options = self.options
        dense = {}
        if first is not None and first.dense is not None:
            size = int(first.dense.shape[1])
            dense = {DENSE: models.VectorParams(size=size, distance=models.Distance.DOT, on_disk=options.on_disk or None)}
        sparse = {leg: models.SparseVectorParams() for leg in sorted(set(job.fingerprints) - {DENSE})}
        scalar = models.ScalarQuantization(scalar=models.ScalarQuantizationConfig(type=models.ScalarType.INT8, always_ram=True))
        quantisation = scalar if options.quantisation == "int8" else None
        layout = {"shard_number": options.shards, "replication_factor": options.replicas, "quantization_config": quantisation}
        self.server.call(f"create collection {name}", "create_collection", name, vectors_config=dense, sparse_vectors_config=sparse, **layout)
        keyword, integer = models.PayloadSchemaType.KEYWORD, models.PayloadSchemaType.INTEGER
        for field, kind in (("codebase", keyword), ("language", keyword), (CHUNK, keyword), (FROM, integer), (UNTIL, integer)):
            self.server.call("index a field", "create_payload_index", name, field, kind, wait=True)

    def _usable(self, name: str, first: Batch | None) -> bool:
        if not self.server.call("look for a collection", "collection_exists", name):
            return False
        if first is None or first.dense is None or DENSE in check_collection(self.server, name):
            return True
        self.server.call("delete a collection", "delete_collection", name)
        return False

    def _keep(self, name: str, job: Job, this: int) -> set[str]:
        """Carry kept points over; return the point ids that go on as they are.

        A kept point needs a new version when its payload changed, or when a generation between the base and this one had already closed it.
        """
        if job.base is None:
            return set()
        base = Collection(self.server, name, number(job.base.generation))
        carried: set[str] = set()
        for start in range(0, len(job.keep_ids), KEPT_PAGE):
            wanted = job.keep_ids[start : start + KEPT_PAGE]
            records = {record.payload[CHUNK]: record for record in base.records(wanted, with_vectors=False)}
            missing = [chunk_id for chunk_id in wanted if chunk_id not in records]
            if missing:
                raise IndexError_(
                    f"{len(missing)} points to keep are not in the current generation, first {missing[0]}: it changed meanwhile; publish again"
                )
            anew = [i for i in wanted if i in job.payloads or records[i].payload[UNTIL] != OPEN]
            carried |= {str(records[i].id) for i in wanted} - {str(records[i].id) for i in anew}
            if anew:
                self._upsert(name, (_renewed(record, job.payloads, this) for record in base.records(anew, with_vectors=True)))
        return carried

    def _close(self, name: str, job: Job, this: int, carried: set[str]) -> None:
        """Let every open point that the generation does not carry over end here."""
        from qdrant_client import models

        condition = models.Filter(must=[*_range(FROM, lt=this).must, *_range(UNTIL, gte=OPEN).must])
        ends: list[Any] = []
        offset = None
        while True:
            page, offset = self.server.call(
                "read points",
                "scroll",
                name,
                scroll_filter=condition,
                limit=1000,
                offset=offset,
                with_payload=False,
                with_vectors=False,
            )
            ends.extend(record.id for record in page if str(record.id) not in carried)
            if offset is None:
                break
        for start in range(0, len(ends), KEPT_PAGE):
            self._set(name, {UNTIL: this}, ends[start : start + KEPT_PAGE])

    def _upsert(self, name: str, points: Iterable[Any]) -> None:
        for part in _portions(points):
            self.server.call("store points", "upsert", name, points=part, wait=True)

    def _set(self, name: str, payload: Mapping[str, Any], points: Any) -> None:  # noqa: ANN401
        self.server.call("update points", "set_payload", name, payload=dict(payload), points=points, wait=True)

    def _delete(self, name: str, condition: Any) -> None:  # noqa: ANN401
        from qdrant_client import models

        selector = models.FilterSelector(filter=condition)
        self.server.call("delete points", "delete", name, points_selector=selector, wait=True)

    def _wait_green(self, name: str) -> None:
        """Wait until the server has optimised the collection; raises IndexError_ when it reports an error or takes too long."""
        waited = 0.0
        while True:
            status = self.server.call("tell a collection's state", "get_collection", name).status
            state = str(getattr(status, "value", status))
            if state == "green":
                return
            if state == "red" or waited >= GREEN_TIMEOUT:
                raise IndexError_(f"collection {name}: state {state} after {waited:.0f} s, expected green; see the server's log")
            self._sleep(0.5)
            waited += 0.5


def server_reader(root: Path, server: Server, prefix: str = "legacylens") -> IndexReader:
    """Return a reader of the index whose vectors ``server`` holds and whose pointers and files lie at ``root``."""
    return IndexReader(root, lambda folder, info: Collection.of(server, prefix, info))


def server_writer(
    root: Path, server: Server, options: ServerOptions, keep: int = 2, lock_timeout: float = 600.0, on_step: Callable[[str], None] = lambda step: None
) -> IndexWriter:
    """Return a writer to that index."""
    return IndexWriter(root, ServerBuilder(server, options), keep, lock_timeout, on_step)


def reader_from_settings(settings: Settings, root: Path) -> IndexReader:
    """Return a reader of the server that the settings name."""
    return server_reader(root, connect(settings), settings.qdrant_prefix)


def writer_from_settings(settings: Settings, root: Path) -> IndexWriter:
    """Return a writer to the server that the settings name."""
    return server_writer(root, connect(settings), ServerOptions.of(settings), settings.keep_generations, settings.lock_timeout)


def _structs(batch: Batch, this: int) -> Iterator[Any]:
    """Yield a batch's points as the client wants them."""
    from qdrant_client import models

    rows = batch.dense.tolist() if batch.dense is not None else [None] * len(batch.ids)
    for chunk_id, row, sparse, payload in zip(batch.ids, rows, batch.sparse, batch.payloads, strict=True):
        vectors: dict[str, Any] = {leg: models.SparseVector(indices=v.indices.tolist(), values=v.values.tolist()) for leg, v in sparse.items()}
        if row is not None:
            vectors[DENSE] = row
        own = {CHUNK: chunk_id, FROM: this, UNTIL: OPEN}
        yield models.PointStruct(id=point_id(chunk_id, this), vector=vectors, payload={**payload, **own})


def _renewed(record: Any, payloads: Mapping[str, Mapping[str, Any]], this: int) -> Any:  # noqa: ANN401
    """Return the version of a kept point that this generation brings: the same vectors, its own times, perhaps another payload."""
    from qdrant_client import models

    chunk_id = record.payload[CHUNK]
    payload = payloads.get(chunk_id, record.payload)
    return models.PointStruct(id=point_id(chunk_id, this), vector=record.vector, payload={**payload, CHUNK: chunk_id, FROM: this, UNTIL: OPEN})


def _portions(points: Iterable[Any]) -> Iterator[list[Any]]:
    """Yield lists of points below the limits of one request."""
    held: list[Any] = []
    size = 0
    for point in points:
        weight = _weight(point)
        if held and (len(held) >= UPSERT_POINTS or size + weight > UPSERT_BYTES):
            yield held
            held, size = [], 0
        held.append(point)
        size += weight
    if held:
        yield held


def _weight(point: Any) -> int:  # noqa: ANN401
    """Return about how many bytes a point takes as JSON."""
    numbers = sum(2 * len(vector.indices) if hasattr(vector, "indices") else len(vector) for vector in point.vector.values())
    return len(json.dumps(point.payload)) + 12 * numbers + 100


def _range(field: str, **bounds: float) -> Any:  # noqa: ANN401
    from qdrant_client import models

    return models.Filter(must=[models.FieldCondition(key=field, range=models.Range(**bounds))])
