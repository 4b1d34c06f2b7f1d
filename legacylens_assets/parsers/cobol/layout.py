"""Where each data item lies in its record: byte offset and length.

Offsets count from 0 at the start of the 01 or 77 item; the length is that of one occurrence. Sizes follow Enterprise COBOL for z/OS
(Language Reference, "USAGE clause", "SYNCHRONIZED clause"): binary items of 2, 4 or 8 bytes, pointers of 4 unless the caller says otherwise.
What follows a COPY inside a record, or an item whose PICTURE cannot be read, has no offset.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

_ITEM = re.compile(r"([^\s()])(?:\((\d+)\))?")
_BINARY = frozenset({"COMP", "COMP-4", "COMP-5", "BINARY", "COMPUTATIONAL", "COMPUTATIONAL-4", "COMPUTATIONAL-5"})
_PACKED = frozenset({"COMP-3", "COMPUTATIONAL-3", "PACKED-DECIMAL"})
_FIXED_SIZES = {
    "COMP-1": 4, "COMPUTATIONAL-1": 4, "COMP-2": 8, "COMPUTATIONAL-2": 8, "INDEX": 4, "BINARY-CHAR": 1, "BINARY-SHORT": 2, "BINARY-LONG": 4,
    "BINARY-DOUBLE": 8, "FLOAT-SHORT": 4, "FLOAT-LONG": 8, "SIGNED-INT": 4, "UNSIGNED-INT": 4, "SIGNED-SHORT": 2, "UNSIGNED-SHORT": 2,
    "SIGNED-LONG": 8, "UNSIGNED-LONG": 8,
}  # fmt: skip
_POINTERS = {"POINTER": 1, "POINTER-32": 1, "FUNCTION-POINTER": 1, "OBJECT": 1, "PROGRAM-POINTER": 1, "PROCEDURE-POINTER": 2}
_MAX_BYTES = 1 << 40
USAGES = _BINARY | _PACKED | _FIXED_SIZES.keys() | _POINTERS.keys() | {
    "DISPLAY", "DISPLAY-1", "NATIONAL", "COMP-6", "COMP-X", "COMPUTATIONAL-6", "COMPUTATIONAL-X", "COMP-N", "UTF-8",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Entry:
    """One data description entry, or (level 0) a COPY that brings in entries that are not known."""

    level: int
    name: str = ""
    pic: str = ""
    usage: str = ""
    occurs: int = 1
    redefines: str = ""
    separate: bool = False
    sync: bool = False


@dataclass(frozen=True, slots=True)
class Place:
    """Byte offset in the record and length of one occurrence; None where unknown."""

    offset: int | None
    length: int | None


@dataclass(slots=True)
class _Group:
    """A group that is still open. ``cursor`` is where the next item goes, ``top`` the furthest byte so far."""

    index: int
    level: int
    start: int | None
    cursor: int | None
    top: int | None
    usage: str
    separate: bool
    align: int
    starts: dict[str, int | None]


def picture_size(pic: str, usage: str, *, separate: bool = False, pointer: int = 4, constants: Mapping[str, str] | None = None) -> int | None:
    """Return the bytes of one elementary item, or None when they cannot be told.

    >>> picture_size("S9(7)V99", "COMP-3"), picture_size("9(4).99", ""), picture_size("S9(4)", "COMP"), picture_size("X(:LEN:)", "")
    (5, 7, 2, None)
    """
    if usage in _FIXED_SIZES:
        return _FIXED_SIZES[usage]
    if usage in _POINTERS:
        return pointer * _POINTERS[usage]
    folded = re.sub(r"\(\s*([A-Z][\w-]*)\s*\)", lambda m: f"({(constants or {}).get(m.group(1), '?')})", pic.upper())
    parts = _ITEM.findall(folded)
    if not parts or "".join(f"{sign}({count})" if count else sign for sign, count in parts) != folded:
        return None
    counts = [(sign, min(int(count.lstrip("0")[:12] or 0), _MAX_BYTES) if count else 1) for sign, count in parts]
    digits = sum(count for sign, count in counts if sign == "9")
    if usage in _PACKED:
        return digits // 2 + 1
    if usage in ("COMP-6", "COMPUTATIONAL-6"):
        return (digits + 1) // 2
    if usage in _BINARY:
        return 2 if digits <= 4 else 4 if digits <= 9 else 8 if digits <= 18 else 16
    if usage in ("COMP-X", "COMPUTATIONAL-X", "COMP-N"):
        return sum(count for sign, count in counts if sign == "X") or (len(f"{10 ** min(digits, 60) - 1:x}") + 1) // 2
    size = sum(count for sign, count in counts if sign not in "VSP")
    wide = usage in ("NATIONAL", "DISPLAY-1") or any(sign in "NG" for sign, _ in counts)
    return size * (2 if wide else 1) + (1 if separate and folded.startswith("S") else 0)


def place(entries: Sequence[Entry], *, pointer: int = 4, constants: Mapping[str, str] | None = None) -> list[Place]:
    """Return the place of each entry; every level 01 and 77 starts a record at offset 0. Levels 66, 78 and 88 take no room and get none."""
    places = [Place(None, None)] * len(entries)
    groups: list[_Group] = []
    for index, entry in enumerate(entries):
        if entry.level == 0:
            for group in groups:
                group.cursor = group.top = None
            continue
        if entry.level in (66, 78, 88):
            continue
        level = 1 if entry.level == 77 else entry.level
        while groups and groups[-1].level >= level:
            _close(groups, places, entries)
        outer = groups[-1] if groups else None
        usage = entry.usage or (outer.usage if outer else "")
        separate = entry.separate or (outer.separate if outer else False)
        start = 0 if outer is None else outer.starts.get(entry.redefines) if entry.redefines else outer.cursor
        if not entry.pic and _has_children(entries, index, level):
            groups.append(_Group(index, level, start, start, start, usage, separate, 1, {}))
            if outer is not None:
                outer.starts[entry.name] = start
            continue
        length = picture_size(entry.pic, usage, separate=separate, pointer=pointer, constants=constants)
        if entry.sync and outer is not None and start is not None and length is not None:
            align = _alignment(usage, length)
            start = -(-start // align) * align
            for group in groups:
                group.align = max(group.align, align)
        places[index] = Place(start, length)
        if outer is not None:
            outer.starts[entry.name] = start
            _advance(outer, start, length, entry)
    while groups:
        _close(groups, places, entries)
    return places


def _has_children(entries: Sequence[Entry], index: int, level: int) -> bool:
    """Return whether the entry after ``index`` (conditions, renames and constants aside) is subordinate."""
    for entry in entries[index + 1 : index + 2000]:
        if entry.level == 0:
            return True
        if entry.level not in (66, 78, 88):
            return level < entry.level < 50
    return False


def _alignment(usage: str, length: int) -> int:
    """Return the boundary of a SYNCHRONIZED item."""
    if usage in _BINARY or usage in _FIXED_SIZES or usage in _POINTERS:
        return {1: 1, 2: 2}.get(length, 8 if usage in ("COMP-2", "COMPUTATIONAL-2") else 4)
    return 1


def _advance(group: _Group, start: int | None, length: int | None, entry: Entry) -> None:
    """Move a group's cursor past an item."""
    if start is None or length is None or group.top is None:
        group.cursor = group.top = None
        return
    end = start + length * entry.occurs
    group.top = max(group.top, end)
    if not entry.redefines:
        group.cursor = end
    elif group.cursor is not None:
        group.cursor = max(group.cursor, end)


def _close(groups: list[_Group], places: list[Place], entries: Sequence[Entry]) -> None:
    """End the innermost group: its length is known now."""
    group = groups.pop()
    entry = entries[group.index]
    length = None if group.top is None or group.start is None else group.top - group.start
    if length is not None and entry.occurs > 1 and group.align > 1:
        length = -(-length // group.align) * group.align
    places[group.index] = Place(group.start, length)
    if groups:
        _advance(groups[-1], group.start, length, entry)
