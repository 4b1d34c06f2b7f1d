"""Statements -> jobs, procedures, steps and DDs.

Source: z/OS MVS JCL Reference; JES2 and JES3 control statements. Not parsed: the operands of JES statements, job groups beyond their
lines, accounting information.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from legacylens_assets.parsers.drafting import Node, attributed, settle
from legacylens_assets.parsers.jcl.facts import Facts
from legacylens_assets.parsers.jcl.operands import parameters
from legacylens_assets.parsers.jcl.reading import JES, NULL, SKELETON, STRAY, Reader, Statement
from legacylens_assets.types import ParsedFile, SourceFile

OUTSIDE_STEPS = frozenset({"JOB", "JCLLIB", "SET", "IF", "ELSE", "ENDIF", "PEND", SKELETON})
"""Statements that a step above them does not hold, unless a DD of that step follows."""

_THEN = re.compile(r"\s*\bTHEN\b.*$", re.IGNORECASE | re.DOTALL)
_BETWEEN_JOBS = ("PRIORITY", "SIGNON", "SIGNOFF")


def parse(source: SourceFile) -> ParsedFile:
    """Return the structure of a job stream, a procedure library member or a part of either. Never raises."""
    reader = Reader(source.lines)
    statements = reader.read()
    outline = _Outline(reader.lines)
    for statement in statements:
        outline.take(statement)
    outline.close()
    sections = _sections(statements, outline.nodes, len(source.lines))
    symbols = settle([*outline.nodes, *sections])
    references = attributed(outline.facts.references(), symbols)
    return ParsedFile("jcl", _form(outline), symbols, references, tuple(reader.problems), "".join(reader.roles))


def _form(outline: _Outline) -> str:
    kinds = {node.kind for node in outline.nodes}
    return "job" if "job" in kinds else "procedure" if "proc" in kinds else "include"


@dataclass(slots=True)
class _Outline:
    """What is open while statements go by."""

    lines: list[str]
    nodes: list[Node] = field(default_factory=list)
    facts: Facts = field(default_factory=Facts)
    job: Node | None = None
    proc: Node | None = None
    step: Node | None = None
    dd: Node | None = None
    conditions: list[str] = field(default_factory=list)
    last: int = 0

    def take(self, statement: Statement) -> None:
        """Let one statement open, extend or close nodes."""
        handler = _HANDLERS.get(statement.operation)
        if handler is not None:
            handler(self, statement)
        elif statement.operation == JES and statement.operands.upper().startswith(_BETWEEN_JOBS):
            return
        elif statement.operation in (JES, STRAY) or statement.operation not in OUTSIDE_STEPS:
            self._reach(statement)
        else:
            self._around(statement)

    def close(self) -> None:
        """Hand the facts over to the last procedure and job."""
        self.facts.close()

    def _add(self, kind: str, name: str, statement: Statement, parent: Node | None, unit: bool = True) -> Node:
        node = Node(kind, name, statement.line, statement.last, parent, unit)
        self.nodes.append(node)
        if parent is not None:
            parent.extend(statement.last)
        return node

    def _reach(self, statement: Statement) -> None:
        """Let the innermost of step, procedure and job hold the statement."""
        holder = self.step or self.proc or self.job
        if holder is not None:
            holder.extend(statement.last)

    def _around(self, statement: Statement) -> None:
        """Let procedure or job hold the statement, not the step above it."""
        holder = self.proc or self.job
        if holder is not None:
            holder.extend(statement.last)

    def job_card(self, statement: Statement) -> None:
        """Begin a job; what was open ends."""
        self.proc = self.step = self.dd = None
        self.conditions.clear()
        self.job = self._add("job", statement.name, statement, None)
        self.facts.begin_job(statement.name)

    def procedure(self, statement: Statement) -> None:
        """Begin a procedure: in-stream in a job, else catalogued."""
        self.step = self.dd = None
        self.proc = self._add("proc", statement.name, statement, self.job)
        _, defaults = parameters(statement.operands)
        if defaults:
            self.proc.detail["defaults"] = ",".join(f"{key}={value}" for key, value in defaults.items())
        self.facts.begin_proc(statement.name, defaults)

    def procedure_end(self, statement: Statement) -> None:
        """End the procedure with this line."""
        self._around(statement)
        self.facts.end_proc()
        self.proc = self.step = self.dd = None

    def execute(self, statement: Statement) -> None:
        """Begin a step."""
        positional, keywords = parameters(statement.operands)
        self.step = self._add("step", statement.name, statement, self.proc or self.job)
        self.dd = None
        condition = " and ".join(part for part in self.conditions if part)
        self.facts.begin_step(statement, self.step, positional, keywords, condition)

    def definition(self, statement: Statement) -> None:
        """Begin a DD, or go on with the one above when the statement has no name (concatenation)."""
        holder = self.step or self.proc or self.job
        if self.dd is None or statement.name:
            self.dd = self._add("dd", statement.name, statement, holder, unit=self.step is None)
        else:
            self.dd.extend(statement.last)
        data = self.lines[statement.end : statement.data_end - statement.delimited] if statement.data_end else []
        self.facts.definition(statement, self.dd.name, data, self.step is not None)

    def include(self, statement: Statement) -> None:
        """Note an INCLUDE group: it may hold DDs of the step above, so it lies in it."""
        _, keywords = parameters(statement.operands)
        member = self.facts.resolved(keywords.get("MEMBER", ""))
        self._add("include", member or statement.name, statement, self.step or self.proc or self.job, unit=self.step is None)
        self.facts.include(statement, member)

    def null(self, statement: Statement) -> None:
        """End everything: the null statement is the last line of its job."""
        self._around(statement)
        self.facts.close()
        self.job = self.proc = self.step = self.dd = None
        self.conditions.clear()

    def set_symbols(self, statement: Statement) -> None:
        """Give symbols values from here on."""
        self._around(statement)
        _, keywords = parameters(statement.operands)
        self.facts.set_symbols(keywords)

    def library(self, statement: Statement) -> None:
        """Note the libraries in which procedures and INCLUDE groups are looked up."""
        self._around(statement)
        _, keywords = parameters(statement.operands)
        self.facts.library(statement, keywords.get("ORDER", ""))

    def condition(self, statement: Statement) -> None:
        """Open, turn or close the condition under which steps run."""
        self._around(statement)
        if statement.operation == "IF":
            if len(self.conditions) < 15:
                self.conditions.append(_relation(statement)[:200])
        elif self.conditions:
            above = self.conditions.pop()
            if statement.operation == "ELSE":
                self.conditions.append(f"not {above}" if above else "")


_HANDLERS = {
    "JOB": _Outline.job_card,
    "PROC": _Outline.procedure,
    "PEND": _Outline.procedure_end,
    "EXEC": _Outline.execute,
    "DD": _Outline.definition,
    "INCLUDE": _Outline.include,
    "SET": _Outline.set_symbols,
    "JCLLIB": _Outline.library,
    "IF": _Outline.condition,
    "ELSE": _Outline.condition,
    "ENDIF": _Outline.condition,
    NULL: _Outline.null,
}


def _relation(statement: Statement) -> str:
    """Return what an IF asks, without THEN and what follows it."""
    return " ".join(_THEN.sub("", statement.operands, count=1).split())


def _sections(statements: list[Statement], nodes: list[Node], count: int) -> list[Node]:
    """Return a section for every run of statements that no step, procedure, DD or INCLUDE holds: job cards, SET, IF, the null statement."""
    change = [0] * (count + 2)
    jobs = sorted((node for node in nodes if node.kind == "job"), key=lambda node: node.start)
    for node in nodes:
        if node.kind != "job":
            change[node.start] += 1
            change[node.end + 1] -= 1
    held, depth = [False] * (count + 2), 0
    for line in range(1, count + 1):
        depth += change[line]
        held[line] = depth > 0
    found: list[Node] = []
    position, previous = -1, -1
    for place, statement in enumerate(statements):
        if held[statement.line]:
            continue
        while position + 1 < len(jobs) and jobs[position + 1].start <= statement.line:
            position += 1
        job = jobs[position] if position >= 0 and statement.line <= jobs[position].end else None
        if found and previous == place - 1 and found[-1].parent is job and statement.operation not in ("JOB", NULL, "IF"):
            found[-1].end = statement.last
        else:
            found.append(Node("section", _section_name(statement), statement.line, statement.last, job))
        previous = place
    return found


def _section_name(statement: Statement) -> str:
    """Return a name for statements outside steps: what they are, in the words of the manual."""
    names = {
        "JOB": "JOB statement",
        NULL: "end of job",
        SKELETON: "skeleton control",
        STRAY: "text",
        "JCLLIB": "JCLLIB",
        "ELSE": "ELSE",
        "ENDIF": "ENDIF",
    }
    if statement.operation == "IF":
        return f"IF {_relation(statement)}"[:80]
    if statement.operation == JES:
        return f"/*{statement.operands.split(None, 1)[0]}"[:40]
    return names.get(statement.operation, statement.operation or "text")[:40]
