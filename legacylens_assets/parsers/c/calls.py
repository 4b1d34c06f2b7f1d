"""Calls inside function bodies."""

from __future__ import annotations

import re
from collections.abc import Iterator

_CALL = re.compile(r"(?<![\w$])([A-Za-z_$][\w$]*+)\s*+\(")
NO_CALL = frozenset(
    "offsetof "
    "if while for switch return sizeof defined do else case default goto __attribute__ __attribute __declspec __asm__ __asm asm typeof __typeof__ "
    "_Alignof alignof _Static_assert static_assert _Generic int char long short unsigned signed float double void struct union enum const volatile "
    "register extern static".split()
)
_TYPES = frozenset("int char long short unsigned signed float double void const FILE".split())
_MAY_PRECEDE = frozenset("return else do case goto sizeof in and or not".split())


def calls_in(code: str, start: int, end: int) -> Iterator[tuple[str, int, bool]]:
    """Yield (name, offset, through a pointer or member?) of each call in ``code[start:end]``.

    A name with a type before it (``int f(int);``) is a local prototype and no call.
    """
    for found in _CALL.finditer(code, start, end):
        name = found.group(1)
        if name in NO_CALL:
            continue
        place = _back(code, start, found.start() - 1, " \t\n")
        before = code[place] if place >= start else ";"
        if before == "*":
            typed = _back(code, start, place, " \t\n*")
            if _word_before(code, typed) in _TYPES:
                continue
        elif (before.isalnum() or before == "_") and _word_before(code, place) not in _MAY_PRECEDE:
            continue
        yield name, found.start(1), before == "." or (before == ">" and code[place - 1] == "-")


def _back(code: str, start: int, place: int, over: str) -> int:
    """Return the offset of the nearest character before that is none of ``over``; looks back 200 characters at most."""
    least = max(start, place - 200)
    while place >= least and code[place] in over:
        place -= 1
    return place


def _word_before(code: str, place: int) -> str:
    start = place
    while start >= 0 and place - start < 64 and (code[start].isalnum() or code[start] == "_"):
        start -= 1
    return code[start + 1 : place + 1]
