"""Programs and datasets: a DD of a step, or a CICS or OS/400 file definition, gives the dataset that a program's file stands for."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from legacylens_assets.graph.batch import LIBRARY_DD, Run, Streams, Use
from legacylens_assets.graph.build import DATASET, DDNAME, EXACT, EXTERNAL, INFERRED, PROGRAM, UNKNOWN, UNRESOLVED, Build
from legacylens_assets.graph.calls import callable_named
from legacylens_assets.graph.online import table_node
from legacylens_assets.graph.replacing import made_names
from legacylens_assets.graph.tree import MAINFRAME, Ref, Sym
from legacylens_assets.parsers.jcl.control import UTILITIES

READS, WRITES = 1, 2
ACCESS: Mapping[int, str] = {READS: "read", WRITES: "write", READS | WRITES: "update"}
CALLS = frozenset({"call", "call_dynamic", "function_ref"})
MOST_CALLED = 500
COMMAND_DD = frozenset({"SYSTSIN", "SYSIN"})
"""DDs whose data are commands that may run programs."""
OPENED: Mapping[str, int] = {"INPUT": READS, "OUTPUT": WRITES, "EXTEND": WRITES}
_INFILE = re.compile(r"\bI(?:N)?(?:FILE|DATASET|DS)\s*\(\s*([\w@#$]+)", re.IGNORECASE)
_OUTFILE = re.compile(r"\bO(?:UT)?(?:FILE|DATASET|DS)\s*\(\s*([\w@#$]+)", re.IGNORECASE)
_SORTIN, _SORTOUT = re.compile(r"SORTIN\d*$|SORTJNF\d$"), re.compile(r"SORTOUT$|SORTOF\w+$")


@dataclass(slots=True)
class FileUse:
    """A program's file: its DD name, where it is declared, what is done with it (bits READS, WRITES)."""

    name: str
    ddname: str
    path: str
    line: int
    node: int
    verbs: int = 0
    opened: int = 0

    @property
    def access(self) -> int:
        """Return what is done: by the statements that read and write, by the mode of OPEN when there are none."""
        return self.verbs | (self.opened & WRITES) or self.opened


