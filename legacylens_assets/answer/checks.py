"""Does the cited line say what the sentence says? Each citation and each sentence is checked before it is shown.

A citation holds when its id was sent, its lines lie inside what was sent, and the file is still the indexed one. A sentence is then compared with the
lines it cites: quotes and numbers must stand there, or it is removed; identifiers must stand there or name the cited unit, else it is weak, or
removed when half or more do not.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from legacylens_assets.answer.prose import code_of, comment_words
from legacylens_assets.answer.records import REMOVED, VERIFIED, WEAK, Draft, Mark, Source
from legacylens_assets.retrieval.names import key_of
from legacylens_assets.retrieval.terms import content_words, tokens_of

_QUOTE = re.compile(r"“([^”]*)”|``([^`]+)``|`([^`]+)`|\"([^\"]{3,})\"")
_LINES = re.compile(r"(?i)\blines?\s+(\d+)(?:\s*(?:-|–|—|to|through|and)\s*(\d+))?")
_NUMBER = re.compile(r"(?<![\w.])[-+]?\d[\d,]*(?:\.\d+)?%?(?![\w])")
_IDENTIFIER = re.compile(r"[A-Za-z$#@][\w$#@]*(?:[-_./][\w$#@]+)*")
_WORD = re.compile(r"[A-Za-z0-9$#@]+(?:\.\d+)?")
_ORDINAL = re.compile(r"^\s*(?:\d+[.)]|[-*•])\s+")
WEAK_OVERLAP = 0.2
"""Share of a sentence's telling words that its cited lines must hold when it names nothing that can be looked up."""

SMALL_NUMBERS = {
    "0": "zero",
    "1": "one",
    "2": "two",
    "3": "three",
    "4": "four",
    "5": "five",
    "6": "six",
    "7": "seven",
    "8": "eight",
    "9": "nine",
    "10": "ten",
}


RPG_COLUMNS = ((5, 17, 27, 32, 42, 48, 53), (5, 11, 25, 35, 49, 63, 68))
"""Where the columns of calculation lines begin in RPG III and RPG IV (ILE RPG Reference, calculation specifications)."""


@dataclass(frozen=True, slots=True)
class Checked:
    """What became of a sentence: its status, the marks that hold, and what does not stand in the cited lines."""

    status: str
    marks: tuple[Mark, ...]
    problems: tuple[str, ...]


Current = Callable[[Source], bool]
"""Says whether the source's file is still the indexed one."""


def check(draft: Draft, sources: Mapping[str, Source], current: Current) -> Checked:
    """Return the status of a sentence, with the citations that hold."""
    problems: list[str] = []
    kept: list[Mark] = []
    for mark in draft.marks:
        wrong = mark_problem(mark, sources, current)
        if wrong:
            problems.append(wrong)
        elif mark not in kept:
            kept.append(mark)
    if not kept:
        return Checked(REMOVED, (), tuple(problems or ["no citation"]))
    status, found = _supported(draft.text, [(sources[mark.source], mark) for mark in kept], sources)
    return Checked(status, tuple(kept) if status != REMOVED else (), (*problems, *found))


def mark_problem(mark: Mark, sources: Mapping[str, Source], current: Current) -> str:
    """Return what is wrong with a citation, "" when it holds."""
    source = sources.get(mark.source)
    if source is None:
        return f"{mark.source} was never sent"
    if not source.start_line <= mark.start_line <= mark.end_line <= source.end_line:
        return f"lines {mark.start_line}-{mark.end_line} lie outside {mark.source} ({source.start_line}-{source.end_line})"
    if not current(source):
        return f"{source.path} changed since it was indexed"
    return ""


def _supported(text: str, cited: Sequence[tuple[Source, Mark]], sources: Mapping[str, Source]) -> tuple[str, list[str]]:
    """Return the status that the words of a sentence deserve, and what is missing."""
    evidence = Evidence.of(cited)
    body = _ORDINAL.sub("", text)
    hard: list[str] = []
    soft: list[str] = []
    body, looked_up = _check_quotes(body, evidence, hard)
    body = _check_lines(body, cited, hard)
    names = [token for token in _IDENTIFIER.findall(body) if _names_something(token)]
    for token in dict.fromkeys(names):
        if not evidence.has_identifier(token):
            everywhere = any(Evidence.of([(source, _whole(source))]).has_identifier(token) for source in sources.values())
            (soft if everywhere else hard).append(f"{token} is not in the cited lines")
    numbers = _NUMBER.findall(_IDENTIFIER.sub(" ", body))
    hard += [f"{number} is not in the cited lines" for number in dict.fromkeys(numbers) if not evidence.has_number(number)]
    looked_up += len(names) + len(numbers)
    if hard:
        return REMOVED, hard
    if soft:
        return (REMOVED if 2 * len(soft) >= looked_up else WEAK), soft
    if not looked_up and evidence.overlap(body) < WEAK_OVERLAP:
        return WEAK, ["hardly a word of it is in the cited lines"]
    return VERIFIED, []


def _check_quotes(body: str, evidence: Evidence, hard: list[str]) -> tuple[str, int]:
    """Return the sentence without its quotes, and how many quotes stand in the cited lines (those that do not are put in ``hard``)."""
    good = 0
    for match in _QUOTE.finditer(body):
        quote = next(group for group in match.groups() if group is not None)
        if evidence.has_quote(quote):
            good += 1
        elif not evidence.is_name(quote):
            hard.append(f"“{quote[:60]}” is not in the cited lines")
    return _QUOTE.sub(" ", body), good


