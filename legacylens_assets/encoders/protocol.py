"""What an encoder is. Three small protocols; one explicit table in ``encoders/__init__.py``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from legacylens_assets.encoders.idf import IdfTable

Vector = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class SparseVector:
    """A sparse vector: unique uint32 ``indices`` in ascending order and finite float32 ``values`` of the same length, none of them zero."""

    indices: npt.NDArray[np.uint32]
    values: npt.NDArray[np.float32]


class DenseEncoder(Protocol):
    """Encodes texts as unit vectors."""

    @property
    def name(self) -> str:
        """Return the short name that settings and reports use."""
        ...

    @property
    def dimension(self) -> int:
        """Return the length of a vector."""
        ...

    @property
    def max_tokens(self) -> int:
        """Return the window: the model sees no more tokens of a text."""
        ...

    @property
    def fingerprint(self) -> str:
        """Return what its vectors depend on: an index built under another fingerprint cannot be asked."""
        ...

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Return the number of model tokens of each text, before truncation."""
        ...

    def encode_documents(self, texts: Sequence[str]) -> Vector:
        """Return float32 (len(texts), dimension), each row of unit length."""
        ...

    def encode_query(self, text: str) -> Vector:
        """Return float32 (dimension,), of unit length."""
        ...


class SparseEncoder(Protocol):
    """Encodes texts as sparse vectors for one named leg."""

    @property
    def name(self) -> str:
        """Return the leg's name: that of the vector in the index."""
        ...

    @property
    def fingerprint(self) -> str:
        """Return what its vectors depend on: an index built under another fingerprint cannot be asked."""
        ...

    def encode_documents(self, texts: Sequence[str]) -> list[SparseVector]:
        """Return one vector for each text; it may be empty (the store omits it)."""
        ...

    def encode_query(self, text: str, idf: IdfTable | None = None, extra: Mapping[str, float] | None = None) -> SparseVector:
        """Return the query's vector. A leg whose weights need no IDF and no further tokens (``extra``: token -> weight) ignores them."""
        ...


class Reranker(Protocol):
    """Scores (question, text) pairs."""

    @property
    def name(self) -> str:
        """Return the short name that settings and reports use."""
        ...

    @property
    def fingerprint(self) -> str:
        """Return what its scores depend on."""
        ...

    def scores(self, question: str, texts: Sequence[str]) -> list[float]:
        """Return one score for each text, higher is better; windows longer than the model are split and the maximum taken."""
        ...
