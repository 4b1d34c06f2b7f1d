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
ENOUGH = 80
"""Characters of description after which later comments of a file add noise rather than sense."""
_LOG_FILE = re.compile(r"(?i)(^|/)(change_?log|news|history|todo)[^/]*$|\.(changes|errors)\.")

_BOILERPLATE = re.compile(
    r"(?ix) copyright | \(c\)\s*\d{4} | all\s+rights\s+reserved | licen[sc]e | warrant(y|ies) | redistribut | free\s+software | merchantab"
    r"| fitness\s+for\s+a | apache\.org | gnu\.org | \bsee\s+the\b.*\bfor\s+(more\s+)?details | without\s+even\s+the\s+implied"
    r"| you\s+should\s+have\s+received | as\s+is\b.*basis | express\s+or\s+implied | limitations\s+under | in\s+compliance\s+with"
    r"| agreed\s+to\s+in\s+writing | materials?\s+-\s+property\s+of | distributed\s+(under|in) | permission\s+(is|to) | spdx"
    r"| this\s+file\s+is\s+part\s+of | published\s+by\s+the\s+free | either\s+version\s+\d | \bcheck\s+it\s+out\s+at"
    r"| online\s+html\s+documentation | \\html | \\endhtml | \bhref= | ^\s*download\b | ^\s*dependencies | \bsccs\b | \$id"
    r"| \bversion\s+\d | \bver\s*[:.]\s*\w | ^\s*\(?(date|author|version|revision|contributors?|maintainers?)\b\s*[:.=-]"
    r"| univ\.\s+of | university\s+of | honeywell | massachusetts\s+institute"
    r"| ^\s*\\(ingroup|date|author|version|verbatim|endverbatim|param|cond|endcond|return) | ^\W*\.\.\s[^.]*\.\.\s*$"
    r"| ^\s*(format|style)\s*: | @\(\#\) | u\.s\.\s+government | restricted\s+rights | -\*-.*-\*-"
    r"| ^\W*[a-z\ ]+\s\.\.\s*$ | \bdefined\s*\( | \bHAVE_\w | ^\W*%(expect|defines|verbose|error-verbose)"
    r"| ^\s*(syntax|usage)\s+as\s+an? | ^\s*:\s*(info|hcom)\b | software\s+package\s+provided"
)
"""Lines of licences, ownership, version control and document plumbing."""
_CHANGE = re.compile(
    r"(?ix) ^\W*( \d{1,4}[-/.]\d{1,2}[-/.]\d{1,4} | [A-Z]{2,3}\d{4,} | (change|modification|maintenance)\s+(log|history)"
    r"| history\s*(comments)?\s*:?\s*$ | (re)?(written|coded|programmed|designed)\s+(by|in|on|\d) | (initially|originally)\s+(coded|written)"
    r"| (last\s+)?(modified|updated|changed|created)\b\s*[:.(-]?\s*"
    r"  (\d|by|on|to|for|in\b|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)"
    r"| \d+\)\s*change\( ) | \b(change|approve|audit|install)\(\d"
)
"""Lines of a change log: what was done when, not what the code is for."""
_PLUMBING = re.compile(
    r"(?ix) ^( \.\. | end\s+of\s+\S+ | (documentation|definition|authors?|arguments|contains|automatic|parameters?|constants?|static|builtins?"
    r"|entries|based|external|internal)\W* | (identification|environment|data|procedure)\s+division\W*"
    r"| (working[\s-]storage|linkage|file|configuration|input-output|local-storage)\s+section\W* | (?:[a-z0-9]\s){4,}[a-z0-9]?"
    r"| (end\s+)?(subroutine|function|program|procedure)\s+\w+\s*\(.* | \[\w{2,4}\]"
    r"| else | endif | (if|ifdef|ifndef|elif|include|define|undef|pragma)\s+[\w<\"(!].{0,60} )$"
)
"""Lines that only name a part of the program's text, or come from the preprocessor."""
_TAGS = re.compile(r"</?[A-Za-z][^<>\n]{0,200}>|<!--|-->|\\(?:brief|b|par|details|note|c|e|a|li)\b")
_RULE = re.compile(r"^[\W_]*$")
_MARKS = re.compile(r"^[\s*/!#;+|=~_.<>-]+|[\s*/|=~+_#<>-]+$")
_PURPOSE = re.compile(
    r"(?i)^\W*(?:purpose|function|description|abstract|synopsis|overview|remarks|program\s+description|module\s+description)\s*(?:[:=.-]+\s*(.*)|)$"
)
_ARGUMENTS = re.compile(r"(?im)^\W*(?:arguments|parameters|list of (?:functions|arguments)|control arguments|further details)\W*$")
"""Where a header turns from what a routine is for to what it is given."""


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
    best: dict[str, tuple[int, str]] = {}
    for chunk in chunks:
        if chunk.language == "text" and not _LOG_FILE.search(chunk.path):
            for name, rank, words in documented_names(chunk.text, known):
                best[name] = max(best.get(name, (0, "")), (rank, words), key=lambda found: (found[0], len(found[1])))
    names = {name: words for name, (_, words) in best.items()}
    for path, words in files.items():
        key = fold(path)
        if key in known and key not in names:
            names[key] = words
        elif key in known and not path.lower().endswith((".md", ".txt", ".info")):
            names[key] = _join(names[key], words)
    return Context(files, {name: words[:DESCRIPTION_CHARS] for name, words in names.items()})


