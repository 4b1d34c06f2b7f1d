"""Questions about a whole codebase: what nothing calls, where it is entered, what calls itself in a circle, what could not be resolved."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from typing import Any

from legacylens_assets.graph.index import GraphIndex

REFERS = frozenset(
    "call call_dynamic function_ref exec_pgm exec_proc cics_link cics_xctl cics_start transaction perform perform_thru goto exsr use copy include"
    " control_member cics_map".split()
)
OUTSIDE = frozenset({"exec_pgm", "exec_proc", "transaction", "cics_start"})
INSIDE = frozenset({"call", "call_dynamic", "function_ref", "cics_link", "cics_xctl"})
UNITS = frozenset({"program", "subroutine", "function", "procedure", "paragraph", "section", "proc", "mapset"})
NOT_DEAD = frozenset({"IDENTIFICATION", "ENVIRONMENT", "DATA", "PROCEDURE"})


def dead(graph: GraphIndex, within: Collection[int]) -> list[dict[str, Any]]:
    """Return units and copybooks that nothing names. Candidates: control may fall into a paragraph, and what lies outside may call a program."""
    named = set(graph.targets[graph.numbers(REFERS)].tolist())
    named |= {graph.owners[node] for node in named if graph.node_kinds[node] == "entry"}
    first = _first_paragraphs(graph)
    runs_jobs = set(graph.sources[graph.numbers(OUTSIDE)].tolist())
    found = []
    for node, kind in enumerate(graph.node_kinds):
        if node in named or node in first or not graph.paths[node] or (within and node not in within and graph.owners[node] not in within):
            continue
        if kind in UNITS and _unit_counts(graph, node, kind):
            found.append({**graph.describe(node), "why": "nothing in this codebase names it", "lines": graph.ends[node] - graph.lines[node] + 1})
        elif kind == "member" and node not in runs_jobs and _is_copybook(graph, node):
            found.append({**graph.describe(node), "why": "nothing copies it", "lines": graph.ends[node]})
    return sorted(found, key=lambda item: (item["path"], item["line"]))


def _unit_counts(graph: GraphIndex, node: int, kind: str) -> bool:
    """Return whether nobody naming the unit means something: a main program, or a routine that only a library's users call, counts too."""
    language = graph.languages[node]
    return kind != "section" or language == "cobol"


def _first_paragraphs(graph: GraphIndex) -> set[int]:
    """Return the first paragraph and section of each program: control enters there."""
    found: dict[tuple[int, str], int] = {}
    for node, kind in enumerate(graph.node_kinds):
        if kind in ("paragraph", "section"):
            key = (graph.owners[node], kind)
            if key not in found or graph.lines[node] < graph.lines[found[key]]:
                found[key] = node
    return set(found.values())


def _is_copybook(graph: GraphIndex, node: int) -> bool:
    suffix = graph.paths[node].rpartition(".")[2].lower()
    return suffix in ("cpy", "copy", "inc", "h", "rpgleinc") or ".incl." in graph.paths[node]


def entrypoints(graph: GraphIndex, within: Collection[int]) -> list[dict[str, Any]]:
    """Return where the codebase is entered: jobs, transactions and what they start, and units that no other unit calls."""
    started: dict[int, str] = {}
    for number in graph.numbers(OUTSIDE).tolist():
        row = graph.row(number)
        if row.certainty != "unresolved":
            started.setdefault(graph.owners[row.target], f"{row.kind} by {row.shown}")
    sources, targets = graph.sources, graph.targets
    called = {graph.owners[int(targets[n])] for n in graph.numbers(INSIDE).tolist() if graph.owners[int(targets[n])] != graph.owners[int(sources[n])]}
    found = []
    for node, kind in enumerate(graph.node_kinds):
        if within and node not in within:
            continue
        if kind == "job":
            found.append({**graph.describe(node), "why": "a job"})
        elif kind == "transaction":
            found.append({**graph.describe(node), "why": "a transaction"})
        elif node in started:
            found.append({**graph.describe(node), "why": started[node]})
        elif kind in ("program", "subroutine", "function", "procedure") and graph.owners[node] == node and node not in called:
            if "$" not in graph.names[node] and _outermost(graph, node):
                found.append({**graph.describe(node), "why": "no unit of this codebase calls it"})
    return sorted(found, key=lambda item: (item["kind"], item["name"]))


