"""Answers without a model: whole statements, the right unit of the right file, copied lines under their own file, rules and documentation."""

import pytest
from tiny_index import Tiny, TinyCodebase, Unit, make_retriever, tiny_settings

from legacylens_assets.answer import Answerer, Ask
from legacylens_assets.answer.evidence import build_sources
from legacylens_assets.answer.prose import comment_flags
from legacylens_assets.answer.statements import is_dull, kind_of, statement, statement_span
from legacylens_assets.retrieval.terms import question_terms
from legacylens_assets.types import Edge

FEES = Tiny(
    "cbl/CBFEE07.cbl",
    "cobol",
    """       IDENTIFICATION DIVISION.
       PROGRAM-ID. CBFEE07.
      * 1999-04-01 MDS Euro.
      * Charges the quarterly fee for keeping an account.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       COPY FEETAB.
       PROCEDURE DIVISION.
       1000-CHARGE-FEE.
           EVALUATE ACCT-KIND
               WHEN 'S'
                   MOVE ZERO TO WS-FEE
               WHEN 'B'
                   COMPUTE WS-FEE =
                       FEE-BASE * 2
           END-EVALUATE
           IF ACCT-AGE < 18
               MOVE ZERO TO WS-FEE
           END-IF
           PERFORM 2000-BOOK-FEE.
       2000-BOOK-FEE.
      * Staff must never be charged.
           IF ACCT-STAFF-FLAG = 'Y'
               DISPLAY 'Staff pay no fee' ACCT-NO
           ELSE
               SUBTRACT WS-FEE FROM ACCT-BALANCE
           END-IF.""",
    (
        Unit("CBFEE07", "program", 1, 8, "CBFEE07", "Charges the quarterly fee for keeping an account."),
        Unit("1000-CHARGE-FEE", "paragraph", 9, 20, "CBFEE07"),
        Unit("2000-BOOK-FEE", "paragraph", 21, 27, "CBFEE07", "Staff must never be charged."),
    ),
)
TABLE = Tiny(
    "cpy/FEETAB.cpy",
    "cobol",
    "      * Fees of the price list.\n       01 FEE-TABLE.\n          05 FEE-BASE PIC 9(3)V99 VALUE 4.50.\n          05 FEE-SCHOOL PIC 9(3)V99 VALUE 0.",
    (Unit("FEE-TABLE", "data_item", 1, 4, ""),),
    (Unit("FEETAB", "copybook", 1, 4),),
)
OTHERS = tuple(
    Tiny(
        f"cbl/CBOTH{n:02}.cbl",
        "cobol",
        f"       PROGRAM-ID. CBOTH{n:02}.\n           DISPLAY 'OTHER {n}'.",
        (Unit(f"CBOTH{n:02}", "program", 1, 2, f"CBOTH{n:02}"),),
    )
    for n in range(4)
)
EDGES = (
    Edge("copy", "CBFEE07", "FEETAB", "exact", "cbl/CBFEE07.cbl", 7, "cpy/FEETAB.cpy", 1),
    Edge("perform", "1000-CHARGE-FEE", "2000-BOOK-FEE", "exact", "cbl/CBFEE07.cbl", 20, "cbl/CBFEE07.cbl", 21),
)


@pytest.fixture(scope="module")
def answerer(tmp_path_factory):
    retriever = make_retriever(tiny_settings(tmp_path_factory.mktemp("fees")), (TinyCodebase("fees", (FEES, TABLE, *OTHERS), edges=EDGES),))
    return Answerer(retriever, retriever.catalog, retriever.settings)


@pytest.mark.parametrize(
    ("language", "lines", "index", "whole"),
    [
        ("cobol", ["           COMPUTE WS-FEE =", "               FEE-BASE * 2", "           END-EVALUATE"], 1, "COMPUTE WS-FEE = FEE-BASE * 2"),
        ("cobol", ["           IF A < 18", "               MOVE ZERO TO B", "           END-IF"], 0, "IF A < 18 MOVE ZERO TO B"),
        ("c", ["  total = price *", "      count;", "  return total;"], 0, "total = price * count;"),
        ("pli", [" if a > b then", "   call refuse('too late');", " b = 1;"], 0, "if a > b then call refuse('too late');"),
        ("fortran", ["      X = A +", "     $    B", "      Y = 1"], 1, "X = A + $ B"),
        ("jcl", ["//S1 EXEC PGM=P,", "//   COND=(4,LT)", "//D DD DUMMY"], 0, "//S1 EXEC PGM=P, // COND=(4,LT)"),
        ("cobol", ["           MOVE A TO B", "      * why", "           MOVE C TO D"], 0, "MOVE A TO B"),
    ],
)
def test_a_quote_is_a_whole_statement(language, lines, index, whole):
    flags = [not flag for flag in comment_flags(lines, language)]
    first, last = statement_span(lines, flags, index, language)
    assert statement(lines, first, last, language) == whole


