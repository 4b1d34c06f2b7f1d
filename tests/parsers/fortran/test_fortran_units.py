"""Program units and procedures (Fortran 2018, clauses 14 and 15; FORTRAN 77, 15): what opens one, what closes one, what does neither."""

import pytest
from fortran_outline import free, outline, parsed

HEADERS = {
    "program": ("PROGRAM P", "program P"),
    "program with files (CDC)": ("PROGRAM P(INPUT,OUTPUT,TAPE5=INPUT)", "program P"),
    "blanks mean nothing": ("SUBROUT INE  S P (A)", "subroutine SP"),
    "no blanks": ("SUBROUTINESUB(A)", "subroutine SUB"),
    "typed function": ("REAL FUNCTION F(X)", "function F"),
    "length before": ("REAL*8 FUNCTION F(X)", "function F"),
    "length after (IBM)": ("REAL FUNCTION F*8(X)", "function F"),
    "assumed length": ("CHARACTER*(*) FUNCTION F(X)", "function F"),
    "double precision": ("DOUBLE PRECISION FUNCTION F()", "function F"),
    "kind in brackets": ("INTEGER(KIND=SELECTED_INT_KIND(9)) FUNCTION F(X) RESULT(R)", "function F"),
    "no brackets": ("FUNCTION F", "function F"),
    "named after the keyword": ("FUNCTION FUNCTION(X)", "function FUNCTION"),
    "bind": ("SUBROUTINE S() BIND(C, NAME='END')", "subroutine S"),
    "block data": ("BLOCK DATA B", "block_data B"),
    "block data without blank or name": ("BLOCKDATA", "block_data"),
    "module": ("MODULE M", "module M"),
}


@pytest.mark.parametrize(("header", "unit"), HEADERS.values(), ids=HEADERS)
def test_a_header_opens_a_unit(header, unit):
    assert outline(parsed(f"      {header}\n      END")) == [f"{unit} 1-2"]


NO_HEADERS = {
    "assignment to FUNCTION": "FUNCTION = 5",
    "array FUNCTION": "FUNCTION(I) = 2.0",
    "variable SUBROUTINE": "SUBROUTINE = 4",
    "variable declared without blank": "REAL FUNCTIONX",
    "array declared without blank": "REALFUNCTIONX(10)",
    "MODULE as an array": "MODULE(3) = 1",
    "TYPE as an array": "TYPE(3) = 1",
    "ENTRY as an array": "ENTRY(3) = 1",
    "CONTAINS as a variable": "CONTAINS = 1",
    "literal": "PRINT *, 'SUBROUTINE X'",
    "Hollerith": "WRITE (6, 5HEND  )",
    "INTERFACE as a variable": "INTERFACE = 2",
    "printing with TYPE": "TYPE *, X",
}


@pytest.mark.parametrize("statement", NO_HEADERS.values(), ids=NO_HEADERS)
def test_a_statement_that_only_looks_like_a_header_opens_nothing(statement):
    assert outline(parsed(f"      SUBROUTINE S\n      {statement}\n      END")) == ["subroutine S 1-3"]


ENDS = ["END", "E N D", "END SUBROUTINE", "ENDSUBROUTINE S", "END SUBROUTINE S", "END PROCEDURE", "99 END"]


@pytest.mark.parametrize("end", ENDS)
def test_end_in_any_spelling_closes_its_unit(end):
    text = f"      SUBROUTINE S\n {end}" if end[0] == "9" else f"      SUBROUTINE S\n      {end}"
    assert outline(parsed(text + "\n      SUBROUTINE T\n      END")) == ["subroutine S 1-2", "subroutine T 3-4"]


NO_ENDS = [
    "END = 5",
    "END(2) = 6",
    "ENDVAL = 1.",
    "END FILE 7",
    "ENDFILE(7)",
    "END IF",
    "ENDDO",
    "END SELECT",
    "END WHERE",
    "END BLOCK",
    "END ASSOCIATE",
    "ENDING(1) = 2",
]


@pytest.mark.parametrize("statement", NO_ENDS)
def test_a_statement_that_only_begins_with_end_closes_nothing(statement):
    assert outline(parsed(f"      SUBROUTINE S\n      {statement}\n      X = 1\n      END")) == ["subroutine S 1-4"]


def test_internal_procedures_nest_in_their_host():
    found = free("""
        module m
        contains
          subroutine outer
          contains
            function inner(x)
            end function
          end subroutine outer
        end module m
    """)
    assert outline(found) == ["module m 1-8", "subroutine outer 3-7 < m", "function inner 5-6 < outer"]


def test_prefixes_come_in_any_order_and_number():
    found = free("""
        recursive integer(kind=4) pure function a(x) result(r)
        end
        real(kind=kind(1.0d0)) elemental function &
            ! a note
            b &
            (x)
        end function
        class(*) function c(x)
        end function c
        module subroutine d
        end subroutine d
        impure elemental subroutine e(x)
        end subroutine
    """)
    assert outline(found) == ["function a 1-2", "function b 3-7", "function c 8-9", "subroutine d 10-11", "subroutine e 12-13"]


