"""Helpers of the COBOL tests: text in, small comparable values out."""

from legacylens_assets.parsers.cobol import parse
from legacylens_assets.types import ParsedFile, SourceFile

PRIMARY = ("program", "section", "paragraph")


def source(text: str, path: str = "a.cbl") -> SourceFile:
    return SourceFile(path, "cobol", "utf-8", tuple(text.split("\n")))


def fixed(*cards: str) -> str:
    """Return lines of fixed form from text that begins in column 7 (the indicator)."""
    return "\n".join("      " + card for card in cards)


def read(text: str) -> ParsedFile:
    return parse(source(text))


def procedure(*cards: str) -> ParsedFile:
    """Parse a program whose procedure division holds ``cards``; they begin on line 4."""
    return read(fixed(" IDENTIFICATION DIVISION.", " PROGRAM-ID. P.", " PROCEDURE DIVISION.", *cards))


def working_storage(*cards: str) -> ParsedFile:
    """Parse a program whose working storage holds ``cards``; they begin on line 5."""
    return read(fixed(" IDENTIFICATION DIVISION.", " PROGRAM-ID. P.", " DATA DIVISION.", " WORKING-STORAGE SECTION.", *cards))


def outline(parsed: ParsedFile, *kinds: str) -> list[tuple[str, str, int, int, str | None]]:
    """Return (name, kind, start, end, parent's name) of the symbols of some kinds (the primary ones by default)."""
    return [
        (s.name, s.kind, s.start_line, s.end_line, None if s.parent is None else parsed.symbols[s.parent].name)
        for s in parsed.symbols
        if s.kind in (kinds or PRIMARY)
    ]


def paragraphs(parsed: ParsedFile) -> list[str]:
    return [s.name for s in parsed.symbols if s.kind == "paragraph"]


def mentions(parsed: ParsedFile, *kinds: str) -> list[tuple[str, str, int, dict[str, str]]]:
    """Return (kind, target, line, detail) of the references of some kinds."""
    return [(r.kind, r.target, r.line, dict(r.detail)) for r in parsed.references if r.kind in kinds]


def detail(parsed: ParsedFile, name: str) -> dict[str, str]:
    return dict(next(s for s in parsed.symbols if s.name == name).detail)


def codes(parsed: ParsedFile) -> list[tuple[int, str]]:
    return [(p.line, p.code) for p in parsed.problems]
