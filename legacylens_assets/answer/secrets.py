"""Secrets in source text are masked before anything leaves the machine: by the assignment they stand in, and by well-known shapes."""

from __future__ import annotations

import re
from collections.abc import Sequence

MASK = "[masked]"

_SECRET_WORD = (
    r"(?:pass(?:wd|word|phrase|wrd)?|pwd|pswd|secret|api[-_]?key|apikey|access[-_]?key|auth[-_]?(?:key|token)|token|credential|cred|private[-_]?key"
    r"|encrypt(?:ion)?[-_]?key|client[-_]?secret|conn(?:ection)?[-_]?str(?:ing)?|pin[-_]?code|racf[-_]?pw|sa[-_]?pw)"
)
_NAME = rf"[\w$#@-]*?(?<![A-Za-z]){_SECRET_WORD}(?![a-z])[\w$#@-]*"
_LITERAL = r"(?P<quote>['\"])(?P<value>(?:(?!(?P=quote)).){3,})(?P=quote)"
_ASSIGNMENTS: tuple[re.Pattern[str], ...] = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"(?P<lead>\b{_NAME}\b[^'\"\n]{{0,80}}?\b(?:VALUES?(?:\s+IS)?|INIT(?:IAL)?\s*\(|INZ\s*\()\s*){_LITERAL}",
        rf"(?P<lead>\b{_NAME}\b\s*(?:\[[^\]]*\]|\([^)]*\))?\s*(?:=|:=|:|==|\.eq\.)\s*){_LITERAL}",
        rf"(?P<lead>\bdefine\s+{_NAME}\s+){_LITERAL}",
        rf"(?P<lead>\bdata\s+{_NAME}\s*/\s*){_LITERAL}",
    )
)
_MOVE = re.compile(rf"(?P<lead>\bMOVE\s+){_LITERAL}(?P<tail>\s+TO\s+{_NAME}\b)", re.IGNORECASE)
_COPY_CALL = re.compile(rf"(?P<lead>\bstr(?:n?cpy|lcpy|cmp)\s*\(\s*{_NAME}\s*,\s*){_LITERAL}", re.IGNORECASE)
_KEYWORD = re.compile(
    r"(?P<lead>(?<![\w-])(?:PASSWORD|PASSWD|PASS|PWD|SECRET|TOKEN|APIKEY|API_KEY|ACCESS_KEY|CLIENT_SECRET)\s*(?:=|\()\s*)(?P<value>[^\s,;)('\"]{3,})",
    re.IGNORECASE,
)
_IDENTIFIED = re.compile(r"(?P<lead>\bIDENTIFIED\s+BY\s+)(?P<value>['\"]?[^\s;'\"]{3,}['\"]?)", re.IGNORECASE)
_URL = re.compile(r"(?P<lead>\b[a-z][a-z0-9+.-]*://[^\s:/@'\"]+:)(?P<value>[^\s@/'\"]{3,})(?=@)", re.IGNORECASE)
_SHAPES = re.compile(
    r"\b(?:AKIA|ASIA)[A-Z0-9]{16}\b|\bgh[pousr]_[A-Za-z0-9]{30,}\b|\bgsk_[A-Za-z0-9]{20,}\b|\bcsk-[A-Za-z0-9]{20,}\b|\bsk-[A-Za-z0-9_-]{20,}\b"
    r"|\bpa-[A-Za-z0-9_-]{30,}\b|\bxox[abprs]-[A-Za-z0-9-]{10,}\b|\beyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{5,}\b|\bAIza[A-Za-z0-9_-]{30,}\b"
)
_KEY_BEGIN = re.compile(r"-----BEGIN [A-Z ]*PRIVATE KEY-----")
_KEY_END = re.compile(r"-----END [A-Z ]*PRIVATE KEY-----")
_HARMLESS = re.compile(
    r"(?i)^(?:[\s*xX.#?_-]*|spaces?|zeros?|low-values?|high-values?|null|none|n/?a|\W+|[YN]|true|false|[\w .]*%[sd].*|\$?\{.*\}|<.*>)$"
)
_PROSE = re.compile(r"^(?:\S+\s+){3,}\S+$")
_SPLIT_NAME = re.compile(rf"\b{_NAME}\b[^'\"\n]*(?:VALUE(?:\s+IS)?|=|:=|INIT(?:IAL)?\s*\(|INZ\s*\()?\s*(?:\+|\.\.\.|&|-)?\s*$", re.IGNORECASE)
_FIRST_LITERAL = re.compile(rf"^(?P<lead>.{{0,40}}?(?:\bVALUE(?:\s+IS)?\s+|=\s*|INIT\s*\(\s*|\bTO\s+|^\s*)?){_LITERAL}", re.IGNORECASE)


def mask_secrets(lines: Sequence[str], language: str) -> list[str]:
    """Return the lines with the values of secrets masked, one line for each line.

    A value is a secret when its name says so (password, token, api key…) and the line assigns it: VALUE, INIT, INZ, =, MOVE…TO, #define, keyword
    parameters, IDENTIFIED BY, URLs with a password; or when it has the shape of a well-known key. Blanks, zeros, masks and messages are left alone.

    >>> mask_secrets(["       05 WS-PASSWORD PIC X(8) VALUE 'SECRET01'.", "       MOVE SPACES TO WS-PASSWORD."], "cobol")
    ["       05 WS-PASSWORD PIC X(8) VALUE '[masked]'.", '       MOVE SPACES TO WS-PASSWORD.']
    """
    found: list[str] = []
    inside_key = open_name = False
    for line in lines:
        if _KEY_BEGIN.search(line) or inside_key:
            inside_key = not _KEY_END.search(line)
            found.append(MASK)
            continue
        masked = _mask_line(line)
        if open_name and masked == line:
            masked = _FIRST_LITERAL.sub(_literal, line, count=1)
        open_name = bool(_SPLIT_NAME.search(line.rstrip()[:72])) and language != "text" and masked == line
        found.append(masked)
    return found


def _mask_line(line: str) -> str:
    for pattern in (*_ASSIGNMENTS, _COPY_CALL):
        line = pattern.sub(_literal, line)
    line = _MOVE.sub(_literal, line)
    line = _KEYWORD.sub(_bare, line)
    line = _IDENTIFIED.sub(_bare, line)
    line = _URL.sub(_bare, line)
    return _SHAPES.sub(MASK, line)


def _literal(match: re.Match[str]) -> str:
    value, quote = match.group("value"), match.group("quote")
    if _HARMLESS.match(value) or _PROSE.match(value):
        return match.group()
    tail = match.groupdict().get("tail") or ""
    return f"{match.group('lead')}{quote}{MASK}{quote}{tail}"


def _bare(match: re.Match[str]) -> str:
    value = match.group("value")
    if _HARMLESS.match(value) or value == MASK:
        return match.group()
    return match.group("lead") + MASK
