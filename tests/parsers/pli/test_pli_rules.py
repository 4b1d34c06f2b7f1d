"""Rules of PL/I, each in two tables: what it does not touch, and what it gives."""

from __future__ import annotations

import pytest

from legacylens_assets.parsers.pli import parse
from legacylens_assets.parsers.pli.margins import Margins, directives, judge
from legacylens_assets.parsers.pli.preprocessor import members
from legacylens_assets.types import SourceFile

BLOCKS = {"package", "procedure", "begin", "entry"}


def result(text):
    return parse(SourceFile("a.pli", "pli", "utf-8", tuple(text.split("\n"))))


def blocks(text):
    parsed = result(text)
    return [
        (s.kind, s.name, s.start_line, s.end_line, parsed.symbols[s.parent].name if s.parent is not None else None)
        for s in parsed.symbols
        if s.kind in BLOCKS
    ]


def inside(*statements):
    """Return blocks of statements wrapped in a procedure; it ends on its own line if every block inside was balanced."""
    return blocks("\n".join([" P: PROC;", *statements, " END P;", " AFTER: PROC; END AFTER;"]))


WHOLE = "P"


@pytest.mark.parametrize(
    "statement",
    [
        pytest.param("IF = THEN;", id="if-assigned"),
        pytest.param("IF(1) = 3;", id="if-array"),
        pytest.param("IF IF = THEN THEN THEN = ELSE; ELSE ELSE = IF;", id="if-of-keywords"),
        pytest.param("END = 5;", id="end-assigned"),
        pytest.param("END(I) = J;", id="end-array"),
        pytest.param("END.PART = 3;", id="end-structure"),
        pytest.param("END, DO = 0;", id="two-targets"),
        pytest.param("END += 1;", id="compound-assignment"),
        pytest.param("DO = 1;", id="do-assigned"),
        pytest.param("DO(I) = 1;", id="do-array"),
        pytest.param("DO->END = 1;", id="do-locator"),
        pytest.param("SELECT = 1;", id="select-assigned"),
        pytest.param("SELECT(2) = 1;", id="select-array"),
        pytest.param("BEGIN = 1;", id="begin-assigned"),
        pytest.param("L: PROC = 1;", id="proc-assigned"),
        pytest.param("L: ENTRY(2) = 1;", id="entry-array"),
        pytest.param("WHEN(1) = 3;", id="when-array"),
        pytest.param("ON = 1;", id="on-assigned"),
        pytest.param("DCL = 1;", id="dcl-assigned"),
        pytest.param("X = 'END P; FAKE: PROC;';", id="single-quotes"),
        pytest.param('X = "END P; FAKE: PROC;";', id="double-quotes"),
        pytest.param("X = 'IT''S; END P;';", id="doubled-quote"),
        pytest.param("X = 'RUNS ON\n END P; OVER';", id="literal-over-lines"),
        pytest.param("X = '/* NO COMMENT'; Y = '*/ END P;';", id="comment-marks-in-literals"),
        pytest.param("/* END P; FAKE: PROC; it's \" */", id="comment"),
        pytest.param("/* two\n END P;\n lines */", id="comment-over-lines"),
        pytest.param("X = 1; // don't END P;", id="line-comment"),
        pytest.param("// END P;", id="line-comment-alone"),
        pytest.param("X = A // B; Y = 'END P;';", id="concatenation"),
        pytest.param("DCL F ENTRY(FIXED) RETURNS(FIXED);", id="entry-attribute"),
        pytest.param("ON ERROR SYSTEM;", id="on-system"),
        pytest.param("ON ENDFILE(F) EOF = '1'B;", id="on-statement"),
        pytest.param("L(1): X = 1; L(-2): X = 2;", id="subscripted-labels"),
        pytest.param("(SIZE): (NOZDIV, CHECK(A,B)): X = 1;", id="condition-prefixes"),
        pytest.param("F1: FORMAT(A, X(2));", id="format-label"),
        pytest.param("EXEC SQL BEGIN DECLARE SECTION;", id="sql-begin"),
        pytest.param("%PAGE; %SKIP(3); %NOPRINT;", id="listing"),
        pytest.param("%MACP: PROC(A) RETURNS(CHAR); DO; END; RETURN(A); %END MACP;", id="macro-procedure"),
        pytest.param("%IF M = 'T' %THEN %DO; X = 1; %END; %ELSE %DO; X = 2; %END;", id="macro-groups"),
    ],
)
def test_statement_opens_and_closes_nothing(statement):
    lines = statement.count("\n") + 1
    assert inside(statement) == [("procedure", "P", 1, lines + 2, None), ("procedure", "AFTER", lines + 3, lines + 3, None)]


