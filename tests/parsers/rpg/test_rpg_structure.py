"""ILE RPG and RPG/400 references: forms, specifications, declarations, and which unit each line belongs to."""

from __future__ import annotations

import pytest

from legacylens_assets.parsers.rpg import parse
from legacylens_assets.types import SourceFile


def parsed(text, path="a.rpgle"):
    return parse(SourceFile(path, "rpg", "utf-8", tuple(text.split("\n"))))


def units(text, path="a.rpgle"):
    """Each symbol but sections as `kind name first-last <parent`."""
    symbols = parsed(text, path).symbols
    rows = []
    for s in symbols:
        if s.kind != "section":
            parent = "-" if s.parent is None else symbols[s.parent].name
            rows.append(f"{s.kind} {s.name} {s.start_line}-{s.end_line} <{parent}")
    return rows


def c(operation="", factor1="", factor2="", result=""):
    """A calculation in the columns of RPG IV."""
    return f"     C     {factor1:<14}{operation:<10}{factor2:<14}{result}"


def old(operation="", factor1="", factor2="", result="", level="  "):
    """A calculation in the columns of RPG II and III."""
    return f"     C{level:<2}         {factor1:<10}{operation:<5}{factor2:<10}{result}"


def d(name="", kind="", keywords="", length=""):
    """A definition in its columns; ``kind`` begins in column 24."""
    return f"     D{name:<17}{kind:<9}{length:>7}     {keywords}"


FREE = "**FREE\n"

LEFT_ALONE = [
    pytest.param("     C* INIT         BEGSR", id="asterisk-in-column-7"),
    pytest.param("     C                   EVAL      X = 'BEGSR'", id="word-in-a-literal"),
    pytest.param(FREE + "// begsr A;\nx = 'dcl-proc B;'; // end", id="free-comment-and-literal"),
    pytest.param(FREE + "x = 'it''s begsr +\n  begsr B; -\ndcl-proc C;';", id="literal-over-lines"),
    pytest.param(FREE + "begsr = 1;\nendsr = begsr;", id="operation-names-as-fields"),
    pytest.param("     C/EXEC SQL\n     C+ begsr A\n     C/END-EXEC", id="fixed-sql"),
    pytest.param(FREE + "exec sql select 'begsr;' into :x\n from t -- it's; begsr B\n where a = 1;", id="free-sql"),
    pytest.param(c("TAG", "HERE"), id="tag"),
    pytest.param("     H DEBUG\n**\n     C     FAKE          BEGSR", id="table-data"),
    pytest.param(FREE + "x = 1;\n**CTDATA tab\nbegsr A;\ndcl-proc B;", id="compile-time-data"),
    pytest.param("     H DEBUG\n      /EOF\n     C     FAKE          BEGSR", id="after-an-unconditional-eof"),
    pytest.param("       x = 1;" + " " * 67 + "begsr A;", id="beyond-column-80"),
    pytest.param("       dcl-s a char(1);\nbegsr  x = 1;\n       y = 2;\n     D z               S             10A", id="columns-1-to-5"),
]


@pytest.mark.parametrize("text", LEFT_ALONE)
def test_what_only_looks_like_a_routine_makes_none(text):
    assert [s for s in parsed(text).symbols if s.kind in ("procedure", "subroutine")] == []


