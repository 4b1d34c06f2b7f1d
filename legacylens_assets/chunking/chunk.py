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
from legacylens_assets.chunking.segments import Segment, segments_of
from legacylens_assets.chunking.splitting import Piece, pieces_of
from legacylens_assets.types import COMMENT, Chunk, ParsedFile, Reference, SourceFile

NAMESPACE = uuid.UUID("6f0c2a52-0d0e-5c0e-9a57-2f6c1f9b7d31")
"""Namespace of chunk ids; changing it renames every chunk of every index."""

CALLS = frozenset({"call", "call_dynamic", "function_ref", "exec_pgm", "exec_proc", "cics_link", "cics_xctl", "cics_start", "transaction"})
PERFORMS = frozenset({"perform", "goto", "exsr"})
COPIES = frozenset({"copy", "include", "use"})
DATASETS = frozenset({"dd", "file_assign", "sql_read", "sql_write", "sql_cursor", "cics_file", "cics_queue"})

ROUTINE_KINDS = frozenset({"procedure", "subroutine", "function", "block_data", "proc"})
"""Kinds that name the ``program`` column when nothing encloses them."""
LONGEST_NAME = 240
"""Characters of a qualified name, counted from its end."""

_DEFAULT = Budget()


@dataclass(frozen=True, slots=True)
class _Names:
    """Where a piece stands: its own names and those around it. ``outer_qualified`` is what qualifies the symbols inside."""

    kind: str
    name: str
    qualified: str
    program: str
    division: str
    section: str
    outer_qualified: str


_NOWHERE = _Names("lines", "", "", "", "", "", "")
_DECLARATIONS = _Names("section", "declarations", "declarations", "", "", "declarations", "declarations")


class _Runs:
    """Tells runs of C's includes and what was merged with them: one include or macro does not name them."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        units = [s for s in layout.symbols if s.unit] if layout.language == "c" else []
        self._begins = sorted(s.start_line for s in units)
        self._includes = sorted(s.start_line for s in units if s.kind == "include")

    def mixed(self, segment: Segment) -> bool:
        """Return whether a segment named by an include or a macro holds an include and another unit."""
        named = self._layout.symbols[segment.owner]
        if not self._includes or named.kind not in ("include", "macro") or self._layout.unit_parent(segment.owner) != FILE:
            return False
        return _count(self._includes, segment) > 0 and _count(self._begins, segment) > 1


def _count(lines: Sequence[int], segment: Segment) -> int:
    return bisect.bisect_right(lines, segment.end) - bisect.bisect_left(lines, segment.start)


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
    pieces: list[Piece] = []
    names: list[_Names] = []
    every, runs = _all_names(layout), _Runs(layout)
    segments = segments_of(layout, budget)
    for segment, following in zip(segments, [*segments[1:], *segments[-1:]], strict=True):
        parts = pieces_of(segment, layout, budget)
        named = following if segment.end <= layout.prelude_end and following.owner == segment.owner else segment
        pieces.extend(parts)
        names.extend([_NOWHERE if segment.owner == FILE else _DECLARATIONS if runs.mixed(named) else every[segment.owner]] * len(parts))
    ids = _ids(codebase, source.path, pieces, names, layout)
    parents = _parent_ids(pieces, ids, layout)
    status = _status(source, parsed)
    facts = _facts(pieces, parsed.references)
    return [
        _record(codebase, source, layout, piece, named, key, parent, status, fact)
        for piece, named, key, parent, fact in zip(pieces, names, ids, parents, facts, strict=True)
    ], []


def _all_names(layout: Layout) -> list[_Names]:
    """Return the names of every symbol, each from those of its parent."""
    found = [_NOWHERE] * len(layout.symbols)
    for index in sorted(range(len(found)), key=lambda i: (layout.symbols[i].start_line, -layout.symbols[i].end_line, i)):
        symbol, parent = layout.symbols[index], layout.parents[index]
        above = found[parent] if parent != FILE else _NOWHERE
        outer = above.outer_qualified
        qualified = f"{outer}.{symbol.name}" if outer and symbol.name else symbol.name or outer
        if len(qualified) > LONGEST_NAME:
            qualified = qualified[-LONGEST_NAME:]
        program = symbol.name if symbol.kind in PROGRAM_KINDS or (parent == FILE and symbol.kind in ROUTINE_KINDS) else above.program
        division = symbol.name if symbol.kind == "division" else above.division
        section = symbol.name if symbol.kind == "section" else above.section
        outer = outer if symbol.kind == "division" else qualified
        found[index] = _Names(symbol.kind, symbol.name, qualified, program, division, section, outer)
    return found


def _ids(codebase: str, path: str, pieces: Sequence[Piece], names: Sequence[_Names], layout: Layout) -> list[str]:
    """Return ids that do not depend on line numbers: the ordinal numbers equal names within the file, the part those of one split.

    Comments that open the file and stand apart from their unit are numbered 0, so that they come and go without renaming it.
    """
    seen: Counter[tuple[str, str]] = Counter()
    ids = []
    for piece, named in zip(pieces, names, strict=True):
        key = (named.kind, named.qualified)
        leads = piece.end <= layout.prelude_end
        if piece.part <= 1 and not leads:
            seen[key] += 1
        text = "\0".join((codebase, path, named.kind, named.qualified, "0" if leads else str(seen[key]), str(piece.part)))
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
