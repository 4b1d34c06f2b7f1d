"""Oversized segments -> parts, cut only where a statement starts.

Parts are cut from the bottom up, so that lines added at the top of a unit change its first parts only.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from legacylens_assets.chunking.budget import Budget
from legacylens_assets.chunking.layout import Layout
from legacylens_assets.chunking.segments import Segment
from legacylens_assets.types import BLANK, COMMENT


@dataclass(frozen=True, slots=True)
class Piece:
    """Lines of one chunk. ``part`` counts from 1, 0 when the segment is whole; ``hard`` says that a statement was cut."""

    owner: int
    start: int
    end: int
    part: int
    hard: bool


def pieces_of(segment: Segment, layout: Layout, budget: Budget) -> list[Piece]:
    """Return the segment in parts of at most ``budget.most`` characters, as far as statements allow."""
    spans = _cut(segment.start, segment.end, layout, budget)
    whole = len(spans) == 1
    return [Piece(segment.owner, start, end, 0 if whole else number, hard) for number, (start, end, hard) in enumerate(spans, 1)]


def _cut(start: int, end: int, layout: Layout, budget: Budget) -> list[tuple[int, int, bool]]:
    """Return spans (first line, last line, cut inside a statement) that cover ``start..end``."""
    spans: list[tuple[int, int, bool]] = []
    torn = False
    while start <= end:
        left = layout.size(start, end)
        if left <= budget.most:
            spans.append((start, end, False))
            break
        aim = left / 2 if left <= 2 * budget.part else budget.part
        line, torn = _best_cut(start, end, aim, layout, replace(budget, hard=budget.most) if torn else budget)
        spans.append((line, end, torn))
        end = line - 1
    return _mark_cut_statements(spans[::-1])


def _mark_cut_statements(spans: list[tuple[int, int, bool]]) -> list[tuple[int, int, bool]]:
    """Mark also the span whose last statement runs on into a span that was cut hard."""
    return [(start, end, hard or (nxt < len(spans) and spans[nxt][2])) for nxt, (start, end, hard) in enumerate(spans, 1)]


def _best_cut(start: int, end: int, aim: float, layout: Layout, budget: Budget) -> tuple[int, bool]:
    """Return the line at which the last part of ``start..end`` begins, and whether that line continues a statement.

    Of the lawful cuts that give at most ``budget.most`` characters the nearest to ``aim`` wins, blank lines and comments before others; else the
    nearest lawful cut up to ``budget.hard``; else any line.
    """
    best, best_cost, fallback = 0, float("inf"), 0
    for line in range(end, start, -1):
        size = layout.size(line, end)
        if best and size > budget.most:
            break
        if size > budget.hard:
            break
        if fallback == 0 and size >= aim:
            fallback = line
        if layout.may_cut[line] and size > budget.tiny:
            if size > budget.most:
                return line, False
            cost = abs(size - aim) / aim + _penalty(line, layout)
            if cost < best_cost:
                best, best_cost = line, cost
    if best:
        return best, False
    if layout.size(start, end) <= budget.hard:
        return start, False
    return fallback or end, True


def _penalty(line: int, layout: Layout) -> float:
    """Return how bad a lawful cut is: none where a paragraph of code or comment begins, most inside a run of comments."""
    here, above = layout.roles[line], layout.roles[line - 1]
    if above == BLANK:
        return 0.0 if here != BLANK else 0.3
    if here == BLANK:
        return 0.2
    if above == COMMENT:
        return 0.35 if here == COMMENT else 0.6
    return 0.0 if here == COMMENT else 0.1
