"""Rules of prose and its neighbours, each in two tables: what it does not touch, and what it gives."""

from __future__ import annotations

import pytest

from legacylens_assets.parsers.text import parse
from legacylens_assets.parsers.text.draft import strip_block_comments
from legacylens_assets.types import SourceFile


def result(text, dialect="", path="a.txt"):
    return parse(SourceFile(path, "text", "utf-8", tuple(text.split("\n")), "", dialect))


def headings(text, dialect="markdown"):
    return [(s.name, s.start_line, s.end_line) for s in result(text, dialect).symbols]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("#hashtag", id="no-space"),
        pytest.param("    # indented code", id="indented"),
        pytest.param("```\n# code\n```", id="fenced"),
        pytest.param("~~~\n```\n# code\n~~~", id="other-fence-inside"),
        pytest.param("- item\n---", id="rule-under-list"),
        pytest.param("| a |\n|---|", id="table"),
        pytest.param("one\ntwo\n---", id="rule-under-paragraph"),
        pytest.param("\n---\n", id="rule-alone"),
        pytest.param("####### seven", id="seven-hashes"),
    ],
)
def test_markdown_leaves_alone(text):
    assert headings(text) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("# A\nx\n## B\ny\n# C", [("A", 1, 4), ("B", 3, 4), ("C", 5, 5)], id="levels"),
        pytest.param("## The `ACCT` [file](x.md) ##", [("The ACCT file", 1, 1)], id="inline-marks"),
        pytest.param("Title\n=====\nx\n\nSub\n---\ny", [("Title", 1, 7), ("Sub", 5, 7)], id="setext"),
        pytest.param("```\nnever closed\n# A", [], id="open-fence"),
    ],
)
def test_markdown_headings(text, expected):
    assert headings(text) == expected


@pytest.mark.parametrize(
    ("text", "dialect", "expected"),
    [
        pytest.param("A\n-\n\nB\n-", "rst", [], id="rule-too-short"),
        pytest.param("Title\n=====\n\nPart\n----\n\nx", "rst", [("Title", 1, 7), ("Part", 4, 7)], id="rst"),
        pytest.param("Note: not one.\n\nTHE NIGHT RUN\n\nIt runs at two.", "", [("THE NIGHT RUN", 3, 5)], id="capitals"),
        pytest.param("1. Install\n2. Run", "", [], id="list"),
        pytest.param("@chapter Using it\nx\n@section Options\ny", "texinfo", [("Using it", 1, 4), ("Options", 3, 4)], id="texinfo"),
        pytest.param(".SH NAME\nx\n.SS more\ny", "man", [("NAME", 1, 4), ("more", 3, 4)], id="man"),
        pytest.param("<h1>Desk</h1>\n<p>x\n<h2 id='a'>Rules</h2>", "html", [("Desk", 1, 3), ("Rules", 3, 3)], id="html"),
        pytest.param(
            "09/21/87  refund\n\nSyntax:  refund no\n\nSee also: x", "info", [("refund", 1, 5), ("Syntax", 3, 3), ("See also", 5, 5)], id="info"
        ),
    ],
)
def test_other_headings(text, dialect, expected):
    assert headings(text, dialect) == expected


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("* map\nM DFHMSD TYPE=MAP", "bms"),
        ("#!/bin/ksh\necho", "shell"),
        ("/* REXX */\nsay 1", "rexx"),
        (" DEFINE TRANSACTION(A) GROUP(G)", "csd"),
        (" DEFINE CLUSTER (NAME(A))", "control"),
        ("CREATE TABLE T (A INT);", "sql"),
        ("PGM PARM(&A)", "cl"),
        ("P CSECT\n USING P,12", "asm"),
        ("# Title\n", "markdown"),
        ("<DEFTABLE>", "schedule"),
        ("plain words", "plain"),
    ],
)
def test_dialect_shows_in_the_first_lines(text, form):
    assert result(text).form == form


def test_card_file_of_sql_is_read_as_sql():
    assert result("/* setup */\n  CREATE TABLE T (A INT);", "control").form == "sql"


def test_transaction_refers_to_its_program():
    reference = result(" DEFINE TRANSACTION(RF01) GROUP(G)\n   PROGRAM(REFPOST)", "csd").references[0]
    assert (reference.kind, reference.target, dict(reference.detail)) == ("transaction", "RF01", {"program": "REFPOST"})


@pytest.mark.parametrize(
    ("text", "dialect", "expected"),
    [
        ("UPDATE T SET A = 1;", "sql", [("sql_write", "T")]),
        ("SELECT A FROM T JOIN U ON 1=1;", "sql", [("sql_read", "T"), ("sql_read", "U")]),
        ("-- FROM T\nCOMMIT;", "sql", []),
        ("  RUN PROGRAM(P1) PLAN(X)", "control", [("control_card", "RUN"), ("call", "P1")]),
        ("  CALL PGM(LIB/P1)", "cl", [("call", "P1")]),
        ("  SBMJOB CMD(CALL PGM(P2))", "cl", [("call", "P2")]),
        ("  /* CALL P3 */", "cl", []),
        ("  say 'call me'", "rexx", []),
        ("  if a then call p1", "rexx", [("call", "P1")]),
        ("L  CALL P1,(A)", "asm", [("call", "P1")]),
        ("   LINK EP=P2", "asm", [("call", "P2")]),
        ("   L 15,=V(P3)", "asm", [("call", "P3")]),
    ],
)
def test_references_of_neighbours(text, dialect, expected):
    assert [(r.kind, r.target) for r in result(text, dialect).references] == expected


@pytest.mark.parametrize(
    ("text", "dialect", "roles"),
    [
        ("A EQU 1" + " " * 64 + "X\n  1", "asm", "s+"),
        ("  PGM +\n\n  PARM(&A)", "cl", "s.+"),
        ("say a,\nb\nsay c", "rexx", "s+s"),
        ("SELECT A\nFROM T;\nCOMMIT;", "sql", "s+s"),
        ("a \\\nb\nc", "shell", "s+s"),
        ("a: b\n# c\n\nd", "yaml", "s*.s"),
    ],
)
def test_roles_say_where_a_statement_starts(text, dialect, roles):
    assert result(text, dialect).roles == roles


@pytest.mark.parametrize(
    ("lines", "nest", "clean", "roles"),
    [
        (["a /* b */ c"], False, ["a         c"], "s"),
        (["/* a", "b */ c"], False, ["    ", "     c"], "*s"),
        (["'/*' x"], False, ["'/*' x"], "s"),
        (["/* a /* b */ c */ d"], True, ["                  d"], "s"),
        (["/* open", "still"], False, ["       ", "     "], "**"),
    ],
)
def test_block_comments_are_blanked_in_place(lines, nest, clean, roles):
    assert strip_block_comments(lines, nest) == (clean, roles)
