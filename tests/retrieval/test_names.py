"""Names as people write them, and what the index makes of them."""

import pytest

from legacylens_assets.retrieval.names import NameIndex, SymbolRow
from legacylens_assets.retrieval.normalise import normalise

SYMBOLS = [
    SymbolRow("cbl/CBPOST01.cbl", "CBPOST01", "program", 1, 90),
    SymbolRow("cbl/CBPOST02.cbl", "CBPOST02", "program", 1, 90),
    SymbolRow("cbl/CBPOST01.cbl", "1000-POST-TRANS", "paragraph", 40, 60),
    SymbolRow("cbl/CBPOST01.cbl", "WS-TOTAL-AMT", "data_item", 12, 12, False),
    SymbolRow("cpy/CUSTREC.cpy", "CUSTOMER-RECORD", "data_item", 1, 20),
    SymbolRow("src/dgesv.f", "DGESV", "subroutine", 1, 40),
    SymbolRow("src/sgesv.f", "SGESV", "subroutine", 1, 40),
    SymbolRow("src/dgetrf.f", "DGETRF", "subroutine", 1, 40),
    SymbolRow("libcob/move.c", "cob_move", "function", 5, 30),
    SymbolRow("libcob/move.c", "interest", "function", 31, 40),
]
PATHS = sorted({row.path for row in SYMBOLS} | {"jcl/NIGHTLY.jcl"})
INDEX = NameIndex(SYMBOLS, PATHS, "bank")


def mention(question):
    found = normalise(question, [INDEX]).mentions
    return [(m.name, m.how) for m in found if m.definitions or m.sure]


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("CBPOST01", ("CBPOST01", "exact")),
        ("what does cbpost01 do", ("CBPOST01", "case")),
        ("what does program CBPOST-01 do?", ("CBPOST01", "separators")),
        ("explain ws_total_amt", ("WS-TOTAL-AMT", "separators")),
        ("cob-move", ("cob_move", "separators")),
        ("what is CBPOST01.cbl", ("CBPOST01.cbl", "file")),
        ("cbl/CBPOST01.cbl", ("CBPOST01.cbl", "file")),
        ("what is CBPOST01.cob", ("CBPOST01", "extension")),
        ("the copybook CUSTREC", ("CUSTREC", "exact")),
        ("where is POST-TRANS", ("1000-POST-TRANS", "prefix")),
        ("where is 2000-POST-TRANS", ("1000-POST-TRANS", "prefix")),
        ("dgesv_", ("DGESV", "separators")),
        ("what does dgetrf do", ("DGETRF", "case")),
        ("DGESVV", ("DGESV", "spelling")),
        ("CBPSOT01", ("CBPOST01", "spelling")),
        ("CBPOST1", ("CBPOST01", "spelling")),
        ("1000-POST-TRNAS", ("1000-POST-TRANS", "spelling")),
        ("which job is NIGHTLY", ("NIGHTLY", "exact")),
        ("what does `cob_mov` do", ("cob_move", "spelling")),
    ],
)
def test_a_name_is_found_however_it_is_written(question, wanted):
    assert mention(question) == [wanted]


@pytest.mark.parametrize(
    "question",
    [
        "how is interest computed for each account",
        "what happens at end-of-day with 80-byte records",
        "Which COBOL code reads the VSAM file in JCL?",
        "how does the 2nd step restart",
        "WHAT HAPPENS WHEN A PAYMENT FAILS",
    ],
)
def test_everyday_words_name_nothing(question):
    assert mention(question) == []


@pytest.mark.parametrize(("question", "how"), [("what does XQZWV77 do", "unknown"), ("CBPOST09", "unknown"), ("program KFGESV", "ambiguous")])
def test_a_name_that_does_not_exist_is_not_guessed(question, how):
    (found,) = normalise(question, [INDEX]).mentions
    assert (found.how, found.definitions) == (how, ())


def test_nearest_names_are_offered():
    (found,) = normalise("CBPOST09", [INDEX]).mentions
    assert "CBPOST01" in found.nearest


def test_the_question_is_rewritten_where_a_name_was_mapped():
    assert normalise("what does cbpost-01 do,  really?", [INDEX]).text == "what does CBPOST01 do, really?"
    assert normalise("how is interest posted?", [INDEX]).text == "how is interest posted?"
