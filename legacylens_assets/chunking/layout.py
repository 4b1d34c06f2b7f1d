"""Which unit owns each line.

The deepest unit that covers a line owns it; a gap between two units belongs to the unit around them; comments above a unit go with it;
a unit that is small as a whole owns all its lines.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from legacylens_assets.chunking.budget import Budget
from legacylens_assets.types import BLANK, COMMENT, CONTINUED, START, ParsedFile, SourceFile, Symbol

_WORD = re.compile(r"[^\W_]")

FILE = -1
"""The owner of lines that are in no unit."""

PROGRAM_KINDS = frozenset({"program", "job", "module", "submodule", "package", "mapset"})
"""Kinds that name the ``program`` column and that are never merged with their neighbours."""

WHOLE_KINDS = frozenset({"step"})
"""Kinds kept whole up to the largest size: a step is read with its DDs and its in-stream data."""

PROSE_KINDS = frozenset({"heading"})
"""Kinds kept whole up to the target size: a section is read with its subsections."""


@dataclass(frozen=True, slots=True)
class Layout:
    """A file ready to be cut. Lists of lines are indexed by line number; index 0 is unused.

    ``owners`` holds a symbol index or FILE; ``units`` are the indices of valid units; ``parents`` gives each symbol's parent or FILE;
    ``before[i]`` is the number of non-blank characters in lines 1..i; ``may_cut[i]`` says that a chunk may begin at line i;
    ``prelude_end`` is the last of the comment and blank lines that open the file.
    """

    language: str
    symbols: Sequence[Symbol]
    roles: str
    owners: list[int]
    parents: list[int]
    before: list[int]
    may_cut: list[bool]
    prelude_end: int

    def size(self, start: int, end: int) -> int:
        """Return the number of non-blank characters of lines ``start..end``."""
        return self.before[end] - self.before[start - 1]

    def unit_parent(self, index: int) -> int:
        """Return the nearest enclosing unit of a symbol, or FILE."""
        index = self.parents[index]
        while index != FILE and not self.symbols[index].unit:
            index = self.parents[index]
        return index

    def encloses(self, outer: int, inner: int) -> bool:
        """Return whether unit ``outer`` encloses symbol ``inner`` (FILE encloses all)."""
        if FILE not in (outer, inner) and not self.symbols[outer].start_line <= self.symbols[inner].start_line <= self.symbols[outer].end_line:
            return False
        while inner != FILE and inner != outer:
            inner = self.parents[inner]
        return inner == outer


def lay_out(source: SourceFile, parsed: ParsedFile, budget: Budget) -> Layout:
    """Return the owner of every line and all that cutting needs to know."""
    count = len(source.lines)
    roles = " " + (parsed.roles + START * count)[:count]
    parents = _parents(parsed.symbols)
    owners = _deepest(parsed.symbols, count)
    _lift_comments(parsed.symbols, roles, owners)
    prelude_end = _prelude_end(roles)
    before = _running_sizes(source, parsed, prelude_end, budget)
    layout = Layout(source.language, parsed.symbols, roles, owners, parents, before, _cuts(roles), prelude_end)
    _collapse(layout, budget)
    return layout


def _parents(symbols: Sequence[Symbol]) -> list[int]:
    """Return for each symbol the innermost one around it, by spans.

    A parser's own parents say what names a symbol (a paragraph's is its program); the division between them is found by its span. Of two symbols
    with one span the second lies in the first only if the parser says so.
    """
    found = [FILE] * len(symbols)
    stack: list[int] = []
    for index in sorted(range(len(symbols)), key=lambda i: (symbols[i].start_line, -symbols[i].end_line, i)):
        symbol = symbols[index]
        while stack and not _contains(symbols[stack[-1]], symbol, stack[-1]):
            stack.pop()
        found[index] = stack[-1] if stack else FILE
        stack.append(index)
    return found


def _contains(outer: Symbol, inner: Symbol, position: int) -> bool:
    if outer.end_line < inner.end_line or outer.end_line < inner.start_line:
        return False
    return inner.parent == position or (outer.start_line, outer.end_line) != (inner.start_line, inner.end_line)


def _deepest(symbols: Sequence[Symbol], count: int) -> list[int]:
    """Return the owner of each line: of the units that cover it, the one begun last.

    The code after an entry is reached through it, up to the next entry or the end of the routine: it is the entry's, although the symbol is one line.
    """
    starts: dict[int, list[int]] = {}
    for index, symbol in enumerate(symbols):
        if symbol.unit and 1 <= symbol.start_line <= min(symbol.end_line, count):
            starts.setdefault(symbol.start_line, []).append(index)
    owners = [FILE] * (count + 1)
    open_units: list[int] = []
    for line in range(1, count + 1):
        while open_units and _reach(symbols, open_units[-1]) < line:
            open_units.pop()
        for index in starts.get(line, ()):
            open_units.append(index)
        owners[line] = open_units[-1] if open_units else FILE
    return owners


def _reach(symbols: Sequence[Symbol], index: int) -> int:
    """Return the last line that a unit may own."""
    symbol = symbols[index]
    if symbol.kind == "entry" and symbol.parent is not None and 0 <= symbol.parent < index:
        return symbols[symbol.parent].end_line
    return symbol.end_line


def _lift_comments(symbols: Sequence[Symbol], roles: str, owners: list[int]) -> None:
    """Give the comments right above a unit to it; blank lines between comment and header too."""
    count = len(roles) - 1
    for start in sorted({s.start_line for s in symbols if s.unit and 1 <= s.start_line <= min(s.end_line, count)}):
        top = start
        while top > 1 and roles[top - 1] in (COMMENT, BLANK):
            top -= 1
        while top < start and roles[top] == BLANK:
            top += 1
        for line in range(top, start):
            owners[line] = owners[start]


def _prelude_end(roles: str) -> int:
    line = 1
    while line < len(roles) and roles[line] in (COMMENT, BLANK):
        line += 1
    return line - 1


def _running_sizes(source: SourceFile, parsed: ParsedFile, prelude_end: int, budget: Budget) -> list[int]:
    """Return running sizes; columns that hold no code do not count, nor do rules and boxes, nor a short comment that opens the file.

    The latter keeps the cuts below in place when someone adds a line to the file's header.
    """
    fixed = source.language == "cobol" and parsed.form == "fixed"
    sizes = [
        0 if role == COMMENT and not _WORD.search(line) else len("".join((line[6:72] if fixed else line).split()))
        for line, role in zip(source.lines, parsed.roles.ljust(len(source.lines), START), strict=False)
    ]
    if sum(sizes[:prelude_end]) <= budget.prelude and prelude_end < len(sizes):
        sizes[:prelude_end] = [0] * prelude_end
    before = [0]
    for size in sizes:
        before.append(before[-1] + size)
    return before


def _cuts(roles: str) -> list[bool]:
    """Return where a chunk may begin: the line is no continuation, and neither is the next line of code."""
    found = [False] * len(roles)
    free = True
    for line in range(len(roles) - 1, 0, -1):
        if roles[line] in (START, CONTINUED):
            free = roles[line] == START
        found[line] = free
    return found


def _collapse(layout: Layout, budget: Budget) -> None:
    """Give all lines of a unit that is small as a whole to that unit."""
    symbols, owners = layout.symbols, layout.owners
    own = [0] * len(symbols)
    for line in range(1, len(owners)):
        if owners[line] != FILE:
            own[owners[line]] += layout.before[line] - layout.before[line - 1]
    total, holds_program = own, [False] * len(symbols)
    order = sorted(range(len(symbols)), key=lambda i: (symbols[i].start_line, -symbols[i].end_line, i))
    for index in reversed(order):
        parent = layout.parents[index]
        if parent != FILE:
            total[parent] += total[index]
            holds_program[parent] |= holds_program[index] or symbols[index].kind in PROGRAM_KINDS
    heirs = list(range(len(symbols)))
    for index in order:
        parent = layout.parents[index]
        if parent == FILE:
            continue
        small = _is_small(symbols[parent], total[parent], budget) and not holds_program[parent]
        if heirs[parent] != parent or small or _is_title(symbols[index], symbols[parent]):
            heirs[index] = heirs[parent]
    for line in range(1, len(owners)):
        if owners[line] != FILE:
            owners[line] = heirs[owners[line]]


def _is_small(symbol: Symbol, total: int, budget: Budget) -> bool:
    limit = budget.most if symbol.kind in WHOLE_KINDS else budget.target if symbol.kind in PROSE_KINDS else budget.alone
    return symbol.unit and total <= limit


def _is_title(symbol: Symbol, parent: Symbol) -> bool:
    """Return whether the division only introduces its program: IDENTIFICATION DIVISION, or ID DIVISION."""
    return symbol.kind == "division" and parent.kind == "program" and symbol.name.upper().startswith(("ID ", "IDENTIFICATION"))
