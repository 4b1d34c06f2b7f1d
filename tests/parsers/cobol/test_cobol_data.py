"""DATA DIVISION: items, their clauses, and the bytes they take (Language Reference, "USAGE clause", "SYNCHRONIZED clause")."""

import pytest
from cobol_text import codes, detail, fixed, outline, read, working_storage

from legacylens_assets.parsers.cobol.layout import Entry, Place, picture_size, place


@pytest.mark.parametrize(
    ("pic", "usage", "size"),
    [
        ("X(10)", "", 10),
        ("XX", "DISPLAY", 2),
        ("S9(7)V99", "", 9),
        ("9(4).99", "", 7),
        ("$$,$$9.99CR", "", 11),
        ("ZZ9PP", "", 3),
        ("S9(7)V99", "COMP-3", 5),
        ("S9(4)", "PACKED-DECIMAL", 3),
        ("9(8)", "COMP-6", 4),
        ("S9(4)", "COMP", 2),
        ("S9(5)", "BINARY", 4),
        ("S9(9)", "COMP-4", 4),
        ("S9(10)", "COMP-5", 8),
        ("9(5)", "COMP-X", 3),
        ("", "COMP-1", 4),
        ("", "COMP-2", 8),
        ("", "INDEX", 4),
        ("", "POINTER", 4),
        ("", "PROCEDURE-POINTER", 8),
        ("N(4)", "", 8),
        ("X(3)", "NATIONAL", 6),
        ("X(000000000000000020)", "", 20),
        ("X(:LEN:)", "", None),
        ("", "", None),
    ],
)
def test_bytes_of_an_elementary_item(pic, usage, size):
    assert picture_size(pic, usage) == size


def test_separate_sign_takes_a_byte():
    assert picture_size("S9(3)", "", separate=True) == 4


def test_places_follow_groups_tables_and_redefinitions():
    entries = [
        Entry(1, "R"),
        Entry(5, "A", "X(3)"),
        Entry(5, "T", occurs=3),
        Entry(10, "T1", "S9(4)", "COMP"),
        Entry(10, "T2", "X"),
        Entry(5, "V", "X(9)", redefines="T"),
        Entry(88, "V-ON"),
        Entry(5, "Z", "9(5)", "COMP-3"),
    ]
    # T: 3 times 2 + 1 bytes from 3; V lies over it; Z follows at 3 + 9; in all 12 + 3
    assert place(entries) == [Place(0, 15), Place(0, 3), Place(3, 3), Place(3, 2), Place(5, 1), Place(3, 9), Place(None, None), Place(12, 3)]


def test_longer_redefinition_makes_the_group_longer():
    entries = [Entry(1, "R"), Entry(5, "A", "X(2)"), Entry(5, "B", "X(5)", redefines="A"), Entry(5, "C", "X")]
    assert place(entries) == [Place(0, 6), Place(0, 2), Place(0, 5), Place(5, 1)]


def test_synchronized_items_are_aligned_and_tables_of_them_padded():
    entries = [Entry(1, "R"), Entry(5, "A", "X"), Entry(5, "T", occurs=2), Entry(10, "B", "9(9)", "COMP", sync=True), Entry(10, "C", "X")]
    # B goes from 1 to 4; an occurrence is 4 - 1 + 4 + 1 = 8 bytes, a multiple of 4 already; 1 + 2 * 8
    assert place(entries)[1:] == [Place(0, 1), Place(1, 8), Place(4, 4), Place(8, 1)]


def test_usage_of_a_group_holds_for_its_items():
    assert place([Entry(1, "R", usage="COMP-3"), Entry(5, "A", "9(5)"), Entry(5, "B", "9(2)")]) == [Place(0, 5), Place(0, 3), Place(3, 2)]


def test_nothing_after_a_copy_has_an_offset():
    parsed = working_storage(" 01  R.", "     05 A PIC X(3).", "     COPY MORE.", "     05 B PIC X.", " 01  S PIC X(2).")
    assert [(s.name, s.detail.get("offset"), s.detail.get("length")) for s in parsed.symbols if s.kind == "data_item"] == [
        ("R", "0", None),
        ("A", "0", "3"),
        ("B", None, "1"),
        ("S", "0", "2"),
    ]


