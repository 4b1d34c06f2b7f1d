"""Programs, divisions, sections and paragraphs."""

import pytest
from cobol_text import codes, fixed, outline, paragraphs, procedure, read


@pytest.mark.parametrize(
    "card",
    [
        pytest.param(" GOBACK.", id="verb alone in area A"),
        pytest.param(" EXIT PROGRAM.", id="two words"),
        pytest.param(" CONTINUE.", id="continue"),
        pytest.param(" EXIT.", id="exit"),
        pytest.param(" END-IF.", id="scope terminator"),
        pytest.param(" EJECT.", id="listing directive with a period"),
        pytest.param(" SKIP2", id="listing directive without one"),
        pytest.param(' TITLE "PAGE. TWO."', id="title"),
        pytest.param('     DISPLAY "X. Y SECTION. PROCEDURE DIVISION."', id="period in a literal"),
        pytest.param("     DISPLAY 'IT''S. DONE.'", id="doubled quote"),
        pytest.param("     DISPLAY X'C1.C2' N\"A.B\".", id="prefixed literals"),
        pytest.param("     MOVE 1.5 TO A.", id="decimal point"),
        pytest.param("     PERFORM A-ROUTINE.", id="operand before a period"),
        pytest.param("     GO TO\n               A-PARA.", id="operand on its own line in area B"),
        pytest.param("     MOVE A TO\n       A-FIELD.", id="operand on its own line in area A"),
        pytest.param("     ADD 1 TO A . ADD 2 TO B.", id="period apart"),
        pytest.param("     WRITE-X A TO B", id="unknown word in area B"),
    ],
)
def test_these_make_no_paragraph(card):
    assert paragraphs(procedure(" M.", "     DISPLAY 'A'.", card, "     STOP RUN.")) == ["M"]


@pytest.mark.parametrize(
    ("cards", "name"),
    [
        pytest.param([" A-PARA."], "A-PARA", id="plain"),
        pytest.param([" A-PARA ."], "A-PARA", id="blank before the period"),
        pytest.param([" A-PARA", "     ."], "A-PARA", id="period on the next line"),
        pytest.param([" 0100."], "0100", id="digits"),
        pytest.param([" 100-MAIN."], "100-MAIN", id="digits first"),
        pytest.param([" A1. DISPLAY 'X'."], "A1", id="code on the same line"),
        pytest.param(["    A-PARA."], "A-PARA", id="column 11"),
        pytest.param([" End-Program."], "End-Program", id="a name that looks like a marker"),
        pytest.param([" GRÖSSE-1."], "GRÖSSE-1", id="national letters"),
        pytest.param([" A_PARA."], "A_PARA", id="underscore"),
    ],
)
def test_these_make_one(cards, name):
    assert paragraphs(procedure(" M.", "     DISPLAY 'A'.", *cards, "     EXIT.")) == ["M", name]


def test_header_in_area_b_counts_only_when_something_performs_it():
    cards = (" M.", "     PERFORM WORK-IT.", "     WORK-IT.", "     DISPLAY 'A'.", "     LEFT-OVER.", "     EXIT.")
    assert paragraphs(procedure(*cards)) == ["M", "WORK-IT"]


def test_sentence_without_period_does_not_swallow_the_next_header():
    parsed = procedure(" M.", "     MOVE A TO B", " N.", "     EXIT.")
    assert outline(parsed, "paragraph") == [("M", "paragraph", 4, 5, "P"), ("N", "paragraph", 6, 7, "P")]
    assert codes(parsed) == [(5, "missing_period")]


def test_header_without_period_is_still_one():
    parsed = procedure(" M", "     MOVE A TO B.", " N.", "     EXIT.")
    assert outline(parsed, "paragraph") == [("M", "paragraph", 4, 5, "P"), ("N", "paragraph", 6, 7, "P")]


@pytest.mark.parametrize(
    "cards",
    [
        pytest.param([" S-ONE SECTION."], id="plain"),
        pytest.param([" S-ONE  Section 60."], id="priority"),
        pytest.param([" S-ONE", "     SECTION."], id="SECTION on the next line"),
        pytest.param([" S-ONE SECTION", "     ."], id="period on the next line"),
    ],
)
def test_sections_hold_their_paragraphs(cards):
    parsed = procedure(*cards, " P-ONE.", "     EXIT.", " S-TWO SECTION.", " P-TWO.", "     EXIT.")
    last = 3 + len(cards)
    assert outline(parsed, "section", "paragraph") == [
        ("S-ONE", "section", 4, last + 2, "P"),
        ("P-ONE", "paragraph", last + 1, last + 2, "S-ONE"),
        ("S-TWO", "section", last + 3, last + 5, "P"),
        ("P-TWO", "paragraph", last + 4, last + 5, "S-TWO"),
    ]