@dataclass(slots=True)
class Files:
    """The files of every program, by the program's node."""

    b: Build
    held: dict[int, dict[str, FileUse]] = field(default_factory=dict)
    calls: dict[int, dict[int, bool]] = field(default_factory=dict)
    used: set[tuple[int, str]] = field(default_factory=set)

    def collect(self, refs: Iterable[Ref]) -> None:
        """Note what each program declares, reads and writes."""
        later = []
        for ref in refs:
            if ref.kind == "file_assign" and self.b.tree.languages.get(ref.path) in MAINFRAME - {"jcl"}:
                unit = self.program(ref)
                name = ref.detail.get("file", ref.target).upper()
                self.held.setdefault(unit, {})[name] = FileUse(name, ref.target.upper(), ref.path, ref.line, self._declared(ref, name))
            elif ref.kind in ("file_read", "file_write"):
                later.append(ref)
        for ref in later:
            use = self.of(ref)
            if use is not None:
                way = READS if ref.kind == "file_read" else WRITES
                mode = ref.detail.get("mode", "")
                if ref.detail.get("verb") == "OPEN" or mode:
                    use.opened |= OPENED.get(mode.upper(), way if mode.upper() not in ("I-O", "UPDATE") else READS)
                else:
                    use.verbs |= way

    def program(self, ref: Ref) -> int:
        """Return the node that files are declared in: the outermost unit of a program's file, the file itself for RPG."""
        tree = self.b.tree
        if tree.languages.get(ref.path) == "rpg":
            return self.b.nodes.of_file(ref.path)
        symbol = tree.symbol(ref.path, ref.source)
        held = [s for s in tree.ancestors(symbol) if s.kind in ("program", "procedure")] if symbol else []
        return self.b.nodes.of_symbol(held[-1] if tree.languages.get(ref.path) == "pli" else held[0]) if held else self.b.nodes.of_file(ref.path)

    def _declared(self, ref: Ref, name: str) -> int:
        symbol = next((s for s in self.b.tree.items(ref.path).get(name, []) if s.kind in ("file", "declaration")), None)
        return self.b.nodes.of_symbol(symbol) if symbol else -1

    def of(self, ref: Ref) -> FileUse | None:
        """Return the file that a READ or WRITE means: by name, by its record's name, the nearest program that copies the statement."""
        held = self.held.get(self.program(ref), {})
        found = held.get(ref.target.upper())
        if found is None and self.b.tree.languages.get(ref.path) == "cobol":
            return self._by_record(ref, held)
        if found is not None or self.b.tree.languages.get(ref.path) != "rpg":
            return found
        for symbol in self.b.tree.names.get(ref.target.upper(), []):
            if symbol.kind == "record":
                member = self.b.tree.stem(symbol.path).upper()
                if member in held:
                    return held[member]
        return None

    def _by_record(self, ref: Ref, held: Mapping[str, FileUse]) -> FileUse | None:
        """Return the file whose FD copies the record that a WRITE names."""
        tree, current = self.b.tree, ""
        for symbol in tree.symbols.get(ref.path, []):
            if symbol.kind == "file" and symbol.detail.get("role") in ("fd", "sd"):
                current = symbol.key
            elif symbol.kind == "division" or (symbol.kind == "data_item" and symbol.detail.get("section", "file") != "file"):
                current = ""
            elif symbol.kind == "copy" and current in held and self._starts(symbol, ref):
                return held[current]
        return None

    def _starts(self, copy: Sym, ref: Ref) -> bool:
        path = next((place for place in self.b.tree.copied.get(ref.path, []) if self.b.tree.stem(place).upper() == copy.key), "")
        key = ref.target.upper()
        made = [symbol for symbol, _ in made_names(self.b.tree, ref.path).get(key, []) if symbol.path == path]
        return any(symbol.parent is None and symbol.kind == "data_item" for symbol in (*self.b.tree.items(path).get(key, []), *made))

    def resolve(self, ref: Ref) -> None:
        """Add the edge from a statement to the file that it reads or writes."""
        use = self.of(ref)
        source = self.b.from_ref(ref)
        if use is None:
            target = self.b.nodes.of_name("file", ref.target)
            self.b.add(ref.kind, source, target, UNRESOLVED, ref.path, ref.line, {**ref.detail, "reason": UNKNOWN})
            return
        target = use.node if use.node >= 0 else self.b.nodes.of_name(DATASET, use.ddname)
        certainty = EXACT if use.name == ref.target.upper() else INFERRED
        self.b.add(ref.kind, source, target, certainty, ref.path, ref.line, {**ref.detail, "ddname": use.ddname}, ref.target)

    def database(self, ref: Ref) -> None:
        """Add the edges from an RPG program to the database or device file of a declaration: the file's name is that of the object."""
        unit = self.program(ref)
        use = self.held[unit][ref.detail.get("file", ref.target).upper()]
        held = self.b.tree.stems.get(use.ddname, [])
        place = next(((path, 1) for path in held if self.b.tree.languages.get(path) == "text"), ("", 0))
        target = self.b.nodes.of_name(DATASET, use.ddname, place)
        self.b.add("file_assign", unit, target, EXACT, ref.path, ref.line, ref.detail)
        usage = ref.detail.get("usage", "I").upper()[:1]
        access = use.access or {"O": WRITES, "U": READS | WRITES, "C": READS | WRITES}.get(usage, READS)
        for way, kind in ((READS, "dataset_read"), (WRITES, "dataset_write")):
            if access & way:
                self.b.add(kind, unit, target, EXACT, ref.path, ref.line, {"file": use.name, "device": ref.detail.get("device", "")})

    def reached(self, program: int) -> list[tuple[int, bool]]:
        """Return the programs that run when ``program`` does, itself first, with whether every call on the way is exact."""
        if not self.calls:
            self._collect_calls()
        order, seen, queue = [(program, True)], {program}, deque([(program, True)])
        while queue and len(order) < MOST_CALLED:
            unit, sure = queue.popleft()
            for called, exact in self.calls.get(unit, {}).items():
                if called not in seen:
                    seen.add(called)
                    order.append((called, sure and exact))
                    queue.append((called, sure and exact))
        return order

    def _collect_calls(self) -> None:
        self.calls = {-1: {}}
        rows = self.b.nodes.rows
        for edge, (source, target) in zip(self.b.edges, self.b.ends, strict=True):
            if edge.kind in CALLS and edge.certainty != UNRESOLVED:
                start, end = rows[source].owner, rows[target].owner
                if start != end:
                    held = self.calls.setdefault(start, {})
                    held[end] = held.get(end, False) or edge.certainty == EXACT