@pytest.mark.parametrize(
    ("cards", "name", "expected"),
    [
        pytest.param([" 01 A PIC 9(4).99."], "A", {"pic": "9(4).99", "length": "7"}, id="period in a picture"),
        pytest.param([" 01 A PIC", "     X(4)."], "A", {"pic": "X(4)", "length": "4"}, id="picture on the next line"),
        pytest.param([" 01 A PICTURE IS", "     X(4)."], "A", {"pic": "X(4)", "length": "4"}, id="IS at the end of the line"),
        pytest.param([" 01", "     A", "     PIC X."], "A", {"pic": "X", "length": "1"}, id="one word a line"),
        pytest.param([" 01 A PIC X VALUE 'Y'."], "A", {"value": "'Y'"}, id="value"),
        pytest.param([" 01 A PIC S9 VALUE -1."], "A", {"value": "-1"}, id="signed value"),
        pytest.param([" 01 A PIC X(4) VALUE ALL '*'."], "A", {"value": "ALL '*'"}, id="figurative value"),
        pytest.param([" 01 A PIC 9V9 VALUE .5."], "A", {"value": ".5"}, id="value that begins with a point"),
        pytest.param(
            [" 01 R.", "    05 T PIC X OCCURS 1 TO 9 DEPENDING ON N."], "T", {"occurs": "1-9", "depending": "N"}, id="table of varying length"
        ),
        pytest.param([" 78 MX VALUE 4.", " 01 R.", "    05 T PIC X OCCURS MX."], "R", {"length": "4"}, id="constant as a count"),
        pytest.param([" 01 R.", "    05 A PIC X.", " 66 B RENAMES A."], "B", {"level": "66", "renames": "A"}, id="renames"),
        pytest.param([" 01 A PIC X.", "    88 ON-1 VALUE 'A' THRU 'C', 'Z'."], "ON-1", {"values": "'A' THRU 'C', 'Z'"}, id="condition"),
        pytest.param([" 77 A COMP-1."], "A", {"usage": "COMP-1", "length": "4", "section": "working-storage"}, id="usage alone"),
        pytest.param([" 01 R.", "    05 PIC X(3).", "    05 B PIC X."], "B", {"offset": "3"}, id="item without a name"),
        pytest.param([" 01 A REDEFINES B PIC X."], "A", {"redefines": "B"}, id="redefines"),
    ],
)
def test_clauses(cards, name, expected):
    parsed = working_storage(*cards)
    found = detail(parsed, name)
    assert {key: found.get(key) for key in expected} == expected
    assert codes(parsed) == []


def test_records_are_units_and_what_is_below_them_is_not():
    parsed = working_storage(" 01  A.", "     05  B.", "         10  C PIC X.", "         88  D VALUE '1'.", " 77  E PIC X.")
    assert [(s.name, s.unit, s.start_line, s.end_line, s.parent) for s in parsed.symbols if s.kind == "data_item"] == [
        ("A", True, 5, 8, 0),
        ("B", False, 6, 8, 3),
        ("C", False, 7, 8, 4),
        ("D", False, 8, 8, 5),
        ("E", True, 9, 9, 0),
    ]


def test_files_hold_their_records():
    text = fixed(
        " ID DIVISION.", " PROGRAM-ID. P.", " DATA DIVISION.", " FILE SECTION.", " FD  IN-F", "     RECORD CONTAINS 80.", " 01  IN-R PIC X(80).", " 01  IN-S PIC X(70).",
        " SD  SRT.", " 01  SRT-R PIC X.", " WORKING-STORAGE SECTION.", " 01  W PIC X.",
    )  # fmt: skip
    assert outline(read(text), "file", "data_item") == [
        ("IN-F", "file", 5, 8, "P"),
        ("IN-R", "data_item", 7, 7, "IN-F"),
        ("IN-S", "data_item", 8, 8, "IN-F"),
        ("SRT", "file", 9, 10, "P"),
        ("SRT-R", "data_item", 10, 10, "SRT"),
        ("W", "data_item", 12, 12, "P"),
    ]


