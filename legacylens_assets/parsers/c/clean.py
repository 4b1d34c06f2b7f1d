"""C text with everything that is not code blanked out, character for character, so that offsets and lines stay those of the file.

Translation phases 1-3 of ISO/IEC 9899:2018, 5.1.1.2: bracket trigraphs and digraphs, spliced lines, comments, literals.
Directives are listed apart.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

_START = re.compile(r"/\*|//|\"|'|^[ \t\f\v]*(?:#|%:|\?\?=)", re.M)
_STRING = re.compile(r'"(?:[^"\\\n]++|\\[\s\S])*+"?')
_CHARACTER = re.compile(r"'(?:[^'\\\n]++|\\[\s\S])*+'?")
_DIRECTIVE_WORD = re.compile(r"[ \t\f\v]*(?:#|%:|\?\?=)[ \t]*([A-Za-z_]*)")
_DIRECTIVE_STEP = re.compile(r"/\*|//|\"|'|\\[ \t]*\n|\n")
_NOT_NEWLINE = re.compile(r"[^\n]+")
_BRACKETS = {"??(": "[  ", "??)": "]  ", "??<": "{  ", "??>": "}  ", "<%": "{ ", "%>": "} ", "<:": "[ ", ":>": "] "}
_SPELLED = re.compile(r"\?\?[()<>]|<%|%>|<:(?!:)|:>")


@dataclass(frozen=True, slots=True)
class Directive:
    """A preprocessor directive: its word, offsets of its first and past its last character, first and last line."""

    word: str
    start: int
    end: int
    line: int
    end_line: int


class Clean:
    """A file's text, its code with all else blanked, its directives, and which lines hold comment text."""

    def __init__(self, lines: Sequence[str]) -> None:
        self.text = "\n".join(lines)
        self.starts = _line_starts(lines)
        self.directives: list[Directive] = []
        self.comments: list[tuple[int, int]] = []
        self.problems: list[tuple[int, str, str]] = []
        self.code = self._blanked()

    def line_of(self, offset: int) -> int:
        """Return the 1-based line of a character."""
        return bisect_right(self.starts, offset)

    def _blanked(self) -> str:
        """Return the code: comments, literals' contents and directives as blanks, newlines kept."""
        text, out, place = self.text, [], 0
        while True:
            found = _START.search(text, place)
            if found is None:
                out.append(text[place:])
                break
            start = found.start()
            out.append(text[place:start])
            token = found.group()
            if token == "/*":
                place = self._comment(start)
                out.append(blank(text[start:place]))
            elif token == "//":
                place = self._line_comment(start)
                out.append(blank(text[start:place]))
            elif token in "\"'":
                place = self._literal(start, token, out)
            else:
                place = self._directive(start)
                out.append(blank(text[start:place]))
        code = "".join(out)
        if _SPELLED.search(code):
            code = _SPELLED.sub(lambda m: _BRACKETS[m.group()], code)
        return code

    def _comment(self, start: int) -> int:
        end = self.text.find("*/", start + 2)
        if end < 0:
            self.problems.append((self.line_of(start), "open_comment", "comment is never closed"))
            end = len(self.text) - 2
        self.comments.append((start, end + 2))
        return max(end + 2, start + 2)

    def _line_comment(self, start: int) -> int:
        end = start
        while True:
            end = self.text.find("\n", end)
            if end < 0:
                end = len(self.text)
                break
            if self.text[end - 1] != "\\":
                break
            end += 1
        self.comments.append((start, end))
        return end

    def _literal(self, start: int, quote: str, out: list[str]) -> int:
        text = self.text
        if quote == "'" and start and text[start - 1].isalnum() and text[start + 1 : start + 2].isalnum() and text[start - 1] not in "LuU8":
            out.append(" ")
            return start + 1
        found = (_STRING if quote == '"' else _CHARACTER).match(text, start)
        end = found.end() if found else start + 1
        inside = blank(text[start + 1 : end - 1])
        out.append(quote + inside + quote if end - start >= 2 and text[end - 1] == quote else blank(text[start:end]))
        return end

    def _directive(self, start: int) -> int:
        text = self.text
        word = _DIRECTIVE_WORD.match(text, start)
        name = word.group(1) if word else ""
        place = word.end() if word else start + 1
        free_text = name in ("error", "warning", "pragma", "ident", "sccs")
        while True:
            found = _DIRECTIVE_STEP.search(text, place)
            if found is None:
                place = len(text)
                break
            token = found.group()
            if token == "\n":
                place = found.start()
                break
            place = self._directive_step(found.start(), found.end(), token, free_text)
        self.directives.append(Directive(name, start, place, self.line_of(start), self.line_of(max(start, place - 1))))
        return place

    def _directive_step(self, start: int, end: int, token: str, free_text: bool) -> int:
        """Return where to go on after a comment, a literal or a spliced line inside a directive."""
        if token == "/*":
            return self._comment(start)
        if token == "//":
            return self._line_comment(start)
        if token in "\"'" and not free_text:
            found = (_STRING if token == '"' else _CHARACTER).match(self.text, start)
            return found.end() if found else end
        return end


def blank(text: str) -> str:
    """Return ``text`` with every character but newlines replaced by a blank.

    >>> blank("a/*" + chr(10) + "b").split(chr(10))
    ['   ', ' ']
    """
    if "\n" not in text:
        return " " * len(text)
    return _NOT_NEWLINE.sub(lambda m: " " * (m.end() - m.start()), text)


def _line_starts(lines: Sequence[str]) -> list[int]:
    starts, place = [], 0
    for line in lines:
        starts.append(place)
        place += len(line) + 1
    return starts or [0]
