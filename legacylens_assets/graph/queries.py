"""Questions to the graph. Each gives a complete list with places; nothing is ranked, nothing left out."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from legacylens_assets.errors import UsageError
from legacylens_assets.graph.index import GraphIndex, Graphs, Row
from legacylens_assets.graph.reach import impact_of
from legacylens_assets.graph.render import render
from legacylens_assets.graph.survey import cycles, dead, entrypoints, unresolved
from legacylens_assets.settings import Settings

__all__ = ["QUERIES", "UnknownName", "answer", "open_graphs", "render"]

FLOW = frozenset({"perform", "perform_thru", "goto", "exsr"})
"""Control flow inside one program."""
CALLS = frozenset(
    {"call", "call_dynamic", "function_ref", "exec_pgm", "exec_proc", "cics_link", "cics_xctl", "cics_start", "cics_return", "transaction"}
)
COPIES = frozenset({"copy", "include", "use", "common"})
DATA = frozenset({"dd", "dataset_read", "dataset_write", "sql_read", "sql_write", "file_assign", "cics_queue"})
FIELDS = frozenset({"field_set", "field_used"})
INNER = frozenset({"paragraph", "section", "file", "label"})
"""Parts of a program: a job runs them when it runs the program."""
MOST_DEPTH = 50


class UnknownName(UsageError):
    """No graph that was asked has the name."""

    code = "not_found"
    exit_code = 3


def open_graphs(settings: Settings, codebase: str = "") -> list[GraphIndex]:
    """Return the graphs of one codebase, or of all, in the current index."""
    from legacylens_assets.store import open_reader

    return Graphs(open_reader(settings)).of(codebase)


def answer(graphs: Sequence[GraphIndex], query: str, name: str = "", *, depth: int = 0) -> dict[str, Any]:
    """Return ``{"query", "name", "matches", "edges", "count", "complete"}``; surveys (dead, entrypoints, cycles, unresolved) add ``items``.

    ``depth`` says how far to follow; 0 is the query's own: one step, for impact and jobs as far as it goes. Raises UsageError for an unknown query,
    UnknownName (with the nearest names) for a name that no graph has.
    """
    if query not in QUERIES:
        raise UsageError(f"query {query!r}: expected one of {', '.join(QUERIES)}")
    if depth < 0 or depth > MOST_DEPTH:
        raise UsageError(f"depth {depth}: expected 0 to {MOST_DEPTH}")
    value: dict[str, Any] = {"query": query, "name": name, "matches": [], "edges": [], "count": 0, "complete": True}
    if query in SURVEYS:
        items = [item for graph in graphs for item in _surveyed(graph, query, name)]
        return value | {"items": items, "count": len(items), "edges": [item["edge"] for item in items if "edge" in item]}
    if not name.strip():
        raise UsageError(f"graph {query}: a name is missing, for example `legacylens graph {query} PAYROLL`")
    found = [(graph, graph.find(name)) for graph in graphs]
    if not any(nodes for _, nodes in found):
        raise UnknownName(_unknown(graphs, name))
    for graph, nodes in found:
        value["matches"] += [graph.describe(node) for node in nodes]
        value["edges"] += LISTS[query](graph, nodes, depth)
    return value | {"count": len(value["edges"])}


def _surveyed(graph: GraphIndex, query: str, name: str) -> list[dict[str, Any]]:
    """Return a survey of what ``name`` means, or of the whole codebase, which is made once."""
    if name:
        nodes = graph.find(name)
        return SURVEYS[query](graph, nodes) if nodes else []
    if query not in graph.surveys:
        graph.surveys[query] = SURVEYS[query](graph, ())
    return graph.surveys[query]


def _unknown(graphs: Sequence[GraphIndex], name: str) -> str:
    near = list(dict.fromkeys(other for graph in graphs for other in graph.nearest(name)))[:5]
    where = ", ".join(graph.codebase for graph in graphs)
    return f"{name!r}: no program, file, dataset or field of {where} has that name; " + (
        f"nearest: {', '.join(near)}" if near else "nothing is like it"
    )


def edge_json(graph: GraphIndex, row: Row, distance: int = 1, *, lift: bool = False) -> dict[str, Any]:
    """Return an edge as JSON tells it. ``lift`` names the program that holds a paragraph, not the paragraph, which is then ``unit``."""
    source = row.source
    shown = row.shown
    said: dict[str, Any] = {}
    owner = graph.owners[source]
    if lift and owner != source and graph.node_kinds[source] != "step" and owner != graph.owners[row.target]:
        shown, said["unit"] = graph.names[owner], graph.names[source]
        source = owner
    said |= {
        "from": shown,
        "to": row.written,
        "kind": row.kind,
        "certainty": row.certainty,
        "path": row.path,
        "line": row.line,
        "codebase": graph.codebase,
    }
    said |= {"from_kind": graph.node_kinds[source], "to_kind": graph.node_kinds[row.target]}
    if graph.paths[row.target]:
        said |= {"to_path": graph.paths[row.target], "to_line": graph.lines[row.target]}
    if distance > 1:
        said["distance"] = distance
    return said | {key: row.detail[key] for key in SHOWN if key in row.detail}


SHOWN = (
    "job", "step", "proc", "ddname", "access", "access_from", "disp", "generation", "member", "role", "via", "verb", "utility", "file", "mapset",
    "evidence", "reason", "candidates", "range", "of", "replacing", "plan",
)  # fmt: skip


def _ordered(edges: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return sorted(edges, key=lambda e: (e.get("distance", 1), e["path"], e["line"], e["from"], e["to"], e["kind"]))


def callers(graph: GraphIndex, nodes: Sequence[int], depth: int = 0) -> list[dict[str, Any]]:
    """Return what calls, runs, performs or starts the nodes; with depth also the callers of those."""
    found, seen, frontier = [], set(nodes), _with_entries(graph, nodes)
    listed: set[int] = set()
    for distance in range(1, max(1, depth) + 1):
        following: list[int] = []
        for node in frontier:
            for row in graph.rows_in(node, CALLS | FLOW):
                if row.number not in listed:
                    listed.add(row.number)
                    found.append(edge_json(graph, row, distance, lift=True))
                    following.append(_caller_of(graph, row))
        frontier = _with_entries(graph, [node for node in dict.fromkeys(following) if node not in seen])
        seen.update(frontier)
        if not frontier:
            break
    return _ordered(found)


def _with_entries(graph: GraphIndex, nodes: Sequence[int]) -> list[int]:
    """Return the nodes with the entry points inside them."""
    extra = [held for node in nodes if graph.owners[node] == node for held in graph.subtree(node) if graph.node_kinds[held] == "entry"]
    return list(dict.fromkeys([*nodes, *extra]))


def _caller_of(graph: GraphIndex, row: Row) -> int:
    """Return the node whose callers come next: the paragraph for a PERFORM, else the program or job that calls."""
    return row.source if row.kind in FLOW and graph.owners[row.source] != row.source else graph.owners[row.source]


def callees(graph: GraphIndex, nodes: Sequence[int], depth: int = 0) -> list[dict[str, Any]]:
    """Return what the nodes call, run or start; for a paragraph also what it performs. With depth also the callees of those."""
    found, seen, frontier = [], set(nodes), list(nodes)
    listed: set[int] = set()
    for distance in range(1, max(1, depth) + 1):
        following = []
        for node in frontier:
            for row in _calls_of(graph, node):
                if row.number not in listed:
                    listed.add(row.number)
                    found.append(edge_json(graph, row, distance, lift=True))
                    following.append(row.target if row.kind in FLOW else graph.owners[row.target])
        frontier = [node for node in dict.fromkeys(following) if node not in seen]
        seen.update(frontier)
        if not frontier:
            break
    return _ordered(found)


def _calls_of(graph: GraphIndex, node: int) -> list[Row]:
    whole = graph.owners[node] == node
    inside = set(graph.subtree(node)) if whole else {node}
    kinds = CALLS if whole else CALLS | FLOW
    if graph.node_kinds[node] in ("job", "proc"):
        kinds = CALLS - FLOW
    return [row for held in inside for row in graph.rows_out(held, kinds) if held == node or row.target not in inside]


def copies(graph: GraphIndex, nodes: Sequence[int], depth: int = 0) -> list[dict[str, Any]]:
    """Return what copies, includes or uses the nodes; for a program that nothing copies, what it copies."""
    found, seen, frontier = [], set(nodes), list(nodes)
    for distance in range(1, max(1, depth) + 1):
        rows = [row for node in frontier for row in graph.rows_in(node, COPIES)]
        found += [edge_json(graph, row, distance, lift=True) for row in rows]
        following = [graph.owners[row.source] for row in rows] + [_file_of(graph, row.path) for row in rows]
        frontier = [node for node in dict.fromkeys(following) if node not in seen and node >= 0]
        seen.update(frontier)
    if not found:
        found = [
            edge_json(graph, row) | {"direction": "out"} for node in nodes for held in graph.subtree(node) for row in graph.rows_out(held, COPIES)
        ]
    return _ordered(found)


def _file_of(graph: GraphIndex, path: str) -> int:
    return next((n for n in graph.find(path) if graph.node_kinds[n] == "member"), -1)


def jobs(graph: GraphIndex, nodes: Sequence[int], depth: int = 0) -> list[dict[str, Any]]:
    """Return the job steps that run the nodes, or a program that calls or uses them (``distance`` says over how many steps)."""
    found: list[dict[str, Any]] = []
    inner = [graph.owners[node] for node in nodes if graph.node_kinds[node] in INNER]
    seen, frontier = {*nodes, *inner}, _with_entries(graph, [*nodes, *inner])
    limit = depth or MOST_DEPTH
    for distance in range(1, limit + 1):
        following: list[int] = []
        for node in frontier:
            for row in graph.rows_in(node, CALLS | DATA | COPIES | FIELDS | {"control_member", "file_read", "file_write"}):
                if row.detail.get("job"):
                    if row.kind not in ("dataset_read", "dataset_write"):
                        found.append({**edge_json(graph, row, distance), "from": row.detail["job"], "from_kind": "job"})
                elif row.kind not in ("transaction", "cics_return", "dataset_read", "dataset_write") or distance == 1:
                    following.append(graph.owners[row.source])
        frontier = _with_entries(graph, [node for node in dict.fromkeys(following) if node not in seen])
        seen.update(frontier)
        if not frontier:
            break
    return _ordered(_distinct(found))


def _distinct(edges: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return list({(e["from"], e.get("step"), e["to"], e["kind"], e["path"], e["line"]): e for e in reversed(edges)}.values())[::-1]


def datasets(graph: GraphIndex, nodes: Sequence[int], depth: int = 0) -> list[dict[str, Any]]:
    """Return the steps and programs that read and write a dataset or table; for a program, job or step, the data it touches."""
    from legacylens_assets.graph.lineage import in_job_order

    found = []
    for node in nodes:
        if graph.node_kinds[node] in ("dataset", "table", "queue", "cics file", "ddname"):
            found += [edge_json(graph, row, lift=True) for row in graph.rows_in(node, DATA | {"cics_file"})]
            found += [edge_json(graph, row, lift=True) for row in graph.rows_out(node, frozenset({"file_assign"}))]
        else:
            held = graph.subtree(node)
            rows = [row for inside in held for row in graph.rows_out(inside, DATA | {"cics_file"})]
            found += [edge_json(graph, row, lift=True) for row in rows if row.kind != "file_assign" or row.certainty == "unresolved"]
    return in_job_order(graph, found)


def fields(graph: GraphIndex, nodes: Sequence[int], depth: int = 0) -> list[dict[str, Any]]:
    """Return where the data items are set and used."""
    return _ordered([edge_json(graph, row) | _program(graph, row) for node in nodes for row in graph.rows_in(node, FIELDS)])


READ_KINDS = frozenset({"dataset_read", "sql_read", "file_read", "field_used"})
WRITE_KINDS = frozenset({"dataset_write", "sql_write", "file_write", "field_set"})
SAYING = frozenset({"dd", "cics_queue", "cics_file"})
"""Kinds whose access is in the edge."""
ACCESS_OF: Mapping[str, frozenset[str]] = MappingProxyType(
    {"read": frozenset({"read", "update", "browse"}), "write": frozenset({"write", "update", "delete", "rewrite"})}
)


def accesses(graph: GraphIndex, nodes: Sequence[int], way: str) -> list[dict[str, Any]]:
    """Return what reads (``way`` read) or writes (write) the nodes: data, files, fields; who uses them when they are none of these."""
    kinds = READ_KINDS if way == "read" else WRITE_KINDS
    rows = [row for node in nodes for row in graph.rows_in(node, kinds | SAYING)]
    found = [edge_json(graph, row, lift=True) for row in rows if row.kind in kinds or row.detail.get("access", way) in ACCESS_OF[way]]
    if found or way != "read":
        return _ordered(found)
    return callers(graph, nodes) or [edge for edge in copies(graph, nodes) if edge.get("direction") != "out"]


def _program(graph: GraphIndex, row: Row) -> dict[str, str]:
    return {"program": graph.names[graph.owners[row.source]]}


Listing = Callable[[GraphIndex, Sequence[int], int], list[dict[str, Any]]]


def impact(graph: GraphIndex, nodes: Sequence[int], depth: int = 0) -> list[dict[str, Any]]:
    """Return everything that a change to the nodes reaches, with its distance."""
    return [
        {**edge_json(graph, row, distance, lift=True), "distance": distance, "reached": graph.describe(node)}
        for node, distance, row in impact_of(graph, nodes, depth)
    ]


LISTS: Mapping[str, Listing] = MappingProxyType(
    {
        "callers": callers,
        "callees": callees,
        "copies": copies,
        "jobs": jobs,
        "datasets": datasets,
        "lineage": datasets,
        "fields": fields,
        "impact": impact,
    }
)
SURVEYS: Mapping[str, Callable[[GraphIndex, Collection[int]], list[dict[str, Any]]]] = MappingProxyType(
    {"dead": dead, "entrypoints": entrypoints, "cycles": cycles, "unresolved": unresolved}
)
QUERIES = (*LISTS, *SURVEYS)
