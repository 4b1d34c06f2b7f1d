"""Symbols and references of one codebase become edges with both ends. Nothing is resolved across codebases."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from legacylens_assets.types import Edge

if TYPE_CHECKING:
    import pyarrow as pa

GRAPH_VERSION = "1"


def resolve(files: pa.Table, symbols: pa.Table, references: pa.Table) -> list[Edge]:
    """Return one edge for each reference, from the deepest symbol that holds the line to the target, by name where exactly one fits."""
    names: dict[str, list[tuple[str, int]]] = {}
    by_file: dict[str, list[str]] = {}
    for row in symbols.select(["path", "name", "start_line"]).to_pylist():
        by_file.setdefault(row["path"], []).append(row["name"])
        names.setdefault(row["name"].upper(), []).append((row["path"], row["start_line"]))
    edges = []
    for row in references.to_pylist():
        source = by_file.get(row["path"], [])
        name = source[row["source"]] if row["source"] is not None and row["source"] < len(source) else row["path"]
        places = names.get(row["target"].upper(), [])
        near = [place for place in places if place[0] == row["path"]] or places
        certainty = "exact" if len(near) == 1 else "inferred" if near else "unresolved"
        where = near[0] if near else ("", 0)
        detail = json.loads(row["detail"]) if row["detail"] else {}
        edges.append(Edge(row["kind"], name, row["target"], certainty, row["path"], row["line"], where[0], where[1], detail))
    return edges
