"""COPY expansion: the text a compiler would see, and where each line of it comes from.

The steps are those of the standard: COPY statements are replaced by their library text (with REPLACING applied to that text, and to what it copies
in turn), then REPLACE statements act on the whole. Comparison is by text words, without regard to case, spacing and line ends
(ISO/IEC 1989:1985, XII-2; GnuCOBOL Programmer's Guide, "COPY"). What cannot be resolved stays as it is written.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from legacylens_assets.parsers.cobol.form import Card, Deck, deal
from legacylens_assets.parsers.cobol.outline import read
from legacylens_assets.parsers.cobol.textwords import Piece, Replacement, lex, replace_pieces, significant
from legacylens_assets.parsers.cobol.tokens import unquote
from legacylens_assets.types import CONTINUED, ParsedFile, Problem, SourceFile

Resolve = Callable[[str, str | None], SourceFile | None]
MAX_DEPTH = 50
MAX_COPIES = 20_000
"""No real program comes near it; copybooks that each copy the next one twice would double the work at every level."""
MAX_PIECES = 40_000_000


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a line of the expansion is written. ``via`` holds the (path, line) of the COPY statements that brought it in, innermost first."""

    path: str
    line: int
    via: tuple[tuple[str, int], ...] = ()

    def __str__(self) -> str:
        """Return ``copybook:12 (via program:45)``."""
        chain = "".join(f" (via {path}:{line})" for path, line in self.via)
        return f"{self.path}:{self.line}{chain}"


@dataclass(frozen=True, slots=True)
class Expanded:
    """The expanded code lines (no comments, no sequence numbers), with the origin of each, and the area its first word stands in."""

    lines: tuple[str, ...]
    origins: tuple[Origin, ...]
    areas: tuple[int, ...]
    problems: tuple[Problem, ...]
    copies: tuple[tuple[str, str], ...]
    """(name, path of the copybook, "" when there is none) of each COPY, in order."""


def expand(source: SourceFile, resolve: Resolve) -> Expanded:
    """Return ``source`` with every COPY and REPLACE carried out.

    ``resolve(name, library)`` gives a copybook, or None when there is none: the COPY then stays and a problem says so.
    """
    run = _Run(resolve)
    run.file(source, (), (), (source.path,))
    pieces = _replace_statements(run)
    return _lines(pieces, run)


def parse_expanded(expanded: Expanded) -> ParsedFile:
    """Return the structure of expanded text; its lines are those of the expansion. Data items have offsets across copybooks."""
    cards = [Card(number, line, area) for number, (line, area) in enumerate(zip(expanded.lines, expanded.areas, strict=True), 1)]
    return read(Deck("free", cards, [CONTINUED] * len(cards)), "")


class _Run:
    """One expansion."""

    def __init__(self, resolve: Resolve) -> None:
        self.resolve = resolve
        self.out: list[Piece] = []
        self.problems: list[Problem] = []
        self.copies: list[tuple[str, str]] = []
        self.origins: list[Origin] = []

    def file(self, source: SourceFile, via: tuple[tuple[str, int], ...], rules: tuple[Replacement, ...], chain: tuple[str, ...]) -> None:
        """Append the expansion of one file."""
        cards = deal(source.lines).cards
        first = len(self.origins)
        self.origins.extend(Origin(source.path, card.line, via) for card in cards)
        pieces = lex(cards, first)
        start = at = 0
        while at < len(pieces):
            statement = _copy_at(pieces, at)
            if statement is None:
                at += 1
                continue
            copied = self._copied(statement, pieces[at], via, chain, source.path)
            if copied is not None and len(self.out) < MAX_PIECES:
                self.out.extend(replace_pieces(pieces[start:at], rules))
                line = self.origins[pieces[at].origin].line
                self.file(copied, ((source.path, line), *via), (*statement.rules, *rules), (*chain, copied.path))
                self.out.append(Piece("\n", pieces[statement.end - 1].origin))
                start = statement.end
            at = statement.end
        self.out.extend(replace_pieces(pieces[start:], rules))

    def _copied(self, statement: _Copy, piece: Piece, via: tuple[tuple[str, int], ...], chain: tuple[str, ...], path: str) -> SourceFile | None:
        """Return the copybook of a statement; None, and a problem, when it is missing or copies itself."""
        copied = self.resolve(statement.name, statement.library)
        self.copies.append((statement.name, copied.path if copied else ""))
        line = (via[-1][1] if via else self.origins[piece.origin].line) if piece.origin < len(self.origins) else 0
        if copied is None:
            self.problems.append(Problem(line, "copy_missing", f"copybook {statement.name} of {path} was not found"))
            return None
        if len(self.copies) > MAX_COPIES:
            self.problems.append(Problem(line, "copy_limit", f"copybook {statement.name} is left out: more than {MAX_COPIES} copies"))
            return None
        if copied.path in chain or len(chain) > MAX_DEPTH:
            self.problems.append(Problem(line, "copy_cycle", f"copybook {statement.name} copies itself: {' > '.join(chain[-4:])}"))
            return None
        return copied


@dataclass(frozen=True, slots=True)
class _Copy:
    """A COPY statement; ``end`` is the index after its period."""

    name: str
    library: str | None
    rules: tuple[Replacement, ...]
    end: int


