"""Fortran, from FORTRAN 66 to Fortran 2018, in fixed and free form.

Sources: ISO/IEC 1539-1:2018; ANSI X3.9-1978 (FORTRAN 77); ANSI X3.9-1966; VAX FORTRAN for tab format, D lines and STRUCTURE.
Own statement scanner: forms and continuations in ``statements``, headers in ``headers``, nesting in ``units``. Deliberately not parsed:
expressions, FORMAT items, types of variables. Interface bodies are members of their interface, not definitions.
"""

from __future__ import annotations

from legacylens_assets.parsers.fortran.form import fixed_or_free, last_column
from legacylens_assets.parsers.fortran.statements import fixed_lines, free_lines, statements
from legacylens_assets.parsers.fortran.units import UnitBuilder
from legacylens_assets.types import BLANK, ParsedFile, SourceFile

__all__ = ["parse"]


def parse(source: SourceFile) -> ParsedFile:
    """Return the units, references and line roles of a Fortran file; never raises, linear in its length."""
    lines = source.lines
    form = fixed_or_free(lines, source.path)
    roles = [BLANK] * len(lines)
    directives: list[tuple[int, str]] = []
    free = form == "free"
    raws = free_lines(lines, roles, directives) if free else fixed_lines(lines, last_column(lines), roles, directives)
    builder = UnitBuilder()
    taken = 0
    for raw in raws:
        while taken < len(directives) and directives[taken][0] < raw.lines[0]:
            builder.directive(*directives[taken])
            taken += 1
        for statement in statements(raw, free):
            builder.take(statement)
    for directive in directives[taken:]:
        builder.directive(*directive)
    symbols, references, problems = builder.finish()
    return ParsedFile("fortran", form, symbols, references, problems, "".join(roles))
