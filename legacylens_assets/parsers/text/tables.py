"""SQL scripts, CICS resource definitions, utility control cards, IBM i data descriptions.

References: Db2 SQL Reference (statements end at a semicolon outside quotes, comments and compound bodies); CICS DEFINE syntax; DDS reference
(column 6 `A`, column 7 `*` comment, column 17 type, 19-28 name). Not parsed: expressions.
"""

from __future__ import annotations

import bisect
import re
from collections.abc import Iterator, Sequence

from legacylens_assets.parsers.text.draft import Draft, Head, strip_block_comments
from legacylens_assets.types import BLANK, COMMENT, CONTINUED, START, Reference

_NEWLINE = re.compile(r"\n")
_QUOTED_OR_DASHES = re.compile(r"'[^'\n]*'|\"[^\"\n]*\"|--.*")
_CREATE = re.compile(
    r"\s*(?:CREATE|DECLARE|REPLACE)\s+(?:OR\s+REPLACE\s+)?(?:(?:GLOBAL|TEMPORARY|UNIQUE|CLUSTERED|DISTINCT|LARGE|LOB|AUXILIARY|PUBLIC)\s+)*"
    r"(TABLESPACE|TABLE|VIEW|INDEX|DATABASE|STOGROUP|PROCEDURE|FUNCTION|TRIGGER|SYNONYM|ALIAS|SEQUENCE|TYPE|SCHEMA)\s+(?:IF\s+NOT\s+EXISTS\s+)?"
    r"([\w@#$.\"&:/-]+)",
    re.IGNORECASE,
)
_BODY_WORD = re.compile(r"\b(BEGIN|CASE|END(?:\s+(?:IF|CASE|WHILE|FOR|LOOP|REPEAT))?)\b", re.IGNORECASE)
_TABLE_USE = re.compile(
    r"\b(INSERT\s+INTO|DELETE\s+FROM|MERGE\s+INTO|UPDATE|LOAD\b[^;]{0,400}?INTO\s+TABLE|FROM|JOIN)\s+(?!\()([A-Z_@#$][\w@#$.]*)", re.IGNORECASE
)
_EXTERNAL = re.compile(r"\bEXTERNAL\s+NAME\s+'?\"?([\w@#$/.]+)", re.IGNORECASE)
_NOT_TABLES = frozenset({"SET", "OF", "ON", "SELECT", "VALUES", "TABLE", "FINAL", "THE", "FOR"})


def sql(lines: Sequence[str]) -> Draft:
    """Return what a script creates, one unit for each CREATE statement, and the tables that its statements read and write."""
    clean, roles = strip_block_comments(lines)
    clean = [_QUOTED_OR_DASHES.sub(_keep_literal, line) if "'" in line or "--" in line else line for line in clean]
    found = [COMMENT if role == START and not text.strip() else role for role, text in zip(roles, clean, strict=True)]
    heads: list[Head] = []
    references: list[Reference] = []
    for first, last, text in _sql_statements(clean, found):
        create = _CREATE.match(text)
        if create:
            word = create.group(1).upper()
            routine = word in ("PROCEDURE", "FUNCTION", "TRIGGER")
            name = create.group(2).replace('"', "").upper()
            heads.append(Head(first, 1, name, "section" if routine else "table", detail={"type": word.lower()}, end=last))
        references.extend(_sql_references(first, text, create is not None))
    return Draft("".join(found), heads, references)


def _keep_literal(match: re.Match[str]) -> str:
    """Blank a comment; keep a literal's words but nothing that reads as the end of a statement."""
    text = match.group()
    return "" if text.startswith("--") else text.replace(";", " ")


def _sql_statements(clean: Sequence[str], roles: list[str]) -> Iterator[tuple[int, int, str]]:
    """Yield first line, last line and text of each statement; mark the lines that continue one."""
    first, depth = 0, 0
    parts: list[str] = []
    for number, line in enumerate(clean, 1):
        if not line.strip():
            continue
        if parts:
            roles[number - 1] = CONTINUED
        else:
            first, depth = number, 0
        parts.append(line)
        if depth or "BEGIN" in line.upper():
            depth = _depth(line, depth)
        if (";" in line and depth == 0) or line.strip() in ("/", "@", "GO", "go") or (depth == 0 and line.rstrip().endswith("@")):
            yield first, number, "\n".join(parts)
            parts = []
    if parts:
        yield first, len(clean), "\n".join(parts)


def _depth(line: str, depth: int) -> int:
    for match in _BODY_WORD.finditer(line):
        word = match.group(1).upper()
        if word in ("BEGIN", "CASE"):
            depth += 1
        elif word in ("END", "END CASE"):
            depth = max(0, depth - 1)
    return depth


def _sql_references(first: int, text: str, creates: bool) -> Iterator[Reference]:
    ends = [match.start() for match in _NEWLINE.finditer(text)]
    for match in _EXTERNAL.finditer(text) if creates else ():
        yield Reference("call", match.group(1).upper().rpartition("/")[2], first + bisect.bisect_left(ends, match.start()))
    for match in _TABLE_USE.finditer(text):
        word, table = match.group(1).upper(), match.group(2).upper()
        if table not in _NOT_TABLES:
            kind = "sql_read" if word in ("FROM", "JOIN") else "sql_write"
            yield Reference(kind, table, first + bisect.bisect_left(ends, match.start()))


