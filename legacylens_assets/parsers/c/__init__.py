"""C, from Kernighan & Ritchie's to C17, before preprocessing.

Sources: ISO/IEC 9899:2018; Kernighan & Ritchie 1978, appendix A.
tree-sitter-c reads the text once its ``#if`` branches are settled. Where it finds errors, K&R headers or macros for headers, a scanner
reads the file level and skips bodies by their brackets; above 5 % of errors it reads the whole file. ``form`` says who read it: "tree-sitter",
"mixed" or "scanner". Deliberately not parsed: expressions and types.
Definitions inside ``#if 0`` are dead text. A call of a macro that stands as a header is named ``MACRO(arguments)``.
"""

from __future__ import annotations

from bisect import bisect_right

from legacylens_assets.parsers.c.branches import resolve
from legacylens_assets.parsers.c.calls import calls_in
from legacylens_assets.parsers.c.clean import Clean
from legacylens_assets.parsers.c.level import read
from legacylens_assets.parsers.c.roles import line_roles
from legacylens_assets.parsers.c.sections import loose_sections
from legacylens_assets.parsers.c.units import Scan
from legacylens_assets.types import ParsedFile, Problem, Reference, SourceFile, Symbol

__all__ = ["parse"]

_HOLDERS = frozenset({"function", "struct", "union", "enum"})


def parse(source: SourceFile) -> ParsedFile:
    """Return the functions, types, globals, calls and line roles of a C file; never raises, linear in its length."""
    clean = Clean(source.lines)
    branches = resolve(clean)
    found, form = read(clean, branches.code, branches.shape)
    functions = sorted((clean.line_of(found.found[i].start), clean.line_of(found.found[i].end)) for i, _, _ in found.bodies)
    lists = [(clean.line_of(start), clean.line_of(end)) for start, end in found.lists]
    roles = line_roles(clean, branches.code, branches.dead, functions, lists)[: len(source.lines)]
    symbols, places = _symbols(clean, found, roles)
    references = _references(clean, branches.code, found, symbols, places)
    problems = [Problem(line, code, message) for line, code, message in clean.problems] + found.problems
    problems.sort(key=lambda p: (p.line, p.code))
    return ParsedFile("c", form, symbols, references, tuple(problems), roles)


def _symbols(clean: Clean, found: Scan, roles: str) -> tuple[tuple[Symbol, ...], dict[int, int]]:
    """Return the symbols in order, each with its parent, and where each found one went."""
    items = list(found.found)
    items.extend(loose_sections(clean, found, roles))
    order = sorted(range(len(items)), key=lambda i: (clean.line_of(items[i].start), -clean.line_of(items[i].end), items[i].start, i))
    symbols: list[Symbol] = []
    places: dict[int, int] = {}
    open_holders: list[tuple[int, int]] = []  # (index, offset of the end)
    for i in order:
        item = items[i]
        while open_holders and open_holders[-1][1] < item.end:
            open_holders.pop()
        holder = open_holders[-1][0] if open_holders else None
        parent = holder if holder is not None and items[order[holder]].start < item.start else None
        start, end = clean.line_of(item.start), clean.line_of(item.end)
        unit = item.unit and parent is None
        places[i] = len(symbols)
        symbols.append(Symbol(item.name, item.kind, start, end, parent, unit, item.detail))
        if item.kind in _HOLDERS:
            open_holders.append((len(symbols) - 1, item.end))
    return tuple(symbols), places


def _references(clean: Clean, code: str, found: Scan, symbols: tuple[Symbol, ...], places: dict[int, int]) -> tuple[Reference, ...]:
    """Return calls by function and includes, in order of lines."""
    references: list[Reference] = []
    for index, start, end in found.bodies:
        source = places[index]
        seen: set[tuple[str, int]] = set()
        for name, place, dynamic in found.calls[index] if index in found.calls else calls_in(code, start, end):
            line = clean.line_of(place)
            if (name, line) not in seen:
                seen.add((name, line))
                references.append(Reference("call_dynamic" if dynamic else "call", name, line, source))
    for item in found.found:
        if item.kind == "include":
            references.append(Reference("include", item.name, clean.line_of(item.start), _holder(clean, found, places, item.start)))
    references.sort(key=lambda r: (r.line, r.kind, r.target))
    return tuple(references)


def _holder(clean: Clean, found: Scan, places: dict[int, int], offset: int) -> int | None:
    """Return the function that holds an offset, or None."""
    place = bisect_right(found.bodies, offset, key=lambda body: body[1]) - 1
    if place >= 0 and offset < found.bodies[place][2]:
        return places[found.bodies[place][0]]
    return None
