"""Assembler language and what is written in its form: HLASM, BMS maps, IMS DBD and PSB; Multics ALM.

Statements as in the High Level Assembler Language Reference: name in column 1, operation, operands; `*` or `.*` in column 1 is a comment;
a character in column 72 continues the statement. Not parsed: macro expansion, conditional assembly.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from legacylens_assets.parsers.text.draft import Draft, Head
from legacylens_assets.types import BLANK, COMMENT, CONTINUED, START, Reference

_STATEMENT = re.compile(r"(\S*)\s+(\S+)(?:\s+(.*))?$")
_OPERAND = re.compile(r"(?:^|,)([A-Z@#$][A-Z0-9@#$]*)=(\([^)]*\)|'(?:[^']|'')*'|[^,\s(]*)", re.IGNORECASE)
_VCON = re.compile(r"=?V\(([A-Z@#$][\w@#$]*)\)", re.IGNORECASE)
_SECTIONS = frozenset({"CSECT", "DSECT", "RSECT", "START", "COM", "DFHEIENT"})
_DATABASE = frozenset({"DATASET", "AREA", "LCHILD", "XDFLD", "DBDGEN", "PSBGEN"})
_CALLS = frozenset({"CALL", "LINK", "XCTL", "LOAD", "ATTACH", "LINKX", "XCTLX"})


def assembler(lines: Sequence[str]) -> Draft:
    """Return maps, control sections, labels and macros, whichever the file holds."""
    roles = _roles(lines)
    heads: list[Head] = []
    references: list[Reference] = []
    state = {"dsect": False, "macro": False, "opened": 0}
    for number, last, name, operation, operands in _statements(lines, roles):
        head = (
            _map_head(number, name, operation, operands) or _ims_head(number, name, operation, operands) or _code_head(number, name, operation, state)
        )
        if head:
            heads.append(replace(head, end=last) if head.kind == "field" else head)
        references.extend(_references(number, operation, operands))
    return Draft(roles, heads, references)


def _roles(lines: Sequence[str]) -> str:
    roles = []
    continued = False
    for line in lines:
        if continued:
            roles.append(CONTINUED)
        elif not line.strip():
            roles.append(BLANK)
        else:
            roles.append(COMMENT if line.startswith(("*", ".*")) else START)
        continued = len(line) >= 72 and line[71] != " " and (continued or bool(line.strip()))
    return "".join(roles)


def _statements(lines: Sequence[str], roles: str) -> Iterator[tuple[int, int, str, str, str]]:
    """Yield first and last line, name, operation and operands of each statement, continuation lines joined, remarks left on."""
    number, count = 0, len(lines)
    while number < count:
        if roles[number] != START:
            number += 1
            continue
        first, parts = number, [lines[number][:71]]
        number += 1
        while number < count and roles[number] == CONTINUED:
            parts.append(lines[number][:71].strip())
            number += 1
        text = parts[0].rstrip() + "".join(parts[1:])
        match = _STATEMENT.match(text)
        if match:
            yield first + 1, number, match.group(1), match.group(2).upper(), match.group(3) or ""


def _keywords(operands: str) -> dict[str, str]:
    return {key.upper(): value for key, value in _OPERAND.findall(operands)}


def _map_head(number: int, name: str, operation: str, operands: str) -> Head | None:
    if not operation.startswith("DFHM"):
        return None
    if operation == "DFHMSD":
        return None if "TYPE=FINAL" in operands.upper() else Head(number, 1, name, "mapset")
    if operation == "DFHMDI":
        return Head(number, 2, name, "map")
    if operation != "DFHMDF" or not name:
        return None
    found = _keywords(operands)
    wanted = (("POS", "pos"), ("LENGTH", "length"), ("ATTRB", "attributes"), ("INITIAL", "initial"), ("PICIN", "picin"), ("PICOUT", "picout"))
    return Head(number, 3, name, "field", unit=False, detail={key: found[word] for word, key in wanted if word in found})


def _ims_head(number: int, name: str, operation: str, operands: str) -> Head | None:
    """Return the head of a database description, a segment, a field or a program view."""
    if operation not in ("DBD", "SEGM", "FIELD", "PCB", "SENSEG"):
        return None
    found = _keywords(operands)
    named = found.get("NAME", name).strip("()").split(",")[0]
    if operation == "DBD":
        return Head(number, 1, named, "section", detail={"type": "database"})
    if operation == "SEGM":
        return Head(number, 2, named, "record", detail={"parent": found.get("PARENT", "").strip("()").split(",")[0]})
    if operation == "FIELD":
        return Head(number, 3, named, "field", unit=False)
    if operation == "PCB":
        return Head(number, 1, name or found.get("DBDNAME", ""), "section", detail={"type": "pcb", "dbd": found.get("DBDNAME", "")})
    return Head(number, 2, named, "record", unit=False, detail={"parent": found.get("PARENT", "")})


def _code_head(number: int, name: str, operation: str, state: dict[str, int | bool]) -> Head | None:
    if operation in ("MACRO", "MEND"):
        state["macro"], state["opened"] = operation == "MACRO", number if operation == "MACRO" else 0
        return None
    if state["opened"]:
        start, state["opened"] = int(state["opened"]), 0
        return Head(start, 1, operation, "section", detail={"type": "macro"})
    if operation in _SECTIONS:
        state["dsect"] = operation == "DSECT"
        return Head(number, 1, name, "section", detail={"type": operation.lower()})
    if operation in _DATABASE or not name or name.startswith((".", "&")) or operation in ("EQU", "AMODE", "RMODE", "TITLE", "MNOTE"):
        return None
    data = operation in ("DS", "DC") or state["dsect"]
    return Head(number, 2, name, "field" if data else "label", unit=not data and not state["macro"])


def _references(number: int, operation: str, operands: str) -> Iterator[Reference]:
    if operation == "COPY":
        yield Reference("copy", operands.split()[0].upper() if operands.split() else "", number)
    elif operation in _CALLS:
        target = _keywords(operands).get("EP") or re.split(r"[,\s(]", operands, maxsplit=1)[0]
        if target and not target.startswith("("):
            yield Reference("call", target.upper(), number)
    elif "V(" in operands.upper():
        for match in _VCON.finditer(operands):
            yield Reference("call", match.group(1).upper(), number)


_ALM_LABEL = re.compile(r"([A-Za-z_.][\w.$]*):")
_ALM_WORD = re.compile(r"\s*(name|entry|segdef|include|call|short_call|getlp|macro)\s+([\w.$>]+(?:\s*,\s*[\w.$]+)*)")
_ALM_CALL = re.compile(r"\b(?:tsx\d|callsp|call|tsp\d|short_call)\s+(?:<([\w.]+)>\|\[?([\w.]*)\]?|([a-z_][\w.]*\$[\w.]*|[a-z_][\w.]*))")


def alm(lines: Sequence[str]) -> Draft:
    """Return entries and labels of Multics assembler: `"` begins a comment, a label ends in a colon."""
    roles = "".join(BLANK if not line.strip() else COMMENT if line.lstrip().startswith('"') else START for line in lines)
    heads: list[Head] = []
    references: list[Reference] = []
    entries: set[str] = set()
    for number, line in enumerate(lines, 1):
        if roles[number - 1] != START:
            continue
        code = line.partition('"')[0]
        label = _ALM_LABEL.match(code)
        if label:
            name = label.group(1)
            heads.append(Head(number, 1 if name in entries else 2, name, "label"))
            code = code[label.end() :]
        word = _ALM_WORD.match(code)
        if word and word.group(1) in ("entry", "segdef"):
            entries.update(part.strip() for part in word.group(2).split(","))
        elif word and word.group(1) == "include":
            references.append(Reference("include", word.group(2), number))
        call = _ALM_CALL.search(code)
        if call:
            target = call.group(3) or f"{call.group(1)}${call.group(2)}".rstrip("$")
            references.append(Reference("call", target, number))
    return Draft(roles, heads, references)
