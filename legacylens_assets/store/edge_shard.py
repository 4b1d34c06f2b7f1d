"""One embedded shard: the only module that speaks to qdrant-edge-py.

The library is beta and pinned. It holds the GIL in every call, takes any vector without a check, and with its write-ahead log off a killed
build reopens empty: builders run in their own process, check before and count after, and nothing is served that was not sealed.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from legacylens_assets.encoders.protocol import SparseVector
from legacylens_assets.errors import IndexError_
from legacylens_assets.store.batch import Batch
from legacylens_assets.store.protocol import DENSE, Filter, Leg, Scored

INDEXED_FIELDS = ("codebase", "language")
HNSW_POINTS = 100_000
"""Below this many points exact search is as fast as the graph and misses nothing."""
HNSW_M = 16
HNSW_FULL_SCAN_KB = 10_000
"""Kilobytes of vectors below which no graph is built, and a filtered search leaves it."""
RECALL_POINTS = 100
COPY_POINTS = 1000


class Shard:
    """An open shard. Close it; the files of a deleted generation stay readable until then."""

    def __init__(self, shard: Any, folder: Path, names: frozenset[str]) -> None:  # noqa: ANN401 - the library's type is loaded late
        self._shard = shard
        self.folder = folder
        self.names = names

    @classmethod
    def create(cls, folder: Path, dimension: int | None, legs: Sequence[str]) -> Shard:
        """Make an empty shard with payload indexes, no write-ahead log, no graph, and sparse vectors without IDF (questions carry it)."""
        edge = _edge()
        folder.mkdir(parents=True)
        made = edge.EdgeShard.create(str(folder), _config(dimension, legs, m=0))
        for name in INDEXED_FIELDS:
            made.update(edge.UpdateOperation.create_field_index(name, edge.PayloadSchemaType.Keyword))
        return cls(made, folder, frozenset({*legs, *((DENSE,) if dimension else ())}))

    @classmethod
    def open(cls, folder: Path) -> Shard:
        """Open a sealed shard; raises IndexError_ when it cannot be read or its configuration is not ours."""
        edge = _edge()
        config = check_config(folder)
        names = frozenset({*(config.get("vectors") or ()), *(config.get("sparse_vectors") or ())})
        try:
            return cls(edge.EdgeShard.load(str(folder)), folder, names)
        except Exception as error:  # the library raises its own errors without a public base class
            raise IndexError_(f"{folder}: the shard cannot be opened: {str(error)[:300]}; run `legacylens reindex`") from error

    def upsert(self, batch: Batch) -> None:
        """Add points."""
        edge = _edge()
        points = []
        rows = batch.dense.tolist() if batch.dense is not None else [None] * len(batch.ids)
        for chunk_id, row, sparse, payload in zip(batch.ids, rows, batch.sparse, batch.payloads, strict=True):
            vectors = {leg: edge.SparseVector(vector.indices.tolist(), vector.values.tolist()) for leg, vector in sparse.items()}
            points.append(edge.Point(chunk_id, vectors if row is None else {DENSE: row, **vectors}, payload))
        self._shard.update(edge.UpdateOperation.upsert_points(points))

    def copy_into(self, other: Shard, ids: Sequence[str], payloads: Mapping[str, Mapping[str, Any]]) -> None:
        """Copy points with their vectors; those that ``payloads`` names get that payload. Raises IndexError_ when an id is not here."""
        edge = _edge()
        for start in range(0, len(ids), COPY_POINTS):
            wanted = ids[start : start + COPY_POINTS]
            records = {str(r.id): r for r in self._shard.retrieve(list(wanted), with_payload=True, with_vector=True)}
            missing = [chunk_id for chunk_id in wanted if chunk_id not in records]
            if missing:
                raise IndexError_(
                    f"{len(missing)} points to keep are not in the current generation, first {missing[0]}: it changed meanwhile; publish again"
                )
            points = [edge.Point(i, records[i].vector, dict(payloads[i]) if i in payloads else records[i].payload) for i in wanted]
            other._shard.update(edge.UpdateOperation.upsert_points(points))

    def seal(self) -> None:
        """Write everything, merge segments and close."""
        self._shard.flush()
        self._shard.optimize()
        self._shard.flush()
        self._shard.close()

    def build_graph(self, m: int = HNSW_M) -> None:
        """Build the HNSW graph of a large shard (none when ``m`` is 0: exact search), write it and close."""
        found = check_config(self.folder)
        dense = (found.get("vectors") or {}).get(DENSE)
        self._shard.close()
        config = _config(dense["size"] if dense else None, sorted(found.get("sparse_vectors") or {}), m)
        self._shard = _edge().EdgeShard.load(str(self.folder), config)
        self.seal()

    def recall(self) -> float:
        """Return the share of the exact ten nearest that a search gives, over some of the shard's own vectors; 1 without dense vectors."""
        if DENSE not in self.names:
            return 1.0
        edge = _edge()
        records, _ = self._shard.scroll(edge.ScrollRequest(limit=RECALL_POINTS, with_payload=False, with_vector=True))
        found = total = 0
        for record in records:
            query = edge.Query.Nearest(record.vector[DENSE], using=DENSE)
            near = self._shard.query(edge.QueryRequest(limit=10, query=query))
            exact = self._shard.query(edge.QueryRequest(limit=10, query=query, params=edge.SearchParams(exact=True)))
            # by score, not by id: copies of one text are as near as each other
            found += sum(point.score >= exact[-1].score - 1e-6 for point in near)
            total += len(exact)
        return found / total if total else 1.0

    def count(self) -> int:
        """Return the exact number of points."""
        edge = _edge()
        return int(self._shard.count(edge.CountRequest(exact=True)))

    def leg(self, leg: Leg, where: Filter) -> list[Scored]:
        """Return the candidates of one leg, as the shard orders them; none when it has no such vectors (an empty codebase)."""
        if leg.name not in self.names:
            return []
        edge = _edge()
        request = edge.QueryRequest(limit=leg.limit, query=_nearest(leg), filter=_filter(where), with_payload=True)
        return [_scored(point) for point in self._shard.query(request)]

    def hybrid(self, legs: Sequence[Leg], where: Filter, k: int) -> list[Scored]:
        """Return the native fusion of the legs, all candidates, in no particular order among equals."""
        edge = _edge()
        legs = [leg for leg in legs if leg.name in self.names]
        if not legs:
            return []
        condition = _filter(where)
        prefetches = [edge.Prefetch(query=_nearest(leg), limit=leg.limit, filter=condition) for leg in legs]
        fusion = edge.Fusion.Rrf(k=k, weights=[float(leg.weight) for leg in legs])
        request = edge.QueryRequest(limit=sum(leg.limit for leg in legs), prefetches=prefetches, query=fusion, with_payload=True)
        return [_scored(point) for point in self._shard.query(request)]

    def retrieve(self, ids: Sequence[str]) -> list[Scored]:
        """Return stored points in the order asked; those that are not here are left out."""
        records = {str(r.id): r for r in self._shard.retrieve([i for i in ids if _is_id(i)], with_payload=True, with_vector=False)}
        return [Scored(i, 0.0, records[i].payload or {}) for i in ids if i in records]

    def ids(self) -> Iterator[str]:
        """Yield the id of every point."""
        edge = _edge()
        offset = None
        while True:
            records, offset = self._shard.scroll(edge.ScrollRequest(offset=offset, limit=1000, with_payload=False, with_vector=False))
            yield from (str(record.id) for record in records)
            if offset is None:
                return

    def close(self) -> None:
        """Release the shard."""
        self._shard.close()


