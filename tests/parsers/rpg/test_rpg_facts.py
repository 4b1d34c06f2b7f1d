"""What RPG calls, branches to, reads, writes and sets; embedded SQL."""

from __future__ import annotations

import pytest

from legacylens_assets.parsers.rpg import parse
from legacylens_assets.types import SourceFile

FREE = "**FREE\n"


def references(text, *kinds):
    result = parse(SourceFile("a.rpgle", "rpg", "utf-8", tuple(text.split("\n"))))
    return [r for r in result.references if not kinds or r.kind in kinds]


def targets(text, *kinds):
    return [f"{r.kind} {r.target}" for r in references(text, *kinds)]


def c(operation="", factor1="", factor2="", result=""):
    return f"     C     {factor1:<14}{operation:<10}{factor2:<14}{result}"


def old(operation="", factor1="", factor2="", result=""):
    return f"     C           {factor1:<10}{operation:<5}{factor2:<10}{result}"


CALLS = [
    pytest.param(c("CALL", "", "'PAY01'"), ["call PAY01"], id="call-literal"),
    pytest.param(c("CALLB", "", "'calcTax'"), ["call CALCTAX"], id="callb"),
    pytest.param(c("CALLP", "", "doIt(a:b)"), ["call DOIT"], id="callp"),
    pytest.param(c("EXSR", "", "Init"), ["exsr INIT"], id="exsr"),
    pytest.param(c("CASEQ", "A", "1", "SUB1") + "\n" + c("CAS", "", "", "SUB2"), ["exsr SUB1", "exsr SUB2"], id="cas"),
    pytest.param(c("CABGT", "A", "B", "ENDTAG"), ["goto ENDTAG"], id="cab"),
    pytest.param(old("CASEQ", "A", "1", "SUB1"), ["exsr SUB1"], id="rpg-iii-cas"),
    pytest.param(old("EXSR", "", "INIT") + "\n" + old("CALL", "", "'PAY'"), ["exsr INIT", "call PAY"], id="rpg-iii"),
    pytest.param(FREE + "doIt(a : b);", ["call DOIT"], id="bare-call"),
    pytest.param(FREE + "callp(e) doIt(a);", ["call DOIT"], id="callp-with-extender"),
    pytest.param(FREE + "exsr Init; if x; exsr Done; endif;", ["exsr INIT", "exsr DONE"], id="free-exsr"),
    pytest.param(FREE + "dcl-pr run extpgm('QCMDEXC') end-pr;\nrun('x');", ["call QCMDEXC"], id="prototype-of-a-program"),
    pytest.param(
        FREE + "dcl-pr f int(10) end-pr;\nx = 1 + f(g(2));\nif f(3) = 1;\nendif;", ["call F", "function_ref G", "call F"], id="calls-in-expressions"
    ),
    pytest.param(FREE + "dcl-s a char(1) dim(9);\nx = a(1) + %trim(b) + ds.c(2) + now();", ["call NOW"], id="array-elements-are-no-calls"),
    pytest.param(FREE + "x = 'f(1)';\nif (a = 1) and (b = 2);\nendif;\nreturn (x);", [], id="literals-and-parentheses"),
]


@pytest.mark.parametrize(("text", "expected"), CALLS)
def test_calls_and_branches_are_named(text, expected):
    assert targets(text, "call", "exsr", "goto", "function_ref") == expected


def test_a_call_through_a_field_lists_the_programs_that_it_may_hold():
    text = "\n".join([c("MOVEL", "", "'PAY01'", "PGM"), c("EVAL", "", "PGM = 'PAY02'"), c("CALL", "", "PGM")])
    (found,) = references(text, "call_dynamic")
    assert (found.target, found.detail["values"], found.line) == ("PGM", "PAY01,PAY02", 3)


