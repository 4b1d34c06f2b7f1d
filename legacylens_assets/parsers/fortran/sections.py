"""Files of declarations alone, as INCLUDE files are: runs of statements become units named "declarations"."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from legacylens_assets.types import Reference, Symbol


def with_sections(
    symbols: tuple[Symbol, ...], references: tuple[Reference, ...], statements: list[tuple[int, int]]
) -> tuple[tuple[Symbol, ...], tuple[Reference, ...]]:
    """Return symbols and references of a file of declarations (an INCLUDE file), with a section for each run of statements outside other units."""
    units = [s for s in symbols if s.unit]
    runs: list[list[int]] = []
    following = 0
    for start, end in statements:
        while following < len(units) and runs and units[following].start_line <= runs[-1][1]:
            following += 1
        if runs and not (following < len(units) and units[following].start_line <= start):
            runs[-1][1] = end
        else:
            runs.append([start, end])
    sections = [Symbol("declarations", "section", start, end) for start, end in runs]
    both = [*symbols, *sections]
    order = sorted(range(len(both)), key=lambda i: (both[i].start_line, i < len(symbols), i))
    place = {old: new for new, old in enumerate(order)}
    moved = tuple(replace(both[i], parent=_moved(both[i].parent, place)) for i in order)
    return moved, tuple(replace(r, source=_moved(r.source, place)) for r in references)


def _moved(index: int | None, place: Mapping[int, int]) -> int | None:
    return None if index is None else place[index]
