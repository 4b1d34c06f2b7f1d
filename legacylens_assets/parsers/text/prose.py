"""Prose by headings: markdown, reStructuredText, Multics info segments, man pages, texinfo, UIM panels, HTML, plain text."""

from __future__ import annotations

import re
from collections.abc import Sequence

from legacylens_assets.parsers.text.draft import Draft, Head, prose_roles
from legacylens_assets.types import BLANK, CONTINUED

_ATX = re.compile(r" {0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*$")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_SETEXT = re.compile(r" {0,3}(=+|-{2,})[ \t]*$")
_UNDERLINE = re.compile(r"\s*([=\-~^\"'*+#_.:`])\1{2,}\s*$")
_LIST_OR_TABLE = re.compile(r"\s*([-*+>|]|\d+[.)]\s)")


def markdown(lines: Sequence[str]) -> Draft:
    """Return ATX and setext headings; fenced code is never a heading and is not cut.

    A fence is closed by one of the same character at least as long (CommonMark 0.31, 4.5); one that is never closed runs to the end of the file,
    and is then cut like prose.
    """
    heads: list[Head] = []
    roles = list(prose_roles(lines))
    fence, opened, ended = "", 0, 0
    for number, line in enumerate(lines, 1):
        match = _FENCE.match(line) if "`" in line or "~" in line else None
        if fence:
            if match and match.group(1).startswith(fence) and not line.strip("`~ \t"):
                roles[opened:number] = [CONTINUED if role != BLANK else role for role in roles[opened:number]]
                fence, ended = "", number
        elif match:
            fence, opened = match.group(1), number
        elif line.startswith("#") or line[:4].lstrip().startswith("#"):
            atx = _ATX.match(line)
            if atx:
                heads.append(Head(number, len(atx.group(1)), _plain(atx.group(2) or ""), "heading"))
                ended = number
        elif _SETEXT.match(line):
            heads.extend(_setext(lines, number, line, ended))
    return Draft("".join(roles), heads)


def _setext(lines: Sequence[str], number: int, line: str, ended: int) -> list[Head]:
    """Return the heading that the line underlines, if the one above is a lone line of text; ``ended`` is where a fence or a heading ended last."""
    if number < 2:
        return []
    above = lines[number - 2]
    alone = number < 3 or ended == number - 2 or not lines[number - 3].strip()
    if not above.strip() or not alone or _LIST_OR_TABLE.match(above) or above.startswith("    ") or above.strip().startswith("#"):
        return []
    return [Head(number - 1, 1 if "=" in line else 2, _plain(above), "heading")]


def _plain(text: str) -> str:
    """Return a heading without inline marks.

    >>> _plain("The `ACCT` [file](docs/acct.md) **today**")
    'The ACCT file today'
    """
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", text)
    return re.sub(r"[`*]+|<[^>]*>|\\(?=\W)", "", text).strip()


def underlined(lines: Sequence[str]) -> Draft:
    """Return headings of reStructuredText and plain text: a line of text over a rule of its length, levels in order of first use.

    Plain text also has numbered headings (`2.1 Posting`) and short lines in capitals, alone between blank lines.
    """
    heads: list[Head] = []
    levels: dict[str, int] = {}
    count = len(lines)
    for number in range(1, count + 1):
        line = lines[number - 1]
        text = line.strip()
        if not text or len(text) > 78:
            continue
        below = lines[number] if number < count else ""
        rule = _UNDERLINE.match(below)
        alone = (number == 1 or not lines[number - 2].strip()) and not below.strip()
        if rule and any(c.isalnum() for c in text) and 0.6 * len(text) <= len(below.strip()) <= len(text) + 12 and not _LIST_OR_TABLE.match(line):
            heads.append(Head(number, levels.setdefault(rule.group(1), len(levels) + 1), text, "heading"))
        elif alone:
            level = _standing_alone(line, text)
            if level:
                heads.append(Head(number, level, text.rstrip(":"), "heading"))
    return Draft(prose_roles(lines), heads)


_NUMBERED = re.compile(r"(?:(?:Chapter|Section|Part|Appendix)\s+)?(\d{1,2}(?:\.\d{1,2})*)[.)]?\s+[A-Z][^.;]{2,60}$", re.IGNORECASE)


