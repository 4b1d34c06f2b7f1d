"""Short forms of a parse for whole-value comparison."""

from legacylens_assets.parsers.c import parse
from legacylens_assets.types import ParsedFile, SourceFile


def parsed(text: str) -> ParsedFile:
    return parse(SourceFile("unit.c", "c", "utf-8", tuple(text.split("\n"))))


def outline(text: str) -> list[str]:
    """``kind name start-end < parent`` for each symbol."""
    found = parsed(text)
    lines = []
    for symbol in found.symbols:
        inside = "" if symbol.parent is None else f" < {found.symbols[symbol.parent].name}"
        lines.append(f"{symbol.kind} {symbol.name} {symbol.start_line}-{symbol.end_line}{inside}".replace("  ", " "))
    return lines


def functions(text: str) -> list[str]:
    return [f"{s.name} {s.start_line}-{s.end_line}" for s in parsed(text).symbols if s.kind == "function"]


def calls(text: str) -> list[str]:
    return [f"{r.kind} {r.target} {r.line}" for r in parsed(text).references]
