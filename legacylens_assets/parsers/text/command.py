"""IBM i control language and command definitions, REXX.

CL: a statement continues on the next line after `+` or `-`; comments are `/* */`; labels end in a colon. REXX: labels end in a colon, a trailing
comma continues, comments nest. Not parsed: what commands mean beyond calls, files and jumps.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from legacylens_assets.parsers.text.draft import Draft, Head, strip_block_comments
from legacylens_assets.types import CONTINUED, START, Reference

_CL_LABEL = re.compile(r"\s*([A-Z@#$][\w@#$]*)\s*:(?!=)\s*", re.IGNORECASE)
_CL_COMMAND = re.compile(r"\s*(?:[A-Z0-9]+/)?([A-Z@#$]\w*)", re.IGNORECASE)
_CL_CALL = re.compile(r"\b(CALL|CALLPRC)\s+(?:(?:PGM|PRC)\s*\(\s*)?(&?[\w@#$*/']+)", re.IGNORECASE)
_CL_SUBR = re.compile(r"\b(CALLSUBR|GOTO)\s+(?:(?:SUBR|CMDLBL)\s*\(\s*)?([\w@#$]+)", re.IGNORECASE)
_CL_FILE = re.compile(r"\b(DCLF|OVRDBF|OVRPRTF|OVRDSPF|CPYF|CLRPFM|RMVM)\s+(?:FILE\s*\(\s*|FROMFILE\s*\(\s*)?([\w@#$/*&]+)", re.IGNORECASE)
_CL_NAMED = re.compile(r"\b(?:SUBR|KWD|VAR)\s*\(\s*([&\w@#$]+)", re.IGNORECASE)


def control_language(lines: Sequence[str], stem: str) -> Draft:
    """Return the program or command (named after the file), its subroutines, labels and parameters."""
    clean, roles = _cl_roles(lines)
    heads: list[Head] = []
    references: list[Reference] = []
    for number, text in _joined(clean, roles):
        label = _CL_LABEL.match(text)
        if label:
            heads.append(Head(number, 3, label.group(1).upper(), "label"))
            text = text[label.end() :]
        command = _CL_COMMAND.match(text)
        verb = command.group(1).upper() if command else ""
        if verb == "ENDSUBR":
            _end_subroutine(heads, number)
        head = _cl_head(number, verb, text, stem)
        if head:
            heads.append(head)
        references.extend(_cl_references(number, text))
    return Draft(roles, heads, references)


def _end_subroutine(heads: list[Head], number: int) -> None:
    """Close the subroutine that was opened last."""
    for position in range(len(heads) - 1, -1, -1):
        if heads[position].detail.get("type") == "subroutine":
            heads[position] = replace(heads[position], end=number)
            return


def _cl_head(number: int, verb: str, text: str, stem: str) -> Head | None:
    if verb in ("PGM", "CMD"):
        return Head(number, 1, stem, "section", detail={"type": "program" if verb == "PGM" else "command"})
    if verb in ("SUBR", "PARM", "QUAL", "ELEM", "DCL"):
        named = _CL_NAMED.search(text) or re.match(r"\s*\w+\s+(&\w+)", text)
        if not named:
            return None
        name = named.group(1).upper()
        return (
            Head(number, 2, name, "section", detail={"type": "subroutine"})
            if verb == "SUBR"
            else Head(number, 4, name, "field", unit=False, end=number)
        )
    return None


def _cl_references(number: int, text: str) -> Iterator[Reference]:
    for match in _CL_CALL.finditer(text):
        target = match.group(2).strip("'").upper().rpartition("/")[2]
        yield Reference("call_dynamic" if target.startswith("&") else "call", target, number)
    for match in _CL_SUBR.finditer(text):
        yield Reference("goto" if match.group(1).upper() == "GOTO" else "perform", match.group(2).upper(), number)
    for match in _CL_FILE.finditer(text):
        yield Reference("file_assign", match.group(2).upper().rpartition("/")[2], number, detail={"command": match.group(1).upper()})


def _cl_roles(lines: Sequence[str]) -> tuple[list[str], str]:
    clean, roles = strip_block_comments(lines)
    found = list(roles)
    continued = False
    for index, line in enumerate(clean):
        text = line.rstrip()
        if continued and found[index] == START:
            found[index] = CONTINUED
        if text:
            continued = text.endswith(("+", "-")) and (len(text) == 1 or text[-2] in " '),+")
    return clean, "".join(found)


def _joined(clean: Sequence[str], roles: str) -> Iterator[tuple[int, str]]:
    """Yield the first line and the whole text of each statement."""
    number, count = 0, len(clean)
    while number < count:
        if roles[number] != START:
            number += 1
            continue
        first, parts = number, [clean[number]]
        number += 1
        while number < count and roles[number] not in (START,):
            if roles[number] == CONTINUED:
                parts.append(clean[number].strip())
            number += 1
        yield first + 1, " ".join(part.rstrip().rstrip("+-") if len(parts) > 1 else part for part in parts)


_REXX_LABEL = re.compile(r"\s*([A-Za-z_@#$!?][\w@#$!?.]*)\s*:(?![:=])")
_REXX_CALL = re.compile(r"(?:^|[;:]|\bthen|\belse|\bdo)\s*call\s+([A-Za-z_@#$!?][\w@#$!?.]*|'[^']*'|\"[^\"]*\")", re.IGNORECASE)
_REXX_JUMP = re.compile(r"\bsignal\s+(?!on\b|off\b|value\b)([A-Za-z_]\w*)", re.IGNORECASE)
_WSIM_INCLUDE = re.compile(r"\s*@include\s+(\S+)", re.IGNORECASE)


def rexx(lines: Sequence[str]) -> Draft:
    """Return labels (routines) of a REXX exec, or of a script of its kind."""
    clean, roles = strip_block_comments(lines, nest=True)
    found = list(roles)
    heads: list[Head] = []
    references: list[Reference] = []
    continued = False
    for index, line in enumerate(clean):
        if found[index] != START:
            continue
        if continued:
            found[index] = CONTINUED
        else:
            label = _REXX_LABEL.match(line)
            if label:
                heads.append(Head(index + 1, 1, label.group(1), "label"))
        continued = line.rstrip().endswith(",")
        references.extend(_rexx_references(index + 1, line))
    return Draft("".join(found), heads, references)


def _rexx_references(number: int, line: str) -> Iterator[Reference]:
    folded = line.lower()
    if "call" in folded:
        for match in _REXX_CALL.finditer(line):
            if match.group(1).lower() not in ("on", "off"):
                yield Reference("call", match.group(1).strip("'\"").upper(), number)
    if "signal" in folded:
        for match in _REXX_JUMP.finditer(line):
            yield Reference("goto", match.group(1).upper(), number)
    if "@include" in folded:
        include = _WSIM_INCLUDE.match(line)
        if include:
            yield Reference("include", include.group(1), number)
