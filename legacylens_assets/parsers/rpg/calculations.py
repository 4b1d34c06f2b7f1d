"""Calculations -> what they call, branch to, read, write and set.

References wait until the whole file is known: which names are prototypes, and which programs and records stand behind names.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from legacylens_assets.parsers.rpg.operations import (
    COMPARE_BRANCH,
    COMPARE_GOTO,
    EXTENDED,
    KEYED,
    NO_CALL,
    READS,
    SETTING,
    STRING,
    WRITES,
    free_operation,
    operands,
)
from legacylens_assets.types import EMPTY, Reference

MOST_EXPRESSION = 8_000
MOST_VALUES = 12

_CALL = re.compile(r"(?<![\w@#$%.*])([A-Za-z@#$_][\w@#$]*)\s*\((\s*\))?")
_ASSIGNED = re.compile(r"\s*([A-Za-z@#$_][\w@#$.]*)\s*(?:\([^=]*?\))?(?:\.[\w@#$.]+)?\s*(?:\*\*|[-+*/])?=(?!=)")
_LITERAL = re.compile(r"\s*'([^']+)'")
_NAME = re.compile(r"[A-Za-z@#$_*][\w@#$]*")


@dataclass(slots=True)
class Names:
    """What the declarations of a file say: prototypes and procedures (name -> external program or ""), other declared names, values of names.

    ``exceptions`` gives for the name of an output exception ("" for those without one) the files it writes.
    """

    callable: dict[str, str] = field(default_factory=dict)
    variables: set[str] = field(default_factory=set)
    values: dict[str, dict[str, None]] = field(default_factory=dict)
    exceptions: dict[str, dict[str, None]] = field(default_factory=dict)

    def gives(self, name: str, value: str) -> None:
        """Note that ``name`` may hold the literal ``value``."""
        kept = self.values.setdefault(name.upper(), {})
        if len(kept) < MOST_VALUES:
            kept[value.strip().upper()] = None


@dataclass(frozen=True, slots=True)
class Pending:
    """An expression whose calls are told when all names are known; ``leading``: its first name is called when a parenthesis follows."""

    line: int
    text: str
    leading: bool


class Calculations:
    """Collects the references of calculations."""

    def __init__(self, names: Names) -> None:
        self.names = names
        self.found: list[Reference] = []
        self._pending: list[Pending] = []
        self._dynamic: list[tuple[str, int]] = []
        self._excepted: list[tuple[str, int]] = []

    def free(self, line: int, text: str) -> None:
        """Take a free-form calculation."""
        operation, rest = free_operation(text[:MOST_EXPRESSION])
        if operation in ("", "EVAL", "EVALR", "EVAL-CORR"):
            self._assignment(line, rest)
            return
        words = operands(rest) if operation not in EXTENDED else []
        if operation in READS or operation in WRITES or operation == "EXFMT":
            place = 1 if operation in KEYED and len(words) > 1 else 0
            if len(words) > place:
                self._file(line, operation, words[place])
        else:
            self._named(line, operation, words)
        if operation == "CALLP":
            self._procedure(line, rest)
        else:
            self._pending.append(Pending(line, rest, False))

    def columns(self, line: int, operation: str, factor1: str, factor2: str, result: str, extended: str, old: bool) -> None:
        """Take a calculation by columns; ``extended`` is factor 2 of columns 36-80."""
        if not operation:
            return
        if operation in EXTENDED and not old:
            if operation == "CALLP":
                self._procedure(line, extended)
            elif operation.startswith("EVAL"):
                self._assignment(line, extended)
            else:
                self._pending.append(Pending(line, extended, False))
        elif operation in READS or operation in WRITES or operation == "EXFMT":
            self._file(line, operation, factor2)
        elif COMPARE_BRANCH.match(operation):
            self._refer("exsr", result, line, {"operation": operation})
        elif COMPARE_GOTO.match(operation):
            self._refer("goto", result, line)
        elif operation == "CALL":
            self._call(line, extended if factor2.startswith("'") else factor2)
        elif operation == "CALLB":
            self._call(line, extended if extended.startswith("'") else factor2)
        elif operation in SETTING or operation.startswith("MOVE"):
            literal = _LITERAL.match(factor2)
            target = result or factor2
            if literal and result:
                self.names.gives(result, literal.group(1))
            self._set(line, target)
        else:
            self._named(line, operation, [factor2])

    def _named(self, line: int, operation: str, words: list[str]) -> None:
        """Take an operation that names a subroutine, a label, an exception or a program."""
        name = words[0] if words else ""
        if operation == "EXSR":
            self._refer("exsr", name, line)
        elif operation in ("GOTO", "LEAVESR"):
            self._refer("goto", name, line)
        elif operation in ("EXCEPT", "EXCPT"):
            self._excepted.append((name.upper(), line))
        elif operation in ("CALL", "CALLB"):
            self._call(line, name)
        elif operation in ("CLEAR", "RESET", "IN"):
            self._set(line, words[-1] if words else "")

    def _file(self, line: int, operation: str, name: str) -> None:
        kinds = ("file_read", "file_write") if operation == "EXFMT" else ("file_read",) if operation in READS else ("file_write",)
        for kind in kinds:
            self._refer(kind, name, line, {"operation": operation})

    def _call(self, line: int, target: str) -> None:
        literal = _LITERAL.match(target)
        if literal:
            self._refer("call", literal.group(1).strip().rpartition("/")[2], line)
        elif target:
            self._dynamic.append((target.split()[0].upper(), line))

    def _procedure(self, line: int, text: str) -> None:
        """Take CALLP: the name called, and the calls among its arguments."""
        found = _NAME.match(text.strip())
        if found and "(" not in text:
            self._pending.append(Pending(line, f"{found.group()}()", True))
        else:
            self._pending.append(Pending(line, text.strip(), True))

    def _assignment(self, line: int, text: str) -> None:
        found = _ASSIGNED.match(text)
        if found:
            name = found.group(1)
            literal = _LITERAL.match(text, found.end())
            if literal:
                self.names.gives(name, literal.group(1))
            self._set(line, name)
        self._pending.append(Pending(line, text, not found))

    def _set(self, line: int, name: str) -> None:
        found = _NAME.match(name.rpartition(".")[2]) if name else None
        if found:
            more = {"qualifier": name.rpartition(".")[0].upper()} if "." in name else EMPTY
            self.found.append(Reference("field_set", found.group().upper(), line, None, more))

    def _refer(self, kind: str, target: str, line: int, detail: Mapping[str, str] = EMPTY) -> None:
        found = _NAME.match(target.strip())
        if found:
            self.found.append(Reference(kind, found.group().upper(), line, None, detail))

    def references(self) -> list[Reference]:
        """Return all references, calls told from array elements by what the whole file declares."""
        found = list(self.found)
        for pending in self._pending:
            found.extend(self._calls(pending))
        for name, line in self._dynamic:
            values = self.names.values.get(name, {})
            found.append(Reference("call_dynamic", name, line, None, {"values": ",".join(values)} if values else EMPTY))
        for name, line in self._excepted:
            files = self.names.exceptions.get(name, {}) or ({name: None} if name else {})
            found.extend(Reference("file_write", file, line, None, {"operation": "EXCEPT", "exception": name}) for file in files)
        return found

    def _calls(self, pending: Pending) -> Iterator[Reference]:
        if "(" not in pending.text:
            return
        text = STRING.sub("''", pending.text[:MOST_EXPRESSION])
        seen: set[str] = set()
        for match in _CALL.finditer(text):
            name = match.group(1).upper()
            if name in seen or (name in NO_CALL and name not in self.names.callable):
                continue
            known = self.names.callable.get(name)
            first = pending.leading and match.start() == 0
            if known is None and name in self.names.variables and not first:
                continue
            seen.add(name)
            if known:
                yield Reference("call", known.upper(), pending.line, None, {"prototype": name})
            elif known == "" or first or match.group(2):
                yield Reference("call", name, pending.line, None, EMPTY)
            else:
                yield Reference("function_ref", name, pending.line, None, EMPTY)
