"""No file and no family of copies may fill a list.

A further chunk of a file counts for less than its first, at most so many of one file come before the others run out, and siblings (files of one
folder whose names differ in one character and which say the same of themselves: four precisions of one routine) stand behind the first of them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Sequence
from typing import TypeVar

from legacylens_assets.store.merge import ranked
from legacylens_assets.store.protocol import Scored

T = TypeVar("T")

FAMILY_DEPTH = 60
"""Only so many leading candidates are compared with each other."""
ALIKE = 0.55
"""Share of the shorter description's words that two siblings have in common."""
_WORD = re.compile(r"[a-z]{3,}")


def damp_repeats(found: Sequence[Scored], factor: float) -> list[Scored]:
    """Return candidates in order of score, that of a file's n-th chunk multiplied by ``factor`` to the n - 1.

    >>> a1, a2, b = (Scored(i, s, {"codebase": "c", "path": i[0]}) for i, s in (("a1", 1.0), ("a2", 0.9), ("b1", 0.8)))
    >>> [(item.chunk_id, round(item.score, 2)) for item in damp_repeats([a1, a2, b], 0.75)]
    [('a1', 1.0), ('b1', 0.8), ('a2', 0.68)]
    """
    seen: dict[Hashable, int] = {}
    damped = []
    for item in found:
        key = file_of(item)
        damped.append(Scored(item.chunk_id, item.score * factor ** seen.get(key, 0), item.payload))
        seen[key] = seen.get(key, 0) + 1
    return ranked(damped)


def group_by_file(found: Sequence[T], most: int, key_of: Callable[[T], Hashable]) -> list[T]:
    """Return ``found`` with the chunks of a file beyond ``most`` moved behind all others, order otherwise kept. ``most`` 0 changes nothing.

    >>> group_by_file(["a1", "a2", "a3", "b1"], 2, lambda item: item[0])
    ['a1', 'a2', 'b1', 'a3']
    """
    if most <= 0:
        return list(found)
    seen: dict[Hashable, int] = {}
    first: list[T] = []
    later: list[T] = []
    for item in found:
        key = key_of(item)
        seen[key] = seen.get(key, 0) + 1
        (first if seen[key] <= most else later).append(item)
    return first + later


def siblings_last(found: Sequence[Scored]) -> list[Scored]:
    """Return ``found`` with the siblings of an earlier file moved behind all others, order otherwise kept."""
    heads: dict[tuple[str, str, str], frozenset[str]] = {}
    first: list[Scored] = []
    later: list[Scored] = []
    for item in found[:FAMILY_DEPTH]:
        folder, _, name = str(item.payload["path"]).rpartition("/")
        codebase = str(item.payload["codebase"])
        words = frozenset(_WORD.findall(str(item.payload.get("descriptor", "")).lower()))
        older = [says for (c, f, n), says in heads.items() if c == codebase and f == folder and one_apart(n, name)]
        if any(_alike(words, says) for says in older):
            later.append(item)
        else:
            first.append(item)
            heads.setdefault((codebase, folder, name), words)
    return [*first, *later, *found[FAMILY_DEPTH:]]


def one_apart(left: str, right: str) -> bool:
    """Return whether two names differ in exactly one character.

    >>> one_apart("dgesv.f", "sgesv.f"), one_apart("dgesv.f", "dgesv.f"), one_apart("dgesv.f", "dgesvx.f")
    (True, False, False)
    """
    return len(left) == len(right) and sum(a != b for a, b in zip(left, right, strict=True)) == 1


def file_of(item: Scored) -> tuple[str, str]:
    """Return codebase and path of a candidate."""
    return str(item.payload["codebase"]), str(item.payload["path"])


def _alike(words: frozenset[str], says: frozenset[str]) -> bool:
    return len(words & says) >= ALIKE * max(1, min(len(words), len(says)))
