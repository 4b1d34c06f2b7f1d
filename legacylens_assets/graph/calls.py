"""Control flow: calls between units, PERFORM and GO TO inside one, COPY and INCLUDE, USE and COMMON."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import PurePosixPath

from legacylens_assets.graph.build import (
    BLOCK,
    COPYBOOK,
    DYNAMIC,
    EXACT,
    EXTERNAL,
    INFERRED,
    LABEL,
    MISSING,
    PROGRAM,
    UNKNOWN,
    UNRESOLVED,
    Build,
    values,
)
from legacylens_assets.graph.constants import constants
from legacylens_assets.graph.tree import ENTERED, Found, Ref, Sym, Tree

SYSTEM_COPY = re.compile(r"(?:DFH|SQLCA$|SQLDA$|DSN|CMQ|DLI|IXG|CEE|XPATH|UMASM|AIB)", re.IGNORECASE)
"""Copybooks that come with CICS, Db2, MQ, IMS and Language Environment: nobody keeps them with the source."""
FLOW = frozenset({"paragraph", "section", "label", "division"})
COMMANDS = frozenset({"cl", "clle", "clp", "rexx", "asm", "assembler", "hlasm", "alm", "shell", "exec_com", "command", "bcpl"})


def resolve_copy(b: Build, ref: Ref) -> None:
    """COPY, INCLUDE, %INCLUDE, /COPY: to the file with that member name, a symbolic map to its BMS mapset."""
    name = PurePosixPath(ref.target.replace("\\", "/").rsplit(",", 1)[-1].strip("'\"<> ")).name
    target = included(b.tree, ref)
    source = b.unit(ref)
    if target:
        others = len(b.tree.members(b.tree.stem(target), ref.path, _suits(b.tree, ref))) - 1 if "." not in name else 0
        more = {"candidates": str(others + 1), "reason": "ambiguous"} if others > 0 else {}
        b.add(ref.kind, source, b.nodes.of_file(target), INFERRED if more else EXACT, ref.path, ref.line, {**ref.detail, **more}, name)
        return
    mapset = next((symbol for symbol in b.tree.names.get(name.upper(), []) if symbol.kind == "mapset"), None)
    if mapset is not None:
        b.add(
            ref.kind, source, b.nodes.of_symbol(mapset), INFERRED, ref.path, ref.line, {**ref.detail, "evidence": "symbolic map of the mapset"}, name
        )
        return
    language = b.tree.languages.get(ref.path, "")
    reason = EXTERNAL if language == "c" or SYSTEM_COPY.match(name) else MISSING
    if reason == MISSING:
        b.tree.lacking.add(ref.path)
    b.add(ref.kind, source, b.nodes.of_name(COPYBOOK, name), UNRESOLVED, ref.path, ref.line, {**ref.detail, "reason": reason}, name)


def included(tree: Tree, ref: Ref) -> str:
    """Return the path of the file that a copy or include names, "" when it is not here."""
    target = ref.target.replace("\\", "/").strip("'\"<> ")
    if "." in target or tree.languages.get(ref.path) == "c":
        found = _by_path(tree, ref.path, target)
        if found:
            return found
    name = target.rsplit(",", 1)[-1].rsplit("/", 1)[-1]
    held = tree.members(name.split(".", 1)[0], ref.path, _suits(tree, ref))
    return held[0] if held else ""


def _by_path(tree: Tree, path: str, target: str) -> str:
    """Return the file at ``target`` as seen from ``path``, else the one whose path ends so."""
    parts: list[str] = []
    for part in (*PurePosixPath(path).parent.parts, *PurePosixPath(target).parts):
        if part == ".." and parts:
            parts.pop()
        elif part not in (".", ".."):
            parts.append(part)
    direct = "/".join(parts)
    if direct in tree.languages:
        return direct
    tail = "/" + target.lstrip("./").lower()
    held = tree.members(PurePosixPath(target).name.split(".", 1)[0], path, lambda other: ("/" + other).lower().endswith(tail))
    return held[0] if held else ""


def _suits(tree: Tree, ref: Ref) -> Callable[[str], bool]:
    """Return which files may be copied from there: the same language for COBOL, PL/I and RPG, a member without a program for JCL."""
    language = tree.languages.get(ref.path, "")

    def suits(path: str) -> bool:
        if path == ref.path:
            return False
        other = tree.languages.get(path, "")
        if language in ("cobol", "pli", "rpg"):
            starts = any(symbol.kind == "program" for symbol in tree.symbols.get(path, [])[:1])
            return other == language and not (language == "cobol" and starts)
        return other in (language, "text") if language != "c" else False

    return suits


def resolve_call(b: Build, ref: Ref) -> None:
    """CALL, function reference, EXSR, LINK, XCTL of a literal: to the unit of that name."""
    found = callable_named(b.tree, ref.target, ref)
    if isinstance(found, str):
        b.add(ref.kind, b.from_ref(ref), b.nodes.of_file(found), EXACT, ref.path, ref.line, ref.detail, ref.target)
    elif found.best is not None and ref.detail.get("via"):
        more = {**ref.detail, "evidence": f"named {ref.detail['via']}, not called here"}
        b.add(ref.kind, b.from_ref(ref), b.nodes.of_symbol(found.best), INFERRED, ref.path, ref.line, more, ref.target)
    else:
        b.to_symbol(ref, found, PROGRAM)


def resolve_dynamic(b: Build, ref: Ref) -> None:
    """Add one inferred edge for each literal that can reach the variable of a call, with what says so as evidence."""
    held = [(value, f"{ref.target} = '{value}'") for value in values(ref)] or constants(b, ref)
    kept = {key: value for key, value in ref.detail.items() if key not in ("values", "dynamic")} | {"dynamic": "1"}
    source = b.from_ref(ref)
    for value, evidence in held:
        name = value.upper()
        found = callable_named(b.tree, name, ref)
        more = {**kept, "evidence": evidence}
        if isinstance(found, str):
            b.add(ref.kind, source, b.nodes.of_file(found), INFERRED, ref.path, ref.line, more, name)
        elif found.best is not None:
            b.add(ref.kind, source, b.nodes.of_symbol(found.best), INFERRED, ref.path, ref.line, more, name)
        else:
            b.add(ref.kind, source, b.nodes.of_name(PROGRAM, name), UNRESOLVED, ref.path, ref.line, {**more, "reason": EXTERNAL}, name)
    if not held:
        target = b.nodes.of_name(PROGRAM, ref.target)
        b.add(ref.kind, source, target, UNRESOLVED, ref.path, ref.line, {**kept, "reason": DYNAMIC})


def callable_named(tree: Tree, name: str, ref: Ref) -> Found | str:
    """Return what a call of ``name`` reaches: a symbol, or the path of a file that is itself the program (RPG, CL, REXX)."""
    key = name.upper()
    language = tree.languages.get(ref.path, "")
    if language == "pli" or tree.dialects.get(ref.path) == "asm":
        segment, dollar, entry = key.partition("$")
        if dollar:
            return _entry_of(tree, segment, entry or segment, ref)
    local = _internal(tree, key, ref)
    if local is not None:
        return Found(local)
    kinds = ENTERED | {"macro"} if language == "c" else ENTERED
    held = [symbol for symbol in tree.names.get(key, []) if symbol.kind in kinds and _reachable(tree, symbol, ref)]
    if language == "c":
        held = [symbol for symbol in held if symbol.kind != "macro"] or held
    found = tree.nearest(held, ref.path)
    return found if found.best else script(tree, key, ref) or found


def script(tree: Tree, key: str, ref: Ref) -> str:
    """Return the file that is itself the program ``key``, "" when there is none."""

    def suits(path: str) -> bool:
        return path != ref.path and (tree.languages.get(path) in ("rpg", "c", "cobol") or tree.dialects.get(path, "").lower() in COMMANDS)

    if tree.languages.get(ref.path) in ("fortran", "c") and ref.kind not in ("exec_pgm",):
        return ""
    held = [path for path in tree.members(key, ref.path, suits) if not _copybook(tree, path)]
    return held[0] if held else ""


def _copybook(tree: Tree, path: str) -> bool:
    language = tree.languages.get(path)
    return language == "cobol" and not any(symbol.kind == "program" for symbol in tree.symbols.get(path, []))


def _internal(tree: Tree, key: str, ref: Ref) -> Sym | None:
    """Return the unit of the same file that the call means: the innermost one in scope, else any of the file."""
    held = [symbol for symbol in tree.items(ref.path).get(key, []) if symbol.kind in ENTERED or symbol.kind == "macro"]
    if not held:
        return None
    if len(held) == 1:
        return held[0]
    source = tree.symbol(ref.path, ref.source)
    around = {symbol.index for symbol in tree.ancestors(source)} if source else set()
    return next((symbol for symbol in reversed(held) if symbol.parent in around), held[0])


def _reachable(tree: Tree, symbol: Sym, ref: Ref) -> bool:
    """Return whether another file's unit can be called from here: not one that is internal to a unit of its own file."""
    if symbol.path == ref.path or symbol.parent is None or symbol.kind == "entry":
        return True
    language = tree.languages.get(symbol.path, "")
    parent = tree.symbols[symbol.path][symbol.parent]
    if language == "pli":
        return parent.kind not in ("procedure", "begin")
    if language == "fortran":
        return parent.kind in ("module", "submodule", "interface")
    return True


