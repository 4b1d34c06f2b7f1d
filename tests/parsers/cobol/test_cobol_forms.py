"""Source forms: Enterprise COBOL Language Reference, "Reference format"; GnuCOBOL Programmer's Guide, "Source format"."""

import pytest
from cobol_text import codes, fixed, outline, paragraphs, procedure, read

PROGRAM = "IDENTIFICATION DIVISION.\nPROGRAM-ID. P.\nPROCEDURE DIVISION.\n"
FREE = PROGRAM + "MAIN-LINE.\n  DISPLAY 'A'.\n"


@pytest.mark.parametrize(
    ("text", "form"),
    [
        pytest.param(fixed(" IDENTIFICATION DIVISION.", " PROGRAM-ID. P."), "fixed", id="headings in area A"),
        pytest.param("000100 IDENTIFICATION DIVISION.\n000200 PROGRAM-ID. P.", "fixed", id="sequence numbers"),
        pytest.param("CHG001 ID DIVISION.\n      * NOTE", "fixed", id="letters in the sequence area"),
        pytest.param(FREE, "free", id="headings in column 1"),
        pytest.param(" Identification Division.\n Program-Id. P.\n Procedure Division.\n M.\n     Stop Run.", "free", id="headings in column 2"),
        pytest.param("01  A-REC.\n    05  B PIC X.\n", "free", id="copybook with its level numbers in column 1"),
        pytest.param(fixed(" 01  A-REC.", "     05  B PIC X."), "fixed", id="copybook with its level numbers in column 8"),
        pytest.param("      >>SOURCE FORMAT IS VARIABLE\n" + fixed(" ID DIVISION."), "variable", id="directive"),
        pytest.param('      $SET SOURCEFORMAT"FREE"\n' + FREE, "free", id="$SET"),
        pytest.param("* remark\n" + FREE + "* remark", "terminal", id="stars in column 1"),
        pytest.param(FREE + ">>SOURCE FORMAT FIXED\n" + fixed(" NEXT-ONE.", "     STOP RUN."), "mixed", id="switched midway"),
        pytest.param("", "fixed", id="nothing"),
    ],
)
def test_form_is_told_from_directives_and_layout(text, form):
    assert read(text).form == form


def test_form_may_change_midway_in_both_directions():
    text = FREE + ">>SOURCE FORMAT FIXED\n" + fixed(" NEXT-ONE.", "     STOP RUN.", "* DEAD-ONE.") + "\n       >>SOURCE FREE\nLAST-ONE.\nGOBACK."
    assert outline(read(text), "paragraph") == [
        ("MAIN-LINE", "paragraph", 4, 5, "P"),
        ("NEXT-ONE", "paragraph", 7, 8, "P"),
        ("LAST-ONE", "paragraph", 11, 12, "P"),
    ]


@pytest.mark.parametrize(
    ("card", "found"),
    [
        pytest.param("* DEAD.", [], id="asterisk"),
        pytest.param("/ DEAD.", [], id="slash"),
        pytest.param("D DEAD.", [], id="debugging line"),
        pytest.param("d DEAD.", [], id="debugging line, lower case"),
        pytest.param("*> DEAD.", [], id="floating comment in column 7"),
        pytest.param(" *> DEAD.", [], id="floating comment in column 8"),
        pytest.param("$ DEAD.", [], id="dollar"),
        pytest.param(" LIVE.", ["LIVE"], id="blank"),
    ],
)
def test_indicator_in_column_7(card, found):
    assert paragraphs(procedure(card, "     STOP RUN.")) == found


def test_debugging_line_is_code_with_debugging_mode():
    text = fixed(
        " ID DIVISION.", " PROGRAM-ID. P.", " ENVIRONMENT DIVISION.", " CONFIGURATION SECTION.", " SOURCE-COMPUTER. IBM-370 WITH DEBUGGING MODE.",
        " PROCEDURE DIVISION.", "DTRACE-IT.", "D    DISPLAY 'T'.",
    )  # fmt: skip
    assert paragraphs(read(text)) == ["TRACE-IT"]


def test_columns_1_to_6_and_73_to_80_are_no_code():
    text = "000100 ID DIVISION.\n000200 PROGRAM-ID. P.\n000300 PROCEDURE DIVISION.\nFIX17. A-PARA.".ljust(72) + "\n"
    text += "000500     DISPLAY 'A'".ljust(72) + "GHOST-P.\n000600     STOP RUN."
    assert paragraphs(read(text)) == ["A-PARA"]


