"""Operation codes, and what they do with their operands.

Source: ILE RPG Reference, "Operation codes"; RPG/400 Reference, "Operation codes".
"""

from __future__ import annotations

import re

READS = frozenset("CHAIN READ READC READE READP READPE REDPE SETLL SETGT POST NEXT".split())
WRITES = frozenset("WRITE UPDATE UPDAT DELETE DELET".split())
KEYED = frozenset("CHAIN READE READPE REDPE SETLL SETGT DELETE DELET".split())
"""Operations whose first operand in free form is a search argument (DELETE only when it has two operands)."""

EXTENDED = frozenset(
    "CALLP DOU DOW EVAL EVALR EVAL-CORR FOR FOR-EACH IF ELSEIF ON-ERROR ON-EXIT RETURN SORTA WHEN DATA-INTO DATA-GEN XML-INTO XML-SAX ASSERT".split()
)
"""Operations of RPG IV with an extended factor 2 (columns 36-80)."""

SETTING = frozenset("MOVE MOVEL MOVEA Z-ADD Z-SUB ADD SUB MULT DIV MVR SQRT XFOOT CAT SUBST XLATE SCAN TIME CLEAR RESET".split())
"""Operations by columns that change their result field (CLEAR and RESET: their factor 2 in RPG II and III)."""

OPERATIONS = (
    READS
    | WRITES
    | EXTENDED
    | frozenset(
        "ACQ BEGSR CALL CALLB CLEAR CLOSE COMMIT DEALLOC DSPLY DUMP ELSE ENDDO ENDFOR ENDIF ENDMON ENDSL ENDSR EXCEPT EXFMT EXSR FEOD FORCE IN ITER "
        "LEAVE LEAVESR MONITOR OPEN OTHER OUT REL RESET ROLBK SELECT TEST UNLOCK ENDON SND-MSG".split()
    )
)
"""Operation codes that may open a free-form statement."""

NO_CALL = OPERATIONS | frozenset("AND OR NOT TO DOWNTO BY XOR".split())
"""Words before a parenthesis that are no call."""

COMPARE_BRANCH = re.compile(r"CAS(?:EQ|NE|GT|LT|GE|LE)?$")
COMPARE_GOTO = re.compile(r"CAB(?:EQ|NE|GT|LT|GE|LE)?$")
STRING = re.compile(r"'(?:[^']|'')*+'?")

_OPENING = re.compile(r"([A-Za-z][\w-]*)\s*(?:\(\s*[A-Za-z ]{1,6}\s*\))?(?=\s|$|;)")


def free_operation(text: str) -> tuple[str, str]:
    """Return the operation code (upper case, without extender) that opens free text and its operands; ("", text) when none does.

    >>> free_operation("chain(n) (k1 : k2) CUSTF"), free_operation("total = 1"), free_operation("exsr Init")
    (('CHAIN', '(k1 : k2) CUSTF'), ('', 'total = 1'), ('EXSR', 'Init'))
    """
    found = _OPENING.match(text)
    if found is None or found.group(1).upper() not in OPERATIONS:
        return "", text
    rest = text[found.end() :].lstrip()
    return ("", text) if rest.startswith("=") else (found.group(1).upper(), rest)


def operands(text: str) -> list[str]:
    """Return the operands of a free-form operation: words with the parentheses that belong to them.

    >>> operands("(k1 : k2) CUSTF custDs"), operands("%kds(keys : 2) ORDERS")
    (['(k1 : k2)', 'CUSTF', 'custDs'], ['%kds(keys : 2)', 'ORDERS'])
    """
    found: list[str] = []
    depth, start = 0, -1
    for position, character in enumerate(text[:2000]):
        if character == "(":
            depth += 1
        elif character == ")":
            depth = max(0, depth - 1)
        if character == " " and depth == 0:
            following = text[position:].lstrip()[:1] if found or start >= 0 else ""
            if start >= 0 and following != "(":
                found.append(text[start:position])
                start = -1
        elif start < 0:
            start = position
    if start >= 0:
        found.append(text[start:])
    return found
