"""Which RPG a file is written in: free or by columns, RPG II/III or IV, with or without a prefix before column 1.

Source: ILE RPG Reference, "Fully free-form statements", "Column-limited free-form"; RPG/400 Reference, "RPG/400 specifications".
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

SPECIFICATIONS = frozenset("HFDICOPELUT")

_PREFIXES = ((12, re.compile(r"\d{6}(?:[\d ]{6}|$)")), (6, re.compile(r"\d{6}(?=$|\s{5,}|\*\*|.{5}[HFDICOPEL ])")))
_TABLES = re.compile(r"(?:\d{12}|\d{6})?\*\*(?!FREE)", re.IGNORECASE)
_FREE_MARK = re.compile(r"\*\*FREE\s*$", re.IGNORECASE)
_OUTDENTED = re.compile(
    r"\s{0,4}(?:dcl-\w+|end-(?:pr|pi|ds|proc)|ctl-opt|begsr|endsr|exsr|/(?:copy|include|if|define)|return|if|dow|monitor|exec\s+sql)\b", re.IGNORECASE
)
_CARD = re.compile(r"[\s\d\w]{5}[HFDICOPEL][ *\w]")
_OLD_PATH = re.compile(r"\.(?:rpg|rpg36|rpg38|rpgiii|rpt|sqlrpg)$", re.IGNORECASE)
OLD_OPERATIONS = frozenset(
    "ADD ADD Z-ADD Z-SUB SUB MULT DIV MVR SQRT XFOOT MOVE MOVEL MOVEA MHHZO MHLZO MLHZO MLLZO MOVE BITON BITOF TESTB TESTN TESTZ SETON SETOF COMP "
    "GOTO TAG BEGSR EXSR ENDSR CALL PARM PLIST RETRN FREE CHAIN READ READE READP REDPE READC SETLL SETGT WRITE UPDAT DELET EXCPT EXFMT FORCE OPEN "
    "CLOSE FEOD NEXT POST ACQ REL LOKUP SORTA CAT SCAN SUBST XLATE CHECK CHEKR CLEAR RESET DEFN KLIST KFLD DEBUG DUMP DSPLY TIME IN OUT UNLCK COMIT "
    "ROLBK SHTDN CAS END ENDDO ENDIF ENDCS ENDSL SELEC OTHER ELSE DO ITER LEAVE EXIT RLABL ULABL KEY SET SPACE".split()
)
"""Operation codes of RPG II and III, which stand in columns 28-32."""

_COMPARING = re.compile(r"(?:IF|DOW|DOU|CAS|CAB|AND|OR|WH|WHEN)(?:EQ|NE|GT|LT|GE|LE)$|\*?LIKE$")


@dataclass(frozen=True, slots=True)
class Form:
    """``name`` is free, fixed, mixed (told by the reader) or rpg-iii; ``prefix`` is the number of characters before column 1."""

    free: bool
    old: bool
    prefix: int


def is_old_operation(word: str) -> bool:
    """Return whether ``word`` is an operation code of RPG II or III.

    >>> is_old_operation("CASEQ"), is_old_operation("EVAL")
    (True, False)
    """
    return word in OLD_OPERATIONS or _COMPARING.match(word) is not None


def detect_form(lines: Sequence[str], path: str) -> Form:
    """Return the form of a file by its first 2,000 lines."""
    tables = next((at for at, line in enumerate(lines[:2000]) if _TABLES.match(line)), 2000)
    sample = [line for line in lines[:tables] if line.strip()]
    prefix = _prefix(sample)
    shown = [line[prefix:] for line in sample]
    if shown and _FREE_MARK.match(shown[0]):
        return Form(True, False, prefix)
    outdented = sum(1 for line in shown if _OUTDENTED.match(line))
    cards = sum(1 for line in shown if _CARD.match(line))
    if outdented > cards:
        return Form(True, False, prefix)
    return Form(False, _is_old(shown, path), prefix)


def _prefix(sample: Sequence[str]) -> int:
    """Return how many characters stand before column 1: a sequence number with or without a date (source physical file dumps)."""
    if not sample:
        return 0
    for width, pattern in _PREFIXES:
        if sum(1 for line in sample if pattern.match(line)) >= 0.95 * len(sample):
            return width
    return 0


def _is_old(shown: Sequence[str], path: str) -> bool:
    """Return whether the columns are those of RPG II or III: by operation codes, else by specifications, else by the file's name."""
    old = new = 0
    for line in shown:
        kind = line[5:6].upper()
        if line[6:7] in ("*", "/"):
            continue
        if kind == "C":
            if line[25:26].strip() and not line[16:17].strip(" ") and re.match(r"[A-Z-]+(\(\w+\))?\s*$", line[25:35].strip().upper()):
                new += 1
            elif is_old_operation(line[27:32].strip().upper()):
                old += 1
            elif line[25:35].strip() and line[25:26].strip():
                new += 1
        elif kind in ("D", "P"):
            new += 2
        elif kind in ("E", "L") or (kind == "I" and line[18:20].upper() == "DS"):
            old += 1
    if old or new:
        return old > new
    return bool(_OLD_PATH.search(path))
