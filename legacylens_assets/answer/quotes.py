"""The best sentence of a comment or document, and the best lines of code, for the words of a question: each with exactly the lines it stands in."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from legacylens_assets.answer.prose import code_of, comment_body, comment_flags, comment_words
from legacylens_assets.answer.records import Mark, Source
from legacylens_assets.answer.statements import COMPUTATION, CONDITION, MESSAGE, OTHER, begins, is_dull, kind_of, statement, statement_span
from legacylens_assets.retrieval.terms import tokens_of

QUOTED_CHARS = 240
SHARES_A_WORD = 0.25
"""Score above which a quote shares a word with the question."""

BONUS: Mapping[str, float] = {CONDITION: 0.5, COMPUTATION: 0.6, MESSAGE: 0.5, OTHER: 0.0}
"""What a statement is worth by what it does, beside the words it shares with the question."""

PROSE_KINDS = frozenset({"heading", "", "lines", "file", "section"})
"""Kinds of text units that are written for people; the rest (maps, commands, tables) are code."""

_LABEL = re.compile(r"^\W*([A-Za-z][A-Za-z /_-]{1,20}?)\s*:(?:\s|$)")
_PURPOSE = re.compile(r"(?i)\b(function|purpose|description|abstract|synopsis|remarks|overview|brief)\b")
_DULL = re.compile(
    r"(?i)\b(program|program-?id|application|type|author|date|version|name|file|module|copyright|system|language|installation|compile[rd]?)\b"
)
_DATED = re.compile(r"^\W*(?:\d{4}[-/.]\d\d|\d\d?[-/.]\d\d?[-/.]\d\d|\d\d?[-/.](?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec))", re.IGNORECASE)
"""A line of a change log begins with its date: it says what changed once, not what the code does."""

_TABLE_RULE = re.compile(r"^\s*\|?(?:\s*:?-{2,}:?\s*\|)+(?:\s*:?-{2,}:?\s*)?$")
"""What stands under the heads of a table's columns: they are no sentence."""

_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z0-9“\"'(])")
_CODE_LIKE = re.compile(
    r"^(?:ACCEPT|ADD|CALL|CLOSE|COMPUTE|COPY|DISPLAY|DIVIDE|ELSE|END-\w+|EVALUATE|EXEC|GO\s+TO|GOBACK|IF|INITIALIZE|INSPECT|MOVE|MULTIPLY"
    r"|OPEN|PERFORM|READ|REWRITE|SET|STOP|STRING|SUBTRACT|UNSTRING|WHEN|WRITE|\d\d)\s+[A-Z0-9'\"(-][A-Z0-9'\"() .,:*=<>/+-]*$"
    r"|^(?i:INSERT\s+INTO|CREATE\s+(?:UNIQUE\s+)?(?:TABLE|INDEX)|SELECT\s.*\sFROM)\b|\]\([#./\w]|^<[\w/!]"
    r"|[;{}]\s*$|^\w+\s*\([^)]*\)\s*$|^[\w>.\-]+\s*=\s*\S+$"
)


_SYMBOLS = re.compile(r"[^\w\s.,;:'()]")
MOST_SYMBOLS = 0.15
"""Share of a sentence's characters that may be signs: beyond it, it is a listing or a rule, not a sentence."""


@dataclass(frozen=True, slots=True)
class Weights:
    """What each of the question's tokens is worth over the lines at hand: rare ones more."""

    of: Mapping[str, float]

    @classmethod
    def over(cls, terms: Mapping[str, float], sources: Sequence[Source]) -> Weights:
        """Return the weights of ``terms`` by how many lines of ``sources`` hold them."""
        counts: dict[str, int] = {}
        total = 1
        for source in sources:
            for line in source.lines:
                total += 1
                for token in tokens_of(line):
                    if token in terms:
                        counts[token] = counts.get(token, 0) + 1
        return cls({term: weight * math.log(1 + total / (1 + counts.get(term, 0))) for term, weight in terms.items()})

    def score(self, text: str) -> float:
        """Return the summed weight of the question's tokens in ``text``."""
        return sum(self.of.get(token, 0.0) for token in tokens_of(text))


@dataclass(frozen=True, slots=True)
class Quote:
    """Words of the source, the lines they stand in, and how much they say about the question."""

    text: str
    mark: Mark
    score: float


def best_comment(source: Source, weights: Weights) -> Quote | None:
    """Return the sentence of the unit's comments that says most about the question; the first telling one when none says anything."""
    best: Quote | None = None
    for quote in comment_sentences(source, weights):
        if best is None or quote.score > best.score + 0.3:
            best = quote
    return best


def best_code(source: Source, weights: Weights, most: int) -> list[Quote]:
    """Return up to ``most`` statements that say most: those that hold the question's words, conditions, computations and messages before others.

    In order of line; whole statements, so a quote may span several lines. Headers, ends and the line that names the unit are left out.
    """
    flags = code_flags(source)
    first, last = unit_span(source)
    named = naming_line(source)
    scored: list[tuple[float, int]] = []
    for number in range(first, last):
        if not flags[number] or (named is not None and named.start_line == source.start_line + number):
            continue
        code = " ".join(code_of(source.lines[number], source.language).split())
        if len(code) < 4 or is_dull(code):
            continue
        scored.append((-(weights.score(code) + BONUS[kind_of(code)]), number))
    chosen: list[Quote] = []
    for negative, number in sorted(scored)[: 4 * most]:
        begin, end = statement_span(source.lines, flags, number, source.language)
        if not begins(source.lines, begin, source.language):
            continue
        mark = Mark(source.id, source.start_line + begin, source.start_line + end)
        text = statement(source.lines, begin, end, source.language)
        if len(text) > 2 * QUOTED_CHARS:
            text = text[:QUOTED_CHARS].rsplit(" ", 1)[0] + "…"
        if all(mark.end_line < other.mark.start_line or other.mark.end_line < mark.start_line for other in chosen):
            chosen.append(Quote(text, mark, -negative))
        if len(chosen) == most:
            break
    return sorted(chosen, key=lambda quote: quote.mark.start_line)


