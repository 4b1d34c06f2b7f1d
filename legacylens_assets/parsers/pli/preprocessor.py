"""Preprocessor statements: found, taken out of the code, and turned into events that the statement walk meets in their place.

Forms: IBM `%INCLUDE`, `%IF … %THEN … %ELSE`, `%DO … %END`, `%name: PROC … %END`, `%DECLARE`, assignments; Multics `%include`, `%page`, `%replace`,
`%set`; `++INCLUDE` and `-INC` of source managers. Nothing is expanded.
"""

from __future__ import annotations

import bisect
import re
from collections.abc import Sequence
from dataclasses import dataclass

from legacylens_assets.parsers.pli.masking import Masked

_WORD = re.compile(r"%\s*(?:([^\W\d][\w$#@]*)\s*:\s*)?([^\W\d][\w$#@]*)?")
_THEN = re.compile(r"%?\s*\bthen\b")
_END = re.compile(r"%\s*end\b[^;]*;?")
_MEMBERS = re.compile(r"([\w$#@.\-/\\<>*]+)\s*(?:\(\s*([\w$#@.\-]+)\s*\))?|['\"]([^'\"]*)['\"]")
_LISTING = re.compile(r"\s*(?:\(\s*\d+\s*\))?\s*;?")
_LISTING_WORDS = frozenset({"page", "skip", "print", "noprint", "push", "pop", "eject", "title", "subtitle"})
_INCLUDES = frozenset({"include", "xinclude", "inscan", "xinscan"})
_WORDS_ALONE = frozenset({"then", "else", "endif", "elseif"})
_MANAGER = re.compile(r"^(\+\+INCLUDE|-INC)\s+([\w$#@.]+).*$", re.IGNORECASE | re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Event:
    """Something the preprocessor does at ``offset``: include (name), macro (name), branch, alternative, close."""

    offset: int
    kind: str
    name: str = ""
    end: int = 0


def take_out(source: Masked) -> list[Event]:
    """Blank all preprocessor statements in ``source.low`` and return what they were, in order.

    A `%DO` after `%THEN` opens a ``branch``, one after `%ELSE` an ``alternative`` to the branch before; their `%END` is a ``close``.
    """
    events: list[Event] = []
    low = source.low
    spans: list[tuple[int, int]] = []
    for match in _MANAGER.finditer(source.raw) if "++" in source.raw or "\n-" in source.raw or source.raw[:1] == "-" else ():
        events.append(Event(match.start(), "include", match.group(2)))
        spans.append((match.start(), match.end()))
    ends = [match.start() for match in _END.finditer(low)] if "%" in low else []
    previous = ""
    at = low.find("%")
    while at >= 0:
        word, end = _one(source, low, at, previous, events, ends)
        spans.append((at, end))
        gap = low.find("%", end)
        previous = word if gap >= 0 and not low[end:gap].strip() else ""
        at = gap
    source.low = _without(low, spans)
    return sorted(events, key=lambda event: event.offset)


def _one(source: Masked, low: str, at: int, previous: str, events: list[Event], ends: Sequence[int]) -> tuple[str, int]:
    """Record the preprocessor statement at ``at``; return its keyword and its end."""
    match = _WORD.match(low, at)
    label, word = (match.group(1), match.group(2) or "") if match else (None, "")
    after = match.end() if match else at + 1
    if word in _WORDS_ALONE:
        return word, after
    if word in _LISTING_WORDS:
        listing = _LISTING.match(low, after)
        return word, listing.end() if listing else after
    stop = low.find(";", after)
    stop = len(low) if stop < 0 else stop + 1
    if word in ("proc", "procedure"):
        position = bisect.bisect_left(ends, after)
        closing = _END.match(low, ends[position]) if position < len(ends) else None
        end = closing.end() if closing else stop
        name = source.raw[match.start(1) : match.end(1)] if match and label else ""
        events.append(Event(at, "macro", name, end))
        return word, end
    if word in _INCLUDES:
        end = _include_end(low, after, stop)
        events.extend(Event(at, "include", name, end) for name in members(_code(source, after, end)))
        return word, end
    if word == "if":
        then = _THEN.search(low, after, stop)
        return ("then", then.end()) if then else (word, stop)
    if word in ("do", "select", "begin"):
        kind = {"then": "branch", "else": "alternative"}.get(previous, "group")
        events.append(Event(at, kind if word == "do" else "group", "", stop))
    elif word == "end":
        events.append(Event(at, "close", "", stop))
        return "end", stop
    return word, stop


def members(text: str) -> list[str]:
    """Return the member names of an include statement.

    >>> members(" SYSLIB(ACCT), CUSTREC, 'ext.inc';")
    ['ACCT', 'CUSTREC', 'ext.inc']
    """
    return [found.group(3) or found.group(2) or found.group(1) for found in _MEMBERS.finditer(text.rstrip("; \n")) if any(found.groups())]


def _include_end(low: str, after: int, stop: int) -> int:
    """Return the end of an include statement: its semicolon, or the end of its line when that was forgotten."""
    line_end = _line_end(low, after)
    first = low[after : min(stop, line_end)].rstrip()
    return line_end if stop > line_end and first.strip() and not first.endswith(",") else stop


def _code(source: Masked, start: int, end: int) -> str:
    """Return the source between two offsets, case kept, comments left out."""
    return "".join(raw if code != " " else " " for raw, code in zip(source.raw[start:end], source.low[start:end], strict=True))


def _line_end(text: str, at: int) -> int:
    end = text.find("\n", at)
    return end if end >= 0 else len(text)


def _without(text: str, spans: Sequence[tuple[int, int]]) -> str:
    parts, at = [], 0
    for start, end in sorted(spans):
        if start < at:
            continue
        parts.append(text[at:start])
        parts.append("".join("\n" if c == "\n" else " " for c in text[start:end]) if "\n" in text[start:end] else " " * (end - start))
        at = end
    parts.append(text[at:])
    return "".join(parts)
