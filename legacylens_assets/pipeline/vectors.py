"""Vectors in Parquet: keyed by encoder fingerprint and by the hash of the very text that was encoded."""

from __future__ import annotations

import shutil
import uuid
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from legacylens_assets.encoders.protocol import SparseVector, Vector
from legacylens_assets.tables import read_table, write_table

if TYPE_CHECKING:
    import pyarrow as pa

FINGERPRINT = b"fingerprint"


def text_key(text: str) -> str:
    """Return the key of an encoded text."""
    import hashlib

    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=12).hexdigest()


def dense_table(keys: Sequence[str], vectors: Vector, fingerprint: str) -> pa.Table:
    """Return a table of keys and float32 (n, dimension) vectors, stamped with the encoder's fingerprint."""
    import pyarrow as pa

    flat = pa.array(np.ascontiguousarray(vectors, dtype=np.float32).ravel())
    column = pa.FixedSizeListArray.from_arrays(flat, vectors.shape[1])
    return pa.table({"key": pa.array(list(keys), pa.string()), "vector": column}).replace_schema_metadata({FINGERPRINT: fingerprint})


def sparse_table(keys: Sequence[str], vectors: Sequence[SparseVector], fingerprint: str) -> pa.Table:
    """Return a table of keys, indices and values, stamped with the encoder's fingerprint."""
    import pyarrow as pa

    offsets = np.cumsum([0, *(len(v.indices) for v in vectors)]).astype(np.int32)
    indices = np.concatenate([v.indices for v in vectors]) if vectors else np.zeros(0, np.uint32)
    values = np.concatenate([v.values for v in vectors]) if vectors else np.zeros(0, np.float32)
    columns = {
        "key": pa.array(list(keys), pa.string()),
        "indices": pa.ListArray.from_arrays(pa.array(offsets), pa.array(indices.astype(np.uint32))),
        "values": pa.ListArray.from_arrays(pa.array(offsets), pa.array(values.astype(np.float32))),
    }
    return pa.table(columns).replace_schema_metadata({FINGERPRINT: fingerprint})


def read_dense(path: Path, fingerprint: str) -> dict[str, Vector]:
    """Return key -> float32 (dimension,) of the vectors at ``path`` that this encoder made; {} when another made them."""
    table = _stamped(path, fingerprint)
    if table is None or not table.num_rows:
        return {}
    column = table.column("vector").combine_chunks()
    matrix = column.flatten().to_numpy(zero_copy_only=False).reshape(len(column), -1).astype(np.float32, copy=False)
    return dict(zip(table.column("key").to_pylist(), matrix, strict=True))


def read_sparse(path: Path, fingerprint: str) -> dict[str, SparseVector]:
    """Return key -> sparse vector of those at ``path`` that this encoder made; {} when another made them."""
    table = _stamped(path, fingerprint)
    if table is None or not table.num_rows:
        return {}
    table = table.combine_chunks()
    indices, values = table.column("indices").combine_chunks(), table.column("values").combine_chunks()
    offsets = indices.offsets.to_numpy()
    flat_indices = indices.values.to_numpy().astype(np.uint32, copy=False)
    flat_values = values.values.to_numpy().astype(np.float32, copy=False)
    keys = table.column("key").to_pylist()
    return {key: SparseVector(flat_indices[a:b], flat_values[a:b]) for key, a, b in zip(keys, offsets[:-1], offsets[1:], strict=True)}


def stored_fingerprint(path: Path) -> str:
    """Return the fingerprint that a vectors file is stamped with, "" when there is none."""
    import pyarrow.parquet as pq

    if not path.exists():
        return ""
    return ((pq.read_schema(path).metadata or {}).get(FINGERPRINT) or b"").decode()


def _stamped(path: Path, fingerprint: str) -> pa.Table | None:
    return read_table(path) if stored_fingerprint(path) == fingerprint else None


class PartFiles:
    """Vectors of a run in progress, written as small Parquet files so that a killed run resumes where it was."""

    def __init__(self, folder: Path, fingerprint: str) -> None:
        self.folder = folder
        self.fingerprint = fingerprint

    def add(self, table: pa.Table) -> None:
        """Write one part."""
        write_table(table, self.folder / f"{uuid.uuid4().hex}.parquet")

    def dense(self) -> dict[str, Vector]:
        """Return what earlier runs left, of this encoder only."""
        found: dict[str, Vector] = {}
        for path in sorted(self.folder.glob("*.parquet")):
            found.update(read_dense(path, self.fingerprint))
        return found

    def clear(self) -> None:
        """Remove the parts: their vectors are in the stage's table now."""
        shutil.rmtree(self.folder, ignore_errors=True)


def frequencies(vectors: Mapping[str, SparseVector], keys: Sequence[str]) -> pa.Table:
    """Return the document frequency of each index over the chunks whose vector keys are ``keys`` (one a chunk)."""
    import pyarrow as pa

    rows = [vectors[key].indices for key in keys if key in vectors]
    indices, counts = np.unique(np.concatenate(rows), return_counts=True) if rows else (np.zeros(0, np.uint32), np.zeros(0, np.int64))
    return pa.table({"index": pa.array(indices.astype(np.uint32)), "df": pa.array(counts.astype(np.int64))})