def test_exit_section_is_a_statement():
    assert outline(procedure(" S SECTION.", " P1.", "     EXIT SECTION.", " P2.", "     EXIT PARAGRAPH."), "section") == [("S", "section", 4, 8, "P")]


def test_end_declaratives_closes_the_last_section():
    parsed = procedure(
        " DECLARATIVES.", " E SECTION.", "     USE AFTER ERROR PROCEDURE ON F.", " E-P.", "     EXIT.", " END DECLARATIVES.", " MAIN.", "     EXIT."
    )
    assert outline(parsed, "section", "paragraph") == [
        ("E", "section", 5, 8, "P"),
        ("E-P", "paragraph", 7, 8, "E"),
        ("MAIN", "paragraph", 10, 11, "P"),
    ]


def test_wrapped_using_ends_at_its_period():
    text = fixed(" ID DIVISION.", " PROGRAM-ID. P.", " PROCEDURE DIVISION USING A,", "                          B", "     .", " REAL.", "     EXIT.")
    parsed = read(text)
    assert paragraphs(parsed) == ["REAL"]
    assert [dict(s.detail) for s in parsed.symbols if s.name == "PROCEDURE DIVISION"] == [{"using": "A B"}]


PAIR = (" ID DIVISION.", " PROGRAM-ID. A.", " PROCEDURE DIVISION.", " PA.", "     GOBACK.")
OTHER = (" ID DIVISION.", " PROGRAM-ID. B.", " PROCEDURE DIVISION.", " PB.", "     GOBACK.")


@pytest.mark.parametrize(
    ("cards", "programs"),
    [
        pytest.param([*PAIR, " END PROGRAM A.", *OTHER, " END PROGRAM B."], [("A", 1, 6, None), ("B", 7, 12, None)], id="siblings with markers"),
        pytest.param([*PAIR, *OTHER], [("A", 1, 5, None), ("B", 6, 10, None)], id="siblings without"),
        pytest.param([*PAIR, *OTHER, " END PROGRAM B.", " END PROGRAM A."], [("A", 1, 12, None), ("B", 6, 11, "A")], id="nested"),
        pytest.param([*PAIR, *OTHER, " END PROGRAM A."], [("A", 1, 11, None), ("B", 6, 10, "A")], id="inner marker missing"),
        pytest.param([*PAIR, " END PROGRAM 'A'.", *OTHER], [("A", 1, 6, None), ("B", 7, 11, None)], id="literal in the marker"),
    ],
)
def test_programs_nest_by_their_end_markers(cards, programs):
    assert [(n, s, e, p) for n, _, s, e, p in outline(read(fixed(*cards)), "program")] == programs


@pytest.mark.parametrize(
    ("card", "name", "detail"),
    [
        pytest.param(" PROGRAM-ID. ABC.", "ABC", {}, id="plain"),
        pytest.param(" PROGRAM-ID.    'ABC'.", "ABC", {}, id="literal"),
        pytest.param(" PROGRAM-ID. ABC IS INITIAL PROGRAM.", "ABC", {"initial": "1"}, id="initial"),
        pytest.param(' PROGRAM-ID. ABC AS "abc".', "ABC", {"as": "abc"}, id="external name"),
        pytest.param(" PROGRAM-ID.\n            ABC.", "ABC", {}, id="name on the next line"),
        pytest.param(" PROGRAM-ID. ABC", "ABC", {}, id="no period"),
        pytest.param(" FUNCTION-ID. ABC.", "ABC", {"type": "function"}, id="function"),
        pytest.param(" CLASS-ID. ABC INHERITS Base.", "ABC", {"type": "class"}, id="class"),
    ],
)
def test_program_names(card, name, detail):
    parsed = read(fixed(" IDENTIFICATION DIVISION.", card, " ENVIRONMENT DIVISION.", " PROCEDURE DIVISION."))
    assert [(s.name, s.start_line, dict(s.detail)) for s in parsed.symbols if s.kind == "program"] == [(name, 1, detail)]
    assert [s.name for s in parsed.symbols if s.kind == "division"] == ["IDENTIFICATION DIVISION", "ENVIRONMENT DIVISION", "PROCEDURE DIVISION"]