@pytest.mark.parametrize(
    ("cards", "end"),
    [
        pytest.param([" 01  A.", "     COPY C1.", " 01  B PIC X."], 6, id="record that has no items yet"),
        pytest.param([" 01  A.", " COPY C1.", " 01  B PIC X."], 6, id="the same in area A"),
        pytest.param([" 01  A PIC X.", "     COPY C1.", " 01  B PIC X."], 5, id="elementary item"),
        pytest.param([" 01  A.", "     05 A1 PIC X.", " COPY C1.", " 01  B PIC X."], 6, id="in area A after items"),
        pytest.param([" 01  A.", "     05 A1 PIC X.", "     COPY C1.", " 01  B PIC X."], 7, id="indented like an item"),
        pytest.param([" 01  A.", "     05 A1 PIC X.", "     EXEC SQL INCLUDE C1 END-EXEC.", " 01  B PIC X."], 6, id="SQL INCLUDE"),
    ],
)
def test_copy_belongs_to_the_record_that_needs_it(cards, end):
    assert next(s.end_line for s in working_storage(*cards).symbols if s.name == "A") == end


def test_entry_without_period_does_not_swallow_the_next():
    parsed = working_storage(" 01  A PIC X", "     VALUE 'Y'", " 01  B PIC X.")
    assert outline(parsed, "data_item") == [("A", "data_item", 5, 6, "P"), ("B", "data_item", 7, 7, "P")]
    assert codes(parsed) == [(6, "missing_period")]


def test_copybook_of_items_needs_no_division():
    parsed = read(fixed("* layout", " 01  :TAG:-REC.", "     05  :TAG:-ID PIC X(8).", " 01  (P)-KEY PIC X."))
    assert outline(parsed, "data_item") == [
        (":TAG:-REC", "data_item", 2, 3, None),
        (":TAG:-ID", "data_item", 3, 3, ":TAG:-REC"),
        ("(P)-KEY", "data_item", 4, 4, None),
    ]


def test_copybook_of_lower_levels_has_them_as_units():
    assert [(s.name, s.unit) for s in read(fixed("     05  A PIC X.", "     05  B.", "         10 C PIC X.")).symbols] == [
        ("A", True),
        ("B", True),
        ("C", False),
    ]


@pytest.mark.parametrize(
    ("assign", "ddname"),
    [
        ("UT-S-CUSTIN", "CUSTIN"),
        ("S-CUSTIN", "CUSTIN"),
        ("AS-CUSTIN", "CUSTIN"),
        ("DA-3350-I-MASTER", "MASTER"),
        ("SYS010-UT-3375-S-TAPE1", "TAPE1"),
        ("CUSTIN", "CUSTIN"),
        ("CUST-FILE", "CUST-FILE"),
        ("'data/cust.txt'", "data/cust.txt"),
        ("DISK", "DISK"),
        ("DISK 'cust'", "cust"),
        ("EXTERNAL CUSTX", "CUSTX"),
    ],
)
def test_assign_gives_the_external_name(assign, ddname):
    text = fixed(
        " ID DIVISION.",
        " PROGRAM-ID. P.",
        " ENVIRONMENT DIVISION.",
        " INPUT-OUTPUT SECTION.",
        " FILE-CONTROL.",
        "     SELECT OPTIONAL F",
        f"       ASSIGN TO {assign}.",
    )
    parsed = read(text)
    assert [(r.kind, r.target, r.line, r.detail["file"]) for r in parsed.references] == [("file_assign", ddname, 6, "F")]
    assert outline(parsed, "file") == [("F", "file", 6, 7, "P")]


def test_cursor_declared_in_working_storage_is_a_unit():
    parsed = working_storage(" 01  A PIC X.", "     EXEC SQL DECLARE C1 CURSOR FOR", "       SELECT A FROM T END-EXEC.", " 01  B PIC X.")
    assert outline(parsed, "data_item") == [("A", "data_item", 5, 5, "P"), ("C1", "data_item", 6, 7, "P"), ("B", "data_item", 8, 8, "P")]
