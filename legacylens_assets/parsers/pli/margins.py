"""Which columns of a PL/I file are code.

IBM compilers read columns 2-72 by default, with a listing control character in column 1 and sequence numbers in 73-80; `*PROCESS MARGINS(m,n)`
changes that. Multics and workstation sources use whole lines. Nothing in a file but a directive says so, hence its lines are judged together.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import accumulate

_DIRECTIVE = re.compile(r"[*%]\s?process\b|\*(?:control|print|noprint|page|skip)\s*(?:\([^)]*\)\s*)?;", re.IGNORECASE)
_MARGINS = re.compile(r"\b(?:margins|mar)\s*\(\s*(\d+)\s*,\s*(\d+)\s*(?:,\s*(\d+)\s*)?\)", re.IGNORECASE)
_JOB_CARD = re.compile(r"//(?:[A-Z@#$][A-Z0-9@#$.]{0,16})?\s+(?:JOB|EXEC|DD|PROC|PEND|SET|INCLUDE|JCLLIB)\b|//\s*$")
_DELIMITER = re.compile(r"/\*\s*$")
_SEQUENCE = re.compile(r"[A-Z@#$]{0,6}\d{2,8}\s*$")
_LEFT_NUMBERS = re.compile(r"(\d{5,8})(?=\s|$)")
_CONTROL = frozenset("01-+")
_PUNCTUATION = frozenset(";,()='\"")


@dataclass(frozen=True, slots=True)
class Margins:
    """First and last column of code, counted from 1; ``right`` 0 means to the end of the line."""

    left: int = 1
    right: int = 0

    def code(self, line: str) -> str:
        """Return the line with everything outside the margins blanked, columns kept."""
        kept = line[: self.right] if self.right else line
        if self.left <= 1 or (self.left == 2 and kept.startswith("/*")):
            return kept
        return " " * min(self.left - 1, len(kept)) + kept[self.left - 1 :]


def directives(lines: Sequence[str]) -> list[int]:
    """Return the numbers of lines that are compiler directives or job control around the source, not PL/I.

    A line of a comment may look like one (`*process the record`): it is none where a comment is open.
    """
    found = []
    text: str | None = None
    starts: list[int] = []
    for number, line in enumerate(lines, 1):
        if line[:1] in ("*", "%", "/") and (_DIRECTIVE.match(line) or _JOB_CARD.match(line) or _DELIMITER.match(line)):
            if text is None:
                text = "\n".join(lines)
                starts = list(accumulate((len(other) + 1 for other in lines), initial=0))
            if line.startswith("/*") and not (number < len(lines) and _JOB_CARD.match(lines[number])):
                continue
            opened = text.rfind("/*", 0, starts[number - 1])
            if opened < 0 or text.find("*/", opened + 2, starts[number - 1]) >= 0:
                found.append(number)
    return found


def judge(lines: Sequence[str], left_out: Collection[int] = ()) -> Margins:
    """Return the margins: those of a `*PROCESS` directive, else what the lines as a whole show. ``left_out`` are the numbers of directives."""
    for number in sorted(left_out):
        found = _MARGINS.search(lines[number - 1])
        if found:
            left, right = int(found.group(1)), int(found.group(2))
            return Margins(max(1, left), right if right < 200 else 0)
    texts = [line for number, line in enumerate(lines, 1) if line.strip() and number not in left_out]
    right = _right_margin(texts)
    return Margins(_left_margin([kept for line in texts if (kept := line[:right] if right else line).strip()], right), right)


def _right_margin(lines: Sequence[str]) -> int:
    """Return 72 when what stands beyond is numbers or stands apart, else 0."""
    beyond = [line for line in lines if len(line.rstrip()) > 72]
    if not beyond or any("\t" in line for line in lines):
        return 0
    numbered = sum(1 for line in beyond if _SEQUENCE.match(line[72:80]) and not line[80:].strip())
    if numbered * 2 >= len(beyond):
        return 72
    apart = all(line[71] == " " and len(line.rstrip()) <= 80 and not _PUNCTUATION.intersection(line[72:]) for line in beyond)
    return 72 if apart and not any("/*" in line[72:] or "*/" in line[72:] for line in beyond) else 0


def _left_margin(lines: Sequence[str], right: int) -> int:
    """Return 2 when column 1 holds listing control or marks only, 6 to 9 when the lines begin with their numbers, else 1."""
    numbers = [found.group(1) for found in map(_LEFT_NUMBERS.match, lines) if found]
    if len(lines) > 2 and len(numbers) >= 0.9 * len(lines) and len({len(number) for number in numbers}) == 1 and numbers == sorted(numbers):
        return len(numbers[0]) + 1
    first = {line[0] for line in lines if not line.startswith("/*")} - {" ", "%"}
    if first and first <= _CONTROL:
        return 2
    words = any(line[0].isalpha() and line[1:2].strip() for line in lines)
    return 2 if right == 72 and not words and "\t" not in first else 1
