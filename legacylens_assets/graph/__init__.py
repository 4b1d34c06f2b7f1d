"""What calls, copies, runs, reads and writes what."""

from __future__ import annotations

from legacylens_assets.graph.resolve import GRAPH_VERSION, Graph, resolve

__all__ = ["GRAPH_VERSION", "Graph", "resolve"]
