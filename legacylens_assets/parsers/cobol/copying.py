"""COPY and REPLACE statements, SQL INCLUDE and library directives: what a file brings in."""

from __future__ import annotations

import re

from legacylens_assets.parsers.cobol.reading import Reading
from legacylens_assets.parsers.cobol.tokens import DOT, IDENT, unquote

_PSEUDO = re.compile(r"==\s*(.*?)\s*==")


def statement_end(r: Reading, i: int) -> int:
    """Return the index of the period that ends a COPY or REPLACE statement: the first one outside pseudo-text."""
    first = r.next_dot(i)
    if r.pseudo_broken:
        return first
    upper, inside = r.upper, False
    for k in range(i, r.size):
        word = upper[k]
        if word == "==":
            inside = not inside
        elif word == "." and not inside:
            return k
    if inside:
        r.pseudo_broken = True
        r.problem(r.line_of(i), "pseudo_text_open", "pseudo-text that begins with == has no end")
    return first


def replace_statement(r: Reading, i: int) -> int:
    """Pass over a REPLACE statement."""
    r.mark(i)
    return min(statement_end(r, i) + 1, r.size)


def copy_statement(r: Reading, i: int, *, unit: bool) -> int:
    """Record a COPY statement at ``i``; return the index after it. ``unit``: the statement stands in no other unit."""
    r.mark(i)
    at = i + 1
    if r.kind_at(at) in (-1, DOT):
        r.problem(r.line[i], "copy_without_name", "COPY names no copybook")
        return min(at + 1, r.size)
    name = unquote(r.text[at])
    detail: dict[str, str] = {}
    at += 1
    if r.word(at) == "." and r.kind_at(at + 1) == IDENT and r.word(at + 2) == "." and not r.first[at + 1]:
        name += "." + r.text[at + 1]
        at += 2
    if r.word(at) in ("IN", "OF") and at + 1 < r.size:
        detail["library"] = unquote(r.text[at + 1])
        at += 2
    at = _suppress(r, at, detail)
    end = at
    if r.word(at) == "REPLACING":
        end = statement_end(r, at)
        detail["replacing"] = replacing_text(r, at + 1, end)
        if r.word(end - 1) == "PRINTING" or r.word(end - 1) == "SUPPRESS":
            detail["suppress"] = "1"
    if r.kind_at(end) == DOT:
        after = end + 1
    else:
        r.problem(r.line[i], "copy_without_period", f"COPY {name} is not followed by a period")
        after = end
        end -= 1
    record_copy(r, name, i, end, unit=unit, detail=detail)
    return max(after, i + 1)


def _suppress(r: Reading, at: int, detail: dict[str, str]) -> int:
    if r.word(at) == "SUPPRESS":
        detail["suppress"] = "1"
        at += 2 if r.word(at + 1) == "PRINTING" else 1
    return at


def replacing_text(r: Reading, start: int, end: int) -> str:
    """Return the REPLACING phrase as written, in one line, at most 400 characters."""
    return _PSEUDO.sub(r"==\1==", " ".join(r.text[start:end]))[:400]


def record_copy(r: Reading, name: str, i: int, end: int, *, unit: bool, detail: dict[str, str] | None = None, kind: str = "copy") -> None:
    """Add the symbol and the reference of a copied member."""
    line = r.line[i]
    if not name:
        r.problem(line, "copy_without_name", "COPY names no copybook")
        return
    symbol = r.open(name, "copy", line, r.program, unit=unit, detail=dict(detail or {}))
    r.close(symbol, r.line_of(end))
    r.refer(kind, name.upper(), line, dict(detail or {}))