@pytest.mark.parametrize(
    "statements",
    [
        pytest.param(("DO; X = 1; END;",), id="do"),
        pytest.param(("DO I = 1 TO 9 BY 2, 11; X = 1; END;",), id="iterative"),
        pytest.param(("DO END = 1 TO 9; END;",), id="iterative-over-end"),
        pytest.param(("DO WHILE(K < 5);", "END;"), id="while"),
        pytest.param(("DO UNTIL(END = 1);", "END;"), id="until"),
        pytest.param(("DO FOREVER; LEAVE; END;",), id="forever"),
        pytest.param(("IF A = 1 THEN DO; X = 1; END; ELSE DO; X = 2; END;",), id="if-else"),
        pytest.param(("IF (A) = B THEN IF C THEN DO; END; ELSE; ELSE BEGIN; END;",), id="nested-if"),
        pytest.param(("SELECT; WHEN(A) DO; END; WHEN(B) BEGIN; END; OTHERWISE DO; END; END;",), id="select"),
        pytest.param(("SELECT (F(X)); OTHER; END;",), id="select-expression"),
        pytest.param(("ON ERROR SNAP BEGIN; X = 1; END;",), id="on-begin"),
        pytest.param(("ON KEY(F), ENDFILE(G) BEGIN; END;",), id="on-two-conditions"),
        pytest.param(("L1: DO; L2: DO; END L1;",), id="multiple-closure"),
        pytest.param(("L1: DO;", " QUIT: END L1;"), id="label-on-end"),
        pytest.param(("DO; DO; SELECT;",), id="closed-by-the-procedure"),
    ],
)
def test_groups_need_their_end(statements):
    last = len(statements) + 2
    assert inside(*statements) == [("procedure", "P", 1, last, None), ("procedure", "AFTER", last + 1, last + 1, None)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(" A: B: PROC; END B;", [("procedure", "A", 1, 1, None)], id="first-label-names"),
        pytest.param(" (SUBRG): A:\n /* why */\n %SKIP;\n PROC\n (X)\n ; END;", [("procedure", "A", 1, 6, None)], id="label-lines-above"),
        pytest.param(" A: PROC; B: PROC; DO; END A;", [("procedure", "A", 1, 1, None), ("procedure", "B", 1, 1, "A")], id="multiple-closure"),
        pytest.param(
            " P: PACKAGE EXPORTS(A);\n A: PROC;\n END;\n END P;", [("package", "P", 1, 4, None), ("procedure", "A", 2, 3, "P")], id="package"
        ),
        pytest.param(" A: PROC;\n B: BEGIN;\n C: PROC; END;\n END;\n END;",
                     [("procedure", "A", 1, 5, None), ("begin", "B", 2, 4, "A"), ("procedure", "C", 3, 3, "B")], id="begin"),
        pytest.param(" A: PROC;\n E: F: ENTRY(X,\n  Y);\n END;", [("procedure", "A", 1, 4, None), ("entry", "E", 2, 3, "A")], id="entry"),
        pytest.param("a_$b:\n\tproc;\n\tend a_$b;", [("procedure", "a_$b", 1, 3, None)], id="multics"),
        pytest.param(" A: PROC; END;\n*PROCESS;\n B: PROC; END;", [("procedure", "A", 1, 1, None), ("procedure", "B", 3, 3, None)], id="two-units"),
        pytest.param("%IF X %THEN %DO;\n A: PROC;\n%END; %ELSE %DO;\n A: PROC(Y);\n%END;\n END A;", [("procedure", "A", 2, 6, None)], id="alternative-headers"),
        pytest.param("//J JOB\n//S EXEC PGM=X\n A: PROC;\n END;\n/*\n//G DD *\n B: PROC; END;\n//", [("procedure", "A", 3, 4, None), ("procedure", "B", 7, 7, None)], id="job"),
        pytest.param(" §RATE: PROC; END §RATE;", [("procedure", "§RATE", 1, 1, None)], id="national-letters"),
    ],
)  # fmt: skip
def test_blocks_are_named_nested_and_closed(text, expected):
    assert blocks(text) == expected


