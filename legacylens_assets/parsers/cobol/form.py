"""Source forms: which columns of a line hold code, and what kind of line it is.

fixed     columns 1-6 sequence, 7 indicator, 8-11 area A, 12-72 area B, 73-80 identification
variable  as fixed, without the right margin
free      code in any column, comments start with ``*>``
terminal  indicator in column 1 (``*``, ``/``, ``-``, ``$``, ``D``), else code from column 1; also X/Open and CRT

The form is told from the layout and may be switched midway by ``>>SOURCE FORMAT`` or ``$SET SOURCEFORMAT``.
Reference: Enterprise COBOL for z/OS Language Reference, "Reference format"; GnuCOBOL Programmer's Guide, "Source format".
"""

from __future__ import annotations

import re
from collections import Counter, deque
from collections.abc import Sequence
from dataclasses import dataclass, field

from legacylens_assets.types import BLANK, COMMENT, CONTINUED, Problem

AREA_B, AREA_A, ANYWHERE = 1, 2, 3
"""Where the first word of a line stands; ANYWHERE in forms without areas."""


@dataclass(slots=True)
class Card:
    """The code of one line and of the lines that continue it.

    ``breaks`` holds, for each continuation line, the offset in ``text`` where its own text begins and its line number.
    """

    line: int
    text: str
    area: int
    breaks: list[tuple[int, int]] | None = None


@dataclass(slots=True)
class Deck:
    """A file as cards: what a compiler would see, with line roles."""

    form: str
    cards: list[Card] = field(default_factory=list)
    roles: list[str] = field(default_factory=list)
    members: list[tuple[int, str, str]] = field(default_factory=list)
    """(line, member, manner) of library directives such as ``++INCLUDE`` and ``-INC``."""
    problems: list[Problem] = field(default_factory=list)


_SWITCH = re.compile(
    r"""(?ix)^\s*(?:\S{6}\s+)?(?:>>\s*|\$\s*)(?:SET\s+)?SOURCE\s*(?:FORMAT)?\s*(?:IS\s+|AS\s+|[("'=\s])*\s*
    (FREE|FIXED|VARIABLE|TERMINAL|XOPEN|XCARD|CRT|COBOLX|COBOL85)"""
)
_FORMS = {"COBOL85": "fixed", "XCARD": "variable", "XOPEN": "terminal", "CRT": "terminal", "COBOLX": "terminal"}
_DIRECTIVE = re.compile(r"(?i)\s*(?:>>\s*(?!D\s)[A-Z]|\$\s*(?:SET|IF|ELSE|END|ELIF|DISPLAY|REGION|INCLUDE)\b)")
_DEBUG_FREE = re.compile(r"(?i)\s*>>\s*D\s")
_COMPILER_CARD = re.compile(r"(?i)^(?:[\d ]{6})?\s*(?:CBL|PROCESS)\s")
_MEMBER = re.compile(r"(?i)^(?:.{6}.)?\s*(\+\+INCLUDE|-INC)\s+([\w$#@-]+)")
_DEBUGGING = re.compile(r"(?im)^(?:.{6}[ ]|\s*)[^*\n]*\bDEBUGGING\s+MODE\b")
_LITERAL = re.compile(r"\"[^\"]*(?:\"\"[^\"]*)*(\"?)|'[^']*(?:''[^']*)*('?)|\*>.*")
_HEAD = re.compile(r"(?i)(?:(?:ID|IDENTIFICATION|ENVIRONMENT|DATA|PROCEDURE)\s+DIVISION|(?:PROGRAM|FUNCTION)-ID\b|WORKING-STORAGE\s+SECTION|COPY\s)")
_LEVEL = re.compile(r"\d\d?\s+[A-Za-z:(]")
_LISTING = re.compile(r"(?i)\s*(?:(?:EJECT|SKIP[123])\s*\.?\s*$|TITLE\s+[\"'][^\"']*[\"']\s*\.?\s*$)")
_STRAYS = ("\x0c", "\ufeff")
_REMARK = re.compile(r"\*[*=-]* {1,3}[A-Za-z]{2}|\*{2,}|\*[=-]{2,}")
"""A remark that begins in column 1: stars, or a star, a blank and a word, which no sequence number is."""
_LISTING_INITIALS = frozenset("EeSsTt")
_FIXED_INDICATORS = frozenset(" *-/Dd$")


