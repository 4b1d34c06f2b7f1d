"""Statements: what they perform, call, read, write, set and use."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from legacylens_assets.parsers.cobol.copying import copy_statement, replace_statement
from legacylens_assets.parsers.cobol.exec_blocks import exec_block
from legacylens_assets.parsers.cobol.reading import Reading
from legacylens_assets.parsers.cobol.tokens import IDENT, LITERAL, unquote
from legacylens_assets.parsers.cobol.words import RESERVED

USED, SET = "field_used", "field_set"

PHRASES: Mapping[str, tuple[str, Mapping[str, str]]] = {
    "ACCEPT": (SET, {"FROM": USED}),
    "ADD": (USED, {"TO": SET, "GIVING": SET}),
    "COMPUTE": (SET, {"=": USED, "EQUAL": USED}),
    "DIVIDE": (USED, {"INTO": SET, "GIVING": SET, "REMAINDER": SET, "BY": USED}),
    "EXAMINE": (SET, {"TALLYING": USED, "REPLACING": USED}),
    "INITIALIZE": (SET, {"REPLACING": USED, "BY": USED, "TO": USED}),
    "INSPECT": (SET, {"TALLYING": SET, "FOR": USED, "REPLACING": USED, "CONVERTING": USED, "BY": USED, "AFTER": USED, "BEFORE": USED}),
    "MOVE": (USED, {"TO": SET}),
    "MULTIPLY": (USED, {"BY": SET, "GIVING": SET}),
    "SET": (SET, {"TO": USED, "BY": USED}),
    "STRING": (USED, {"INTO": SET, "POINTER": SET}),
    "SUBTRACT": (USED, {"FROM": SET, "GIVING": SET}),
    "TRANSFORM": (SET, {"FROM": USED, "TO": USED}),
    "UNSTRING": (USED, {"INTO": SET, "DELIMITER": SET, "COUNT": SET, "POINTER": SET, "TALLYING": SET, "DELIMITED": USED}),
    "PERFORM": (USED, {"VARYING": SET, "AFTER": SET, "FROM": USED, "BY": USED, "UNTIL": USED}),
    "READ": (USED, {"INTO": SET, "KEY": USED}),
    "RETURN": (USED, {"INTO": SET}),
    "CALL": (USED, {"RETURNING": SET, "GIVING": SET, "USING": USED}),
    "SEARCH": (USED, {"VARYING": SET}),
    "XML": (SET, {"FROM": USED, "COUNT": SET}),
}  # fmt: skip
"""For each verb: what its first operands are, and the words that change that. Verbs not listed use their operands."""

GIVING_KEEPS = frozenset({"ADD", "SUBTRACT", "MULTIPLY", "DIVIDE"})
"""Verbs whose operands before GIVING are only used when there is a GIVING."""

NO_FIELDS = frozenset("GO STOP EXIT GOBACK CONTINUE NEXT USE NOTE ENTER OPEN CLOSE ALTER SORT MERGE ENTRY COPY END-EXEC XML JSON".split())


def read_statement(r: Reading, i: int, end: int) -> None:
    """Record what the statement (or phrase) of tokens ``i`` to ``end`` refers to."""
    word = r.upper[i]
    start = i + 1
    handler = HANDLERS.get(word)
    if handler is not None:
        start = handler(r, i, end)
    if word not in NO_FIELDS and start < end:
        read_fields(r, word, start, end)


def read_fields(r: Reading, verb: str, start: int, end: int) -> None:
    """Record the fields that tokens ``start`` to ``end`` set and use."""
    upper, kinds = r.upper, r.kind
    role, switches = PHRASES.get(verb, (USED, {}))
    if verb == "INSPECT" and "REPLACING" not in upper[start:end] and "CONVERTING" not in upper[start:end]:
        role = USED
    giving = verb in GIVING_KEEPS and "GIVING" in upper[start:end]
    depth = 0
    for k in range(start, end):
        word = upper[k]
        kind = kinds[k]
        if kind == IDENT:
            before = upper[k - 1]
            if before in ("OF", "IN") and upper[k - 2] not in ("LENGTH", "ADDRESS", "COUNT", "DELIMITER") and k - 1 > start:
                continue
            if before in ("FUNCTION", "UPON"):
                continue
            what = USED if depth or (giving and role == SET) else role
            of = upper[k + 2] if k + 2 < end and upper[k + 1] in ("OF", "IN") and kinds[k + 2] == IDENT else ""
            r.refer_field(what, word, r.line[k], of)
        elif word == "(":
            depth += 1
        elif word == ")":
            depth -= 1
        elif word in switches and not depth:
            role = switches[word]
            giving = giving and word != "GIVING"


def _perform(r: Reading, i: int, end: int) -> int:
    """PERFORM procedure [THRU procedure], or an in-line PERFORM, which names none."""
    at = i + 1
    if not (at < end and r.is_name(at)) or r.word(at + 1) == "TIMES":
        return at
    target = r.upper[at]
    detail = {}
    at += 1
    if at + 1 < end and r.upper[at] in ("OF", "IN"):
        detail["of"] = r.upper[at + 1]
        at += 2
    if at + 1 < end and r.upper[at] in ("THRU", "THROUGH"):
        detail["thru"] = r.upper[at + 1]
        at += 2
    r.refer("perform", target, r.line[i], detail)
    return at


def _go(r: Reading, i: int, end: int) -> int:
    """GO TO procedure... [DEPENDING ON field]."""
    at = i + 2 if r.word(i + 1) == "TO" else i + 1
    names = []
    while at < end and r.is_name(at):
        names.append(at)
        at += 1
        if at + 1 < end and r.upper[at] in ("OF", "IN"):
            at += 2
    depending = at < end and r.upper[at] == "DEPENDING"
    detail = {}
    if depending:
        at = at + 2 if r.word(at + 1) == "ON" else at + 1
        if at < end:
            detail = {"depending": r.upper[at]}
            read_fields(r, "IF", at, end)
    for name in names:
        r.refer("goto", r.upper[name], r.line[name], dict(detail))
    return end


def _alter(r: Reading, i: int, end: int) -> int:
    """ALTER procedure TO [PROCEED TO] procedure: a GO TO that is set later."""
    for k in range(i + 2, end):
        if r.upper[k] == "TO" and r.is_name(k - 1):
            at = k + 3 if r.word(k + 1) == "PROCEED" else k + 1
            if at < end:
                r.refer("goto", r.upper[at], r.line[at], {"alter": r.upper[k - 1]})
    return end


def _call(r: Reading, i: int, end: int) -> int:
    """CALL literal or identifier, with the names it passes."""
    at = i + 1
    if at >= end:
        return at
    using = _using(r, at, end)
    detail = {"using": using} if using else {}
    if r.upper[i] == "CANCEL":
        detail["verb"] = "CANCEL"
    if r.kind[at] == LITERAL:
        r.refer("call", unquote(r.upper[at]).strip(), r.line[i], detail)
        return at + 1
    if r.kind[at] == IDENT:
        r.refer("call_dynamic", r.upper[at], r.line[i], detail)
    return at


def _using(r: Reading, i: int, end: int) -> str:
    """Return the names after USING, separated by blanks."""
    for k in range(i, end):
        if r.upper[k] == "USING":
            last = next((m for m in range(k + 1, end) if r.upper[m] in ("RETURNING", "GIVING", "ON", "NOT", "OVERFLOW", "EXCEPTION")), end)
            return " ".join(r.upper[m] for m in range(k + 1, last) if r.kind[m] == IDENT and r.upper[m - 1] not in ("OF", "IN"))[:300]
    return ""


def _entry(r: Reading, i: int, end: int) -> int:
    """ENTRY literal: a second entry point."""
    if i + 1 < end and r.kind[i + 1] == LITERAL and r.upper[i - 1] != "TO":
        using = _using(r, i, end)
        symbol = r.open(unquote(r.text[i + 1]).strip(), "entry", r.line[i], r.owner, unit=False, detail={"using": using} if using else {})
        r.close(symbol, r.line[end - 1])
    return end


def _move(r: Reading, i: int, end: int) -> int:
    """MOVE: a literal or a field moved to a field may come to name a program."""
    try:
        to = r.upper.index("TO", i, end)
    except ValueError:
        return i + 1
    kind = r.kind[i + 1]
    literal = kind == LITERAL and to == i + 2
    if literal or (kind == IDENT and r.upper[i + 2] in ("TO", "OF", "IN")):
        value = unquote(r.text[i + 1]).strip() if literal else r.upper[i + 1]
        for k in range(to + 1, end):
            if r.kind[k] == IDENT and r.upper[k - 1] not in ("OF", "IN", "("):
                r.flow(r.upper[k], literal, value)
    return i + 1


def _set(r: Reading, i: int, end: int) -> int:
    """SET condition TO TRUE puts the condition's first value into its field."""
    if r.upper[end - 1] == "TRUE":
        for k in range(i + 1, end):
            holder, values = r.conditions.get(r.upper[k], ("", []))
            if holder and values:
                r.flow(holder, True, values[0].strip())
    return i + 1