@pytest.mark.parametrize(
    ("cards", "left"),
    [
        pytest.param(["     MO", "-    VE A TO B."], ["B"], id="word"),
        pytest.param(["     MOVE 'A. NOT-P", "-    '. STILL. ' TO B."], ["B"], id="literal with apostrophes"),
        pytest.param(['     MOVE "A. NOT-P', '-        ". STILL. " TO B.'], ["B"], id="literal with quotes"),
        pytest.param(['     MOVE "A', "-    'B. C.' TO B."], ["B"], id="other quote on the continuation"),
        pytest.param(["     MOVE 'A", "* between", "", "-    '. P.' TO B."], ["B"], id="comment and blank line between"),
        pytest.param(["     MOVE 'A", "-    'B", "-    'C. D.' TO B."], ["B"], id="three lines"),
    ],
)
def test_continuation_joins_words_and_literals(cards, left):
    parsed = procedure(" M.", *cards)
    assert paragraphs(parsed) == ["M"]
    assert [r.target for r in parsed.references if r.kind == "field_set"] == left
    assert codes(parsed) == []


def test_literal_that_ends_in_column_72_is_continued_by_two_quotes():
    first = '           DISPLAY "'.ljust(71, "A") + '"'
    parsed = read(
        fixed(" ID DIVISION.", " PROGRAM-ID. P.", " PROCEDURE DIVISION.", " M.")
        + "\n"
        + first
        + '\n      -    ""B. C. ".\n'
        + fixed(" N.", "     EXIT.")
    )
    assert paragraphs(parsed) == ["M", "N"]
    assert codes(parsed) == []


def test_lines_are_those_of_the_file_after_a_continuation():
    parsed = procedure(" M.", "     DISPLAY 'A", "-    'B'", "     CALL 'X'.")
    assert [(r.target, r.line) for r in parsed.references] == [("X", 7)]
    assert parsed.roles == "sssss+s"


def test_tabs_of_four_are_recognised_when_tabs_of_eight_would_pass_the_margin():
    wide = "\t\t05  B" + " " * 47 + "PIC X(25)."
    text = (
        fixed(" ID DIVISION.", " PROGRAM-ID. P.", " DATA DIVISION.", " WORKING-STORAGE SECTION.", " 01  A.")
        + "\n"
        + wide
        + "\n"
        + wide.replace(" B ", " C ")
    )
    read_back = read(text)
    assert [s.detail.get("pic") for s in read_back.symbols if s.name in ("B", "C")] == ["X(25)", "X(25)"]
    assert codes(read_back) == []


def test_a_mark_that_is_no_indicator_is_reported_once_for_a_run_of_lines():
    parsed = read(
        fixed(" ID DIVISION.", " PROGRAM-ID. P.", " PROCEDURE DIVISION.", " M.")
        + "\n000500A    MOVE A TO B\n000600A    MOVE C TO D.\n"
        + fixed("     EXIT.")
    )
    assert [(p.line, p.end_line, p.code) for p in parsed.problems] == [(5, 6, "bad_indicator")]
    assert [r.target for r in parsed.references if r.kind == "field_set"] == ["B", "D"]


@pytest.mark.parametrize(
    ("line", "role"),
    [
        pytest.param("*HEADER,COBOL,P", "*", id="card of a deck"),
        pytest.param("*************** END", "*", id="row of stars"),
        pytest.param("* Note on what follows", "*", id="remark in column 1"),
        pytest.param("*CHG01     DISPLAY 'B'.", "s", id="change mark in the sequence area"),
        pytest.param("*          DISPLAY 'B'.", "s", id="star alone in the sequence area"),
    ],
)
def test_star_in_column_1_of_fixed_form(line, role):
    parsed = read(fixed(" ID DIVISION.", " PROGRAM-ID. P.", " PROCEDURE DIVISION.", " M.", "     DISPLAY 'A'.") + "\n" + line)
    assert parsed.roles == "sssss" + role


@pytest.mark.parametrize("stray", ["\x0c", "\ufeff"])
def test_form_feed_and_byte_order_mark_do_not_shift_columns(stray):
    assert outline(read(stray + fixed(" ID DIVISION.", " PROGRAM-ID. P.")), "program") == [("P", "program", 1, 2, None)]


@pytest.mark.parametrize("card", ["++INCLUDE MEMBER1", "-INC MEMBER1"])
def test_library_directives_are_copies(card):
    parsed = read(fixed(" ID DIVISION.", " PROGRAM-ID. P.", " DATA DIVISION.", " WORKING-STORAGE SECTION.") + f"\n{card}\n" + fixed(" 01  A PIC X."))
    assert [(r.kind, r.target, r.line) for r in parsed.references] == [("copy", "MEMBER1", 5)]


@pytest.mark.parametrize("card", [" CBL NODYNAM,APOST", " PROCESS SQL"])
def test_compiler_options_before_the_program_are_no_code(card):
    parsed = read(fixed(card, " ID DIVISION.", " PROGRAM-ID. P."))
    assert parsed.roles == "*ss"
    assert outline(parsed, "program") == [("P", "program", 2, 3, None)]