_DEFINE = re.compile(r"\s*(?:DEFINE|DEF|ADD|ALTER)\s+([A-Z0-9]+)\s*\(\s*([\w@#$.&*-]+)\s*\)", re.IGNORECASE)
_PROGRAM_OF = re.compile(r"\bPROGRAM\s*\(\s*([\w@#$]+)", re.IGNORECASE)
_DSNAME_OF = re.compile(r"\bDSNAME\s*\(\s*([\w@#$.]+)", re.IGNORECASE)
_CARD = re.compile(r"\s*([A-Z][A-Z0-9]*(?:-[A-Z]+)?)\b", re.IGNORECASE)
_NAME_OF = re.compile(r"\bNAME\s*\(\s*([\w@#$.&()+-]+?)\s*\)", re.IGNORECASE)
_RUN = re.compile(r"\bRUN\s+PROG(?:RAM)?\s*\(\s*([\w@#$]+)", re.IGNORECASE)


def resource_definitions(lines: Sequence[str]) -> Draft:
    """Return the resources a CSD input defines; a transaction refers to its program."""
    clean, roles = strip_block_comments(lines)
    found = [COMMENT if role == START and line.startswith("*") else role for role, line in zip(roles, clean, strict=True)]
    starts: list[tuple[int, str, str]] = []
    for index, line in enumerate(clean):
        match = _DEFINE.match(line) if found[index] == START else None
        if match:
            starts.append((index + 1, match.group(1).lower(), match.group(2).upper()))
        elif starts and found[index] == START and line[:1] in (" ", "\t"):
            found[index] = CONTINUED
    heads, references = [], []
    for position, (start, resource, name) in enumerate(starts):
        border = starts[position + 1][0] if position + 1 < len(starts) else len(lines) + 1
        heads.append(Head(start, 1, name, "command", detail={"type": resource}))
        text = "\n".join(clean[start - 1 : border - 1])
        program, dataset = _PROGRAM_OF.search(text), _DSNAME_OF.search(text)
        if program and resource.startswith("tran"):
            references.append(Reference("transaction", name, start, detail={"program": program.group(1).upper()}))
        if dataset and resource == "file":
            references.append(Reference("file_assign", name, start, detail={"file": dataset.group(1).upper()}))
    return Draft("".join(found), heads, references)


def control_cards(lines: Sequence[str]) -> Draft:
    """Return one command for each control statement of IDCAMS, SORT, DSN and their like."""
    clean, roles = strip_block_comments(lines)
    found = [COMMENT if role == START and line.startswith(("*", "//*")) else role for role, line in zip(roles, clean, strict=True)]
    heads: list[Head] = []
    references: list[Reference] = []
    continued = False
    for index, line in enumerate(clean):
        if found[index] != START:
            continue
        text = line[:72].rstrip()
        match = None if continued else _CARD.match(text)
        if continued:
            found[index] = CONTINUED
        elif match:
            heads.append(Head(index + 1, 1, match.group(1).upper(), "command"))
            references.append(Reference("control_card", match.group(1).upper(), index + 1, detail={"verb": match.group(1).upper()}))
        run = _RUN.search(text)
        if run:
            references.append(Reference("call", run.group(1).upper(), index + 1))
        continued = text.endswith(("-", "+", ","))
    return Draft("".join(found), _named_cards(heads, clean, found), references)


def _named_cards(heads: Sequence[Head], clean: Sequence[str], roles: Sequence[str]) -> list[Head]:
    """Return the cards with the name they define or act on, where they give one."""
    named = []
    for head in heads:
        end = head.line
        while end < len(clean) and end < head.line + 20 and roles[end] in (CONTINUED, COMMENT, BLANK):
            end += 1
        match = _NAME_OF.search(" ".join(clean[head.line - 1 : end]))
        named.append(Head(head.line, 1, f"{head.name} {match.group(1).upper()}" if match else head.name, "command"))
    return named


_DDS_KEYWORD = re.compile(r"\b(PFILE|JFILE|REF|FORMAT)\s*\(\s*([\w@#$/ *]+)", re.IGNORECASE)


def data_descriptions(lines: Sequence[str]) -> Draft:
    """Return record formats and their fields; physical files that a logical or referring file is based on are copied from."""
    heads: list[Head] = []
    references: list[Reference] = []
    roles: list[str] = []
    continued = False
    for number, line in enumerate(lines, 1):
        text = line[6:80].rstrip()
        if not text.strip():
            roles.append(BLANK)
            continue
        if text.startswith("*"):
            roles.append(COMMENT)
            continue
        name, kind = line[18:28].strip(), line[16:17].upper()
        roles.append(CONTINUED if continued or not (name or kind.strip() or number == 1) else START)
        if name and not continued and kind not in ("K", "S", "O", "J"):
            record = kind == "R"
            heads.append(Head(number, 1 if record else 2, name.upper(), "record" if record else "field", unit=record))
        for match in _DDS_KEYWORD.finditer(line[44:80]):
            references.append(Reference("copy", match.group(2).split()[0].rpartition("/")[2].upper(), number, detail={"keyword": match.group(1)}))
        continued = text.endswith(("+", "-")) and len(text) > 38
    return Draft("".join(roles), heads, references)
