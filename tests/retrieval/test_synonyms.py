"""Words of people and words of code."""

from __future__ import annotations

import pytest

from legacylens_assets.identifiers import stem
from legacylens_assets.retrieval.synonyms import WEIGHT, synonym_tokens


@pytest.mark.parametrize(
    ("question", "word"),
    [
        ("which contracts end this month", "policy"),
        ("someone scrambled the secret", "encrypt"),
        ("simultaneous equations", "linear"),
        ("flat file of goods", "vsam"),
        ("who may look at yesterday's version", "backup"),
    ],
)
def test_a_word_of_people_brings_the_word_of_code_at_less_weight(question: str, word: str) -> None:
    assert synonym_tokens(question)[stem(word)] == WEIGHT


def test_a_word_of_the_question_is_not_its_own_synonym() -> None:
    assert stem("policy") not in synonym_tokens("the contract or the policy")


def test_a_question_without_telling_words_brings_nothing() -> None:
    assert synonym_tokens("what is it for") == {}


def test_the_same_question_gives_the_same_tokens_in_the_same_order() -> None:
    question = "where is a purchase refused when the card is stolen"
    assert list(synonym_tokens(question).items()) == list(synonym_tokens(question).items())
    assert list(synonym_tokens(question)) == sorted(synonym_tokens(question))
