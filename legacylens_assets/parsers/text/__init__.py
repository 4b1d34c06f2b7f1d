"""Plain text and the neighbours of the six languages: headings, maps, commands, labels, tables, records; anything else by its paragraphs.

``SourceFile.dialect`` says which; without it the first lines do. Not parsed: what the statements mean, beyond names that other files use.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import PurePosixPath
from types import MappingProxyType

from legacylens_assets.parsers.text.assembler import alm, assembler
from legacylens_assets.parsers.text.command import control_language, rexx
from legacylens_assets.parsers.text.draft import Draft, nested, strip_block_comments, with_sources
from legacylens_assets.parsers.text.outline import OUTLINES, outlined
from legacylens_assets.parsers.text.prose import info_segment, markdown, marked_up, underlined
from legacylens_assets.parsers.text.tables import control_cards, data_descriptions, resource_definitions, sql
from legacylens_assets.types import ParsedFile, SourceFile

DIALECTS: Mapping[str, Callable[[Sequence[str]], Draft]] = MappingProxyType(
    {
        "markdown": markdown, "info": info_segment, "rst": underlined, "": underlined, "plain": underlined,
        "texinfo": marked_up, "man": marked_up, "panel": marked_up, "html": marked_up, "runoff": marked_up,
        "asm": assembler, "bms": assembler, "alm": alm, "rexx": rexx, "sql": sql, "csd": resource_definitions,
        "control": control_cards, "dds": data_descriptions,
    }
)  # fmt: skip
"""Dialects by the names that the manifest gives. Those not here have an outline (see outline.py) or are parsed as plain text."""

_MARKS: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("bms", re.compile(r"\S*\s+DFHM(SD|DI|DF)\b")),
    ("shell", re.compile(r"#!.*\b(ba|k|c|z)?sh\b")),
    ("schedule", re.compile(r"<DEFTABLE|\s*<(SMART_)?FOLDER\b")),
    ("job_list", re.compile(r"\d?LJOB,JOB=")),
    ("rexx", re.compile(r"\s*/\*.*\bREXX\b|[A-Z]\w*:\s+msgtxt\b", re.IGNORECASE)),
    ("csd", re.compile(r"\s*DEFINE\s+(PROGRAM|TRANSACTION|MAPSET|FILE|GROUP|DB2\w+)\s*\(", re.IGNORECASE)),
    ("control", re.compile(r"\s*(DEFINE\s+(CLUSTER|GDG|AIX|PATH)|REPRO\s+IN|SORT\s+FIELDS=|DSN\s+SYSTEM)\b", re.IGNORECASE)),
    ("sql", re.compile(r"\s*CREATE\s+(OR\s+REPLACE\s+)?(UNIQUE\s+)?(TABLE|INDEX|VIEW|TABLESPACE|DATABASE|FUNCTION|PROCEDURE)\b", re.IGNORECASE)),
    ("cl", re.compile(r"\s*(PGM(\s+PARM\(.*)?$|DCL\s+(VAR\()?&|DCLF\s+FILE\(|CMD\s+PROMPT\()", re.IGNORECASE)),
    ("asm", re.compile(r"\w*\s+(CSECT|DSECT|START\s+0|USING\s+\S+,\d+|MACRO\s*$|DBD\s+NAME=|PCB\s+TYPE=)")),
    ("info", re.compile(r":Info:|\d{1,2}/\d{1,2}/\d{2}\s{2,}\S")),
    ("markdown", re.compile(r"#{1,3} \S|```")),
    ("panel", re.compile(r":pnlgrp\b|:help\s+name=")),
)
_SQL_VERB = re.compile(
    r"\s*(CREATE|INSERT\s+INTO|SELECT|UPDATE\s+\w|DELETE\s+FROM|GRANT|REVOKE|DROP|SET\s+CURRENT|ALTER\s+TABLE|COMMIT|WITH\s+\w+\s+AS)\b",
    re.IGNORECASE,
)
_FALLBACK = frozenset({"", "plain", "xml", "json", "table"})


def parse(source: SourceFile) -> ParsedFile:
    """Return the sections of a text, in the way of its dialect. A dialect that is not known is parsed as plain text."""
    dialect = source.dialect.lower()
    if dialect in _FALLBACK:
        dialect = _sniffed(source.lines) or dialect
    if dialect == "control" and _is_sql(source.lines):
        dialect = "sql"
    if dialect == "asm" and source.path.lower().endswith(".alm"):
        dialect = "alm"
    if dialect in ("cl", "command"):
        draft = control_language(source.lines, PurePosixPath(source.path).stem.upper())
    elif dialect in OUTLINES:
        draft = outlined(source.lines, OUTLINES[dialect])
    else:
        draft = DIALECTS.get(dialect, underlined)(source.lines)
    symbols = nested(draft.heads, draft.roles)
    return ParsedFile("text", dialect or "plain", symbols, with_sources(draft.references, symbols), tuple(draft.problems), draft.roles)


def _is_sql(lines: Sequence[str]) -> bool:
    """Return whether the first statement of a card file is SQL."""
    clean, _ = strip_block_comments(lines[:200])
    first = next((line for line in clean if line.strip() and not line.lstrip().startswith("--")), "")
    return _SQL_VERB.match(first) is not None


def _sniffed(lines: Sequence[str]) -> str:
    """Return the dialect that the first 300 lines show, "" when none."""
    for line in lines[:300]:
        if line.strip():
            for dialect, pattern in _MARKS:
                if pattern.match(line[:200]):
                    return dialect
    return ""
