"""Job streams: each job's steps in order with what they run and touch, procedures expanded with the symbols and DD overrides of the call.

A step is known by its place, never by its name: two jobs may have equal step names, and so may one job.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from legacylens_assets.graph.build import DATASET, EXACT, EXTERNAL, PROGRAM, UNRESOLVED, Build, symbols_of
from legacylens_assets.graph.calls import callable_named
from legacylens_assets.graph.tree import Ref, Sym, Tree
from legacylens_assets.parsers.jcl.operands import dataset, substituted, unquoted

MOST_NESTED = 15
MOST_STEPS = 20000
"""Steps that one codebase's expansions may give: procedures that call each other in circles end there."""
LIBRARY_DD = frozenset({"STEPLIB", "JOBLIB", "JOBCAT", "STEPCAT", "JCLLIB", "SYSLIB", "STEPLIB1", "DBRMLIB", "SYSPROC", "SYSEXEC"})
RUNNERS = frozenset({"IKJEFT01", "IKJEFT1A", "IKJEFT1B", "DFSRRC00", "IRXJCL"})


@dataclass(slots=True)
class Step:
    """One EXEC statement with what stands in it. ``labels`` are the step names from the job down."""

    symbol: Sym
    refs: list[Ref] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Use:
    """One DD as a running step sees it: where it is written, and the dataset after symbols are filled in."""

    ref: Ref
    ddname: str
    name: str
    member: str = ""
    generation: str = ""


@dataclass(slots=True)
class Run:
    """One step as it runs in a job: what it executes and its datasets. ``via`` are the procedures between job and step."""

    job: Sym | None
    step: Sym
    label: str
    path: str
    line: int
    programs: list[tuple[str, Ref]]
    uses: list[Use]
    cards: list[Ref]
    via: tuple[str, ...] = ()
    expanded: bool = False


@dataclass(slots=True)
class _Call:
    """The call that a procedure is being expanded for."""

    job: Sym | None
    step: Sym
    label: str
    line: int
    symbols: dict[str, str]
    overrides: list[Ref]
    via: tuple[str, ...]


