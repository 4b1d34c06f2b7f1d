"""From heads of sections to nested symbols: what every dialect of plain text shares."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from legacylens_assets.types import BLANK, COMMENT, CONTINUED, EMPTY, START, Problem, Reference, Symbol


@dataclass(frozen=True, slots=True)
class Head:
    """A line that opens a section.

    The section runs to the line before the next head of the same or a smaller ``level``, or to ``end`` when that is given.
    """

    line: int
    level: int
    name: str
    kind: str
    unit: bool = True
    detail: Mapping[str, str] = field(default_factory=lambda: EMPTY)
    end: int = 0


@dataclass(frozen=True, slots=True)
class Draft:
    """What a dialect found. ``references`` have no source yet."""

    roles: str
    heads: Sequence[Head] = ()
    references: Sequence[Reference] = ()
    problems: Sequence[Problem] = ()


def nested(heads: Iterable[Head], roles: str) -> tuple[Symbol, ...]:
    """Return the sections as symbols, ordered and nested; a section ends at its last line that is neither blank nor comment."""
    ordered = sorted(heads, key=lambda head: (head.line, head.level))
    ends = _ends(ordered, roles)
    symbols: list[Symbol] = []
    stack: list[tuple[int, int]] = []
    for head, end in zip(ordered, ends, strict=True):
        while stack and (stack[-1][0] >= head.level or symbols[stack[-1][1]].end_line < head.line):
            stack.pop()
        parent = stack[-1][1] if stack else None
        limit = symbols[parent].end_line if parent is not None else len(roles)
        symbols.append(Symbol(head.name, head.kind, head.line, min(end, limit), parent, head.unit, head.detail))
        stack.append((head.level, len(symbols) - 1))
    return tuple(symbols)


def _ends(heads: Sequence[Head], roles: str) -> list[int]:
    """Return the last line of each section, in one pass from the end of the file."""
    count = len(roles)
    last_text = [0] * (count + 1)
    for line in range(1, count + 1):
        last_text[line] = line if roles[line - 1] in (START, CONTINUED) else last_text[line - 1]
    nearest: dict[int, int] = {}
    ends = [0] * len(heads)
    for position in range(len(heads) - 1, -1, -1):
        head = heads[position]
        following = min((line for level, line in nearest.items() if level <= head.level), default=count + 1)
        end = min(head.end, following - 1) if head.end else last_text[following - 1]
        ends[position] = max(end, head.line)
        nearest[head.level] = head.line
    return ends


def with_sources(references: Iterable[Reference], symbols: Sequence[Symbol]) -> tuple[Reference, ...]:
    """Return the references in line order, each with the deepest symbol that holds its line."""
    found = []
    stack: list[int] = []
    position = 0
    for reference in sorted(references, key=lambda r: r.line):
        while position < len(symbols) and symbols[position].start_line <= reference.line:
            stack.append(position)
            position += 1
        while stack and symbols[stack[-1]].end_line < reference.line:
            stack.pop()
        source = stack[-1] if stack else None
        found.append(Reference(reference.kind, reference.target, reference.line, source, reference.detail))
    return tuple(found)


def prose_roles(lines: Sequence[str]) -> str:
    """Return START for every line with text."""
    return "".join(START if line.strip() else BLANK for line in lines)


_MARK = re.compile(r"/\*|\*/|'(?:[^'\n]|'')*'|\"(?:[^\"\n]|\"\")*\"")


def strip_block_comments(lines: Sequence[str], nest: bool = False) -> tuple[list[str], str]:
    """Return the lines with ``/* … */`` blanked, and their roles (no CONTINUED yet). Marks inside quotes are text.

    ``nest`` counts comments within comments, as REXX does.
    """
    clean, roles = [], []
    depth = 0
    for line in lines:
        if depth == 0 and "/*" not in line:
            clean.append(line)
            roles.append(START if line.strip() else BLANK)
            continue
        kept, depth = _without_comments(line, depth, nest)
        clean.append(kept)
        roles.append(START if kept.strip() else (COMMENT if line.strip() else BLANK))
    return clean, "".join(roles)


def _without_comments(line: str, depth: int, nest: bool) -> tuple[str, int]:
    """Return the line with the parts inside comments replaced by spaces, and the depth at its end."""
    kept: list[str] = []
    at = 0
    while at < len(line):
        if depth:
            close, inner = line.find("*/", at), line.find("/*", at) if nest else -1
            if inner >= 0 and (close < 0 or inner < close):
                depth, stop = depth + 1, inner + 2
            else:
                stop = close + 2 if close >= 0 else len(line)
                depth -= close >= 0
            kept.append(" " * (stop - at))
            at = stop
            continue
        match = _MARK.search(line, at)
        if match is None or match.group() != "/*":
            stop = match.end() if match else len(line)
            kept.append(line[at:stop])
        else:
            kept.append(line[at : match.start()] + "  ")
            depth, stop = 1, match.end()
        at = stop
    return "".join(kept), depth
