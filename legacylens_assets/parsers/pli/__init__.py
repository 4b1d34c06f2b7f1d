"""PL/I of IBM and Multics: packages, procedures, entries, begin blocks, declarations and what their statements name.

References: Enterprise PL/I for z/OS Language Reference (statement labels, 5.; blocks and groups, 6.; preprocessor, 21.), Multics PL/I Reference
Manual AM83. Not parsed: expressions, and what the preprocessor would produce.
"""

from __future__ import annotations

from collections.abc import Sequence

from legacylens_assets.parsers.pli.blocks import Draft
from legacylens_assets.parsers.pli.margins import Margins, directives, judge
from legacylens_assets.parsers.pli.masking import Masked, mask
from legacylens_assets.parsers.pli.preprocessor import Event, take_out
from legacylens_assets.parsers.pli.walk import Walk
from legacylens_assets.types import CONTINUED, START, ParsedFile, Reference, SourceFile, Symbol


def parse(source: SourceFile) -> ParsedFile:
    """Return the structure of a PL/I file; ``form`` names dialect and margins, as in `ibm 2-72`."""
    if not source.lines:
        return ParsedFile("pli", "", (), (), (), "")
    left_out = directives(source.lines)
    margins = judge(source.lines, frozenset(left_out))
    masked = mask(source.lines, margins, left_out)
    multics = is_multics(masked)
    code = masked.low
    events = take_out(masked)
    walk = Walk(masked, events, folds=not multics)
    walk.run()
    roles = _roles(masked, code, events, walk)
    symbols, moved = _ordered(walk.blocks.symbols, len(source.lines))
    references = _references(walk, moved)
    problems = tuple(sorted(walk.blocks.problems, key=lambda p: (p.line, p.code)))
    return ParsedFile("pli", _form(margins, multics), symbols, references, problems, roles)


def is_multics(source: Masked) -> bool:
    """Return whether names keep their case: literals are in double quotes only, and what is not a literal is mostly lower case."""
    if "'" in source.low:
        return False
    lower = sum(map(source.raw.count, ("proc", "dcl ", "end;", "call ", "declare ")))
    upper = sum(map(source.raw.count, ("PROC", "DCL ", "END;", "CALL ", "DECLARE ")))
    return lower > upper


def _form(margins: Margins, multics: bool) -> str:
    return f"{'multics' if multics else 'ibm'} {margins.left}-{margins.right or 'end'}"


def _roles(source: Masked, code: str, events: Sequence[Event], walk: Walk) -> str:
    """Return line roles; a preprocessor statement is one too, unless it stands inside another statement."""
    offsets = list(walk.statements)
    at = code.find("%")
    starts = set(offsets)
    while at >= 0:
        before = code[:at].rstrip() if at < 200 else code[at - 200 : at].rstrip()
        if not before or before[-1] in ";:" or at in starts:
            offsets.append(at)
        at = code.find("%", at + 1)
    roles = list(source.roles(offsets))
    for event in events:
        if event.kind == "macro":
            first, last = source.line(event.offset), source.line(max(event.offset, event.end - 1))
            for line in range(first, last):
                roles[line] = CONTINUED if roles[line] == START else roles[line]
    return "".join(roles)


def _ordered(drafts: Sequence[Draft], count: int) -> tuple[tuple[Symbol, ...], dict[int, int]]:
    """Return the symbols in line order, spans clipped to those of their parents, and where each went."""
    for draft in drafts:
        draft.start = min(max(draft.start, 1), count)
        draft.end = min(max(draft.end, draft.start), count)
        parent = drafts[draft.parent] if draft.parent is not None else None
        while parent is not None and parent.dropped:
            draft.parent = parent.parent
            parent = drafts[draft.parent] if draft.parent is not None else None
        if parent is not None:
            draft.start = min(max(draft.start, parent.start), parent.end)
            draft.end = max(draft.start, min(draft.end, parent.end))
    order = sorted((i for i, draft in enumerate(drafts) if not draft.dropped), key=lambda i: (drafts[i].start, -drafts[i].end, i))
    moved = {old: new for new, old in enumerate(order)}
    symbols = []
    for old in order:
        draft = drafts[old]
        parent_index = moved.get(draft.parent) if draft.parent is not None else None
        symbols.append(Symbol(draft.name, draft.kind, draft.start, draft.end, parent_index, draft.unit, draft.detail))
    return tuple(symbols), moved


def _references(walk: Walk, moved: dict[int, int]) -> tuple[Reference, ...]:
    """Return references with the new symbol numbers, and function references to what the file knows as a function."""
    found = list(walk.references)
    if walk.functions:
        found += [
            Reference(
                "function_ref",
                walk.source.raw[at : at + len(name)].upper() if walk.folds else walk.source.raw[at : at + len(name)],
                walk.source.line(at),
                parent,
            )
            for name, at, parent in walk.uses
            if name in walk.functions
        ]
    found.sort(key=lambda r: r.line)
    return tuple(Reference(r.kind, r.target, r.line, moved.get(r.source) if r.source is not None else None, r.detail) for r in found)
