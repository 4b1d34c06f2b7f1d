"""Symbols and references of one codebase become edges with both ends. Nothing is resolved across codebases."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING

from legacylens_assets.graph.batch import Streams
from legacylens_assets.graph.build import Build
from legacylens_assets.graph.calls import resolve_call, resolve_common, resolve_copy, resolve_dynamic, resolve_flow, resolve_use
from legacylens_assets.graph.datasets import Files, Join
from legacylens_assets.graph.fields import resolve_field
from legacylens_assets.graph.nodes import Node, Nodes
from legacylens_assets.graph.online import Online, resolve_cursor, resolve_sql
from legacylens_assets.graph.tree import MAINFRAME, Ref, Tree
from legacylens_assets.types import Edge

if TYPE_CHECKING:
    import pyarrow as pa

GRAPH_VERSION = "3"
UNITS = frozenset(
    {"program", "subroutine", "function", "procedure", "job", "proc", "step", "paragraph", "section", "entry", "mapset", "map", "table"}
)
"""Symbols that are nodes even when nothing names them: what an inventory lists and where dead code is looked for."""


@dataclass(frozen=True, slots=True)
class Graph:
    """Nodes, and edges with the numbers of the nodes at their ends."""

    nodes: list[Node]
    edges: list[Edge]
    ends: list[tuple[int, int]]


def resolve(files: pa.Table, symbols: pa.Table, references: pa.Table) -> Graph:
    """Return the graph of one codebase from its stage tables: every reference gives at least one edge, resolved or with the reason why not."""
    tree = Tree.of(files, symbols)
    b = Build(tree, Nodes(tree))
    refs = _by_file(references)
    flat = [ref for held in refs.values() for ref in held]
    for ref in flat:
        if ref.kind in ("copy", "include"):
            resolve_copy(b, ref)
            _note_copies(b)
    online, used, streams = Online(b), Files(b), Streams(b, refs)
    online.collect(flat)
    simple = _simple(online)
    for ref in flat:
        handler = simple.get(ref.kind)
        if handler is not None and not (ref.kind == "call" and _is_command_file(b, ref)):
            handler(b, ref)
    used.collect(flat)
    _batch(b, streams, used, refs, flat)
    _files(b, used, online, flat)
    online.undefined()
    _declare(b)
    return Graph(b.nodes.rows, b.edges, b.ends)


def _by_file(references: pa.Table) -> dict[str, list[Ref]]:
    found: dict[str, list[Ref]] = {}
    columns = [references.column(name).to_pylist() for name in ("path", "kind", "target", "line", "source", "detail")]
    for path, kind, target, line, source, detail in zip(*columns, strict=True):
        found.setdefault(path, []).append(Ref(path, kind, target, line, source, json.loads(detail) if detail else {}))
    return found


def _note_copies(b: Build) -> None:
    """Note the copy of the edge that was made last."""
    edge = b.edges[-1]
    if edge.target_path and edge.certainty != "unresolved" and edge.target_path != edge.path:
        b.tree.note_copy(edge.path, edge.target_path)
        if edge.detail.get("replacing"):
            b.tree.replaced.setdefault(edge.path, []).append((edge.target_path, edge.detail["replacing"]))


def _is_command_file(b: Build, ref: Ref) -> bool:
    return b.tree.languages.get(ref.path) == "jcl"


def _simple(online: Online) -> Mapping[str, Callable[[Build, Ref], None]]:
    """Return what resolves each kind that needs nothing but the tree."""
    return MappingProxyType(
        {
            "call": resolve_call, "function_ref": resolve_call, "call_dynamic": resolve_dynamic, "exsr": resolve_flow, "perform": resolve_flow,
            "goto": resolve_flow, "use": resolve_use, "common": resolve_common, "sql_read": resolve_sql, "sql_write": resolve_sql,
            "sql_cursor": resolve_cursor, "field_set": resolve_field, "field_used": resolve_field,
            "cics_link": _dynamic_or_not, "cics_xctl": _dynamic_or_not, "cics_start": lambda b, ref: online.to_transaction(ref),
            "cics_return": lambda b, ref: online.to_transaction(ref), "cics_map": lambda b, ref: online.map(ref),
            "cics_file": lambda b, ref: online.file(ref), "cics_queue": lambda b, ref: online.queue(ref),
            "transaction": lambda b, ref: online.transaction(ref),
        }
    )  # fmt: skip


def _dynamic_or_not(b: Build, ref: Ref) -> None:
    (resolve_dynamic if ref.detail.get("dynamic") else resolve_call)(b, ref)


def _batch(b: Build, streams: Streams, used: Files, refs: Mapping[str, list[Ref]], flat: list[Ref]) -> None:
    join = Join(b, used, streams, refs)
    for run in streams.runs():
        streams.emit(run)
        join.run(run)
    for ref in flat:
        if ref.kind == "exec_proc":
            streams.emit_call(ref)
        elif ref.kind == "control_card":
            _card(b, ref)
    for held in streams.loose.values():
        for ref in held:
            if ref.kind == "dd":
                streams.emit_loose(ref)
    for ref in flat:
        if ref.kind == "file_assign" and b.tree.languages.get(ref.path) in MAINFRAME - {"jcl", "rpg"}:
            join.assign(ref)


def _card(b: Build, ref: Ref) -> None:
    """Keep a control statement by its verb; its operands become datasets and programs elsewhere."""
    detail = {key: value for key, value in ref.detail.items() if key != "text"}
    b.add("control_card", b.from_ref(ref), b.nodes.of_name("control statement", ref.target), "exact", ref.path, ref.line, detail)


def _files(b: Build, used: Files, online: Online, flat: list[Ref]) -> None:
    for ref in flat:
        language = b.tree.languages.get(ref.path)
        if ref.kind in ("file_read", "file_write"):
            used.resolve(ref)
        elif ref.kind == "file_assign" and language in ("text", "jcl"):
            online.definition(ref)
        elif ref.kind == "file_assign" and language == "rpg":
            used.database(ref)


def _declare(b: Build) -> None:
    """Make nodes of the units that nothing names."""
    for held in b.tree.symbols.values():
        for symbol in held:
            if symbol.kind in UNITS:
                b.nodes.of_symbol(symbol)
    for path in b.tree.languages:
        b.nodes.of_file(path)