def _generate(r: Reading, i: int, end: int) -> int:
    """XML GENERATE and JSON GENERATE fill their first operand; the GENERATE of a report fills no field."""
    if r.upper[i - 1] in ("XML", "JSON"):
        read_fields(r, "XML", i + 1, end)
        return end
    return i + 1


def _markup(r: Reading, i: int, end: int) -> int:
    """XML PARSE and JSON PARSE; PROCESSING PROCEDURE names a paragraph that is performed."""
    start = i + 2 if r.word(i + 1) == "PARSE" else i + 1
    for k in range(start, end):
        if r.upper[k] == "PROCEDURE":
            at = k + 2 if r.word(k + 1) == "IS" else k + 1
            if at < end and r.is_name(at):
                thru = {"thru": r.upper[at + 2]} if at + 2 < end and r.upper[at + 1] in ("THRU", "THROUGH") else {}
                r.refer("perform", r.upper[at], r.line[at], {"verb": r.upper[i], **thru})
            end = k
            break
    read_fields(r, "IF", start, end)
    return end


def _file_verb(kind: str) -> Callable[[Reading, int, int], int]:
    """Return a reader of a statement whose first operand is a file or the record of one."""

    def read(r: Reading, i: int, end: int) -> int:
        at = i + 2 if r.word(i + 1) == "FILE" else i + 1
        if at < end and r.kind[at] == IDENT:
            r.refer(kind, r.upper[at], r.line[i], {"verb": r.upper[i]})
            if r.upper[i] == "WRITE" or r.upper[i] == "REWRITE" or r.upper[i] == "RELEASE":
                return at
            return at + 1
        return at

    return read


