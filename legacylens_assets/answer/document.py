"""Documentation of a unit without a model: what it is for, who uses it, what it calls in order, the data it touches, what it tests, what it says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from legacylens_assets.answer.evidence import edge_source
from legacylens_assets.answer.facts import DATA, listed
from legacylens_assets.answer.records import Draft, Mark, Source
from legacylens_assets.retrieval.catalog import Catalog
from legacylens_assets.types import Edge

CALLS: Mapping[str, str] = {
    "perform": "performs", "exsr": "performs", "call": "calls", "call_dynamic": "calls", "function_ref": "calls", "cics_link": "links to",
    "cics_xctl": "transfers to", "cics_start": "starts", "exec_pgm": "runs", "exec_proc": "runs", "copy": "copies", "include": "includes",
}  # fmt: skip
CONTAINERS = frozenset({"program", "division", "job", "proc", "module", "package", "file"})
UNNAMED = frozenset({"include", "copy", "use", "lines"})
MOST_CALLED = 8
MOST_TOUCHED = 6


def outline_sources(unit: Source, catalog: Catalog) -> list[Source]:
    """Return one line for each thing that the unit (a program: its whole file) calls, copies or touches: first uses, in order of line."""
    return [source for edge in outline(unit, catalog) if (source := edge_source(edge, unit.codebase, catalog)) is not None]


def outline(unit: Source, catalog: Catalog) -> list[Edge]:
    """Return the edges that describe a unit: the first of each verb and target, at most MOST_CALLED calls and MOST_TOUCHED data."""
    edges = catalog.generation(unit.codebase).edges(CALLS.keys() | DATA.keys(), paths=(unit.path,))
    if unit.kind not in CONTAINERS:
        edges = [edge for edge in edges if unit.unit_start <= edge.line <= unit.unit_end]
    first: dict[tuple[str, str], Edge] = {}
    for edge in sorted(edges, key=lambda edge: (edge.line, edge.target)):
        if edge.certainty != "unresolved" or edge.kind in DATA or edge.kind.startswith(("call", "exec", "cics")):
            first.setdefault((CALLS.get(edge.kind) or DATA[edge.kind], edge.target), edge)
    calls = [edge for edge in first.values() if edge.kind in CALLS][:MOST_CALLED]
    return calls + [edge for edge in first.values() if edge.kind in DATA][:MOST_TOUCHED]


def outline_drafts(unit: Source, sources: Sequence[Source], catalog: Catalog) -> list[Draft]:
    """Return a sentence for each verb of the outline: `It performs …`, `It reads …`; each cites the lines that say so."""
    held = {(source.path, source.start_line): source for source in sources if source.why == "graph" and source.codebase == unit.codebase}
    told: dict[str, list[tuple[str, Mark]]] = {}
    for edge in outline(unit, catalog):
        source = held.get((edge.path, edge.line))
        if source is not None:
            told.setdefault(CALLS.get(edge.kind) or DATA[edge.kind], []).append((f"`{edge.target}`", Mark(source.id, edge.line, edge.line)))
    name = unit.path if unit.kind in UNNAMED else (unit.program if unit.kind == "division" else unit.name) or unit.path
    return [
        Draft(f"`{name}` {verb} {listed([target for target, _ in pairs])}.", tuple(dict.fromkeys(mark for _, mark in pairs)))
        for verb, pairs in told.items()
    ]
