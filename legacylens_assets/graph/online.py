"""CICS, SQL and queues: transactions, maps, files defined in the CSD, tables."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from legacylens_assets.graph.build import (
    CURSOR,
    DATASET,
    DYNAMIC,
    EXACT,
    EXTERNAL,
    FILE_NAME,
    INFERRED,
    MAP,
    PROGRAM,
    QUEUE,
    TABLE,
    TRANSACTION,
    UNRESOLVED,
    Build,
    values,
)
from legacylens_assets.graph.calls import callable_named
from legacylens_assets.graph.constants import constants
from legacylens_assets.graph.tree import Found, Ref


def table_node(b: Build, name: str) -> int:
    """Return the node of an SQL table: a bare name is the qualified one where exactly one ends so; its DDL is its place."""
    key = name.upper().replace('"', "")
    bare = key.rpartition(".")[2]
    held = [symbol for symbol in b.tree.names.get(key, []) + b.tree.names.get(bare, []) if symbol.kind == "table"]
    place = (held[0].path, held[0].start) if held else ("", 0)
    if "." not in key:
        qualified = {symbol.key for symbols in (b.tree.names.get(bare, []),) for symbol in symbols if symbol.kind == "table"}
        key = next(iter(qualified)) if len(qualified) == 1 else key
    return b.nodes.of_name(TABLE, key, place)


def resolve_sql(b: Build, ref: Ref) -> None:
    """Add the edge to a table that static SQL reads or writes."""
    b.add(ref.kind, b.from_ref(ref), table_node(b, ref.target), EXACT, ref.path, ref.line, ref.detail, ref.target)


def resolve_cursor(b: Build, ref: Ref) -> None:
    """Add the edge to a cursor, which is known within its file."""
    b.add(
        ref.kind, b.from_ref(ref), b.nodes.of_name(CURSOR, f"{b.tree.stem(ref.path)}.{ref.target}"), EXACT, ref.path, ref.line, ref.detail, ref.target
    )


@dataclass(slots=True)
class Online:
    """What the CSD defines: the program of each transaction, the dataset of each file."""

    b: Build
    programs: dict[str, list[Ref]] = field(default_factory=dict)
    datasets: dict[str, str] = field(default_factory=dict)
    returns: dict[str, set[int]] = field(default_factory=dict)

    def collect(self, refs: Iterable[Ref]) -> None:
        """Note definitions, and which programs come back under which transaction."""
        for ref in refs:
            if ref.kind == "transaction":
                self.programs.setdefault(ref.target.upper(), []).append(ref)
            elif ref.kind == "file_assign" and self.b.tree.languages.get(ref.path) in ("text", "jcl") and "." in ref.detail.get("file", ""):
                self.datasets.setdefault(ref.target.upper(), ref.detail["file"].upper())
            elif ref.kind == "cics_return":
                for name in self.names(ref):
                    self.returns.setdefault(name.upper(), set()).add(self.b.unit(ref))

    def names(self, ref: Ref) -> list[str]:
        """Return the literals that a CICS option may hold."""
        if not ref.detail.get("dynamic"):
            return [ref.target]
        return values(ref) or [value for value, _ in constants(self.b, ref)]

    def transaction(self, ref: Ref) -> None:
        """Add the edge from a transaction to the program that it starts."""
        source = self.b.nodes.of_name(TRANSACTION, ref.target, (ref.path, ref.line))
        self._starts(source, ref.detail.get("program", ""), ref, EXACT, {key: value for key, value in ref.detail.items() if key != "text"})

    def _starts(self, source: int, program: str, ref: Ref, certainty: str, detail: dict[str, str]) -> None:
        found = callable_named(self.b.tree, program, ref)
        if isinstance(found, str):
            self.b.add("transaction", source, self.b.nodes.of_file(found), certainty, ref.path, ref.line, detail, program)
        elif found.best is not None:
            self.b.add("transaction", source, self.b.nodes.of_symbol(found.best), certainty, ref.path, ref.line, detail, program)
        else:
            target = self.b.nodes.of_name(PROGRAM, program)
            self.b.add("transaction", source, target, UNRESOLVED, ref.path, ref.line, {**detail, "reason": EXTERNAL}, program)

    def undefined(self) -> None:
        """Infer the program of a transaction that no definition names: the only program that comes back under it."""
        for name, units in sorted(self.returns.items()):
            if name not in self.programs and len(units) == 1:
                unit = next(iter(units))
                row = self.b.nodes.rows[unit]
                source = self.b.nodes.of_name(TRANSACTION, name)
                self.b.add("transaction", source, unit, INFERRED, row.path, row.line, {"evidence": f"RETURN TRANSID({name}) in {row.name}"}, row.name)

    def to_transaction(self, ref: Ref) -> None:
        """RETURN TRANSID and START TRANSID: to the transaction."""
        self._each(ref, TRANSACTION)

    def queue(self, ref: Ref) -> None:
        """Add the edge to a transient data or temporary storage queue."""
        self._each(ref, QUEUE)

    def _each(self, ref: Ref, kind: str) -> None:
        source = self.b.from_ref(ref)
        kept = {key: value for key, value in ref.detail.items() if key != "values"}
        names = self.names(ref)
        for name in names:
            certainty = INFERRED if ref.detail.get("dynamic") else EXACT
            more = {**kept, "evidence": f"{ref.target} = '{name}'"} if ref.detail.get("dynamic") else kept
            if kind == TRANSACTION and name.upper() not in self.programs and len(self.returns.get(name.upper(), ())) != 1:
                more, certainty = {**more, "reason": "no definition of the transaction"}, UNRESOLVED
            self.b.add(ref.kind, source, self.b.nodes.of_name(kind, name), certainty, ref.path, ref.line, more, name)
        if not names:
            self.b.add(ref.kind, source, self.b.nodes.of_name(kind, ref.target), UNRESOLVED, ref.path, ref.line, {**kept, "reason": DYNAMIC})

    def file(self, ref: Ref) -> None:
        """Add the edge to a CICS file, and from the program to the dataset that the file's definition names."""
        self._each(ref, FILE_NAME)
        access = ref.detail.get("access", "read")
        for name in self.names(ref):
            dataset = self.datasets.get(name.upper())
            if dataset:
                ways = ("dataset_write",) if access in ("write", "delete") else ("dataset_read",)
                certainty = INFERRED if ref.detail.get("dynamic") else EXACT
                said = {"via": "csd", "file": name, "verb": ref.detail.get("verb", "")}
                for way in ways:
                    self.b.add(way, self.b.unit(ref), self.b.nodes.of_name(DATASET, dataset), certainty, ref.path, ref.line, said, dataset)

    def definition(self, ref: Ref) -> None:
        """Add the edge of a CSD definition or a CL override: from the file's name to the dataset or database file."""
        source, target = self.b.nodes.of_name(FILE_NAME, ref.target), self.b.nodes.of_name(DATASET, ref.detail.get("file", ref.target))
        self.b.add("file_assign", source, target, EXACT, ref.path, ref.line, {key: value for key, value in ref.detail.items() if key != "text"})

    def map(self, ref: Ref) -> None:
        """SEND and RECEIVE MAP: to the map of the mapset."""
        mapset = ref.detail.get("mapset", "")
        for name in self.names(ref) or [""]:
            held = [symbol for symbol in self.b.tree.names.get(name.upper(), []) if symbol.kind == "map"]
            inside = [s for s in held if any(a.key == mapset.upper() for a in self.b.tree.ancestors(s))]
            found = self.b.tree.nearest(inside or held, ref.path)
            kept = {key: value for key, value in ref.detail.items() if key != "values"}
            target = Ref(ref.path, ref.kind, name or ref.target, ref.line, ref.source, kept)
            if ref.detail.get("dynamic") and found.best is not None:
                more = {**kept, "evidence": f"{ref.target} = '{name}'"}
                self.b.add(ref.kind, self.b.from_ref(ref), self.b.nodes.of_symbol(found.best), INFERRED, ref.path, ref.line, more, name)
            else:
                self.b.to_symbol(target, found if name else Found(), MAP, EXTERNAL if name else DYNAMIC)
