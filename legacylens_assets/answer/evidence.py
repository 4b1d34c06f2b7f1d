"""From hits to the sources of an answer: exact line ranges of indexed files, de-duplicated, within a token budget."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import PurePosixPath
from types import MappingProxyType

from legacylens_assets.answer.facts import users_of
from legacylens_assets.answer.prompt import MOST_LINE
from legacylens_assets.answer.prose import code_of, comment_flags, comment_words
from legacylens_assets.answer.records import Source
from legacylens_assets.answer.units import Unit, units_of_files
from legacylens_assets.retrieval.catalog import Catalog, IndexedFile
from legacylens_assets.retrieval.terms import tokens_of
from legacylens_assets.types import Edge, Hit

CHARS_PER_TOKEN = 3.2
"""Characters of legacy code that make one token of a chat model, on the safe side."""

SMALL_UNIT = 12
"""A unit of fewer lines is sent with its neighbouring lines."""

PARENT_LINES = 40
"""Lines of the smallest enclosing unit that a tiny hit is widened to."""

HEADER_LINES = 60
MOST_USERS = 4
MOST_NEIGHBOURS = 3
"""Units beside the hits, from the files that were found, that hold most of the question's words."""

COPYING_HITS, MOST_COPIED, COPIED_AROUND, MOST_COPIED_FILE = 2, 1, 5, 2000
COPIES = frozenset({"copy", "include"})
EMPTY_TERMS: Mapping[str, float] = MappingProxyType({})
_NAME = re.compile(r"[A-Za-z][\w-]*\w")


def build_sources(
    hits: Sequence[Hit],
    catalog: Catalog,
    budget_tokens: int,
    terms: Mapping[str, float] = EMPTY_TERMS,
    with_headers: bool = True,
    with_graph: bool = True,
) -> list[Source]:
    """Return the sources of an answer, best first, ids S1, S2…; at most ``budget_tokens`` of text (the first is cut to fit, later ones are left out).

    Each hit gives its own lines, widened to its parent when it is tiny; the best hit's file adds its header comment, the files found add the units
    that hold most of the question's ``terms``, the best hits' COPY and INCLUDE statements the lines of the copied file that do, the graph the
    lines that use the best hit. Ranges that lie inside another are dropped.
    """
    room = _Room(int(budget_tokens * CHARS_PER_TOKEN))
    for hit in hits:
        file = catalog.generation(hit.codebase).file_at(hit.path)
        if file is None:
            continue
        room.add(_of_hit(hit, file, catalog))
        header = header_source(hit, file) if with_headers and len(room.found) == 1 else None
        if header is not None:
            room.add(header)
    if terms:
        shown = {hit.chunk_id for hit in hits}
        more = [unit for unit in units_of_files(hits, catalog, terms) if unit.chunk.chunk_id not in shown]
        for unit in more[:MOST_NEIGHBOURS]:
            room.add(_of_unit(unit))
        for hit in hits[:COPYING_HITS]:
            for source in copied_sources(hit, catalog, terms):
                room.add(source)
    found = room.found
    found += (
        [source for source in graph_sources(found[0], catalog) if not any(_inside(source, other) for other in found)] if found and with_graph else []
    )
    return [_renamed(source, f"S{number}") for number, source in enumerate(found, start=1)]


class _Room:
    """The sources so far and the characters that are left."""

    def __init__(self, chars: int) -> None:
        self.found: list[Source] = []
        self._left = chars

    def add(self, source: Source) -> None:
        """Add a source, cut to what is left, unless its unit lies in one that is there already."""
        if any(_inside(source, other) for other in self.found):
            return
        cut = _cut(source, self._left)
        if cut is not None:
            self._left -= sum(min(len(line), MOST_LINE) + 1 for line in cut.lines)
            self.found.append(cut)


def copied_sources(hit: Hit, catalog: Catalog, terms: Mapping[str, float]) -> list[Source]:
    """Return the lines of the files that a hit copies or includes which hold words of the question, or names that the hit's own code uses.

    Each is a source of its own file, with that file's line numbers: what is copied is never shown as lines of the file that copies it.
    """
    generation = catalog.generation(hit.codebase)
    edges = [edge for edge in generation.edges(COPIES, paths=(hit.path,)) if edge.target_path and edge.target_path != hit.path]
    names = frozenset(name.upper() for name in _NAME.findall(hit.text) if len(name) > 3)
    found: list[tuple[float, Source]] = []
    for path in dict.fromkeys(edge.target_path for edge in edges):
        file = generation.file_at(path)
        if file is None or len(file.lines) > MOST_COPIED_FILE:
            continue
        flags = comment_flags(file.lines, file.language)
        scored = []
        for number, line in enumerate(file.lines, start=1):
            used = not flags[number - 1] and any(name.upper() in names for name in _NAME.findall(line))
            worth = sum(terms.get(token, 0.0) for token in tokens_of(code_of(line, file.language))) + used
            scored.append((worth, -number))
        worth, place = max(scored, default=(0.0, 0))
        if worth > 1.0:
            start, end = max(1, -place - COPIED_AROUND), min(len(file.lines), -place + COPIED_AROUND)
            lines = file.lines[start - 1 : end]
            name = PurePosixPath(path).stem
            found.append((worth, Source(
                "", file.codebase, file.path, file.file_id, file.sha256, file.language, start, end, "copybook", name, "", lines,
                why="copied", unit_start=start, unit_end=end,
            )))  # fmt: skip
    return [source for _, source in sorted(found, key=lambda pair: (-pair[0], pair[1].path))[:MOST_COPIED]]


