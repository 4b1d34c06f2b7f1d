"""Runs of lines of one owner, small ones joined to their neighbours."""

from __future__ import annotations

from dataclasses import dataclass, replace

from legacylens_assets.chunking.budget import Budget
from legacylens_assets.chunking.layout import FILE, PROGRAM_KINDS, Layout
from legacylens_assets.types import BLANK, COMMENT

DATA_KINDS = frozenset(
    "data_item file copy struct union enum typedef macro include variable type interface common declaration data_structure prototype constant "
    "table record field dd".split()
)
"""Kinds that may be merged with one another: they describe, the others do."""


GROUPING_LANGUAGES = frozenset({"c", "rpg"})
"""Languages whose ``section`` is a run of declarations."""


@dataclass(frozen=True, slots=True)
class Segment:
    """Lines ``start..end``, named after symbol ``owner``; ``size`` in non-blank characters."""

    owner: int
    start: int
    end: int
    size: int


def segments_of(layout: Layout, budget: Budget) -> list[Segment]:
    """Return the file's lines as segments in order: none blank, none tiny where a neighbour could take it, small siblings merged."""
    return _merge_siblings(_attach_tiny(_runs(layout, budget), layout, budget), layout, budget)


def _runs(layout: Layout, budget: Budget) -> list[Segment]:
    """Return maximal runs of one owner; blank ones join the run before (the first joins the run after).

    A long comment that opens the file is a run of its own.
    """
    runs: list[Segment] = []
    start, count = 1, len(layout.owners) - 1
    border = layout.prelude_end if layout.prelude_end < count and layout.size(1, layout.prelude_end) > budget.prelude else 0
    for line in range(1, count + 1):
        if line in (count, border) or layout.owners[line + 1] != layout.owners[line]:
            blank = not layout.roles[start : line + 1].strip(BLANK)
            if runs and (blank or not layout.roles[runs[-1].start : runs[-1].end + 1].strip(BLANK)):
                owner = runs[-1].owner if blank else layout.owners[line]
                runs[-1] = Segment(owner, runs[-1].start, line, layout.size(runs[-1].start, line))
            else:
                runs.append(Segment(layout.owners[line], start, line, layout.size(start, line)))
            start = line + 1
    return runs


def _attach_tiny(runs: list[Segment], layout: Layout, budget: Budget) -> list[Segment]:
    """Join tiny gaps to the unit beside them: a header to the first unit it holds, an end line to the last.

    The unit names the whole, except in prose, where a heading says more than the first one below it.
    """
    kept: list[Segment] = []
    pending: Segment | None = None
    for position, run in enumerate(runs):
        if pending is not None:
            owner = pending.owner if pending.owner != FILE and layout.symbols[pending.owner].kind == "heading" else run.owner
            run = Segment(owner, pending.start, run.end, run.size + pending.size)
            pending = None
        following = runs[position + 1] if position + 1 < len(runs) else None
        if run.size <= budget.tiny and _is_gap(run, kept, following, layout):
            if following is not None and layout.encloses(run.owner, following.owner) and not _ends_unit(run, kept, layout):
                pending = run
                continue
            if kept and layout.encloses(run.owner, kept[-1].owner):
                kept[-1] = replace(kept[-1], end=run.end, size=kept[-1].size + run.size)
                continue
        kept.append(run)
    return kept


def _is_gap(run: Segment, kept: list[Segment], following: Segment | None, layout: Layout) -> bool:
    """Return whether the run is only a part of what its owner holds."""
    beside = [other for other in (kept[-1] if kept else None, following) if other is not None]
    return any(other.owner != run.owner and layout.encloses(run.owner, other.owner) for other in beside)


def _ends_unit(run: Segment, kept: list[Segment], layout: Layout) -> bool:
    """Return whether the run looks back: its owner's header lies above it and it holds no leading comment."""
    if not kept or layout.roles[run.start] == COMMENT or run.owner == FILE:
        return False
    return layout.symbols[run.owner].start_line < run.start and layout.encloses(run.owner, kept[-1].owner)


def _merge_siblings(runs: list[Segment], layout: Layout, budget: Budget) -> list[Segment]:
    """Join neighbours under one parent while they are small; the first that is not tiny names them."""
    merged: list[Segment] = []
    growing = False
    for run in runs:
        last = merged[-1] if merged else None
        if last is not None and _joins_parent(last, run, layout, budget):
            merged[-1] = Segment(last.owner, last.start, run.end, last.size + run.size)
        elif last is not None and _siblings(last, run, layout) and _fits(last, run, growing, budget):
            owner = run.owner if last.size <= budget.tiny < run.size else last.owner
            growing = last.size + run.size < budget.target and (growing or last.size < budget.alone) and run.size < budget.alone
            merged[-1] = Segment(owner, last.start, run.end, last.size + run.size)
        else:
            growing = run.size < budget.alone
            merged.append(run)
    return merged


def _joins_parent(last: Segment, run: Segment, layout: Layout, budget: Budget) -> bool:
    """Return whether a tiny unit follows the code of the unit around it: the exit paragraph of a section without others."""
    if run.size > budget.tiny or FILE in (last.owner, run.owner) or layout.unit_parent(run.owner) != last.owner:
        return False
    return last.size + run.size <= budget.most and last.end > layout.prelude_end and layout.symbols[run.owner].kind not in PROGRAM_KINDS


def _fits(last: Segment, run: Segment, growing: bool, budget: Budget) -> bool:
    """Return whether ``run`` joins ``last``: both are small, or one is tiny and the sum is still no split."""
    if growing and run.size < budget.alone:
        return last.size + run.size <= budget.target
    return min(run.size, last.size) <= budget.tiny and last.size + run.size <= budget.most


def _siblings(first: Segment, second: Segment, layout: Layout) -> bool:
    """Return whether two segments may be one chunk: children of one parent and of one family."""
    if FILE in (first.owner, second.owner) or layout.unit_parent(first.owner) != layout.unit_parent(second.owner):
        return False
    kinds = (layout.symbols[first.owner].kind, layout.symbols[second.owner].kind)
    described = DATA_KINDS | {"section"} if layout.language in GROUPING_LANGUAGES else DATA_KINDS
    return not PROGRAM_KINDS.intersection(kinds) and (kinds[0] in described) == (kinds[1] in described)
