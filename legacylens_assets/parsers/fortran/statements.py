"""Lines to statements: comments, continuations, labels, literals and ``;`` are dealt with here, for both source forms.

A statement's text has its literals emptied (``''``) and its insignificant blanks removed: all of them in fixed form, in free form
all but one between two names. A newline in the text marks where the next line of the file was joined, so lines can be told afterwards.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from operator import itemgetter

from legacylens_assets.types import COMMENT, CONTINUED, START

_AWKWARD = re.compile(r"['\"!;]|\d[hH]")
_TOKEN = re.compile(r"'[^']*'?|\"[^\"]*\"?|(?<![A-Za-z0-9_$])(\d{1,4})[hH]|![^\n]*")
_BLANKS = re.compile(r"[ \t\f\r\v\x1a\x00]+")
_FREE_BLANKS = re.compile(r"(?<![\w$])[ \t\f\r\v]+|[ \t\f\r\v]+(?![\w$\n ])")
_RUN = re.compile(r"[ \t\f\r\v]+")
_TYPE_LENGTH = re.compile(r"\s*(?:[A-Za-z]\s*){4,16}\*\s*$")
_DEBUG_CODE = re.compile(r"d(?:ata\s|o\s|imension|ouble|eallocate|o\d)", re.I)
_QUOTE_OR_MARK = re.compile(r"['\"!]")
_NON_ASCII = re.compile(r"[^\x00-\x7f]")


@dataclass(frozen=True, slots=True)
class Raw:
    """One statement before its text is normalised: its first and last line and the pieces of its lines, joined by newlines.

    ``lines`` are the 1-based lines of the pieces.
    """

    pieces: list[str]
    lines: list[int]


@dataclass(frozen=True, slots=True)
class Statement:
    """One statement: normalised text as written, the same in lower case, first and last line, and where its lines begin in the text."""

    text: str
    low: str
    start: int
    end: int
    raw: str
    breaks: tuple[tuple[int, int], ...] = ()

    def line_at(self, offset: int) -> int:
        """Return the line of the file that the character at ``offset`` of the text stands on."""
        place = bisect_right(self.breaks, offset, key=itemgetter(0)) - 1
        return self.breaks[place][1] if place >= 0 else self.start


class _Alternatives:
    """Branches of an ``#if`` inside one statement: only the first that adds lines to it counts."""

    def __init__(self) -> None:
        self.open: list[tuple[int, bool]] = []  # pieces at the #if, whether the present branch is skipped

    def see(self, line: str, pieces: int) -> None:
        """Take a preprocessor line that stands after ``pieces`` lines of a statement."""
        word = line[1:].lstrip()
        if word.startswith("if"):
            self.open.append((pieces, self.skipped))
        elif word.startswith("el") and self.open:
            before, _ = self.open[-1]
            self.open[-1] = before, pieces > before
        elif word.startswith("endif") and self.open:
            self.open.pop()

    @property
    def skipped(self) -> bool:
        """Whether lines are now those of a later branch."""
        return any(skipped for _, skipped in self.open[-4:])


def fixed_lines(lines: Sequence[str], width: int, roles: list[str], directives: list[tuple[int, str]]) -> Iterator[Raw]:
    """Yield the statements of fixed-form lines; fill ``roles`` and the preprocessor's lines.

    Column 1 of C, c, *, ! (and D before a blank, digit or tab) makes a comment; any character but blank or 0 in column 6 continues;
    a tab in the label field moves to the statement, and a digit 1-9 after it continues (DEC).
    """
    pieces: list[str] = []
    numbers: list[int] = []
    in_directive, branches, last = False, _Alternatives(), 0
    for number, line in enumerate(lines, 1):
        first = line[:1]
        if in_directive or first == "#":
            roles[number - 1] = COMMENT
            if not in_directive:
                directives.append((number, line))
                branches.see(line, len(pieces))
            in_directive = line.endswith("\\")
            continue
        body = line.lstrip()
        if not body or body == "\x1a":
            continue
        if _is_fixed_comment(line, body):
            roles[number - 1] = COMMENT
            continue
        piece, continues = _fixed_piece(line, body, width)
        if continues and pieces:
            roles[last:number] = CONTINUED * (number - last)
            last = number
            if not branches.skipped:
                pieces.append(piece)
                numbers.append(number)
            continue
        if pieces:
            yield Raw(pieces, numbers)
            branches.open.clear()
        roles[number - 1] = START
        pieces, numbers, last = [piece], [number], number
    if pieces:
        yield Raw(pieces, numbers)


def _is_fixed_comment(line: str, body: str) -> bool:
    first = line[0]
    if first in "cC*!$@":
        return True
    if first in "dD":
        return not _DEBUG_CODE.match(line)
    return body[0] == "!" and not (line[5:6] == "!" and len(line) - len(body) == 5)


def _fixed_piece(line: str, body: str, width: int) -> tuple[str, bool]:
    """Return the statement part of a fixed-form line, label dropped, and whether it continues the statement before."""
    if line[0] == "&":
        return line[1:], True
    tab = line.find("\t", 0, 6)
    if tab >= 0:
        label, rest = line[:tab], line[tab + 1 :]
        if not label.strip() or label.strip().isdigit():
            if rest[:1] in "123456789" and rest[:1]:
                return rest[1:], True
            if not label.strip() and tab == 0 and rest[:1] == "&":
                return rest[1:], True
            return rest, False
        return line, False
    label = line[:5]
    if label == "     ":
        return line[6:width], line[5] not in " 0"
    if label.strip().isdigit() or label.isspace():
        return line[6:width], line[5:6] not in (" ", "0", "")
    return body[: width - (len(line) - len(body))], False


