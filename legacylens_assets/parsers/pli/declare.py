"""DECLARE statements: names, levels and attributes, factored or not."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from legacylens_assets.parsers.pli.syntax import NAME, close_of, skip_space

_PUNCTUATION = re.compile(r"[(),]")
_ITEM = re.compile(rf"\s*(\d+)?\s*({NAME}|\*|\()")
DEEPEST = 8
"""Parentheses within parentheses of factored names that are followed."""


@dataclass(frozen=True, slots=True)
class Declared:
    """One declared name: offsets of its first character (the level's, if it has one) and of its last, span of the name, attributes."""

    start: int
    end: int
    name: tuple[int, int]
    level: int
    attributes: str


def declared(text: str, at: int, end: int, level: int = 0, outer: str = "", depth: int = 0) -> Iterator[Declared]:
    """Yield the names declared between two offsets of masked text, in order; padding (`*`) is left out."""
    for start, stop in _items(text, at, end):
        match = _ITEM.match(text, start, stop)
        if match is None:
            continue
        own = int(match.group(1)[:3]) if match.group(1) else level
        if match.group(2) != "(":
            if match.group(2) != "*":
                attributes = f"{text[match.end() : stop]} {outer}"
                yield Declared(_first(match), _last(text, start, stop), match.span(2), own, attributes)
            continue
        close = close_of(text, match.start(2), stop)
        if depth < DEEPEST:
            yield from declared(text, match.end(), close - 1, own, f"{text[close:stop]} {outer}", depth + 1)


def _items(text: str, at: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the spans between commas that are outside parentheses."""
    depth, start = 0, at
    for match in _PUNCTUATION.finditer(text, at, end):
        token = match.group()
        if token == "(":
            depth += 1
        elif token == ")":
            depth = max(0, depth - 1)
        elif depth == 0:
            yield start, match.start()
            start = match.end()
    if skip_space(text, start, end) < end:
        yield start, end


def _first(match: re.Match[str]) -> int:
    return match.start(1) if match.group(1) else match.start(2)


def _last(text: str, start: int, stop: int) -> int:
    return start + len(text[start:stop].rstrip()) - 1