def deal(lines: Sequence[str]) -> Deck:
    """Return the code cards, line roles and source form of ``lines``."""
    form = detect(lines)
    deck = Deck(form)
    debugging = any("DEBUGGING" in line.upper() and _DEBUGGING.search(line) for line in lines)
    dealer = _Dealer(deck, debugging)
    seen = {form} if lines else set()
    for number, raw in enumerate(lines, 1):
        if raw[:1] in _STRAYS:
            raw = raw.lstrip("\x0c\ufeff")
        if "\t" in raw:
            raw = untab(raw)
        if (">>" in raw or "$" in raw) and _DIRECTIVE.match(raw if not raw[:6].isdigit() else raw[6:]):
            switch = _SWITCH.match(raw)
            if switch:
                word = switch.group(1).upper()
                form = _FORMS.get(word, word.lower())
                seen = {form} if not deck.cards else seen | {form}
            deck.roles.append(COMMENT)
        elif form == "free":
            dealer.free(number, raw)
        elif form == "terminal":
            dealer.terminal(number, raw)
        else:
            dealer.fixed(number, raw, 72 if form == "fixed" else None)
    deck.form = seen.pop() if len(seen) == 1 else "mixed"
    return deck


class _Dealer:
    """Sorts lines into cards, one method for each family of forms."""

    def __init__(self, deck: Deck, debugging: bool) -> None:
        self.deck = deck
        self.role = deck.roles.append
        self.debugging = debugging

    def fixed(self, number: int, raw: str, limit: int | None) -> None:
        """Deal a line of fixed or variable form; ``limit`` is the right margin."""
        mark = raw[6:7]
        code = raw[7:limit]
        if mark == " ":
            head = code.lstrip()
            if not head or head == "\x1a":
                self._uncoded(number, raw)
            elif raw[0] == "*" and _REMARK.match(raw):
                self.role(COMMENT)
            elif head[0] == "*" and head.startswith("*>"):
                self.role(COMMENT)
            elif head[0] in "+-" and self._member(number, raw):
                pass
            elif not self.deck.cards and _COMPILER_CARD.match(raw):
                self.role(COMMENT)
            else:
                self._card(number, code, AREA_A if not code[:4].isspace() else AREA_B)
        elif mark in "*/":
            self.role(COMMENT if mark or raw.startswith("*") else BLANK)
        elif mark == "-":
            self._continue(number, code, limit)
        elif mark in "Dd":
            self._debug(number, code, AREA_A if code[:4].strip() else AREA_B)
        elif mark == "$" or raw.lstrip().startswith("*") or self._is_card_or_member(number, raw):
            self.role(COMMENT)
        else:
            self._misplaced(number, raw, limit)

    def _uncoded(self, number: int, raw: str) -> None:
        """Deal a line without code in columns 8-72: blank, or a library directive that starts in column 1."""
        if raw[:1] not in "+-" or not self._member(number, raw):
            self.role(COMMENT if raw.startswith("*>") else BLANK)

    def _is_card_or_member(self, number: int, raw: str) -> bool:
        if raw[:1] in "+-" and _MEMBER.match(raw):
            self._note_member(number, raw)
            return True
        return not self.deck.cards and _COMPILER_CARD.match(raw) is not None

    def _member(self, number: int, raw: str) -> bool:
        if not _MEMBER.match(raw):
            return False
        self._note_member(number, raw)
        self.role(COMMENT)
        return True

    def _note_member(self, number: int, raw: str) -> None:
        found = _MEMBER.match(raw)
        if found:
            self.deck.members.append((number, found.group(2).upper(), found.group(1).upper()))

    def _misplaced(self, number: int, raw: str, limit: int | None) -> None:
        """Deal a line whose column 7 holds no indicator: words in columns 1-7 are taken as code, else columns 1-7 are passed over."""
        code = raw[:limit]
        if not code[:7].strip(" \x00\x1a\x0c"):
            self._uncoded(number, raw[:6])
            return
        misaligned = not raw[:6].strip() or (raw[5].isalnum() and not raw[:6].isdigit())
        self._bad_indicator(number, raw[6])
        if misaligned:
            self._card(number, code, ANYWHERE)
        elif code[7:].strip():
            self._card(number, code[7:], AREA_A if code[7:11].strip() else AREA_B)
        else:
            self.role(BLANK)

    def _bad_indicator(self, number: int, mark: str) -> None:
        """Report a mark in column 7 that is no indicator, once for a run of lines."""
        problems = self.deck.problems
        message = f"column 7 holds {mark!r}, no indicator of fixed form"
        if problems and problems[-1].message == message and (problems[-1].end_line or problems[-1].line) == number - 1:
            problems[-1] = Problem(problems[-1].line, "bad_indicator", message, number)
        else:
            problems.append(Problem(number, "bad_indicator", message))

    def free(self, number: int, raw: str) -> None:
        """Deal a line of free form."""
        head = raw.lstrip()
        if not head or head == "\x1a":
            self.role(BLANK)
        elif head[0] == "*" and (head.startswith("*>") or raw[0] == "*" or raw[6:7] == "*"):
            self.role(COMMENT)
        elif head[0] == ">" and _DEBUG_FREE.match(raw):
            self._debug(number, raw[raw.upper().index("D") + 1 :], ANYWHERE)
        elif head[0] in "+-" and self._member(number, raw):
            pass
        else:
            self._card(number, raw, ANYWHERE)

    def terminal(self, number: int, raw: str) -> None:
        """Deal a line of terminal form: an indicator in column 1, or code."""
        head = raw.strip()
        if not head or head == "\x1a":
            self.role(BLANK)
        elif raw[0] in "*/" or head.startswith("*>"):
            self.role(COMMENT)
        elif raw[0] == "-":
            self._continue(number, raw[1:], None)
        elif raw[:2] in ("\\D", "\\d", "D ", "d "):
            self._debug(number, raw[2:], ANYWHERE)
        else:
            self._card(number, raw, ANYWHERE)

    def _card(self, number: int, code: str, area: int) -> None:
        if code[:12].lstrip()[:1] in _LISTING_INITIALS and _LISTING.match(code):
            self.role(COMMENT)
            return
        self.deck.cards.append(Card(number, code, area))
        self.role(CONTINUED)

    def _debug(self, number: int, code: str, area: int) -> None:
        """Deal a debugging line: code only WITH DEBUGGING MODE, else it belongs where it stands and says nothing."""
        if self.debugging and code.strip():
            self._card(number, code, area)
        else:
            self.role(CONTINUED if code.strip() else BLANK)

    def _continue(self, number: int, code: str, limit: int | None) -> None:
        """Join a continuation line to the card before it (reference format, "Continuation of lines")."""
        rest = code.lstrip()
        if not rest:
            self.role(BLANK)
            return
        if not self.deck.cards:
            self.deck.problems.append(Problem(number, "continues_nothing", "a continuation line with no line before it"))
            self._card(number, code, AREA_B)
            return
        card = self.deck.cards[-1]
        quote = open_quote(card.text)
        if quote:
            width = card.text if limit is None or card.breaks else card.text.ljust(limit - 7)
            inner = rest[1:] if rest[0] in "\"'" else rest
            if rest[0] in "\"'" and rest[0] != quote and quote not in inner:
                inner = inner.replace(rest[0], quote, 1)
        elif limit is not None and len(card.text) >= limit - 7 and rest[:2] in ('""', "''") and card.text[-1] == rest[0]:
            width, inner = card.text, rest[1:]
        else:
            width = card.text.rstrip() + (" " if rest[0] in "\"'" else "")
            inner = rest
        card.breaks = [*(card.breaks or ()), (len(width), number)]
        card.text = width + inner
        self.role(CONTINUED)


