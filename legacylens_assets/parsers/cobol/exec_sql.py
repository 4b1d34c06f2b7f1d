"""Embedded SQL: tables read and written, cursors, procedures called, host variables."""

from __future__ import annotations

from legacylens_assets.parsers.cobol.reading import Reading

_NOT_TABLES = frozenset(
    """
SELECT TABLE LATERAL UNNEST FINAL OLD NEW XMLTABLE WHERE SET VALUES ON ORDER GROUP FETCH WITH FOR AND UNION INNER LEFT RIGHT FULL OUTER
CROSS JOIN USING HAVING AS ONLY OPTIMIZE EXCEPT INTERSECT NATURAL WHEN LIMIT OFFSET CURRENT SKIP INTO
""".split()
)
_SUBSELECTS = frozenset({"SELECT", "WITH", "INSERT", "UPDATE", "DELETE", "VALUES"})
_ENDS_LIST = frozenset(
    {"WHERE", "GROUP", "ORDER", "HAVING", "UNION", "EXCEPT", "INTERSECT", "FETCH", "FOR", "SELECT", "SET", "VALUES", "ON", "WITH", "OPTIMIZE"}
)
_DEFINITIONS = frozenset({"CREATE", "ALTER", "DROP", "LOCK", "TRUNCATE"})


def read_sql(r: Reading, i: int, start: int, end: int) -> None:
    """Record what the SQL statement of tokens ``start`` to ``end`` refers to; lines are those of the names."""
    words, lines = _words(r, start, end)
    if not words:
        return
    verb = words[0]
    names = _common_tables(words)
    if verb == "DECLARE" and "CURSOR" in words[:6] and len(words) > 1:
        r.refer("sql_cursor", words[1], lines[1], {"verb": verb})
    elif verb in ("OPEN", "FETCH", "CLOSE"):
        at = next(
            (
                k
                for k, word in enumerate(words)
                if k and word not in ("FROM", "NEXT", "PRIOR", "FIRST", "LAST", "CURRENT", "ROWSET", "SENSITIVE", "INSENSITIVE")
            ),
            0,
        )
        if at:
            r.refer("sql_cursor", words[at], lines[at], {"verb": verb})
    elif verb == "CALL" and len(words) > 1 and words[1] != ":":
        r.refer("call", words[1].strip("'\""), lines[1], {"via": "sql"})
    elif verb in _DEFINITIONS and "TABLE" in words[:4]:
        at = words.index("TABLE") + 1
        if at < len(words):
            r.refer("sql_write", words[at], lines[at], {"verb": verb})
    if verb not in ("OPEN", "CLOSE", "FETCH", "WHENEVER", "CALL") and not (verb == "DECLARE" and "TABLE" in words[:4]):
        _tables(r, words, lines, names)
    if verb == "WHENEVER":
        _whenever(r, words, lines)
    _host_variables(r, words, lines, verb)


def _words(r: Reading, start: int, end: int) -> tuple[list[str], list[int]]:
    """Return the folded words of a block, qualified names joined, host variable colons apart."""
    words: list[str] = []
    lines: list[int] = []
    joined = False
    for k in range(start, end):
        word = r.upper[k]
        if word == "." and words:
            words[-1] += "."
            joined = True
            continue
        if joined:
            words[-1] += word
            joined = False
            continue
        parts = [word] if ":" not in word or word[0] in "\"'" else [part for piece in word.split(":") for part in (":", piece)][1:]
        for part in parts:
            if part:
                words.append(part)
                lines.append(r.line[k])
    return words, lines


def _common_tables(words: list[str]) -> set[str]:
    """Return the names that WITH name AS (...) defines in the statement."""
    found = set()
    if "WITH" in words:
        for k in range(1, len(words) - 2):
            if words[k + 1] == "AS" and words[k + 2] == "(" and words[k - 1] in ("WITH", ")", "RECURSIVE"):
                found.add(words[k])
    return found


def _tables(r: Reading, words: list[str], lines: list[int], excluded: set[str]) -> None:
    """Record each table after FROM, JOIN, INTO, USING and UPDATE, and the further ones of a FROM list.

    A FROM inside parentheses that hold no subselect is that of a function (``TRIM(LEADING ' ' FROM X)``).
    """
    levels = [[True, False]]  # [a FROM here names tables, a FROM list is open]
    for k, word in enumerate(words):
        level = levels[-1]
        if word == "(":
            levels.append([k + 1 < len(words) and words[k + 1] in _SUBSELECTS, False])
        elif word == ")":
            if len(levels) > 1:
                levels.pop()
        elif word == "," and level[1]:
            _table(r, words, lines, k + 1, "sql_read", excluded)
        else:
            role = _role(words, k) if level[0] else ""
            if role:
                _table(r, words, lines, k + 1, role, excluded)
            if role or word in _ENDS_LIST:
                level[1] = role == "sql_read" and word == "FROM"


def _role(words: list[str], k: int) -> str:
    """Return how the table after word ``k`` is used, "" if none follows."""
    word, before = words[k], words[k - 1] if k else ""
    if word == "FROM":
        return "sql_write" if before == "DELETE" else "sql_read"
    if word == "JOIN":
        return "sql_read"
    if word == "INTO":
        return "sql_write" if before in ("INSERT", "MERGE") else ""
    if word == "UPDATE":
        return "sql_write" if before in ("", "(") else ""
    return "sql_read" if word == "USING" and words[0] == "MERGE" else ""


def _table(r: Reading, words: list[str], lines: list[int], k: int, role: str, excluded: set[str]) -> None:
    if k < len(words):
        name = words[k].strip('"')
        if name and (name[0].isalpha() or name[0] in "@#$_") and name not in _NOT_TABLES and name not in excluded:
            r.refer(role, name, lines[k], {"verb": words[0]})


def _whenever(r: Reading, words: list[str], lines: list[int]) -> None:
    """WHENEVER condition GO TO paragraph."""
    for k, word in enumerate(words):
        if word in ("GOTO", "TO", "PERFORM") and k + 1 < len(words):
            at = k + 2 if words[k + 1] == ":" and k + 2 < len(words) else k + 1
            r.refer("goto" if word != "PERFORM" else "perform", words[at], lines[at], {"via": "whenever"})
            return


def _host_variables(r: Reading, words: list[str], lines: list[int], verb: str) -> None:
    """Record host variables: those of an INTO list of SELECT and FETCH are set, the others used."""
    setting = False
    for k, word in enumerate(words):
        if word == "INTO":
            setting = verb in ("SELECT", "FETCH", "VALUES", "GET", "WITH", "DESCRIBE", "PREPARE")
        elif word in ("FROM", "WHERE", "VALUES", "ROWS"):
            setting = False
        elif word == ":" and k + 1 < len(words) and (words[k + 1][0].isalnum()):
            name = words[k + 1]
            group, dot, last = name.partition(".")
            r.refer_field(
                "field_set" if setting or (verb == "SET" and k == 1) else "field_used", last if dot else name, lines[k + 1], group if dot else ""
            )
