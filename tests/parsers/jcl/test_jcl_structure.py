"""JCL Reference: statements, their fields and continuations, and which unit each line belongs to."""

from __future__ import annotations

import pytest

from legacylens_assets.parsers.jcl import parse
from legacylens_assets.types import SourceFile


def parsed(text):
    return parse(SourceFile("a.jcl", "jcl", "utf-8", tuple(text.split("\n"))))


def units(text, kinds=("job", "proc", "step", "dd", "include")):
    """Each unit as `kind name first-last <parent`."""
    symbols = parsed(text).symbols
    rows = []
    for s in symbols:
        if s.kind in kinds:
            parent = "-" if s.parent is None else symbols[s.parent].name
            rows.append(f"{s.kind} {s.name} {s.start_line}-{s.end_line} <{parent}")
    return rows


def card(text, mark="", columns="00010000"):
    """A card with ``mark`` in column 72 and ``columns`` in 73-80."""
    return f"{text:<71}{mark or ' '}{columns}"


LEFT_ALONE = [
    pytest.param("//J JOB\n//* S1 EXEC PGM=NO", id="comment"),
    pytest.param("//J JOB\n//*MAIN CLASS=A\n//*FORMAT PR,DDNAME=X", id="jes3-control"),
    pytest.param("/*PRIORITY 5\n//J JOB\n/*JOBPARM S=A\n/*ROUTE PRINT R1", id="jes2-control"),
    pytest.param("//J JOB\n//OUT1 OUTPUT JESDS=ALL", id="output"),
    pytest.param("//J JOB\n//L JCLLIB ORDER=(A.B)\n//V SET X=1", id="jcllib-and-set"),
    pytest.param("//J JOB\n//CHK IF RC = 0 THEN\n//Y ELSE\n//Z ENDIF", id="named-if"),
    pytest.param("//J JOB\n// COMMAND 'D A'\n// DISPLAY A,L", id="operator-commands"),
    pytest.param("//J JOB A,\n//*S1 EXEC PGM=NO\n// CLASS=A", id="comment-inside-continuation"),
    pytest.param("//J JOB 'DD * // EXEC PGM=X'", id="words-in-apostrophes"),
    pytest.param("//J JOB\n//*DATASET DDNAME=X\n//S1 EXEC PGM=NO\n//*ENDDATASET", id="jes3-dataset"),
    pytest.param("//J JOB\n//X XMIT DEST=N,DLM=ZZ\n//S1 EXEC PGM=NO\n/*\nZZ", id="transmitted-records"),
    pytest.param(")SEL &A = 1\n//J JOB\n)ENDSEL\n&MORE", id="skeleton-control"),
]


@pytest.mark.parametrize("text", LEFT_ALONE)
def test_lines_that_are_no_step_or_dd_make_none(text):
    assert {s.kind for s in parsed(text).symbols} <= {"job", "section"}