def _entry_of(tree: Tree, segment: str, entry: str, ref: Ref) -> Found | str:
    """Return the entry point ``segment$entry``: in the file of that name, else the only such entry anywhere."""
    files = set(tree.stems.get(segment, []))
    held = [symbol for symbol in tree.names.get(entry, []) if symbol.kind in ENTERED or symbol.kind == "label"]
    inside = [symbol for symbol in held if symbol.path in files]
    if inside:
        return tree.nearest(inside, ref.path)
    code = sorted(path for path in files if ".incl." not in path and tree.languages.get(path) in ("pli", "fortran", "text"))
    return code[0] if code else Found()


def resolve_flow(b: Build, ref: Ref) -> None:
    """PERFORM, GO TO, EXSR: to the paragraph, section, label or subroutine of the same program, through its copybooks."""
    found = flow_target(b.tree, ref.target, ref)
    local = b.tree.languages.get(ref.path) in ("pli", "text", "c", "fortran", "rpg")
    b.to_symbol(ref, found, LABEL, "local label" if local else _why_not(b.tree, ref))
    last = ref.detail.get("thru", "")
    if ref.kind == "perform" and last and found.best is not None:
        end = flow_target(b.tree, last, ref)
        for symbol in _between(b.tree, found.best, end.best):
            b.add("perform_thru", b.from_ref(ref), b.nodes.of_symbol(symbol), EXACT, ref.path, ref.line, {"range": f"{ref.target} THRU {last}"})


