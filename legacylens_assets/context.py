"""What a codebase's own comments and documents say of its files and programs.

Descriptions come from three places: the header comment of a file, a line or table row of a document that names a program or file, and a document
named after a program. Licence blocks, banners and change logs are recognised and left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from legacylens_assets.types import Chunk

DESCRIPTION_CHARS = 420

_BOILERPLATE = re.compile(
    r"(?ix) copyright | \(c\)\s*\d{4} | all\s+rights\s+reserved | licen[sc]e | warrant(y|ies) | redistribut | free\s+software | merchantab"
    r"| fitness\s+for\s+a | apache\.org | gnu\.org | \bsee\s+the\b.*\bfor\s+(more\s+)?details | without\s+even\s+the\s+implied"
    r"| you\s+should\s+have\s+received | as\s+is\b.*basis | express\s+or\s+implied | limitations\s+under | in\s+compliance\s+with"
    r"| agreed\s+to\s+in\s+writing | materials?\s+-\s+property\s+of | distributed\s+(under|in) | permission\s+(is|to) | spdx"
    r"| this\s+file\s+is\s+part\s+of | published\s+by\s+the\s+free | either\s+version\s+\d | \bcheck\s+it\s+out\s+at"
    r"| online\s+html\s+documentation | \\html | \\endhtml | </?[a-z]+[^>]*> | ^\s*download\b | ^\s*dependencies | \bsccs\b | \$id | \bversion\s+\d"
    r"| ^\s*(date|author|version|revision|contributors?|written\s+by|modified\s+by|last\s+modified)\b\s*[:.-]"
    r"| ^\s*\\(ingroup|date|author|version|par|verbatim|endverbatim|param) | univ\.\s+of | honeywell | massachusetts\s+institute"
    r"| ^\s*(format|style)\s*: | @\(\#\) | u\.s\.\s+government | restricted\s+rights"
)
_RULE = re.compile(r"^[\W_]*$")
_MARKS = re.compile(r"^[\s*/!#;+|=~_.<>-]+|[\s*/|=~+_#<>-]+$")
_PURPOSE = re.compile(r"(?i)^\W*(?:\\?brief|purpose|function|description|abstract|synopsis|overview|remarks|usage|name)\b\W*(?:\\b\s+)?(.*)$")
_CHANGE = re.compile(
    r"^\W*(\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}|[A-Z]{2,3}\d{4,}|change\s+(log|history)|modification\s+(log|history)|history\s*:)", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Context:
    """Descriptions by path and by upper-cased name."""

    files: Mapping[str, str] = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict)

    def described(self, name: str) -> str:
        """Return what documents or header comments say of a program, member or copybook, "" if nothing."""
        return self.names.get(fold(name), "")


def fold(name: str) -> str:
    """Return the key under which a name is described.

    >>> fold("lib/Cvtra05y.cpy"), fold("abbrev_")
    ('CVTRA05Y', 'ABBREV')
    """
    stem = name.rsplit("/", 1)[-1]
    head, dot, tail = stem.rpartition(".")
    if dot and len(tail) <= 6 and head:
        stem = head
    return stem.strip("_").upper()


def build_context(chunks: Sequence[Chunk]) -> Context:
    """Return the descriptions found in a codebase's chunks (in order of path and line)."""
    files = _file_descriptions(chunks)
    known = {fold(chunk.path) for chunk in chunks if chunk.language != "text"} | {fold(chunk.program) for chunk in chunks if chunk.program}
    known.discard("")
    names: dict[str, str] = {}
    for chunk in chunks:
        if chunk.language == "text":
            for name, words in documented_names(chunk.text, known):
                names[name] = _longer(names.get(name, ""), words)
    for path, words in files.items():
        key = fold(path)
        if key not in known:
            continue
        names[key] = _join(names.get(key, ""), words) if not path.lower().endswith((".md", ".txt")) else names.get(key, words)
    return Context(files, {name: words[:DESCRIPTION_CHARS] for name, words in names.items()})


def clean_comment(text: str, limit: int) -> str:
    r"""Return comment text in one line without marks, rules, licences, change logs; a stated purpose comes first.

    >>> clean_comment("*****\n* Copyright 2001 Acme\n* Posts the day's payments\n*****", 80)
    "Posts the day's payments"
    """
    kept: list[str] = []
    purpose: int | None = None
    legal = 0
    for raw in text.split("\n"):
        line = _MARKS.sub("", raw)
        if _BOILERPLATE.search(line):
            legal = 2
            continue
        if not line or _RULE.match(line):
            legal = 0
            continue
        if legal and line[:1].islower():
            legal -= 1
            continue
        legal = 0
        if _CHANGE.match(line):
            continue
        found = _PURPOSE.match(line)
        if found and purpose is None:
            purpose = len(kept)
            line = found.group(1)
        if line:
            kept.append(line)
    if purpose:
        kept = kept[purpose:] + kept[:purpose]
    return " ".join(" ".join(kept).split())[:limit]


def _file_descriptions(chunks: Iterable[Chunk]) -> dict[str, str]:
    """Return for each path what its leading comments (or, for a document, its first paragraph) say."""
    leading: dict[str, list[str]] = {}
    for chunk in chunks:
        seen = leading.setdefault(chunk.path, [])
        if sum(map(len, seen)) > 4000 or (chunk.start_line > 160 and seen):
            continue
        if chunk.language == "text":
            if not seen:
                seen.append(chunk.text[:900])
        elif chunk.comments and chunk.start_line <= 160:
            seen.append(chunk.comments)
    found = {path: clean_comment("\n".join(texts), DESCRIPTION_CHARS) for path, texts in leading.items()}
    return {path: words for path, words in found.items() if len(words) >= 12}


_ROW_NAME = re.compile(r"[A-Za-z$#@][\w$#@-]{2,30}(?:\.[A-Za-z0-9]{1,6})?")


def documented_names(text: str, known: set[str]) -> list[tuple[str, str]]:
    """Return (folded name, description) for each line of a document that names a known program and says something of it."""
    found: list[tuple[str, str]] = []
    for line in text.split("\n"):
        names = list(dict.fromkeys(fold(token) for token in _ROW_NAME.findall(line) if _looks_like_name(token)))
        names = [name for name in names if name in known]
        if not 1 <= len(names) <= 3:
            continue
        words = " ".join(re.sub(r"[|`*_#\[\]<>]|\(http[^)]*\)|:?-{2,}:?", " ", line).split())
        rest = [word for word in re.findall(r"[A-Za-z]{3,}", words) if fold(word) not in names]
        if len(rest) >= 2 and not _BOILERPLATE.search(words):
            found.extend((name, words[:DESCRIPTION_CHARS]) for name in names)
    return found


def _looks_like_name(token: str) -> bool:
    """Return whether a word of a document may be an identifier: not all lower-case letters, unless it has a mark or digit in it."""
    return not (token.islower() and token.isalpha()) and not (token[0].isupper() and token[1:].islower() and token.isalpha())


def _longer(old: str, new: str) -> str:
    return old if len(old) >= len(new) else new


def _join(first: str, second: str) -> str:
    if not first or first in second:
        return second
    return first if second in first else f"{first}. {second}"