ROUTINES = [
    pytest.param("\n".join([c("BEGSR", "Init"), c("EVAL", "", "X = 1"), c("ENDSR", "Out")]), ["subroutine Init 1-3 <-"], id="fixed-subroutine"),
    pytest.param(
        "\n".join([old("BEGSR", "INIT", level="SR"), old("Z-ADD", "", "1", "CTR", "SR"), old("ENDSR", level="SR")]),
        ["subroutine INIT 1-3 <-"],
        id="rpg-ii-sr-lines",
    ),
    pytest.param(FREE + "BegSr A;\n  x = 1;\nEndSr;\nbegsr B; endsr;", ["subroutine A 2-4 <-", "subroutine B 5-5 <-"], id="free-subroutines"),
    pytest.param("     P Add             B\n" + c("RETURN") + "\n     P                 E", ["procedure Add 1-3 <-"], id="fixed-procedure"),
    pytest.param(
        "     P VeryLongName...\n     P OfAProcedure    B\n     P                                     EXPORT\n"
        + c("BEGSR", "S")
        + "\n"
        + c("ENDSR")
        + "\n     P                 E",
        ["procedure VeryLongNameOfAProcedure 1-6 <-", "subroutine S 4-5 <VeryLongNameOfAProcedure"],
        id="long-name-and-keyword-line",
    ),
    pytest.param(FREE + "dcl-proc aVery...\n  LongName\n  export;\nend-proc;", ["procedure aVeryLongName 2-5 <-"], id="split-header"),
    pytest.param(FREE + "dcl-proc A; return; end-proc; dcl-proc B; end-proc B;", ["procedure A 2-2 <-", "procedure B 2-2 <-"], id="all-on-one-line"),
    pytest.param(
        "       dcl-proc A;\n" + c("BEGSR", "S") + "\n       endsr;\n       end-proc;",
        ["procedure A 1-4 <-", "subroutine S 2-3 <A"],
        id="mixed-forms",
    ),
    pytest.param(FREE + "begsr A;\n x = 1;\n\nbegsr B;\nendsr;", ["subroutine A 2-3 <-", "subroutine B 5-6 <-"], id="missing-endsr"),
    pytest.param(FREE + "dcl-proc A;\n x = 1;\ndcl-proc B;\nend-proc;", ["procedure A 2-3 <-", "procedure B 4-5 <-"], id="missing-end-proc"),
    pytest.param(FREE + "x = 1\nbegsr B;\nendsr;", ["subroutine B 3-4 <-"], id="missing-semicolon"),
    pytest.param("dcl-proc A;\n  begsr S;\n  endsr;\nend-proc;", ["procedure A 1-4 <-", "subroutine S 2-3 <A"], id="free-without-the-mark"),
    pytest.param(
        "\n".join(f"{n:06}240101{t}" for n, t in enumerate(["**FREE", "dcl-proc A;", "end-proc;"])), ["procedure A 2-3 <-"], id="prefix-before-free"
    ),
    pytest.param("\n".join(f"{n:06}{t}" for n, t in enumerate([c("BEGSR", "A"), c("ENDSR")])), ["subroutine A 1-2 <-"], id="sequence-number-alone"),
]


@pytest.mark.parametrize(("text", "expected"), ROUTINES)
def test_routines_have_the_lines_and_parents_of_the_manual(text, expected):
    assert units(text) == expected


DECLARATIONS = [
    pytest.param(
        "\n".join([d("Cust", "DS", "QUALIFIED"), d("  id", "", "", "10A"), d("", "", "INZ", ""), d("n", "S", "", "5P 0")]),
        ["data_structure Cust 1-3 <-"],
        id="fixed-data-structure",
    ),
    pytest.param("\n".join([d("Pgm", "PR", "EXTPGM('X')"), d(" a", "", "CONST", "10A"), d("", "DS"), d(" b", "", "", "1A")]), ["prototype Pgm 1-2 <-", "data_structure  3-4 <-"], id="prototype-and-unnamed"),
    pytest.param(d("aName...") + "\n" + d("OfTwo", "DS") + "\n" + d(" x", "", "", "1A"), ["data_structure aNameOfTwo 1-3 <-"], id="long-name"),
    pytest.param(d("MAX", "C", "'abc-") + "\n" + d("", "", " def'"), ["constant MAX 1-2 <-"], id="constant-over-lines"),
    pytest.param(FREE + "dcl-ds a qualified;\n  x char(1);\n  dcl-ds b;\n   y char(1);\n  end-ds;\nend-ds;", ["data_structure a 2-7 <-", "data_structure b 4-6 <a"], id="nested"),
    pytest.param(FREE + "dcl-ds a likeds(b);\ndcl-ds c x char(1) end-ds;\ndcl-ds *n;\n z char(1);\nend-ds;", ["data_structure a 2-2 <-", "data_structure c 3-3 <-", "data_structure  4-6 <-"], id="whole-in-one-statement"),
    pytest.param(FREE + "dcl-pr p int(10);\n  begsr char(1);\n  dcl-parm if char(1);\nend-pr;\ndcl-pr q end-pr;", ["prototype p 2-5 <-", "prototype q 6-6 <-"], id="free-prototypes"),
    pytest.param(FREE + "dcl-pr p\n  extpgm('P')\nend-pr;", ["prototype p 2-4 <-"], id="prototype-ended-in-its-statement"),
    pytest.param(FREE + "dcl-proc m;\n dcl-pi *n;\n  a char(1);\n end-pi;\n dcl-ds d;\n  b char(1);\n end-ds;\nend-proc;", ["procedure m 2-9 <-", "data_structure d 6-8 <m"], id="inside-a-procedure"),
    pytest.param(FREE + "dcl-c MAX 5;\ndcl-f CUST usage(*update);", ["constant MAX 2-2 <-", "file CUST 3-3 <-"], id="constant-and-file"),
    pytest.param("     FCUSTF     UF   E           K DISK\n     F                                     RENAME(A:B)\n     FOUT       O    E             PRINTER", ["file CUSTF 1-2 <-", "file OUT 3-3 <-"], id="file-specs"),
    pytest.param("     ISTAT       SDS\n     I                                     *PROGRAM PGMNAM\n     I              'ABC'                 C         KONST\n     E                    TAB        10 10  1", ["data_structure STAT 1-2 <-", "constant KONST 3-3 <-"], id="rpg-iii-input-specs"),
    pytest.param("     D/COPY QSRC,MBR\n      /include \"/a b/c.rpgle\"  \n      /copy lib/file,mbr comment", ["copy QSRC,MBR 1-1 <-", "copy /a b/c.rpgle 2-2 <-", "copy lib/file,mbr 3-3 <-"], id="copies"),
    pytest.param(FREE + "exec sql include SQLCA;", ["copy SQLCA 2-2 <-"], id="sql-include"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), DECLARATIONS)
