"""Source lines as people read them: which are comments, what a comment says, what code stands between the margins."""

from __future__ import annotations

import re
from collections.abc import Sequence

from legacylens_assets.context import clean_comment

_FULL_LINE = {
    "cobol": re.compile(r"^.{6}[*/]|^\s*\*>"),
    "fortran": re.compile(r"^[Cc*!]|^\s*!"),
    "jcl": re.compile(r"^//\*"),
    "rpg": re.compile(r"^.{6}\*|^\s*//|^\s*\*(?!\*)"),
    "c": re.compile(r"^\s*//"),
    "pli": re.compile(r"^\s*%\s*note", re.IGNORECASE),
}
_BLOCK = frozenset({"c", "pli"})
_NUMBERED_LEFT = re.compile(r"^[0-9A-Za-z ]{6}$")


def comment_flags(lines: Sequence[str], language: str) -> list[bool]:
    """Return for each line whether it is a comment and nothing else. Documents are comments throughout.

    A block comment that began before the first line is recognised when its end comes before any new start.
    """
    if language == "text":
        return [bool(line.strip()) for line in lines]
    if language not in _BLOCK:
        rule = _FULL_LINE.get(language)
        return [bool(rule and rule.match(line)) for line in lines]
    rule = _FULL_LINE[language]
    joined = "\n".join(lines)
    opened, closed = joined.find("/*"), joined.find("*/")
    inside = closed >= 0 and (opened < 0 or closed < opened)
    flags = []
    for line in lines:
        flag, inside = _block_line(line, inside)
        flags.append(flag or bool(rule.match(line)))
    return flags


def _block_line(line: str, inside: bool) -> tuple[bool, bool]:
    """Return (nothing but comment, still inside a block comment at the end)."""
    rest, code, seen = line, "", inside
    while rest:
        if inside:
            end = rest.find("*/")
            if end < 0:
                return not code.strip(), True
            rest, inside = rest[end + 2 :], False
        else:
            start = rest.find("/*")
            if start < 0:
                code += rest
                break
            seen = True
            code, rest, inside = code + rest[:start], rest[start + 2 :], True
    return seen and not code.strip(), inside


def code_of(line: str, language: str) -> str:
    """Return the part of a line that is code: without sequence numbers and change marks in the margins.

    >>> code_of("000100     MOVE A TO B.".ljust(72) + "CBPOST01", "cobol")
    'MOVE A TO B.'
    """
    if language == "cobol" and len(line) > 6 and (line[6] in " *-/Dd$") and _NUMBERED_LEFT.match(line[:6]):
        return line[7:72].strip() if line[6] in " *-/" else line[6:72].strip()
    if (
        language in ("pli", "fortran", "jcl", "rpg")
        and len(line) > 72
        and re.fullmatch(r"[\w ]{1,8}", line[72:80])
        and line[72:80].strip()[-4:].isdigit()
    ):
        return line[:72].strip()
    return line.strip()


def comment_words(line: str, language: str) -> str:
    """Return what a comment line says, "" for rules, licences and change logs.

    >>> comment_words("      * Posts the day's refunds.                *", "cobol")
    "Posts the day's refunds."
    """
    return clean_comment(_DOXYGEN.sub("", comment_body(line, language)), 400)


def comment_body(line: str, language: str) -> str:
    """Return a comment line without its margins and its opening mark."""
    if language == "rpg" and len(line) > 6 and line[6] == "*":
        return line[7:]
    body = line[6:72] if language == "cobol" and len(line) > 6 and _NUMBERED_LEFT.match(line[:6]) else line
    return _LEFT_MARK.sub("", body)


_DOXYGEN = re.compile(r"^\s*[\\@](?:brief|details|b|par|note|a|li|verbatim|endverbatim|param(?:\[[\w,]*\])?)\b:?\s*")
_LEFT_MARK = re.compile(r"^(?:\s*(?://\*|//|/\*|\*>|[*!#;|])|[Cc*!](?=[\s*\\]))\s*|\s*\*/\s*$")
