"""What JCL runs, reads, writes and deletes; symbols; control statements."""

from __future__ import annotations

import pytest

from legacylens_assets.parsers.jcl import parse
from legacylens_assets.types import SourceFile


def references(text, *kinds):
    result = parse(SourceFile("a.jcl", "jcl", "utf-8", tuple(text.split("\n"))))
    return [r for r in result.references if not kinds or r.kind in kinds]


def targets(text, *kinds):
    return [f"{r.kind} {r.target} {r.line}" for r in references(text, *kinds)]


ACCESS = [
    ("DISP=SHR", "read"),
    ("DISP=(SHR,KEEP)", "read"),
    ("DISP=(NEW,CATLG,DELETE)", "write"),
    ("DISP=(,CATLG)", "write"),
    ("UNIT=SYSDA", "write"),
    ("DISP=MOD", "write"),
    ("DISP=OLD", "write"),
    ("DISP=(OLD,DELETE)", "delete"),
    ("DISP=(MOD,DELETE,DELETE)", "delete"),
    ("DISP=(OLD,KEEP,DELETE)", "write"),
]


@pytest.mark.parametrize(("operands", "access"), ACCESS)
def test_the_disposition_tells_what_the_step_does_with_a_dataset(operands, access):
    (found,) = references(f"//S EXEC PGM=P\n//D DD DSN=A.B,{operands}", "dd")
    assert found.detail["access"] == access


def test_old_datasets_that_programs_only_read_are_reads():
    assert [r.detail["access"] for r in references("//S EXEC PGM=SORT\n//SORTIN DD DSN=A,DISP=OLD\n//SORTOUT DD DSN=B,DISP=OLD", "dd")] == [
        "read",
        "write",
    ]


DATASETS = [
    ("DSN=A.B(+1),DISP=(NEW,CATLG)", ("A.B", {"generation": "+1"})),
    ("DSN=A.B(0),DISP=SHR", ("A.B", {"generation": "0"})),
    ("DSN=A.LIB(PAY),DISP=SHR", ("A.LIB", {"member": "PAY"})),
    ("DSN=&&TMP,DISP=(NEW,PASS)", ("&&TMP", {"temporary": "1"})),
    ("DSNAME='a.b',DISP=SHR", ("A.B", {})),
    ("PATH='/u/My.txt',PATHOPTS=ORDONLY", ("/u/My.txt", {"path": "1"})),
]


@pytest.mark.parametrize(("operands", "expected"), DATASETS)
def test_dataset_names_are_told_from_members_and_generations(operands, expected):
    (found,) = references(f"//J JOB\n//S EXEC PGM=P\n//D DD {operands}", "dd")
    more = {key: found.detail[key] for key in ("generation", "member", "temporary", "path") if key in found.detail}
    assert (found.target, more) == expected
    assert (found.detail["step"], found.detail["ddname"], found.line) == ("J.S", "D", 3)


@pytest.mark.parametrize("operands", ["SYSOUT=*", "DUMMY", "DSN=NULLFILE", "*", "DDNAME=SYSIN", "UNIT=SYSDA,SPACE=(CYL,1)"])
def test_dds_without_a_dataset_name_none(operands):
    assert references(f"//S EXEC PGM=P\n//D DD {operands}", "dd") == []


def test_the_line_is_the_one_that_names_the_dataset():
    assert targets("//S EXEC PGM=P\n//D DD DISP=SHR,\n//    UNIT=SYSDA,\n//    DSN=A.B", "dd") == ["dd A.B 4"]


def test_a_backward_reference_is_followed():
    text = "//S EXEC PGM=P\n//D DD DSN=A.B,DISP=SHR\n//T EXEC PGM=Q\n//E DD DSN=*.S.D,DISP=SHR\n//F DD DSN=*.E,DISP=SHR\n//G DD DSN=*.X.Y,DISP=SHR"
    assert targets(text, "dd") == ["dd A.B 2", "dd A.B 4", "dd A.B 5", "dd *.X.Y 6"]


SYMBOLS = [
    pytest.param("// SET H=PROD\n//S EXEC PGM=&H.1", ["exec_pgm PROD1 2"], id="set"),
    pytest.param("// SET A=X\n// SET B=&A..Y\n//S EXEC PGM=P\n//D DD DSN=&B..Z,DISP=SHR", ["exec_pgm P 3", "dd X.Y.Z 4"], id="set-from-set"),
    pytest.param("//S EXEC PGM=&H\n// SET H=LATE", ["exec_pgm &H 1"], id="set-holds-from-its-line-on"),
    pytest.param("//P PROC H=DEF\n//S EXEC PGM=&H", ["exec_pgm DEF 2"], id="default-of-a-catalogued-procedure"),
    pytest.param(
        "//J JOB\n//P PROC H=DEF\n//S EXEC PGM=&H\n// PEND\n//R EXEC P,H=MINE", ["exec_pgm MINE 3", "exec_proc P 5"], id="one-call-overrides"
    ),
    pytest.param(
        "//J JOB\n//P PROC H=,L=LIB\n//S EXEC PGM=X\n//D DD DSN=&L..&H,DISP=SHR\n// PEND\n//R EXEC P,H=A\n//Q EXEC P,H=B",
        ["exec_pgm X 3", "dd LIB.&H 4", "exec_proc P 6", "exec_proc P 7"],
        id="calls-that-differ-leave-the-symbol",
    ),
    pytest.param("//S EXEC PGM=P\n//D DD DSN=&SYSUID..X,DISP=SHR", ["exec_pgm P 1", "dd &SYSUID..X 2"], id="system-symbol-stays"),
]


@pytest.mark.parametrize(("text", "expected"), SYMBOLS)
def test_symbols_are_resolved_as_far_as_the_file_tells(text, expected):
    assert targets(text) == expected