UNITS = [
    pytest.param(
        "//J JOB\n//S EXEC PGM=A\n//D DD DSN=X,\n//   DISP=SHR\n//  DD DSN=Y\n//E DD DUMMY",
        ["job J 1-6 <-", "step S 2-6 <J", "dd D 3-5 <S", "dd E 6-6 <S"],
        id="concatenation-belongs-to-the-dd-above",
    ),
    pytest.param(
        "//J JOB\n//S EXEC PGM=A\n//I DD *\nX\n//N DD DUMMY",
        ["job J 1-5 <-", "step S 2-5 <J", "dd I 3-4 <S", "dd N 5-5 <S"],
        id="slashes-end-dd-star",
    ),
    pytest.param(
        "//J JOB\n//S EXEC PGM=A\n//I DD DATA\n//X EXEC PGM=NO\n/*\n//N DD DUMMY",
        ["job J 1-6 <-", "step S 2-6 <J", "dd I 3-5 <S", "dd N 6-6 <S"],
        id="only-the-delimiter-ends-dd-data",
    ),
    pytest.param(
        "//J JOB\n//S EXEC PGM=A\n//I DD DATA,DLM='A''B'\n/*\n//X DD *\nA'B\n//N DD DUMMY",
        ["job J 1-7 <-", "step S 2-7 <J", "dd I 3-6 <S", "dd N 7-7 <S"],
        id="delimiter-with-an-apostrophe",
    ),
    pytest.param(
        "//J JOB\n//S EXEC PGM=A\n//I DD *,DLM=ENDOFIT\nEN\nENDOFIT\n//N DD DUMMY",
        ["job J 1-6 <-", "step S 2-6 <J", "dd I 3-5 <S", "dd N 6-6 <S"],
        id="long-delimiter",
    ),
    pytest.param(
        "//J JOB\n//S EXEC PGM=A\n//I DD *,DLM=ZZ\nX\n/*\n//N DD DUMMY",
        ["job J 1-6 <-", "step S 2-6 <J", "dd I 3-5 <S", "dd N 6-6 <S"],
        id="a-delimiter-that-never-comes-falls-back",
    ),
    pytest.param(
        "//J JOB\n//S EXEC PGM=A\n//I DD *\nONE\n//*TWO\nTHREE\n/*\n//N DD DUMMY",
        ["job J 1-8 <-", "step S 2-8 <J", "dd I 3-7 <S", "dd N 8-8 <S"],
        id="data-interrupted-by-a-comment-goes-on",
    ),
    pytest.param(
        "//J JOB\n//P PROC A=\n//C EXEC PGM=X\n//  PEND\n//S EXEC P\n//C.D DD DUMMY\n//  DD DUMMY",
        ["job J 1-7 <-", "proc P 2-4 <J", "step C 3-3 <P", "step S 5-7 <J", "dd C.D 6-7 <S"],
        id="in-stream-procedure-and-override",
    ),
    pytest.param(
        "//A PROC\n//C EXEC PGM=X\n//B PROC\n//D EXEC PGM=Y\n//* END",
        ["proc A 1-2 <-", "step C 2-2 <A", "proc B 3-4 <-", "step D 4-4 <B"],
        id="a-procedure-ends-where-the-next-begins",
    ),
    pytest.param(
        "//A JOB\n//S EXEC PGM=X\n/*\n//\n//B JOB\n//S EXEC PGM=X",
        ["job A 1-4 <-", "step S 2-2 <A", "job B 5-6 <-", "step S 6-6 <B"],
        id="the-null-statement-ends-its-job",
    ),
    pytest.param(
        "//A JOB\n//JOBLIB DD DSN=L\n// DD DSN=M\n//S EXEC PGM=X",
        ["job A 1-4 <-", "dd JOBLIB 2-3 <A", "step S 4-4 <A"],
        id="joblib-belongs-to-the-job",
    ),
    pytest.param(
        "//A JOB\n//S EXEC PGM=X\n// SET V=1\n//D DD DSN=&V\n// SET W=2\n//T EXEC PGM=Y",
        ["job A 1-6 <-", "step S 2-4 <A", "dd D 4-4 <S", "step T 6-6 <A"],
        id="a-step-goes-on-after-set-when-a-dd-follows",
    ),
    pytest.param(
        "//A JOB\n//S EXEC PGM=X\n//I INCLUDE MEMBER=DDS\n//D DD DUMMY",
        ["job A 1-4 <-", "step S 2-4 <A", "include DDS 3-3 <S", "dd D 4-4 <S"],
        id="include-among-dds",
    ),
    pytest.param("//s1\texec\tpgm=x\n//d\tdd\tdummy", ["step s1 1-2 <-", "dd d 2-2 <s1"], id="tabs-and-lower-case"),
    pytest.param(
        "//J JOB\n//S EXEC PGM=X,\n)SEL &A = 1\n//  PARM=A\n)ENDSEL\n//D DD DUMMY",
        ["job J 1-6 <-", "step S 2-6 <J", "dd D 6-6 <S"],
        id="skeleton-control-inside-a-statement",
    ),
    pytest.param(
        card("//S EXEC PGM=X     a comment that", "X") + "\n" + card("//  EXEC PGM=FAKE goes on") + "\n" + card("//D DD DUMMY"),
        ["step S 1-3 <-", "dd D 3-3 <S"],
        id="column-72-continues-a-comment",
    ),
    pytest.param(
        card("//S EXEC PGM=X", "", "EXEC PGM") + "\n" + card("//  DD DUMMY", ""),
        ["step S 1-2 <-", "dd  2-2 <S"],
        id="columns-73-80-are-no-code",
    ),
    pytest.param(
        f"{'//S EXEC PGM=X,PARM=':<60}".replace("= ", "='").rstrip() + "A" * 50 + "\n//             REST, EXEC PGM=NO'\n//D DD DUMMY",
        ["step S 1-3 <-", "dd D 3-3 <S"],
        id="a-literal-goes-on-from-column-16",
    ),
    pytest.param("//S EXEC PGM=X,PARM='OPEN\n//D DD DUMMY", ["step S 1-2 <-", "dd D 2-2 <S"], id="an-open-literal-swallows-no-statement"),
    pytest.param("//S EXEC PGM=X,\n//D DD DUMMY", ["step S 1-2 <-", "dd D 2-2 <S"], id="a-comma-that-nothing-follows"),
    pytest.param("//S EXEC PGM=X\n// DD DUMMY", ["step S 1-2 <-", "dd  2-2 <S"], id="first-dd-without-a-name"),
]


