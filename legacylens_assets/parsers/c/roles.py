"""One role for each line of C: where a chunk may begin and where it may not."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence

from legacylens_assets.parsers.c.clean import Clean
from legacylens_assets.types import BLANK, COMMENT, CONTINUED, START

_LABEL = re.compile(r"(?:case\b.*|default|[A-Za-z_]\w*)\s*:$")
_OPENS_LIST = re.compile(r"=\s*\{[^{}]*$")
_NEVER_FIRST = re.compile(r"[{})\],]|else\b|while\s*\(.*;$")
_NOTED = frozenset({"define", "include", "include_next", "import"})


def line_roles(clean: Clean, code: str, dead: Sequence[tuple[int, int]], spans: Sequence[tuple[int, int]], lists: Sequence[tuple[int, int]]) -> str:
    """Return the roles of all lines.

    ``spans`` are the line ranges of functions, sorted; ``lists`` those of initialisers, enums and structs: there a line may start after a comma.
    A statement starts after ``;``, a brace or a label, outside round brackets; dead text of ``#if 0`` is comment.
    """
    lines = code.split("\n")
    roles = [BLANK] * len(lines)
    for start, end in (*clean.comments, *dead):
        for number in range(clean.line_of(start), clean.line_of(max(start, end - 1)) + 1):
            roles[number - 1] = COMMENT
    directives = _directive_lines(clean)
    _dead_blanks(clean, dead, roles)
    in_function, in_list = _Ranges(spans), _Ranges(lists)
    rounds, last, depth, list_depth = 0, ";", 0, 0
    for index, line in enumerate(lines):
        number = index + 1
        body = line.strip()
        function = in_function.holds(number)
        if number in directives:
            roles[index] = _directive_role(directives[number], function, rounds, last)
            continue
        if not body:
            if function and rounds > 0 or function and last not in ";{}:,":
                roles[index] = CONTINUED
            continue
        if function == 2:
            rounds, last, depth, list_depth = 0, ";", 0, 0
        after_comma = last == "," and (list_depth and depth >= list_depth or in_list.holds(number))
        starts = function == 2 or (rounds <= 0 and (last in ";{}:" or after_comma) and not _NEVER_FIRST.match(body))
        roles[index] = START if starts or (not function and rounds <= 0 and last in ";}" and body[0] not in "{}") else CONTINUED
        rounds = max(0, rounds + body.count("(") - body.count(")"))
        depth += body.count("{") - body.count("}")
        if function and _OPENS_LIST.search(body):
            list_depth = depth
        elif depth < list_depth:
            list_depth = 0
        last = _last_of(body)
        if last in "{}":
            rounds = 0
    return "".join(roles)


def _last_of(body: str) -> str:
    last = body[-1]
    if last == ":" and not _LABEL.match(body):
        return "?"
    return last


def _directive_lines(clean: Clean) -> dict[int, tuple[str, bool]]:
    """Return, for each line of a directive, its word and whether it is the first line."""
    return {line: (d.word, line == d.line) for d in clean.directives for line in range(d.line, d.end_line + 1)}


def _directive_role(directive: tuple[str, bool], function: int, rounds: int, last: str) -> str:
    word, first = directive
    if not function and word not in _NOTED:
        return COMMENT
    if not first:
        return CONTINUED
    return START if not function or (rounds <= 0 and last in ";{}:,") else CONTINUED


def _dead_blanks(clean: Clean, dead: Sequence[tuple[int, int]], roles: list[str]) -> None:
    """Give back blank lines inside dead text their own role."""
    for start, end in dead:
        for number in range(clean.line_of(start), clean.line_of(max(start, end - 1)) + 1):
            place = clean.starts[number - 1]
            after = clean.starts[number] if number < len(clean.starts) else len(clean.text)
            if not clean.text[place:after].strip():
                roles[number - 1] = BLANK


class _Ranges:
    """Sorted line ranges that do not overlap, asked for in any order."""

    def __init__(self, ranges: Sequence[tuple[int, int]]) -> None:
        self.ranges = sorted(ranges)
        self.begins = [start for start, _ in self.ranges]

    def holds(self, line: int) -> int:
        """Return 0 when no range holds the line, 2 when one starts there, else 1."""
        place = bisect_right(self.begins, line) - 1
        if place < 0 or self.ranges[place][1] < line:
            return 0
        return 2 if self.begins[place] == line else 1
