"""Short forms of a parse for whole-value comparison."""

import textwrap

from legacylens_assets.parsers.fortran import parse
from legacylens_assets.types import ParsedFile, SourceFile


def parsed(text: str, path: str = "unit.f") -> ParsedFile:
    return parse(SourceFile(path, "fortran", "utf-8", tuple(text.split("\n"))))


def free(text: str) -> ParsedFile:
    return parsed(textwrap.dedent(text).strip("\n"), "unit.f90")


def outline(found: ParsedFile) -> list[str]:
    """``kind name start-end < parent`` for each symbol."""
    lines = []
    for symbol in found.symbols:
        inside = "" if symbol.parent is None else f" < {found.symbols[symbol.parent].name}"
        lines.append(f"{symbol.kind} {symbol.name} {symbol.start_line}-{symbol.end_line}{inside}".replace("  ", " "))
    return lines


def facts(found: ParsedFile) -> list[str]:
    return [f"{r.kind} {r.target} {r.line}" for r in found.references]
