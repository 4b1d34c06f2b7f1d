"""Facts of the graph as cited sentences: who uses the unit, and what data it touches."""

from __future__ import annotations

from collections.abc import Sequence

from legacylens_assets.answer.records import Draft, Mark, Source
from legacylens_assets.retrieval.catalog import Catalog
from legacylens_assets.retrieval.names import key_of
from legacylens_assets.types import Edge

USERS = {
    "perform": "performed", "call": "called", "call_dynamic": "called", "function_ref": "called", "exsr": "called", "exec_pgm": "run",
    "exec_proc": "run", "cics_link": "linked to", "cics_xctl": "transferred to", "cics_start": "started", "copy": "copied", "include": "included",
    "use": "used", "goto": "jumped to",
}  # fmt: skip
DATA = {
    "file_read": "reads", "file_write": "writes", "sql_read": "reads table", "sql_write": "writes table", "dd": "names dataset",
    "cics_file": "uses file", "cics_map": "shows map", "cics_queue": "uses queue",
}  # fmt: skip
MOST_NAMED = 3
MOST_DATA = 4


def graph_facts(unit: Source, sources: Sequence[Source], catalog: Catalog) -> list[Draft]:
    """Return one sentence on where the unit is used from and the data it touches, [] when the graph says neither.

    Only edges whose line lies inside a source are told, so that every one can be cited with what was sent.
    """
    inside = catalog.generation(unit.codebase).edges(DATA.keys(), paths=(unit.path,))
    touched = [edge for edge in inside if unit.unit_start <= edge.line <= unit.unit_end]
    used, marks = _users(users_of(unit, catalog), sources)
    data, more = _data(touched, sources)
    if not used and not data:
        return []
    name = (unit.program if unit.kind == "division" else unit.name) or unit.path
    told = f"is {used}; it {data}" if used and data else f"is {used}" if used else data
    return [Draft(f"`{name}` {told}.", tuple(dict.fromkeys((*marks, *more))))]


def users_of(unit: Source, catalog: Catalog) -> list[Edge]:
    """Return the resolved edges that use the unit by name, in order of path and line."""
    names = {name for name in (unit.name, unit.program if unit.kind in ("program", "division") else "") if name}
    if not names:
        return []
    found = catalog.generation(unit.codebase).edges(USERS.keys(), targets=names)
    return [edge for edge in found if edge.certainty != "unresolved" and edge.target_path in ("", unit.path)]


def _users(edges: Sequence[Edge], sources: Sequence[Source]) -> tuple[str, tuple[Mark, ...]]:
    """Return "called from `A` and `B`" with the lines that say so, "" when nothing can be cited."""
    told = _citable(edges, sources)
    if not told:
        return "", ()
    verb = USERS[told[0][0].kind]
    names = list(dict.fromkeys(f"`{edge.source}`" for edge, _ in told if USERS[edge.kind] == verb))[:MOST_NAMED]
    first = {f"`{edge.source}`": mark for edge, mark in reversed(told) if USERS[edge.kind] == verb}
    marks = tuple(dict.fromkeys(first[name] for name in names))
    return f"{verb} from {listed(names)}", marks


def _data(edges: Sequence[Edge], sources: Sequence[Source]) -> tuple[str, tuple[Mark, ...]]:
    """Return "reads `A` and writes `B` and `C`" with the lines that say so, "" when nothing can be cited."""
    told: dict[str, dict[str, Mark]] = {}
    for edge, mark in _citable(edges, sources):
        if sum(map(len, told.values())) < MOST_DATA:
            told.setdefault(DATA[edge.kind], {}).setdefault(f"`{edge.target}`", mark)
    phrases = [f"{verb} {listed(list(names))}" for verb, names in told.items()]
    marks = tuple(dict.fromkeys(mark for names in told.values() for mark in names.values()))
    return (listed(phrases) if phrases else ""), marks


def _citable(edges: Sequence[Edge], sources: Sequence[Source]) -> list[tuple[Edge, Mark]]:
    """Return the edges whose line lies in a source, with the mark that cites it."""
    found = []
    for edge in sorted(edges, key=lambda edge: (edge.path, edge.line, edge.target)):
        holding = [source for source in sources if source.path == edge.path and source.start_line <= edge.line <= source.end_line]
        best = min(holding, key=lambda source: source.name != edge.source) if holding else None
        told = edge.target if edge.kind in DATA else edge.source
        if best is not None and (_stands_there(told, edge, best) or (edge.kind not in DATA and told in (best.name, best.program))):
            found.append((edge, Mark(best.id, edge.line, edge.line)))
    return found


def _stands_there(name: str, edge: Edge, source: Source) -> bool:
    """Return whether a name is written in the edge's line (a file may be named by its record there)."""
    return key_of(name) in key_of(source.text(edge.line, edge.line)[0])


def listed(names: Sequence[str]) -> str:
    """Return names as an English list.

    >>> listed(["a", "b", "c"])
    'a, b and c'
    """
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
