"""How far a change reaches: from a node to whatever depends on it, by distance."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence

from legacylens_assets.graph.index import GraphIndex, Row

DEPENDS = frozenset(
    "call call_dynamic function_ref exec_pgm exec_proc cics_link cics_xctl cics_start cics_return transaction copy include use common"
    " sql_read sql_write dataset_read dataset_write dd file_assign cics_file cics_map cics_queue control_member field_set field_used"
    " perform perform_thru goto exsr".split()
)
"""The source of such an edge may behave otherwise when its target changes."""
WRITTEN = frozenset({"dataset_write", "sql_write"})
DATA_KINDS = frozenset({"dataset", "table"})


def impact_of(graph: GraphIndex, nodes: Sequence[int], depth: int = 0) -> Iterator[tuple[int, int, Row]]:
    """Yield (node, distance, edge that leads to it) for everything reached, nearest first; ``depth`` 0 goes as far as it goes.

    A program that changes reaches its callers, the jobs that run it, and the data it writes; data reach whoever reads them. The data that the
    question names also reach whoever writes them: a new layout concerns both.
    """
    start = _start(graph, nodes)
    seen, queue = set(start), deque((node, 0) for node in start)
    while queue:
        node, distance = queue.popleft()
        if depth and distance >= depth:
            continue
        for reached, number in _next(graph, node, distance == 0):
            if reached not in seen:
                seen.add(reached)
                queue.append((reached, distance + 1))
                yield reached, distance + 1, graph.row(number)


def _start(graph: GraphIndex, nodes: Sequence[int]) -> list[int]:
    """Return the nodes, and for a copybook or a unit that can be called what lies in it (entries, its fields)."""
    found = list(nodes)
    for node in nodes:
        if graph.node_kinds[node] in ("member", "program", "mapset"):
            found += [held for held in graph.subtree(node) if graph.node_kinds[held] in ("entry", "data_item", "map")]
    return list(dict.fromkeys(found))


def _next(graph: GraphIndex, node: int, first: bool) -> Iterator[tuple[int, int]]:
    data = graph.node_kinds[node] in DATA_KINDS
    for number in graph.numbers_in(node, DEPENDS):
        if data and not first and (graph.kind_of(number) in WRITTEN or graph.row(number).detail.get("access") == "write"):
            continue
        yield graph.owners[int(graph.sources[number])], number
    for held in graph.subtree(node) if graph.owners[node] == node and not data else ():
        for number in graph.numbers_out(held, WRITTEN):
            yield int(graph.targets[number]), number
