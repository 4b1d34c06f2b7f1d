"""Document frequencies of a sparse leg, and the inverse document frequency that weighs a question's tokens."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from legacylens_assets.encoders.protocol import SparseVector

if TYPE_CHECKING:
    import pyarrow as pa

DF_FILE = "df.parquet"


@dataclass(frozen=True, slots=True)
class IdfTable:
    """Frequencies over ``documents`` documents: ``indices`` (ascending uint32) and ``counts`` (int64) of one length."""

    documents: int
    indices: npt.NDArray[np.uint32]
    counts: npt.NDArray[np.int64]

    def df(self, indices: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
        """Return in how many documents each index occurs; 0 for one that occurs nowhere."""
        wanted = np.asarray(indices, dtype=np.uint32)
        if not self.indices.size:
            return np.zeros(wanted.shape, dtype=np.int64)
        places = np.minimum(np.searchsorted(self.indices, wanted), self.indices.size - 1)
        return np.where(self.indices[places] == wanted, self.counts[places], 0)

    def idf(self, indices: npt.NDArray[Any]) -> npt.NDArray[np.float32]:
        """Return ln(1 + (N - df + 0.5) / (df + 0.5)) for each index (Robertson and Zaragoza 2009, the form that never turns negative)."""
        df = np.minimum(self.df(indices), self.documents)
        return np.log1p((self.documents - df + 0.5) / (df + 0.5)).astype(np.float32)

    @classmethod
    def merge(cls, tables: Iterable[IdfTable]) -> IdfTable:
        """Return the sum of several tables: that of all their documents together.

        >>> one = IdfTable(2, np.array([3, 5], np.uint32), np.array([1, 2]))
        >>> IdfTable.merge([one, one]).counts.tolist()
        [2, 4]
        """
        found = list(tables)
        if not found:
            return cls(0, np.zeros(0, np.uint32), np.zeros(0, np.int64))
        if len(found) == 1:
            return found[0]
        indices, inverse = np.unique(np.concatenate([table.indices for table in found]), return_inverse=True)
        counts = np.zeros(indices.size, dtype=np.int64)
        np.add.at(counts, inverse, np.concatenate([table.counts for table in found]))
        return cls(sum(table.documents for table in found), indices, counts)

    @classmethod
    def of(cls, vectors: Sequence[SparseVector]) -> IdfTable:
        """Return the frequencies of the indices of ``vectors``; empty vectors count as documents."""
        joined = np.concatenate([vector.indices for vector in vectors]) if vectors else np.zeros(0, np.uint32)
        indices, counts = np.unique(joined, return_counts=True)
        return cls(len(vectors), indices.astype(np.uint32), counts.astype(np.int64))


def df_table(legs: dict[str, IdfTable]) -> pa.Table:
    """Return the frequencies of several legs as the table kept beside an index: leg, index, df; the number of documents is in its metadata."""
    import pyarrow as pa

    columns = {
        "leg": pa.array([leg for leg, table in sorted(legs.items()) for _ in range(table.indices.size)], type=pa.string()),
        "index": pa.array(np.concatenate([np.zeros(0, np.uint32), *(table.indices for _, table in sorted(legs.items()))]), type=pa.uint32()),
        "df": pa.array(np.concatenate([np.zeros(0, np.int64), *(table.counts for _, table in sorted(legs.items()))]), type=pa.int64()),
    }
    return pa.table(columns).replace_schema_metadata({f"documents.{leg}": str(table.documents) for leg, table in legs.items()})


def read_df(path: Path, leg: str) -> IdfTable:
    """Return the frequencies of one leg from the file that `df_table` made; an empty table when the leg is not in it."""
    import pyarrow.compute as pc
    import pyarrow.parquet as pq

    table = pq.read_table(path)
    documents = int((table.schema.metadata or {}).get(f"documents.{leg}".encode(), b"0"))
    rows = table.filter(pc.equal(table["leg"], leg)).sort_by("index")
    indices = np.asarray(rows["index"].to_numpy(), dtype=np.uint32)
    return IdfTable(documents, indices, np.asarray(rows["df"].to_numpy(), dtype=np.int64))
