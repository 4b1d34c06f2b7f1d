"""The promises of every parser, kept on whole, cut, shuffled and damaged text."""

import random
from pathlib import Path

import pytest
from cobol_text import read, source
from hypothesis import given, settings
from hypothesis import strategies as st

from legacylens_assets.parsers.cobol import expand, parse, parse_expanded

FIXTURES = sorted(Path(__file__).parent.glob("*/input.*"))
TEXTS = [path.read_text(encoding="utf-8") for path in FIXTURES]
PIECES = st.sampled_from(
    """
    IDENTIFICATION ID DIVISION. DIVISION PROGRAM-ID. ENVIRONMENT DATA PROCEDURE SECTION. SECTION WORKING-STORAGE FILE FD SD SELECT ASSIGN 01 05 66 77 78 88 PIC X(4). 9(9999999)
    OCCURS REDEFINES VALUE COPY REPLACING REPLACE == ==A== BY LEADING OFF EXEC SQL CICS END-EXEC END-EXEC. PERFORM THRU GO TO DEPENDING CALL MOVE ' " 'A' "B" . , ( ) : -- *> A B
    A-1 END PROGRAM DECLARATIVES. INCLUDE DECLARE CURSOR FOR FROM INTO ENTRY SORT PROCEDURE LINK PROGRAM( USING TITLE EJECT NOTE SET ALTER UNSTRING FUNCTION OF IN >>SOURCE FREE FIXED
    """.split()
)
HEADS = st.sampled_from(["       ", "           ", "      -    ", "      *", "      D", "", "000100 ", "000100A", "\t", "      $", ">>"])
CARDS = st.lists(st.tuples(HEADS, st.lists(PIECES, max_size=8)).map(lambda card: card[0] + " ".join(card[1])), max_size=25).map("\n".join)


def check(text):
    """Return nothing; fail unless every promise holds for ``text``."""
    file = source(text)
    parsed = parse(file)
    count = len(file.lines)
    assert parsed == parse(file)
    assert len(parsed.roles) == count
    assert set(parsed.roles) <= set(".*s+")
    starts = [symbol.start_line for symbol in parsed.symbols]
    assert starts == sorted(starts)
    for index, symbol in enumerate(parsed.symbols):
        assert 1 <= symbol.start_line <= symbol.end_line <= count
        if symbol.parent is not None:
            parent = parsed.symbols[symbol.parent]
            assert symbol.parent < index
            assert parent.start_line <= symbol.start_line <= symbol.end_line <= parent.end_line
        assert all(isinstance(value, str) for value in symbol.detail.values())
    for reference in parsed.references:
        assert 1 <= reference.line <= count
        assert reference.target
        assert reference.source is None or 0 <= reference.source < len(parsed.symbols)
    assert all(1 <= problem.line <= count for problem in parsed.problems)
    result = expand(file, lambda name, library: None)
    assert len(result.lines) == len(result.origins) == len(result.areas)
    parse_expanded(result)


def test_there_are_fixtures():
    assert len(FIXTURES) >= 4


@pytest.mark.parametrize("text", TEXTS, ids=[path.parent.name for path in FIXTURES])
def test_whole(text):
    check(text)


@pytest.mark.parametrize("text", TEXTS, ids=[path.parent.name for path in FIXTURES])
def test_cut_anywhere(text):
    for end in range(0, len(text), max(len(text) // 40, 1)):
        check(text[:end])
        check(text[end:])


@settings(max_examples=60, deadline=None)
@given(text=st.sampled_from(TEXTS), seed=st.integers(0, 10**6))
def test_shuffled_lines(text, seed):
    lines = text.split("\n")
    random.Random(seed).shuffle(lines)
    check("\n".join(lines))


@settings(max_examples=60, deadline=None)
@given(text=st.sampled_from(TEXTS), flips=st.lists(st.tuples(st.integers(0, 10**6), st.integers(0, 255)), min_size=1, max_size=30))
def test_flipped_bytes(text, flips):
    data = bytearray(text.encode("latin-1", "replace"))
    for place, value in flips:
        data[place % len(data)] = value
    check(data.decode("latin-1").replace("\r", "\n"))


@settings(max_examples=300, deadline=None)
@given(text=CARDS)
def test_words_of_the_language_in_any_order(text):
    check(text)


@settings(max_examples=100, deadline=None)
@given(text=st.text(max_size=400).filter(lambda text: "\r" not in text))
def test_any_text(text):
    check(text)


@pytest.mark.parametrize(
    "card",
    [
        pytest.param("           MOVE A TO B.", id="statements"),
        pytest.param("       A-PARA.", id="headers"),
        pytest.param("       COPY A REPLACING ==X", id="pseudo-text that never ends"),
        pytest.param("           EXEC SQL SELECT -- A, B", id="blocks that never end"),
        pytest.param("      -    'ABC", id="continuations"),
        pytest.param("           DISPLAY 'A", id="literals that never end"),
        pytest.param("       01  A PIC X", id="items without a period"),
        pytest.param("           88 A VALUE 'A'.", id="conditions"),
        pytest.param("           (((((((", id="parentheses"),
        pytest.param("       ID DIVISION. PROGRAM-ID. A.", id="programs"),
        pytest.param("           IF A = B", id="nested conditions"),
    ],
)
def test_work_grows_with_length_and_no_faster(card):
    counts = []
    for size in (300, 1200):
        steps = _steps("\n".join([card] * size))
        counts.append(steps / size)
    assert counts[1] < counts[0] * 2


def _steps(text):
    """Return the number of Python function calls that parsing ``text`` takes: a clock that machines agree on."""
    import sys

    steps = 0

    def tick(frame, event, argument):
        nonlocal steps
        steps += event in ("call", "c_call")

    sys.setprofile(tick)
    try:
        read(text)
    finally:
        sys.setprofile(None)
    return steps
