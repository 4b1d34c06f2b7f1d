"""COPY and REPLACE: what is recorded, and what the expansion gives (ISO 1989:1985 XII-2; compared with GnuCOBOL's preprocessor while writing)."""

import pytest
from cobol_text import codes, fixed, mentions, outline, procedure, read, source

from legacylens_assets.parsers.cobol import expand, parse_expanded


@pytest.mark.parametrize(
    ("cards", "name", "detail", "end"),
    [
        pytest.param(["     COPY C1."], "C1", {}, 5, id="plain"),
        pytest.param(["     COPY 'C1.cpy'."], "C1.cpy", {}, 5, id="literal"),
        pytest.param(["     COPY C1 IN LIB1."], "C1", {"library": "LIB1"}, 5, id="library"),
        pytest.param(["     COPY C1 OF LIB1 SUPPRESS."], "C1", {"library": "LIB1", "suppress": "1"}, 5, id="suppress"),
        pytest.param(
            ["     COPY C1 REPLACING ==A. B== BY ==C.==", "       ==:T:== BY ==X==."],
            "C1",
            {"replacing": "==A . B== BY ==C .== ==:T:== BY ==X=="},
            6,
            id="pseudo-text",
        ),
        pytest.param(["     COPY C1 REPLACING LEADING ==A== BY ==B==."], "C1", {"replacing": "LEADING ==A== BY ==B=="}, 5, id="leading"),
        pytest.param(["     COPY", "       C1", "       ."], "C1", {}, 7, id="one word a line"),
    ],
)
def test_copy_statements(cards, name, detail, end):
    parsed = procedure(" M.", *cards, "     STOP RUN.")
    assert outline(parsed, "copy", "paragraph") == [("M", "paragraph", 4, end + 1, "P"), (name, "copy", 5, end, "P")]
    assert mentions(parsed, "copy") == [("copy", name.upper(), 5, detail)]
    assert codes(parsed) == []


def test_copy_without_period_is_reported_and_ends_at_its_name():
    parsed = procedure(" M.", "     COPY C1", " N.", "     STOP RUN.")
    assert codes(parsed) == [(5, "copy_without_period")]
    assert [s.name for s in parsed.symbols if s.kind == "paragraph"] == ["M", "N"]


def test_replace_hides_its_pseudo_text():
    parsed = procedure(" REPLACE ==X. GHOST.== BY ==Y==.", " M.", "     EXIT.", " REPLACE OFF.", " N.", "     EXIT.")
    assert [s.name for s in parsed.symbols if s.kind == "paragraph"] == ["M", "N"]


BOOKS = {
    "ITEM": fixed("* comment", " 01  :T:-REC.", "     05  :T:-ID PIC X(4).", "     05  OLD-NAME PIC X.", "     05  NAME-OLD PIC 9(2)."),
    "OUTER": fixed(" 01  O-REC.", "     COPY INNER.", "     05  O-LAST PIC X."),
    "INNER": fixed("     05  I-A PIC X(3).", "     05  I-B PIC S9(4) COMP."),
    "LOOP": fixed("     COPY LOOP."),
}


def resolve(name, library):
    return source(BOOKS[name], name.lower() + ".cpy") if name in BOOKS else None


def expanded(*cards):
    return expand(source(fixed(*cards), "prog.cbl"), resolve)


def words(result):
    return " ".join(" ".join(result.lines).split())