@pytest.mark.parametrize(
    "code", ["FILE SECTION.", "PROCEDURE DIVISION.", "#include <stdio.h>", "END-IF", "2100-EXIT.", "};", "EXEC CICS", "GO TO 1000-EXIT."]
)
def test_lines_that_say_nothing_are_dull(code):
    assert is_dull(code)


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        ("IF A < B", "condition"), ("WHEN 'S'", "condition"), ("while (p != NULL) {", "condition"), ("COMPUTE A = B", "computation"),
        ("x = a * b;", "computation"), ("MOVE 'Select one of these' TO M", "message"), ("SET ACCT-NEW TO TRUE", "other"), ("SELECT F ASSIGN TO D", "other"),
        ("ACUP-NEW-LIMIT = ACUP-OLD-LIMIT", "other"),
    ],
)  # fmt: skip
def test_statements_are_told_by_what_they_do(code, kind):
    assert kind_of(code) == kind


def test_sentences_tell_purpose_conditions_and_computations_and_are_verified(answerer):
    final = answerer.answer(Ask("what does an account cost each quarter, and is the fee waived for staff?"))
    text = final["answer"]
    assert "Charges the quarterly fee for keeping an account" in text
    assert "1999-04-01" not in text and "SECTION" not in text and "is close to" not in text
    assert all(sentence["status"] == "verified" for sentence in final["sentences"])
    assert 3 <= len(final["sentences"]) <= 8


def test_copied_lines_are_cited_in_their_own_file(answerer):
    result = answerer.retriever.search("1000-CHARGE-FEE base fee", k=1)
    sources = build_sources(result.hits, answerer.catalog, 6000, question_terms("base fee"))
    copied = [source for source in sources if source.why == "copied"]
    assert [(source.path, source.start_line, source.end_line) for source in copied] == [("cpy/FEETAB.cpy", 1, 4)]
    assert copied[0].lines == tuple(TABLE.lines)


def test_a_unit_beside_the_hit_is_found_by_the_words_of_the_question(answerer):
    result = answerer.retriever.search("CBFEE07", k=1)
    sources = build_sources(result.hits, answerer.catalog, 6000, question_terms("staff charged"))
    assert ("neighbour", "2000-BOOK-FEE") in [(source.why, source.name) for source in sources]


def test_sources_never_repeat_a_unit_and_say_exactly_what_they_hold(answerer):
    result = answerer.retriever.search("fee", k=8)
    sources = build_sources(result.hits, answerer.catalog, 6000, question_terms("fee staff"))
    spans = [(source.path, source.unit_start, source.unit_end) for source in sources]
    assert len(spans) == len(set(spans))
    for source in sources:
        file = answerer.catalog.generation("fees").file_at(source.path)
        assert file.lines[source.start_line - 1 : source.end_line] == source.lines


def test_the_budget_bounds_what_is_sent(answerer):
    result = answerer.retriever.search("fee", k=8)
    sources = build_sources(result.hits, answerer.catalog, 60, question_terms("fee"), with_graph=False)
    assert 0 < sum(len(line) + 1 for source in sources for line in source.lines) <= 60 * 3.2


def test_mode_rules_lists_conditions_with_their_actions(answerer):
    final = answerer.answer(Ask("CBFEE07 fee rules for staff and kinds of account", mode="rules"))
    texts = [sentence["text"] for sentence in final["sentences"]]
    assert "- When `ACCT-KIND` is `'S'`: `MOVE ZERO TO WS-FEE` (`1000-CHARGE-FEE`)" in texts
    assert "- When `ACCT-AGE < 18`: `MOVE ZERO TO WS-FEE` (`1000-CHARGE-FEE`)" in texts
    assert "- “Staff must never be charged”" in texts
    assert all(sentence["status"] == "verified" and sentence["citations"] for sentence in final["sentences"])


def test_mode_document_tells_purpose_outline_and_tests(answerer):
    final = answerer.answer(Ask("CBFEE07", mode="document"))
    assert "Charges the quarterly fee" in final["sentences"][0]["text"]
    texts = [sentence["text"] for sentence in final["sentences"]]
    assert "`CBFEE07` copies `FEETAB`." in texts and "`CBFEE07` performs `2000-BOOK-FEE`." in texts


@pytest.mark.parametrize("question", ["which program invokes the fee?", "does the screen program handle fees?"])
def test_a_plain_word_after_program_is_no_missing_name(answerer, question):
    assert answerer.answer(Ask(question))["reason"] != "unknown_identifier"