def _outermost(graph: GraphIndex, node: int) -> bool:
    return graph.names[node].upper() == "MAIN" or graph.languages[node] in ("cobol", "rpg", "pli", "fortran", "c", "text")


def cycles(graph: GraphIndex, within: Collection[int]) -> list[dict[str, Any]]:
    """Return the groups of units that call each other in a circle, and units that call themselves."""
    after: dict[int, set[int]] = {}
    own = set()
    for number in graph.numbers(INSIDE | {"perform", "exsr"}).tolist():
        inside = graph.kind_of(number) in ("perform", "exsr")
        start, end = int(graph.sources[number]), int(graph.targets[number])
        if not inside:
            start, end = graph.owners[start], graph.owners[end]
        after.setdefault(start, set()).add(end)
        if start == end:
            own.add(start)
    groups = [group for group in _components(after) if len(group) > 1] + [[node] for node in sorted(own)]
    if within:
        groups = [group for group in groups if set(group) & set(within)]
    return [
        {"size": len(group), "members": [graph.describe(node) for node in sorted(group, key=lambda n: graph.names[n])]}
        for group in sorted(groups, key=lambda group: (-len(group), graph.names[group[0]]))
    ]


def _components(after: dict[int, set[int]]) -> list[list[int]]:
    """Return the strongly connected components (Tarjan 1972, without recursion)."""
    index: dict[int, int] = {}
    low: dict[int, int] = {}
    stack: list[int] = []
    on: set[int] = set()
    found: list[list[int]] = []
    for root in sorted(after):
        if root in index:
            continue
        work = [(root, iter(sorted(after.get(root, ()))))]
        index[root] = low[root] = len(index)
        stack.append(root)
        on.add(root)
        while work:
            node, rest = work[-1]
            advanced = False
            for other in rest:
                if other not in index:
                    index[other] = low[other] = len(index)
                    stack.append(other)
                    on.add(other)
                    work.append((other, iter(sorted(after.get(other, ())))))
                    advanced = True
                    break
                if other in on:
                    low[node] = min(low[node], index[other])
            if advanced:
                continue
            work.pop()
            if work:
                low[work[-1][0]] = min(low[work[-1][0]], low[node])
            if low[node] == index[node]:
                group = []
                while True:
                    other = stack.pop()
                    on.discard(other)
                    group.append(other)
                    if other == node:
                        break
                found.append(group)
    return found


def unresolved(graph: GraphIndex, within: Collection[int]) -> list[dict[str, Any]]:
    """Return counts by kind and reason with the commonest names, the most frequent first."""
    import numpy as np

    numbers = graph.count("unresolved")
    if within:
        owners = np.asarray(graph.owners)
        wanted = np.asarray(sorted(within))
        sources, targets = graph.sources[numbers], graph.targets[numbers]
        numbers = numbers[np.isin(sources, wanted) | np.isin(owners[sources], wanted) | np.isin(targets, wanted)]
    table = graph.edges.select(["kind", "reason", "target"]).take(numbers)
    counted = Counter(zip(*(table.column(name).to_pylist() for name in ("kind", "reason", "target")), strict=True))
    names: dict[tuple[str, str], Counter[str]] = {}
    for (kind, reason, name), count in counted.items():
        names.setdefault((kind, reason), Counter())[name] = count
    found = [
        {
            "codebase": graph.codebase, "kind": kind, "reason": reason, "count": held.total(),
            "names": [f"{name} ({count})" for name, count in held.most_common(8)],
        }
        for (kind, reason), held in names.items()
    ]  # fmt: skip
    return sorted(found, key=lambda item: (-item["count"], item["kind"], item["reason"]))
