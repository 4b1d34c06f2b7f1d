"""Statements -> procedures, subroutines, declarations and sections.

Source: ILE RPG Reference; RPG/400 Reference. Not parsed: what conditional directives leave out (all branches are read), key lists, data areas.
What lies in no named unit (main line, declarations of single fields, control specifications) is grouped into sections.
"""

from __future__ import annotations

import re

from legacylens_assets.parsers.drafting import Node, attributed, settle
from legacylens_assets.parsers.rpg.calculations import Calculations, Names
from legacylens_assets.parsers.rpg.declarations import Declarations
from legacylens_assets.parsers.rpg.reading import DATA, DIRECTIVE, FREE, SQL, Reader, Statement
from legacylens_assets.parsers.rpg.sections import sections_of
from legacylens_assets.parsers.rpg.sql import included, sql_references
from legacylens_assets.types import ParsedFile, Problem, Reference, SourceFile

_WORD = re.compile(r"([A-Za-z][\w-]*)\s*(\S*)")
_MEMBER = re.compile(r"""\s*(?:([^\s'",]+(?:,\s*[^\s'",]+)?)|'([^']+)'|"([^"]+)")""")
_PROC_NAME = re.compile(r"dcl-proc\s+([^\s;]+)", re.IGNORECASE)


def parse(source: SourceFile) -> ParsedFile:
    """Return the structure of an RPG source member. Never raises."""
    reader = Reader(source.lines, source.path)
    statements = reader.read()
    outline = _Outline(reader.form.old)
    for statement in statements:
        outline.take(statement)
    outline.close()
    nodes = outline.nodes
    sections = sections_of(outline.loose, nodes, len(source.lines))
    symbols = settle([*nodes, *sections])
    references = attributed([*outline.references, *outline.calculations.references()], symbols)
    problems = tuple(sorted([*reader.problems, *outline.problems], key=lambda problem: problem.line))
    return ParsedFile("rpg", reader.form_name, symbols, references, problems, "".join(reader.roles))


