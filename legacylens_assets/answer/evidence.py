"""From hits to the sources of an answer: exact line ranges of indexed files, de-duplicated, within a token budget."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from legacylens_assets.answer.facts import users_of
from legacylens_assets.answer.prose import comment_flags, comment_words
from legacylens_assets.answer.records import Source
from legacylens_assets.retrieval.catalog import Catalog, IndexedFile
from legacylens_assets.types import Hit

CHARS_PER_TOKEN = 3.2
"""Characters of legacy code that make one token of a chat model, on the safe side."""

SMALL_UNIT = 12
"""A unit of fewer lines is sent with its neighbouring lines."""

HEADER_LINES = 60
MOST_USERS = 4


def build_sources(hits: Sequence[Hit], catalog: Catalog, budget_tokens: int, with_headers: bool = True, with_graph: bool = True) -> list[Source]:
    """Return the sources of an answer, best first, ids S1, S2…; at most ``budget_tokens`` of text (the first is cut to fit, later ones are left out).

    Each hit gives its own lines, widened when it is tiny; the best hit's file adds its header comment, the graph the lines that use the best hit.
    Ranges that lie inside another are dropped.
    """
    found: list[Source] = []
    left = int(budget_tokens * CHARS_PER_TOKEN)
    for hit in hits:
        file = catalog.generation(hit.codebase).file_at(hit.path)
        if file is None:
            continue
        drafts = [_of_hit(hit, file)]
        header = header_source(hit, file) if with_headers and not found else None
        if header is not None:
            drafts.append(header)
        for source in drafts:
            if any(_inside(source, other) for other in found):
                continue
            cut = _cut(source, left)
            if cut is None:
                continue
            left -= sum(len(line) + 1 for line in cut.lines)
            found.append(cut)
    found += graph_sources(found[0], catalog) if found and with_graph else []
    return [_renamed(source, f"S{number}") for number, source in enumerate(found, start=1)]


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
    found: list[Source] = []
    for edge in users_of(unit, catalog)[:MOST_USERS]:
        file = catalog.generation(unit.codebase).file_at(edge.path)
        if file is not None and 1 <= edge.line <= len(file.lines):
            found.append(
                Source(
                    "", file.codebase, file.path, file.file_id, file.sha256, file.language, edge.line, edge.line, edge.kind, edge.source, "",
                    (file.lines[edge.line - 1],), why="graph", unit_start=edge.line, unit_end=edge.line,
                )
            )  # fmt: skip
    return found


def _of_hit(hit: Hit, file: IndexedFile) -> Source:
    start, end = hit.start_line, min(hit.end_line, len(file.lines))
    if end - start + 1 < SMALL_UNIT:
        start, end = max(1, start - 3), min(len(file.lines), end + 6)
    return _source(hit, file, start, end, "hit")


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
        total += len(line) + 1
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
