"""What a statement opens or closes: program units, procedures, interfaces, types.

Patterns take the normalised text of ``statements``: `` ?`` stands where free form needs a blank and fixed form has none (Fortran 2018, 6.3.2.2).
"""

from __future__ import annotations

import re
from typing import NamedTuple

NAME = r"[a-z_$][\w$]*"
_PREFIX = (
    r"(?:(?:recursive|non_recursive|pure|impure|elemental|simple|module|attributes\(\)|byte|bind\(\)"
    r"|(?:integer|real|complex|logical|character|double ?precision|double ?complex)(?:\*\d+|\*\(\)|\(\)|\*)?(?:\(\))?"
    r"|(?:type|class|record)\(\)|/\w+/),? ?)*"
)
_SUBROUTINE = re.compile(rf"({_PREFIX})subroutine ?({NAME})(?:\(\))?(?: ?bind\(\))?(?:\(\))? ?$")
_FUNCTION = re.compile(rf"({_PREFIX})function ?({NAME})(?:\*\d+|\*\(\))?\(\)(?: ?(?:result|bind)\(\))*(?:/.*)?$")
_BARE_FUNCTION = re.compile(rf"({_PREFIX})function ?({NAME})(?: ?(?:result|bind)\(\))*$")
_PROGRAM = re.compile(rf"program ?({NAME})(?:\(\))?$")
_MODULE = re.compile(rf"module ?(?!procedure ?$)({NAME})$")
_MODULE_PROCEDURE = re.compile(rf"module ?procedure ?(?:::)?({NAME})$")
_SUBMODULE = re.compile(rf"submodule ?\(\) ?({NAME})$")
_BLOCK_DATA = re.compile(rf"block ?data ?({NAME})?$")
_INTERFACE = re.compile(rf"(abstract ?)?interface ?((?:operator|assignment|read|write) ?\(.*\)|{NAME})?$")
_TYPE = re.compile(rf"type(?: |::|,[^:]*::)?({NAME})(?:\(\))?$")
_STRUCTURE = re.compile(rf"structure ?/({NAME})/.*$")
_ENTRY = re.compile(rf"entry ?({NAME})(?:\(|$| ?result| ?bind)")
_END = re.compile(
    r"end ?(program|subroutine|function|submodule|module|procedure|block ?data|interface|type|structure)?"
    rf" ?({NAME}|(?:operator|assignment|read|write) ?\(.*\))?$"
)
_BRACKETS = re.compile(r"[()]")


class Header(NamedTuple):
    """A statement that opens a unit: its kind, its name as written ("" for none) and its prefixes."""

    kind: str
    name: str
    prefix: str = ""


def outside_brackets(text: str) -> str:
    """Return ``text`` with everything inside brackets dropped.

    >>> outside_brackets("real(kind(1d0))function f(x,y)")
    'real()function f()'
    """
    if "(" not in text:
        return text
    out: list[str] = []
    depth = place = 0
    for found in _BRACKETS.finditer(text):
        if found.group() == "(":
            if depth == 0:
                out.append(text[place : found.end()])
            depth += 1
        elif depth:
            depth -= 1
            if depth == 0:
                place = found.start()
    if depth == 0:
        out.append(text[place:])
    return "".join(out)


def assigns(flat: str) -> bool:
    """Return whether a statement without its bracketed parts is an assignment: ``END = 5``, ``FUNCTION(I) = 2``.

    >>> assigns("function()"), assigns("function()=1."), assigns("type,extends()::a")
    (False, True, False)
    """
    return "=" in flat and "::" not in flat.split("=", 1)[0]


def header(low: str, text: str, in_interface: bool, in_container: bool) -> Header | None:
    """Return what a statement opens, or None.

    ``in_interface`` and ``in_container`` tell where it stands: ``module procedure x`` is a list entry inside an interface, a body after CONTAINS.
    """
    flat = outside_brackets(low)
    if assigns(flat):
        return None
    found = _SUBROUTINE.match(flat) if "subroutine" in flat else None
    if found:
        return Header("subroutine", _written(text, low, "subroutine", found.group(2)), found.group(1).strip())
    if "function" in flat:
        found = _FUNCTION.match(flat) or _BARE_FUNCTION.match(flat)
        if found:
            return Header("function", _written(text, low, "function", found.group(2)), found.group(1).strip())
    return _other_header(flat, low, text, in_interface, in_container)


def _other_header(flat: str, low: str, text: str, in_interface: bool, in_container: bool) -> Header | None:
    first = low[0]
    if first == "m" and not in_interface:
        found = _MODULE_PROCEDURE.match(flat) if in_container else None
        if found:
            return Header("procedure", _last(text, found.group(1)))
        found = _MODULE.match(flat)
        return Header("module", _last(text, found.group(1))) if found else None
    if first == "p":
        found = _PROGRAM.match(flat)
        return Header("program", _written(text, low, "program", found.group(1))) if found else None
    if first == "b":
        found = _BLOCK_DATA.match(flat)
        return Header("block_data", _last(text, found.group(1) or "")) if found else None
    if first == "s":
        found = _SUBMODULE.match(flat)
        if found:
            return Header("submodule", _last(text, found.group(1)))
        found = _STRUCTURE.match(low)
        return Header("type", _written(text, low, "/", found.group(1))) if found else None
    if first == "t" and not low.startswith(("type(", "type (", "typeis(", "type is(")):
        found = _TYPE.match(flat)
        return Header("type", _named(text, low, found.group(1))) if found else None
    if first in "ia":
        found = _INTERFACE.match(low)
        return Header("interface", _last(text, found.group(2) or ""), "abstract" if found.group(1) else "") if found else None
    return None


def entry_name(low: str, text: str) -> str:
    """Return the name that an ENTRY statement declares, "" when the statement is none."""
    found = _ENTRY.match(low)
    if not found or assigns(outside_brackets(low)):
        return ""
    return text[found.start(1) : found.end(1)]


def ending(low: str) -> tuple[str, str] | None:
    """Return (kind, name) of an END statement that closes a unit, "" where it does not say; None for any other statement.

    >>> ending("end"), ending("endfunction f"), ending("endif"), ending("endval")
    (('', ''), ('function', 'f'), None, None)
    """
    found = _END.match(low)
    if found is None:
        return None
    kind, name = found.group(1) or "", found.group(2) or ""
    if kind:
        return {"block data": "block_data", "blockdata": "block_data", "structure": "type"}.get(kind, kind), name
    return None if name else ("", "")


def _written(text: str, low: str, keyword: str, name: str) -> str:
    """Return ``name`` as the source writes it: the text after the keyword."""
    for between in (keyword + " ", keyword):
        place = low.find(between + name)
        if place >= 0:
            return text[place + len(between) : place + len(between) + len(name)]
    return name


def _last(text: str, name: str) -> str:
    return text[len(text) - len(name) :] if name else ""


def _named(text: str, low: str, name: str) -> str:
    place = low.rfind("::" + name)
    place = place + 2 if place >= 0 else low.find(name, 4)
    return text[place : place + len(name)]
