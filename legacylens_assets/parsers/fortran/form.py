"""Which source form a Fortran file is written in: decided from the text, the extension only breaks ties.

Fixed form: columns 1-5 label, 6 continuation, 7-72 statement (Fortran 2018, 6.3.3). Free form: 6.3.2.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import PurePosixPath

FREE_EXTENSIONS = frozenset({".f90", ".f95", ".f03", ".f08", ".f15", ".f18", ".f23", ".ff90", ".fypp"})
LOOKED_AT = 4000
"""Lines read for the decision: enough for any mixture seen, and a bound on the time."""

_DIRECTIVE = re.compile(r"[!cC*]?\s*(?:dir\$|dec\$|\$|ibm\*\s*source)\s*(free|fixed|nofree)(?:form)?", re.I)
_C_CODE = re.compile(
    r"""c\w*\s*(?:\([^)]*\))?\s*(?:%\s*\w+\s*(?:\([^)]*\))?\s*)*=(?![=>\s]*=) | c\w*\s*=>\s*\w
      | call\s+[a-z]\w*(?:\s*%\s*\w+)*\s*(?:\(|$|!|;|&) | character\s*(?:\(|\*|::|,) | character\s+[a-z]\w*\s*(?:$|,|!|\() | complex\s*(?:\(|\*|::|,)
      | contains\s*(?:$|!) | continue\s*(?:$|!) | close\s*\( | common\s*/ | case\s*(?:\(|default\b)
      | class\s*(?:\(|is\s*\(|default\b) | cycle\s*(?:$|!|[a-z]\w*\s*$)
      | critical\s*$""",
    re.I | re.X,
)
_D_CODE = re.compile(
    r"d\w*\s*(?:\([^)]*\))?\s*=(?!=)|do\s+(?:\d+|while|concurrent|[a-z]\w*\s*=)|do\s*$|data\s+\w+|dimension\s*\w|double\s*precision|deallocate\s*\(",
    re.I,
)
_LEFT_CODE = re.compile(r" {0,4}[A-Za-z_]\w*")
_COLUMN_6 = re.compile(r"     ([^\s0])(.?)")


def fixed_or_free(lines: Sequence[str], path: str = "") -> str:
    """Return "fixed" or "free" for a file.

    >>> fixed_or_free(["C     A COMMENT", "      END"], "odd.f90")
    'fixed'
    >>> fixed_or_free(["call flush(6)", "end"], "odd.f")
    'free'
    """
    score, after_ampersand = 0.0, False
    for line in lines[:LOOKED_AT]:
        if not line or line.isspace() or line[0] == "#":
            continue
        told = _DIRECTIVE.match(line)
        if told:
            return "free" if told.group(1).lower() == "free" else "fixed"
        score += _evidence(line, after_ampersand)
        body = line.split("!", 1)[0].rstrip()
        if body or "!" not in line:
            after_ampersand = body.endswith("&") and not _COLUMN_6.fullmatch(body)
    if score:
        return "fixed" if score > 0 else "free"
    return "free" if PurePosixPath(path).suffix.lower() in FREE_EXTENSIONS else "fixed"


def _evidence(line: str, after_ampersand: bool) -> float:
    """Return how much a line speaks for fixed form (positive) or free form (negative)."""
    first = line[0]
    if first == "*":
        return 0.0 if after_ampersand else 3.0
    if first in "cC":
        return -1.0 if after_ampersand or _C_CODE.match(line) else 3.0
    if first in "dD":
        return -2.0 if _D_CODE.match(line) else 0.2
    body = line.split("!", 1)[0].rstrip()
    if not body:
        return 0.0
    if body.endswith("&") and len(body) <= 72 and not _COLUMN_6.fullmatch(body):
        return -3.0
    column6 = _COLUMN_6.match(body)
    if column6:
        if after_ampersand:
            return -0.5
        return 0.2 if column6.group(1).isalpha() and column6.group(2) != " " else 2.0
    return -2.0 if _LEFT_CODE.match(line) else 0.0


_CARD = re.compile(r"[A-Za-z0-9_.\-+*$ ]{1,8}")


def last_column(lines: Sequence[str]) -> int:
    """Return the last statement column of a fixed-form file: 72, or 132 where code clearly runs on (``-ffixed-line-length``).

    Columns 73-80 that hold sequence numbers or card names are no code; a line runs on when what follows column 72 is too long
    for a card number or holds operators, and the brackets only balance with it.
    """
    cards = longer = 0
    for line in lines[:LOOKED_AT]:
        if len(line) <= 72 or line[0] in "cC*!dD#" or "\t" in line:
            continue
        code = line.rstrip()
        mark = code.find("!", 6)
        if 0 <= mark <= 72 or not code[72:].strip():
            continue
        if len(code) <= 80 and _CARD.fullmatch(code[72:]):
            cards += 1
        elif code.count("(") == code.count(")") and code[:72].count("(") != code[:72].count(")") or len(code) > 80:
            longer += 1
    return 132 if longer > cards else 72
