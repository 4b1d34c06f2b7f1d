"""What an encoder is. Three small protocols; one explicit table in ``encoders/__init__.py``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

Vector = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class SparseVector:
    """A sparse vector: unique uint32 ``indices`` in ascending order and finite float32 ``values`` of the same length, none of them zero."""

    indices: npt.NDArray[np.uint32]
    values: npt.NDArray[np.float32]


class DenseEncoder(Protocol):
    """Encodes texts as unit vectors."""

    name: str
    dimension: int
    max_tokens: int
    fingerprint: str

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

    name: str
    fingerprint: str

    def encode_documents(self, texts: Sequence[str]) -> list[SparseVector]:
        """Return one vector for each text; it may be empty (the store omits it)."""
        ...

    def encode_query(self, text: str) -> SparseVector:
        """Return the query's vector."""
        ...


class Reranker(Protocol):
    """Scores (question, text) pairs."""

    name: str
    fingerprint: str

    def scores(self, question: str, texts: Sequence[str]) -> list[float]:
        """Return one score for each text, higher is better; windows longer than the model are split and the maximum taken."""
        ...