class _Outline:
    """What is open while statements go by."""

    def __init__(self, old: bool) -> None:
        self.old = old
        self.nodes: list[Node] = []
        self.references: list[Reference] = []
        self.problems: list[Problem] = []
        self.loose: list[tuple[int, int, str]] = []
        self.names = Names()
        self.calculations = Calculations(self.names)
        self.declarations = Declarations(self.nodes, self.references, self.names, old)
        self.procedure: Node | None = None
        self.subroutine: Node | None = None
        self.last = 0

    def take(self, statement: Statement) -> None:
        """Let one statement open, extend or close nodes."""
        if statement.form == FREE:
            self._free(statement)
        elif statement.form == DIRECTIVE:
            self._directive(statement)
        elif statement.form == SQL:
            self._sql(statement)
        elif statement.form == DATA:
            self.declarations.end_block()
            self.close()
            self._loose(statement, statement.text[:60])
        elif statement.form == "P" and not self.old:
            self._procedure_specification(statement)
        elif statement.form == "C":
            self._calculation(statement)
        else:
            section = self.declarations.specification(statement, self._holder())
            self._loose(statement, section)
        if statement.form != DIRECTIVE:
            self.last = statement.end

    def close(self) -> None:
        """End subroutine and procedure that lack their end."""
        self._end_subroutine(self.last, missing=True)
        self._end_procedure(self.last, missing=True)

    def _holder(self) -> Node | None:
        return self.subroutine or self.procedure

    def _loose(self, statement: Statement, section: str) -> None:
        """Note that the statement belongs to ``section`` unless a node holds it; let the open node reach it."""
        self.loose.append((statement.line, statement.end, section))
        holder = self._holder()
        if holder is not None:
            holder.extend(statement.end)

    def _begin_procedure(self, line: int, end: int, name: str) -> None:
        if self.procedure is not None and self.subroutine is None and self.procedure.name.upper() == name.upper():
            self.procedure.extend(end)  # the other branch of an /IF around the header
            return
        self.declarations.end_block()
        self._end_subroutine(self.last, missing=True)
        self._end_procedure(self.last, missing=True)
        self.procedure = Node("procedure", name, line, end)
        self.nodes.append(self.procedure)
        self.names.callable.setdefault(name.upper(), "")

    def _end_procedure(self, end: int, missing: bool = False) -> None:
        self._end_subroutine(end, missing=True) if self.procedure is not None else None
        if self.procedure is not None:
            self.procedure.end = max(self.procedure.end, end)
            if missing:
                self.problems.append(Problem(self.procedure.start, "open_procedure", f"procedure {self.procedure.name} has no end"))
            self.procedure = None

    def _begin_subroutine(self, statement: Statement, name: str) -> None:
        self.declarations.end_block()
        self._end_subroutine(self.last, missing=True)
        self.subroutine = Node("subroutine", name, statement.line, statement.end, self.procedure)
        self.nodes.append(self.subroutine)
        if self.procedure is not None:
            self.procedure.extend(statement.end)

    def _end_subroutine(self, end: int, missing: bool = False) -> None:
        if self.subroutine is not None:
            self.subroutine.extend(end)
            if missing:
                self.problems.append(Problem(self.subroutine.start, "open_subroutine", f"subroutine {self.subroutine.name} has no ENDSR"))
            self.subroutine = None

    def _procedure_specification(self, statement: Statement) -> None:
        kind = statement.text[23:24].upper()
        if kind == "E":
            self.declarations.end_block()
            if self.procedure is None:
                self._loose(statement, "definitions")
            self._end_procedure(statement.end)
        elif kind == "B" or statement.name:
            self._begin_procedure(statement.line, statement.end, statement.name)

    def _free(self, statement: Statement) -> None:
        """Take a free-form statement."""
        text = statement.text
        found = _WORD.match(text)
        word = found.group(1).lower() if found else ""
        if self.declarations.in_block and self.declarations.block_statement(statement, word):
            self._loose(statement, "definitions")
        elif word == "dcl-proc":
            named = _PROC_NAME.match(text)
            self._begin_procedure(statement.line, statement.end, named.group(1) if named else "")
        elif word == "end-proc":
            self.declarations.end_block()
            if self.procedure is None:
                self._loose(statement, "definitions")
            self._end_procedure(statement.end)
        elif word.startswith("dcl-") or word == "ctl-opt":
            section = self.declarations.free(statement, word, self._holder())
            self._loose(statement, section)
        elif word == "begsr" and found is not None and "=" not in found.group(2)[:1]:
            self._begin_subroutine(statement, found.group(2).rstrip(";"))
        elif word == "endsr":
            self._close_with_endsr(statement)
        else:
            self.declarations.end_block()
            self._loose(statement, "mainline")
            self.calculations.free(statement.line, text)

    def _close_with_endsr(self, statement: Statement) -> None:
        if self.subroutine is None:
            self.problems.append(Problem(statement.line, "stray_endsr", "ENDSR without BEGSR"))
            self._loose(statement, "mainline")
        else:
            self._end_subroutine(statement.end)

    def _calculation(self, statement: Statement) -> None:
        """Take a calculation by columns."""
        self.declarations.end_block()
        line = statement.text
        if self.old:
            factor1, operation, factor2, result = line[17:27], line[27:32], line[32:42], line[42:48]
        else:
            factor1, operation, factor2, result = line[11:25], line[25:35], line[35:49], line[49:63]
        operation = operation.partition("(")[0].strip().upper()
        if operation == "BEGSR":
            self._begin_subroutine(statement, factor1.strip())
        elif operation == "ENDSR":
            self._close_with_endsr(statement)
        else:
            self._loose(statement, "mainline")
            extended = f"{line[35:80].rstrip()} {line[80:].strip()}".strip() if not self.old else line[32:42].strip()
            self.calculations.columns(statement.line, operation, factor1.strip(), factor2.strip(), result.strip(), extended, self.old)

    def _directive(self, statement: Statement) -> None:
        """Take a directive; /COPY and /INCLUDE are symbols."""
        word, _, rest = statement.text.partition(" ")
        if word in ("COPY", "INCLUDE"):
            found = _MEMBER.match(rest)
            quoted = found is not None and found.group(1) is None
            name = next(group for group in found.groups() if group) if found else ""
            if name:
                holder = self._holder()
                self.nodes.append(Node("copy", name, statement.line, statement.end, holder, unit=False))
                if holder is not None:
                    holder.extend(statement.end)
                self.references.append(Reference("copy", name if quoted else name.upper(), statement.line, None, {"directive": word}))
        self.loose.append((statement.line, statement.end, "" if word not in ("COPY", "INCLUDE") else "copied members"))

    def _sql(self, statement: Statement) -> None:
        """Take an embedded SQL statement."""
        self.declarations.end_block()
        member = included(statement.text)
        if member:
            self.nodes.append(Node("copy", member, statement.line, statement.end, self._holder(), unit=False))
        self._loose(statement, "definitions" if member else "mainline")
        self.references.extend(sql_references(statement.text, statement.line))
