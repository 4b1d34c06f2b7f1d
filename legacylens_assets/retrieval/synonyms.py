"""Words of business people and the words that code uses for them.

They join the question's identifiers leg at a low weight; a small dense encoder is asked a second time with the first few of them appended, and
the two vectors are mixed. The lever ``synonyms`` turns both off, ``dense_synonyms`` the second.
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


PER_WORD = 3
"""Words that one word of the question adds to the text of the second dense query."""


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


def expanded(question: str) -> str:
    """Return the question with up to three words of code for each of its telling words appended; unchanged when there are none.

    >>> expanded("which contracts lapse")
    'which contracts lapse policy contract agreement expire expiration date'
    """
    words = [other for word in content_words(question) for other in concepts().get(stem(word), ())[:PER_WORD]]
    return " ".join([question, *dict.fromkeys(words)])


@cache
def concepts() -> Mapping[str, tuple[str, ...]]:
    """Return stem of a word of people -> the words of code, as written."""
    found: dict[str, dict[str, None]] = {}
    for line in _lines("vocabulary/concepts.tsv"):
        heads, _, others = line.partition(">")
        for head in heads.split():
            found.setdefault(stem(head), {}).update(dict.fromkeys(others.split()))
    return MappingProxyType({word: tuple(others) for word, others in found.items()})


@cache
def table() -> Mapping[str, tuple[str, ...]]:
    """Return word (as written, and stemmed) -> the stems of its synonyms, from both tables."""
    found: dict[str, dict[str, None]] = {}
    for line in _lines("retrieval/synonyms.tsv"):
        word, _, others = line.partition("\t")
        for key in dict.fromkeys((word, stem(word))):
            found.setdefault(key, {}).update(dict.fromkeys(map(stem, others.split())))
    for head, words in concepts().items():
        found.setdefault(head, {}).update(dict.fromkeys(map(stem, words)))
    return MappingProxyType({key: tuple(stems) for key, stems in found.items()})


def _lines(name: str) -> list[str]:
    text = resources.files("legacylens_assets").joinpath(name).read_text(encoding="utf-8")
    return [line for line in text.splitlines() if line and not line.startswith("#")]