@pytest.mark.parametrize(("text", "expected"), UNITS)
def test_units_have_the_lines_and_parents_of_the_manual(text, expected):
    assert units(text) == expected


ROLES = [
    ("//J JOB A,\n//* why\n//  CLASS=A\n\n//S EXEC PGM=X", "s*+.s"),
    ("//S EXEC PGM=X\n//I DD *\nA\n\nB\n/*\n//D DD DUMMY", "ss+.++s"),
    ("//S EXEC PGM=X\n/*\n//D DD DUMMY", "s*s"),
    ("//  IF RC = 0 AND\n//  X.RC = 1 THEN\n//S EXEC PGM=X", "s+s"),
]


@pytest.mark.parametrize(("text", "roles"), ROLES)
def test_roles_keep_statements_and_data_whole(text, roles):
    assert parsed(text).roles == roles


def test_data_too_long_for_a_chunk_may_be_cut_at_its_control_statements_only():
    data = "\n".join(f"  DEFINE CLUSTER(NAME(A.B{i:04}) -\n    INDEXED)" for i in range(100))
    roles = parsed(f"//S EXEC PGM=IDCAMS\n//SYSIN DD *\n{data}\n/*").roles
    assert roles == "ss" + "++" + "s+" * 99 + "+"


def test_every_code_line_outside_steps_lies_in_a_named_section():
    result = parsed("//J JOB\n// SET A=1\n// IF (RC = 0) THEN\n//S EXEC PGM=X\n// ENDIF\n//")
    assert [(s.name, s.start_line, s.end_line) for s in result.symbols if s.kind == "section"] == [
        ("JOB statement", 1, 2),
        ("IF (RC = 0)", 3, 3),
        ("ENDIF", 5, 5),
        ("end of job", 6, 6),
    ]


PROBLEMS = [
    ("//NAME  BOGUS X", "unknown_operation"),
    ("//S EXEC PGM=X,\n//D DD DUMMY", "open_statement"),
    ("//S EXEC PGM=X,PARM='A\n//D DD DUMMY", "open_statement"),
    ("//S EXEC PGM=X\n//I DD *,DLM=QQ\nA", "open_data"),
    ("what is this", "stray_line"),
]


@pytest.mark.parametrize(("text", "code"), PROBLEMS)
def test_what_breaks_the_rules_is_a_problem_with_its_line(text, code):
    assert code in [problem.code for problem in parsed(text).problems]
