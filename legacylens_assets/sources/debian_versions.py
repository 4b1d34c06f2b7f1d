"""Debian version numbers: comparison (Debian Policy 5.6.12) and ranges over the upstream part."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cmp_to_key

CONDITION = re.compile(r"\s*(>=|<=|==|>|<)?\s*(\S+)\s*$")


def upstream(version: str) -> str:
    """Return the upstream part of a version: no epoch, no Debian revision.

    >>> upstream("1:3.11.0-2+b1")
    '3.11.0'
    """
    return version.split(":", 1)[-1].rpartition("-")[0] or version.split(":", 1)[-1]


def compare(one: str, other: str) -> int:
    """Return -1, 0 or 1 as ``one`` is older than, equal to or newer than ``other``.

    >>> compare("1.0~rc1", "1.0"), compare("1.10", "1.9"), compare("1:0.1", "2.0")
    (-1, 1, 1)
    """
    first, second = _parts(one), _parts(other)
    return (first > second) - (first < second)


def fits(version: str, wanted: str) -> bool:
    """Return whether ``version`` meets ``wanted``: comma-separated conditions; a bare number is a prefix, ``==`` is the whole version.

    >>> fits("3.11.0-2", "3.11"), fits("3.11.0-2", ">=3.10,<4"), fits("3.110-1", "3.11"), fits("1.0-1", "==1.0-1")
    (True, True, False, True)
    """
    return all(_meets(version, condition) for condition in wanted.split(",") if condition.strip())


def best_version(versions: Iterable[str], wanted: str) -> str:
    """Return the newest of ``versions`` that fits, "" when none does."""
    fitting = [version for version in versions if fits(version, wanted)]
    return max(fitting, key=cmp_to_key(compare), default="")


def _meets(version: str, condition: str) -> bool:
    matched = CONDITION.match(condition)
    if not matched:
        return False
    operator, bound = matched.groups()
    mine = upstream(version)
    if not operator:
        return version == bound or mine == bound or re.match(re.escape(bound) + r"(?![0-9A-Za-z])", mine) is not None
    if operator == "==":
        return bound in (version, mine)
    order = compare(mine, bound)
    return {">=": order >= 0, "<=": order <= 0, ">": order > 0, "<": order < 0}[operator]


def _parts(version: str) -> tuple[int, list[tuple[tuple[int, ...], int]], list[tuple[tuple[int, ...], int]]]:
    epoch, _, rest = version.rpartition(":")
    main, _, revision = rest.rpartition("-") if "-" in rest else (rest, "", "0")
    return int(epoch) if epoch.isdigit() else 0, _pieces(main), _pieces(revision)


def _pieces(text: str) -> list[tuple[tuple[int, ...], int]]:
    """Return the text as alternating non-digits (weighed so that ~ sorts before the end, letters before the rest) and numbers."""
    found = []
    for letters, digits in re.findall(r"([^0-9]*)([0-9]*)", text):
        weights = tuple(-1 if char == "~" else ord(char) if char.isalpha() else ord(char) + 256 for char in letters)
        found.append(((*weights, 0), int(digits or 0)))
    return found