def _open(r: Reading, i: int, end: int) -> int:
    """OPEN INPUT file... OUTPUT file...: opening for I-O reads and writes."""
    mode = ""
    for k in range(i + 1, end):
        word = r.upper[k]
        if word in ("INPUT", "OUTPUT", "I-O", "EXTEND"):
            mode = word
        elif r.kind[k] == IDENT and mode:
            if mode in ("INPUT", "I-O"):
                r.refer("file_read", word, r.line[k], {"verb": "OPEN", "mode": mode})
            if mode != "INPUT":
                r.refer("file_write", word, r.line[k], {"verb": "OPEN", "mode": mode})
    return end


def _sort(r: Reading, i: int, end: int) -> int:
    """SORT and MERGE: files read and written, and the procedures performed for input and output."""
    kind = ""
    for k in range(i + 1, end):
        word = r.upper[k]
        if word in ("USING", "GIVING"):
            kind = "file_read" if word == "USING" else "file_write"
        elif word == "PROCEDURE":
            at = k + 2 if r.word(k + 1) == "IS" else k + 1
            if at < end and r.is_name(at):
                thru = {"thru": r.upper[at + 2]} if at + 2 < end and r.upper[at + 1] in ("THRU", "THROUGH") else {}
                r.refer("perform", r.upper[at], r.line[at], {"verb": r.upper[i], **thru})
            kind = ""
        elif kind and r.kind[k] == IDENT:
            r.refer(kind, word, r.line[k], {"verb": r.upper[i]})
        elif word in RESERVED and word not in ("ON", "IS"):
            kind = ""
    return end


HANDLERS: Mapping[str, Callable[[Reading, int, int], int]] = {
    "PERFORM": _perform, "GO": _go, "ALTER": _alter, "CALL": _call, "CANCEL": _call, "ENTRY": _entry, "MOVE": _move, "SET": _set,
    "READ": _file_verb("file_read"), "RETURN": _file_verb("file_read"), "START": _file_verb("file_read"), "WRITE": _file_verb("file_write"),
    "REWRITE": _file_verb("file_write"), "DELETE": _file_verb("file_write"), "RELEASE": _file_verb("file_write"), "OPEN": _open,
    "SORT": _sort, "MERGE": _sort, "XML": _markup, "JSON": _markup, "GENERATE": _generate,
}  # fmt: skip


def _copy(r: Reading, i: int) -> int:
    return copy_statement(r, i, unit=r.paragraph is None and r.section is None)


def _exec(r: Reading, i: int) -> int:
    r.mark(i)
    return exec_block(r, i, unit=False)


def _skip_note(r: Reading, i: int) -> int:
    """Pass over the comment of a NOTE sentence."""
    r.mark(i)
    return min(r.next_dot(i) + 1, r.size)


BLOCKS: Mapping[str, Callable[[Reading, int], int]] = {
    "COPY": _copy,
    "REPLACE": replace_statement,
    "EXEC": _exec,
    "EXECUTE": _exec,
    "NOTE": _skip_note,
}
"""Statements that may hold words and periods of any kind and say themselves where they end."""