def test_declarations_have_the_lines_and_parents_of_the_manual(text, expected):
    assert units(text) == expected


FORMS = [
    (FREE + "x = 1;", "a.rpgle", "free"),
    (c("EVAL", "", "x = 1"), "a.rpgle", "fixed"),
    (c("EVAL", "", "x = 1") + "\n      /free\n       x = 2;\n      /end-free", "a.rpgle", "mixed"),
    (old("MOVE", "", "A", "B"), "a.rpgle", "rpg-iii"),
    ("     H", "a.rpg", "rpg-iii"),
]


@pytest.mark.parametrize(("text", "path", "form"), FORMS)
def test_the_form_is_told_from_the_text(text, path, form):
    assert parsed(text, path).form == form


ROLES = [
    (FREE + "x = a +\n// why\n  b;\n\ny = 1;", "ss*+.s"),
    ("     D x               S             10A   INZ\n     D                                     STATIC", "s+"),
    (c("EVAL", "", "x = a +") + "\n" + c("", "", "b") + "\n" + c("EVAL", "", "y = 1"), "s+s"),
    ("     C/EXEC SQL\n     C+ SELECT 1\n     C/END-EXEC\n     C* note", "s++*"),
    ("     C* note\n      * note\n      // note\n      /EJECT", "***s"),
]


@pytest.mark.parametrize(("text", "roles"), ROLES)
def test_roles_keep_statements_whole(text, roles):
    assert parsed(text).roles == roles


def test_lines_outside_routines_lie_in_named_sections():
    text = "\n".join(
        [
            "     H DEBUG",
            d("n", "S", "", "5P 0"),
            c("EXSR", "", "A"),
            c("BEGSR", "A"),
            c("ENDSR"),
            "     OPRT       E            HEAD",
            "** tab",
            "1",
        ]
    )
    sections = [(s.name, s.start_line, s.end_line) for s in parsed(text).symbols if s.kind == "section"]
    assert sections == [
        ("control specs", 1, 1),
        ("definitions", 2, 2),
        ("mainline", 3, 3),
        ("output PRT", 6, 6),
        ("compile-time data tab", 7, 8),
    ]


PROBLEMS = [
    (FREE + "x = 1", "open_statement"),
    (FREE + "x = 'abc;\ny = 1;", "open_literal"),
    (FREE + "begsr A;\nx = 1;", "open_subroutine"),
    (FREE + "dcl-proc A;\nx = 1;", "open_procedure"),
    (FREE + "endsr;", "stray_endsr"),
    ("     C/EXEC SQL\n     C+ SELECT 1\n" + c("EVAL", "", "x = 1"), "open_sql"),
]


@pytest.mark.parametrize(("text", "code"), PROBLEMS)
def test_what_breaks_the_rules_is_a_problem(text, code):
    assert [problem.code for problem in parsed(text).problems] == [code]


def test_data_structures_that_never_end_do_not_nest_without_bound():
    symbols = parsed(FREE + "dcl-ds a;\n" * 100).symbols
    assert sum(s.parent is None for s in symbols if s.kind == "data_structure") == 5
