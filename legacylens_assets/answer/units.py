"""The units of the right file: when retrieval found a file by one of its units, the question's words say which other unit to read."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from legacylens_assets.answer.prose import code_of
from legacylens_assets.identifiers import tokenize
from legacylens_assets.retrieval.catalog import Catalog, ChunkRow, IndexedFile
from legacylens_assets.types import Hit

MOST_FILES = 5
"""Files, in order of their first hit, whose other units are considered."""

MOST_FILE_LINES = 6000
"""Lines of a file beyond which its other units are not looked through."""

K1, B = 1.2, 0.6
"""Saturation and length normalisation of BM25 (Robertson and Zaragoza 2009, section 3)."""


@dataclass(frozen=True, slots=True)
class Unit:
    """A chunk of a file in which something was found, with how well it fits the question; ``hit`` is the one that led to the file."""

    chunk: ChunkRow
    file: IndexedFile
    hit: Hit
    score: float


def units_of_files(hits: Sequence[Hit], catalog: Catalog, terms: Mapping[str, float]) -> list[Unit]:
    """Return the units of the hits' files that hold words of the question, best first; the hits' own units are among them.

    Scores are BM25 over the units at hand with the terms' weights, 1 for the best one.
    """
    pool: list[tuple[ChunkRow, IndexedFile, Hit, Counter[str], int]] = []
    seen: set[str] = set()
    for hit in hits:
        if hit.file_id in seen or len(seen) == MOST_FILES:
            continue
        seen.add(hit.file_id)
        generation = catalog.generation(hit.codebase)
        file = generation.file_at(hit.path)
        if file is None or len(file.lines) > MOST_FILE_LINES:
            continue
        for row in generation.chunks_of(hit.path):
            tokens = Counter(tokenize("\n".join(code_of(line, file.language) for line in file.lines[row.start_line - 1 : row.end_line])))
            pool.append((row, file, hit, Counter({token: tokens[token] for token in terms if token in tokens}), sum(tokens.values())))
    if not pool:
        return []
    mean = sum(size for *_, size in pool) / len(pool) or 1.0
    held = Counter(token for *_, found, _ in pool for token in found)
    rarity = {token: math.log(1 + (len(pool) - count + 0.5) / (count + 0.5)) for token, count in held.items()}
    scored = [
        (row, file, hit, sum(terms[t] * rarity[t] * n * (K1 + 1) / (n + K1 * (1 - B + B * size / mean)) for t, n in found.items()))
        for row, file, hit, found, size in pool
    ]
    top = max(score for *_, score in scored) or 1.0
    units = [Unit(row, file, hit, round(score / top, 4)) for row, file, hit, score in scored if score > 0]
    return sorted(units, key=lambda unit: (-unit.score, unit.file.path, unit.chunk.start_line, unit.chunk.chunk_id))
