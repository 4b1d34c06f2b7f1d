"""PROCEDURE DIVISION: sections, paragraphs and statements."""

from __future__ import annotations

from bisect import bisect_left

from legacylens_assets.parsers.cobol.data_division import is_data_start
from legacylens_assets.parsers.cobol.form import ANYWHERE, AREA_A
from legacylens_assets.parsers.cobol.reading import Reading
from legacylens_assets.parsers.cobol.statements import BLOCKS, read_statement
from legacylens_assets.parsers.cobol.tokens import DOT, IDENT, KEYWORD, NUMBER, SCOPED, VERB
from legacylens_assets.parsers.cobol.words import DATA_SECTIONS, DESCRIPTIONS, DIVISIONS, END_UNITS, LISTING, OPERATOR_WORDS, UNIT_IDS


def procedure_division(r: Reading, i: int) -> int:
    """Read sentences from ``i`` until another division, program or kind of fragment begins; return where."""
    stops = r.stops
    at = bisect_left(stops, i)
    starting = True
    size, kinds, upper = r.size, r.kind, r.upper
    while i < size:
        kind = kinds[i]
        if kind == DOT:
            i += 1
            starting = True
            continue
        if starting or r.first[i] in (AREA_A, ANYWHERE):
            if _leaves(r, i, starting):
                return i
            after = _header(r, i) if starting else _unannounced(r, i)
            if after > i:
                i = after
                starting = True
                continue
        while at < len(stops) and stops[at] <= i:
            at += 1
        end = stops[at] if at < len(stops) else size
        word = upper[i]
        if word in BLOCKS:
            i = min(BLOCKS[word](r, i), size)
            starting = kinds[i - 1] == DOT or word == "COPY"
        elif word in LISTING:
            i = _listing(r, i)
            starting = True
        else:
            _statement(r, i, end, starting)
            i = end
            starting = False
    return size


def _statement(r: Reading, i: int, end: int, starting: bool) -> None:
    """Read the statement, or the phrase of one, of tokens ``i`` to ``end``."""
    kind = r.kind[i]
    if kind == VERB or starting:
        r.mark(i)
    if kind in (VERB, SCOPED):
        read_statement(r, i, end)
    elif starting and kind == IDENT:
        r.problem(r.line[i], "unknown_statement", f"{r.text[i][:40]!r} begins no statement")


def _listing(r: Reading, i: int) -> int:
    """Return the index after a listing directive: its word, the literal of TITLE, a period."""
    r.mark(i)
    after = i + 1
    if r.upper[i] == "TITLE" and r.word(after)[:1] in ("'", '"') and r.line_of(after) == r.line[i]:
        after += 1
    return after + 1 if r.kind_at(after) == DOT else after


def _leaves(r: Reading, i: int, starting: bool) -> bool:
    """Return whether what begins at ``i`` is no part of this procedure division."""
    word, after = r.upper[i], r.word(i + 1)
    if after == "DIVISION":
        return word in DIVISIONS
    if word == "END":
        return after in END_UNITS
    if word in UNIT_IDS:
        return after == "."
    if r.mode in ("", "ENDED") and starting:
        if word == "SELECT" or (word in DATA_SECTIONS and after == "SECTION"):
            return True
        return (word in DESCRIPTIONS or r.kind[i] == NUMBER) and is_data_start(r, i)
    return False


def _header(r: Reading, i: int) -> int:
    """Read a section or paragraph header, or a declaratives marker, at a sentence start; return the index after it, or ``i``."""
    word, after, kind = r.upper[i], r.kind_at(i + 1), r.kind[i]
    if word == "DECLARATIVES" and after == DOT:
        r.mark(i)
        return i + 2
    if word == "END" and r.word(i + 1) == "DECLARATIVES":
        _close_section(r, i)
        r.mark(i)
        return i + 3 if r.kind_at(i + 2) == DOT else i + 2
    if r.word(i + 1) == "SECTION" and kind in (IDENT, NUMBER, KEYWORD):
        return _section(r, i)
    if kind in (IDENT, NUMBER) and r.is_name(i):
        if after == DOT and (not r.in_area_b(i) or word in r.targets()):
            return _paragraph(r, i, i + 2)
        if kind == IDENT and after == VERB and r.first[i] in (AREA_A, ANYWHERE) and r.first[i + 1]:
            r.problem(r.line[i], "missing_period", f"paragraph name {r.text[i]} is not followed by a period")
            return _paragraph(r, i, i + 1)
    return i


def _unannounced(r: Reading, i: int) -> int:
    """Read a header in area A although the sentence before it has no period; return the index after it, or ``i``."""
    if r.first[i] != AREA_A or not r.is_name(i) or r.upper[i - 1] in OPERATOR_WORDS:
        return i
    if r.word(i + 1) == "SECTION" or r.kind_at(i + 1) == DOT:
        r.problem(r.line[i - 1], "missing_period", f"the sentence before {r.text[i]} does not end with a period")
        return _header(r, i)
    return i


def _section(r: Reading, i: int) -> int:
    """Open a section: its name, the word SECTION, perhaps a priority number."""
    detail = {}
    at = i + 2
    if r.kind_at(at) == NUMBER:
        detail["priority"] = r.text[at]
        at += 1
    if r.kind_at(at) != DOT:
        if at < r.size and not r.first[at]:
            return i
        r.problem(r.line[i], "missing_period", f"section {r.text[i]} is not followed by a period")
    else:
        at += 1
    _close_section(r, i)
    r.section = r.open(r.text[i], "section", r.line[i], r.program, detail=detail)
    r.mark(i)
    return at


def _paragraph(r: Reading, i: int, after: int) -> int:
    r.close(r.paragraph, r.end_before(i))
    r.fields.clear()
    r.paragraph = r.open(r.text[i], "paragraph", r.line[i], r.section if r.section is not None else r.program)
    r.mark(i)
    return after


def _close_section(r: Reading, i: int) -> None:
    end = r.end_before(i)
    r.close(r.paragraph, end)
    r.close(r.section, end)
    r.paragraph = r.section = None
    r.fields.clear()
