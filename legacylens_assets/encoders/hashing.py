"""A tiny dense encoder for tests: signed hashes of words. It needs no model, and texts that share words are near each other."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from legacylens_assets.encoders.protocol import Vector
from legacylens_assets.encoders.validate import normalise
from legacylens_assets.identifiers import tokenize


@dataclass(frozen=True, slots=True)
class HashEncoder:
    """Feature hashing (Weinberger et al. 2009): each token adds +1 or -1 at a place given by its hash."""

    dimension: int = 64
    max_tokens: int = 256
    name: str = "hash"

    @property
    def fingerprint(self) -> str:
        """Return what the vectors depend on."""
        return f"hash:{self.dimension}:{self.max_tokens}"

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Return the number of words of each text."""
        return [len(text.split()) for text in texts]

    def encode_documents(self, texts: Sequence[str]) -> Vector:
        """Return float32 (len(texts), dimension); a text without words is the first axis."""
        rows = np.zeros((len(texts), self.dimension), dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            for token in tokenize(text)[: self.max_tokens]:
                value = zlib.crc32(token.encode("utf-8"))
                row[(value >> 1) % self.dimension] += 1.0 if value & 1 else -1.0
            if not row.any():
                row[0] = 1.0
        return normalise(rows, self.name) if len(texts) else rows

    def encode_query(self, text: str) -> Vector:
        """Return float32 (dimension,), of unit length."""
        row: Vector = self.encode_documents([text])[0]
        return row
