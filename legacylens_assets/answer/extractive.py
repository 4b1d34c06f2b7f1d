"""An answer without a model: quotes and graph facts, each sentence cited with exactly the lines that say so. Assembled from facts, never invented."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from legacylens_assets.answer.document import outline_drafts
from legacylens_assets.answer.facts import graph_facts
from legacylens_assets.answer.quotes import SHARES_A_WORD, Weights, best_code, best_comment, is_hollow, is_prose, unit_span
from legacylens_assets.answer.records import Draft, Mark, Source
from legacylens_assets.answer.rules import compose_rules
from legacylens_assets.answer.statements import COMPUTATION, CONDITION, MESSAGE, OTHER, kind_of
from legacylens_assets.retrieval.catalog import Catalog
from legacylens_assets.retrieval.names import key_of

MOST_SENTENCES = 8
MOST_DOCUMENTED = 12
CERTAIN = 3
"""How many further units are told although they share no word with the question: the dense leg may know better."""

PRIOR, PRIOR_FADES, BEHIND = 1.0, 0.25, 2
"""Worth of the first hit beside 1 for the unit that holds most of the question's words, and how fast it fades with rank (fitted on dev questions)."""

KEY_LINE = 1.0
UNIT_SOURCES = frozenset({"hit", "neighbour", "copied"})
UNNAMED_KINDS = frozenset({"include", "copy", "lines", "file", "use", ""})
"""Kinds whose name is not that of the unit itself: they are told by file and lines."""

VERBS: Mapping[str, tuple[str, str]] = {
    CONDITION: ("tests", "test"), COMPUTATION: ("computes", "compute"), MESSAGE: ("says", "say"), OTHER: ("has", "read")
}  # fmt: skip
DATA_KINDS = frozenset({"data_item", "record", "table", "struct", "data_structure", "copybook", "dd", "map"})

KIND_WORDS: Mapping[str, str] = {
    "data_item": "data item", "block_data": "block data unit", "data_structure": "data structure", "dd": "DD statement", "step": "job step",
    "proc": "procedure", "copy": "copybook reference", "mapset": "map set", "heading": "section", "program": "program", "file": "file",
    "lines": "lines",
}  # fmt: skip


def compose(terms: Mapping[str, float], sources: Sequence[Source], catalog: Catalog, only: Sequence[str] = (), mode: str = "explain") -> list[Draft]:
    """Return three to eight sentences (fewer when there is less to say), best first. ``terms`` are the question's tokens with their weights.

    One sentence on each unit: the best one with its key statement, then where it is used and what data it touches, then the others by how much they
    say. ``only`` holds the names when units were asked for by name and nothing else was: other units are then told only when they hold one of these.
    Mode document tells of the best unit alone, mode rules lists conditions with what is done under them, and comments that state a rule.
    """
    weights = Weights.over(terms, sources)
    found = [source for source in sources if source.why in UNIT_SOURCES]
    units = [source for source in found if not is_hollow(source)] or found
    headers = {source.file_id: source for source in sources if source.why == "header"}
    if not units:
        return []
    ranked = units if only else _ranked(units, weights)
    first = ranked[0]
    if mode == "rules":
        return compose_rules([unit for unit in ranked if not only or unit.path == first.path], weights)
    drafts = _lead(first, headers.get(first.file_id), weights)
    if first.kind not in UNNAMED_KINDS:
        drafts += graph_facts(first, sources, catalog)
    if mode == "document":
        drafts += outline_drafts(first, sources, catalog)
        drafts += compose_rules([unit for unit in ranked if unit.path == first.path][:2], weights)
        return _distinct(drafts)[:MOST_DOCUMENTED]
    for place, source in enumerate(ranked[1:]):
        if not only or any(key_of(name) in key_of("".join(source.lines)) for name in only):
            drafts += _mention(source, weights, certain=place < CERTAIN)
    return _distinct(drafts)[:MOST_SENTENCES]


def _ranked(units: Sequence[Source], weights: Weights) -> list[Source]:
    """Return the units by their place among the hits and the share of the question's words that they hold."""
    told = [weights.score("\n".join(source.lines[slice(*unit_span(source))])) for source in units]
    most = max(told) or 1.0
    places = [place if unit.why == "hit" else place + BEHIND for place, unit in enumerate(units)]
    worth = [PRIOR / (1 + PRIOR_FADES * place) + said / most for place, said in zip(places, told, strict=True)]
    order = sorted(range(len(units)), key=lambda number: (-worth[number], number))
    return [units[number] for number in order]