def _why_not(tree: Tree, ref: Ref) -> str:
    return MISSING if any(path in tree.lacking for path in tree.scope(ref.path)) else UNKNOWN


def flow_target(tree: Tree, name: str, ref: Ref) -> Found:
    """Return the paragraph or section that ``name`` means where the reference stands."""
    key = name.upper()
    kinds = FLOW | {"subroutine", "procedure", "command"}
    source = tree.symbol(ref.path, ref.source)
    owner = tree.owner(source) if source else None
    own = [s for s in tree.items(ref.path).get(key, []) if s.kind in kinds and (owner is None or tree.owner(s) is owner or owner.kind != "program")]
    if len(own) > 1:
        within = ref.detail.get("of", "").upper()
        around = {symbol.index for symbol in tree.ancestors(source)} if source else set()
        near = [s for s in own if within and any(held.key == within for held in tree.ancestors(s))] or [s for s in own if s.parent in around]
        own = near or own
    if own:
        return Found(own[0])
    for path in tree.scope(ref.path)[1:]:
        held = [symbol for symbol in tree.items(path).get(key, []) if symbol.kind in kinds]
        if held:
            return Found(held[0])
    return _through_copiers(tree, key, ref, kinds)


def _through_copiers(tree: Tree, key: str, ref: Ref, kinds: frozenset[str]) -> Found:
    """Return what a copied text means in the programs that copy it: exact when it is one place."""
    held: list[Sym] = []
    for copier in tree.copiers.get(ref.path, [])[:50]:
        for path in tree.scope(copier):
            held.extend(symbol for symbol in tree.items(path).get(key, []) if symbol.kind in kinds)
    distinct = list({(symbol.path, symbol.index): symbol for symbol in held}.values())
    return Found(distinct[0], len(distinct) - 1) if distinct else Found()


def _between(tree: Tree, first: Sym, last: Sym | None) -> list[Sym]:
    """Return the paragraphs after ``first`` up to ``last``, both in one file."""
    if last is None or last.path != first.path:
        return []
    return [s for s in tree.symbols[first.path] if s.kind == "paragraph" and first.start < s.start <= last.start]


def resolve_use(b: Build, ref: Ref) -> None:
    """USE: to the module."""
    held = [symbol for symbol in b.tree.names.get(ref.target.upper(), []) if symbol.kind in ("module", "submodule")]
    b.to_symbol(ref, b.tree.nearest(held, ref.path), "module")


def resolve_common(b: Build, ref: Ref) -> None:
    """Join the units that share a COMMON block by its name."""
    b.add(ref.kind, b.unit(ref), b.nodes.of_name(BLOCK, ref.target), EXACT, ref.path, ref.line, ref.detail)
