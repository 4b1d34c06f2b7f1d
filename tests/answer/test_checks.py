"""A sentence is compared with the lines it cites. Mutations of true answers must be caught: weak does not count."""

import random

import pytest

from legacylens_assets.answer.checks import check
from legacylens_assets.answer.records import Draft, Mark, Source

LINES = (
    "       2000-POST-REFUND.",
    "      * A refund lowers the balance that the customer owes.",
    "           SUBTRACT REFUND-AMT FROM ACCT-CURR-BAL",
    "           IF ACCT-CURR-BAL < -500.00",
    "               MOVE 'R' TO ACCT-REVIEW-FLAG",
    "               PERFORM 9000-NOTIFY-CLERK THRU 9000-EXIT",
    "           END-IF",
    "           ADD 1 TO WS-REFUND-COUNT.",
)
OTHER = ("      SUBROUTINE DGESV(N, NRHS)", "C     Solves a system by factorization.", "      INFO = -7", "      END")
SOURCES = {
    "S1": Source("S1", "bank", "cbl/CBREF01.cbl", "f1", "h1", "cobol", 100, 107, "paragraph", "2000-POST-REFUND", "CBREF01", LINES),
    "S2": Source("S2", "maths", "src/dgesv.f", "f2", "h2", "fortran", 10, 13, "subroutine", "DGESV", "", OTHER),
}
CURRENT = {"S1": "h1", "S2": "h2"}.get


def status(text, *marks, sources=SOURCES, current=lambda source: True):
    return check(Draft(text, marks), sources, current).status


@pytest.mark.parametrize(
    ("text", "mark"),
    [
        ("A refund lowers the balance that the customer owes.", Mark("S1", 101, 101)),
        ("REFUND-AMT is subtracted from ACCT-CURR-BAL.", Mark("S1", 102, 102)),
        ("`refund_amt` is subtracted from the balance.", Mark("S1", 102, 102)),
        ("Below -500.00 the flag ACCT-REVIEW-FLAG is set to `R`.", Mark("S1", 103, 104)),
        ("Below -500 the account is flagged, says CBREF01.", Mark("S1", 103, 104)),
        ("Line 103 reads `IF ACCT-CURR-BAL < -500.00`.", Mark("S1", 103, 103)),
        ("The comment says “A refund lowers … the customer owes”.", Mark("S1", 101, 101)),
        ("The counter WS-REFUND-COUNT goes up by one.", Mark("S1", 107, 107)),
        ("DGESV solves a system by factorization.", Mark("S2", 10, 11)),
        ("1. When ACCT-CURR-BAL is under -500.00, PERFORM 9000-NOTIFY-CLERK.", Mark("S1", 103, 105)),
    ],
)
def test_true_sentences_are_verified(text, mark):
    assert status(text, mark) == "verified"


@pytest.mark.parametrize(
    ("text", "mark"),
    [
        ("A limit of 600.00 applies.", Mark("S1", 103, 103)),
        ("It calls CBPOST99.", Mark("S1", 105, 105)),
        ("The comment says “A refund raises the balance”.", Mark("S1", 101, 101)),
        ("REFUND-AMT is subtracted.", Mark("S1", 104, 104)),
        ("Line 190 reads `ADD 1 TO WS-REFUND-COUNT`.", Mark("S1", 107, 107)),
        ("A refund lowers the balance.", Mark("S9", 101, 101)),
        ("A refund lowers the balance.", Mark("S1", 99, 101)),
        ("A refund lowers the balance.", Mark("S1", 101, 108)),
        ("A refund lowers the balance.", Mark("S1", 102, 101)),
        ("A refund lowers the balance.", Mark("S1", 0, 0)),
    ],
)
def test_untrue_sentences_are_removed(text, mark):
    assert status(text, mark) == "removed"


def test_a_sentence_without_citation_is_removed():
    assert status("A refund lowers the balance.") == "removed"


def test_a_changed_file_takes_its_citations_with_it():
    assert status("REFUND-AMT is subtracted.", Mark("S1", 102, 102), current=lambda source: False) == "removed"


def test_a_sentence_whose_words_are_elsewhere_is_weak():
    assert status("Employees receive holiday allowances monthly.", Mark("S1", 102, 102)) == "weak"


def test_one_identifier_from_other_lines_makes_a_sentence_weak():
    assert status("REFUND-AMT lowers ACCT-CURR-BAL and raises WS-REFUND-COUNT.", Mark("S1", 102, 102)) == "weak"


TRUE = [
    Draft("REFUND-AMT is subtracted from ACCT-CURR-BAL.", (Mark("S1", 102, 102),)),
    Draft("Below -500.00 the flag ACCT-REVIEW-FLAG is set.", (Mark("S1", 103, 104),)),
    Draft("Then 9000-NOTIFY-CLERK is performed.", (Mark("S1", 105, 105),)),
    Draft("WS-REFUND-COUNT goes up by 1.", (Mark("S1", 107, 107),)),
    Draft("Line 102 reads `SUBTRACT REFUND-AMT FROM ACCT-CURR-BAL`.", (Mark("S1", 102, 102),)),
    Draft("INFO becomes -7.", (Mark("S2", 12, 12),)),
]


def mutations(draft, rng):
    """Yield (kind, mutated draft): each is wrong for certain."""
    (mark,) = draft.marks
    source = SOURCES[mark.source]
    for shift in (-2, -1, 1, 2):
        moved = Mark(mark.source, mark.start_line + shift, mark.end_line + shift)
        inside = source.start_line <= moved.start_line and moved.end_line <= source.end_line
        overlap = moved.start_line <= mark.end_line and mark.start_line <= moved.end_line
        if not (inside and overlap):
            yield "shifted", Draft(draft.text, (moved,))
    yield "widened", Draft(draft.text, (Mark(mark.source, mark.start_line, source.end_line + rng.randint(1, 40)),))
    yield "swapped", Draft(draft.text, (Mark("S2" if mark.source == "S1" else "S1", *((10, 13) if mark.source == "S1" else (100, 107))),))
    yield "invented", Draft(draft.text, (Mark("S7", mark.start_line, mark.end_line),))
    for digit in "0123456789":
        changed = draft.text.replace("500.00", f"5{digit}1.00").replace("by 1.", f"by {digit}9.").replace("-7", f"-{digit}77")
        if changed != draft.text:
            yield "number", Draft(changed, draft.marks)


def test_mutations_of_true_sentences_are_caught():
    rng = random.Random(7)
    tried = [(kind, check(draft, SOURCES, lambda source: True).status) for true in TRUE for kind, draft in mutations(true, rng)]
    missed = [kind for kind, found in tried if found != "removed"]
    assert all(check(draft, SOURCES, lambda source: True).status == "verified" for draft in TRUE)
    assert len(tried) > 60
    assert missed == []