def _standing_alone(line: str, text: str) -> int:
    """Return the level of a heading that stands alone, 0 for none."""
    numbered = _NUMBERED.match(text)
    if numbered and not line.startswith("     "):
        return 10 + numbered.group(1).count(".")
    letters = sum(c.isalpha() for c in text)
    if text.isupper() and 4 <= len(text) <= 60 and letters * 10 >= len(text) * 7 and " " * 3 not in text:
        return 20
    return 0


_INFO_TOP = re.compile(r":(Info|Entry|Subsystem|Internal)\s*:\s*(.*?)(?:\s{2,}|$)", re.IGNORECASE)
_INFO_DATE = re.compile(r"(?:\d{1,2}/\d{1,2}/\d{2,4}|\d{4}-\d{2}-\d{2})\s{1,4}(\S.*)$")
_INFO_ENTRY = re.compile(r"Entry(?: points?)?(?:\s+for)?\s*:\s+(\S.*)$")
_INFO_HEAD = re.compile(r"([A-Z][A-Za-z0-9 \-,()/'&.$_]{0,68}?):(?:\s|$)")


def info_segment(lines: Sequence[str]) -> Draft:
    """Return the sections of a Multics info segment.

    `:Info:` and `:Entry:` lines or a dated header line open a block; a capitalised phrase with a colon at the start of a line, after a blank line,
    opens a section in it.
    """
    heads: list[Head] = []
    for number, line in enumerate(lines, 1):
        if not line or line[0] in " \t":
            continue
        top = _INFO_TOP.match(line) or (_INFO_DATE.match(line) if line[0].isdigit() else None)
        if top:
            name = top.group(top.lastindex or 1).strip().rstrip(":").split(":")[0]
            heads.append(Head(number, 2 if top.group(0).lower().startswith(":entry") else 1, name, "heading"))
        elif number == 1 or not lines[number - 2].strip():
            entry, head = _INFO_ENTRY.match(line), _INFO_HEAD.match(line)
            if entry:
                heads.append(Head(number, 2, entry.group(1).strip(), "heading"))
            elif head:
                heads.append(Head(number, 3, head.group(1).strip(), "heading"))
    return Draft(prose_roles(lines), heads)


_TEXINFO = {
    "top": 1,
    "chapter": 1,
    "unnumbered": 1,
    "appendix": 1,
    "section": 2,
    "unnumberedsec": 2,
    "appendixsec": 2,
    "subsection": 3,
    "subsubsection": 4,
}
_TEXINFO_HEAD = re.compile(r"@(" + "|".join(_TEXINFO) + r")\s+(\S.*)$")
_MAN_HEAD = re.compile(r"\.(SH|SS|TH|srh|unh|ifi l[01]h)\s+\"?([^\"]*)\"?", re.IGNORECASE)
_PANEL_HEAD = re.compile(r":(help|panel|h[1-4]|xh[1-4])\b\s*(?:name=\s*'?([\w/*-]+)'?)?[^.]*\.(.*)$", re.IGNORECASE)
_HTML_HEAD = re.compile(r"<h([1-6])\b[^>]*>(.*?)(?:</h\1|$)", re.IGNORECASE)


def marked_up(lines: Sequence[str]) -> Draft:
    """Return the headings of texinfo, man and runoff, UIM panel groups and HTML."""
    heads: list[Head] = []
    for number, line in enumerate(lines, 1):
        mark = line.lstrip()[:1]
        if mark == "@":
            match = _TEXINFO_HEAD.match(line.lstrip())
            if match:
                heads.append(Head(number, _TEXINFO[match.group(1)], match.group(2).strip(), "heading"))
        elif mark == ".":
            match = _MAN_HEAD.match(line)
            if match:
                heads.append(Head(number, 2 if match.group(1).upper() in ("SS", "UNH") else 1, match.group(2).strip(), "heading"))
        elif mark == ":":
            match = _PANEL_HEAD.match(line.lstrip())
            if match:
                level = 1 if match.group(1).lower() in ("help", "panel") else 1 + int(match.group(1)[-1])
                heads.append(Head(number, level, (match.group(2) or match.group(3)).strip(), "heading"))
        if "<h" in line or "<H" in line:
            match = _HTML_HEAD.search(line[:2000])
            if match:
                heads.append(Head(number, int(match.group(1)), re.sub(r"<[^>]*>", "", match.group(2)).strip(), "heading"))
    return Draft(prose_roles(lines), heads)
