"""Fields set and used: by qualified name in the program and in what it copies."""

from __future__ import annotations

import re

from legacylens_assets.graph.build import AMBIGUOUS, EXACT, EXTERNAL, FIELD, INFERRED, MISSING, UNKNOWN, UNRESOLVED, Build
from legacylens_assets.graph.replacing import Rules, made_names, renamed
from legacylens_assets.graph.tree import Ref, Sym

ITEMS = frozenset({"data_item", "declaration", "data_structure", "constant", "variable", "file", "record", "field", "common"})
SYSTEM_FIELD = re.compile(
    r"(?:EIB\w+|SQLCODE|SQLSTATE|SQLCA|SQLERRM?\w*|SQLERRD|SQLWARN\w*|DFH[\w-]+|RETURN-CODE|TALLY|SORT-\w+|XML-\w+"
    r"|JSON-\w+|DIB\w+|WHEN-COMPILED|MQ\w+-[\w-]+|NORMAL|NOTFND|ENDFILE|ENDDATA|DUP\w{3}|PGMIDERR|MAPFAIL|QIDERR|QZERO|INVREQ|IOERR|LENGERR|NOSPACE|NOTOPEN|ITEMERR)$"
)
"""Names that CICS, Db2, IMS, MQ and the compiler provide."""


def resolve_field(b: Build, ref: Ref) -> None:
    """Add the edge to the data item; shared items of a copybook are one node for all programs that copy it."""
    found = item(b, ref)
    source = b.from_ref(ref)
    if not found:
        missing = any(path in b.tree.lacking for path in b.tree.scope(ref.path))
        reason = EXTERNAL if SYSTEM_FIELD.match(ref.target.upper()) else MISSING if missing else UNKNOWN
        b.add(ref.kind, source, b.nodes.of_name(FIELD, ref.target), UNRESOLVED, ref.path, ref.line, {**ref.detail, "reason": reason})
        return
    more = {} if len(found) == 1 else {"reason": AMBIGUOUS, "candidates": str(len(found))}
    if found[0].kind in ("field", "map"):
        more = {"evidence": "symbolic map"}
    made = found[0].kind == "data_item" and found[0].key != key_of(ref)
    target = b.nodes.of_made(found[0], key_of(ref)) if made else b.nodes.of_symbol(found[0])
    b.add(ref.kind, source, target, INFERRED if more else EXACT, ref.path, ref.line, {**ref.detail, **more}, ref.target)


def key_of(ref: Ref) -> str:
    """Return the name of the item itself, without the groups before it (`group.item` of PL/I and SQL)."""
    return ref.target.upper().rpartition(".")[2] or ref.target.upper()


def item(b: Build, ref: Ref) -> list[Sym]:
    """Return the data items that the name can mean, the likeliest first; [] when none is known."""
    key = key_of(ref)
    held = _in_scope(b, key, ref.path, ref)
    if not held:
        for copier in b.tree.copiers.get(ref.path, [])[:20]:
            held = _in_scope(b, key, copier, ref)
            if held:
                break
    return held or _symbolic(b, key, ref.path)


def _symbolic(b: Build, key: str, path: str) -> list[Sym]:
    """Return the field of a BMS map that a symbolic name stands for: the field's name and one letter (I, O, L, F, A, C, P, H, V, U, M, T)."""
    if len(key) < 2 or key[-1] not in "IOLFACPHVUMT":
        return []
    for place in b.tree.scope(path)[1:]:
        if b.tree.languages.get(place) == "text":
            held = [symbol for symbol in b.tree.items(place).get(key[:-1], []) if symbol.kind in ("field", "map")]
            if held:
                return held[:1]
    return []


def _in_scope(b: Build, key: str, path: str, ref: Ref) -> list[Sym]:
    tree = b.tree
    of = ref.detail.get("of", "").upper()
    groups = [part for part in re.split(r"[\s,]+|\bOF\b|\bIN\b", of) if part]
    found: list[Sym] = []
    for place in tree.scope(path):
        held = [symbol for symbol in tree.items(place).get(key, []) if symbol.kind in ITEMS]
        found.extend(symbol for symbol in held if not groups or _within(b, symbol, groups))
        if not found:
            found = [s for s, rules in made_names(tree, place).get(key, []) if s.kind in ITEMS and (not groups or _within(b, s, groups, rules))]
    if not groups and len(found) > 1:
        found = _innermost(b, found, ref)
    return found


def _within(b: Build, symbol: Sym, groups: list[str], rules: Rules = ()) -> bool:
    around = {renamed(held.key, rules) for held in b.tree.ancestors(symbol) if held.index != symbol.index}
    return all(group in around for group in groups)


def _innermost(b: Build, found: list[Sym], ref: Ref) -> list[Sym]:
    """Return those declared in the innermost unit around the reference (PL/I scopes), else those of the same program, else all."""
    source = b.tree.symbol(ref.path, ref.source)
    if source is None:
        return found
    for unit in b.tree.ancestors(source):
        inside = [symbol for symbol in found if symbol.path == ref.path and symbol.parent == unit.index]
        if inside:
            return inside[:1] if b.tree.languages.get(ref.path) == "pli" else inside
    owner = b.tree.owner(source)
    own = [symbol for symbol in found if symbol.path != ref.path or b.tree.owner(symbol) is owner]
    return own or found
