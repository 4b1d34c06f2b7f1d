"""What is said of a chunk before its code: headers, descriptors, idioms; every lever can be turned off."""

from __future__ import annotations

import pytest

from legacylens_assets.context import Context, build_context, clean_comment, documented_names
from legacylens_assets.headers import LEVERS, TextOptions, build_texts, describe, header_of
from legacylens_assets.idioms import idioms, idioms_of
from legacylens_assets.routine_names import routine_words
from legacylens_assets.types import Chunk


def chunk(**changes: object) -> Chunk:
    values: dict[str, object] = {
        "chunk_id": "1", "text_sha": "", "codebase": "c", "path": "src/PAY01.cbl", "language": "cobol", "kind": "paragraph", "name": "2000-POST",
        "qualified_name": "PAY01.2000-POST", "parent_id": "", "program": "PAY01", "division": "PROCEDURE", "section": "", "start_line": 10,
        "end_line": 12, "part": 0, "text": "       2000-POST.\n           DISPLAY 'payment has been posted'.", "comments": "", "calls": (),
        "performs": (), "copies": (), "datasets": (), "parse_status": "parsed",
    }  # fmt: skip
    return Chunk(**{**values, **changes})  # type: ignore[arg-type]


def test_the_header_names_file_program_division_and_unit() -> None:
    assert header_of(chunk()) == "[FILE: src/PAY01.cbl] [PROGRAM: PAY01] [DIVISION: PROCEDURE] [PARAGRAPH: 2000-POST]"


@pytest.mark.parametrize(
    "line",
    [
        pytest.param("Copyright (c) 1999 Acme", id="ownership"),
        pytest.param("Licensed under the terms below", id="licence"),
        pytest.param("Modified 03/29/79 to use new call", id="dated change"),
        pytest.param("Written by A. Person", id="credit"),
        pytest.param("change(87-10-07,Nguyen), approve(87-10-07,X1)", id="change record"),
        pytest.param("WORKING-STORAGE SECTION", id="section name"),
        pytest.param("P R O C E D U R E S", id="spaced banner"),
        pytest.param(".. Scalar Arguments ..", id="declaration banner"),
        pytest.param("#ifdef HAVE_THING", id="preprocessor"),
        pytest.param('<a href="http://example.org/x">', id="link"),
        pytest.param("Ver: App_v1.0-15 Date: 2022-07-19", id="version stamp"),
    ],
)
def test_plumbing_is_left_out_of_a_description(line: str) -> None:
    assert clean_comment(f"{line}\nPosts the payments of the day", 200) == "Posts the payments of the day"


def test_a_stated_purpose_comes_first() -> None:
    assert clean_comment("Some remark.\nFunction: prints the bills\nand mails them", 200) == "prints the bills and mails them Some remark."


def test_a_word_that_only_begins_like_a_heading_is_text() -> None:
    assert clean_comment("Function keys are tested here", 200) == "Function keys are tested here"


def test_a_line_that_opens_with_the_name_says_more_than_one_that_mentions_it() -> None:
    found = documented_names("| PAY01 | Post the payments |\nThe old way of calling PAY01 was dropped some years ago", {"PAY01"})
    assert [(name, rank) for name, rank, _ in found] == [("PAY01", 2), ("PAY01", 1)]


@pytest.mark.parametrize("line", ["put PAY01.cbl PAY01", "PAY01 = pay.c other.c more.c", "CRTPGM PGM(&LIB/PAY01) MODULE(&LIB/PAY01)"])
def test_a_command_that_names_a_program_does_not_describe_it(line: str) -> None:
    assert documented_names(line, {"PAY01"}) == []


def test_what_a_document_says_of_a_program_reaches_each_of_its_chunks() -> None:
    readme = chunk(
        chunk_id="2", path="README.md", language="text", kind="heading", name="Programs", program="", text="PAY01 posts the refunds of clients"
    )
    context = build_context([readme, chunk()])
    assert "posts the refunds of clients" in describe(chunk(), None, context, TextOptions())


