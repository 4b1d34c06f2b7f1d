"""What is open while statements are read: units, and branches of ``#if``."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(slots=True)
class Unit:
    """An open unit. ``index`` is its symbol's, None for an interface body, whose owner is then ``holder``."""

    kind: str
    name: str
    start: int
    index: int | None
    holder: int | None
    contains: bool = False
    implied: bool = False
    executable: bool = False
    closed: bool = False
    statements: list[tuple[int, int]] = field(default_factory=list)
    arrays: set[str] = field(default_factory=set)
    externals: dict[str, int] = field(default_factory=dict)
    applied: dict[tuple[str, int], None] = field(default_factory=dict)
    locals: set[str] = field(default_factory=set)


@dataclass(slots=True)
class Branch:
    """State of one ``#if``: the units open at it, and those open after its first branch."""

    before: list[Unit]
    after: list[Unit] | None = None
    second: bool = False
