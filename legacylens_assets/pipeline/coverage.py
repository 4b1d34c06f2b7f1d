"""How much of a file's code lies in named units."""

from __future__ import annotations

from legacylens_assets.types import CONTINUED, START, ParsedFile

ENCLOSING = frozenset({"program", "division", "job"})
"""Kinds that hold whole files: a line counts as named only in something deeper, except where a program has nothing deeper (Fortran main)."""


def named_lines(parsed: ParsedFile) -> int:
    """Return the number of code lines whose deepest unit is no program, division or job (Fortran's main program counts as a routine)."""
    enclosing = ENCLOSING - {"program"} if parsed.language == "fortran" else ENCLOSING
    size = len(parsed.roles)
    change = [0] * (size + 2)
    for symbol in parsed.symbols:
        if symbol.unit and symbol.kind not in enclosing and symbol.start_line <= symbol.end_line:
            change[symbol.start_line] += 1
            change[min(symbol.end_line, size) + 1] -= 1
    depth = found = 0
    for number, role in enumerate(parsed.roles, 1):
        depth += change[number]
        found += depth > 0 and role in (START, CONTINUED)
    return found