def test_a_change_log_does_not_describe_programs() -> None:
    log = chunk(chunk_id="2", path="doc/ChangeLog", language="text", kind="lines", name="", program="", text="PAY01 posts no refunds of clients now")
    assert "refunds" not in describe(chunk(), None, build_context([log, chunk()]), TextOptions())


def test_the_arguments_of_a_routine_are_not_its_purpose() -> None:
    code = chunk(path="SRC/x.f", language="fortran", start_line=1, comments="Purpose:\nSolves a small system by elimination.\nNothing else is done\n"
                 "Arguments:\nN is the order of the matrix")  # fmt: skip
    assert build_context([code]).files["SRC/x.f"] == "Solves a small system by elimination. Nothing else is done"


@pytest.mark.parametrize("lever", [lever for lever in LEVERS if lever != "leading_code"])
def test_a_lever_turned_off_takes_its_words_away(lever: str) -> None:
    context = Context({"src/PAY01.cbl": "fromfile"}, {"PAY01": "fromdocs", "CALLED": "fromflow"})
    unit = chunk(comments="fromcomments", calls=("CALLED",), text="EXEC SQL DELETE FROM T END-EXEC DISPLAY 'from literals'")
    words = {"names": "post", "comments": "fromcomments", "file": "fromfile", "docs": "fromdocs", "flow": "fromflow", "literals": "from literals"}
    words["idioms"] = "remove row of database table"
    assert words[lever] in describe(unit, None, context, TextOptions())
    assert words[lever] not in describe(unit, None, context, TextOptions(frozenset({lever})))


def test_code_is_in_the_dense_text_unless_its_lever_is_off() -> None:
    on, off = (build_texts([chunk()], Context(), TextOptions(frozenset(names)))[0].dense_text for names in ((), ("leading_code", "literals")))
    assert "DISPLAY" in on and "DISPLAY" not in off


@pytest.mark.parametrize(
    ("language", "code", "meaning"),
    [
        ("cobol", "           IF SQLCODE = 100", "no row found"),
        ("cobol", "           WHEN -911", "locked by another task"),
        ("cobol", "           EXEC CICS SEND MAP('M1') END-EXEC", "show screen form"),
        ("jcl", "//SYSUT2 DD SYSOUT=(A,INTRDR)", "submit another job"),
        ("jcl", "  REPRO INFILE(A) OUTFILE(B)", "copy records"),
        ("rpg", "     C     KEY           CHAIN     FILE", "read record by key"),
        ("c", "  s = socket (AF_INET, SOCK_STREAM, 0);", "open network connection"),
        ("pli", "call hcs_$initiate (dn, en, 0);", "open segment"),
    ],
)
def test_an_idiom_says_what_the_code_means(language: str, code: str, meaning: str) -> None:
    assert meaning in idioms_of(chunk(language=language, text=code))


def test_an_idiom_of_another_language_does_not_apply() -> None:
    assert "submit another job" not in idioms_of(chunk(language="c", text="INTRDR"))


def test_a_document_has_no_idioms() -> None:
    assert idioms_of(chunk(language="text", text="EXEC CICS SEND MAP SQLCODE = 100")) == ""


def test_every_row_of_the_table_is_a_rule() -> None:
    assert len(idioms()) >= 150
    assert all(rule.meaning and rule.languages for rule in idioms())


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("SGESV", "single precision real: general dense matrix, solve system of linear equations, simple driver"),
        ("zheevd", "double precision complex: hermitian matrix, eigenvalues and eigenvectors, divide and conquer"),
        ("DNRM2", "double precision real: euclidean norm, length of a vector"),
        ("DELETE", ""),
        ("SORT", ""),
    ],
)
def test_a_numerical_routines_name_is_read_by_the_naming_scheme(name: str, words: str) -> None:
    assert routine_words(name) == words
