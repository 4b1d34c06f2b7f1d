"""Words of business people and the words that code uses for them.

They join the question's identifiers leg at a low weight; the dense leg does not see them. The lever ``synonyms`` turns them off.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import resources
from types import MappingProxyType

from legacylens_assets.identifiers import stem
from legacylens_assets.retrieval.terms import content_words

WEIGHT = 0.4
"""Weight of a synonym beside 1 for a word of the question."""


def synonym_tokens(question: str) -> dict[str, float]:
    """Return token -> weight for the synonyms of a question's telling words; a word of the question itself is not among them.

    >>> synonym_tokens("which client owes money")["custom"]
    0.4
    """
    words = content_words(question)
    found = {other for word in words for other in synonyms_of(word)}
    return {token: WEIGHT for token in sorted(found - {stem(word) for word in words})}


def synonyms_of(word: str) -> frozenset[str]:
    """Return the stems of a word's synonyms."""
    return frozenset((*table().get(word, ()), *table().get(stem(word), ())))


@cache
def table() -> Mapping[str, tuple[str, ...]]:
    """Return word (as written, and stemmed) -> the stems of its synonyms, from both tables."""
    found: dict[str, dict[str, None]] = {}
    for line in _lines("retrieval/synonyms.tsv"):
        word, _, others = line.partition("\t")
        for key in dict.fromkeys((word, stem(word))):
            found.setdefault(key, {}).update(dict.fromkeys(map(stem, others.split())))
    for line in _lines("vocabulary/concepts.tsv"):
        heads, _, others = line.partition(">")
        for head in heads.split():
            found.setdefault(stem(head), {}).update(dict.fromkeys(map(stem, others.split())))
    return MappingProxyType({word: tuple(others) for word, others in found.items()})


def _lines(name: str) -> list[str]:
    text = resources.files("legacylens_assets").joinpath(name).read_text(encoding="utf-8")
    return [line for line in text.splitlines() if line and not line.startswith("#")]
