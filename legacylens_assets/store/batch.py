"""Points on their way to a builder: checked, in batches of plain arrays."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from legacylens_assets.encoders.protocol import SparseVector, Vector
from legacylens_assets.encoders.validate import check_sparse, unit_rows
from legacylens_assets.errors import EncoderError, IndexError_
from legacylens_assets.store.protocol import Point

BATCH_POINTS = 256


@dataclass(frozen=True, slots=True)
class Batch:
    """Some points: ``dense`` is float32 (n, dimension) or None; ``sparse`` has one mapping for each point."""

    ids: list[str]
    dense: Vector | None
    sparse: list[Mapping[str, SparseVector]]
    payloads: list[Mapping[str, Any]]


def batches(points: Iterable[Point], size: int = BATCH_POINTS) -> Iterator[Batch]:
    """Yield checked batches of ``points``.

    Raises EncoderError for vectors that are not finite, of unit length or of one dimension, and for sparse vectors out of order; IndexError_
    for an id given twice. Empty sparse vectors are left out: an index would store them and never find them.
    """
    seen: set[str] = set()
    held: list[Point] = []
    dimension: int | None = None
    for point in points:
        if point.chunk_id in seen:
            raise IndexError_(f"point {point.chunk_id} ({point.payload.get('path', '?')}) is given twice; chunk ids must be unique")
        seen.add(point.chunk_id)
        held.append(point)
        if len(held) == size:
            batch = _checked(held, dimension)
            dimension = None if batch.dense is None else batch.dense.shape[1]
            yield batch
            held = []
    if held:
        yield _checked(held, dimension)


def _checked(points: list[Point], dimension: int | None) -> Batch:
    rows = [point.dense for point in points if point.dense is not None]
    if rows and len(rows) != len(points):
        missing = next(point.chunk_id for point in points if point.dense is None)
        raise EncoderError(f"point {missing} has no dense vector while others have; encode all or none")
    dense = None
    if rows:
        width = dimension or rows[0].shape[0]
        bad = next((point.chunk_id for point in points if point.dense is not None and point.dense.shape != (width,)), None)
        if bad:
            raise EncoderError(f"point {bad}: dense vector is not of dimension {width} as the others are")
        dense = unit_rows(np.stack(rows), len(rows), width, "dense vectors to be stored")
    sparse = [
        {leg: check_sparse(vector, f"point {point.chunk_id}, leg {leg}") for leg, vector in point.sparse.items() if vector.indices.size}
        for point in points
    ]
    return Batch([point.chunk_id for point in points], dense, list(sparse), [dict(point.payload) for point in points])
