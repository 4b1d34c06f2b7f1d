"""Declarations: files, data structures, prototypes, constants and fields, by columns and free.

Source: ILE RPG Reference, "File description specifications", "Definition specifications", "Free-form definition statement"; RPG/400 Reference for the
columns of F, E, I and O specifications.
"""

from __future__ import annotations

import re

from legacylens_assets.parsers.drafting import Node
from legacylens_assets.parsers.rpg.calculations import Names
from legacylens_assets.parsers.rpg.operations import STRING
from legacylens_assets.parsers.rpg.reading import Statement
from legacylens_assets.types import Reference

SECTIONS = {"H": "control specs", "U": "control specs", "T": "control specs", "F": "file specs", "L": "file specs", "E": "definitions"}
BLOCK_KINDS = {"dcl-ds": "data_structure", "dcl-pr": "prototype", "dcl-enum": "constant", "dcl-pi": ""}

MOST_NESTED = 20
"""Data structures within one another; a deeper one begins anew, for those around it lack their END-DS."""

_DECLARED = re.compile(r"dcl-\w+\s+([^\s;(]+)", re.IGNORECASE)
_EXTERNAL = re.compile(r"\bEXTPGM\b(?:\s*\(\s*(?:'([^']+)'|([\w@#$]+)))?", re.IGNORECASE)
_INITIAL = re.compile(r"\b(?:INZ|CONST)\s*\(\s*'([^']+)'|^\s*'([^']+)'", re.IGNORECASE)
_CONSTANT = re.compile(r"dcl-c\s+\S+\s+(?:const\s*\(\s*)?'([^']+)'", re.IGNORECASE)
_FILE_NAME = re.compile(r"\b(EXTFILE|EXTDESC)\s*\(\s*'([^']+)'", re.IGNORECASE)
_USAGE = re.compile(r"\busage\s*\(([^)]*)\)", re.IGNORECASE)
_DEVICE = re.compile(r"\b(workstn|printer|disk|seq|special)\b", re.IGNORECASE)
_WHOLE = re.compile(r"\b(?:likeds|likerec)\s*\(|\bend-(?:ds|pr|pi|enum)\b", re.IGNORECASE)


