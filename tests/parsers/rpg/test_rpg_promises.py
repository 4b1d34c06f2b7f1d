"""Promises of every parser, on members whole, truncated, shuffled and with flipped bytes."""

from __future__ import annotations

import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from legacylens_assets.parsers.rpg import parse
from legacylens_assets.types import SourceFile

MIXED = """\
     H DFTACTGRP(*NO)
      /COPY QRPGLESRC,PROTOS
     FCUSTF     UF   E           K DISK
     F                                     RENAME(CUSTR:CUST)
     FPRT       O    F  132        PRINTER
     D*note
     DCustDs         E DS                  EXTNAME(CUSTF)
     D  extra                        10A   INZ('a-
     D                                     b')
     DaLongNamed...
     DPrototype        PR                  EXTPGM('PAY01')
     D  amount                        9P 2 CONST
     C                   EXSR      Init
     C     KEY           CHAIN     CUSTF
     C                   IF        %FOUND(CUSTF) and
     C                             amount > 0
     C                   EVAL      total = total + amount
     C                   ENDIF
     C/EXEC SQL
     C+ SELECT NAME INTO :n
     C+ FROM LIB.CUST
     C/END-EXEC
      /free
        x = 'it''s +
             long; begsr No; -
      end';  // done; exsr No
        if not a; exsr Done; endif;
        begsr Done;
          exec sql update T set a = 1 -- it's
            where b = 2;
        endsr;
      /end-free
     C     Init          BEGSR
     C                   EXCEPT    HEAD
     C                   ENDSR
     OPRT       E            HEAD           1
     O                                           10 'TITLE'
     PCalc             B                   EXPORT
     D                 PI
       dcl-ds loc qualified;
         a char(1);
       end-ds;
     C                   RETURN
     P                 E
**CTDATA TAB
     C     FAKE          BEGSR
"""
OLD = """\
000100     H            1
000200     FCARD    IP  F      80            READ40
000300     E                    TAB        10 10  1
000400     ICARD    AA  01
000500     I                                        1   5 CUST
000600     IPARM        DS
000700     I                                        1   1 FLAG
000800     C   01      CUST      CASEQ'1'       INIT
000900     C                     CALL PGM
001000     CSR         INIT      BEGSR
001100     CSR                   MOVEL'PAY'     PGM
001200     CSR                   ENDSR
001300     OPRT     D  1     01
001400     O                         CUST      10
001500**
001600TABLE
"""
FREE = """\
**free
ctl-opt nomain;
/include 'a.rpgleinc'
dcl-pr Calc int(10);
  n int(10) const;
end-pr;
dcl-proc
  Calc export;
  dcl-pi *n int(10); n int(10) const; end-pi;
  // note
  return helper(n : 1) +
    2;
  begsr Sub;
    chain (k1) CUSTF;
  endsr;
end-proc Calc;
"""
MEMBERS = [MIXED, OLD, FREE]


def parsed(lines):
    return parse(SourceFile("a.rpgle", "rpg", "utf-8", tuple(lines)))


def broken_promises(lines):
    result = parsed(lines)
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
    if parsed(lines) != result:
        faults.append("not deterministic")
    return faults


@pytest.mark.parametrize("text", MEMBERS)
def test_whole_members_keep_every_promise_without_a_problem(text):
    assert broken_promises(text.split("\n")) == []
    assert parsed(text.split("\n")).problems == ()


@pytest.mark.parametrize("text", MEMBERS)
def test_members_cut_at_any_line_keep_every_promise(text):
    lines = text.split("\n")
    assert [size for size in range(len(lines)) if broken_promises(lines[:size])] == []


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(MEMBERS), st.integers(0, 3000))
def test_members_cut_at_any_character_keep_every_promise(text, size):
    assert broken_promises(text[:size].split("\n")) == []


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(MEMBERS), st.randoms(use_true_random=False))
def test_shuffled_members_keep_every_promise(text, chance):
    lines = text.split("\n")
    chance.shuffle(lines)
    assert broken_promises(lines) == []


@settings(max_examples=80, deadline=None)
@given(st.sampled_from(MEMBERS), st.lists(st.tuples(st.integers(0, 3000), st.characters()), max_size=30))
def test_members_with_flipped_characters_keep_every_promise(text, flips):
    characters = list(text)
    for place, character in flips:
        characters[place % len(characters)] = character if character not in "\r\n" else " "
    assert broken_promises("".join(characters).split("\n")) == []


@settings(max_examples=80, deadline=None)
@given(st.lists(st.text(alphabet="/*'(),=;.+-CDFPIOdclprbegsn \t", max_size=90), max_size=30))
def test_noise_keeps_every_promise(lines):
    assert broken_promises(lines) == []


def steps(lines):
    """Return how many calls the interpreter makes while parsing: a measure that does not depend on the clock."""
    count = 0

    def tick(*_):
        nonlocal count
        count += 1

    sys.setprofile(tick)
    try:
        parsed(lines)
    finally:
        sys.setprofile(None)
    return count


REPEATED = [
    *(text.split("\n")[:-1] for text in MEMBERS),
    ["       x = 1 +"],
    ["       x = 'a +"],
    ["     C+ a"],
    ["     DaName..."],
    ["       begsr a;"],
    ["       f(a : (b"],
]


@pytest.mark.parametrize("unit", REPEATED, ids=range(len(REPEATED)))
def test_work_grows_with_the_number_of_lines_and_not_faster(unit):
    assert steps(unit * 80) <= 5 * steps(unit * 20) + 200


def test_nothing_but_sections_comes_from_compile_time_data():
    symbols = parsed(MIXED.split("\n")).symbols
    assert [s.name for s in symbols if s.start_line > MIXED.split("\n").index("**CTDATA TAB")] == ["compile-time data TAB"]
