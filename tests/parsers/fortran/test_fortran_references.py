"""Calls, function references, modules used, COMMON blocks and included files."""

import pytest
from fortran_outline import facts, free, parsed

CALLS = {
    "call": ("CALL S(A)", ["call S 2"]),
    "call without brackets": ("CALL S", ["call S 2"]),
    "blanks mean nothing": ("C ALL  LONG NAME (A)", ["call LONGNAME 2"]),
    "after a logical IF": ("IF (ABS(X) .GT. 0) CALL S(A)", ["call S 2"]),
    "argument that is a call": ("CALL S(F(1))", ["call S 2", "function_ref F 2"]),
    "function of an expression": ("Y = G(X) + 1", ["function_ref G 2"]),
    "Hollerith argument": ("CALL MSG(9HCALL X(1))", ["call MSG 2"]),
    "literal argument": ("CALL MSG('CALL NO(1)')", ["call MSG 2"]),
}


@pytest.mark.parametrize(("statement", "wanted"), CALLS.values(), ids=CALLS)
def test_calls(statement, wanted):
    assert facts(parsed(f"      SUBROUTINE A\n      {statement}\n      END")) == wanted


NO_CALLS = {
    "variable CALL": "CALL = 3",
    "array CALL": "CALL(I) = 3",
    "intrinsic": "Y = SIN(X) + MAX0(1, 2)",
    "declared array": "REAL V(10)\n      Y = V(1)",
    "dimensioned array": "DIMENSION V(10)\n      Y = V(1)",
    "array in COMMON": "COMMON V(10)\n      Y = V(1)",
    "statement function or array on the left": "V(I) = 1\n      Y = V(2)",
    "substring": "Y = S(1:3)",
    "keyword": "WRITE (6, 10) Y",
    "format": "Y = 1\n   10 FORMAT (F(3))",
    "data": "DATA V(1) /2/",
}


@pytest.mark.parametrize("statement", NO_CALLS.values(), ids=NO_CALLS)
def test_what_is_no_call(statement):
    found = facts(parsed(f"      SUBROUTINE A\n      {statement}\n      END"))
    assert [f for f in found if not f.startswith("common")] == []


def test_an_external_name_wins_over_an_intrinsic_and_counts_when_only_passed():
    found = parsed("      SUBROUTINE A\n      EXTERNAL SIN, PASSED\n      Y = SIN(X)\n      CALL B(PASSED)\n      END")
    assert facts(found) == ["function_ref PASSED 2", "function_ref SIN 3", "call B 4"]


def test_references_stand_on_the_line_that_names_them():
    found = parsed("      SUBROUTINE A\n      Y = F(1) +\nC     NOTE\n     1    G(2)\n      CALL\n     1 B\n      END")
    assert facts(found) == ["function_ref F 2", "function_ref G 4", "call B 6"]


def test_references_belong_to_the_innermost_procedure():
    found = free("module m\ncontains\nsubroutine a\ncall x\nend\nsubroutine b\ncall y\nend\nend module")
    assert [(r.target, found.symbols[r.source or 0].name) for r in found.references] == [("X", "a"), ("Y", "b")]


def test_a_bound_call_names_the_binding_and_its_object():
    found = free("subroutine a\nif (x > 1) call t%part(3)%go(x)\nend")
    assert [(r.target, dict(r.detail)) for r in found.references] == [("GO", {"object": "T%PART(3)"})]


def test_modules_used():
    found = free("program p\nuse, intrinsic :: iso_c_binding, only: c_int\nuse m\nuse :: n, x => y\nuse = 1\nend program")
    assert facts(found) == ["use ISO_C_BINDING 2", "use M 3", "use N 4"]


def test_common_blocks_named_and_blank():
    found = parsed("      SUBROUTINE A\n      COMMON /BLK/ X(10), Y /TWO/ Z\n      COMMON A, B\n      END")
    assert facts(found) == ["common BLK 2", "common TWO 2", "common // 3"]
    assert [(s.name, s.kind, s.unit) for s in found.symbols[1:]] == [("BLK", "common", False), ("TWO", "common", False), ("//", "common", False)]


def test_included_files_by_statement_and_by_preprocessor():
    found = parsed("#include \"conf.h\"\n      SUBROUTINE A\n      INCLUDE 'END.INC'\n      END")
    assert facts(found) == ["include conf.h 1", "include END.INC 3"]
    assert [(s.name, s.kind) for s in found.symbols] == [("conf.h", "include"), ("A", "subroutine"), ("END.INC", "include")]