def _check_lines(body: str, cited: Sequence[tuple[Source, Mark]], hard: list[str]) -> str:
    """Return the sentence without its "lines 3–7"; each must lie inside a citation, or be exactly the lines of the cited unit or excerpt."""
    spans = {(source.unit_start, source.unit_end) for source, _ in cited} | {(source.start_line, source.end_line) for source, _ in cited}
    for match in _LINES.finditer(body):
        start, end = int(match.group(1)), int(match.group(2) or match.group(1))
        if (start, end) not in spans and not any(mark.start_line <= start <= end <= mark.end_line for _, mark in cited):
            hard.append(f"lines {start}-{end} are not those cited")
    return _LINES.sub(" ", body)


@dataclass(frozen=True, slots=True)
class Evidence:
    """The cited lines in the forms that sentences are compared with."""

    texts: tuple[str, ...]
    names: frozenset[str]
    keys: frozenset[str]
    numbers: frozenset[str]
    tokens: frozenset[str]

    @classmethod
    def of(cls, cited: Sequence[tuple[Source, Mark]]) -> Evidence:
        """Return what the cited lines hold; the names of the cited units count as held."""
        texts: list[str] = []
        raw: list[str] = []
        names: set[str] = set()
        for source, mark in cited:
            lines = source.text(mark.start_line, mark.end_line)
            raw += lines
            if source.language == "rpg":
                for cuts in RPG_COLUMNS:
                    parted = [_parted(line, cuts) for line in lines]
                    raw += parted
                    texts.append(_words("\n".join(parted)))
            texts.append(_words("\n".join(lines)))
            texts.append(_words("\n".join(code_of(line, source.language) for line in lines)))
            texts.append(_words("\n".join(comment_words(line, source.language) for line in lines)))
            names |= {source.path, PurePosixPath(source.path).name, PurePosixPath(source.path).stem, source.name, source.program, source.codebase}
        whole = "\n".join(raw)
        upper = frozenset(name.upper() for name in names if name)
        keys = frozenset(key_of(token) for token in _IDENTIFIER.findall(whole)) | frozenset(
            key_of(part) for part in re.split(r"[\s,()'\"=;]+", whole)
        )
        numbers = frozenset(_plain(number) for number in re.findall(r"\d[\d,]*(?:\.\d+)?", whole))
        return cls(tuple(texts), upper, keys, numbers, frozenset(tokens_of(whole)))

    def is_name(self, quote: str) -> bool:
        """Return whether a quoted piece is the name of a cited unit or file."""
        return quote.strip().upper() in self.names

    def has_quote(self, quote: str) -> bool:
        """Return whether the words of a quote stand in the cited lines, in that order and without a gap (an ellipsis splits it)."""
        pieces = [_words(piece) for piece in re.split(r"\s*(?:…|\.\.\.)\s*", quote)]
        return all(any(piece in text for text in self.texts) for piece in pieces if piece.strip()) and any(piece.strip() for piece in pieces)

    def has_identifier(self, token: str) -> bool:
        """Return whether an identifier stands in the cited lines or names a cited unit, case and separators aside."""
        return token.upper() in self.names or key_of(token) in self.keys or any(key_of(token) == key_of(name) for name in self.names)

    def has_number(self, number: str) -> bool:
        """Return whether a number stands in the cited lines, as digits or (up to ten) as a word."""
        plain = _plain(number)
        return plain in self.numbers or SMALL_NUMBERS.get(plain, "?") in self.tokens or key_of(number) in self.keys

    def overlap(self, body: str) -> float:
        """Return the share of a text's telling words that the cited lines hold, 1 when it has none."""
        words = content_words(body)
        return sum(bool(tokens_of(word) & self.tokens) for word in words) / len(words) if words else 1.0


def _parted(line: str, cuts: Sequence[int]) -> str:
    """Return a fixed-form line with a blank between its columns, where names may touch."""
    edges = (0, *cuts, len(line))
    return " ".join(line[start:end] for start, end in zip(edges, edges[1:], strict=False))


def _words(text: str) -> str:
    """Return the words of a text with one blank around each, for comparison as a run."""
    return f" {' '.join(_WORD.findall(text.upper()))} "


def _plain(number: str) -> str:
    """Return a number in one spelling.

    >>> _plain("1,500.00%"), _plain("007"), _plain("0.050")
    ('1500', '7', '0.05')
    """
    text = number.strip("+%").replace(",", "").lstrip("-")
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    head, dot, tail = text.partition(".")
    return (head.lstrip("0") or "0") + dot + tail


def _names_something(token: str) -> bool:
    """Return whether a word of prose looks like a name of the code: it has a digit, a joining mark or (beyond three letters) capitals."""
    if not any(map(str.isalpha, token)) or re.fullmatch(r"S\d+", token):
        return False
    if any(mark in token for mark in "_$#@") or any(map(str.isdigit, token)):
        return True
    if any(mark in token for mark in "-./"):
        return token.upper() == token and len(token) > 3
    return (token.isupper() and len(token) > 3) or bool(re.match(r"^[a-z]+[A-Z]", token))


def _whole(source: Source) -> Mark:
    return Mark(source.id, source.start_line, source.end_line)