def free_lines(lines: Sequence[str], roles: list[str], directives: list[tuple[int, str]]) -> Iterator[Raw]:
    """Yield the statements of free-form lines; fill ``roles`` and the preprocessor's lines.

    A final ``&`` continues; a leading one joins without a blank; comments and blank lines may stand between; a literal may go over lines.
    """
    pieces: list[str] = []
    numbers: list[int] = []
    quote, in_directive, branches = "", False, _Alternatives()
    for number, line in enumerate(lines, 1):
        body = line.strip(" \t\r\f\v\x1a")
        if in_directive or line[:1] == "#":
            roles[number - 1] = CONTINUED if pieces else COMMENT
            if not in_directive:
                directives.append((number, line))
                if pieces:
                    branches.see(line, len(pieces))
            in_directive = line.endswith("\\")
            continue
        if not body or body[0] == "!" and not quote or branches.skipped:
            if pieces:
                roles[number - 1] = CONTINUED
            elif body:
                roles[number - 1] = COMMENT
            continue
        code, quote = _free_code(body, quote)
        continued = code.endswith("&")
        roles[number - 1] = CONTINUED if pieces else START
        if pieces:
            code = code[1:] if code.startswith("&") else " " + code
        pieces.append(code[:-1] if continued else code)
        numbers.append(number)
        if not continued:
            yield Raw(pieces, numbers)
            pieces, numbers, quote = [], [], ""
            branches.open.clear()
    if pieces:
        yield Raw(pieces, numbers)


def _free_code(body: str, quote: str) -> tuple[str, str]:
    """Return a free-form line without its comment, and the quote still open at its end ("" for none)."""
    if not quote and "'" not in body and '"' not in body:
        mark = body.find("!")
        return (body if mark < 0 else body[:mark].rstrip()), ""
    place = 0
    if quote:
        place = body.find(quote)
        if place < 0:
            return body, quote if body.endswith("&") else ""
        place += 1
    while True:
        found = _QUOTE_OR_MARK.search(body, place)
        if found is None:
            return body.rstrip(), ""
        if found.group() == "!":
            return body[: found.start()].rstrip(), ""
        closing = body.find(found.group(), found.end())
        if closing < 0:
            return body, found.group() if body.endswith("&") else ""
        place = closing + 1


def statements(raw: Raw, free: bool) -> Iterator[Statement]:
    """Yield the statements of a raw one, split at ``;`` and normalised."""
    single = len(raw.pieces) == 1
    joined = raw.pieces[0] if single else "\n".join(raw.pieces)
    text = joined
    several = False
    if _AWKWARD.search(joined):
        if not single and not free:
            joined = "\n".join(piece.ljust(66) for piece in raw.pieces)
        text = _without_literals(joined)
        several = ";" in text
    if not text.isascii():
        text = _NON_ASCII.sub("?", text)
    if several:
        line = 0
        for part in text.split(";"):
            yield from _normalised(part, raw.lines[line:], free, joined)
            line += part.count("\n")
    else:
        yield from _normalised(text, raw.lines, free, joined)


def _without_literals(text: str) -> str:
    """Return ``text`` with literals emptied, comments cut and Hollerith constants replaced; newlines are kept."""
    out: list[str] = []
    place = 0
    while True:
        found = _TOKEN.search(text, place)
        if found is None:
            out.append(text[place:])
            return "".join(out)
        out.append(text[place : found.start()])
        token = found.group()
        if token[0] == "!":
            place = found.end()
        elif found.group(1):
            if len(out) == 1 and _TYPE_LENGTH.match(out[0]):
                out.append(token)
                place = found.end()
                continue
            place = _skip(text, found.end(), int(found.group(1)))
            out.append("''" + "\n" * text.count("\n", found.end(), place))
        else:
            place = found.end()
            out.append("''" + "\n" * token.count("\n"))


def _skip(text: str, place: int, count: int) -> int:
    """Return the offset after ``count`` characters of Hollerith text, newlines not counted."""
    while count > 0 and place < len(text):
        if text[place] != "\n":
            count -= 1
        place += 1
    return place


def _normalised(text: str, lines: list[int], free: bool, raw: str) -> Iterator[Statement]:
    if free:
        text = _RUN.sub(" ", _FREE_BLANKS.sub("", text)) if " " in text or "\t" in text else text
        text = text.lstrip(" \n0123456789") if text[:1].isdigit() or text[:1] in " \n" else text
    else:
        text = text.replace(" ", "") if "\t" not in text and "\f" not in text else _BLANKS.sub("", text)
    start, end = lines[0], lines[-1]
    breaks: tuple[tuple[int, int], ...] = ()
    if "\n" in text:
        text, start, end, breaks = _unjoined(text, lines)
    elif len(lines) > 1:
        end = start
    if text:
        yield Statement(text, text.lower(), start, end, raw, breaks)


def _unjoined(text: str, lines: list[int]) -> tuple[str, int, int, tuple[tuple[int, int], ...]]:
    """Return the text without newline marks, its first and last line, and the offsets at which its lines begin."""
    places: list[tuple[int, int]] = []
    out: list[str] = []
    length = 0
    start = 0
    for part, line in zip(text.split("\n"), lines, strict=False):
        if part and out and out[-1].endswith(" ") and not (part[0].isalnum() or part[0] in "_$"):
            out[-1] = out[-1][:-1]
            length -= 1
        places.append((length, line))
        if part:
            start = start or line
            out.append(part)
            length += len(part)
    return "".join(out), start or lines[0], places[-1][1], tuple(places)
