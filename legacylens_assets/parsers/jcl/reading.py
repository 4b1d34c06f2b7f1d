"""Lines of a job stream -> statements with their in-stream data, and the role of every line.

Source: z/OS MVS JCL Reference, chapters "Format of statements" and "DD statement: * and DATA", JES2 and JES3 control statements.
A statement's text lies in columns 1-71; column 72 continues a comment; columns 73-80 are no code.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from legacylens_assets.types import BLANK, COMMENT, CONTINUED, START, Problem

OPERATIONS = frozenset(
    "JOB EXEC DD PROC PEND SET JCLLIB INCLUDE IF ELSE ENDIF OUTPUT CNTL ENDCNTL XMIT COMMAND EXPORT NOTIFY SCHEDULE JOBGROUP ENDGROUP "
    "GJOB JOBSET SJOB ENDSET AFTER BEFORE CONCURRENT".split()
)
JES2 = frozenset("JOBPARM MESSAGE NETACCT NOTIFY OUTPUT PRIORITY ROUTE SETUP SIGNOFF SIGNON XEQ XMIT EOF DEL PURGE SCAN".split())
NULL, JES, SKELETON, STRAY = "NULL", "JES", "SKELETON", "STRAY"
"""Operations of lines that are no coded statement: the null statement, JES2 control, ISPF skeleton control, text that is no JCL."""

LONG_DATA = 1800
"""Non-blank characters of in-stream data above which a chunk may begin at a control statement within it."""

_OPENING = re.compile(r"//(\S*)(?:\s+(\S+)(?:\s+(.*))?)?$")
_FIELD = re.compile(r"(?:[^' ]++|'(?:[^']|'')*+')*+")
_QUOTE_END = re.compile(r"(?:[^']|'')*+'")
_THEN = re.compile(r"(?:^|[\s)])THEN(?:\s|$)", re.IGNORECASE)
_IN_STREAM = re.compile(r"(\*|DATA)(?:,|$)", re.IGNORECASE)
_DELIMITER = re.compile(r"DLM=(?:'((?:[^']|'')+)'|([^,\s)]+))", re.IGNORECASE)
_SKELETON = re.compile(r"\)(?:[A-Z]+\b|\w*$)|&\w+\.?\s*$", re.IGNORECASE)


@dataclass(slots=True)
class Statement:
    """One statement. ``operands`` is the operand field with its continuations joined; ``pieces`` gives each part with its line.

    Lines ``line..end`` hold the statement; in-stream data, with its delimiter, lies in ``end + 1..data_end`` (``data_end`` is 0 without data).
    ``delimited`` says that the last of those lines is the delimiter.
    """

    line: int
    end: int
    name: str
    operation: str
    operands: str = ""
    pieces: list[tuple[int, str]] = field(default_factory=list)
    data_end: int = 0
    delimited: bool = False

    @property
    def last(self) -> int:
        """Return the last line of the statement and its data."""
        return max(self.end, self.data_end)

    def line_of(self, *marks: str) -> int:
        """Return the line whose piece holds one of ``marks`` first, else that of the statement."""
        for line, piece in self.pieces:
            text = piece.upper()
            if any(mark in text for mark in marks):
                return line
        return self.line


class Reader:
    """Reads a file once, from top to bottom."""

    def __init__(self, lines: Sequence[str]) -> None:
        self.lines = [line.expandtabs(8).rstrip() if "\t" in line else line.rstrip() for line in lines]
        self.roles = [START] * len(lines)
        self.problems: list[Problem] = []
        self.statements: list[Statement] = []
        self._prefixes: dict[int, dict[str, int]] = {}
        self._control = False

    def read(self) -> list[Statement]:
        """Return the statements in order; ``roles`` and ``problems`` are filled in."""
        at, count = 0, len(self.lines)
        while at < count:
            line = self.lines[at]
            if line.startswith("//") and not line.startswith("//*"):
                at = self._statement(at)
            else:
                at = self._other(at, line)
        return self.statements

    def _other(self, at: int, line: str) -> int:
        """Take a line that is no coded statement; return the index of the next one."""
        if not line.strip():
            self.roles[at] = BLANK
        elif line.startswith("//*"):
            self.roles[at] = COMMENT
            if line[3:11] == "DATASET ":
                return self._data(at + 1, Statement(at + 1, at + 1, "", JES), "//*ENDDATASET", False)
        elif line.startswith("/*"):
            return self._jes(at, line)
        elif _SKELETON.match(line):
            self.roles[at] = COMMENT if line[:4].upper().rstrip() == ")CM" else START
            if self.roles[at] == START:
                self.statements.append(Statement(at + 1, at + 1, "", SKELETON, line))
        else:
            return self._stray(at)
        return at + 1

    def _jes(self, at: int, line: str) -> int:
        verb = line[2:].split(None, 1)[0].upper() if line[2:].strip() and line[2] != " " else ""
        if verb not in JES2 and not verb.startswith("$"):
            self.roles[at] = COMMENT
            return at + 1
        statement = Statement(at + 1, at + 1, "", JES, line[2:])
        self.statements.append(statement)
        if verb == "XMIT":
            return self._data(at + 1, statement, _delimiter(line), False)
        return at + 1

    def _stray(self, at: int) -> int:
        """Take lines that are no JCL: data of the DD above that comment lines interrupted, or text."""
        first = at
        while at < len(self.lines) and self.lines[at].strip() and not self.lines[at].startswith(("//", "/*")):
            self.roles[at] = CONTINUED
            at += 1
        above = self.statements[-1] if self.statements else None
        if above is not None and above.data_end and not above.delimited:
            above.data_end = at
            if at < len(self.lines) and self.lines[at].startswith("/*"):
                self.roles[at] = CONTINUED
                above.data_end, above.delimited = at + 1, True
                at += 1
            return at
        self.roles[first] = START
        self.statements.append(Statement(first + 1, at, "", STRAY))
        self.problems.append(Problem(first + 1, "stray_line", "text that is neither JCL nor in-stream data", at))
        return at

    def _statement(self, at: int) -> int:
        """Take the statement that begins at index ``at`` and the data after it; return the index of the next line."""
        body = _code(self.lines[at])
        opening = _OPENING.match(body)
        if not body[2:].strip() or opening is None:
            self.statements.append(Statement(at + 1, at + 1, "", NULL))
            return at + 1
        name, operation, rest = opening.group(1), (opening.group(2) or "").upper(), opening.group(3) or ""
        statement = Statement(at + 1, at + 1, name, operation)
        self.statements.append(statement)
        self._check(statement)
        following = self._operands(at, statement, rest)
        if operation in ("DD", "XMIT") and (operation == "XMIT" or _IN_STREAM.match(statement.operands)):
            starts = operation == "DD" and statement.operands.startswith("*")
            return self._data(following, statement, _delimiter(statement.operands), starts)
        return following

    def _check(self, statement: Statement) -> None:
        if statement.operation == "CNTL":
            self._control = True
        elif statement.operation in ("ENDCNTL", "EXEC", "JOB"):
            self._control = False
        elif statement.operation not in OPERATIONS and statement.name and not self._control:
            shown = statement.operation[:20] or "nothing"
            self.problems.append(Problem(statement.line, "unknown_operation", f"{shown!r} after name {statement.name[:20]!r} is no operation of JCL"))

    def _operands(self, at: int, statement: Statement, rest: str) -> int:
        """Fill in the operand field with its continuations; return the index of the line after them."""
        if statement.operation == "IF":
            return self._condition(at, statement, rest)
        text, quoted = _field(rest, False)
        statement.pieces.append((at + 1, text))
        parts = [text]
        while True:
            wanted = quoted or text.endswith(",")
            if not wanted and not self.lines[at][71:72].strip():
                break
            following = self._continuation(at + 1, quoted, not wanted and self._marked(at))
            if following < 0:
                if wanted:
                    what = "an apostrophe that is not closed" if quoted else "a comma that nothing follows"
                    self.problems.append(Problem(at + 1, "open_statement", f"the statement ends in {what}"))
                break
            at = following
            self.roles[at] = CONTINUED
            if wanted:
                body = _code(self.lines[at])
                text, quoted = _field(body[15:] if quoted and not body[2:15].strip() else body[2:].lstrip(), quoted)
                statement.pieces.append((at + 1, text))
                parts.append(text)
        statement.operands = "".join(parts)
        statement.end = at + 1
        return at + 1

    def _condition(self, at: int, statement: Statement, rest: str) -> int:
        """Take the relation of an IF up to THEN, over lines that need no comma."""
        parts = [rest]
        while not _THEN.search(parts[-1]):
            following = self._continuation(at + 1, False, False)
            if following < 0:
                break
            at = following
            self.roles[at] = CONTINUED
            parts.append(_code(self.lines[at])[2:].strip())
        statement.operands = " ".join(part.strip() for part in parts)
        statement.end = at + 1
        return at + 1

    def _marked(self, at: int) -> bool:
        """Return whether column 72 holds a mark, and not a letter of text that runs over it."""
        line = self.lines[at]
        return not (line[70:71].strip() and line[72:73].strip())

    def _continuation(self, at: int, quoted: bool, comment: bool) -> int:
        """Return the index of the line that continues a statement, -1 when none does. Comments and skeleton controls may lie between.

        A line that reads as a statement of its own continues none, unless it goes on with a literal in column 16 (``quoted``) or with a ``comment``.
        """
        first = at
        while at < len(self.lines) and (not self.lines[at] or self.lines[at].startswith(("//*", ")"))):
            at += 1
        if at >= len(self.lines) or not self.lines[at].startswith("// "):
            return -1
        words = _code(self.lines[at])[2:].split(None, 2)
        if not words:
            return -1
        bare = words[0].upper() in ("PEND", "ELSE", "ENDIF", "ENDCNTL")
        taken = comment or (quoted and not self.lines[at][3:15].strip())
        if words[0].upper() in OPERATIONS and (bare or len(words) > 1) and not taken:
            return -1
        for index in range(first, at):
            self.roles[index] = COMMENT if self.lines[index] else BLANK
        return at

    def _data(self, at: int, statement: Statement, delimiter: str, ends_at_statement: bool) -> int:
        """Take in-stream data from index ``at``; return the index of the line after it."""
        first, lines = at, self.lines
        if delimiter and self._last_with(delimiter) < at:
            self.problems.append(Problem(statement.line, "open_data", f"delimiter {delimiter!r} does not follow; the data ends at /*"))
            delimiter = ""
        while at < len(lines):
            line = lines[at]
            if line.startswith(delimiter or "/*"):
                statement.delimited = True
                self.roles[at] = CONTINUED
                at += 1
                break
            if ends_at_statement and not delimiter and line.startswith("//"):
                break
            self.roles[at] = CONTINUED if line else BLANK
            at += 1
        statement.data_end = at
        self._open_long_data(first, at - statement.delimited)
        return at

    def _last_with(self, delimiter: str) -> int:
        """Return the index of the last line that begins with ``delimiter``, -1 when none does."""
        size = len(delimiter)
        if size not in self._prefixes:
            self._prefixes[size] = {line[:size]: index for index, line in enumerate(self.lines)}
        return self._prefixes[size].get(delimiter, -1)

    def _open_long_data(self, first: int, end: int) -> None:
        """Let chunks begin at the control statements of data that is too long for one chunk."""
        if sum(len(line) - line.count(" ") for line in self.lines[first:end]) <= LONG_DATA:
            return
        continued = True
        for index in range(first, end):
            line = self.lines[index][:72].rstrip()
            if line and not continued:
                self.roles[index] = START
            continued = line.endswith((",", "-", "+")) or (len(line) == 72 and line[0] == " ")


def _code(line: str) -> str:
    """Return columns 1-71; of a line that is longer than a card also what its operand runs on to."""
    if len(line) <= 71:
        return line
    if len(line) > 80 and line[70] != " " and line[71] != " ":
        blank = line.find(" ", 71)
        return line if blank < 0 else line[:blank]
    return line[:71]


def _field(text: str, quoted: bool) -> tuple[str, bool]:
    """Return the operand field that begins ``text``, and whether it ends inside apostrophes. ``quoted``: it begins inside them."""
    start = 0
    if quoted:
        closing = _QUOTE_END.match(text)
        if closing is None:
            return text, True
        start = closing.end()
    found = _FIELD.match(text, start)
    end = found.end() if found else start
    if end < len(text) and text[end] == "'":
        return text, True
    return text[:end], False


def _delimiter(operands: str) -> str:
    """Return the delimiter that DLM= gives (2 to 8 characters), "" when it gives none."""
    found = _DELIMITER.search(operands)
    if found is None:
        return ""
    return (found.group(1) or found.group(2)).replace("''", "'").replace("&&", "&")[:8].strip()
