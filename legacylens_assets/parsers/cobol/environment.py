"""ENVIRONMENT DIVISION: SELECT entries become files with their external name; the rest is passed over."""

from __future__ import annotations

import re

from legacylens_assets.parsers.cobol.reading import Reading
from legacylens_assets.parsers.cobol.tokens import DOT, IDENT, KEYWORD, LITERAL, unquote

_PREFIX = re.compile(
    r"^(?:(?:(?:SYS\d{3}|[A-Z]{1,8})-)?(?:UT|UR|DA|MT|DK)(?:-\d{4}[A-Z]?\d?)?-)?(?:(?:S|AS|I|R|D|W|A|F|C|B)-)?(?=[A-Z@#$])", re.IGNORECASE
)
_DEVICES = frozenset(
    {
        "DISK",
        "TAPE",
        "PRINTER",
        "KEYBOARD",
        "DISPLAY",
        "CARD-READER",
        "CARD-PUNCH",
        "RANDOM",
        "INPUT",
        "OUTPUT",
        "INPUT-OUTPUT",
        "CASSETTE",
        "MAGNETIC-TAPE",
    }
)
_FILLERS = frozenset({"TO", "DYNAMIC", "EXTERNAL", "USING", "VARYING", "LINE", "ADVANCING", "FILE", "MULTIPLE", "REEL", "UNIT", "SEQUENTIAL"})


def ddname(name: str) -> str:
    """Return the external name of an ASSIGN clause without class, device and organisation prefixes.

    >>> ddname("UT-S-CUSTIN"), ddname("DA-3350-I-MASTER"), ddname("AS-VSAMFL"), ddname("CUST-FILE")
    ('CUSTIN', 'MASTER', 'VSAMFL', 'CUST-FILE')
    """
    return _PREFIX.sub("", name, count=1).upper() if "-" in name else name.upper()


def environment_sentence(r: Reading, i: int) -> int:
    """Read one sentence of the ENVIRONMENT DIVISION; return the index after it."""
    r.mark(i)
    end = _sentence_end(r, i + 1)
    if r.upper[i] == "SELECT":
        _select(r, i, end)
    elif r.word(i + 1) == "SECTION" and r.kind_at(i + 2) != DOT:
        return i + 2
    if r.kind_at(end) == DOT:
        return end + 1
    return end


def _sentence_end(r: Reading, i: int) -> int:
    """Return the index of the period, or of the SELECT, COPY or division that follows without one."""
    stop = r.next_dot(i)
    for k in range(i, stop):
        if r.first[k] and (r.upper[k] in ("SELECT", "COPY") or r.word(k + 1) == "DIVISION"):
            return k
    return stop


def _select(r: Reading, i: int, end: int) -> None:
    """Record a SELECT entry: the file and what it is assigned to."""
    at = i + 2 if r.word(i + 1) == "OPTIONAL" else i + 1
    if at >= end:
        return
    name = r.text[at]
    detail = {"file": name.upper(), **_clauses(r, at + 1, end)}
    symbol = r.open(name, "file", r.line[i], r.program, detail={"role": "select", **detail})
    r.close(symbol, r.line_of(end if r.kind_at(end) == DOT else end - 1))
    target, literal = _assignment(r, at + 1, end)
    if not target:
        r.problem(r.line[i], "select_without_assign", f"SELECT {name} has no ASSIGN")
        return
    external = target.strip() if literal else ddname(target)
    r.assigned[name.upper()] = external
    if target.upper() != external.upper():
        detail["assign"] = target
    detail["literal" if literal else "word"] = "1"
    r.refer("file_assign", external, r.line[i], detail)
    r.symbols[symbol].detail["ddname"] = external


def _assignment(r: Reading, i: int, end: int) -> tuple[str, bool]:
    """Return what the file is assigned to and whether that is a literal; a device only when nothing else is named."""
    device = ""
    for k in range(i, end):
        if r.upper[k] != "ASSIGN":
            continue
        for m in range(k + 1, end):
            word, kind = r.upper[m], r.kind[m]
            if kind == LITERAL:
                return unquote(r.text[m]), True
            if word in _DEVICES:
                device = device or word
            elif kind == IDENT:
                return r.text[m], False
            elif word not in _FILLERS:
                break
        break
    return device, False


def _clauses(r: Reading, i: int, end: int) -> dict[str, str]:
    """Return organisation, access mode, keys and status field of a SELECT entry."""
    found: dict[str, str] = {}
    for k in range(i, end):
        word = r.upper[k]
        if word in ("INDEXED", "RELATIVE", "SEQUENTIAL") and r.word(k + 1) != "KEY":
            key = "access" if _after(r, k, i) in ("ACCESS", "MODE") else "organization"
            found.setdefault(key, word.lower())
        elif word in ("RANDOM", "DYNAMIC") and _after(r, k, i) in ("ACCESS", "MODE"):
            found["access"] = word.lower()
        elif word in ("KEY", "STATUS"):
            role = "status" if word == "STATUS" else {"RECORD": "key", "RELATIVE": "key", "ALTERNATE": "alternate"}.get(r.upper[k - 1], "")
            if role == "key" and r.upper[k - 2] == "ALTERNATE":
                role = "alternate"
            at = k + 2 if r.word(k + 1) == "IS" else k + 1
            if role and at < end and r.kind[at] in (IDENT, KEYWORD):
                found.setdefault(role, r.upper[at])
    return found


def _after(r: Reading, k: int, floor: int) -> str:
    """Return the word before ``k`` that is not IS."""
    k -= 1
    while k > floor and r.upper[k] == "IS":
        k -= 1
    return r.upper[k]