def untab(line: str) -> str:
    """Return a line with its tabs expanded to every 8th column, or to every 4th if only so it ends before the right margin."""
    wide = line.expandtabs(8)
    if len(wide.rstrip()) > 72:
        narrow = line.expandtabs(4)
        if len(narrow.rstrip()) <= 72 and not narrow[:7].strip():
            return narrow
    return wide


def open_quote(text: str) -> str:
    r"""Return the quote of a literal that is still open at the end of ``text``, or "".

    >>> open_quote('DISPLAY "A" "B'), open_quote("DISPLAY 'A'")
    ('"', '')
    """
    last = deque(_LITERAL.finditer(text), maxlen=1)
    if not last or last[0].end() != len(text) or last[0].group(1) or last[0].group(2) or last[0].group(0)[0] == "*":
        return ""
    return last[0].group(0)[0]


def detect(lines: Sequence[str]) -> str:
    """Return the source form that the layout speaks for; a directive in the first lines decides."""
    fixed = free = starred = 0
    for number, raw in enumerate(lines):
        if number > 3000:
            break
        if number < 60 and (">>" in raw or "$" in raw):
            switch = _SWITCH.match(raw)
            if switch and not fixed and not free:
                return _FORMS.get(switch.group(1).upper(), switch.group(1).lower())
        line = raw.expandtabs(8)
        head = line.lstrip()
        if not head:
            continue
        indent = len(line) - len(head)
        score_fixed, score_free, star = _evidence(line, head, indent)
        fixed += score_fixed
        free += score_free
        starred += star
    if free > fixed:
        return "terminal" if starred else "free"
    return "variable" if _past_margin(lines) else "fixed"


