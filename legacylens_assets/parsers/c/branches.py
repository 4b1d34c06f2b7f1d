"""Conditional groups: which branches of an ``#if`` can stand in one text, and which must be taken out for the brackets to close.

``#if 0`` is dead text. Where branches of one group open brackets that they do not close, or end inside a declaration, one branch stays.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from legacylens_assets.parsers.c.clean import Clean, Directive, blank

_PIECE = re.compile(r"[{}()]|[^\s{}()][^\n{}()]*")
_ZERO = re.compile(r"\s*#\s*(?:el)?if\s*\(?\s*0+\s*\)?\s*(?:/[/*][\s\S]*)?\Z")
_ONE = re.compile(r"\s*#\s*(?:el)?if\s*\(?\s*1\s*\)?\s*(?:/[/*][\s\S]*)?\Z")


@dataclass(slots=True)
class _Branch:
    start: int
    end: int
    braces: int = 0
    low_braces: int = 0
    rounds: int = 0
    low_rounds: int = 0
    last: str = ""

    def count(self, braces: int, rounds: int, last: str) -> None:
        self.braces += braces
        self.rounds += rounds
        self.low_braces = min(self.low_braces, self.braces)
        self.low_rounds = min(self.low_rounds, self.rounds)
        self.last = last or self.last

    @property
    def uneven(self) -> bool:
        return bool(self.braces or self.low_braces or self.rounds or self.low_rounds)


@dataclass(slots=True)
class _Group:
    braces_outside: int
    branches: list[_Branch] = field(default_factory=list)
    dead: list[bool] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Branches:
    """``code`` without dead text; ``shape`` also without the branches that cannot stand beside another; the dead ranges (offsets)."""

    code: str
    shape: str
    dead: tuple[tuple[int, int], ...]


def resolve(clean: Clean) -> Branches:
    """Return the code of a file with its conditional groups settled; linear in the text."""
    conditionals = [d for d in clean.directives if d.word in _CONDITIONALS]
    if not conditionals:
        return Branches(clean.code, clean.code, ())
    dead = _dead_ranges(clean, conditionals)
    code = _without(clean.code, dead)
    return Branches(code, _without(code, _to_remove(clean, code, conditionals)), tuple(dead))


_CONDITIONALS = frozenset({"if", "ifdef", "ifndef", "elif", "elifdef", "elifndef", "else", "endif"})


def _dead_ranges(clean: Clean, conditionals: list[Directive]) -> list[tuple[int, int]]:
    """Return the ranges of ``#if 0`` branches and of what follows ``#if 1``, outermost only."""
    dead: list[tuple[int, int]] = []
    stack: list[tuple[int | None, bool]] = []  # start of the dead branch or None, whether a later branch is dead too
    inside = 0
    for directive in conditionals:
        text = clean.text[directive.start : directive.end]
        if directive.word.startswith("if"):
            starts_dead = _ZERO.match(text) is not None and not inside
            stack.append((directive.end if starts_dead else None, _ONE.match(text) is not None))
            inside += starts_dead
            continue
        if not stack:
            continue
        start, rest_dead = stack.pop()
        if start is not None:
            dead.append((start, directive.start))
            inside -= 1
        if directive.word == "endif":
            continue
        starts_dead = not inside and (rest_dead or _ZERO.match(text) is not None)
        inside += starts_dead
        stack.append((directive.end if starts_dead else None, rest_dead or _ONE.match(text) is not None))
    dead.sort()
    return dead


def _to_remove(clean: Clean, code: str, conditionals: list[Directive]) -> list[tuple[int, int]]:
    """Return the ranges of branches that cannot stand beside the one kept."""
    removed: list[tuple[int, int]] = []
    outer = _Branch(0, len(code))
    stack: list[_Group] = []
    current, place = outer, 0
    depth = 0
    for directive in conditionals:
        depth += _count(code, place, directive.start, current)
        place = directive.end
        if directive.word.startswith("if"):
            group = _Group(depth)
            stack.append(group)
            current = _Branch(directive.end, directive.end)
            group.branches.append(current)
        elif stack and directive.word == "endif":
            group = stack.pop()
            current.end = directive.start
            kept = _settle(group, removed, code)
            current = stack[-1].branches[-1] if stack else outer
            current.count(kept.braces, kept.rounds, kept.last)
            depth = group.braces_outside + kept.braces
        elif stack:
            group = stack[-1]
            current.end = directive.start
            current = _Branch(directive.end, directive.end)
            group.branches.append(current)
            depth = group.braces_outside
    removed.sort()
    return removed


def _count(code: str, start: int, end: int, branch: _Branch) -> int:
    """Add the brackets of a range to a branch; return the change of brace depth."""
    before = branch.braces
    for found in _PIECE.finditer(code, start, end):
        piece = found.group()
        first = piece[0]
        if first == "{":
            branch.count(1, 0, "{")
        elif first == "}":
            branch.count(-1, 0, "}")
        elif first == "(":
            branch.count(0, 1, "(")
        elif first == ")":
            branch.count(0, -1, ")")
        else:
            branch.last = piece.rstrip()[-1]
    return branch.braces - before


def _settle(group: _Group, removed: list[tuple[int, int]], code: str) -> _Branch:
    """Choose what stays of a group; return what it counts for outside."""
    filled = [b for b in group.branches if b.last]
    if len(filled) < 2:
        return filled[0] if filled else group.branches[0]
    ends_inside = group.braces_outside <= 0 and any(b.last not in ";}" for b in filled)
    if not any(b.uneven for b in filled) and not ends_inside:
        whole = _Branch(0, 0)
        for branch in filled:
            whole.count(branch.braces, branch.rounds, branch.last)
        return whole
    kept = filled[0]
    removed.extend((b.start, b.end) for b in filled if b is not kept)
    return kept


def _without(code: str, ranges: list[tuple[int, int]]) -> str:
    """Return ``code`` with these sorted ranges blanked; a range inside an earlier one is skipped."""
    if not ranges:
        return code
    out: list[str] = []
    place = 0
    for start, end in ranges:
        if end <= place:
            continue
        start = max(start, place)
        out.append(code[place:start])
        out.append(blank(code[start:end]))
        place = end
    out.append(code[place:])
    return "".join(out)
