"""Business rules as a cited list without a model: conditions with what is done under them, and comments that state a rule."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from legacylens_assets.answer.prose import code_of
from legacylens_assets.answer.quotes import Weights, code_flags, comment_sentences, is_prose, unit_span
from legacylens_assets.answer.records import Draft, Mark, Source
from legacylens_assets.answer.statements import CONDITION, is_dull, kind_of, statement, statement_end

MOST_RULES = 12
MOST_UNITS = 10
MOST_QUOTED = 200

_HEAD = re.compile(r"(?i)^(?:else\s+)?(?P<word>if|when|\*inlr|dow|dou)\b\s*")
_SUBJECT = re.compile(r"(?i)^(?:evaluate|select\s+case|select|switch)\b\s*\(?\s*(?P<subject>[^.;{]*?)\s*\)?\s*[;{]?$")
_TECHNICAL = re.compile(
    r"(?i)STATUS\b|\bEOF\b|END-OF-|SQLCODE|SQLSTATE|\bRESP\b|-RESP\b|EIB\w+|DFHRESP|LOW-VALUES|\bNULL\b|\bINFO\b|FIRST-TIME|ABEND|RETURN-CODE|%EOF|\bOPEN\b"
)
_STATES_A_RULE = re.compile(
    r"(?i)\b(?:must|only|never|always|unless|except|at\s+(?:least|most)|more\s+than|less\s+than|not\s+allowed|no\s+longer|may\s+not|shall|required|limit|"
    r"maximum|minimum|if|when|until|wins|allowed|refused|rejected)\b"
)


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule as it will be told, and how much it says about the question."""

    draft: Draft
    score: float
    place: tuple[int, int]


def compose_rules(units: Sequence[Source], weights: Weights) -> list[Draft]:
    """Return up to MOST_RULES list items, those that say most about the question, in the order of the units and their lines."""
    found: list[Rule] = []
    for number, unit in enumerate(units[:MOST_UNITS]):
        found += [*_conditions(unit, number, weights), *_stated(unit, number, weights)]
    telling = [rule for rule in found if rule.score > 0] or found
    best = sorted(telling, key=lambda rule: (-rule.score, rule.place))[:MOST_RULES]
    kept: list[Rule] = []
    for rule in best:
        if all(rule.draft.text != other.draft.text for other in kept):
            kept.append(rule)
    return [rule.draft for rule in sorted(kept, key=lambda rule: rule.place)]


def _conditions(unit: Source, number: int, weights: Weights) -> Iterator[Rule]:
    """Yield the conditions of a unit's code with the first statement under each."""
    if is_prose(unit):
        return
    flags = code_flags(unit)
    first, last = unit_span(unit)
    subject: tuple[str, int] | None = None
    for index in range(first, last):
        if not flags[index]:
            continue
        code = code_of(unit.lines[index], unit.language)
        asked = _SUBJECT.match(code)
        if asked:
            subject = (asked.group("subject").strip(), index)
            continue
        if not _HEAD.match(code) or kind_of(code) != CONDITION:
            continue
        rule = _rule(unit, flags, index, subject)
        if rule is not None:
            draft, said = rule
            worth = weights.score(said) + 0.5 - (1.0 if _TECHNICAL.search(said) else 0.0) - 0.1 * number
            yield Rule(draft, worth, (number, index))


def _rule(unit: Source, flags: Sequence[bool], index: int, subject: tuple[str, int] | None) -> tuple[Draft, str] | None:
    """Return the sentence on the condition in a line and the words it quotes; None when nothing is done under it that can be quoted."""
    end = statement_end(unit.lines, flags, index, unit.language)
    whole = statement(unit.lines, index, end, unit.language)
    head = _HEAD.match(whole)
    follows = end + 1 < len(unit.lines) and flags[end + 1] and not is_dull(code_of(unit.lines[end + 1], unit.language))
    mark = Mark(unit.id, unit.start_line + index, unit.start_line + end)
    owner = f" (`{unit.name}`)" if unit.name and " " not in unit.name else ""
    if head is None or len(whole) > MOST_QUOTED:
        return None
    complete = unit.language in ("c", "pli") and whole.endswith(";")
    if not follows or complete or _HEAD.match(code_of(unit.lines[end + 1], unit.language)):
        return (Draft(f"- `{whole}`{owner}", (mark,)), whole) if len(whole.split()) > 5 else None
    close = statement_end(unit.lines, flags, end + 1, unit.language)
    action = statement(unit.lines, end + 1, close, unit.language)
    if len(action) > MOST_QUOTED:
        return None
    mark = Mark(unit.id, unit.start_line + index, unit.start_line + close)
    test = whole[head.end() :].rstrip(" ;{") or whole
    if head.group("word").lower() == "when" and subject is not None and subject[0].upper() not in ("", "TRUE"):
        line = Mark(unit.id, unit.start_line + subject[1], unit.start_line + subject[1])
        return Draft(f"- When `{subject[0]}` is `{test}`: `{action}`{owner}", (line, mark)), f"{subject[0]} {test} {action}"
    return Draft(f"- When `{test}`: `{action}`{owner}", (mark,)), f"{test} {action}"


def _stated(unit: Source, number: int, weights: Weights) -> Iterator[Rule]:
    """Yield the sentences of comments and documents that state a rule."""
    for quote in comment_sentences(unit, weights):
        if _STATES_A_RULE.search(quote.text) and quote.score > 0:
            yield Rule(Draft(f"- “{quote.text}”", (quote.mark,)), quote.score + 0.5 - 0.1 * number, (number, quote.mark.start_line - unit.start_line))
