"""Embedded SQL: tables read and written, cursors, included members.

Source: Embedded SQL programming (Db2 for i).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from legacylens_assets.types import Reference

_MOST = 20_000
_LITERAL = re.compile(r"'(?:[^']|'')*+'?")
_NAME = r"(?:\"[^\"]+\"|[\w@#$]+)(?:\s*[./]\s*(?:\"[^\"]+\"|[\w@#$]+))?"
_TABLE = re.compile(
    rf"\b(INSERT\s+INTO|MERGE\s+INTO|DELETE\s+FROM|UPDATE|FROM|JOIN)\s+({_NAME})((?:\s+(?:AS\s+)?\w+)?(?:\s*,\s*{_NAME}(?:\s+(?:AS\s+)?\w+)?)*)",
    re.IGNORECASE,
)
_LISTED = re.compile(rf",\s*({_NAME})")
_CURSOR = re.compile(
    r"\s*(?:(DECLARE)\s+(\w+)\s+(?:\w+\s+){0,4}?CURSOR|(OPEN|CLOSE)\s+(\w+)|(FETCH)\s+(?:(?:NEXT|PRIOR|FIRST|LAST|BEFORE|AFTER|CURRENT|RELATIVE\s+\S+)\s+)?(?:FROM\s+)?(\w+))",
    re.IGNORECASE,
)
_INCLUDE = re.compile(r"\s*INCLUDE\s+('[^']+'|\S+)", re.IGNORECASE)
_CALL = re.compile(rf"\s*CALL\s+({_NAME})", re.IGNORECASE)
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_NOT_TABLES = frozenset("SELECT TABLE LATERAL UNNEST FINAL OLD NEW XMLTABLE JSON_TABLE SET OF WHERE".split())


def included(text: str) -> str:
    """Return the member that EXEC SQL INCLUDE names, "" when the statement is another."""
    found = _INCLUDE.match(text)
    return found.group(1).strip("';").strip() if found else ""


def sql_references(text: str, line: int) -> Iterator[Reference]:
    """Yield the references of one SQL statement."""
    text = _COMMENT.sub(" ", text[:_MOST])
    member = included(text)
    if member:
        yield Reference("include", member.upper(), line, None, {"via": "sql"})
        return
    text = _LITERAL.sub("''", text)
    verb = text.split(None, 1)[0].upper() if text.strip() else ""
    cursor = _CURSOR.match(text)
    if cursor:
        groups = [group for group in cursor.groups() if group]
        yield Reference("sql_cursor", groups[1].upper(), line, None, {"verb": groups[0].upper()})
        if verb != "DECLARE":
            return
    called = _CALL.match(text)
    if called:
        yield Reference("call", _table(called.group(1)), line, None, {"via": "sql"})
    if verb not in ("PREPARE", "EXECUTE", "SET", "CONNECT", "WHENEVER"):
        yield from _tables(text, line, verb)


def _tables(text: str, line: int, verb: str) -> Iterator[Reference]:
    seen: set[tuple[str, str]] = set()
    for found in _TABLE.finditer(text):
        word = found.group(1).split()[0].upper()
        names = [found.group(2), *_LISTED.findall(found.group(3))] if word == "FROM" else [found.group(2)]
        if word == "UPDATE" and verb not in ("UPDATE", "MERGE"):
            continue
        kind = "sql_read" if word in ("FROM", "JOIN") else "sql_write"
        for name in map(_table, names):
            if name not in _NOT_TABLES and (kind, name) not in seen:
                seen.add((kind, name))
                yield Reference(kind, name, line, None, {"verb": verb})


def _table(name: str) -> str:
    return re.sub(r"\s*([./])\s*", r"\1", name).replace('"', "").upper()
