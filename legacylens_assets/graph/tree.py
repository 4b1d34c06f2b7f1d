"""What the resolvers ask of a codebase: its files, its symbols by name, who holds whom, what copies what."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pyarrow as pa

CALLABLE = frozenset({"program", "subroutine", "function", "procedure", "job", "proc"})
"""Kinds that are called or run; what lies inside belongs to the innermost of them."""
ENTERED = (CALLABLE | {"entry"}) - {"job", "proc"}
"""Kinds that a CALL or a function reference can reach."""
MOST_CLOSURE = 400
MAINFRAME = frozenset({"cobol", "jcl", "pli", "rpg"})


@dataclass(slots=True)
class Sym:
    """A symbol with its place in its file's list. ``detail`` is parsed when asked for."""

    path: str
    index: int
    name: str
    key: str
    kind: str
    start: int
    end: int
    parent: int | None
    raw: str

    @property
    def detail(self) -> dict[str, str]:
        """Return the parser's detail."""
        return json.loads(self.raw) if self.raw else {}


@dataclass(slots=True)
class Ref:
    """A reference of one file, not yet resolved."""

    path: str
    kind: str
    target: str
    line: int
    source: int | None
    detail: dict[str, str]


@dataclass(slots=True)
class Found:
    """Where a name leads: the symbols that fit best, and whether there was a choice."""

    best: Sym | None = None
    others: int = 0

    @property
    def certainty(self) -> str:
        """Return exact for the only one, inferred for the nearest of several."""
        return "unresolved" if self.best is None else "inferred" if self.others else "exact"


@dataclass(slots=True)
class Tree:
    """The files and symbols of one codebase."""

    languages: dict[str, str] = field(default_factory=dict)
    dialects: dict[str, str] = field(default_factory=dict)
    lengths: dict[str, int] = field(default_factory=dict)
    symbols: dict[str, list[Sym]] = field(default_factory=dict)
    names: dict[str, list[Sym]] = field(default_factory=dict)
    stems: dict[str, list[str]] = field(default_factory=dict)
    copied: dict[str, list[str]] = field(default_factory=dict)
    copiers: dict[str, list[str]] = field(default_factory=dict)
    lacking: set[str] = field(default_factory=set)
    replaced: dict[str, list[tuple[str, str]]] = field(default_factory=dict)
    made: dict[str, dict[str, list[tuple[Sym, Sequence[tuple[str, str, str]]]]]] = field(default_factory=dict)
    _stems: dict[str, str] = field(default_factory=dict)
    _closures: dict[str, tuple[str, ...]] = field(default_factory=dict)
    _items: dict[str, dict[str, list[Sym]]] = field(default_factory=dict)

    @classmethod
    def of(cls, files: pa.Table, symbols: pa.Table) -> Tree:
        """Return the tree of the stage tables."""
        tree = cls()
        for path, language, dialect, lines in zip(
            *(files.column(name).to_pylist() for name in ("path", "language", "dialect", "lines")), strict=True
        ):
            tree.languages[path], tree.dialects[path], tree.lengths[path] = language, dialect, lines
            tree.stems.setdefault(tree.stem(path).upper(), []).append(path)
        columns = [symbols.column(name).to_pylist() for name in ("path", "name", "kind", "start_line", "end_line", "parent", "detail")]
        for path, name, kind, start, end, parent, detail in zip(*columns, strict=True):
            held = tree.symbols.setdefault(path, [])
            symbol = Sym(path, len(held), name, name.upper(), kind, start, end, parent, detail)
            held.append(symbol)
            tree.names.setdefault(symbol.key, []).append(symbol)
        return tree

    def stem(self, path: str) -> str:
        """Return the member name of a file: its name up to the first dot (`a.incl.pl1` is member `a`).

        >>> Tree().stem("x/CVTRA05Y.cpy")
        'CVTRA05Y'
        """
        found = self._stems.get(path)
        if found is None:
            name = PurePosixPath(path).name
            found = self._stems[path] = name.split(".", 1)[0] or name
        return found

    def symbol(self, path: str, index: int | None) -> Sym | None:
        """Return the symbol of a reference's source."""
        held = self.symbols.get(path, [])
        return held[index] if index is not None and 0 <= index < len(held) else None

    def ancestors(self, symbol: Sym) -> Iterable[Sym]:
        """Yield the symbols around ``symbol``, innermost first, itself before them."""
        held = self.symbols[symbol.path]
        at: int | None = symbol.index
        for _ in range(len(held)):
            if at is None or not 0 <= at < len(held):
                return
            yield held[at]
            at = held[at].parent

    def owner(self, symbol: Sym) -> Sym | None:
        """Return the innermost unit that can be called or run around ``symbol``, itself included; None when it is the file."""
        return next((held for held in self.ancestors(symbol) if held.kind in CALLABLE), None)

    def holder(self, symbol: Sym, kinds: Sequence[str]) -> Sym | None:
        """Return the innermost of the given kinds around ``symbol``, itself included."""
        return next((held for held in self.ancestors(symbol) if held.kind in kinds), None)

    def note_copy(self, path: str, target: str) -> None:
        """Note that ``path`` copies ``target``."""
        if target not in self.copied.setdefault(path, []):
            self.copied[path].append(target)
            self.copiers.setdefault(target, []).append(path)

    def scope(self, path: str) -> tuple[str, ...]:
        """Return the file and everything it copies, itself first. Call only after all copies are noted."""
        found = self._closures.get(path)
        if found is None:
            order, seen = [path], {path}
            for item in order:
                for target in self.copied.get(item, []):
                    if target not in seen and len(order) < MOST_CLOSURE:
                        seen.add(target)
                        order.append(target)
            found = self._closures[path] = tuple(order)
        return found

    def items(self, path: str) -> dict[str, list[Sym]]:
        """Return the symbols of one file by upper-cased name."""
        found = self._items.get(path)
        if found is None:
            found = self._items[path] = {}
            for symbol in self.symbols.get(path, []):
                found.setdefault(symbol.key, []).append(symbol)
        return found

    def members(self, name: str, from_path: str, suits: Callable[[str], bool]) -> list[str]:
        """Return the files with that member name that suit, nearest first."""
        found = [path for path in self.stems.get(name.upper(), []) if suits(path)]
        return sorted(found, key=lambda path: (-closeness(path, from_path), path))

    def nearest(self, found: Sequence[Sym], from_path: str) -> Found:
        """Return the symbol to choose among those of one name: the file's own, then the same language, then the closest folder."""
        if len(found) < 2:
            return Found(found[0] if found else None)
        language = self.languages.get(from_path, "")

        def rank(symbol: Sym) -> tuple[int, int, int]:
            other = self.languages.get(symbol.path, "")
            return (symbol.path == from_path, (other == language) + (other in MAINFRAME and language in MAINFRAME), closeness(symbol.path, from_path))

        ordered = sorted(found, key=lambda symbol: (*(-part for part in rank(symbol)), symbol.path, symbol.start))
        best = ordered[0]
        alike = [symbol for symbol in ordered[1:] if symbol.path != best.path and rank(symbol)[1] == rank(best)[1]]
        return Found(best, 0 if best.path == from_path else len(alike))


def closeness(path: str, other: str) -> int:
    """Return how many leading folders two paths share, the same folder counting once more.

    >>> closeness("a/b/c.x", "a/b/d.x"), closeness("a/c.x", "a/b/d.x")
    (3, 1)
    """
    one, two = os.path.dirname(path).split("/"), os.path.dirname(other).split("/")
    shared = 0
    for a, b in zip(one, two, strict=False):
        if a != b:
            break
        shared += 1
    return shared + (one == two)