class Join:
    """Joins the DDs of each run with the files of the programs that run in it."""

    def __init__(self, b: Build, files: Files, streams: Streams, refs: Mapping[str, list[Ref]]) -> None:
        self.b = b
        self.files = files
        self.streams = streams
        self.refs = refs
        self._seen: set[tuple[object, ...]] = set()

    def run(self, run: Run) -> None:
        """Add the edges from a step, and from the programs in it, to its datasets."""
        source = self.b.nodes.of_symbol(run.step)
        said = self.streams.said(run)
        programs = list(self._programs(run))
        cards = self._cards(run)
        for use in run.uses:
            matches = [(node, sure, file) for node, sure in programs for file in self.files.held.get(node, {}).values() if file.ddname == use.ddname]
            detail = self._detail(run, use, said, matches, cards)
            target = self.b.nodes.of_name(DATASET, use.name)
            certainty = INFERRED if run.job is None and run.path in self.streams.called and use.ref.detail.get("raw") else EXACT
            certainty = UNRESOLVED if "&" in use.name.replace("&&", "") else certainty
            if certainty == UNRESOLVED:
                detail["reason"] = "unknown symbol"
            self.b.add("dd", source, target, certainty, use.ref.path, use.ref.line, detail, use.name)
            self._member(source, use, said)
            for node, sure, file in matches:
                self._program_data(node, target, use, file, {**said, "ddname": use.ddname, "file": file.name}, sure and certainty == EXACT)

    def _programs(self, run: Run) -> Iterable[tuple[int, bool]]:
        """Yield the programs whose DDs these are, called ones included."""
        seen = set()
        for name, ref in (*run.programs, *self._run_by_members(run)):
            found = callable_named(self.b.tree, name, ref)
            if isinstance(found, str):
                start = self.b.nodes.of_file(found)
            elif found.best is not None:
                start = self.b.nodes.of_symbol(found.best)
            else:
                continue
            for node, sure in self.files.reached(start):
                if node not in seen:
                    seen.add(node)
                    yield node, sure

    def _cards(self, run: Run) -> dict[str, int]:
        """Return what the control statements of a step do with its DD names."""
        found: dict[str, int] = {}
        for card in run.cards:
            text = card.detail.get("text", "")
            for pattern, way in ((_INFILE, READS), (_OUTFILE, WRITES)):
                for name in pattern.findall(text):
                    found[name.upper()] = found.get(name.upper(), 0) | way
            if card.detail.get("verb") == "OUTFIL" and card.target != "OUTFIL":
                found[card.target.upper()] = WRITES
        return found

    def _detail(
        self, run: Run, use: Use, said: Mapping[str, str], matches: list[tuple[int, bool, FileUse]], cards: Mapping[str, int]
    ) -> dict[str, str]:
        detail = {**{key: value for key, value in use.ref.detail.items() if key not in ("raw", "values")}, **said, "ddname": use.ddname}
        detail |= {"member": use.member, "generation": use.generation}
        if run.via:
            detail["proc"] = "/".join(run.via)
        if use.ref.detail.get("via"):
            return detail
        known, how = 0, "program"
        for _, _, file in matches:
            known |= file.access
        if not known:
            known, how = cards.get(use.ddname, 0), "control statement"
        if not known and any(UTILITIES.get(name) for name, _ in run.programs):
            known, how = _by_convention(use.ddname), "utility"
        if known:
            detail |= {"access": ACCESS[known], "access_from": how}
        if use.ddname in LIBRARY_DD:
            detail["role"] = "library"
        return detail

    def _program_data(self, node: int, target: int, use: Use, file: FileUse, said: Mapping[str, str], sure: bool) -> None:
        self.files.used.add((node, file.ddname))
        for way, kind in ((READS, "dataset_read"), (WRITES, "dataset_write")):
            key = (kind, node, target, said.get("job"), said.get("step"), use.ddname, use.ref.line)
            if (file.access or READS) & way and key not in self._seen:
                self._seen.add(key)
                more = {**said, "program_line": str(file.line), "generation": use.generation}
                self.b.add(kind, node, target, EXACT if sure else INFERRED, use.ref.path, use.ref.line, more, use.name)

    def _run_by_members(self, run: Run) -> list[tuple[str, Ref]]:
        """Return the programs that the statements of a step's control members run."""
        refs = [ref for use in run.uses for path in self._members(use)[:1] for ref in self.refs.get(path, []) if use.ddname in COMMAND_DD]
        return [(ref.target, ref) for ref in refs if ref.kind in ("call", "exec_pgm")]

    def _members(self, use: Use) -> list[str]:
        """Return the files that a DD of the form LIBRARY(MEMBER) can mean, nearest first."""
        if not use.member or use.ddname in LIBRARY_DD:
            return []
        tree = self.b.tree
        return tree.members(use.member, use.ref.path, lambda path: tree.languages.get(path) in ("text", "jcl") and path != use.ref.path)

    def _member(self, source: int, use: Use, said: Mapping[str, str]) -> None:
        """Add the edge to the file of a control member, and to the programs and tables that its statements name."""
        found = self._members(use)
        if not found:
            return
        detail = {**said, "ddname": use.ddname, "library": use.name}
        certainty = EXACT if len(found) == 1 else INFERRED
        self.b.add("control_member", source, self.b.nodes.of_file(found[0]), certainty, use.ref.path, use.ref.line, detail)
        for ref in self.refs.get(found[0], []):
            if ref.kind in ("call", "exec_pgm") and use.ddname in COMMAND_DD:
                self._runs(source, ref, said)
            elif ref.kind in ("sql_read", "sql_write"):
                self.b.add(ref.kind, source, table_node(self.b, ref.target), EXACT, ref.path, ref.line, {**said, "via": "control member"})

    def _runs(self, source: int, ref: Ref, said: Mapping[str, str]) -> None:
        found = callable_named(self.b.tree, ref.target, ref)
        known = not isinstance(found, str) and found.best is not None
        node = self.b.nodes.of_symbol(found.best) if not isinstance(found, str) and found.best else self.b.nodes.of_name(PROGRAM, ref.target)
        more = {**said, "via": "control member", **({} if known else {"reason": EXTERNAL})}
        self.b.add("exec_pgm", source, node, EXACT if known else UNRESOLVED, ref.path, ref.line, more, ref.target)

    def assign(self, ref: Ref) -> None:
        """Add the edge from a program to its DD name: exact when a step of some job gives it a dataset."""
        unit = self.files.program(ref)
        joined = (unit, ref.target.upper()) in self.files.used
        more = {} if joined else {"reason": "no job step gives the DD"}
        self.b.add(
            "file_assign", unit, self.b.nodes.of_name(DDNAME, ref.target), EXACT if joined else UNRESOLVED, ref.path, ref.line, {**ref.detail, **more}
        )


def _by_convention(ddname: str) -> int:
    if ddname == "SYSUT1" or _SORTIN.match(ddname):
        return READS
    if ddname == "SYSUT2" or _SORTOUT.match(ddname):
        return WRITES
    return 0
