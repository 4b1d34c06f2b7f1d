"""What a job stream runs, reads, writes and deletes: references, with symbols resolved as far as the file tells.

Symbols: SET from its line on; in a procedure its defaults, overridden by the calls of the same file when they agree (else ``values`` lists what
they give). What stays unknown is left as written.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from legacylens_assets.parsers.drafting import Node
from legacylens_assets.parsers.jcl.control import CARD_DD, UTILITIES, control_references
from legacylens_assets.parsers.jcl.operands import access, dataset, listed, parameters, substituted, symbol_names, unquoted
from legacylens_assets.parsers.jcl.reading import Statement
from legacylens_assets.types import Reference

EXEC_PARAMETERS = frozenset(
    "ACCT ADDRSPC CCSID COND DPRTY DYNAMNBR MEMLIMIT PARM PARMDD PERFORM PGM PROC RD REGION REGIONX RLSTMOUT TIME TVSMSG TVSAMCOM".split()
)
NO_DATASET = frozenset({"", "NULLFILE", "DUMMY"})
MOST_VALUES, MOST_CALLS, MOST_SYMBOLS = 12, 64, 200
"""Values listed, calls of one procedure compared, and symbols known at a time: bounds that keep time linear."""

MOST_SYMBOL_TEXT = 2000
"""Characters of the symbols that a call of a procedure gives."""

Resolve = Callable[[str], str]


@dataclass(slots=True)
class _Procedure:
    """An in-stream or catalogued procedure: its defaults, the programs of its steps, what calls of this file override."""

    name: str
    defaults: dict[str, str]
    programs: dict[str, str] = field(default_factory=dict)
    calls: list[dict[str, str]] = field(default_factory=list)


@dataclass(slots=True)
class _Raw:
    """A reference whose symbols are resolved when the whole file is known."""

    kind: str
    value: str
    line: int
    detail: dict[str, str]
    symbols: dict[str, str]
    procedure: _Procedure | None


@dataclass(slots=True)
class _Step:
    """The step that DDs belong to."""

    name: str
    program: str
    called: str
    label: str
    node: Node


class Facts:
    """Collects references while the outline is built."""

    def __init__(self) -> None:
        self._job = ""
        self._symbols: dict[str, str] = {}
        self._procedures: dict[str, _Procedure] = {}
        self._procedure: _Procedure | None = None
        self._step: _Step | None = None
        self._datasets: dict[str, str] = {}
        self._raw: list[_Raw] = []
        self._cards: list[tuple[_Step, str, list[str], int, dict[str, str]]] = []

    def begin_job(self, name: str) -> None:
        """Forget the symbols and steps of the job before."""
        self.close()
        self._job = name

    def close(self) -> None:
        """End procedure, step and job."""
        self._job, self._symbols, self._procedure, self._step, self._datasets = "", {}, None, None, {}

    def begin_proc(self, name: str, defaults: dict[str, str]) -> None:
        """Open a procedure with the defaults of its symbols."""
        self._step = None
        self._procedure = _Procedure(name.upper(), {key: unquoted(value) for key, value in defaults.items()})
        self._procedures.setdefault(self._procedure.name, self._procedure)

    def end_proc(self) -> None:
        """Close the procedure."""
        self._procedure = self._step = None

    def set_symbols(self, values: dict[str, str]) -> None:
        """Give symbols their values; a value may use symbols set before."""
        for key, value in values.items():
            if key in self._symbols or len(self._symbols) < MOST_SYMBOLS:
                self._symbols = {**self._symbols, key: substituted(unquoted(value), self._symbols)}

    def resolved(self, value: str) -> str:
        """Return ``value`` with what SET and the procedure's defaults say, without quotes."""
        known = {**self._symbols, **self._procedure.defaults} if self._procedure else self._symbols
        return substituted(unquoted(value), known)

    def library(self, statement: Statement, order: str) -> None:
        """Note the libraries of JCLLIB, which the job reads."""
        for name in listed(order):
            self._note("dd", unquoted(name), statement.line_of(name.upper()), {"ddname": "JCLLIB", "disp": "", "access": "read"})

    def include(self, statement: Statement, member: str) -> None:
        """Note an INCLUDE group."""
        if member:
            self._note("include", member, statement.line, {})

    def begin_step(self, statement: Statement, node: Node, positional: Sequence[str], keywords: dict[str, str], condition: str) -> None:
        """Open a step and note the program or procedure that it runs."""
        holder = self._procedure.name if self._procedure else self._job
        label = ".".join(part for part in (holder, statement.name) if part)
        program = keywords.get("PGM", "")
        called = keywords.get("PROC", "") or ("" if program else next(iter(positional), ""))
        self._step = _Step(statement.name, self.resolved(program).upper(), self.resolved(called).upper(), label, node)
        node.detail.update({"step": label, **({"program": self._step.program} if program else {"proc": self._step.called} if called else {})})
        if condition:
            node.detail["condition"] = condition
        detail = {"step": label, **{key.lower(): keywords[key] for key in ("PARM", "COND") if keywords.get(key)}}
        if program:
            if self._procedure:
                self._procedure.programs[statement.name.upper()] = program
            self._note("exec_pgm", program, statement.line_of("PGM="), detail)
            self._parameter(statement, program, unquoted(keywords.get("PARM", "")), label)
        elif called:
            given = {key: unquoted(value) for key, value in keywords.items() if key not in EXEC_PARAMETERS and "." not in key}
            overrides = {key: substituted(value, self._symbols) for key, value in given.items()}
            procedure = self._procedures.get(self._step.called)
            if procedure is not None and len(procedure.calls) < MOST_CALLS:
                procedure.calls.append({**self._symbols, **procedure.defaults, **overrides})
            if overrides:
                detail["overrides"] = ",".join(f"{key}={value}" for key, value in overrides.items())[:MOST_SYMBOL_TEXT]
            if self._symbols:
                detail["set"] = ",".join(f"{key}={value}" for key, value in self._symbols.items())[:MOST_SYMBOL_TEXT]
            self._note("exec_proc", called, statement.line, detail)

    def _parameter(self, statement: Statement, program: str, parm: str, label: str) -> None:
        """Note the program that PARM names where the utility runs it: the IMS region controller, a TSO command, a REXX exec."""
        parts = [unquoted(part).strip() for part in listed(parm)]
        found = ""
        if program.upper() == "DFSRRC00" and len(parts) > 1:
            found = parts[1]
        elif UTILITIES.get(program.upper()) == "IKJEFT01" or program.upper() == "IRXJCL":
            words = re.sub(r"^(?:%|EX(?:EC)?\s+)", "", parts[0] if parts else "", flags=re.IGNORECASE).split()
            found = words[0] if words and re.fullmatch(r"[A-Z@#$][\w@#$]{0,7}", words[0], re.IGNORECASE) else ""
        if found:
            self._note("exec_pgm", found, statement.line_of("PARM="), {"step": label, "via": program.upper()})

    def definition(self, statement: Statement, ddname: str, data: Sequence[str], in_step: bool) -> None:
        """Note the dataset of a DD statement, and keep its in-stream data for the control statements."""
        _, keywords = parameters(statement.operands)
        label = self._step.label if self._step and in_step else self._job
        if data and self._step and in_step:
            self._cards.append((self._step, ddname, list(data), statement.end + 1, {"step": label, "ddname": ddname}))
        name = keywords.get("DSNAME") or keywords.get("DSN", "")
        path = keywords.get("PATH", "")
        if path:
            self._path(statement, ddname, path, keywords, label)
        if unquoted(name).upper() in NO_DATASET:
            return
        line, disposition = statement.line_of("DSN=", "DSNAME="), keywords.get("DISP", "")
        name = self._referred(name)
        parts = dataset(name)
        override = "." in ddname and self._step is not None
        detail = {"ddname": ddname, "disp": disposition, "access": access(disposition, ddname, parts.name, override), "step": label}
        if name.startswith("&&"):
            detail["temporary"] = "1"
        if ddname:
            self._datasets[f"{self._step.name if self._step else ''}.{ddname}".upper()] = name
        self._note("dd", name, line, detail)

    def _referred(self, name: str) -> str:
        """Return the dataset that a backward reference ``*.step.dd`` names, or the name itself when the file does not tell."""
        if not name.startswith("*."):
            return name
        key = name[2:].upper()
        if "." not in key:
            key = f"{self._step.name if self._step else ''}.{key}".upper()
        return self._datasets.get(key, name)

    def _path(self, statement: Statement, ddname: str, path: str, keywords: dict[str, str], label: str) -> None:
        """Note a z/OS UNIX file; PATHOPTS tells whether it is written."""
        options = {option.upper() for option in listed(keywords.get("PATHOPTS", ""))}
        way = "write" if options & {"OWRONLY", "ORDWR", "OCREAT", "OAPPEND", "OTRUNC"} else "read"
        detail = {"ddname": ddname, "disp": "", "access": way, "step": label, "path": "1"}
        self._raw.append(_Raw("dd", unquoted(path), statement.line_of("PATH="), detail, self._symbols, self._procedure))

    def _note(self, kind: str, value: str, line: int, detail: dict[str, str]) -> None:
        self._raw.append(_Raw(kind, value, line, detail, self._symbols, self._procedure))

    def references(self) -> list[Reference]:
        """Return all references, symbols resolved as far as the whole file tells."""
        found = [_settled(raw) for raw in self._raw]
        for step, ddname, data, first, detail in self._cards:
            program = self._running(step, ddname)
            sql = self._inner(program, step, ddname)
            found.extend(control_references(sql or program, data, first, detail))
        return found

    def _running(self, step: _Step, ddname: str) -> str:
        """Return the program that reads the data: the step's own, or that of the procedure step which an override names."""
        if step.program:
            return step.program if CARD_DD.match(ddname.upper()) else ""
        procedure = self._procedures.get(step.called)
        inner, _, last = ddname.upper().partition(".")
        program = procedure.programs.get(inner, "") if procedure and last else ""
        if not program and last == "SYSTSIN":
            return "IKJEFT01"
        return substituted(program, procedure.defaults if procedure else {}).upper()

    def _inner(self, program: str, step: _Step, ddname: str) -> str:
        """Return the SQL processor that a TSO step runs and whose statements stand in SYSIN."""
        if UTILITIES.get(program) != "IKJEFT01" or not ddname.upper().endswith("SYSIN") or ddname.upper().endswith("SYSTSIN"):
            return ""
        for other, name, data, _, _ in self._cards:
            if other is step and name.upper().endswith("SYSTSIN"):
                text = " ".join(line[:72] for line in data[:60]).upper()
                return next((word for word in ("DSNTEP2", "DSNTEP4", "DSNTIAD", "DSNTIAUL") if word in text), "NONE")
        return "NONE"


def _settled(raw: _Raw) -> Reference:
    """Return the reference with its symbols resolved; ``raw`` in its detail is the text as written when that differs."""
    known = dict(raw.symbols)
    detail = dict(raw.detail)
    values: list[str] = []
    if raw.procedure is not None:
        known.update(raw.procedure.defaults)
        used = symbol_names(raw.value)
        calls = raw.procedure.calls if used else []
        values = list(dict.fromkeys(substituted(raw.value, call) for call in calls))[:MOST_VALUES]
        if calls:
            agreed = {name: {call.get(name) for call in calls} for name in used}
            known = {name: value for name, given in agreed.items() if len(given) == 1 and (value := min(given, key=str)) is not None}
    target = substituted(raw.value, known)
    if not dataset(target).name:
        target = raw.value
    if len(values) > 1:
        detail["values"] = ",".join(values)
    if target != raw.value:
        detail["raw"] = raw.value
    if detail.get("path"):
        return Reference(raw.kind, target, raw.line, None, detail)
    if raw.kind == "dd":
        parts = dataset(target)
        target = parts.name or target
        detail.update({key: value for key, value in (("member", parts.member), ("generation", parts.generation)) if value})
    return Reference(raw.kind, unquoted(target).upper(), raw.line, None, detail)
