"""Edges in the making: what every resolver shares."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from legacylens_assets.graph.nodes import Nodes
from legacylens_assets.graph.tree import Found, Ref, Sym, Tree
from legacylens_assets.types import Edge

EXACT, INFERRED, UNRESOLVED = "exact", "inferred", "unresolved"
EXTERNAL, DYNAMIC, AMBIGUOUS, MISSING, UNKNOWN = "external", "dynamic", "ambiguous", "missing copybook", "unknown name"
"""Reasons: not in the codebase; made at run time; the nearest of several was taken; needs a copybook that is not here; nothing has it."""

PROGRAM, DATASET, TABLE, TRANSACTION, FILE_NAME, QUEUE, CURSOR, BLOCK, FIELD, COPYBOOK, MAP, DDNAME, LABEL = (
    "program", "dataset", "table", "transaction", "cics file", "queue", "cursor", "common block", "field", "copybook", "map", "ddname", "label",
)  # fmt: skip
"""Kinds of nodes that only have a name."""


@dataclass(slots=True)
class Build:
    """The tree, the nodes named so far and the edges made so far."""

    tree: Tree
    nodes: Nodes
    edges: list[Edge] = field(default_factory=list)
    ends: list[tuple[int, int]] = field(default_factory=list)

    def add(self, kind: str, source: int, target: int, certainty: str, path: str, line: int, detail: Mapping[str, str] = {}, name: str = "") -> None:  # noqa: B006
        """Add an edge; ``name`` is the target as the source writes it, when that differs from the node's name."""
        start, end = self.nodes.rows[source], self.nodes.rows[target]
        said = {key: value for key, value in detail.items() if value}
        shown = start.qualified if start.kind == "step" else start.name
        self.edges.append(Edge(kind, shown, name or end.name, certainty, path, line, end.path, end.line if end.path else 0, said))
        self.ends.append((source, target))

    def from_ref(self, ref: Ref) -> int:
        """Return the node of the unit that names the reference's target."""
        return self.nodes.at(ref.path, ref.source)

    def unit(self, ref: Ref) -> int:
        """Return the node of the unit that can be called or run around a reference, the file's when there is none."""
        symbol = self.tree.symbol(ref.path, ref.source)
        owner = self.tree.owner(symbol) if symbol else None
        return self.nodes.of_symbol(owner) if owner else self.nodes.of_file(ref.path)

    def to_symbol(self, ref: Ref, found: Found, missing: str, reason: str = EXTERNAL, detail: Mapping[str, str] | None = None) -> None:
        """Add the edge of a reference to what was found, or to a node of kind ``missing`` with the reason."""
        said = dict(ref.detail if detail is None else detail)
        if found.best is None:
            self.add(
                ref.kind, self.from_ref(ref), self.nodes.of_name(missing, ref.target), UNRESOLVED, ref.path, ref.line, {**said, "reason": reason}
            )
            return
        if found.others:
            said |= {"reason": AMBIGUOUS, "candidates": str(found.others + 1)}
        self.add(ref.kind, self.from_ref(ref), self.nodes.of_symbol(found.best), found.certainty, ref.path, ref.line, said, ref.target)


def values(ref: Ref) -> list[str]:
    """Return the literals that a dynamic target may hold.

    >>> values(Ref("a", "call_dynamic", "WS-PGM", 1, None, {"values": "A, B"}))
    ['A', 'B']
    """
    return list(dict.fromkeys(part.strip().strip("'\"") for part in ref.detail.get("values", "").split(",") if part.strip().strip("'\"")))


def symbols_of(tree: Tree, path: str, kinds: frozenset[str]) -> list[Sym]:
    """Return the symbols of a file with one of the kinds."""
    return [symbol for symbol in tree.symbols.get(path, []) if symbol.kind in kinds]