FILES = [
    (c("CHAIN", "KEY", "CUSTF") + "\n" + c("READE(N)", "KEY", "ORDERS"), ["file_read CUSTF", "file_read ORDERS"]),
    (c("WRITE", "", "REC") + "\n" + c("UPDATE", "", "REC") + "\n" + c("DELETE", "KEY", "REC"), ["file_write REC"] * 3),
    (old("CHAIN", "KEY", "CUSTF") + "\n" + old("UPDAT", "", "CUSTR"), ["file_read CUSTF", "file_write CUSTR"]),
    (FREE + "chain(n) (k1 : k2) CUSTF ds;\nread ORDERS;\nsetll *start ITEMS;", ["file_read CUSTF", "file_read ORDERS", "file_read ITEMS"]),
    (
        FREE + "write rec ds;\nupdate rec %fields(a);\ndelete rec;\ndelete key rec2;",
        ["file_write REC", "file_write REC", "file_write REC", "file_write REC2"],
    ),
    (FREE + "exfmt SCREEN;", ["file_read SCREEN", "file_write SCREEN"]),
    (FREE + "chain %kds(keys : 2) CUSTF;", ["file_read CUSTF"]),
    ("     FCUSTF     IP   E             DISK", ["file_read CUSTF"]),
]


@pytest.mark.parametrize(("text", "expected"), FILES)
def test_files_read_and_written(text, expected):
    assert targets(text, "file_read", "file_write") == expected


def test_exceptions_write_the_files_of_their_output_specifications():
    text = (
        c("EXCEPT", "", "HEAD")
        + "\n     OPRT       E            HEAD           1\n     O                       X             10\n     OLOG       E            HEAD"
    )
    assert targets(text, "file_write") == ["file_write PRT", "file_write LOG"]


def test_cycle_output_writes_at_its_specification():
    (found,) = references("     OPRT       H    1P                     2\n     O                                           10 'TITLE'", "file_write")
    assert (found.target, found.line, dict(found.detail)) == ("PRT", 1, {"operation": "CYCLE", "type": "H"})


ASSIGNED = [
    ("     FCUSTF     UF   E           K DISK    EXTFILE('LIB/CUSTPF')", "CUSTPF", "CUSTF"),
    (FREE + "dcl-f cust usage(*update) extdesc('CUSTPF');", "CUSTPF", "cust"),
    (FREE + "dcl-f cust;", "CUST", "cust"),
]


@pytest.mark.parametrize(("text", "target", "file"), ASSIGNED)
def test_files_are_assigned_to_their_external_names(text, target, file):
    (found,) = references(text, "file_assign")
    assert (found.target, found.detail["file"]) == (target, file)


SQL = [
    ("select a into :x from T1 t, LIB/T2 u join S.T3 on 1=1", ["sql_read T1", "sql_read LIB/T2", "sql_read S.T3"]),
    ("insert into T1 values('from NO')", ["sql_write T1"]),
    ("update T1 set a = 1 where current of C1", ["sql_write T1"]),
    ("delete from T1", ["sql_write T1"]),
    ("declare C1 cursor for select * from T1 for update of A", ["sql_cursor C1", "sql_read T1"]),
    ("fetch next from C1 into :a", ["sql_cursor C1"]),
    ("open C1", ["sql_cursor C1"]),
    ("prepare S1 from :text", []),
    ("include SQLCA", ["include SQLCA"]),
    ("call LIB.PROC1(:a)", ["call LIB.PROC1"]),
]


@pytest.mark.parametrize(("statement", "expected"), SQL)
def test_embedded_sql_names_tables_and_cursors_in_both_forms(statement, expected):
    fixed = f"     C/EXEC SQL\n     C+ {statement}\n     C/END-EXEC"
    assert targets(FREE + f"exec sql {statement};") == expected
    assert targets(fixed) == expected


FIELDS = [
    (FREE + "total = 1;\neval(h) rate += 2;\nds.name = 'x';\narr(i) = 3;", ["TOTAL", "RATE", "NAME", "ARR"]),
    (c("EVAL", "", "total = 1") + "\n" + c("MOVE", "", "A", "B") + "\n" + c("ADD", "A", "B", "C"), ["TOTAL", "B", "C"]),
    (FREE + "if total = 1;\nendif;", []),
]


@pytest.mark.parametrize(("text", "expected"), FIELDS)
def test_fields_that_change_are_named(text, expected):
    assert [r.target for r in references(text, "field_set")] == expected


def test_copies_are_references_with_their_line():
    (found,) = references("     C                   EVAL      X = 1\n      /COPY qrpglesrc,protos", "copy")
    assert (found.target, found.line) == ("QRPGLESRC,PROTOS", 2)
