"""Text in which only code is left: comments, literals and what lies outside the margins are blanked, every character keeps its place."""

from __future__ import annotations

import bisect
import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from legacylens_assets.parsers.pli.margins import Margins
from legacylens_assets.types import BLANK, COMMENT, CONTINUED, START, Problem

LITERAL = "\x01"
"""Stands for each character inside quotes."""

LONGEST_LITERAL = 60
"""Lines that a literal may span; one that is longer is a stray quote."""

LOOK_AROUND = 200
"""Characters of a line that are read to tell a comment from an operator."""

_TOKEN = re.compile(r"/\*.*?(?:\*/|\Z)|//[^\n]*|'[^']*(?:'|\Z)|\"[^\"]*(?:\"|\Z)", re.DOTALL)
_TOKEN_TO_LINE_END = re.compile(r"/[/*][^\n]*|'[^']*(?:'|\Z)|\"[^\"]*(?:\"|\Z)")
_NOT_NEWLINE = re.compile(r"[^\n]")
_NOT_NEWLINES = re.compile(r"[^\n]+")
_FOLD = {code: code + 32 for code in range(ord("A"), ord("Z") + 1)}


@dataclass(slots=True)
class Masked:
    """The masked source. ``raw`` is what stood there, ``low`` the code folded to lower case: three texts of equal length.

    ``starts[i]`` is the offset of line ``i + 1``; ``first[i]`` the offset of its first code, or -1.
    """

    raw: str
    low: str
    starts: list[int]
    first: list[int]
    blank: list[bool]
    directives: list[int]
    problems: list[Problem] = field(default_factory=list)

    def line(self, offset: int) -> int:
        """Return the line that holds ``offset``."""
        return bisect.bisect_right(self.starts, offset)

    def roles(self, statements: Sequence[int]) -> str:
        """Return the role of each line, given the offsets at which statements start."""
        found = [(BLANK if empty else COMMENT) if first < 0 else CONTINUED for first, empty in zip(self.first, self.blank, strict=True)]
        for offset in statements:
            line = self.line(offset) - 1
            if self.first[line] == offset:
                found[line] = START
        for line in self.directives:
            found[line - 1] = START
        return "".join(found)


def mask(lines: Sequence[str], margins: Margins, directives: Sequence[int] = ()) -> Masked:
    """Return the masked source of a file; the lines numbered in ``directives`` are blanked."""
    left_out = set(directives)
    kept = [" " * len(line) if number in left_out else margins.code(line) for number, line in enumerate(lines, 1)]
    kept = [line.replace("\n", " ").replace("\x01", " ") if "\n" in line or "\x01" in line else line for line in kept]
    raw = "\n".join(kept)
    problems: list[Problem] = []
    starts = [0]
    for line in kept[:-1]:
        starts.append(starts[-1] + len(line) + 1)
    code = _blank_out(raw, starts, problems)
    low = code.lower()
    if len(low) != len(code):
        low = code.translate(_FOLD)
    first = []
    for start, line in zip(starts, code.split("\n"), strict=True):
        text = line.lstrip()
        first.append(start + len(line) - len(text) if text else -1)
    blank = [not line.strip() and number not in left_out for number, line in enumerate(kept, 1)]
    return Masked(raw, low, starts, first, blank, list(directives), problems)


def _blank_out(raw: str, starts: Sequence[int], problems: list[Problem]) -> str:
    """Return the text without comments and without what literals hold."""
    parts: list[str] = []
    at = copied = 0
    open_comment = False
    while True:
        match = (_TOKEN_TO_LINE_END if open_comment else _TOKEN).search(raw, at)
        if match is None:
            break
        start, end = match.span()
        text = match.group()
        if text.startswith("//"):
            if _is_operator(raw, start, end):
                at = start + 2
                continue
            parts.append(raw[copied:start] + " " * (end - start))
        elif text[0] == "/":
            if not open_comment and (not text.endswith("*/") or len(text) < 4):
                end = _end_of_line(raw, start)
                problems.append(
                    Problem(bisect.bisect_right(starts, start), "unterminated_comment", "a comment has no end; it is taken to end with its line")
                )
                open_comment = True
            parts.append(raw[copied:start])
            parts.append(_NOT_NEWLINES.sub(_spaces, raw[start:end]))
        else:
            if len(text) < 2 or text[-1] != text[0] or text.count("\n") > LONGEST_LITERAL:
                problems.append(
                    Problem(bisect.bisect_right(starts, start), "unterminated_string", "a literal has no end; it is taken to end with its line")
                )
                end = max(_end_of_literal(raw, start), start + 1)
            parts.append(raw[copied:start])
            parts.append(text[0] + _NOT_NEWLINE.sub(LITERAL, raw[start + 1 : end - 1]) + text[0] if end - start > 1 else text[0])
        at = copied = end
    parts.append(raw[copied:])
    return "".join(parts)


def _is_operator(raw: str, start: int, end: int) -> bool:
    """Return whether `//` is the concatenation of the 48-character set and not a comment to the end of the line: it stands inside a statement."""
    nearest = max(0, start - LOOK_AROUND)
    before = raw[max(nearest, raw.rfind("\n", nearest, start) + 1) : start].rstrip()
    return bool(before) and before[-1] not in ";,:/" and raw.find(";", start, min(end, start + LOOK_AROUND)) >= 0


def _spaces(match: re.Match[str]) -> str:
    return " " * (match.end() - match.start())


def _end_of_literal(raw: str, start: int) -> int:
    """Return the end of the line, or of the code before the semicolon that closes it."""
    end = _end_of_line(raw, start)
    text = raw[start:end].rstrip()
    return start + len(text) - 1 if text.endswith(";") else end


def _end_of_line(raw: str, start: int) -> int:
    end = raw.find("\n", start)
    return end if end >= 0 else len(raw)