def test_calls_that_differ_are_listed_and_the_text_as_written_is_kept():
    text = "//J JOB\n//P PROC H=\n//S EXEC PGM=&H\n// PEND\n//R EXEC P,H=A\n//Q EXEC P,H=B"
    (found,) = references(text, "exec_pgm")
    assert (found.target, dict(found.detail)) == ("&H", {"step": "P.S", "values": "A,B"})


UTILITIES = [
    pytest.param("IDCAMS", "  DELETE (A.B C.D) PURGE", ["control_card A.B DELETE", "dd A.B delete", "dd C.D delete"], id="delete"),
    pytest.param("IDCAMS", "  DEFINE CLUSTER (NAME(A.K) -\n   INDEXED)", ["control_card A.K DEFINE", "dd A.K write"], id="define"),
    pytest.param("IDCAMS", "  DEF GDG(NAME(A.G) LIMIT(5))", ["control_card A.G DEFINE", "dd A.G write"], id="define-gdg"),
    pytest.param("IDCAMS", "  REPRO INFILE(I) ODS(A.B)", ["control_card I REPRO", "dd A.B write"], id="repro"),
    pytest.param("IDCAMS", "  REPRO IDS('A.B') -\n  OUTFILE(O)", ["control_card A.B REPRO", "dd A.B read"], id="repro-dataset"),
    pytest.param("IDCAMS", "  /* DELETE NO.NO */\n  IF LASTCC=0 THEN DELETE A.B", ["control_card A.B DELETE", "dd A.B delete"], id="comment-and-if"),
    pytest.param("IDCAMS", "  LISTCAT LEVEL(A.B)", ["control_card A.B LISTCAT"], id="listcat-reads-no-data"),
    pytest.param("SORT", " SORT FIELDS=(1,2,\n   CH,A)\n SUM FIELDS=NONE", ["control_card SORT SORT", "control_card SUM SUM"], id="sort"),
    pytest.param("ICEMAN", " OUTFIL FNAMES=(A,B)", ["control_card A OUTFIL", "control_card B OUTFIL"], id="outfil"),
    pytest.param("IEBGENER", "  GENERATE MAXFLDS=1", ["control_card GENERATE GENERATE"], id="iebgener"),
    pytest.param("DFHCSDUP", " DEFINE PROGRAM(P1)\n   GROUP(G)\n* NO", ["control_card P1 DEFINE"], id="csd"),
    pytest.param("MYPROG", " DELETE A.B", [], id="another-program-reads-parameters"),
]


@pytest.mark.parametrize(("program", "cards", "expected"), UTILITIES)
def test_control_statements_are_kept_with_their_step(program, cards, expected):
    found = references(f"//S EXEC PGM={program}\n//SYSIN DD *\n{cards}\n/*", "control_card", "dd")
    assert [f"{r.kind} {r.target} {r.detail['access' if r.kind == 'dd' else 'verb']}" for r in found] == expected


RUNS = [
    pytest.param("//S EXEC PGM=IKJEFT01\n//SYSTSIN DD *\n DSN SYSTEM(D)\n RUN PROGRAM(PAY) -\n  PLAN(PP)", ("PAY", "IKJEFT01", 4), id="dsn-run"),
    pytest.param("//S EXEC PGM=IKJEFT1B\n//SYSTSIN DD *\n CALL 'A.LIB(PAY)' 'X'", ("PAY", "IKJEFT1B", 3), id="tso-call"),
    pytest.param("//S EXEC PGM=IKJEFT01,PARM='%PAY A'", ("PAY", "IKJEFT01", 1), id="tso-exec"),
    pytest.param("//S EXEC PGM=DFSRRC00,PARM=(BMP,PAY,PSB)", ("PAY", "DFSRRC00", 1), id="ims-region"),
]


@pytest.mark.parametrize(("text", "expected"), RUNS)
def test_programs_that_run_under_another_are_named(text, expected):
    found = [r for r in references(text, "exec_pgm") if "via" in r.detail]
    assert [(r.target, r.detail["via"], r.line) for r in found] == [expected]


def test_control_statements_of_an_override_belong_to_the_procedure_steps_program():
    text = "//J JOB\n//P PROC\n//C EXEC PGM=IDCAMS\n// PEND\n//R EXEC P\n//C.SYSIN DD *\n DELETE A.B\n/*"
    assert targets(text, "control_card") == ["control_card A.B 7"]


def test_sql_of_a_tso_step_names_its_tables():
    text = "//S EXEC PGM=IKJEFT01\n//SYSTSIN DD *\n RUN PROGRAM(DSNTEP2) PLAN(X)\n//SYSIN DD *\n INSERT INTO A.T SELECT * FROM\n  B.U;"
    assert targets(text, "sql_read", "sql_write") == ["sql_write A.T 5", "sql_read B.U 5"]


def test_the_step_of_a_reference_is_its_deepest_symbol():
    result = parse(SourceFile("a", "jcl", "utf-8", ("//J JOB", "//S EXEC PGM=X", "//D DD DSN=A,DISP=SHR")))
    assert [(r.target, result.symbols[r.source].name) for r in result.references] == [("X", "S"), ("A", "D")]


def test_conditions_of_a_step_are_in_its_detail():
    result = parse(
        SourceFile("a", "jcl", "utf-8", ("// IF A.RC=0 THEN", "//S EXEC PGM=X", "// ELSE", "//T EXEC PGM=Y", "// ENDIF", "//U EXEC PGM=Z"))
    )
    assert {s.name: s.detail.get("condition", "") for s in result.symbols if s.kind == "step"} == {"S": "A.RC=0", "T": "not A.RC=0", "U": ""}
