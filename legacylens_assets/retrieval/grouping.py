"""No file may fill a list: at most so many chunks of one file until the others run out."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import TypeVar

T = TypeVar("T")


def group_by_file(ranked: Sequence[T], most: int, file_of: Callable[[T], Hashable]) -> list[T]:
    """Return ``ranked`` with the chunks of a file beyond ``most`` moved behind all others, order otherwise kept. ``most`` 0 changes nothing.

    >>> group_by_file(["a1", "a2", "a3", "b1"], 2, lambda item: item[0])
    ['a1', 'a2', 'b1', 'a3']
    """
    if most <= 0:
        return list(ranked)
    seen: dict[Hashable, int] = {}
    first: list[T] = []
    later: list[T] = []
    for item in ranked:
        key = file_of(item)
        seen[key] = seen.get(key, 0) + 1
        (first if seen[key] <= most else later).append(item)
    return first + later