class Declarations:
    """Adds nodes, references and names for declarations; remembers the structure that following lines belong to."""

    def __init__(self, nodes: list[Node], references: list[Reference], names: Names, old: bool) -> None:
        self.nodes, self.references, self.names, self.old = nodes, references, names, old
        self._columns: Node | None = None
        self._blocks: list[tuple[str, Node | None]] = []
        self._output = ""

    @property
    def in_block(self) -> bool:
        """Return whether a free-form DCL-DS, -PR, -PI or -ENUM is open."""
        return bool(self._blocks)

    def end_block(self) -> None:
        """End whatever structure is open."""
        self._columns = None
        self._blocks.clear()

    def _add(self, kind: str, name: str, statement: Statement, holder: Node | None, unit: bool) -> Node:
        node = Node(kind, name, statement.line, statement.end, holder, unit and holder is None)
        self.nodes.append(node)
        if holder is not None:
            holder.extend(statement.end)
        return node

    def specification(self, statement: Statement, holder: Node | None) -> str:
        """Take an H, F, E, L, D, I, O, U or T specification; return the section it belongs to when no unit holds it."""
        self._blocks.clear()
        form = statement.form
        if form != "D" and form != "I":
            self._columns = None
        if form == "D":
            self._definition(statement, holder)
            return "definitions"
        if form == "F":
            self._file_columns(statement, holder)
        elif form == "I":
            self._input(statement, holder)
            return "input specs"
        elif form == "O":
            self._output_record(statement)
            return f"output {self._output}".strip()
        elif form == "E" and self.old:
            self.names.variables.update(name.strip().upper() for name in (statement.text[26:32], statement.text[45:51]) if name.strip())
        return SECTIONS.get(form, "definitions")

    def _definition(self, statement: Statement, holder: Node | None) -> None:
        """Take a D specification: columns 24-25 say what it defines."""
        line, name = statement.text, statement.name
        kind, keywords = line[23:25].strip().upper(), f"{line[43:80]} {line[80:]}"
        if kind in ("DS", "PR"):
            self._columns = self._add("data_structure" if kind == "DS" else "prototype", name, statement, holder, True)
            if kind == "PR":
                self._callable(name, keywords)
            else:
                self.names.variables.add(name.upper())
            return
        if kind in ("PI", "S", "C"):
            self._columns = None
            if kind == "C":
                self._add("constant", name, statement, holder, False)
        elif self._columns is not None:
            self._columns.extend(statement.end)
        if name:
            self.names.variables.add(name.upper())
            initial = _INITIAL.search(keywords) if kind in ("S", "C") else None
            if initial:
                self.names.gives(name, initial.group(1) or initial.group(2))

    def _callable(self, name: str, keywords: str) -> None:
        """Note a prototype; EXTPGM names the program behind it."""
        found = _EXTERNAL.search(keywords)
        program = (found.group(1) or name) if found else ""
        self.names.callable[name.upper()] = program.strip().rpartition("/")[2].upper()

    def _file_columns(self, statement: Statement, holder: Node | None) -> None:
        """Take an F specification."""
        line = statement.text
        name = line[6:14].strip() if self.old else line[6:16].strip()
        if not name:
            return
        usage, designation = (line[14:15], line[15:16]) if self.old else (line[16:17], line[17:18])
        device = line[39:46].strip() if self.old else line[35:42].strip()
        self._file(statement, holder, name, usage.upper(), device.upper(), f"{line[43:80]} {line[80:]}")
        if designation.upper() in ("P", "S"):
            detail = {"operation": "CYCLE", "designation": designation.upper()}
            self.references.append(Reference("file_read", name.upper(), statement.line, None, detail))

    def _file(self, statement: Statement, holder: Node | None, name: str, usage: str, device: str, keywords: str) -> None:
        self._add("file", name, statement, holder, True)
        found = _FILE_NAME.search(keywords)
        target = found.group(2).rpartition("/")[2] if found else name
        detail = {key: value for key, value in (("file", name), ("usage", usage.strip()), ("device", device)) if value}
        self.references.append(Reference("file_assign", target.strip().upper(), statement.line, None, detail))

    def _input(self, statement: Statement, holder: Node | None) -> None:
        """Take an I specification: in RPG II and III also data structures and named constants."""
        line = statement.text
        if not self.old:
            self._columns = None
            return
        if line[18:20].upper() == "DS":
            self._columns = self._add("data_structure", line[6:12].strip(), statement, holder, True)
        elif line[42:43].upper() == "C" and line[52:58].strip() and not line[6:20].strip():
            name = line[52:58].strip()
            self._add("constant", name, statement, self._columns and holder, False)
            literal = _INITIAL.search(line[20:42].strip())
            if literal:
                self.names.gives(name, literal.group(1) or literal.group(2))
        elif line[6:14].strip():
            self._columns = None
        elif self._columns is not None:
            self._columns.extend(statement.end)
        if line[52:58].strip():
            self.names.variables.add(line[52:58].strip().upper())

    def _output_record(self, statement: Statement) -> None:
        """Take an O specification: a record line names file, type and exception; the lines below it are its fields."""
        line = statement.text
        name, kind, exception = (line[6:14], line[14:15], line[31:37]) if self.old else (line[6:16], line[16:17], line[29:39])
        if line[13:16].strip().upper() in ("AND", "OR") or line[15:18].strip().upper() in ("AND", "OR"):
            return
        if name.strip():
            self._output = name.strip().upper()
        kind = kind.upper()
        if kind == "E":
            self.names.exceptions.setdefault(exception.strip().upper(), {})[self._output] = None
        elif kind in ("H", "D", "T") and self._output:
            detail = {"operation": "CYCLE", "type": kind}
            self.references.append(Reference("file_write", self._output, statement.line, None, detail))

    def block_statement(self, statement: Statement, word: str) -> bool:
        """Take a statement while a free-form structure is open; return whether it belongs to the structure."""
        kind, node = self._blocks[-1]
        if word in ("end-ds", "end-pr", "end-pi", "end-enum"):
            self._blocks.pop()
        elif word == "dcl-ds" and kind == "dcl-ds" and len(self._blocks) < MOST_NESTED:
            self._open(statement, word, node)
        elif word.startswith(("dcl-", "end-")) and word not in ("dcl-subf", "dcl-parm"):
            self.end_block()
            return False
        elif kind != "dcl-pr":
            words = statement.text.split(None, 2)
            place = 1 if word in ("dcl-subf", "dcl-parm") else 0
            if len(words) > place:
                self.names.variables.add(words[place].upper())
        if node is not None:
            node.extend(statement.end)
        return True

    def free(self, statement: Statement, word: str, holder: Node | None) -> str:
        """Take a free-form declaration; return the section it belongs to when no unit holds it."""
        self._columns = None
        found = _DECLARED.match(statement.text)
        name = found.group(1) if found else ""
        if word == "ctl-opt":
            return "control specs"
        if word in BLOCK_KINDS:
            self._open(statement, word, holder)
        elif word == "dcl-f":
            usage, device = _USAGE.search(statement.text), _DEVICE.search(statement.text)
            self._file(statement, holder, name, usage.group(1).strip() if usage else "", device.group(1).upper() if device else "", statement.text)
            return "file specs"
        else:
            if word == "dcl-c":
                self._add("constant", name, statement, holder, False)
            self.names.variables.add(name.upper())
            value = _CONSTANT.match(statement.text) or _INITIAL.search(statement.text)
            if value:
                self.names.gives(name, value.group(1))
        return "definitions"

    def _open(self, statement: Statement, word: str, holder: Node | None) -> None:
        """Begin a structure, and end it at once when it is whole in one statement."""
        found = _DECLARED.match(statement.text)
        name = found.group(1) if found else ""
        name = "" if name.upper() == "*N" else name
        node = self._add(BLOCK_KINDS[word], name, statement, holder, True) if BLOCK_KINDS[word] else None
        if word == "dcl-pr":
            self._callable(name, statement.text)
        elif name:
            self.names.variables.add(name.upper())
        if not _WHOLE.search(STRING.sub("''", statement.text)):
            self._blocks.append((word, node))