def test_interface_bodies_are_members_and_no_definitions():
    found = free("""
        module m
          interface gen
            subroutine one(x)
            end subroutine
            module procedure two, three
          end interface gen
          abstract interface
            function four(x)
            end
          end interface
          interface operator(+)
            procedure five
          end interface operator(+)
        end module
    """)
    assert outline(found) == ["module m 1-14", "interface gen 2-6 < m", "interface 7-10 < m", "interface operator(+) 11-13 < m"]
    assert found.symbols[1].detail["members"] == "one"


def test_separate_module_procedures_are_procedures_of_their_submodule():
    found = free("""
        submodule (m:parent) s
        contains
          module procedure work
          end procedure work
          module function twice(x) result(y)
          end function
        end submodule s
    """)
    assert outline(found) == ["submodule s 1-7", "procedure work 3-4 < s", "function twice 5-6 < s"]


def test_derived_types_are_symbols_and_uses_of_type_are_not():
    found = free("""
        module m
          type :: a
          end type a
          type, extends(a), public :: b(k, n)
            integer, kind :: k
          contains
            procedure :: end => finish
          end type
          type c
          end type
          type(a) :: x
        contains
          subroutine s(x)
            select type (x)
            type is (a)
            class is (b)
            end select
          end subroutine
        end module
    """)
    assert outline(found) == ["module m 1-19", "type a 2-3 < m", "type b 4-8 < m", "type c 9-10 < m", "subroutine s 13-18 < m"]


def test_vax_structures_are_types():
    assert outline(parsed("      SUBROUTINE S\n      STRUCTURE /PART/\n        INTEGER ID\n      END STRUCTURE\n      END")) == [
        "subroutine S 1-5",
        "type PART 2-4 < S",
    ]


def test_whole_units_may_stand_on_one_line():
    assert outline(free("module a; contains; subroutine b; end subroutine; end module")) == ["module a 1-1", "subroutine b 1-1 < a"]


def test_entry_belongs_to_its_procedure_and_is_no_unit():
    found = parsed("      SUBROUTINE S(A)\n      ENTRY T(B)\n      END")
    assert outline(found) == ["subroutine S 1-3", "entry T 2-2 < S"]
    assert [s.unit for s in found.symbols] == [True, False]


def test_a_main_program_without_a_statement_has_no_name():
    assert outline(parsed("C     MAIN\n      CALL S\n      END\n      SUBROUTINE S\n      END")) == ["program 2-3", "subroutine S 4-5"]


def test_a_file_of_declarations_is_no_program():
    found = parsed("      INTEGER N\n      COMMON /SHARED/ N\n", "shared.inc")
    assert outline(found) == ["section declarations 1-2", "common SHARED 2-2"]
    assert found.problems == ()


def test_a_missing_end_is_a_problem_and_hides_nothing():
    found = parsed("      SUBROUTINE A\n      X = 1\n      SUBROUTINE B\n      END\n      FUNCTION C(X)")
    assert outline(found) == ["subroutine A 1-2", "subroutine B 3-4", "function C 5-5"]
    assert [(p.line, p.code) for p in found.problems] == [(3, "missing_end"), (5, "missing_end")]


def test_an_end_too_many_is_a_problem():
    assert [(p.line, p.code) for p in parsed("      SUBROUTINE A\n      END\n      END").problems] == [(3, "unmatched_end")]


def test_an_unclosed_inner_procedure_is_closed_by_the_end_of_its_module():
    found = free("module m\ncontains\nsubroutine a\nx = 1\nend module m\nsubroutine b\nend")
    assert outline(found) == ["module m 1-5", "subroutine a 3-5 < m", "subroutine b 6-7"]


def test_headers_in_branches_of_one_if_open_one_unit():
    found = parsed("#ifdef A\n      SUBROUTINE S(X)\n#else\n      SUBROUTINE T(X, Y)\n#endif\n      X = 1\n      END\n      SUBROUTINE U\n      END")
    assert outline(found) == ["subroutine S 2-7", "subroutine U 8-9"]
    assert found.symbols[0].detail["also"] == "T"


def test_ends_in_branches_of_one_if_close_one_unit():
    found = free("subroutine s\n#ifdef A\nend subroutine s\n#else\nend\n#endif\nsubroutine t\nend")
    assert outline(found) == ["subroutine s 1-5", "subroutine t 7-8"]


def test_whole_units_in_both_branches_all_come_out():
    found = free("#ifdef A\nsubroutine s\nend\n#else\nsubroutine t\nend\n#endif\nsubroutine u\nend")
    assert outline(found) == ["subroutine s 2-3", "subroutine t 5-6", "subroutine u 8-9"]
