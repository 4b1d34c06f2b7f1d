"""An answer without a model: quotes and graph facts, each sentence cited with exactly the lines that say so. Assembled from facts, never invented."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from legacylens_assets.answer.facts import graph_facts
from legacylens_assets.answer.prose import code_of, comment_flags, comment_words
from legacylens_assets.answer.records import Draft, Mark, Source
from legacylens_assets.retrieval.catalog import Catalog
from legacylens_assets.retrieval.terms import tokens_of

MOST_SENTENCES = 8
QUOTED_CHARS = 220
SHARES_A_WORD = 0.25
"""Score above which a line shares a word with the question."""

KIND_WORDS: Mapping[str, str] = {
    "data_item": "data item", "block_data": "block data unit", "data_structure": "data structure", "dd": "DD statement", "step": "job step",
    "proc": "procedure", "copy": "copybook reference", "mapset": "map set", "heading": "section", "program": "program", "file": "file",
}  # fmt: skip


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


def compose(terms: Mapping[str, float], sources: Sequence[Source], catalog: Catalog, focused: bool = False) -> list[Draft]:
    """Return three to eight sentences (fewer when there is less to say), best first. ``terms`` are the question's tokens with their weights.

    ``focused`` says that one unit was asked for by name: other units are then told only when they share words with the question.
    """
    weights = Weights.over(terms, sources)
    hits = [source for source in sources if source.why == "hit"]
    headers = {source.file_id: source for source in sources if source.why == "header"}
    if not hits:
        return []
    first = hits[0]
    drafts = _lead(first, headers.get(first.file_id), weights)
    drafts += _key_lines(first, weights)
    drafts += graph_facts(first, sources, catalog)
    for place, source in enumerate(hits[1:6]):
        drafts += _mention(source, weights, certain=place < 2 and not focused)
    return _distinct(drafts)[:MOST_SENTENCES]


def _lead(source: Source, header: Source | None, weights: Weights) -> list[Draft]:
    """Return what the best unit is and what its comment, or its file's header, says of it."""
    said = best_comment(source, weights)
    if source.language == "text":
        return [Draft(f"{_place(source)} says: “{said[0]}”.", (said[1],))] if said else []
    named = _naming_line(source)
    drafts = []
    if said:
        marks = (named, said[1]) if named and not _covers(said[1], named) else (said[1],)
        drafts.append(Draft(f"{_unit(source)}: its comment says “{said[0]}”.", marks))
    elif named:
        code = best_code(source, weights, 1)
        told = f"has `{code[0][0]}` in {_lines(code[0][1])}" if code else "is the closest match"
        drafts.append(Draft(f"{_unit(source)} {told}.", (named, code[0][1]) if code else (named,)))
    about = best_comment(header, weights) if header is not None else None
    if about and header is not None:
        drafts.append(Draft(f"The header of `{header.path}` says: “{about[0]}”.", (about[1],)))
    return drafts


def _mention(source: Source, weights: Weights, certain: bool) -> list[Draft]:
    """Return one sentence on a further hit: its comment when that answers, else its best line.

    Unless ``certain`` it must share a word with the question.
    """
    said = best_comment(source, weights)
    code = best_code(source, weights, 1)
    best = max(said[2] if said else 0.0, code[0][2] if code else 0.0)
    if best < SHARES_A_WORD and not certain:
        return []
    if source.language == "text":
        return [Draft(f"{_place(source)} says: “{said[0]}”.", (said[1],))] if said else []
    if said and (not code or said[2] >= 0.6 * code[0][2]):
        return [Draft(f"{_unit(source)}: its comment says “{said[0]}”.", (said[1],))]
    if code and code[0][2] >= SHARES_A_WORD:
        quote, mark, _ = code[0]
        return [Draft(f"{_unit(source)} has `{quote}` in {_lines(mark)}.", (mark,))]
    named = _naming_line(source)
    return [Draft(f"{_unit(source)} is close to it too.", (named,))] if named else []


def _key_lines(source: Source, weights: Weights) -> list[Draft]:
    """Return the lines of the best unit that hold most of what was asked."""
    if source.language == "text":
        return []
    drafts = []
    for quote, mark, score in best_code(source, weights, 2):
        if score >= SHARES_A_WORD:
            verb = "reads" if mark.start_line == mark.end_line else "read"
            drafts.append(Draft(f"{_lines(mark).capitalize()} {verb} `{quote}`.", (mark,)))
    return drafts


