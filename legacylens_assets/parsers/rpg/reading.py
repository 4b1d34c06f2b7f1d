"""Lines -> statements of free form, specifications by columns, directives, embedded SQL and compile-time data; and the role of every line.

Source: ILE RPG Reference, "Free-form statements", "Continuation rules", "Compiler directives", "Compile-time arrays"; embedded SQL programming.
Columns are counted after the prefix, as the manuals count them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from legacylens_assets.parsers.rpg.form import SPECIFICATIONS, detect_form
from legacylens_assets.types import BLANK, COMMENT, CONTINUED, START, Problem

DIRECTIVES = frozenset(
    "COPY INCLUDE FREE END-FREE IF ELSEIF ELSE ENDIF EOF DEFINE UNDEFINE EJECT SPACE TITLE EXEC END-EXEC SET RESTORE CHARCOUNT PROCESS".split()
)
IGNORED = "after /EOF"
FREE, DIRECTIVE, SQL, DATA = "free", "directive", "sql", "data"
"""Forms of statements besides the letters of the specifications."""

MOST_TEXT = 20_000
"""Characters kept of one literal or statement by columns: keeps time linear when a continuation never ends."""

_SPECIAL = re.compile(r"'(?:[^']|'')*+'|'|//|;|--")
_STRING_END = re.compile(r"(?:[^']|'')*+'")
_SQL = re.compile(r"\s*exec\s+sql\b", re.IGNORECASE)
_LONG_NAME = re.compile(r"\.\.\.\s*")
_RESTART = re.compile(r"\s*(?:dcl-(?:proc|s|c|f|ds|pr|pi|enum)|end-proc|begsr|endsr|ctl-opt)\b", re.IGNORECASE)
_CLOSING = re.compile(r"\s*end-(?:pr|pi|ds|enum)\b", re.IGNORECASE)
_DIRECTIVE = re.compile(r"\s*/\s*([A-Za-z]+(?:-[A-Za-z]+)?)\b(.*)$")
_TABLE_MARK = re.compile(r"(?:CTDATA|FTRANS|ALTSEQ)\b", re.IGNORECASE)
_INDICATOR = re.compile(r"\s*\*IN\w*(?:\(\w+\))?\s*=", re.IGNORECASE)
_FREE_WORD = re.compile(
    r"(?:if|for|for-each|else|elseif|endif|eval|exsr|dow|dou|enddo|close|chain|callp|open|on-error|other|iter|leave|clear|commit|delete|except|"
    r"ctl-opt|dcl-\w+|end-\w+|dsply|dump|feod|force|in|out|endfor|endmon|endsl|endsr|exfmt|eval-corr|evalr|opcode|exec)\b[^;]*;",
    re.IGNORECASE,
)


@dataclass(slots=True)
class Statement:
    """One statement: lines ``line..end``. ``form`` is FREE, DIRECTIVE, SQL, DATA or the letter of a specification.

    ``text`` is the free text, the directive with its operands, the SQL text, or for a specification the whole line with its continuations'
    keywords appended. ``name`` is the name of a D or P specification, long names joined.
    """

    form: str
    line: int
    end: int
    text: str
    name: str = ""


class Reader:
    """Reads a file once, from top to bottom."""

    def __init__(self, lines: Sequence[str], path: str) -> None:
        self.form = detect_form(lines, path)
        cut = self.form.prefix
        self.lines = [(line.expandtabs(8) if "\t" in line else line)[cut:].rstrip() for line in lines]
        self.roles = [START] * len(lines)
        self.problems: list[Problem] = []
        self.statements: list[Statement] = []
        self.free_seen = self.fixed_seen = False
        self._parts: list[str] = []
        self._first = 0
        self._ended = False
        self._conditions = 0
        self._in_string = ""
        self._sql: Statement | None = None
        self._name, self._name_line = "", 0

    def read(self) -> list[Statement]:
        """Return the statements in order; ``roles`` and ``problems`` are filled in."""
        at, count = 0, len(self.lines)
        take = self._free_line if self.form.free else self._column_line
        while at < count:
            line = self.lines[at]
            if line[:2] == "**" and not self._in_string and line[:6].upper() != "**FREE":
                self._flush(at)
                self._compile_time_data(at)
                return self.statements
            if self._ended:
                self._flush(at)
                self._ignored(at)
                return self.statements
            if line[:6].upper() == "**FREE" and not self._in_string:
                self.statements.append(Statement(DIRECTIVE, at + 1, at + 1, "FREE"))
            elif not line.strip():
                self.roles[at] = BLANK
            else:
                take(at, line)
            at += 1
        self._flush(count)
        return self.statements

    @property
    def form_name(self) -> str:
        """Return the form in words: free, mixed, fixed, or rpg-iii for the columns of RPG II and III."""
        if self.form.free:
            return "free"
        if self.form.old:
            return "rpg-iii"
        return "mixed" if self.free_seen and self.fixed_seen else "free" if self.free_seen else "fixed"

    def _ignored(self, at: int) -> None:
        """Take what an unconditional /EOF keeps from the compiler as text of no structure."""
        self.statements.append(Statement(DATA, at + 1, at + 1, IGNORED))
        for index in range(at, len(self.lines)):
            if self.lines[index]:
                self.statements[-1].end = index + 1
            else:
                self.roles[index] = BLANK

    def _compile_time_data(self, at: int) -> None:
        """Take the tables that end the program; each begins with two asterisks."""
        for index in range(at, len(self.lines)):
            line = self.lines[index]
            if line[:2] == "**":
                name = _TABLE_MARK.sub("", line[2:]).strip()
                self.statements.append(Statement(DATA, index + 1, index + 1, f"compile-time data {name}".strip()))
            elif line:
                self.statements[-1].end = index + 1
            else:
                self.roles[index] = BLANK

    def _column_line(self, at: int, line: str) -> None:
        """Take a line of a file that has columns."""
        kind, mark = line[5:6].upper(), line[6:7]
        if self._sql is not None and self._sql_line(at, line, mark):
            return
        if (
            mark == "*"
            and not (self._parts and _INDICATOR.match(line[6:]))
            and not (kind == " " and line.endswith(";") and _INDICATOR.match(line[6:]))
        ):
            self.roles[at] = COMMENT
            return
        if mark == "/" and self._directive(at, line[6:]):
            return
        if kind in SPECIFICATIONS and not (self.free_seen and _FREE_WORD.match(line[5:])):
            if line[6:].lstrip().startswith("//"):
                self.roles[at] = COMMENT
                return
            self._specification(at, kind, line)
            return
        text = line[7:80] if not mark.strip() else line[6:80]
        if not text.strip():
            self.roles[at] = COMMENT
            return
        self._free_text(at, text)

    def _free_line(self, at: int, line: str) -> None:
        self._free_text(at, line)

    def _free_text(self, at: int, text: str) -> None:
        """Take a line of free text: statements end at semicolons outside literals and comments."""
        if not self._in_string:
            if text.lstrip().startswith("//"):
                self.roles[at] = COMMENT
                return
            if self._directive(at, text):
                return
            self._check_unfinished(at, text)
        self.free_seen = True
        self.roles[at] = CONTINUED if self._parts else START
        if not self._parts:
            self._first = at + 1
        self._scan(at, text)

    def _check_unfinished(self, at: int, text: str) -> None:
        """End a statement that lacks its semicolon where a declaration or subroutine begins."""
        if not self._parts:
            return
        if _RESTART.match(text) and not (_SQL.match(self._parts[0]) and not text.lower().lstrip().startswith(("dcl-", "end-"))):
            self._flush(at)

    def _scan(self, at: int, text: str) -> None:
        position = 0
        if self._in_string:
            position = self._string_goes_on(at, text)
            if position < 0:
                return
        start = position
        sql = bool(self._parts) and _SQL.match(self._parts[0]) is not None
        while True:
            found = _SPECIAL.search(text, position)
            if found is None:
                self._keep(text[start:])
                return
            token, position = found.group(), found.end()
            if token == "'":
                self._open_string(at, text[start:])
                return
            if token == "//" or (token == "--" and (sql or _SQL.match(text))):
                if token == "//" and sql and text[found.start() - 1 : found.start()] == ":":
                    continue
                self._keep(text[start : found.start()])
                return
            if token == ";":
                self._keep(text[start : found.start()])
                self._finish(at + 1)
                start, sql = position, False
                rest = text[position:].lstrip()
                if not rest or rest.startswith("//"):
                    return
                self._first = at + 1

    def _keep(self, text: str) -> None:
        if text.strip():
            self._parts.append(text)

    def _open_string(self, at: int, text: str) -> None:
        """Keep text that ends inside a literal: + or - lets the literal go on, else it ends with the line."""
        if text.endswith(("+", "-")):
            self._in_string = text[-1]
            self._parts.append(text[:-1])
        else:
            self._parts.append(f"{text}'")
            self.problems.append(Problem(at + 1, "open_literal", "a literal that is neither closed nor continued"))

    def _string_goes_on(self, at: int, text: str) -> int:
        """Return the position after the literal that the line above left open, -1 when it is still open at the end of this line."""
        lead = len(text) - len(text.lstrip()) if self._in_string == "+" else 0
        closing = _STRING_END.match(text, lead)
        if closing is not None:
            self._lengthen(text[lead : closing.end()])
            self._in_string = ""
            return closing.end()
        if text.endswith(("+", "-")):
            self._lengthen(text[lead:-1])
            self._in_string = text[-1]
            return -1
        self.problems.append(Problem(at + 1, "open_literal", "a continued literal that is not closed"))
        self._in_string = ""
        self._parts[-1] += "'"
        return 0

    def _lengthen(self, text: str) -> None:
        if len(self._parts[-1]) < MOST_TEXT:
            self._parts[-1] += text

    def _finish(self, end: int) -> None:
        """End the free statement at line ``end``."""
        text = " ".join(part.strip() for part in self._parts).strip()
        self._parts = []
        if not text:
            return
        if "..." in text:
            text = _LONG_NAME.sub("", text)
        found = _SQL.match(text)
        if found:
            self.statements.append(Statement(SQL, self._first, end, text[found.end() :].strip()))
        else:
            self.statements.append(Statement(FREE, self._first, end, text))

    def _flush(self, end: int) -> None:
        """End what is open before line index ``end``: a free statement without semicolon, a long name, an SQL block."""
        if self._parts:
            self.problems.append(Problem(self._first, "open_statement", "a free-form statement without a semicolon"))
            last = end
            while last > self._first and self.roles[last - 1] in (BLANK, COMMENT):
                last -= 1
            self._in_string = ""
            self._finish(last)
        if self._sql is not None:
            self.problems.append(Problem(self._sql.line, "open_sql", "EXEC SQL without END-EXEC"))
            self._sql = None
        self._name = ""

    def _directive(self, at: int, text: str) -> bool:
        """Take a compiler directive; return whether it was one."""
        found = _DIRECTIVE.match(text)
        if found is None or found.group(1).upper() not in DIRECTIVES:
            return False
        word, rest = found.group(1).upper(), found.group(2).strip()
        if word == "EXEC":
            if not rest.upper().startswith("SQL"):
                return False
            self._flush(at)
            self._sql = Statement(SQL, at + 1, at + 1, rest[3:].strip())
            self.statements.append(self._sql)
            self.fixed_seen = True
            return True
        if word == "END-EXEC":
            self.roles[at] = START
            return True
        self._conditions = max(0, self._conditions + (word == "IF") - (word == "ENDIF"))
        self._ended = word == "EOF" and self._conditions == 0
        if self._parts and word in ("COPY", "INCLUDE", "EJECT", "SPACE", "TITLE", "END-FREE", "FREE"):
            self._flush(at)
        self.roles[at] = CONTINUED if self._parts else START
        self.statements.append(Statement(DIRECTIVE, at + 1, at + 1, f"{word} {rest}".strip()))
        return True

    def _sql_line(self, at: int, line: str, mark: str) -> bool:
        """Take a line of a fixed-form SQL block; return whether it was one."""
        assert self._sql is not None
        if mark == "*":
            self.roles[at] = COMMENT
            return True
        if mark == "+":
            if len(self._sql.text) < MOST_TEXT:
                self._sql.text += " " + line[7:80].split("--", 1)[0].strip()
        elif not (mark == "/" and line[7:].lstrip().upper().startswith("END-EXEC")):
            self._flush(at)
            return False
        else:
            self.roles[at], self._sql.end = CONTINUED, at + 1
            self._sql = None
            return True
        self.roles[at], self._sql.end = CONTINUED, at + 1
        return True

    def _specification(self, at: int, kind: str, line: str) -> None:
        """Take a line of one of the specifications, or let it go on with the one above."""
        if self._parts:
            self._flush(at)
        self.fixed_seen = True
        above = self.statements[-1] if self.statements else None
        if kind in "DP" and not self.form.old:
            text = line[6:80].rstrip()
            if text.endswith("..."):
                self.roles[at] = CONTINUED if self._name else START
                self._name_line = self._name_line if self._name else at + 1
                self._name += text[:-3].strip()
                return
            if self._name:
                self.roles[at] = CONTINUED
                self.statements.append(Statement(kind, self._name_line, at + 1, line, self._name + line[6:21].strip()))
                self._name = ""
                return
        self._name = ""
        if above is not None and above.form == kind and self._goes_on(kind, line, above):
            self.roles[at] = CONTINUED
            above.end = at + 1
            if kind == "C" and self.form.old:
                above.text = line
            elif len(above.text) < MOST_TEXT:
                above.text = f"{above.text:<80} {line[35:80].strip() if kind == 'C' else line[43:80].strip()}"
            return
        name = line[6:21].strip() if kind in "DP" else ""
        self.statements.append(Statement(kind, at + 1, at + 1, line, name))

    def _goes_on(self, kind: str, line: str, above: Statement) -> bool:
        """Return whether a specification continues the one above: keywords only, a factor 2 with no operation, AND/OR indicators."""
        if kind == "P":
            return not self.form.old and not line[6:24].strip()
        if kind == "D":
            return not self.form.old and not line[6:43].strip() and bool(line[43:80].strip())
        if kind == "F":
            return not line[6:14].strip() if self.form.old else not line[6:43].strip()
        if kind == "C":
            if self.form.old:
                return line[6:8].upper() in ("AN", "OR") and not above.text[27:32].strip()
            return not line[11:35].strip() and bool(line[35:80].strip())
        return False
