"""The names an index knows, under the keys by which people misspell them.

Keys go from strict to loose: the name as written without case; its letters and digits only (hyphen, underscore, dots gone); the same without a
numeric paragraph prefix; and for typing errors a weighted edit distance over the few names whose letter counts are close.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

import numpy as np
import numpy.typing as npt

PRIMARY_KINDS = frozenset(
    "program section paragraph subroutine function module submodule procedure block_data job proc step package entry file copybook"
    " heading map mapset command label table struct type interface".split()
)
"""Kinds that people ask for by name; the rest (data items, declarations, macros, DDs) are looked up when nothing of these fits."""

_CONTAINERS = ("program", "function", "subroutine", "procedure", "package", "module", "submodule", "job", "proc", "map", "mapset", "copybook", "file")
_NOT_KEY = re.compile(r"[^A-Z0-9$#@]")
_NUMBERED = re.compile(r"^(?:[A-Z]{0,2}\d{2,5}[A-Z]?)[-_]+(?=[A-Z])")
_ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789$#@"
_PLACES: npt.NDArray[np.intp] = np.array([max(_ALPHABET.find(chr(code)), 0) for code in range(128)], dtype=np.intp)
LONGEST_KEY = 120


@dataclass(frozen=True, slots=True)
class SymbolRow:
    """One row of the symbol table."""

    path: str
    name: str
    kind: str
    start_line: int
    end_line: int
    unit: bool = True


@dataclass(frozen=True, slots=True)
class Definition:
    """A place that defines a name, in one codebase."""

    codebase: str
    symbol: SymbolRow

    @property
    def primary(self) -> bool:
        """Return whether the symbol is of a kind that people ask for by name."""
        return self.symbol.kind in PRIMARY_KINDS


def key_of(name: str) -> str:
    """Return the letters and digits of a name.

    >>> key_of("post-Trans_x"), key_of("dgesv_")
    ('POSTTRANSX', 'DGESV')
    """
    return _NOT_KEY.sub("", name.upper())


def unnumbered(name: str) -> str:
    """Return a paragraph's name without its numeric prefix, "" when it has none.

    >>> unnumbered("1000-POST-TRANS"), unnumbered("A100-INIT"), unnumbered("POST")
    ('POST-TRANS', 'INIT', '')
    """
    found = _NUMBERED.match(name.upper())
    return name.upper()[found.end() :] if found else ""


class NameIndex:
    """Symbols of one codebase by name. Built once for each generation; lookups allocate little."""

    def __init__(self, symbols: Iterable[SymbolRow], paths: Iterable[str], codebase: str) -> None:
        self.codebase = codebase
        self._rows: list[SymbolRow] = [row for row in symbols if row.name]
        self._rows += [SymbolRow(path, PurePosixPath(path).stem, "file", 1, 1) for path in paths]
        self._exact: dict[str, list[int]] = {}
        self._keys: dict[str, list[int]] = {}
        self._bare: dict[str, list[int]] = {}
        self._paths: dict[str, list[int]] = {}
        for number, row in enumerate(self._rows):
            self._exact.setdefault(row.name.upper(), []).append(number)
            self._keys.setdefault(key_of(row.name), []).append(number)
            bare = unnumbered(row.name) if row.unit and row.kind in ("paragraph", "section") else ""
            if bare:
                self._bare.setdefault(key_of(bare), []).append(number)
            if row.kind == "file":
                self._paths.setdefault(PurePosixPath(row.path).name.upper(), []).append(number)
        self._counts: npt.NDArray[np.int8] | None = None
        self._names: list[str] = []

    def __len__(self) -> int:
        return len(self._exact)

    def exact(self, name: str) -> list[Definition]:
        """Return the definitions of ``name``, case aside."""
        return self._definitions(self._exact.get(name.upper(), ()))

    def by_key(self, name: str) -> list[Definition]:
        """Return the definitions whose letters and digits are those of ``name``."""
        key = key_of(name)
        return self._definitions(self._keys.get(key, ())) if len(key) >= 2 else []

    def by_file(self, name: str) -> list[Definition]:
        """Return the files called ``name``: a base name with its extension, or a path's end."""
        base = PurePosixPath(name).name.upper()
        found = self._definitions(self._paths.get(base, ()))
        return [item for item in found if item.symbol.path.upper().endswith(name.upper().lstrip("./"))] or found

    def by_bare(self, name: str) -> list[Definition]:
        """Return the numbered paragraphs that are called ``name`` but for the number (``name`` may carry another number)."""
        return self._definitions(self._bare.get(key_of(unnumbered(name) or name), ()))

    def close(self, name: str, limit: int = 5) -> list[tuple[float, str]]:
        """Return up to ``limit`` (cost, name) of the nearest spellings, cheapest first; costs above the tolerance are left out."""
        key = key_of(name)
        if len(key) < 4:
            return []
        counts = self._letter_counts()
        if not len(counts):
            return []
        allowed = 2 if len(key) >= 6 else 1
        distance = np.abs(counts - letters(key)).sum(axis=1)
        found = []
        for number in np.flatnonzero(distance <= 2 * allowed).tolist():
            cost = edit_cost(key, key_of(self._names[number]), float(allowed))
            if cost <= allowed:
                found.append((round(cost, 2), self._names[number]))
        return sorted(found)[:limit]

    def nearest(self, name: str, limit: int = 5) -> list[str]:
        """Return the names most like ``name``, for a person to choose from; looser than `close`."""
        import difflib

        near = [found for _, found in self.close(name, limit)]
        if len(near) >= limit or not self._exact:
            return near
        key = key_of(name)
        distance = np.abs(self._letter_counts() - letters(key)).sum(axis=1)
        pool = [self._names[number] for number in np.argsort(distance, kind="stable")[:400].tolist()]
        ratio = {other: difflib.SequenceMatcher(None, key, key_of(other)).ratio() for other in pool}
        near += [other for other in sorted(pool, key=lambda other: (-ratio[other], other)) if ratio[other] >= 0.6 and other not in near]
        return near[:limit]

    def _letter_counts(self) -> npt.NDArray[np.int8]:
        if self._counts is None:
            names = sorted(self._exact)
            keys = [key_of(name)[:LONGEST_KEY] for name in names]
            letter = np.frombuffer("".join(keys).encode("ascii"), dtype=np.uint8)
            row = np.repeat(np.arange(len(keys)), [len(key) for key in keys])
            table = np.zeros((len(keys), len(_ALPHABET)), dtype=np.int8)
            np.add.at(table, (row, _PLACES[letter]), 1)
            self._names, self._counts = names, table
        return self._counts

    def _definitions(self, rows: Sequence[int]) -> list[Definition]:
        found = [self._rows[number] for number in rows]
        found.sort(key=_importance)
        return [Definition(self.codebase, row) for row in found]


