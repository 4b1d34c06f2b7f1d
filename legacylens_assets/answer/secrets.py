"""Secrets in source text are masked before anything leaves the machine: by the assignment they stand in, and by well-known shapes."""

from __future__ import annotations

import re
from collections.abc import Sequence

from legacylens_assets.identifiers import parts

MASK = "[masked]"

_WORDS = frozenset(
    "password passwd passwrd passphrase passcode pwd pswd pass secret apikey credential credentials cred creds authkey privatekey".split()
)
_PAIRS = frozenset(
    {("api", "key"), ("access", "key"), ("auth", "key"), ("private", "key"), ("encryption", "key"), ("encrypt", "key"), ("secret", "key"),
     ("pass", "word"), ("pass", "phrase"), ("connection", "string"), ("conn", "string"), ("conn", "str"), ("pin", "code")}
)  # fmt: skip
_ENDINGS = ("password", "passwd", "passwrd", "passphrase", "pswd", "apikey", "secretkey", "authtoken", "accesstoken")
_NAME = r"(?P<name>(?<![\w$#@-])[A-Za-z_$#@][\w$#@-]{0,100})"
_LITERAL = r"(?P<quote>['\"])(?P<value>(?:(?!(?P=quote)).){3,}?)(?P=quote)"
_ASSIGNMENTS: tuple[re.Pattern[str], ...] = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"(?P<lead>{_NAME}\s*(?:\[[^\]]{{0,60}}\]|\([^)]{{0,60}}\))?\s*(?::=|=:|==|!=|=|:|\.eq\.)\s*){_LITERAL}",
        rf"(?P<lead>\b(?:define|dcl-c)\s+{_NAME}\s+){_LITERAL}",
        rf"(?P<lead>\bdata\s+{_NAME}\s*/\s*){_LITERAL}",
        rf"(?P<lead>\b(?:str(?:n?cpy|lcpy|n?cmp|casecmp)|memcpy|memcmp)\s*\(\s*(?:\w+(?:->|\.))*{_NAME}\s*,\s*){_LITERAL}",
    )
)
_INITIAL = re.compile(rf"(?P<lead>\b(?:VALUES?(?:\s+IS)?\s+|INIT(?:IAL)?\s*\(\s*|INZ\s*\(\s*|CONST\s*\(\s*)){_LITERAL}", re.IGNORECASE)
_MOVE = re.compile(rf"(?P<lead>\bMOVE\s+){_LITERAL}(?P<tail>\s+TO\s+{_NAME})", re.IGNORECASE)
_KEYWORD = re.compile(
    r"(?P<lead>(?<![\w-])(?P<name>[A-Za-z][\w-]{0,100})\s*(?P<open>=|:|\()\s*)(?P<value>[^\s,;()'\"&=]{4,})(?=$|[\s,;)'\"&])", re.IGNORECASE
)
_IDENTIFIED = re.compile(
    r"(?P<lead>\bIDENTIFIED\s+BY\s+)(?P<value>['\"][^'\"]{3,}['\"])|(?P<lead2>\b(?:CONNECT|USER|ALTER|CREATE|GRANT)\b.*\bIDENTIFIED\s+BY\s+)(?P<value2>[^\s;'\":]{3,})",
    re.IGNORECASE,
)
_URL = re.compile(r"(?P<lead>(?<![a-z0-9+.-])[a-z][a-z0-9+.-]{0,30}://[^\s:/@'\"]+:)(?P<value>[^\s@/'\"]{3,})(?=@)", re.IGNORECASE)
_SHAPES = re.compile(
    r"\b(?:AKIA|ASIA)[A-Z0-9]{16}\b|\bgh[pousr]_[A-Za-z0-9]{30,}\b|\bgsk_[A-Za-z0-9]{20,}\b|\bcsk-[A-Za-z0-9]{20,}\b|\bsk-[A-Za-z0-9_-]{20,}\b"
    r"|\bpa-[A-Za-z0-9_-]{30,}\b|\bxox[abprs]-[A-Za-z0-9-]{10,}\b|\beyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{5,}\b|\bAIza[A-Za-z0-9_-]{30,}\b"
)
_KEY_BEGIN = re.compile(r"-----BEGIN [A-Z ]*PRIVATE KEY-----")
_KEY_END = re.compile(r"-----END [A-Z ]*PRIVATE KEY-----")
_HARMLESS = re.compile(
    r"(?i)^(?:[\s*xX.#?_-]*|spaces?|zeros?|low-values?|high-values?|null|none|n/?a|\W+|[YN]|\.?true\.?|\.?false\.?|.*%\w.*|[&$]?\{.*\}|<.*>)$"
)
_PROSE = re.compile(r"^\s*(?:\S+\s+){2,}\S+\s*$")
_NEXT_LITERAL = re.compile(rf"^(?P<lead>[^'\"]{{0,12}}?\b(?:VALUE(?:\s+IS)?|INIT(?:IAL)?\s*\(|INZ\s*\(|TO|=)?\s*){_LITERAL}", re.IGNORECASE)
_QUOTES = re.compile(r"['\"]")
BARE_VALUES = frozenset({"jcl", "text"})
"""Languages whose values stand without quotes; elsewhere a bare word after ``=`` is code, unless it is inside a literal."""


