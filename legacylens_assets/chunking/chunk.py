"""One parsed file -> its chunks."""

from __future__ import annotations

import bisect
import hashlib
import uuid
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from legacylens_assets.chunking.budget import Budget, Skip
from legacylens_assets.chunking.comments import comment_text
from legacylens_assets.chunking.layout import FILE, PROGRAM_KINDS, Layout, lay_out
from legacylens_assets.chunking.segments import segments_of
from legacylens_assets.chunking.splitting import Piece, pieces_of
from legacylens_assets.types import COMMENT, Chunk, ParsedFile, Reference, SourceFile

NAMESPACE = uuid.UUID("6f0c2a52-0d0e-5c0e-9a57-2f6c1f9b7d31")
"""Namespace of chunk ids; changing it renames every chunk of every index."""

CALLS = frozenset({"call", "call_dynamic", "function_ref", "exec_pgm", "exec_proc", "cics_link", "cics_xctl", "cics_start", "transaction"})
PERFORMS = frozenset({"perform", "goto", "exsr"})
COPIES = frozenset({"copy", "include", "use"})
DATASETS = frozenset({"dd", "file_assign", "sql_read", "sql_write", "sql_cursor", "cics_file", "cics_queue"})

_DEFAULT = Budget()


@dataclass(frozen=True, slots=True)
class _Names:
    """Where a piece stands: its own names and those around it."""

    kind: str
    name: str
    qualified: str
    program: str
    division: str
    section: str


def chunk_file(codebase: str, source: SourceFile, parsed: ParsedFile, budget: Budget = _DEFAULT) -> tuple[list[Chunk], list[Skip]]:
    """Return the chunks of a file in line order, and the lines left out with the reason.

    Every line is in exactly one chunk or one skip. Sizes are in non-blank characters (see Budget). Only a file without any text is skipped.
    """
    count = len(source.lines)
    if not count:
        return [], []
    if not any(line.strip() for line in source.lines):
        return [], [Skip(1, count, "blank")]
    layout = lay_out(source, parsed, budget)
    pieces = [piece for segment in segments_of(layout, budget) for piece in pieces_of(segment, layout, budget)]
    names = [_names(piece.owner, layout) for piece in pieces]
    ids = _ids(codebase, source.path, pieces, names)
    parents = _parent_ids(pieces, ids, layout)
    status = _status(source, parsed)
    facts = _facts(pieces, parsed.references)
    return [
        _record(codebase, source, layout, piece, named, key, parent, status, fact)
        for piece, named, key, parent, fact in zip(pieces, names, ids, parents, facts, strict=True)
    ], []


def _names(owner: int, layout: Layout) -> _Names:
    if owner == FILE:
        return _Names("lines", "", "", "", "", "")
    chain = [owner]
    while layout.parents[chain[-1]] != FILE:
        chain.append(layout.parents[chain[-1]])
    symbols = [layout.symbols[index] for index in chain]

    def nearest(kinds: frozenset[str]) -> str:
        return next((s.name for s in symbols if s.kind in kinds), "")

    program = nearest(PROGRAM_KINDS)
    if not program and symbols[-1].kind in ("procedure", "subroutine", "function", "block_data", "proc"):
        program = symbols[-1].name
    qualified = ".".join(s.name for s in reversed(symbols) if s.name and (s.kind != "division" or s is symbols[0]))
    return _Names(symbols[0].kind, symbols[0].name, qualified, program, nearest(frozenset({"division"})), nearest(frozenset({"section"})))


def _ids(codebase: str, path: str, pieces: Sequence[Piece], names: Sequence[_Names]) -> list[str]:
    """Return ids that do not depend on line numbers: the ordinal numbers equal names within the file, the part those of one split."""
    seen: Counter[tuple[str, str]] = Counter()
    ids = []
    for piece, named in zip(pieces, names, strict=True):
        key = (named.kind, named.qualified)
        if piece.part <= 1:
            seen[key] += 1
        text = "\0".join((codebase, path, named.kind, named.qualified, str(seen[key]), str(piece.part)))
        ids.append(str(uuid.uuid5(NAMESPACE, text.encode("utf-8", "replace").decode("utf-8"))))
    return ids


def _parent_ids(pieces: Sequence[Piece], ids: Sequence[str], layout: Layout) -> list[str]:
    """Return for each piece the chunk a hit widens to: part 1 of its own unit, else the one with the header of the unit around it."""
    starts = [piece.start for piece in pieces]
    first = 0
    firsts = []
    for position, piece in enumerate(pieces):
        first = first if piece.part > 1 else position
        firsts.append(first)
    found = []
    for position, piece in enumerate(pieces):
        if piece.part > 1:
            found.append(ids[firsts[position]])
            continue
        owner, parent_id = piece.owner, ""
        while owner != FILE and not parent_id:
            holder = firsts[bisect.bisect_right(starts, layout.symbols[owner].start_line) - 1]
            parent_id = ids[holder] if holder != position else ""
            owner = layout.unit_parent(owner)
        found.append(parent_id)
    return found


def _status(source: SourceFile, parsed: ParsedFile) -> str:
    if source.language != "text" and not any(symbol.unit for symbol in parsed.symbols):
        return "lines"
    return "recovered" if parsed.problems else "parsed"


def _facts(pieces: Sequence[Piece], references: Sequence[Reference]) -> list[list[Reference]]:
    """Return the references in each piece's lines, in order."""
    found: list[list[Reference]] = [[] for _ in pieces]
    starts = [piece.start for piece in pieces]
    for reference in sorted(references, key=lambda r: r.line):
        position = bisect.bisect_right(starts, reference.line) - 1
        if position >= 0 and reference.line <= pieces[position].end:
            found[position].append(reference)
    return found


def _record(
    codebase: str, source: SourceFile, layout: Layout, piece: Piece, named: _Names, key: str, parent: str, status: str, facts: Sequence[Reference]
) -> Chunk:
    text = "\n".join(source.lines[piece.start - 1 : piece.end])
    remarks = (source.lines[line - 1] for line in range(piece.start, piece.end + 1) if layout.roles[line] == COMMENT)

    def targets(kinds: frozenset[str]) -> tuple[str, ...]:
        return tuple(dict.fromkeys(r.target for r in facts if r.kind in kinds and r.target))

    return Chunk(
        chunk_id=key, text_sha=hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest(), codebase=codebase, path=source.path,
        language=source.language, kind=named.kind, name=named.name, qualified_name=named.qualified, parent_id=parent, program=named.program,
        division=named.division, section=named.section, start_line=piece.start, end_line=piece.end, part=piece.part, text=text,
        comments=comment_text(remarks, source.language), calls=targets(CALLS), performs=targets(PERFORMS), copies=targets(COPIES),
        datasets=targets(DATASETS), parse_status="lines" if piece.hard else status,
    )  # fmt: skip
