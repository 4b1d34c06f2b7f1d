"""Runs of prototypes, externs and macro calls at file level as one unit named "declarations"."""

from __future__ import annotations

from legacylens_assets.parsers.c.clean import Clean
from legacylens_assets.parsers.c.units import Found, Scan

NAME = "declarations"


def loose_sections(clean: Clean, found: Scan, roles: str) -> list[Found]:
    """Return one section for each run of loose declarations; a run ends at the next definition, macro or include."""
    if not found.loose:
        return []
    taken = bytearray(len(roles) + 2)
    for item in found.found:
        if item.unit:
            first, last = clean.line_of(item.start), clean.line_of(item.end)
            taken[first : last + 1] = b"\x01" * (last + 1 - first)
    sections: list[Found] = []
    first = last = 0
    for start, end in sorted(found.loose):
        line, end_line = clean.line_of(start), clean.line_of(end)
        line, end_line = _free(line, end_line, taken)
        if line > end_line:
            continue
        if first and 1 not in taken[last : line + 1]:
            last = max(last, end_line)
            continue
        if first:
            sections.append(_section(clean, first, last))
        first, last = line, end_line
    if first:
        sections.append(_section(clean, first, last))
    return sections


def _free(line: int, end_line: int, taken: bytearray) -> tuple[int, int]:
    """Return the range without taken lines at its ends."""
    while line <= end_line and taken[line]:
        line += 1
    while end_line >= line and taken[end_line]:
        end_line -= 1
    return line, end_line if 1 not in taken[line : end_line + 1] else taken.index(1, line) - 1


def _section(clean: Clean, first: int, last: int) -> Found:
    after = clean.starts[last] if last < len(clean.starts) else len(clean.text) + 1
    return Found("section", NAME, clean.starts[first - 1], max(clean.starts[first - 1], after - 2))
