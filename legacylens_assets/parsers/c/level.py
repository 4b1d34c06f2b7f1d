"""The file level of C, read by tree-sitter where it understands the text and by the scanner where it does not."""

from __future__ import annotations

from legacylens_assets.parsers.c import tree
from legacylens_assets.parsers.c.clean import Clean
from legacylens_assets.parsers.c.units import FileLevel, Scan, closing_braces, directives, nested
from legacylens_assets.types import Problem

TREE, MIXED, SCANNER = "tree-sitter", "mixed", "scanner"


def read(clean: Clean, code: str, shape: str) -> tuple[Scan, str]:
    """Return everything at file level of ``shape`` (code whose brackets close), macros and includes with it, and who read it; linear in the text.

    Where braces do not pair up, the scanner reads everything: it takes those in column 1 for file level, which a grammar cannot.
    """
    result = Scan()
    macros = directives(clean, result)
    pairs, odd = closing_braces(shape)
    level = FileLevel(shape, clean.text, pairs, macros, result)
    if odd is not None:
        result.problems.append(Problem(clean.line_of(odd), "uneven_braces", "braces do not pair up; those in column 1 were taken as file level"))
    outline = tree.outline(shape, macros) if odd is None else None
    if outline is None:
        level.walk(0, len(shape))
        nested(shape, pairs, result)
        return result, SCANNER
    scanned, noted = _walk(outline, level, result)
    if noted:
        outline.note_inside(result, code)
    if scanned:
        nested(shape, pairs, result)
    return result, MIXED if noted and scanned else SCANNER if scanned else TREE


def _walk(outline: tree.Outline, level: FileLevel, result: Scan) -> tuple[int, int]:
    """Note each part the tree understood and let the scanner read what lies between; return how many gaps and parts there were."""
    place = scanned = noted = 0
    code = outline.code
    for part in (*outline.parts, tree.Part(len(code), len(code), None)):
        if part.start < place:
            continue  # the scanner went on into it
        if code[place : part.start].strip():
            scanned += 1
            place = level.walk(place, part.start)
            if place > part.start:
                continue
        outline.note(part, result)
        noted += part.node is not None
        place = part.end
    if code[place:].strip():
        scanned += 1
        level.walk(place, len(code))
    return scanned, noted
