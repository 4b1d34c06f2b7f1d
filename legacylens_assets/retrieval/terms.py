"""Telling words of a question, in the same tokens as the index: see `legacylens_assets.identifiers`."""

from __future__ import annotations

from legacylens_assets.identifiers import RAW_WORD, expand, parts, stem, tokenize
from legacylens_assets.identifiers import STOP_WORDS as INDEX_STOP_WORDS

STOP_WORDS = INDEX_STOP_WORDS | frozenset(
    "location located locate program programs routine routines logic happening exactly handled handles handle function functions paragraph file files"
    " line lines".split()
)
"""Words that say nothing about which lines answer a question."""

EXPANSION_WEIGHT = 0.7


def content_words(question: str) -> tuple[str, ...]:
    """Return the distinct telling words of a question, lower-cased, identifiers split, in order.

    >>> content_words("How does posting a refund change WS-BAL?")
    ('posting', 'refund', 'change', 'ws', 'bal')
    """
    words = (part for raw in RAW_WORD.findall(question) for part in parts(raw))
    return tuple(dict.fromkeys(word for word in words if word not in STOP_WORDS and len(word) > 1))


def question_terms(question: str) -> dict[str, float]:
    """Return token -> weight: 1 for a telling word, whole identifier or number, less for the words that one abbreviates.

    >>> question_terms("posted to the acct")
    {'post': 1.0, 'acct': 1.0, 'account': 0.7}
    """
    words = content_words(question)
    found = {stem(word): 1.0 for word in words}
    for word in words:
        for other in expand(word):
            found.setdefault(stem(other), EXPANSION_WEIGHT)
    return found


def tokens_of(text: str) -> set[str]:
    """Return the distinct tokens of source text, abbreviations spelt out."""
    return set(tokenize(text))