def header_source(hit: Hit, file: IndexedFile) -> Source | None:
    """Return the header comment of the hit's file as a source; None when there is none, or when the hit begins inside it."""
    flags = comment_flags(file.lines[:HEADER_LINES], file.language)
    told = [number for number, flag in enumerate(flags, start=1) if flag and comment_words(file.lines[number - 1], file.language)]
    if file.language == "text" or not told:
        return None
    start, end = told[0], told[0]
    for number in told[1:]:
        if number - end > 4:
            break
        end = number
    if hit.start_line <= end or end - start > 40:
        return None
    return _source(hit, file, start, end, "header")


def graph_sources(unit: Source, catalog: Catalog) -> list[Source]:
    """Return the lines that use the unit by name, as the graph has them: one source each, named after the unit that they belong to."""
    edges = users_of(unit, catalog)[:MOST_USERS]
    return [source for edge in edges if (source := edge_source(edge, unit.codebase, catalog)) is not None]


def edge_source(edge: Edge, codebase: str, catalog: Catalog) -> Source | None:
    """Return the line of an edge as a source named after the unit it belongs to; None when the file has no such line."""
    file = catalog.generation(codebase).file_at(edge.path)
    if file is None or not 1 <= edge.line <= len(file.lines):
        return None
    return Source(
        "", file.codebase, file.path, file.file_id, file.sha256, file.language, edge.line, edge.line, edge.kind, edge.source, "",
        (file.lines[edge.line - 1],), why="graph", unit_start=edge.line, unit_end=edge.line,
    )  # fmt: skip


def _of_hit(hit: Hit, file: IndexedFile, catalog: Catalog) -> Source:
    start, end = hit.start_line, min(hit.end_line, len(file.lines))
    if end - start + 1 < SMALL_UNIT:
        parent = catalog.generation(hit.codebase).parent_span(hit.path, start, end, PARENT_LINES)
        start, end = parent or (max(1, start - 3), min(len(file.lines), end + 6))
    return _source(hit, file, start, end, "hit")


def _of_unit(unit: Unit) -> Source:
    row, file = unit.chunk, unit.file
    start, end = row.start_line, min(row.end_line, len(file.lines))
    return Source(
        "", file.codebase, file.path, file.file_id, file.sha256, file.language, start, end, row.kind, row.name, unit.hit.program,
        file.lines[start - 1 : end], row.chunk_id, unit.score, "neighbour", start, end,
    )  # fmt: skip


def _source(hit: Hit, file: IndexedFile, start: int, end: int, why: str) -> Source:
    lines = file.lines[start - 1 : end]
    return Source(
        "", file.codebase, file.path, file.file_id, file.sha256, file.language, start, start + len(lines) - 1, hit.kind, hit.name, hit.program, lines,
        hit.chunk_id, hit.score, why, max(start, hit.start_line) if why == "hit" else start, min(end, hit.end_line) if why == "hit" else end,
    )  # fmt: skip


def _cut(source: Source, chars: int) -> Source | None:
    """Return the source with as many of its leading lines as fit; None when fewer than three (or all) would."""
    total = 0
    for number, line in enumerate(source.lines):
        total += min(len(line), MOST_LINE) + 1
        if total > chars:
            return _with_lines(source, source.lines[:number]) if number >= 3 else None
    return source if source.lines else None


def _with_lines(source: Source, lines: tuple[str, ...]) -> Source:
    end = source.start_line + len(lines) - 1
    return replace(source, lines=lines, end_line=end, unit_end=min(end, source.unit_end))


def _renamed(source: Source, name: str) -> Source:
    return replace(source, id=name)


def _inside(source: Source, other: Source) -> bool:
    """Return whether the unit of ``source`` lies in that of ``other``; lines that only surround a unit do not count."""
    return source.file_id == other.file_id and other.unit_start <= source.unit_start and source.unit_end <= other.unit_end