class Streams:
    """The steps of every JCL file, and the runs that its jobs make."""

    def __init__(self, b: Build, refs: Mapping[str, list[Ref]]) -> None:
        self.b = b
        self.tree: Tree = b.tree
        self.steps: dict[str, list[Step]] = {}
        self.loose: dict[str, list[Ref]] = {}
        self.called: set[str] = set()
        self._count = 0
        for path, held in refs.items():
            if self.tree.languages.get(path) == "jcl":
                self._group(path, held)

    def _group(self, path: str, held: list[Ref]) -> None:
        steps = {symbol.index: Step(symbol) for symbol in symbols_of(self.tree, path, frozenset({"step"}))}
        for ref in held:
            symbol = self.tree.symbol(path, ref.source)
            step = self.tree.holder(symbol, ("step",)) if symbol else None
            if step is None:
                self.loose.setdefault(path, []).append(ref)
            else:
                steps[step.index].refs.append(ref)
        self.steps[path] = list(steps.values())

    def runs(self) -> Iterator[Run]:
        """Yield every step of every job, those of procedures once for each call, then the steps of procedures as they are written."""
        for _, steps in sorted(self.steps.items()):
            for step in steps:
                holder = self.tree.holder(step.symbol, ("job", "proc"))
                if holder is not None and holder.kind == "job":
                    yield from self._run(step, _Call(holder, step.symbol, _label(holder, step.symbol), step.symbol.start, {}, [], ()), True)
        for path, steps in sorted(self.steps.items()):
            for step in steps:
                holder = self.tree.holder(step.symbol, ("job", "proc"))
                if holder is None or holder.kind == "proc":
                    yield self._written(path, step, holder)

    def _written(self, path: str, step: Step, holder: Sym | None) -> Run:
        programs = [(ref.target, ref) for ref in step.refs if ref.kind == "exec_pgm"]
        uses = [_use(ref, {}) for ref in step.refs if ref.kind == "dd"]
        cards = [ref for ref in step.refs if ref.kind == "control_card"]
        return Run(None, step.symbol, _label(holder, step.symbol), path, step.symbol.start, programs, uses, cards)

    def _run(self, step: Step, call: _Call, first: bool) -> Iterator[Run]:
        """Yield the runs of one step: itself, or the steps of the procedure that it calls."""
        self._count += 1
        if self._count > MOST_STEPS:
            return
        called = next((ref for ref in step.refs if ref.kind == "exec_proc"), None)
        if called is None:
            yield self._ran(step, call, first)
            return
        name = substituted(called.detail.get("raw", called.target), call.symbols).upper()
        found = self.procedure(name, step.symbol.path)
        if not found or len(call.via) >= MOST_NESTED:
            yield self._ran(step, call, first)
            return
        given = {**call.symbols, **pairs(called.detail.get("set", ""))}
        own = {key: substituted(value, given) for key, value in pairs(called.detail.get("overrides", "")).items()}
        overrides = [ref for ref in step.refs if ref.kind == "dd"] + call.overrides
        for number, inner in enumerate(found):
            self.called.add(inner.symbol.path)
            symbols = {**given, **_defaults(self.tree, inner.symbol), **own}
            label = f"{call.label}.{inner.symbol.name}" if inner.symbol.name else call.label
            mine = [ref for ref in overrides if _overrides(ref, inner.symbol.name, number == 0)]
            deeper = replace_call(call, label, symbols, mine, (*call.via, name))
            yield from self._run(inner, deeper, False)

    def _ran(self, step: Step, call: _Call, first: bool) -> Run:
        programs = [(_filled(ref, call.symbols).upper(), ref) for ref in step.refs if ref.kind == "exec_pgm"]
        written = [_use(ref, call.symbols) for ref in step.refs if ref.kind == "dd"]
        changed = [_use(ref, call.symbols) for ref in call.overrides]
        replaced = {use.ddname for use in changed if use.name}
        uses = [use for use in written if first or use.ddname not in replaced] + ([] if first else changed)
        cards = [ref for ref in step.refs if ref.kind == "control_card"]
        return Run(call.job, call.step, call.label, step.symbol.path, call.line, programs, uses, cards, call.via, not first)

    def procedure(self, name: str, path: str) -> list[Step]:
        """Return the steps of a procedure: in-stream first, then the member of that name, then a PROC statement of that name elsewhere."""
        inline = [s for s in self.tree.items(path).get(name.upper(), []) if s.kind == "proc"]
        if inline:
            return self._inside(inline[0])
        members = self.tree.members(name, path, lambda other: other != path and self.tree.languages.get(other) == "jcl" and not self._has_job(other))
        if members:
            return [step for step in self.steps.get(members[0], [])]
        named = self.tree.nearest(
            [s for s in self.tree.names.get(name.upper(), []) if s.kind == "proc" and s.path != path and s.parent is None], path
        )
        return self._inside(named.best) if named.best else []

    def _has_job(self, path: str) -> bool:
        return any(symbol.kind == "job" for symbol in self.tree.symbols.get(path, []))

    def _inside(self, proc: Sym) -> list[Step]:
        return [step for step in self.steps.get(proc.path, []) if self.tree.holder(step.symbol, ("proc",)) is proc]

    def emit(self, run: Run) -> None:
        """Add the edges from a step to what it executes; data come with the files."""
        said = self.said(run)
        source = self.b.nodes.of_symbol(run.step)
        for name, ref in run.programs:
            more = {**said, **{key: ref.detail[key] for key in ("parm", "cond", "via", "plan") if ref.detail.get(key)}}
            if run.expanded:
                more |= {"proc": "/".join(run.via), "proc_path": ref.path, "proc_line": str(ref.line)}
            self._executes(run, source, name, ref, more)

    def _executes(self, run: Run, source: int, name: str, ref: Ref, said: dict[str, str]) -> None:
        place = (self.tree_path(run), run.line) if run.expanded else (ref.path, ref.line)
        found = callable_named(self.tree, name, ref)
        if isinstance(found, str):
            self.b.add("exec_pgm", source, self.b.nodes.of_file(found), EXACT, *place, said, name)
        elif found.best is not None:
            self.b.add("exec_pgm", source, self.b.nodes.of_symbol(found.best), found.certainty, *place, said, name)
        else:
            reason = "unknown symbol" if "&" in name else EXTERNAL
            self.b.add("exec_pgm", source, self.b.nodes.of_name(PROGRAM, name), UNRESOLVED, *place, {**said, "reason": reason}, name)

    def tree_path(self, run: Run) -> str:
        """Return the path of the job's own statement."""
        return run.step.path

    def said(self, run: Run) -> dict[str, str]:
        """Return what every edge of a run tells: job and step."""
        return {"step": run.label, **({"job": run.job.name} if run.job else {})}

    def emit_call(self, ref: Ref) -> None:
        """Add the edge from a step to the procedure that it calls."""
        symbol = self.tree.symbol(ref.path, ref.source)
        step = self.tree.holder(symbol, ("step",)) if symbol else None
        source = self.b.nodes.of_symbol(step) if step else self.b.from_ref(ref)
        job = self.tree.holder(step, ("job",)) if step else None
        said = {key: value for key, value in ref.detail.items() if key != "set"} | ({"job": job.name} if job else {})
        found = self.procedure(ref.target, ref.path)
        if not found:
            self.b.add("exec_proc", source, self.b.nodes.of_name("proc", ref.target), UNRESOLVED, ref.path, ref.line, {**said, "reason": EXTERNAL})
            return
        proc = self.tree.holder(found[0].symbol, ("proc",))
        target = self.b.nodes.of_symbol(proc) if proc and proc.key == ref.target.upper() else self.b.nodes.of_file(found[0].symbol.path)
        self.b.add("exec_proc", source, target, EXACT, ref.path, ref.line, said, ref.target)

    def emit_loose(self, ref: Ref) -> None:
        """Add the edge of a DD outside steps: JOBLIB, JCLLIB, an INCLUDE group's."""
        symbol = self.tree.symbol(ref.path, ref.source)
        holder = self.tree.holder(symbol, ("job", "proc")) if symbol else None
        source = self.b.nodes.of_symbol(holder) if holder else self.b.nodes.of_file(ref.path)
        said = {**ref.detail, **({"job": holder.name} if holder and holder.kind == "job" else {})}
        if ref.detail.get("ddname", "").upper() in LIBRARY_DD:
            said["role"] = "library"
        self.b.add(ref.kind, source, self.b.nodes.of_name(DATASET, ref.target), EXACT, ref.path, ref.line, said)


