"""Finds the line of a key in a TOML file: ``tomllib`` gives values without places."""

from __future__ import annotations

import re
from collections.abc import Sequence

HEADER = re.compile(r"\s*(\[\[?)\s*(.+?)\s*\]\]?\s*(#.*)?$")
ASSIGNMENT = re.compile(r"""\s*((?:[A-Za-z0-9_-]+|"[^"]*"|'[^']*')(?:\s*\.\s*(?:[A-Za-z0-9_-]+|"[^"]*"|'[^']*'))*)\s*=""")
NAME = re.compile(r"""[A-Za-z0-9_-]+|"[^"]*"|'[^']*'""")


def key_line(lines: Sequence[str], where: tuple[str | int, ...]) -> int:
    """Return the 1-based line on which ``where`` is set, else that of the longest part of it that is found, else 1.

    ``where`` is a path of keys; a number counts the tables of an array of tables from 0.

    >>> key_line(["[a.b]", "x = 1", "y = 2"], ("a", "b", "y"))
    3
    """
    best, best_length = 1, 0
    for number, place in _places(lines):
        length = _common(place, where)
        if length == len(place) and length > best_length:
            best, best_length = number, length
    return best


def _places(lines: Sequence[str]) -> list[tuple[int, tuple[str | int, ...]]]:
    """Return (line, path of keys) of every header and assignment, skipping the inside of multi-line strings."""
    found: list[tuple[int, tuple[str | int, ...]]] = []
    table: tuple[str | int, ...] = ()
    counts: dict[tuple[str | int, ...], int] = {}
    closing = ""
    for number, line in enumerate(lines, 1):
        if closing:
            closing = "" if closing in line else closing
            continue
        header, assignment = HEADER.match(line), ASSIGNMENT.match(line)
        if assignment:
            found.append((number, (*table, *_names(assignment.group(1)))))
        elif header:
            table = _names(header.group(2))
            if header.group(1) == "[[":
                counts[table] = counts.get(table, -1) + 1
                table = (*table, counts[table])
            found.append((number, table))
        for quotes in ('"""', "'''"):
            if line.count(quotes) % 2:
                closing = quotes
    return found


def _names(dotted: str) -> tuple[str | int, ...]:
    return tuple(name.strip("\"'") for name in NAME.findall(dotted))


def _common(place: tuple[str | int, ...], where: tuple[str | int, ...]) -> int:
    length = 0
    for one, other in zip(place, where, strict=False):
        if one != other:
            break
        length += 1
    return length
