"""What embedded SQL and CICS commands and PL/I's own input and output name: tables, programs, maps, files."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from legacylens_assets.parsers.pli.syntax import NAME
from legacylens_assets.types import Reference

LONGEST = 20_000
"""Characters of one embedded statement that are read."""

_WRITTEN = re.compile(r"\b(?:insert\s+into|delete\s+from|merge\s+into|update(?!\s+of\b))\s+([a-z_$#@\"][\w$#@.\"]*)", re.IGNORECASE)
_READ = re.compile(
    r"\b(?:delete\s+)?from\s+([^;()]{0,2000}?)(?:\bwhere\b|\bgroup\b|\border\b|\bfor\b|\bwith\b|\bunion\b|[;)]|\Z)", re.IGNORECASE | re.DOTALL
)
_CURSOR = re.compile(r"\bdeclare\s+([\w$#@-]+)\s+(?:\w+\s+){0,3}?cursor\b", re.IGNORECASE)
_SQL_INCLUDE = re.compile(r"\binclude\s+([\w$#@]+)", re.IGNORECASE)
_SQL_CALL = re.compile(r"^\s*call\s+(:?[\w$#@.]+)", re.IGNORECASE)
_NOT_TABLES = frozenset({"set", "select", "values", "table", "final", "lateral", "where"})

_CICS_VERBS: Mapping[str, str] = {
    "link": "cics_link", "xctl": "cics_xctl", "start": "cics_start", "return": "cics_return", "load": "cics_link",
}  # fmt: skip
_CICS_FILE: Mapping[str, str] = {
    "read": "read", "readnext": "read", "readprev": "read", "startbr": "read", "write": "write", "rewrite": "write", "delete": "delete",
}  # fmt: skip
_OPTION = re.compile(rf"\b(program|transid|file|dataset|map|mapset|queue|qname|tsqueue)\s*\(\s*('[^']*'|\"[^\"]*\"|{NAME})", re.IGNORECASE)


def sql(text: str, line: int) -> Iterator[Reference]:
    """Yield the tables, cursors, includes and procedures of one `EXEC SQL` statement; ``line`` is that of its first character."""

    def at(match: re.Match[str]) -> int:
        return line + text.count("\n", 0, match.start(1))

    text = text[:LONGEST]
    include = _SQL_INCLUDE.match(text.lstrip())
    if include:
        yield Reference("include", include.group(1).upper(), line)
        return
    call, cursor = _SQL_CALL.match(text), _CURSOR.search(text)
    if call:
        yield Reference("call", call.group(1).upper(), line)
    if cursor:
        yield Reference("sql_cursor", cursor.group(1).upper(), at(cursor))
    flat = re.sub(r"'[^']*'", "''", text)
    for match in _WRITTEN.finditer(flat):
        yield from _table("sql_write", match.group(1), at(match))
    for match in _READ.finditer(flat):
        parts = () if match.group().lower().startswith("delete") else re.split(r",|\bjoin\b", match.group(1), flags=re.IGNORECASE)
        for part in parts:
            words = part.split()
            if words and not words[0].startswith(":"):
                yield from _table("sql_read", words[0], at(match))


def _table(kind: str, name: str, line: int) -> Iterator[Reference]:
    name = name.strip('"').upper()
    if name and name.lower() not in _NOT_TABLES and (name[0].isalpha() or name[0] in "_$#@"):
        yield Reference(kind, name, line)


def cics(text: str, line: int) -> Iterator[Reference]:
    """Yield what one `EXEC CICS` statement names; a name that is no literal is marked ``dynamic``."""
    text = text[:LONGEST]
    words = text.split(None, 2)
    if not words:
        return
    verb = words[0].lower()
    options = {found.group(1).lower(): (found.group(2), line + text.count("\n", 0, found.start())) for found in _OPTION.finditer(text)}
    kind = _CICS_VERBS.get(verb)
    program = options.get("program") or options.get("transid")
    if kind and program:
        yield _cics(kind, program, {})
    if verb in ("send", "receive") and "map" in options:
        mapset = options.get("mapset", options["map"])[0].strip("'\" ").upper()
        yield _cics("cics_map", options["map"], {"mapset": mapset})
    file = options.get("file") or options.get("dataset")
    if file and verb in _CICS_FILE:
        yield _cics("cics_file", file, {"access": _CICS_FILE[verb]})
    queue = options.get("queue") or options.get("qname") or options.get("tsqueue")
    if queue:
        yield _cics("cics_queue", queue, {})


def _cics(kind: str, option: tuple[str, int], detail: Mapping[str, str]) -> Reference:
    value, line = option
    literal = value[:1] in "'\""
    return Reference(kind, value.strip("'\" ").upper(), line, None, detail if literal else {**detail, "dynamic": "1"})
