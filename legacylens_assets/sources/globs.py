"""Globs over the paths of a codebase.

A pattern matches a file or a folder with everything below it. ``app`` is the folder or file of that name at the root; ``*`` and ``?`` stay inside
one name; ``**`` crosses folders; a pattern with a wildcard and no slash (``*.cbl``) matches names at any depth.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache

WILDCARDS = frozenset("*?[")


def selected(path: str, include: Iterable[str], exclude: Iterable[str]) -> bool:
    """Return whether ``path`` is included (an empty ``include`` takes all) and not excluded.

    >>> selected("app/cbl/A.cbl", ("app",), ("app/data",)), selected("app/data/x", ("app",), ("app/data",))
    (True, False)
    """
    included = tuple(include)
    return (not included or any(matches(glob, path) for glob in included)) and not any(matches(glob, path) for glob in exclude)


def matches(glob: str, path: str) -> bool:
    """Return whether ``glob`` names ``path`` or a folder above it."""
    return _compiled(glob).fullmatch(path) is not None


def is_glob(glob: str) -> bool:
    """Return whether ``glob`` can be understood: ranges such as [z-a] cannot."""
    try:
        _compiled(glob)
    except re.error:
        return False
    return True


def _floats(glob: str) -> bool:
    return "/" not in glob and bool(WILDCARDS & set(glob))


@cache
def _compiled(glob: str) -> re.Pattern[str]:
    prefix = "(?:.*/)?" if _floats(glob) else ""
    return re.compile(prefix + _translated(glob) + "(?:/.*)?", re.DOTALL)


def _translated(glob: str) -> str:
    r"""Return the regular expression of one pattern.

    >>> _translated("a/**/b*.f")
    'a/(?:.*/)?b[^/]*\\.f'
    """
    out, at = [], 0
    while at < len(glob):
        if glob.startswith("**/", at):
            out.append("(?:.*/)?")
            at += 3
        elif glob.startswith("**", at):
            out.append(".*")
            at += 2
        elif glob[at] == "*":
            out.append("[^/]*")
            at += 1
        elif glob[at] == "?":
            out.append("[^/]")
            at += 1
        elif glob[at] == "[" and "]" in glob[at + 2 :]:
            end = glob.index("]", at + 2)
            body = glob[at + 1 : end].replace("\\", "\\\\")
            out.append("[" + ("^" + body[1:] if body[0] == "!" else body) + "]")
            at = end + 1
        else:
            out.append(re.escape(glob[at]))
            at += 1
    return "".join(out)
