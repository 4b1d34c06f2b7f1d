"""Calls inside function bodies."""

from __future__ import annotations

import re
from collections.abc import Iterator

_CALL = re.compile(r"(?<![\w$])([A-Za-z_$][\w$]*+)\s*+\(")
_NO_CALL = frozenset(
    "if while for switch return sizeof defined do else case default goto __attribute__ __attribute __declspec __asm__ __asm asm typeof __typeof__ "
    "_Alignof alignof _Static_assert static_assert _Generic int char long short unsigned signed float double void struct union enum const volatile "
    "register extern static".split()
)
_MAY_PRECEDE = frozenset("return else do case goto sizeof in and or not".split())


def calls_in(code: str, start: int, end: int) -> Iterator[tuple[str, int, bool]]:
    """Yield (name, offset, through a pointer or member?) of each call in ``code[start:end]``.

    A name with a type before it (``int f(int);``) is a local prototype and no call.
    """
    for found in _CALL.finditer(code, start, end):
        name = found.group(1)
        if name in _NO_CALL:
            continue
        place = found.start() - 1
        while place >= start and code[place] in " \t\n":
            place -= 1
            if found.start() - place > 200:
                break
        before = code[place] if place >= start else ";"
        if before.isalnum() or before == "_":
            word = _word_before(code, place)
            if word not in _MAY_PRECEDE:
                continue
        yield name, found.start(1), before == "." or (before == ">" and code[place - 1] == "-")


def _word_before(code: str, place: int) -> str:
    start = place
    while start >= 0 and place - start < 64 and (code[start].isalnum() or code[start] == "_"):
        start -= 1
    return code[start + 1 : place + 1]
