"""code_graph: symbols and references of a codebase become resolved edges."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from legacylens_assets.graph import GRAPH_VERSION, Graph, resolve
from legacylens_assets.graph.nodes import Node
from legacylens_assets.pipeline.report import Progress, StageReport, Stopwatch, silent
from legacylens_assets.registry import Codebase
from legacylens_assets.settings import Settings
from legacylens_assets.tables import read_table, to_table, write_table
from legacylens_assets.types import Edge
from legacylens_assets.workspace import Workspace, file_digest

if TYPE_CHECKING:
    import pyarrow as pa


def edge_table(graph: Graph) -> pa.Table:
    """Return the edges as a table: the fields of Edge, the rows of nodes at either end, and the reason apart so that it can be counted."""
    more: dict[str, list[Any]] = {
        "source_id": [start for start, _ in graph.ends],
        "target_id": [end for _, end in graph.ends],
        "reason": [edge.detail.get("reason", "") for edge in graph.edges],
    }
    return to_table(graph.edges, Edge, more)


def graph_stage(codebase: Codebase, settings: Settings, progress: Progress = silent) -> StageReport:
    """Write nodes.parquet, and graph.parquet: one row for each edge, with certainty and both ends."""
    watch = Stopwatch()
    workspace = Workspace(settings.data, codebase.key)
    inputs = {name: file_digest(workspace.table(name)) for name in ("files", "symbols", "references")} | {"graph version": GRAPH_VERSION}
    before = workspace.stamp("code_graph")
    changed = tuple(name for name, value in inputs.items() if before.get("inputs", {}).get(name) != value)
    if not changed and workspace.table("graph").exists() and workspace.table("nodes").exists():
        return StageReport("code_graph", codebase.key, watch.seconds, before["counts"], True, (), before["data_version"])
    progress("code_graph", 0, 1)
    tables = {name: read_table(workspace.table(name)) for name in ("files", "symbols", "references")}
    graph = resolve(tables["files"], tables["symbols"], tables["references"])
    edges = graph.edges
    write_table(to_table(graph.nodes, Node), workspace.table("nodes"))
    write_table(edge_table(graph), workspace.table("graph"))
    certainty = Counter(edge.certainty for edge in edges)
    kinds = Counter(edge.kind for edge in edges)
    counts = {"edges": len(edges), "exact": certainty["exact"], "inferred": certainty["inferred"], "unresolved": certainty["unresolved"]}
    version = file_digest(workspace.table("graph"))
    workspace.write_stamp("code_graph", inputs=inputs, counts=counts, data_version=version)
    progress("code_graph", 1, 1)
    return StageReport("code_graph", codebase.key, watch.seconds, counts, False, changed, version, {"kinds": dict(kinds)})