def _evidence(line: str, head: str, indent: int) -> tuple[int, int, int]:
    """Return how much one line speaks for fixed form, for free form, and for comments with ``*`` in column 1.

    Deep indentation says little (1), a heading or level number in its column much (20), an indicator or sequence number something (10).
    """
    mark = line[6:7]
    if head[0] in "*/":
        if indent == 6:
            return 10, 0, 0
        if head.startswith("*>"):
            return 0, int(indent < 6), 0
        return 0, 0, int(indent == 0 and mark not in _FIXED_INDICATORS and len(line) > 7)
    if mark and mark in "*/" and (line[:6].isspace() or line[:6].strip().isdigit()):
        return 10, 0, 0
    if _HEAD.match(head) or _LEVEL.match(head):
        return (20, 0, 0) if indent >= 7 else (0, 20, 0)
    indicated = len(line) > 7 and mark in _FIXED_INDICATORS
    if indent < 6 and indicated and line[:6].strip().isdigit():
        return 10, 0, 0
    if indent < 7 and indicated and _HEAD.match(line[7:].lstrip()):
        return 20, 0, 0
    if indent <= 6 and head[0].isalpha() and mark and not indicated:
        return 0, 5, 0
    return int(indent >= 7), 0, 0


def _past_margin(lines: Sequence[str]) -> bool:
    """Return whether code of a fixed layout goes on past column 72: words or literals straddle the margin and the rest is no identification."""
    tails: list[tuple[str, bool]] = []
    for raw in lines[:3000]:
        if len(raw) <= 72 or raw[6:7] in ("*", "/") or raw[7:72].lstrip().startswith("*>"):
            continue
        line = untab(raw) if "\t" in raw else raw
        tail = line[72:].rstrip()
        if tail:
            straddles = (line[71:72].isalnum() and tail[0].isalnum()) or len(tail) > 8
            tails.append((tail, straddles or (open_quote(line[7:72]) != "" and open_quote(line[7:]) == "")))
    seen = Counter(tail[:8] for tail, _ in tails)
    straddling = sum(straddles for tail, straddles in tails if not tail[:8].isdigit() and seen[tail[:8]] == 1)
    return straddling * 2 > len(tails)