def _lead(source: Source, header: Source | None, weights: Weights) -> list[Draft]:
    """Return what the best unit is and what its comment says, with the statement that holds most of what was asked; its file's header after it."""
    about = best_comment(header, weights) if header is not None else None
    if about and header is not None and source.kind in ("program", "division") and not best_comment(source, weights):
        return [Draft(f"{_unit(source)}: its header says “{about.text}”.", (_whole(source), about.mark))]
    drafts = _mention(source, weights, certain=True)
    quoted = {mark for draft in drafts for mark in draft.marks}
    for quote in [] if is_prose(source) else best_code(source, weights, 2):
        if quote.score >= KEY_LINE and quote.mark not in quoted and kind_of(quote.text) != OTHER:
            drafts.append(
                Draft(
                    f"{_lines(quote.mark).capitalize()} {_does(quote.text, quote.mark.end_line > quote.mark.start_line)} `{quote.text}`.",
                    (quote.mark,),
                )
            )
            break
    if about and header is not None and (about.score >= SHARES_A_WORD or len(drafts) == 1):
        drafts.append(Draft(f"The header of `{header.path}` says: “{about.text}”.", (about.mark,)))
    return drafts


def _mention(source: Source, weights: Weights, certain: bool) -> list[Draft]:
    """Return one sentence on a unit: its comment when that answers, else its best statement. It cites the statement and the unit.

    Unless ``certain`` it must share a word with the question. A unit with nothing worth quoting gives none.
    """
    said = best_comment(source, weights)
    if is_prose(source):
        told = said is not None and (certain or said.score >= SHARES_A_WORD)
        return [Draft(f"{_place(source)} says: “{said.text}”.", (said.mark,))] if said and told else []
    code = best_code(source, weights, 1)
    if not certain and max(said.score if said else 0.0, code[0].score if code else 0.0) < SHARES_A_WORD:
        return []
    if said and (not code or said.score >= 0.6 * code[0].score or not code[0].score):
        return [Draft(f"{_unit(source)}: its comment says “{said.text}”.", (said.mark, _whole(source)))]
    if code and (code[0].score > 0 or source.kind in DATA_KINDS):
        return [Draft(f"{_unit(source)} {_does(code[0].text)} `{code[0].text}` in {_lines(code[0].mark)}.", (code[0].mark, _whole(source)))]
    return []


def _does(code: str, plural: bool = False) -> str:
    """Return the verb for a quoted statement, for one line or unit, or for several lines.

    >>> _does("IF A < B"), _does("COMPUTE A = B * C", plural=True)
    ('tests', 'compute')
    """
    one, more = VERBS[kind_of(code)]
    return more if plural else one


def _whole(source: Source) -> Mark:
    """Return the lines of the unit."""
    return Mark(source.id, source.unit_start, source.unit_end)


def _unit(source: Source) -> str:
    """Return a unit with its kind and place: `1000-POST` (paragraph of `CBPOST01`, `cbl/CBPOST01.cbl` lines 10–40)."""
    name, kind = source.name, KIND_WORDS.get(source.kind, source.kind.replace("_", " "))
    owner = f" of `{source.program}`" if source.program and source.program.upper() != name.upper() else ""
    if source.kind == "division" and source.program:
        name, kind, owner = source.program, f"program, its {source.name.lower()}", ""
    span = f"line {source.unit_start}" if source.unit_start == source.unit_end else f"lines {source.unit_start}–{source.unit_end}"
    where = f"`{source.path}` {span}"
    if source.why == "copied":
        return f"The copied file {where}"
    if not name or (source.kind in UNNAMED_KINDS and source.kind != "file"):
        return f"{where[0].upper()}{where[1:]}"
    return f"`{name}` ({kind}{owner}, {where})"


def _place(source: Source) -> str:
    heading = f", section “{source.name.strip('# ')}”," if source.kind == "heading" and source.name and "“" not in source.name else ""
    return f"`{source.path}`{heading}"


def _lines(mark: Mark) -> str:
    return f"line {mark.start_line}" if mark.start_line == mark.end_line else f"lines {mark.start_line}–{mark.end_line}"


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
