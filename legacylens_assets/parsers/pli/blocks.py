"""Open blocks and the symbols they give: what END closes, and what alternative preprocessor branches do to it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from legacylens_assets.types import EMPTY, Problem

DEEPEST = 256
"""Open blocks that an END label is looked for in, and that are kept over preprocessor branches."""


@dataclass(slots=True)
class Block:
    """An open block: its kind, the labels that an END may name, and its symbol if it has one, and the symbol that encloses what it holds."""

    kind: str
    labels: tuple[str, ...]
    symbol: int | None
    line: int
    scope: int | None


@dataclass(slots=True)
class Draft:
    """A symbol while its end is not known."""

    name: str
    kind: str
    start: int
    end: int
    parent: int | None
    unit: bool = True
    detail: Mapping[str, str] = field(default_factory=lambda: EMPTY)
    dropped: bool = False


@dataclass(slots=True)
class Branch:
    """What a preprocessor branch did to the open blocks."""

    before: list[Block]
    kind: str
    opened: list[Block] = field(default_factory=list)


class Blocks:
    """The stack of open blocks, the symbols so far, and the problems met."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        self.stack: list[Block] = []
        self.symbols: list[Draft] = []
        self.problems: list[Problem] = list(problems)
        self._branches: list[Branch] = []
        self._last_branch: Branch | None = None

    def open(self, kind: str, labels: list[str], symbol: int | None, line: int) -> None:
        """Open a block; its symbol was added before, if it has one."""
        scope = symbol if symbol is not None else self.parent()
        self.stack.append(Block(kind, tuple(label.lower() for label in labels), symbol, line, scope))

    def parent(self) -> int | None:
        """Return the symbol of the innermost block that has one."""
        return self.stack[-1].scope if self.stack else None

    def add(self, name: str, kind: str, start: int, end: int, unit: bool = True, detail: Mapping[str, str] = EMPTY) -> int:
        """Add a symbol within the open block; return its number."""
        self.symbols.append(Draft(name, kind, start, end, self.parent(), unit, detail))
        return len(self.symbols) - 1

    def close(self, label: str | None, line: int) -> None:
        """Close the nearest block, or all up to the one that has ``label``."""
        if not self.stack:
            self.problems.append(Problem(line, "end_without_block", "END closes no open block"))
            return
        target = len(self.stack) - 1
        if label:
            held = next((depth for depth in range(target, max(-1, target - DEEPEST), -1) if label in self.stack[depth].labels), None)
            if held is None:
                self.problems.append(Problem(line, "end_label_unknown", f"END {label} names no open block; the nearest one is closed"))
            else:
                target = held
        for block in self.stack[target:]:
            if block.symbol is not None:
                self.symbols[block.symbol].end = line
        del self.stack[target:]

    def finish(self, at_line: int) -> None:
        """Close what is still open at the end of a compilation unit."""
        for block in self.stack:
            self.problems.append(Problem(block.line, "unclosed_block", f"a {block.kind} has no END", at_line))
            if block.symbol is not None:
                self.symbols[block.symbol].end = max(at_line, block.line)
        self.stack.clear()

    def branch(self, kind: str) -> None:
        """Keep the block stack right over alternative branches: each is walked from the state before the first."""
        if kind != "close":
            if len(self.stack) > DEEPEST:
                kind = "group"
            if kind == "alternative" and self._last_branch is not None and len(self.stack) < len(self._last_branch.before):
                self.stack = list(self._last_branch.before)
            before = self._last_branch if kind == "alternative" else None
            self._branches.append(Branch(list(self.stack) if kind != "group" else [], kind, list(before.opened) if before else []))
            return
        if not self._branches:
            return
        branch = self._branches.pop()
        gained = self.stack[len(branch.before) :] if branch.kind != "group" else []
        if branch.kind == "branch":
            branch.opened = list(gained)
            self._last_branch = branch
        elif branch.kind == "alternative" and gained and len(gained) == len(branch.opened):
            for block in gained:
                if block.symbol is not None:
                    self.symbols[block.symbol].dropped = True
            del self.stack[len(branch.before) :]