def mask_secrets(lines: Sequence[str], language: str) -> list[str]:
    """Return the lines with the values of secrets masked, one line for each line.

    A value is a secret when its name says so (password, token, api key…) and the line assigns or compares it: VALUE, INIT, INZ, =, MOVE…TO, #define,
    keyword parameters, IDENTIFIED BY, URLs with a password; or when it has the shape of a well-known key. Blanks, zeros, format strings and sentences
    are left alone.

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
        masked = _mask_line(line, language)
        if open_name and masked == line:
            masked = _NEXT_LITERAL.sub(_literal, line, count=1)
        open_name = masked == line and language not in BARE_VALUES and _leaves_open(line)
        found.append(masked)
    return found


def is_secret_name(name: str) -> bool:
    """Return whether a name says that what it holds is a secret.

    >>> [is_secret_name(n) for n in ("WS-PASSWORD", "dbPassword", "API_KEY", "DBPASSWD", "bypass", "compass", "WS-TOTAL")]
    [True, True, True, True, False, False, False]
    """
    pieces = parts(name)
    if pieces[-1:] == ("token",) or any(piece in _WORDS for piece in pieces) or any(pair in _PAIRS for pair in zip(pieces, pieces[1:], strict=False)):
        return True
    return any(piece.endswith(_ENDINGS) for piece in pieces)


def _mask_line(line: str, language: str) -> str:
    for pattern in (*_ASSIGNMENTS, _MOVE):
        line = pattern.sub(_named_literal, line)
    line = _INITIAL.sub(_declared_literal, line)
    line = _KEYWORD.sub(lambda match: _bare(match, language), line)
    line = _IDENTIFIED.sub(lambda match: f"{match.group('lead') or match.group('lead2')}{MASK}", line)
    line = _URL.sub(_masked, line)
    return _SHAPES.sub(MASK, line)


def _leaves_open(line: str) -> bool:
    """Return whether a line names a secret and ends before giving it a value."""
    text = line[:72].rstrip()
    found = any(is_secret_name(name) for name in re.findall(r"[A-Za-z_$#@][\w$#@-]*", text[-70:]))
    return found and not text.endswith((".", ";")) and not _QUOTES.search(text)


def _named_literal(match: re.Match[str]) -> str:
    return _literal(match) if _holds_secret(match.group("name"), match.group("value")) else match.group()


def _holds_secret(name: str, value: str) -> bool:
    """Return whether a name says that its value is a secret; what is only called a token must look like one, for scanners have tokens too."""
    if not is_secret_name(name):
        return False
    pieces = parts(name)
    only_token = pieces[-1:] == ("token",) and not any(piece in _WORDS or piece in _TOKEN_OF for piece in pieces)
    return not only_token or (len(value) >= 8 and any(map(str.isdigit, value)) and any(map(str.isalpha, value)))


_TOKEN_OF = frozenset("auth access api bearer session security refresh login id".split())


def _declared_literal(match: re.Match[str]) -> str:
    """Mask the initial value of a declaration whose name, before it on the line, is that of a secret."""
    names = re.findall(r"[A-Za-z_$#@][\w$#@-]*", match.string[max(0, match.start() - 90) : match.start()])
    return _literal(match) if any(_holds_secret(name, match.group("value")) for name in names) else match.group()


def _literal(match: re.Match[str]) -> str:
    value, quote = match.group("value"), match.group("quote")
    if _HARMLESS.match(value) or _PROSE.match(value):
        return match.group()
    tail = match.groupdict().get("tail") or ""
    return f"{match.group('lead')}{quote}{MASK}{quote}{tail}"


def _bare(match: re.Match[str], language: str) -> str:
    """Mask an unquoted value of a keyword where the language has such, or inside a literal."""
    inside = len(_QUOTES.findall(match.string[: match.start()])) % 2 == 1
    if not _holds_secret(match.group("name"), match.group("value")) or not (language in BARE_VALUES or inside):
        return match.group()
    opening, value = match.group("open"), match.group("value")
    if language == "text" and not inside and (opening == "(" or (opening == ":" and not any(map(str.isdigit, value)))):
        return match.group()
    return _masked(match)


def _masked(match: re.Match[str]) -> str:
    value = match.group("value")
    return match.group() if _HARMLESS.match(value) or MASK in value else match.group("lead") + MASK