def naming_line(source: Source) -> Mark | None:
    """Return the line of the unit that names it (a division: its program), else its first line of code."""
    flags = code_flags(source)
    first, last = unit_span(source)
    code = [number for number in range(first, last) if flags[number]]
    names = [name.upper() for name in ((source.program, source.name) if source.kind == "division" else (source.name,)) if name]
    found = next((number for name in names for number in code if name in source.lines[number].upper()), code[0] if code else None)
    return None if found is None else Mark(source.id, source.start_line + found, source.start_line + found)


def unit_span(source: Source) -> tuple[int, int]:
    """Return where the unit lies in the source's lines: first, and one past the last."""
    return source.unit_start - source.start_line, source.unit_end - source.start_line + 1


def is_hollow(source: Source) -> bool:
    """Return whether a unit is a bare header: a division or section of at most three lines of code."""
    first, last = unit_span(source)
    return source.kind in ("division", "section") and source.language != "text" and sum(code_flags(source)[first:last]) <= 3


def is_prose(source: Source) -> bool:
    """Return whether a source is a document for people."""
    return source.language == "text" and source.kind in PROSE_KINDS


def code_flags(source: Source) -> list[bool]:
    """Return for each line of a source whether it holds code."""
    if source.language == "text" and not is_prose(source):
        return [bool(line.strip()) and not line.lstrip().startswith("*") for line in source.lines]
    flags = comment_flags(source.lines, source.language)
    return [not flag and bool(line.strip()) for flag, line in zip(flags, source.lines, strict=True)]


def comment_sentences(source: Source, weights: Weights) -> Iterator[Quote]:
    """Yield the sentences of the unit's comments with their lines and scores, commented-out code left out."""
    for paragraph in _paragraphs(source):
        labelled = _LABEL.match(comment_body(source.lines[paragraph[0][0]], source.language))
        dull = bool(_DATED.match(paragraph[0][1])) or bool(labelled and _DULL.search(labelled.group(1)) and not _PURPOSE.search(labelled.group(1)))
        bonus = 0.8 if labelled and _PURPOSE.search(labelled.group(1)) else -0.6 if dull else 0.0
        for text, first, last in _split(paragraph):
            if len(text.split()) < 3 or _CODE_LIKE.search(text) or _SYMBOLS.subn("", text)[1] > MOST_SYMBOLS * len(text):
                continue
            score = bonus + (0.0 if dull else weights.score(text))
            yield Quote(text, Mark(source.id, source.start_line + first, source.start_line + last), score)


def _paragraphs(source: Source) -> Iterator[list[tuple[int, str]]]:
    """Yield runs of comment lines as (index, words); a blank, a rule, a label, a list item or code begins a new run."""
    comments = [bool(line.strip()) and not code for line, code in zip(source.lines, code_flags(source), strict=True)]
    first, last = unit_span(source)
    run: list[tuple[int, str]] = []
    for number in range(first, last):
        line = source.lines[number]
        heading = is_prose(source) and line.lstrip().startswith("#")
        words = comment_words(line, source.language) if comments[number] and not heading else ""
        fresh = (
            bool(_LABEL.match(comment_body(line, source.language)))
            or line.lstrip(" *!/#").startswith(("- ", "+ ", "|"))
            or bool(_CODE_LIKE.search(words))
            or bool(_DATED.match(words))
        )
        if run and (not words or fresh):
            yield run
            run = []
        if words and is_prose(source):
            words = words.replace("**", "")
        if words and number + 1 < last and _TABLE_RULE.match(source.lines[number + 1]):
            words = ""
        if words:
            run.append((number, words.replace("“", '"').replace("”", '"').replace("`", "'")))
    if run:
        yield run


def _split(paragraph: Sequence[tuple[int, str]]) -> Iterator[tuple[str, int, int]]:
    """Yield the sentences of a paragraph as (text, first line index, last line index), cut to what can be quoted."""
    starts = []
    text = ""
    for number, words in paragraph:
        starts.append((len(text), number))
        text += words + " "
    place = 0
    for sentence in _SENTENCE.split(text.rstrip()):
        begin = text.index(sentence, place)
        place = begin + len(sentence)
        shown = sentence.strip()
        if len(shown) > QUOTED_CHARS:
            shown = shown[:QUOTED_CHARS].rsplit(" ", 1)[0].rstrip(" .,;:") + "…"
        end = begin + len(shown) - 1
        yield shown.rstrip(" .,;:"), _line_at(starts, begin), _line_at(starts, end)


def _line_at(starts: Sequence[tuple[int, int]], place: int) -> int:
    return max((offset, number) for offset, number in starts if offset <= place)[1]