@pytest.mark.parametrize(
    ("cards", "text"),
    [
        pytest.param([" COPY INNER."], "05 I-A PIC X(3). 05 I-B PIC S9(4) COMP.", id="plain"),
        pytest.param([" COPY OUTER."], "01 O-REC. 05 I-A PIC X(3). 05 I-B PIC S9(4) COMP. 05 O-LAST PIC X.", id="nested"),
        pytest.param(
            [" COPY ITEM REPLACING ==:T:== BY ==WS==."],
            "01 WS-REC. 05 WS-ID PIC X(4). 05 OLD-NAME PIC X. 05 NAME-OLD PIC 9(2).",
            id="part of a word between colons",
        ),
        pytest.param(
            [" COPY ITEM REPLACING LEADING ==OLD== BY ==NEW==."],
            "01 :T:-REC. 05 :T:-ID PIC X(4). 05 NEW-NAME PIC X. 05 NAME-OLD PIC 9(2).",
            id="leading",
        ),
        pytest.param(
            [" COPY ITEM REPLACING TRAILING ==OLD== BY ==NEW==."],
            "01 :T:-REC. 05 :T:-ID PIC X(4). 05 OLD-NAME PIC X. 05 NAME-NEW PIC 9(2).",
            id="trailing",
        ),
        pytest.param([" COPY INNER REPLACING I-A BY J-A."], "05 J-A PIC X(3). 05 I-B PIC S9(4) COMP.", id="word"),
        pytest.param([" COPY INNER REPLACING i-a BY J-A."], "05 J-A PIC X(3). 05 I-B PIC S9(4) COMP.", id="case does not count"),
        pytest.param([" COPY INNER REPLACING I BY J."], "05 I-A PIC X(3). 05 I-B PIC S9(4) COMP.", id="part of a word does not match"),
        pytest.param([" COPY INNER REPLACING ==PIC   X(3). 05== BY ==PIC X. 05==."], "05 I-A PIC X. 05 I-B PIC S9(4) COMP.", id="across a line end"),
        pytest.param([" COPY INNER REPLACING ==COMP== BY ====."], "05 I-A PIC X(3). 05 I-B PIC S9(4) .", id="by nothing"),
        pytest.param(
            [" COPY INNER REPLACING I-A BY I-B I-B BY I-A."], "05 I-B PIC X(3). 05 I-A PIC S9(4) COMP.", id="what was put in is not looked at again"
        ),
        pytest.param(
            [" COPY OUTER REPLACING I-A BY J-A."], "01 O-REC. 05 J-A PIC X(3). 05 I-B PIC S9(4) COMP. 05 O-LAST PIC X.", id="through a nested copy"
        ),
        pytest.param([" EXEC SQL INCLUDE INNER END-EXEC."], "05 I-A PIC X(3). 05 I-B PIC S9(4) COMP.", id="SQL include"),
        pytest.param(
            [" REPLACE ==AA== BY ==BB==.", " MOVE AA TO X.", " REPLACE OFF.", " MOVE AA TO Y."], "MOVE BB TO X. MOVE AA TO Y.", id="replace"
        ),
        pytest.param([" REPLACE LEADING ==A-== BY ==B-==.", " MOVE A-1 TO C."], "MOVE B-1 TO C.", id="replace leading"),
        pytest.param([" REPLACE ==I-A== BY ==K==.", " COPY INNER."], "05 K PIC X(3). 05 I-B PIC S9(4) COMP.", id="replace acts on copied text"),
        pytest.param([" DISPLAY 'COPY INNER.'."], "DISPLAY 'COPY INNER.'.", id="literal"),
        pytest.param([" ADD +1 TO A.", " REPLACE ==+1== BY ==+2==.", " ADD +1 TO A."], "ADD +1 TO A. ADD +2 TO A.", id="signed number"),
    ],
)
def test_expansion(cards, text):
    assert words(expanded(*cards)) == text


def test_every_line_of_the_expansion_knows_where_it_is_written():
    result = expanded(" 77  A PIC X.", " COPY OUTER.", " 77  B PIC X.")
    assert [str(origin) for origin in result.origins] == [
        "prog.cbl:1",
        "outer.cpy:1 (via prog.cbl:2)",
        "inner.cpy:1 (via outer.cpy:2) (via prog.cbl:2)",
        "inner.cpy:2 (via outer.cpy:2) (via prog.cbl:2)",
        "outer.cpy:3 (via prog.cbl:2)",
        "prog.cbl:3",
    ]


def test_offsets_are_known_over_the_expansion():
    parsed = parse_expanded(expanded(" DATA DIVISION.", " WORKING-STORAGE SECTION.", " COPY OUTER."))
    assert [(s.name, s.detail["offset"], s.detail["length"]) for s in parsed.symbols if s.kind == "data_item"] == [
        ("O-REC", "0", "6"),
        ("I-A", "0", "3"),
        ("I-B", "3", "2"),
        ("O-LAST", "5", "1"),
    ]


@pytest.mark.parametrize(
    ("card", "code", "text"),
    [
        pytest.param(" COPY NOWHERE.", "copy_missing", "COPY NOWHERE.", id="no such copybook"),
        pytest.param(" COPY LOOP.", "copy_cycle", "COPY LOOP.", id="copies itself"),
    ],
)
def test_what_cannot_be_copied_stays_and_is_reported(card, code, text):
    result = expanded(" 77  A PIC X.", card)
    assert [(p.line, p.code) for p in result.problems] == [(2, code)]
    assert words(result) == f"77 A PIC X. {text}"


def test_copybooks_that_double_at_every_level_come_to_an_end():
    books = {f"B{n}": source(fixed(f" COPY B{n + 1}.", f" COPY B{n + 1}."), f"b{n}.cpy") for n in range(40)}
    result = expand(source(fixed(" COPY B0.")), lambda name, library: books.get(name))
    assert "copy_limit" in {problem.code for problem in result.problems}
    assert len(result.copies) < 25_000


def test_library_is_handed_to_the_resolver():
    asked = []
    expand(source(fixed(" COPY A IN LIB1.", " COPY B OF 'lib2'.", " COPY C.")), lambda name, library: asked.append((name, library)))
    assert asked == [("A", "LIB1"), ("B", "lib2"), ("C", None)]


def test_expansion_of_a_program_keeps_its_structure():
    text = read(fixed(" ID DIVISION.", " PROGRAM-ID. P.", " PROCEDURE DIVISION.", " M.", "     COPY NOWHERE."))
    again = parse_expanded(expand(source(fixed(" ID DIVISION.", " PROGRAM-ID. P.", " PROCEDURE DIVISION.", " M.", "     COPY NOWHERE.")), resolve))
    assert outline(again) == outline(text)
