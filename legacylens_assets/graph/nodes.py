"""The things that edges join: units of source, files, and what has a name but no definition here (datasets, tables, transactions)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from legacylens_assets.graph.tree import Sym, Tree

MEMBER = "member"
"""Kind of the node that stands for a whole file: a copybook, a script, a card member."""


@dataclass(frozen=True, slots=True)
class Node:
    """One end of edges. ``owner`` is the number of the unit that can be called or run and holds this one, its own number when it is one.

    ``path`` is "" for what only has a name. ``qualified`` puts the owner's name in front of units that live in one.
    """

    name: str
    qualified: str
    kind: str
    path: str
    line: int
    end_line: int
    owner: int
    language: str


@dataclass(slots=True)
class Nodes:
    """Numbers nodes in the order in which they are first named."""

    tree: Tree
    rows: list[Node] = field(default_factory=list)
    _symbols: dict[tuple[str, int], int] = field(default_factory=dict)
    _named: dict[tuple[str, str], int] = field(default_factory=dict)

    def of_symbol(self, symbol: Sym) -> int:
        """Return the number of a symbol's node."""
        key = (symbol.path, symbol.index)
        found = self._symbols.get(key)
        if found is not None:
            return found
        owner = self.tree.owner(symbol)
        holder = owner if owner is None else None if owner is symbol else self.of_symbol(owner)
        if owner is None:
            holder = self.of_file(symbol.path)
        number = self._symbols[key] = len(self.rows)
        qualified = symbol.name if owner is symbol or owner is None else f"{owner.name}.{symbol.name}"
        if symbol.kind == "data_item":
            group = [held for held in self.tree.ancestors(symbol) if held.kind == "data_item"][-1]
            qualified = f"{group.name}.{symbol.name}" if group is not symbol else symbol.name
        language = self.tree.languages.get(symbol.path, "")
        self.rows.append(
            Node(symbol.name, qualified, symbol.kind, symbol.path, symbol.start, symbol.end, number if holder is None else int(holder), language)
        )
        return number

    def of_made(self, symbol: Sym, name: str) -> int:
        """Return the number of a copybook's item under the name that REPLACING gives it: its own node at the item's place."""
        key = (f"{symbol.path}:{symbol.index}", name)
        found = self._named.get(key)
        if found is None:
            base = self.rows[self.of_symbol(symbol)]
            found = self._named[key] = len(self.rows)
            self.rows.append(replace(base, name=name, qualified=name))
        return found

    def of_file(self, path: str) -> int:
        """Return the number of a file's node."""
        found = self._named.get((MEMBER, path))
        if found is None:
            found = self._named[MEMBER, path] = len(self.rows)
            name = self.tree.stem(path)
            self.rows.append(Node(name, name, MEMBER, path, 1, max(1, self.tree.lengths.get(path, 1)), found, self.tree.languages.get(path, "")))
        return found

    def of_name(self, kind: str, name: str, place: tuple[str, int] = ("", 0)) -> int:
        """Return the number of something that has a name only; ``place`` is where it is defined, when it is."""
        key = (kind, name.upper())
        found = self._named.get(key)
        if found is None:
            found = self._named[key] = len(self.rows)
            self.rows.append(Node(name, name, kind, place[0], place[1], place[1], found, self.tree.languages.get(place[0], "")))
        return found

    def at(self, path: str, index: int | None) -> int:
        """Return the node of the symbol that names something, the file's when no symbol holds the line."""
        symbol = self.tree.symbol(path, index)
        return self.of_file(path) if symbol is None else self.of_symbol(symbol)

    def columns(self) -> Mapping[str, list[object]]:
        """Return the nodes column by column."""
        return {name: [getattr(row, name) for row in self.rows] for name in Node.__slots__}