def clean_comment(text: str, limit: int) -> str:
    r"""Return comment text in one line without marks, rules, licences, change logs; a stated purpose comes first.

    >>> clean_comment("*****\n* Copyright 2001 Acme\n* Posts the day's payments\n*****", 80)
    "Posts the day's payments"
    >>> clean_comment("> \\brief <b> DGTSV solves A * X = B for GT matrices </b>\n> [TGZ]</a>\n .. Scalar Arguments ..\n Modified 3/79 by X", 80)
    'DGTSV solves A * X = B for GT matrices'
    """
    kept: list[str] = []
    purpose: int | None = None
    legal = 0
    credit = False
    for raw in text.split("\n"):
        if _BOILERPLATE.search(raw):
            legal = 2
            continue
        line = _MARKS.sub("", _TAGS.sub(" ", raw))
        if not line or _RULE.match(line):
            legal = 0
            continue
        if legal and line[:1].islower():
            legal -= 1
            continue
        legal = 0
        changed = _CHANGE.search(line)
        if credit and not changed and len(line) < 70 and not line.endswith("."):
            credit = line.endswith(",")
            continue
        credit = bool(changed) and line.endswith(",")
        found = _PURPOSE.match(line)
        if found and purpose is None:
            purpose = len(kept)
            line = _MARKS.sub("", found.group(1) or "")
        if line and not changed and not _PLUMBING.match(line):
            kept.append(line)
    if purpose:
        kept = kept[purpose:] + kept[:purpose]
    return " ".join(" ".join(kept).split())[:limit]


def _file_descriptions(chunks: Iterable[Chunk]) -> dict[str, str]:
    """Return for each path what its leading comments (or, for a document, its first paragraph) say."""
    leading: dict[str, list[str]] = {}
    for chunk in chunks:
        seen = leading.setdefault(chunk.path, [])
        if chunk.start_line > 160 or sum(map(len, seen)) >= ENOUGH:
            continue
        text = chunk.text[:1200] if chunk.language == "text" else chunk.comments
        end = _ARGUMENTS.search(text, 1)
        words = clean_comment(text[: end.start()] if end and end.start() > 60 else text, DESCRIPTION_CHARS)
        if words:
            seen.append(words)
    found = {path: " ".join(texts)[:DESCRIPTION_CHARS] for path, texts in leading.items()}
    return {path: words for path, words in found.items() if len(words) >= 12}


_ROW_NAME = re.compile(r"[A-Za-z$#@][\w$#@-]{2,30}(?:\.[A-Za-z0-9]{1,6})?")
_PROSE = re.compile(r"\b(?:[A-Z]?[a-z]{2,}|[A-Z]{1,2}\d?(?=\s))\b")
_SCRIPT = re.compile(r"\w\([^)]*\)\s+\w+\(|\$[({]|&\w+/|(^|\s)-\w+\s+\S+\s+-\w|^\s*(put|get|cp|mv|copy)\s+\S+\s+\S+\s*$|\w\s*[+:]?=\s*[\w$'\"]")
"""Lines of commands, definitions and makefiles: they name programs but say nothing of them."""


def documented_names(text: str, known: set[str]) -> list[tuple[str, int, str]]:
    """Return (folded name, rank, description) for each line of a document that names a known program and says something of it.

    The rank is 2 when the line opens with the name (a table row, a list of programs), else 1.
    """
    found: list[tuple[str, int, str]] = []
    for line in text.split("\n"):
        tokens = [match for match in _ROW_NAME.finditer(line) if _looks_like_name(match.group()) and fold(match.group()) in known]
        names = list(dict.fromkeys(fold(match.group()) for match in tokens))
        if not 1 <= len(names) <= 3 or _CHANGE.search(line):
            continue
        words = " ".join(re.sub(r"[|`*_#\[\]<>]|\(http[^)]*\)|:?-{2,}:?", " ", line).split())
        rest = [word for word in _PROSE.findall(words) if fold(word) not in names]
        opens = not re.search(r"\w", line[: tokens[0].start()])
        if len(rest) >= (2 if opens else 4) and not _SCRIPT.search(line) and not _BOILERPLATE.search(words):
            found.extend((name, 2 if opens and fold(tokens[0].group()) == name else 1, words[:DESCRIPTION_CHARS]) for name in names)
    return found


def _looks_like_name(token: str) -> bool:
    """Return whether a word of a document may be an identifier: not all lower-case letters, unless it has a mark or digit in it."""
    return not (token.islower() and token.isalpha()) and not (token[0].isupper() and token[1:].islower() and token.isalpha())


def _join(first: str, second: str) -> str:
    if not first or first in second:
        return second
    return first if second in first else f"{first}. {second}"
