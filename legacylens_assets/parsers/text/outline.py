"""Dialects that need no more than one expression for each kind of head: shell, make, schedules, small languages."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from legacylens_assets.parsers.text.draft import Draft, Head
from legacylens_assets.types import BLANK, COMMENT, CONTINUED, START, Reference


@dataclass(frozen=True, slots=True)
class Outline:
    """Heads as (expression whose first group that matched is the name, level, kind), marks of comment lines, and the mark that continues a line."""

    heads: tuple[tuple[re.Pattern[str], int, str], ...]
    comments: tuple[str, ...] = ("#",)
    continues: str = ""
    calls: re.Pattern[str] | None = None


def _outline(*heads: tuple[str, int, str], comments: tuple[str, ...] = ("#",), continues: str = "", calls: str = "") -> Outline:
    compiled = tuple((re.compile(pattern, re.IGNORECASE), level, kind) for pattern, level, kind in heads)
    return Outline(compiled, comments, continues, re.compile(calls, re.IGNORECASE) if calls else None)


OUTLINES: Mapping[str, Outline] = MappingProxyType(
    {
        "shell": _outline((r"\s*(?:function\s+([\w.-]+)\s*(?:\(\))?|([\w.-]+)\s*\(\))\s*\{?\s*(?:#|$|\{)", 1, "section"), continues="\\"),
        "make": _outline((r"([\w./%$(){}-]+(?:\s+[\w./%$(){}-]+)*)\s*::?(?![:=])", 1, "section"), continues="\\"),
        "m4": _outline((r"(?:AC_DEFUN|m4_define|AU_DEFUN)\(\[?([\w$]+)", 1, "section"), comments=("dnl", "#")),
        "autotest": _outline((r"AT_SETUP\(\[?([^\])]+)", 1, "section"), comments=("#", "dnl")),
        "yacc": _outline((r"([a-z_][\w.]*)\s*:(?!:)", 1, "section"), comments=("//",)),
        "exec_com": _outline((r"&label\s+([\w&$]+)", 1, "label"), comments=("&-", "& ")),
        "lisp": _outline((r"\((?:defun|defmacro|defmethod|defvar|define)\s+\(?([^\s()]+)", 1, "section"), comments=(";",)),
        "bcpl": _outline((r"\s*(?:let|and)\s+([a-z][\w.]*)\s*\(", 1, "section"), comments=("//", "||")),
        "pascal": _outline((r"\s*(?:procedure|function|program)\s+(\w+)", 1, "section"), comments=("//",)),
        "natural": _outline((r"\s*DEFINE\s+SUBROUTINE\s+([\w-]+)", 1, "section"), comments=("*", "/*"), calls=r"\bCALLNAT\s+'([\w-]+)'"),
        "easytrieve": _outline((r"\s*([\w-]+)\.\s*PROC\b|\s*(?:FILE|JOB|REPORT)\s+([\w-]+)", 1, "section"), comments=("*",)),
        "binder": _outline((r"\s*(?:EXPORT|STRPGMEXP)\s+(?:SYMBOL\()?[\"']?([\w@#$]+)", 1, "command"), comments=("/*",)),
        "schedule": _outline((r".*\bJOBNAME=\"([^\"]+)\"", 2, "command"), (r".*\bFOLDER_NAME=\"([^\"]+)\"", 1, "section"), comments=("**",)),
        "job_list": _outline((r"\d?(?:LJOB,)?JOB[= ]([A-Z0-9@#$]+)", 1, "command"), comments=("*",)),
        "yaml": _outline((r"([\w.-]+)\s*:(?:\s|$)", 1, "section")),
        "config": _outline((r"\[+([^\]]+)\]+\s*$", 1, "section"), comments=("#", ";")),
    }
)


def outlined(lines: Sequence[str], outline: Outline) -> Draft:
    """Return the heads that the outline's expressions find at the start of lines that continue nothing."""
    heads: list[Head] = []
    references: list[Reference] = []
    roles: list[str] = []
    continued = False
    for number, line in enumerate(lines, 1):
        text = line.strip()
        if continued and text:
            roles.append(CONTINUED)
        elif not text:
            roles.append(BLANK)
        elif text.startswith(outline.comments):
            roles.append(COMMENT)
        else:
            roles.append(START)
            heads.extend(_head(number, line[:2000], outline))
        if outline.calls and roles[-1] == START:
            references.extend(Reference("call", match.group(1).upper(), number) for match in outline.calls.finditer(line))
        continued = bool(outline.continues) and text.endswith(outline.continues) and roles[-1] in (START, CONTINUED)
    return Draft("".join(roles), heads, references)


def _head(number: int, line: str, outline: Outline) -> list[Head]:
    for pattern, level, kind in outline.heads:
        match = pattern.match(line)
        if match:
            return [Head(number, level, next(group for group in match.groups() if group).strip(), kind)]
    return []