def _copy_at(pieces: Sequence[Piece], at: int) -> _Copy | None:
    """Return the COPY statement, or EXEC SQL INCLUDE, that begins at ``at``."""
    word = pieces[at].text
    if len(word) != 4 or word.upper() not in ("COPY", "EXEC"):
        return None
    if word.upper() == "EXEC":
        return _include_at(pieces, at)
    k = significant(pieces, at + 1)
    if k >= len(pieces) or pieces[k].text in (".", "=="):
        return None
    name = unquote(pieces[k].text)
    k = significant(pieces, k + 1)
    library = None
    if k < len(pieces) and pieces[k].text.upper() in ("IN", "OF"):
        k = significant(pieces, k + 1)
        library = unquote(pieces[k].text) if k < len(pieces) else None
        k = significant(pieces, k + 1)
    rules: list[Replacement] = []
    while k < len(pieces) and pieces[k].text.upper() in ("SUPPRESS", "PRINTING"):
        k = significant(pieces, k + 1)
    if k < len(pieces) and pieces[k].text.upper() == "REPLACING":
        k = read_rules(pieces, significant(pieces, k + 1), rules)
    while k < len(pieces) and pieces[k].text.upper() in ("SUPPRESS", "PRINTING"):
        k = significant(pieces, k + 1)
    end = k + 1 if k < len(pieces) and pieces[k].text == "." else k
    return _Copy(name, library, tuple(rules), end)


def _include_at(pieces: Sequence[Piece], at: int) -> _Copy | None:
    """Return an EXEC SQL INCLUDE as the COPY it is."""
    k = at
    found: list[str] = []
    for _ in range(5):
        if k >= len(pieces):
            return None
        found.append(pieces[k].text)
        k = significant(pieces, k + 1)
    if [found[1].upper(), found[2].upper(), found[4].upper()] != ["SQL", "INCLUDE", "END-EXEC"]:
        return None
    end = k + 1 if k < len(pieces) and pieces[k].text == "." else k
    return _Copy(unquote(found[3]), None, (), end)


def read_rules(pieces: Sequence[Piece], k: int, rules: list[Replacement]) -> int:
    """Read ``[LEADING|TRAILING] operand BY operand`` pairs into ``rules``; return the index of what follows."""
    while k < len(pieces) and pieces[k].text != ".":
        side = pieces[k].text.upper()
        if side in ("LEADING", "TRAILING"):
            k = significant(pieces, k + 1)
        else:
            side = ""
        old, after = _operand(pieces, k)
        if after >= len(pieces) or pieces[after].text.upper() != "BY":
            return k if after == k else after
        new, k = _operand(pieces, significant(pieces, after + 1))
        if any(not piece.text.isspace() for piece in old):
            rules.append(Replacement.of(old, new, side))
    return k


def _operand(pieces: Sequence[Piece], k: int) -> tuple[list[Piece], int]:
    """Return the pieces of a REPLACING operand at ``k`` and the index of what follows it."""
    if k >= len(pieces):
        return [], k
    if pieces[k].text == "==":
        end = k + 1
        while end < len(pieces) and pieces[end].text != "==":
            end += 1
        return list(pieces[k + 1 : end]), significant(pieces, end + 1)
    taken = [pieces[k]]
    k = significant(pieces, k + 1)
    while k + 1 < len(pieces) and pieces[k].text.upper() in ("OF", "IN"):
        name = significant(pieces, k + 1)
        if name >= len(pieces):
            break
        taken += [Piece(" ", pieces[k].origin), pieces[k], Piece(" ", pieces[k].origin), pieces[name]]
        k = significant(pieces, name + 1)
    if k < len(pieces) and pieces[k].text == "(":
        while k < len(pieces) and pieces[k].text not in (")", "."):
            taken.append(pieces[k])
            k += 1
        if k < len(pieces) and pieces[k].text == ")":
            taken.append(pieces[k])
            k = significant(pieces, k + 1)
    return taken, k


def _replace_statements(run: _Run) -> list[Piece]:
    """Return the pieces with REPLACE statements carried out and taken away."""
    pieces = run.out
    out: list[Piece] = []
    rules: tuple[Replacement, ...] = ()
    start = at = 0
    while at < len(pieces):
        text = pieces[at].text
        if len(text) != 7 or text.upper() != "REPLACE":
            at += 1
            continue
        k = significant(pieces, at + 1)
        read: list[Replacement] = []
        also = k < len(pieces) and pieces[k].text.upper() == "ALSO"
        if k < len(pieces) and pieces[k].text.upper() in ("OFF", "LAST"):
            while k < len(pieces) and pieces[k].text != ".":
                k = significant(pieces, k + 1)
        else:
            k = read_rules(pieces, significant(pieces, k + 1) if also else k, read)
            if not read:
                at += 1
                continue
        out.extend(replace_pieces(pieces[start:at], rules))
        rules = (*read, *rules) if also else tuple(read)
        start = at = min(k + 1, len(pieces))
    out.extend(replace_pieces(pieces[start:], rules))
    return out


def _lines(pieces: Sequence[Piece], run: _Run) -> Expanded:
    """Cut the pieces into lines; lines without words are left out."""
    lines: list[str] = []
    origins: list[Origin] = []
    areas: list[int] = []
    current: list[str] = []
    origin = area = 0
    for piece in (*pieces, Piece("\n", 0)):
        if piece.text != "\n":
            if not any(current) or not "".join(current[-1:]).strip() and not "".join(current).strip():
                origin, area = piece.origin, piece.area or area
            current.append(piece.text)
            continue
        text = "".join(current).rstrip()
        if text.strip():
            lines.append(text)
            origins.append(run.origins[origin])
            areas.append(area or 1)
        current = []
        area = 0
    return Expanded(tuple(lines), tuple(origins), tuple(areas), tuple(run.problems), tuple(run.copies))