def letters(key: str) -> npt.NDArray[np.int8]:
    """Return how often each letter and digit occurs in a key: int8 (39,)."""
    counts = np.zeros(len(_ALPHABET), dtype=np.int8)
    np.add.at(counts, _PLACES[np.frombuffer(key[:LONGEST_KEY].encode("ascii"), dtype=np.uint8)], 1)
    return counts


def edit_cost(wrong: str, right: str, limit: float) -> float:
    """Return what it costs to turn ``wrong`` into ``right`` by the slips of a typist; above ``limit`` any larger number.

    Swapped neighbours and doubled letters cost .7, a missing or extra letter .9 (digit 1.1), another letter 1, another digit 3: CB02 is not CB01.

    >>> edit_cost("DGSEV", "DGESV", 2), edit_cost("DGESVV", "DGESV", 2), edit_cost("CB02", "CB01", 2) > 2
    (0.7, 0.7, True)
    """
    if abs(len(wrong) - len(right)) > limit / 0.7:
        return limit + 1
    rows = [[1.1 * j for j in range(len(right) + 1)]]
    for i, char in enumerate(wrong, start=1):
        row = [1.1 * i]
        for j, other in enumerate(right, start=1):
            swap = 0.0 if char == other else 3.0 if char.isdigit() or other.isdigit() else 1.0
            extra = 1.1 if char.isdigit() else 0.7 if i > 1 and wrong[i - 2] == char else 0.9
            missing = 1.1 if other.isdigit() else 0.7 if j > 1 and right[j - 2] == other else 0.9
            best = min(rows[-1][j - 1] + swap, rows[-1][j] + extra, row[j - 1] + missing)
            if i > 1 and j > 1 and char == right[j - 2] and other == wrong[i - 2] and char != other:
                best = min(best, rows[-2][j - 2] + 0.7)
            row.append(best)
        rows.append(row)
    return round(rows[-1][-1], 2)


def _importance(row: SymbolRow) -> tuple[int, int, str, int]:
    """Order definitions: containers, then other primary units, then data and the rest; by path and line."""
    order = (
        0
        if row.kind in _CONTAINERS and row.kind != "file"
        else 1
        if row.kind in PRIMARY_KINDS and row.kind != "file"
        else 2
        if row.kind == "file"
        else 3
    )
    return order, 0 if row.unit else 1, row.path, row.start_line
