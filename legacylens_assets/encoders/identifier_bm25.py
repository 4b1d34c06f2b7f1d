"""The sparse leg ``identifiers``: BM25 over the tokens of `legacylens_assets.identifiers`.

A document's weight holds term frequency and length, a question's weight holds IDF, so that the dot product is BM25 (Robertson and Zaragoza
2009, section 3) and the IDF table can be that of the whole snapshot. The average length is fixed: documents of different shards then
compare, and one changed file changes only its own vectors.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from legacylens_assets.encoders.idf import IdfTable
from legacylens_assets.encoders.protocol import SparseVector
from legacylens_assets.encoders.validate import sparse_vector
from legacylens_assets.errors import EncoderError
from legacylens_assets.identifiers import TOKENIZER_VERSION, abbreviations, count_ids, token_id
from legacylens_assets.workspace import digest

LEG = "identifiers"
K1, B = 1.2, 0.75
AVERAGE_LENGTH = 200.0
"""Tokens of a typical chunk with its header (172 for the code alone over the six codebases)."""


@dataclass(frozen=True, slots=True)
class IdentifierEncoder:
    """Document weight tf (k1 + 1) / (tf + k1 (1 - b + b length / average)); question weight idf times how much the word matters."""

    k1: float = K1
    b: float = B
    average: float = AVERAGE_LENGTH
    name: str = LEG

    @property
    def fingerprint(self) -> str:
        """Return what document vectors depend on: tokenizer, abbreviations, parameters."""
        table = digest(*(f"{term}={' '.join(words)}" for term, words in sorted(abbreviations().items())))
        return f"identifiers:{TOKENIZER_VERSION}:{table[:12]}:{self.k1:g}:{self.b:g}:{self.average:g}"

    def encode_documents(self, texts: Sequence[str]) -> list[SparseVector]:
        """Return one vector for each text; empty when it has no token."""
        return [self._document(text) for text in texts]

    def encode_query(self, text: str, idf: IdfTable | None = None, extra: Mapping[str, float] | None = None) -> SparseVector:
        """Return the question's vector.

        ``extra`` maps further tokens (as `tokenize` gives them) to weights, 1 being that of a word of the question; the larger weight stands.
        With ``idf``, tokens that no document holds are left out; without it every token weighs the same.
        """
        weights = dict.fromkeys(count_ids(text), 1.0)
        for token, weight in (extra or {}).items():
            if weight < 0:
                raise EncoderError(f"expansion {token!r} has weight {weight}, expected 0 or more")
            index = token_id(token)
            weights[index] = max(weights.get(index, 0.0), weight)
        indices = np.fromiter(weights, dtype=np.uint32, count=len(weights))
        values = np.fromiter(weights.values(), dtype=np.float32, count=len(weights))
        if idf is not None:
            values = values * idf.idf(indices) * (idf.df(indices) > 0)
        return sparse_vector(indices, values, self.name)

    def _document(self, text: str) -> SparseVector:
        counts = count_ids(text)
        indices = np.fromiter(counts, dtype=np.uint32, count=len(counts))
        tf = np.fromiter(counts.values(), dtype=np.float32, count=len(counts))
        scale = self.k1 * (1 - self.b + self.b * float(tf.sum()) / self.average)
        return sparse_vector(indices, tf * (self.k1 + 1) / (tf + scale), self.name)
