"""Statements to symbols and references: the nesting of units, as the standard has it and as old and broken files have it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType

from legacylens_assets.parsers.fortran import declarations, headers
from legacylens_assets.parsers.fortran.intrinsics import INTRINSICS, KEYWORDS
from legacylens_assets.parsers.fortran.open_units import Branch, Unit
from legacylens_assets.parsers.fortran.sections import with_sections
from legacylens_assets.parsers.fortran.statements import Statement
from legacylens_assets.types import EMPTY, Problem, Reference, Symbol

_PROCEDURES = frozenset({"subroutine", "function", "procedure", "program", "block_data"})
_CONTAINERS = frozenset({"module", "submodule"})
_UNNAMED_MAIN = "program"
_DEEPEST = 60
"""Open units at most: the language allows half a dozen, and a bound keeps broken text linear."""
_ASSIGNMENT = re.compile(r"[a-z_$][\w$]*(?:=(?!=)|\(|%)")
_CALL = re.compile(r"call ?((?:[a-z_$][\w$]*(?:\([^()]*\))?%)*)([a-z_$][\w$]*)(?:\(|$|;)")
_CALL_AFTER = re.compile(r"\) ?call ?((?:[a-z_$][\w$]*(?:\([^()]*\))?%)*)([a-z_$][\w$]*)(?=\(|$)")
_APPLIED = re.compile(r"(?<![\w$%])([a-z_$][\w$]*)\(")
_SUBSTRING = re.compile(r"[^(),]*:")
_INCLUDE = re.compile(r"\s*include\s*(['\"<])([^'\"<>]*)", re.I)
_CPP = re.compile(r"#\s*(if|ifdef|ifndef|elif|elifdef|elifndef|else|endif|include|define)\b\s*(.*)")
_CONSTRUCT = re.compile(r"[a-z_$][\w$]* ?:(?!:) ?")
_SPELLED_FUNCTION = re.compile(r"function[\s&]", re.I)
_OPENERS = "acdefilmnprstbu/"


class UnitBuilder:
    """Takes statements in order; ``finish`` returns symbols, references and problems."""

    def __init__(self) -> None:
        self.stack: list[Unit] = []
        self.kinds: list[str] = []
        self.names: list[str] = []
        self.starts: list[int] = []
        self.ends: list[int] = []
        self.parents: list[int | None] = []
        self.units: list[bool] = []
        self.details: list[dict[str, str]] = []
        self.references: list[Reference] = []
        self.problems: list[Problem] = []
        self.done: list[tuple[Unit, tuple[Unit, ...]]] = []
        self.known: set[str] = set()
        self.branches: list[Branch] = []
        self.last_line = 0

    # ------------------------------------------------------------------ statements

    def take(self, statement: Statement) -> None:
        """Take the next statement."""
        low = statement.low
        if low[0] in _OPENERS and self._opens_or_closes(statement, low):
            self.last_line = statement.end
            return
        if not self.stack:
            self._implied_main(statement)
        if self.stack[-1].implied:
            self.stack[-1].statements.append((statement.start, statement.end))
        self._inside(statement, low)
        self.last_line = statement.end

    def _opens_or_closes(self, statement: Statement, low: str) -> bool:
        """Handle a statement that changes the nesting or is noted by name; return False for all others."""
        if low[0] == "e":
            if low.startswith("end"):
                ended = headers.ending(low)
                if ended:
                    self._end(statement, *ended)
                return ended is not None
            if low.startswith("entry"):
                return self._entry(statement)
        if low == "contains":
            if self.stack:
                self.stack[-1].contains = True
            return True
        noted = _NOTED.get(low[:3])
        if noted and noted(self, statement):
            return True
        if not _MAY_OPEN.match(low) and "function" not in low and "subroutine" not in low:
            return False
        top = self.stack[-1] if self.stack else None
        found = headers.header(low, statement.text, top is not None and top.kind == "interface", self._in_container())
        if found is None or not self._allowed(found, top, statement):
            return False
        self._open(found, statement)
        return True

    def _in_container(self) -> bool:
        return any(unit.kind in _CONTAINERS and unit.contains for unit in self.stack)

    def _allowed(self, found: headers.Header, top: Unit | None, statement: Statement) -> bool:
        """Return whether a header may stand here: ``REALFUNCTIONX(N)`` inside a routine declares an array."""
        if found.kind == "function" and "(" not in statement.low and not _SPELLED_FUNCTION.search(statement.raw):
            return False
        if top is None or top.contains or top.kind in ("interface", *_CONTAINERS):
            return True
        if found.kind in ("type", "interface"):
            return top.kind != "type" or found.kind == "type"
        if found.kind == "function":
            return _SPELLED_FUNCTION.search(statement.raw) is not None
        return top.kind != "type"

    def _open(self, found: headers.Header, statement: Statement) -> None:
        top = self.stack[-1] if self.stack else None
        if found.kind not in ("type", "interface"):
            if self._alternative_header(found):
                return
            if top is not None and not top.contains and top.kind in _PROCEDURES and not self._is_body(top):
                self.problems.append(
                    Problem(statement.start, "missing_end", f"{top.kind} {top.name or '(unnamed)'} from line {top.start} has no END")
                )
                self._close(len(self.stack) - 1, self.last_line)
        if len(self.stack) >= _DEEPEST:
            self.problems.append(Problem(statement.start, "too_deep", f"units nested more than {_DEEPEST} deep: the innermost was closed"))
            self._close(len(self.stack) - 1, self.last_line)
        in_interface = bool(self.stack) and self.stack[-1].kind == "interface"
        holder = self._holder()
        index = None
        if in_interface and found.kind in _PROCEDURES:
            self.known.add(found.name.lower())
            if holder is not None:
                members = self.details[holder].get("members", "")
                self.details[holder]["members"] = f"{members},{found.name}" if members else found.name
        else:
            index = self._symbol(found.kind, found.name, statement.start, statement.end, found.kind != "interface" or bool(found.name))
            if found.prefix:
                self.details[index]["prefix"] = found.prefix
            if found.kind in ("subroutine", "function", "procedure"):
                self.known.add(found.name.lower())
        self.stack.append(Unit(found.kind, found.name, statement.start, index, holder))

    def _is_body(self, unit: Unit) -> bool:
        return unit.index is None

    def _alternative_header(self, found: headers.Header) -> bool:
        """Return whether this header repeats, in another branch of an ``#if``, one that is open after the branch before."""
        if not self.branches or not self.branches[-1].second:
            return False
        branch = self.branches[-1]
        after = branch.after or []
        place = len(self.stack)
        if place >= len(after) or after[place].kind in ("type", "interface") or place != len(branch.before):
            return False
        opened = after[place]
        if opened.index is not None and found.name.lower() != opened.name.lower():
            self.details[opened.index]["also"] = found.name
        self.stack.append(opened)
        return True

    def _implied_main(self, statement: Statement) -> None:
        index = self._symbol(_UNNAMED_MAIN, "", statement.start, statement.end)
        self.stack.append(Unit(_UNNAMED_MAIN, "", statement.start, index, None, implied=True))

    def _entry(self, statement: Statement) -> bool:
        name = headers.entry_name(statement.low, statement.text)
        if not name or not self.stack:
            return False
        self._symbol("entry", name, statement.start, statement.end, unit=False)
        self.known.add(name.lower())
        return True

    # ------------------------------------------------------------------ ends

    def _end(self, statement: Statement, kind: str, name: str) -> None:
        place = self._closed_by(kind, name)
        if place is None:
            if not kind and not self.stack:
                self.problems.append(Problem(statement.start, "unmatched_end", "END with no open unit"))
            elif kind:
                self.problems.append(Problem(statement.start, "unmatched_end", f"END {kind.upper()} with no open {kind}"))
            return
        self._close(place, statement.end)

    def _closed_by(self, kind: str, name: str) -> int | None:
        """Return the place in the stack of the unit that an END closes, None when there is none."""
        places = range(len(self.stack) - 1, -1, -1)
        if not kind:
            return next((i for i in places if self.stack[i].kind not in ("type", "interface")), None)
        same = [i for i in places if self.stack[i].kind == kind or kind == "procedure" and self.stack[i].kind in _PROCEDURES]
        if name:
            named = next((i for i in same if self.stack[i].name.lower() == name), None)
            if named is not None:
                return named
        if same:
            return same[0]
        if kind in _PROCEDURES and self.stack and self.stack[-1].kind in _PROCEDURES:
            return len(self.stack) - 1
        return None

    def _close(self, place: int, line: int) -> None:
        while len(self.stack) > place:
            unit = self.stack.pop()
            if unit.index is not None:
                self.ends[unit.index] = max(self.ends[unit.index], line)
            if not unit.closed:
                unit.closed = True
                self.done.append((unit, tuple(self.stack)))

    # ------------------------------------------------------------------ inside a unit

    def _inside(self, statement: Statement, low: str) -> None:
        """Take the facts of a statement that opens and closes nothing."""
        unit = self.stack[-1]
        assignment = False
        if _ASSIGNMENT.match(low):
            flat = headers.outside_brackets(low)
            assignment = "=" in flat and "::" not in flat and not low.startswith(("if(", "if (", "where(", "where (", "forall(", "forall ("))
        if not assignment:
            if declarations.is_passive(low) and not low.startswith(("type(", "class(", "type (", "class (")):
                return
            if declarations.is_declaration(low):
                self._declares(unit, statement, low)
                return
            if unit.kind in ("interface", "type"):
                return
        unit.executable = True
        self._calls(unit, statement, low, assignment)

    def _declares(self, unit: Unit, statement: Statement, low: str) -> None:
        unit.arrays |= declarations.arrays_of(low) if "(" in low else set()
        for name in declarations.externals_of(low):
            unit.externals.setdefault(name, statement.start)
        for name, offset in declarations.commons_of(low):
            line = statement.line_at(offset)
            self.references.append(Reference("common", name.upper(), line, self._holder()))
            written = name if name == "//" else statement.text[low.find(name, offset) :][: len(name)]
            self._symbol("common", written, line, max(line, line), unit=False)

    def _calls(self, unit: Unit, statement: Statement, low: str, assignment: bool) -> None:
        """Note CALLs and the names applied to arguments; which of those are functions is known when the file ends."""
        rest = low
        if not assignment and "call" in low:
            found = _CALL.match(low) or _CALL_AFTER.search(low)
            if found:
                detail = MappingProxyType({"object": found.group(1).rstrip("%").upper()}) if found.group(1) else EMPTY
                self.references.append(Reference("call", found.group(2).upper(), statement.line_at(found.start(2)), self._holder(), detail))
                rest = low[: found.start() + 1] + " " * (found.end(2) - found.start() - 1) + low[found.end(2) :]
                rest = " " * (found.end(2)) + low[found.end(2) :] if found.start() == 0 else rest
        if "(" not in rest:
            return
        for applied in _APPLIED.finditer(rest):
            name = applied.group(1)
            if name in KEYWORDS or _SUBSTRING.match(rest, applied.end()):
                continue
            if assignment and applied.start() == 0:
                unit.locals.add(name)
                continue
            line = statement.line_at(applied.start()) if statement.breaks else statement.start
            unit.applied[(name, line)] = None

    # ------------------------------------------------------------------ notes

    def _use(self, statement: Statement) -> bool:
        found = declarations.used_module(statement.low)
        if found is None or "=" in headers.outside_brackets(statement.low).split("=>", 1)[0].split(",", 1)[0]:
            return False
        detail = MappingProxyType({"what": found[1]}) if found[1] else EMPTY
        self.references.append(Reference("use", found[0].upper(), statement.start, self._holder(), detail))
        return True

    def _include(self, statement: Statement) -> bool:
        found = _INCLUDE.match(statement.raw) if statement.low.startswith("include''") or statement.low.startswith("include ''") else None
        found = found or (_INCLUDE.search(statement.raw) if statement.low.startswith("include") and "''" in statement.low else None)
        if found is None:
            return False
        self._included(found.group(2).strip(), statement.start, statement.end)
        return True

    def _included(self, name: str, start: int, end: int) -> None:
        self.references.append(Reference("include", name, start, self._holder()))
        self._symbol("include", name, start, end, unit=False)

    def directive(self, line: int, text: str) -> None:
        """Take a preprocessor line: ``#include`` is noted; branches that open the same unit twice are told apart."""
        found = _CPP.match(text)
        if not found:
            return
        word, rest = found.groups()
        if word == "include":
            name = re.match(r"[\"<]([^\">]*)", rest)
            if name:
                self._included(name.group(1), line, line)
        elif word in ("if", "ifdef", "ifndef"):
            self.branches.append(Branch(list(self.stack)))
        elif word.startswith("el") and self.branches:
            branch = self.branches[-1]
            if branch.after is None or len(branch.after) == len(branch.before):
                branch.after = list(self.stack)
            self.stack = list(branch.before)
            branch.second = True
        elif word == "endif" and self.branches:
            branch = self.branches.pop()
            if branch.after is not None and len(branch.after) != len(branch.before):
                self.stack = branch.after

    # ------------------------------------------------------------------ symbols

    def _holder(self) -> int | None:
        for unit in reversed(self.stack):
            if unit.index is not None:
                return unit.index
        return None

    def _symbol(self, kind: str, name: str, start: int, end: int, unit: bool = True) -> int:
        self.kinds.append(kind)
        self.names.append(name)
        self.starts.append(start)
        self.ends.append(end)
        self.parents.append(self._holder())
        self.units.append(unit)
        self.details.append({})
        return len(self.kinds) - 1

    def finish(self) -> tuple[tuple[Symbol, ...], tuple[Reference, ...], tuple[Problem, ...]]:
        """Close what is open and return everything found."""
        for unit in self.stack:
            if not (unit.implied and not unit.executable):
                self.problems.append(Problem(unit.start, "missing_end", f"{unit.kind} {unit.name or '(unnamed)'} has no END"))
        declared = next((u for u in self.stack if u.implied and not u.executable), None)
        self._close(0, self.last_line)
        for unit, outer in self.done:
            self._functions(unit, outer)
        for reference in self.references:
            if reference.source is not None:
                self.ends[reference.source] = max(self.ends[reference.source], reference.line)
        self._contain()
        symbols, references, problems = self._results(declared.index if declared else None)
        if declared:
            symbols, references = with_sections(symbols, references, declared.statements)
        return symbols, references, problems

    def _functions(self, unit: Unit, outer: tuple[Unit, ...]) -> None:
        """Turn the names that a unit applies to arguments into function references."""
        holder = unit.index if unit.index is not None else unit.holder
        called: set[str] = set()
        for name, line in unit.applied:
            if name in unit.externals or any(name in o.externals for o in outer):
                pass
            elif name in unit.arrays or name in unit.locals or any(name in o.arrays for o in outer):
                continue
            elif name in INTRINSICS and name not in self.known:
                continue
            called.add(name)
            self.references.append(Reference("function_ref", name.upper(), line, holder))
        for name, line in unit.externals.items():
            if name not in called:
                self.references.append(Reference("function_ref", name.upper(), line, holder, MappingProxyType({"via": "external"})))

    def _contain(self) -> None:
        """Let every symbol end no earlier than those it holds."""
        for index in range(len(self.kinds) - 1, -1, -1):
            parent = self.parents[index]
            if parent is not None and self.ends[parent] < self.ends[index]:
                self.ends[parent] = self.ends[index]

    def _results(self, dropped: int | None) -> tuple[tuple[Symbol, ...], tuple[Reference, ...], tuple[Problem, ...]]:
        def moved(index: int | None) -> int | None:
            if dropped is None or index is None or index < dropped:
                return index
            return None if index == dropped else index - 1

        symbols = tuple(
            Symbol(
                self.names[i], self.kinds[i], self.starts[i], self.ends[i], moved(self.parents[i]), self.units[i],
                MappingProxyType(self.details[i]) if self.details[i] else EMPTY,
            )
            for i in range(len(self.kinds))
            if i != dropped
        )  # fmt: skip
        references = self.references if dropped is None else [replace(r, source=moved(r.source)) for r in self.references]
        called = {(r.target, r.source) for r in references if r.kind == "call"}
        kept = [r for r in references if not (r.detail.get("via") and (r.target, r.source) in called)]
        kept.sort(key=lambda r: (r.line, r.kind, r.target))
        self.problems.sort(key=lambda p: p.line)
        return symbols, tuple(kept), tuple(self.problems)


_MAY_OPEN = re.compile(r"program|module|submodule|block ?data|interface|abstract ?interface|type|structure")
_NOTED: Mapping[str, Callable[[UnitBuilder, Statement], bool]] = MappingProxyType({"use": UnitBuilder._use, "inc": UnitBuilder._include})