def check_config(folder: Path) -> dict[str, Any]:
    """Return the shard's configuration; raises IndexError_ unless it is what we make: a sparse modifier would silently change every rank."""
    path = folder / "edge_config.json"
    try:
        found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise IndexError_(f"{path}: cannot be read ({error}); run `legacylens reindex`") from error
    for leg, params in (found.get("sparse_vectors") or {}).items():
        if params.get("modifier") not in (None, "none"):
            raise IndexError_(f"{folder}: sparse vector {leg} has modifier {params['modifier']!r}, expected none; run `legacylens reindex`")
    dense = (found.get("vectors") or {}).get(DENSE)
    if dense is not None and dense.get("distance") != "Dot":
        raise IndexError_(f"{folder}: dense vectors use distance {dense.get('distance')!r}, expected 'Dot'; run `legacylens reindex`")
    if found.get("wal_enabled") is not False:
        raise IndexError_(f"{folder}: the write-ahead log is on, expected off: only one process could read it; run `legacylens reindex`")
    return found


def _edge() -> Any:  # noqa: ANN401 - its stubs do not fit its own examples
    import qdrant_edge

    return qdrant_edge


def _config(dimension: int | None, legs: Sequence[str], m: int) -> Any:  # noqa: ANN401
    edge = _edge()
    return edge.EdgeConfig(
        vectors={DENSE: edge.EdgeVectorParams(size=dimension, distance=edge.Distance.Dot)} if dimension else {},
        sparse_vectors={leg: edge.EdgeSparseVectorParams() for leg in legs},
        hnsw_config=edge.HnswIndexConfig(m=m, ef_construct=128, full_scan_threshold=HNSW_FULL_SCAN_KB),
        optimizers=edge.EdgeOptimizersConfig(indexing_threshold=HNSW_FULL_SCAN_KB) if m else None,
        wal_enabled=False,
    )


def _nearest(leg: Leg) -> Any:  # noqa: ANN401
    edge = _edge()
    if isinstance(leg.vector, SparseVector):
        return edge.Query.Nearest(edge.SparseVector(leg.vector.indices.tolist(), leg.vector.values.tolist()), using=leg.name)
    return edge.Query.Nearest(leg.vector.tolist(), using=leg.name)


def _filter(where: Filter) -> Any:  # noqa: ANN401
    edge = _edge()

    def any_of(field: str, names: Iterable[str]) -> Any:  # noqa: ANN401
        return edge.FieldCondition(key=field, match=edge.MatchAny(any=sorted(names)))

    must = [any_of(f, names) for f, names in (("codebase", where.codebases), ("language", where.languages)) if names]
    must_not = [any_of(f, names) for f, names in (("codebase", where.not_codebases), ("language", where.not_languages)) if names]
    return edge.Filter(must=must or None, must_not=must_not or None) if must or must_not else None


def _scored(point: Any) -> Scored:  # noqa: ANN401
    return Scored(str(point.id), float(point.score), point.payload or {})


def _is_id(text: str) -> bool:
    try:
        uuid.UUID(text)
    except ValueError:
        return False
    return True
