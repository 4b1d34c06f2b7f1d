"""One generation on a server: what it sees of its codebase's collection.

A point is in every generation whose number n has ``_from`` <= n < ``_until``. A publish therefore writes only what changed, an old
generation is served unharmed until the pointer is switched, and a killed publish is undone by its number.
"""

from __future__ import annotations

import hashlib
import json
import uuid
from collections.abc import Mapping, Sequence
from typing import Any

from legacylens_assets.encoders.protocol import SparseVector
from legacylens_assets.errors import IndexError_
from legacylens_assets.store.protocol import DENSE, Filter, GenerationInfo, Leg, Scored
from legacylens_assets.store.server_client import Server

FROM, UNTIL, CHUNK = "_from", "_until", "_chunk_id"
OPEN = 2_000_000_000
"""``_until`` of a point that no later generation left out."""
SCHEMA = 1
_NAMESPACE = uuid.UUID("6c6567a0-0000-5000-8000-5e52e5000001")


def collection_name(prefix: str, codebase: str, fingerprints: Mapping[str, str]) -> str:
    """Return the collection of a codebase, the schema and these encoders: another encoder has another collection."""
    stamp = json.dumps([SCHEMA, sorted(fingerprints.items())])
    return f"{prefix}_{codebase}_{hashlib.sha256(stamp.encode()).hexdigest()[:10]}"


def number(generation: str) -> int:
    """Return the place of a generation among its codebase's: g000012-… is 12."""
    return int(generation[1:7])


def point_id(chunk_id: str, first: int) -> str:
    """Return the id of the version of a chunk that generation ``first`` brought."""
    return str(uuid.uuid5(_NAMESPACE, f"{chunk_id}:{first}"))


class Collection:
    """The points that one generation sees."""

    def __init__(self, server: Server, name: str, generation: int) -> None:
        self.server = server
        self.name = name
        self.generation = generation
        self.names = check_collection(server, name)

    @classmethod
    def of(cls, server: Server, prefix: str, info: GenerationInfo) -> Collection:
        """Return the collection of a published generation; raises Missing when it is not there, IndexError_ when its configuration is not ours."""
        return cls(server, collection_name(prefix, info.codebase, info.fingerprints), number(info.generation))

    def leg(self, leg: Leg, where: Filter) -> list[Scored]:
        """Return the candidates of one leg."""
        if leg.name not in self.names:
            return []
        query, condition = vector_of(leg), self._filter(where)
        found = self.server.call(
            "search",
            "query_points",
            self.name,
            query=query,
            using=leg.name,
            limit=leg.limit,
            query_filter=condition,
            with_payload=True,
        )
        return [scored(point) for point in found.points]

    def hybrid(self, legs: Sequence[Leg], where: Filter, k: int) -> list[Scored]:
        """Return all candidates of the legs, fused by the server."""
        from qdrant_client import models

        legs = [leg for leg in legs if leg.name in self.names]
        if not legs:
            return []
        condition = self._filter(where)
        prefetch = [models.Prefetch(query=vector_of(leg), using=leg.name, limit=leg.limit, filter=condition) for leg in legs]
        fusion = models.RrfQuery(rrf=models.Rrf(k=k, weights=[float(leg.weight) for leg in legs]))
        limit = sum(leg.limit for leg in legs)
        found = self.server.call("search", "query_points", self.name, prefetch=prefetch, query=fusion, limit=limit, with_payload=True)
        return [scored(point) for point in found.points]

    def retrieve(self, ids: Sequence[str]) -> list[Scored]:
        """Return stored points in the order asked; those that this generation does not see are left out."""
        found = {item.chunk_id: item for item in (scored(point) for point in self.records(ids, with_vectors=False))}
        return [found[chunk_id] for chunk_id in ids if chunk_id in found]

    def records(self, ids: Sequence[str], with_vectors: bool) -> list[Any]:
        """Return the server's records of these chunks as this generation sees them."""
        from qdrant_client import models

        condition = self.visible()
        condition.must = [*condition.must, models.FieldCondition(key=CHUNK, match=models.MatchAny(any=list(ids)))]  # type: ignore[misc]
        records: list[Any] = []
        offset = None
        while ids:
            page, offset = self.server.call(
                "read points",
                "scroll",
                self.name,
                scroll_filter=condition,
                limit=256,
                offset=offset,
                with_payload=True,
                with_vectors=with_vectors,
            )
            records.extend(page)
            if offset is None:
                break
        return records

    def count(self) -> int:
        """Return the exact number of points that this generation sees."""
        condition = self.visible()
        return int(self.server.call("count", "count", self.name, count_filter=condition, exact=True).count)

    def visible(self) -> Any:  # noqa: ANN401 - qdrant_client is imported late
        """Return the condition that a point is in this generation."""
        from qdrant_client import models

        return models.Filter(
            must=[
                models.FieldCondition(key=FROM, range=models.Range(lte=self.generation)),
                models.FieldCondition(key=UNTIL, range=models.Range(gt=self.generation)),
            ]
        )

    def close(self) -> None:
        """Do nothing: the connection is the reader's."""

    def _filter(self, where: Filter) -> Any:  # noqa: ANN401
        from qdrant_client import models

        def any_of(field: str, names: Sequence[str]) -> Any:  # noqa: ANN401
            return models.FieldCondition(key=field, match=models.MatchAny(any=sorted(names)))

        condition = self.visible()
        must = [any_of(f, names) for f, names in (("codebase", where.codebases), ("language", where.languages)) if names]
        must_not = [any_of(f, names) for f, names in (("codebase", where.not_codebases), ("language", where.not_languages)) if names]
        return models.Filter(must=[*condition.must, *must], must_not=must_not or None)


def check_collection(server: Server, name: str) -> frozenset[str]:
    """Return the names of a collection's vectors; raises IndexError_ unless it is as we make it: a sparse modifier would change every rank."""
    params = server.call(f"open collection {name}", "get_collection", name).config.params
    dense = (params.vectors or {}).get(DENSE) if isinstance(params.vectors, dict) else None
    if dense is not None and str(getattr(dense.distance, "value", dense.distance)) != "Dot":
        raise IndexError_(f"collection {name}: dense vectors use distance {dense.distance}, expected Dot; delete it and run `legacylens reindex`")
    for leg, sparse in (params.sparse_vectors or {}).items():
        if sparse.modifier not in (None, "none") and getattr(sparse.modifier, "value", None) != "none":
            raise IndexError_(
                f"collection {name}: sparse vector {leg} has modifier {sparse.modifier}, expected none; delete it and run `legacylens reindex`"
            )
    return frozenset({*((DENSE,) if dense is not None else ()), *(params.sparse_vectors or {})})


def vector_of(leg: Leg) -> Any:  # noqa: ANN401
    """Return a leg's question as the client wants it."""
    from qdrant_client import models

    if isinstance(leg.vector, SparseVector):
        return models.SparseVector(indices=leg.vector.indices.tolist(), values=leg.vector.values.tolist())
    return leg.vector.tolist()


def scored(point: Any) -> Scored:  # noqa: ANN401
    """Return a server's point or record, its own fields taken out."""
    payload = {key: value for key, value in (point.payload or {}).items() if key not in (FROM, UNTIL, CHUNK)}
    return Scored(str(point.payload[CHUNK]), float(getattr(point, "score", 0.0) or 0.0), payload)
