"""Promises of every parser, on members whole, truncated, shuffled and with flipped bytes."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from legacylens_assets.parsers.jcl import parse
from legacylens_assets.types import SourceFile

JOB = """\
/*PRIORITY 5
//NIGHTLY  JOB (ACCT),'MONTH END, IT''S',CLASS=A,
//* a comment inside
//             MSGCLASS=X
//LIBS     JCLLIB ORDER=(TEST.PROCLIB)
//         SET HLQ=PROD,MEM=PAY01
//JOBLIB   DD DSN=&HLQ..LOAD,DISP=SHR
//         DD DSN=SYS1.LINK,DISP=SHR
//POST     PROC FILE=,OUT='A.B'
//RUN      EXEC PGM=&MEM,PARM='A QUOTED PARM THAT RUNS OVER ITS CARD, EXECX
//             GOING ON'
//IN       DD DSN=&FILE,DISP=OLD
//OUT      DD DSN=&OUT(+1),DISP=(NEW,CATLG,DELETE)
//SYSIN    DD DATA,DLM='$$'
//NOT      EXEC PGM=DATA
/*
$$
//         PEND
//DOIT     EXEC POST,FILE=X.Y
//RUN.IN   DD DSN=OTHER,DISP=SHR
//         IF (DOIT.RC = 0 AND
//             DOIT.RUN) THEN
//DEL      EXEC PGM=IDCAMS
//SYSIN    DD *
  DELETE A.B -
    PURGE
  REPRO INFILE(I) OUTDATASET(C.D)

/*
//         ELSE
//SORT     EXEC PGM=SORT
//SYSIN    DD *
 SORT FIELDS=(1,2,
   CH,A)
//         ENDIF
)SEL &X = Y
//TSO      EXEC PGM=IKJEFT01
//SYSTSIN  DD *
 RUN PROGRAM(PAYDB2) PLAN(PP)
/*
//INC      INCLUDE MEMBER=MORE
//
//SECOND   JOB 1
//XMIT     XMIT DEST=N,DLM=QQ
//FAKE     EXEC PGM=NO
QQ
stray text
"""
LINES = tuple(JOB.split("\n"))


def broken_promises(lines):
    result = parse(SourceFile("a.jcl", "jcl", "utf-8", tuple(lines)))
    count = len(lines)
    faults = []
    if len(result.roles) != count or set(result.roles) - set(".*s+"):
        faults.append("roles")
    for index, s in enumerate(result.symbols):
        inside = s.parent is None or (
            s.parent < index and result.symbols[s.parent].start_line <= s.start_line <= s.end_line <= result.symbols[s.parent].end_line
        )
        if not (1 <= s.start_line <= s.end_line <= count and inside):
            faults.append(s)
    if [s.start_line for s in result.symbols] != sorted(s.start_line for s in result.symbols):
        faults.append("order")
    faults += [r for r in result.references if not (1 <= r.line <= count and r.target and (r.source is None or r.source < len(result.symbols)))]
    faults += [p for p in result.problems if not 1 <= p.line <= count]
    if parse(SourceFile("a.jcl", "jcl", "utf-8", tuple(lines))) != result:
        faults.append("not deterministic")
    return faults


def test_the_whole_member_keeps_every_promise_without_a_problem_but_the_stray_text():
    assert broken_promises(LINES) == []
    assert [p.code for p in parse(SourceFile("a", "jcl", "utf-8", LINES)).problems] == ["stray_line"]


@pytest.mark.parametrize("size", range(0, len(LINES)))
def test_members_cut_at_any_line_keep_every_promise(size):
    assert broken_promises(LINES[:size]) == []


@settings(max_examples=60, deadline=None)
@given(st.integers(0, len(JOB)))
def test_members_cut_at_any_character_keep_every_promise(size):
    assert broken_promises(JOB[:size].split("\n")) == []


@settings(max_examples=60, deadline=None)
@given(st.randoms(use_true_random=False))
def test_shuffled_members_keep_every_promise(chance):
    lines = list(LINES)
    chance.shuffle(lines)
    assert broken_promises(lines) == []


@settings(max_examples=80, deadline=None)
@given(st.lists(st.tuples(st.integers(0, len(JOB) - 1), st.characters()), max_size=30))
def test_members_with_flipped_characters_keep_every_promise(flips):
    text = list(JOB)
    for place, character in flips:
        text[place] = character if character not in "\r\n" else " "
    assert broken_promises("".join(text).split("\n")) == []


@settings(max_examples=80, deadline=None)
@given(st.lists(st.text(alphabet="/*'(),=&.ABDEXC \t-+", max_size=80), max_size=30))
def test_noise_keeps_every_promise(lines):
    assert broken_promises(lines) == []


def test_work_grows_with_the_number_of_lines_and_not_faster():
    """Counted in calls of the interpreter, not in time: four times the lines may cost at most five times the steps."""
    import sys

    def steps(lines):
        count = 0

        def tick(*_):
            nonlocal count
            count += 1

        sys.setprofile(tick)
        try:
            parse(SourceFile("a", "jcl", "utf-8", tuple(lines)))
        finally:
            sys.setprofile(None)
        return count

    for unit in (list(LINES), ["//S EXEC PGM=X,"], ["//S EXEC PGM=X,PARM='A", "// B"], ["//I DD *,DLM=AB", "X"], ["// SET A=B"], [")SEL"], ["//*"]):
        assert steps(unit * 80) <= 5 * steps(unit * 20) + 200
