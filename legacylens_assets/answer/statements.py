"""Whole statements of legacy code: where the one on a line begins and ends, and what it does that a reader would want to see."""

from __future__ import annotations

import re
from collections.abc import Sequence

from legacylens_assets.answer.prose import code_of

MOST_LINES = 6
"""Lines of one statement that are quoted."""

MOST_CHARS = 240

_COBOL_VERBS = (
    "ACCEPT ADD ALTER CALL CANCEL CLOSE COMPUTE CONTINUE COPY DELETE DISPLAY DIVIDE ELSE ENTRY EVALUATE EXEC EXIT FD GENERATE GO GOBACK IF INITIALIZE"
    " INSPECT INVOKE MERGE MOVE MULTIPLY NEXT OPEN PERFORM READ RELEASE RETURN REWRITE SEARCH SELECT SET SORT START STOP STRING SUBTRACT TERMINATE"
    " UNSTRING WHEN WRITE"
)
_STARTS = {
    "cobol": re.compile(rf"(?i)^(?:(?:{'|'.join(_COBOL_VERBS.split())})\b|END-\w+|\d\d?\s+[\w-]+)"),
    "jcl": re.compile(r"^//\S|^//\s+(?:IF|ELSE|ENDIF|EXEC|DD|SET|INCLUDE)\b|^[^/]|^/\*"),
}
_ENDED = {
    "c": re.compile(r"[;{}:]\s*(?:/\*.*\*/\s*)?$"),
    "pli": re.compile(r"[;:]\s*(?:/\*.*\*/\s*)?$"),
    "cobol": re.compile(r"\.\s*$"),
    "rpg": re.compile(r";\s*(?://.*)?$"),
}
_CONDITION = re.compile(
    r"(?i)(?:^|[\s(])(?:else\s+)?(?:if|when|evaluate|until|while|switch|case|select\s+case|dow|dou|if(?:eq|ne|gt|lt|ge|le))\b|\bCOND=|\bON\s+SIZE\b"
)
_OPENS = re.compile(r"(?i)^(?:else\s+)?(?:if|when|case)\b")
_COMPUTATION = re.compile(
    r"(?i)^(?:compute|add|subtract|multiply|divide)\b|\b(?:eval|mult|sub|div|z-add|xfoot)\b"
    r"|(?<![<>=!])=(?!=)\s*.*[\w)](?:\s*[+*/]\s*|\s+-\s+)[\w(]|[-+*/]=(?!=)"
)
_LITERAL = re.compile(r"'[^']*'|\"[^\"]*\"")
_MESSAGE = re.compile(r"['\"][^'\"]*[A-Za-z]{2,}[ ,]+[A-Za-z]{2,}[^'\"]*['\"]")
_DULL = re.compile(
    r"(?i)^(?:[\w -]+\s(?:DIVISION|SECTION)\b.*|FILE-CONTROL\.?|I-O-CONTROL\.?|PROGRAM-ID\b.*"
    r"|(?:END|EXIT|ELSE|GOBACK|CONTINUE|THEN|DO|BEGIN|RETURN|BREAK|STOP(?:\s+RUN)?|END-[\w-]+|ENDIF|ENDDO|ENDSL|ENDSR|ENDFOR|NEXT\s+SENTENCE|NULL)\s*[.;]?"
    r"|END\s+[\w$#@-]+\s*[.;]|GO\s+TO\s+[\w-]+\s*[.;]?|#\s*(?:include|endif|else|undef|pragma)\b.*|\W*|FD\s+.*|COPY\s+\S+\.?|(?:SKIP[123]|EJECT|TITLE)\b.*|\d\d\s+FILLER\b.*"
    r"|[\w$#@-]+\s*[.:;]?|IMPLICIT\s+NONE|EXTERNAL\b.*|INTRINSIC\b.*|EXEC\s+(?:CICS|SQL)(?:\s+\w+)?\s*|EVALUATE\s+TRUE\s*|/\*\s*|//\S*\s+DD\s+DUMMY.*)$"
)
CONDITION, COMPUTATION, MESSAGE, OTHER = "condition", "computation", "message", "other"