@pytest.mark.parametrize(
    ("declaration", "expected"),
    [
        ("DCL A FIXED;", ["A"]),
        ("DECLARE (A, B) FIXED, C CHAR(3) INIT('X,Y;');", ["A", "B", "C"]),
        ("DCL (A FIXED, (B, C) CHAR(1)) STATIC;", ["A", "B", "C"]),
        ("DCL 1 R, 2 K, 3 ID CHAR(4), 2 * CHAR(1), 2 (F, G) FIXED, S BIT;", ["R", "R/K", "R/K/ID", "R/F", "R/G", "S"]),
        ("DCL T(10) FLOAT, F ENTRY(FIXED, CHAR(*)) RETURNS(FIXED);", ["T", "F"]),
    ],
)
def test_declarations_give_names_and_members(declaration, expected):
    parsed = result(declaration)

    def path(symbol):
        return symbol.name if symbol.parent is None else f"{path(parsed.symbols[symbol.parent])}/{symbol.name}"

    assert [path(s) for s in parsed.symbols if s.kind == "declaration"] == expected


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("CALL POST(A);", [("call", "POST")]),
        ("IF A THEN CALL POST; ELSE GO TO OUT;", [("call", "POST"), ("goto", "OUT")]),
        ("CALL P -> T.HANDLER(A);", [("call_dynamic", "HANDLER")]),
        ("DCL V ENTRY VARIABLE; CALL V;", [("call_dynamic", "V")]),
        ("DCL F ENTRY RETURNS(FIXED); PUT LIST(F(1));", [("function_ref", "F")]),
        ("X, R.K = 1;", [("field_set", "X"), ("field_set", "K")]),
        ("READ FILE(F) INTO(R); REWRITE FILE(F); PUT FILE(O) LIST(1);", [("file_read", "F"), ("file_write", "F"), ("file_write", "O")]),
        ("DCL F FILE RECORD; OPEN FILE(F) TITLE('DD1');", [("file_assign", "F"), ("file_assign", "DD1")]),
        ("%INCLUDE SYSLIB(ACCT), CUST;", [("include", "ACCT"), ("include", "CUST")]),
        ("EXEC SQL INCLUDE SQLCA;", [("include", "SQLCA")]),
        ("EXEC SQL DELETE FROM T; EXEC SQL UPDATE U SET A = 'FROM X';", [("sql_write", "T"), ("sql_write", "U")]),
        ("EXEC SQL DECLARE C CURSOR FOR SELECT * FROM T A, U B;", [("sql_cursor", "C"), ("sql_read", "T"), ("sql_read", "U")]),
        ("EXEC CICS XCTL PROGRAM(NEXT) COMMAREA(C);", [("cics_xctl", "NEXT")]),
        ("EXEC CICS SEND MAP('M') MAPSET('S');", [("cics_map", "M")]),
        ("EXEC CICS READQ TS QUEUE('Q') INTO(X);", [("cics_queue", "Q")]),
    ],
)  # fmt: skip
def test_references_name_what_a_statement_uses(statement, expected):
    assert [(r.kind, r.target) for r in result(statement).references] == expected


def test_multics_names_keep_their_case_and_others_fold():
    multics = result('p: proc;\ncall Ioa_$nl ("x");\nend p;')
    mainframe = result("p: proc;\ncall Ioa_$nl ('x');\nend p;")
    assert [multics.references[0].target, mainframe.references[0].target] == ["Ioa_$nl", "IOA_$NL"]


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        pytest.param(["P: PROC;", "END P;"], Margins(1, 0), id="short-lines"),
        pytest.param([f" X = {i};".ljust(72) + f"{i:08}" for i in range(5)], Margins(2, 72), id="numbers-in-73-80"),
        pytest.param([" P: PROC;", " X = 1;".ljust(72) + "@P1C", " END;"], Margins(2, 72), id="marks-in-73-80"),
        pytest.param([" CALL X(" + "A, " * 25 + "B);"], Margins(1, 0), id="code-beyond-72"),
        pytest.param(["/* " + "- " * 38 + "*/"], Margins(1, 0), id="comment-beyond-72"),
        pytest.param(["\tX = 1;".ljust(74) + "12345678"], Margins(1, 0), id="tabs"),
        pytest.param(["*PROCESS MARGINS(1,100);", " X = 1;".ljust(72) + "00000010"], Margins(1, 100), id="directive"),
        pytest.param(["1P: PROC;", "  X = 1;", "0 Y = 1;"], Margins(2, 0), id="listing-control"),
        pytest.param([f"{i * 10:06} X = 1;" for i in range(1, 5)], Margins(7, 0), id="numbers-in-front"),
    ],
)
def test_margins_are_judged_from_the_file(lines, expected):
    assert judge(lines, frozenset(directives(lines))) == expected


def test_directives_are_none_inside_a_comment():
    assert directives(["*PROCESS;", "/* how to", "*process the record", "*/", "%PROCESS OPT(2);", "//JOB1 JOB"]) == [1, 5, 6]


@pytest.mark.parametrize(
    ("text", "expected"),
    [(" ACCT;", ["ACCT"]), (" SYSLIB(ACCT), CUST;", ["ACCT", "CUST"]), (" 'dir/ext.inc';", ["dir/ext.inc"]), (";", [])],
)
def test_include_members(text, expected):
    assert members(text) == expected


@pytest.mark.parametrize(
    ("text", "roles"),
    [
        (" X = 1;\n Y = 2;", "ss"),
        (" X = 1 +\n 2;\n\n Y = 1;", "s+.s"),
        (" X = 'A\n\n B';", "s.+"),
        (" /* A\n B */\n X = 1; /* C\n D */", "**s*"),
        (" DCL 1 R,\n %INCLUDE F;\n 2 X;", "s++"),
        ("%IF A %THEN\n X = 1;\n%PAGE;", "sss"),
    ],
)
def test_roles_say_where_a_statement_starts(text, roles):
    assert result(text).roles == roles