def best_comment(source: Source, weights: Weights) -> tuple[str, Mark, float] | None:
    """Return (words, where, score) of the run of comment lines that says most about the question; the first telling one when none matches."""
    flags = comment_flags(source.lines, source.language)
    best: tuple[str, Mark, float] | None = None
    number, last = _unit_span(source)
    while number < last:
        words = comment_words(source.lines[number], source.language) if flags[number] else ""
        if len(words.split()) < 2:
            number += 1
            continue
        said, end = [words], number
        while end + 1 < last and end - number < 3 and flags[end + 1] and not said[-1].endswith((".", ":", "?")):
            more = comment_words(source.lines[end + 1], source.language)
            if not more or sum(map(len, said)) + len(more) > QUOTED_CHARS:
                break
            said.append(more)
            end += 1
        text = _unquoted(" ".join(said))[:QUOTED_CHARS].rstrip(" .,;:")
        score = weights.score(text) + (0.01 if len(text.split()) >= 4 else 0.0)
        if len(text.split()) >= 3 and (best is None or score > best[2] + 0.5):
            best = (text, Mark(source.id, source.start_line + number, source.start_line + end), score)
        number = end + 1
    return best


def best_code(source: Source, weights: Weights, most: int) -> list[tuple[str, Mark, float]]:
    """Return up to ``most`` (code, where, score): the lines that hold most of the question's words, in order of line."""
    flags = comment_flags(source.lines, source.language)
    scored = []
    first, last = _unit_span(source)
    named = _naming_line(source)
    for number, line in enumerate(source.lines[first:last], start=first):
        code = _unticked(code_of(line, source.language))
        if flags[number] or len(code) < 4 or (named is not None and named.start_line == source.start_line + number):
            continue
        score = weights.score(code) * (1.0 if len(code.split()) > 1 else 0.3)
        scored.append((-score, number, code[:QUOTED_CHARS]))
    chosen: list[tuple[int, str, float]] = []
    for negative, number, code in sorted(scored):
        if len(chosen) == most or (chosen and -negative <= 0):
            break
        if all(abs(number - other) > 1 for other, _, _ in chosen):
            chosen.append((number, code, -negative))
    return [(code, Mark(source.id, source.start_line + n, source.start_line + n), score) for n, code, score in sorted(chosen)]


def _naming_line(source: Source) -> Mark | None:
    """Return the line of the unit that names it, else its first line of code."""
    flags = comment_flags(source.lines, source.language)
    first, last = _unit_span(source)
    code = [number for number in range(first, last) if not flags[number] and source.lines[number].strip()]
    name = source.name.upper()
    number = next((number for number in code if name and name in source.lines[number].upper()), code[0] if code else None)
    return None if number is None else Mark(source.id, source.start_line + number, source.start_line + number)


def _unit_span(source: Source) -> tuple[int, int]:
    """Return where the unit lies in the source's lines: first, and one past the last."""
    return source.unit_start - source.start_line, source.unit_end - source.start_line + 1


def _unit(source: Source) -> str:
    """Return a unit with its kind and place.

    `1000-POST` (paragraph of `CBPOST01`, `cbl/CBPOST01.cbl` lines 10–40)
    """
    kind = KIND_WORDS.get(source.kind, source.kind.replace("_", " "))
    owner = f" of `{source.program}`" if source.program and source.program.upper() != source.name.upper() else ""
    span = f"line {source.unit_start}" if source.unit_start == source.unit_end else f"lines {source.unit_start}–{source.unit_end}"
    where = f"`{source.path}` {span}"
    return f"`{source.name}` ({kind}{owner}, {where})" if source.name else where


def _place(source: Source) -> str:
    heading = f", section “{_unquoted(source.name)}”," if source.kind == "heading" and source.name else ""
    return f"`{source.path}`{heading}"


def _lines(mark: Mark) -> str:
    return f"line {mark.start_line}" if mark.start_line == mark.end_line else f"lines {mark.start_line}–{mark.end_line}"


def _covers(mark: Mark, other: Mark) -> bool:
    return mark.source == other.source and mark.start_line <= other.start_line and other.end_line <= mark.end_line


def _unquoted(text: str) -> str:
    return text.replace("“", '"').replace("”", '"')


def _unticked(text: str) -> str:
    return " ".join(text.split()).replace("`", "'")


def _distinct(drafts: Sequence[Draft]) -> list[Draft]:
    """Return the drafts without those that say what an earlier one said."""
    kept: list[Draft] = []
    said: set[str] = set()
    for draft in drafts:
        quote = draft.text.partition("“")[2] or draft.text
        if quote not in said and not (len(draft.marks) == 1 and any(draft.marks[0] in other.marks for other in kept)):
            said.add(quote)
            kept.append(draft)
    return kept
