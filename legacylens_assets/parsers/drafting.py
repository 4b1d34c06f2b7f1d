"""From nodes found in any order to ordered, nested symbols, and from references to the symbols that hold them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from legacylens_assets.types import Reference, Symbol


@dataclass(slots=True, eq=False)
class Node:
    """A symbol whose end is still open. ``parent`` is the node around it."""

    kind: str
    name: str
    start: int
    end: int
    parent: Node | None = None
    unit: bool = True
    detail: dict[str, str] = field(default_factory=dict)

    def extend(self, line: int) -> None:
        """Let the node, and all that hold it, reach at least ``line``."""
        node: Node | None = self
        while node is not None and node.end < line:
            node.end = line
            node = node.parent


def settle(nodes: Sequence[Node]) -> tuple[Symbol, ...]:
    """Return the nodes as symbols by start line, a holder before what it holds; a child is cut to its parent's lines."""
    depths: dict[int, int] = {}
    for node in nodes:
        depths[id(node)] = depths.get(id(node.parent), -1) + 1 if node.parent is not None else 0
    ordered = sorted(nodes, key=lambda node: (node.start, depths[id(node)], -node.end, not node.unit))
    places = {id(node): place for place, node in enumerate(ordered)}
    symbols: list[Symbol] = []
    for place, node in enumerate(ordered):
        parent = places.get(id(node.parent)) if node.parent is not None else None
        if parent is not None and (parent >= place or symbols[parent].end_line < node.start):
            parent = None
        end = max(node.start, node.end)
        if parent is not None:
            end = min(end, symbols[parent].end_line)
        symbols.append(Symbol(node.name, node.kind, node.start, end, parent, node.unit, node.detail))
    return tuple(symbols)


def attributed(references: Iterable[Reference], symbols: Sequence[Symbol]) -> tuple[Reference, ...]:
    """Return the references in line order, each with the deepest symbol that holds its line."""
    found: list[Reference] = []
    open_symbols: list[int] = []
    position = 0
    for reference in sorted(references, key=lambda r: r.line):
        while position < len(symbols) and symbols[position].start_line <= reference.line:
            while open_symbols and symbols[open_symbols[-1]].end_line < symbols[position].start_line:
                open_symbols.pop()
            open_symbols.append(position)
            position += 1
        while open_symbols and symbols[open_symbols[-1]].end_line < reference.line:
            open_symbols.pop()
        source = open_symbols[-1] if open_symbols else None
        found.append(Reference(reference.kind, reference.target, reference.line, source, reference.detail))
    return tuple(found)