def replace_call(call: _Call, label: str, symbols: dict[str, str], overrides: list[Ref], via: tuple[str, ...]) -> _Call:
    """Return the call as the procedure's step sees it."""
    return replace(call, label=label, symbols=symbols, overrides=overrides, via=via)


def pairs(text: str) -> dict[str, str]:
    """Return symbols and their values as an EXEC or PROC statement gives them.

    >>> pairs("HLQ=BANK.PROD,RUN=N")
    {'HLQ': 'BANK.PROD', 'RUN': 'N'}
    """
    found = {}
    for part in re.split(r",(?=[A-Z@#$][\w@#$]{0,7}=)", text, flags=re.IGNORECASE):
        key, equals, value = part.partition("=")
        if equals:
            found[key.upper()] = unquoted(value)
    return found


def _defaults(tree: Tree, step: Sym) -> dict[str, str]:
    proc = tree.holder(step, ("proc",))
    return pairs(proc.detail.get("defaults", "")) if proc else {}


def _label(holder: Sym | None, step: Sym) -> str:
    return ".".join(part for part in (holder.name if holder else "", step.name) if part)


def _filled(ref: Ref, symbols: Mapping[str, str]) -> str:
    raw = ref.detail.get("raw", ref.target)
    return unquoted(substituted(raw, symbols)) if symbols else ref.target


def _use(ref: Ref, symbols: Mapping[str, str]) -> Use:
    ddname = ref.detail.get("ddname", "").rpartition(".")[2].upper()
    raw = ref.detail.get("raw", "")
    if not raw and "&" in ref.target:
        inner = ref.detail.get("member") or ref.detail.get("generation")
        raw = f"{ref.target}({inner})" if inner else ref.target
    if symbols and raw:
        parts = dataset(substituted(raw, symbols))
        if parts.name:
            return Use(ref, ddname, parts.name, parts.member, parts.generation)
    return Use(ref, ddname, ref.target, ref.detail.get("member", ""), ref.detail.get("generation", ""))


def _overrides(ref: Ref, step: str, first: bool) -> bool:
    """Return whether a DD of the calling step belongs to that step of the procedure: by its name, without one to the first."""
    inner, dot, _ = ref.detail.get("ddname", "").upper().partition(".")
    return inner == step.upper() if dot else first