def kind_of(code: str) -> str:
    """Return what a statement is worth quoting for: condition, computation, message or other.

    >>> kind_of("IF WS-BAL < 0 MOVE 'R' TO WS-FLAG"), kind_of("COMPUTE X = Y * 2"), kind_of("MOVE 'Not found here' TO MSG"), kind_of("MOVE A TO B")
    ('condition', 'computation', 'message', 'other')
    """
    bare = _LITERAL.sub("''", code)
    if _CONDITION.search(bare):
        return CONDITION
    if _COMPUTATION.search(bare):
        return COMPUTATION
    return MESSAGE if _MESSAGE.search(code) else OTHER


def is_dull(code: str) -> bool:
    """Return whether a line says nothing by itself: a division or section header, a lone word, an include, an end.

    >>> [is_dull(c) for c in ("FILE SECTION.", "#include <stdio.h>", "END-IF", "EVALUATE TRUE", "ADD 1 TO WS-N.", "}")]
    [True, True, True, True, False, True]
    """
    return bool(_DULL.match(code.strip()))


def statement_span(lines: Sequence[str], flags: Sequence[bool], index: int, language: str) -> tuple[int, int]:
    """Return the first and last index of the statement that line ``index`` belongs to; a condition takes what is done under it with it.

    ``flags`` says which lines hold code; a line without code ends a statement. At most MOST_LINES lines and MOST_CHARS characters.
    """
    first = index
    while first > 0 and flags[first - 1] and index - first < MOST_LINES - 1 and _continues(lines, first, language):
        first -= 1
    last = statement_end(lines, flags, first, language)
    complete = language in ("c", "pli") and code_of(lines[last], language).endswith(";")
    if (
        _OPENS.match(code_of(lines[first], language))
        and not complete
        and last + 1 < len(lines)
        and flags[last + 1]
        and not is_dull(code_of(lines[last + 1], language))
    ):
        further = statement_end(lines, flags, last + 1, language)
        if further - first < MOST_LINES and _length(lines, first, further, language) <= MOST_CHARS:
            last = further
    return (first, last) if first <= index <= last else (index, index)


def begins(lines: Sequence[str], first: int, language: str) -> bool:
    """Return whether a statement begins in this line, as far as the language shows it."""
    rule = _STARTS.get(language)
    return rule is None or bool(rule.match(code_of(lines[first], language)))


def statement(lines: Sequence[str], first: int, last: int, language: str) -> str:
    """Return the code of lines ``first..last`` on one line, as it can be quoted."""
    return " ".join(" ".join(code_of(line, language).split()) for line in lines[first : last + 1]).replace("`", "'")


def statement_end(lines: Sequence[str], flags: Sequence[bool], first: int, language: str) -> int:
    """Return the last index of the statement that begins in line ``first``."""
    last = first
    while (
        last + 1 < len(lines)
        and flags[last + 1]
        and last + 1 - first < MOST_LINES
        and _continues(lines, last + 1, language)
        and _length(lines, first, last + 1, language) <= MOST_CHARS
    ):
        last += 1
    return last


def _continues(lines: Sequence[str], index: int, language: str) -> bool:
    """Return whether line ``index`` goes on with what the line before it began."""
    code, before = code_of(lines[index], language), code_of(lines[index - 1], language)
    if not before or not code:
        return False
    if language == "fortran":
        fixed = lines[index][:5].strip() == "" and len(lines[index]) > 5 and lines[index][5] not in " 0"
        return before.endswith("&") or (fixed and not lines[index][:1].strip())
    if language == "jcl":
        return before.startswith("//") and before.endswith(",") and code.startswith("// ")
    if language == "cobol":
        return not _ENDED["cobol"].search(before) and not _STARTS["cobol"].match(code) and not is_dull(before)
    ended = _ENDED.get(language)
    if language == "rpg" and not (ended and (ended.search(code) or ended.search(before))):
        return False
    return ended is not None and not ended.search(before) and not is_dull(before) and not before.startswith(("#", "%"))


def _length(lines: Sequence[str], first: int, last: int, language: str) -> int:
    return len(statement(lines, first, last, language))
