"""The state of one reading: tokens on one side, symbols, references, problems and roles on the other."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import accumulate

from legacylens_assets.parsers.cobol.form import ANYWHERE, AREA_A, AREA_B, Deck
from legacylens_assets.parsers.cobol.layout import Entry
from legacylens_assets.parsers.cobol.tokens import DOT, IDENT, NUMBER, SCOPED, VERB, Tokens, unquote
from legacylens_assets.parsers.cobol.words import END_UNITS
from legacylens_assets.types import BLANK, COMMENT, EMPTY, START, ParsedFile, Problem, Reference, Symbol


@dataclass(slots=True)
class Draft:
    """A symbol whose end is not known yet."""

    name: str
    kind: str
    start: int
    parent: int | None
    unit: bool = True
    end: int = 0
    detail: dict[str, str] = field(default_factory=dict)


@dataclass(slots=True)
class Mention:
    """A reference whose values may still be found."""

    kind: str
    target: str
    line: int
    source: int | None
    detail: dict[str, str]


class Reading:
    """What is known so far. ``i`` is always the index of a token."""

    def __init__(self, deck: Deck, path: str) -> None:
        self.path = path
        self.deck = deck
        self.tokens = Tokens(deck.cards)
        self.upper = self.tokens.upper
        self.text = self.tokens.text
        self.line = self.tokens.line
        self.kind = self.tokens.kind
        self.first = self.tokens.first
        self.size = len(self.tokens)
        self.roles = deck.roles
        coded = (number if role not in (BLANK, COMMENT) else 0 for number, role in enumerate(deck.roles, 1))
        self.last_code = list(accumulate(coded, max, initial=0))
        self.dots = [index for index, kind in enumerate(self.kind) if kind == DOT]
        self.stops = [index for index, kind in enumerate(self.kind) if kind in (DOT, VERB, SCOPED) or self._may_head(index)]
        self.exec_ends = [index for index, word in enumerate(self.upper) if word == "END-EXEC"]
        pairs = enumerate(zip(self.upper, self.upper[1:], strict=False))
        self.exec_starts = [i for i, (word, after) in pairs if after in ("SQL", "CICS", "DLI") and word in ("EXEC", "EXECUTE")]
        self.symbols: list[Draft] = []
        self.mentions: list[Mention] = []
        self.problems: list[Problem] = list(deck.problems)
        self.mode = ""
        self.programs: list[int] = []
        self.identification = 0
        self.division: int | None = None
        self.section: int | None = None
        self.paragraph: int | None = None
        self.data_section = ""
        self.description: int | None = None
        self.items: list[tuple[int, int]] = []
        self.childless = False
        self.record: list[tuple[Entry, int | None]] = []
        self.fields: set[tuple[str, str, str, int]] = set()
        self.flows: dict[str, list[tuple[bool, str]]] = {}
        self.conditions: dict[str, tuple[str, list[str]]] = {}
        self.constants: dict[str, str] = {}
        self.assigned: dict[str, str] = {}
        self.file_of_record: dict[str, str] = {}
        self.pseudo_broken = False
        self.ends = Counter(self._end_markers())
        self._targets: frozenset[str] | None = None
        self._indents: dict[int, int] = {}

    def indent(self, line: int) -> int:
        """Return how far the code of a line is indented in its code area."""
        if not self._indents:
            self._indents = {card.line: len(card.text) - len(card.text.lstrip()) for card in self.deck.cards}
        return self._indents.get(line, 0)

    def _end_markers(self) -> list[str]:
        """Return the names that END PROGRAM and its like close."""
        upper = self.upper
        return [
            unquote(upper[i + 2]) for i in range(self.size - 2) if upper[i] == "END" and upper[i + 1] in END_UNITS and self.kind[i + 2] != DOT
        ]  # fmt: skip

    def _may_head(self, i: int) -> bool:
        """Return whether token ``i`` could be a header whose predecessor lacks a period: a word in area A before a period or SECTION."""
        return self.first[i] >= AREA_A and i + 1 < self.size and (self.kind[i + 1] == DOT or self.upper[i + 1] in ("SECTION", "DIVISION"))

    def word(self, i: int) -> str:
        """Return the folded token at ``i``, "" past the end."""
        return self.upper[i] if i < self.size else ""

    def kind_at(self, i: int) -> int:
        """Return the class of the token at ``i``, -1 past the end."""
        return self.kind[i] if i < self.size else -1

    def next_dot(self, i: int) -> int:
        """Return the index of the first period at or after ``i``, or the number of tokens."""
        at = bisect_left(self.dots, i)
        return self.dots[at] if at < len(self.dots) else self.size

    def mark(self, i: int) -> None:
        """Note that a statement starts at ``i``: a chunk may begin at its line if it is the first there."""
        if i < self.size and self.first[i]:
            self.roles[self.line[i] - 1] = START

    def end_before(self, i: int) -> int:
        """Return the last line of what stands before token ``i``."""
        if i >= self.size:
            return self.last_code[-1]
        line = self.line[i]
        return self.last_code[line - 1] if self.first[i] else line

    def line_of(self, i: int) -> int:
        """Return the line of token ``i``, or of the last token when past the end."""
        return self.line[min(i, self.size - 1)]

    def open(self, name: str, kind: str, line: int, parent: int | None, *, unit: bool = True, detail: dict[str, str] | None = None) -> int:
        """Add a symbol and return its index."""
        self.symbols.append(Draft(name, kind, line, parent, unit, 0, detail if detail is not None else {}))
        return len(self.symbols) - 1

    def close(self, index: int | None, end: int) -> None:
        """End a symbol at ``end``, or at its first line if that is later."""
        if index is not None:
            draft = self.symbols[index]
            draft.end = max(end, draft.start)

    @property
    def program(self) -> int | None:
        """Index of the innermost open program."""
        return self.programs[-1] if self.programs else None

    @property
    def owner(self) -> int | None:
        """Index of the innermost unit that holds the current line."""
        if self.paragraph is not None:
            return self.paragraph
        if self.section is not None:
            return self.section
        if self.items:
            return self.items[0][1]
        return self.description if self.description is not None else self.program

    def refer(self, kind: str, target: str, line: int, detail: dict[str, str] | None = None) -> None:
        """Add a reference made by the innermost open unit; a target of no characters says nothing."""
        if target:
            self.mentions.append(Mention(kind, target, line, self.owner, detail or {}))

    def refer_field(self, kind: str, target: str, line: int, of: str = "") -> None:
        """Add a field reference unless the line has one of the same kind and name already: lists of where a field is set name every line."""
        key = (kind, target, of, line)
        if key not in self.fields:
            self.fields.add(key)
            self.mentions.append(Mention(kind, target, line, self.owner, {"of": of} if of else {}))

    def problem(self, line: int, code: str, message: str) -> None:
        """Add a problem."""
        self.problems.append(Problem(line, code, message))

    def targets(self) -> frozenset[str]:
        """Return every name after PERFORM, THRU and GO TO: what proves that a word in area B is a paragraph."""
        if self._targets is None:
            upper = self.upper
            leads = {"PERFORM", "THRU", "THROUGH", "GO"}
            pairs = zip(upper, upper[1:], strict=False)
            found = {after for before, after in pairs if before in leads}
            found |= {upper[i + 2] for i in range(self.size - 2) if upper[i] == "GO" and upper[i + 1] == "TO"}
            self._targets = frozenset(found)
        return self._targets

    def flow(self, target: str, literal: bool, value: str) -> None:
        """Note that ``value`` (a literal or the name of a field) may come to stand in ``target``."""
        self.flows.setdefault(target, []).append((literal, value))

    def values(self, name: str) -> list[str]:
        """Return the literals that may stand in field ``name``, in order of appearance, following moves from field to field."""
        found: dict[str, None] = {}
        queue, seen = [name], {name}
        for field_name in queue:
            for literal, value in self.flows.get(field_name, ()):
                if literal:
                    if value:
                        found[value] = None
                elif value not in seen and len(seen) < 200:
                    seen.add(value)
                    queue.append(value)
        return list(found)[:50]

    def is_name(self, i: int) -> bool:
        """Return whether token ``i`` may name a procedure: a user word or digits."""
        return self.kind_at(i) in (IDENT, NUMBER) and "." not in self.upper[i]

    def in_area_b(self, i: int) -> bool:
        """Return whether token ``i`` stands where no header may: within a line of a form with areas, or in area B."""
        start = i
        while start and not self.first[start]:
            start -= 1
        return self.first[start] != ANYWHERE if start != i else self.first[i] == AREA_B

    def finish(self, form: str) -> ParsedFile:
        """Return the finished file: symbols in order, children inside parents, references resolved to symbol indexes."""
        order = sorted(range(len(self.symbols)), key=lambda index: (self.symbols[index].start, self.symbols[index].kind == "copy"))
        place = {old: new for new, old in enumerate(order)}
        symbols = []
        ends: list[int] = []
        total = max(len(self.roles), 1)
        for old in order:
            draft = self.symbols[old]
            parent = place[draft.parent] if draft.parent is not None else None
            end = min(max(draft.end, draft.start), total if parent is None else ends[parent])
            ends.append(end)
            detail: Mapping[str, str] = draft.detail or EMPTY
            symbols.append(Symbol(draft.name, draft.kind, draft.start, max(end, draft.start), parent, draft.unit, detail))
        references = tuple(
            Reference(m.kind, m.target, m.line, place[m.source] if m.source is not None else None, m.detail or EMPTY) for m in self._in_line_order()
        )
        problems = tuple(sorted(self.problems, key=lambda problem: problem.line))
        return ParsedFile("cobol", form, tuple(symbols), references, problems, "".join(self.roles))

    def _in_line_order(self) -> list[Mention]:
        return sorted(self.mentions, key=lambda mention: mention.line)
