"""How large chunks are, and what a skip is."""

from __future__ import annotations

from dataclasses import dataclass

CHUNKER_VERSION = "4"
"""Part of the reuse key of parsing: raise it whenever chunks may come out differently."""


@dataclass(frozen=True, slots=True)
class Budget:
    """Sizes in non-blank characters.

    ``tiny`` is what never stands alone when a neighbour can take it (`EXIT.`, `END P;`), ``alone`` the size from which a named unit is not merged,
    ``target`` how far small siblings are merged, ``part`` the size aimed at when a unit is split, ``most`` the size above which it is split, and
    ``hard`` how far a statement may run before it is cut anywhere (the chunk is then marked ``lines``).
    """

    tiny: int = 120
    alone: int = 400
    target: int = 1200
    part: int = 1600
    most: int = 2000
    hard: int = 8000
    prelude: int = 600


@dataclass(frozen=True, slots=True)
class Skip:
    """Lines that are in no chunk, and why."""

    start_line: int
    end_line: int
    reason: str
