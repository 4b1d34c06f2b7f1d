"""Sentences and citations are read from text that arrives in pieces of any size."""

import pytest

from legacylens_assets.answer.marks import SentenceReader, parse_group
from legacylens_assets.answer.records import Draft, Mark

TEXT = "It adds the fee [S1:3-4]. Then it writes e.g. the log. [S2:7, 9] Rate is 3.5 `A. B` [S1:5]\n- last one [S3:1-2]"
WANTED = [
    Draft("It adds the fee.", (Mark("S1", 3, 4),)),
    Draft("Then it writes e.g. the log.", (Mark("S2", 7, 7), Mark("S2", 9, 9))),
    Draft("Rate is 3.5 `A. B`", (Mark("S1", 5, 5),)),
    Draft("- last one", (Mark("S3", 1, 2),)),
]


@pytest.mark.parametrize("size", [1, 2, 3, 5, 11, 1000])
def test_pieces_of_any_size_give_the_same_sentences(size):
    reader = SentenceReader()
    found = []
    for start in range(0, len(TEXT), size):
        found += reader.feed(TEXT[start : start + size])
    assert found + reader.close() == WANTED


@pytest.mark.parametrize("cut", range(1, len(TEXT)))
def test_no_cut_shows_part_of_an_id(cut):
    reader = SentenceReader()
    found = reader.feed(TEXT[:cut]) + reader.close()
    assert all("[S" not in draft.text for draft in found)


@pytest.mark.parametrize(
    ("group", "marks"),
    [
        ("[S1:3-4]", [Mark("S1", 3, 4)]),
        ("[S1:3–4]", [Mark("S1", 3, 4)]),
        ("[S1: lines 3-4]", [Mark("S1", 3, 4)]),
        ("[S1:L3-L4]", [Mark("S1", 3, 4)]),
        ("[S1:3-4, S2:9]", [Mark("S1", 3, 4), Mark("S2", 9, 9)]),
        ("[S1:3; 7-8]", [Mark("S1", 3, 3), Mark("S1", 7, 8)]),
        ("[S1]", [Mark("S1", 0, 0)]),
    ],
)
def test_the_forms_of_a_citation(group, marks):
    assert parse_group(group) == marks


def test_text_that_never_ends_is_cut():
    reader = SentenceReader()
    assert sum(len(draft.text) for draft in reader.feed("word " * 2000)) > 5000