def test_identification_paragraphs_are_free_text():
    text = fixed(
        " IDENTIFICATION DIVISION.", " PROGRAM-ID. P.", " AUTHOR. J. DOE'S. OF THE", "     DATA DIVISION. OF THE FIRM.", " REMARKS. THE SALES SECTION.",
        "     NO-PARA. PROCEDURE DIVISION.", " PROCEDURE DIVISION.", " M.", "     EXIT.",
    )  # fmt: skip
    parsed = read(text)
    assert outline(parsed, "division") == [("IDENTIFICATION DIVISION", "division", 1, 6, "P"), ("PROCEDURE DIVISION", "division", 7, 9, "P")]
    assert paragraphs(parsed) == ["M"]
    assert codes(parsed) == []


def test_program_without_identification_division_begins_at_its_name():
    assert outline(read(fixed(" PROGRAM-ID. P.", " PROCEDURE DIVISION.", " M.", "     EXIT.")))[0] == ("P", "program", 1, 4, None)


def test_copybook_of_paragraphs_needs_no_division():
    parsed = read(fixed("* remark", " A-1.", "     MOVE A TO B.", " A-1-EXIT.", "     EXIT."))
    assert outline(parsed) == [("A-1", "paragraph", 2, 3, None), ("A-1-EXIT", "paragraph", 4, 5, None)]


def test_exec_block_hides_what_is_in_it():
    parsed = procedure(
        " M.",
        "     EXEC SQL SELECT A INTO :B FROM T",
        " -- don't. GHOST.",
        "     WHERE R > 1.5 END-EXEC.",
        " N.",
        "     EXEC CICS RETURN",
        " TRANSID",
        "     ('A.B') END-EXEC.",
    )
    assert paragraphs(parsed) == ["M", "N"]
    assert codes(parsed) == []


def test_exec_block_inside_if_needs_no_period():
    parsed = procedure(" M.", "     IF A = 1 EXEC CICS RETURN END-EXEC ELSE", "     MOVE A TO B.", " N.", "     EXIT.")
    assert outline(parsed, "paragraph") == [("M", "paragraph", 4, 6, "P"), ("N", "paragraph", 7, 8, "P")]


def test_exec_block_without_end_ends_at_its_period():
    parsed = procedure(" M.", "     EXEC CICS RETURN.", " N.", "     EXIT.")
    assert paragraphs(parsed) == ["M", "N"]
    assert codes(parsed) == [(5, "exec_open")]


def test_free_form_headers_may_follow_on_a_line():
    text = "program-id. p.\nprocedure division.\na. display 1. b. display 2.\nc section. d. goback."
    assert outline(read(text)) == [
        ("p", "program", 1, 4, None),
        ("a", "paragraph", 3, 3, "p"),
        ("b", "paragraph", 3, 3, "p"),
        ("c", "section", 4, 4, "p"),
        ("d", "paragraph", 4, 4, "c"),
    ]


def test_entry_is_a_symbol_of_its_paragraph():
    parsed = procedure(" M.", '     ENTRY "SECOND" USING A.', "     SET P TO ENTRY 'THIRD'.")
    assert outline(parsed, "entry") == [("SECOND", "entry", 5, 5, "M")]


def test_roles_say_where_statements_start():
    parsed = procedure(
        "* remark",
        " M.",
        "     IF A = 1",
        "       MOVE B",
        "         TO C",
        "     ELSE",
        "       CONTINUE.",
        "",
        "     EXEC SQL",
        "       COMMIT",
        "     END-EXEC.",
    )
    assert parsed.roles == "sss*sss++s.s++"


def test_empty_procedure_division_and_unknown_text_are_survived():
    assert codes(procedure(" ??? !!! ===", "     )(", " .", " .")) == []
    assert outline(read("")) == []


def test_paragraph_ends_at_its_last_code_line():
    parsed = procedure(" M.", "     EXIT.", "* about N", "", " EJECT", " N.", "     EXIT.")
    assert outline(parsed, "paragraph") == [("M", "paragraph", 4, 5, "P"), ("N", "paragraph", 9, 10, "P")]
