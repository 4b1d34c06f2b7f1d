"""Source forms (Fortran 2018, 6.3; VAX FORTRAN for tabs): which form a file has, which lines are comments, what continues."""

import pytest
from fortran_outline import outline, parsed

from legacylens_assets.parsers.fortran.form import fixed_or_free, last_column

FIXED = {
    "comment in column 1 of a .f90": (["C     a comment", "      X = 1"], "a.f90"),
    "star in column 1": (["* note", "      END"], "a.f90"),
    "continuation in column 6": (["      CALL A(B,", "     1 C)"], "a.f90"),
    "ampersand in column 6": (["      CALL A(B,", "     & C)"], "a.f90"),
    "only neutral lines, by extension": (["      X = 1", "      END"], "a.f"),
    "sentence that starts with Call": (["Call this first", "      X = 1", "Common blocks follow", "      END"], "a.f"),
    "directive": (["!DIR$ FIXED", "end"], "a.f90"),
}
FREE = {
    "call in column 1": (["call flush(6)", "end"], "a.f"),
    "assignment to c in column 1": (["c = 'ab'", "end"], "a.f"),
    "character in column 1": (["character(len=4) :: c", "do n = 1, 2"], "a.f"),
    "trailing ampersand": (["      x = a + &", "      b"], "a.f"),
    "code left of column 7": (["  x = 1", "  end"], "a.f"),
    "only neutral lines, by extension": (["      x = 1", "      end"], "a.f90"),
    "directive": (["!DEC$ FREEFORM", "C = 1"], "a.for"),
    "leading ampersand of a continued line in column 6": (["  x = a + &", "     & b", "  y = 1"], "a.f"),
}


@pytest.mark.parametrize(("lines", "path"), FIXED.values(), ids=FIXED)
def test_a_file_is_fixed_form_when_its_text_says_so(lines, path):
    assert fixed_or_free(lines, path) == "fixed"


@pytest.mark.parametrize(("lines", "path"), FREE.values(), ids=FREE)
def test_a_file_is_free_form_when_its_text_says_so(lines, path):
    assert fixed_or_free(lines, path) == "free"


ROLES = {
    "C, c, * and ! in column 1": ("C note\nc note\n* note\n! note\n      X = 1", "****s"),
    "! before a statement": ("      X = 1\n   ! note\n      END", "s*s"),
    "! in column 6 continues": ("      X = 1 +\n     !2\n      END", "s+s"),
    "0 in column 6 starts a statement": ("      X = 1\n     0Y = 2", "ss"),
    "comments and blanks inside a statement may not be cut": ("      X =\nC note\n\n     1 2\n      END", "s+++s"),
    "D lines": ("      X = 1\nD     Y = 2\nd\tZ = 3\n      END", "s**s"),
    "DATA in column 1 is no D line": ("      X = 1\nDATA X /1/\n      END", "sss"),
    "tab, then a digit continues": ("\tX = 1 +\n\t1 2\n10\tEND", "s+s"),
    "ampersand in column 1 continues": ("      X = 1 +\n& 2\n      END", "s+s"),
    "preprocessor lines": ("#if A\\\n  B\n      X = 1\n#endif\n      END", "**s*s"),
    "compiler options": ("@PROCESS OPT\n$DEBUG\n      END", "**s"),
    "end of file mark": ("      END\n\x1a", "s."),
}


@pytest.mark.parametrize(("text", "roles"), ROLES.values(), ids=ROLES)
def test_fixed_form_line_roles(text, roles):
    assert parsed(text).roles == roles


FREE_ROLES = {
    "comment and blank between continued lines": ("a = &\n! note\n\n  b", "s+++"),
    "comment after the ampersand": ("a = & ! why\n  b\nend", "s+s"),
    "exclamation mark in a literal": ("print *, '! no &'\nend", "ss"),
    "literal over lines": ("print *, 'one &\n  & ! two'\nend", "s+s"),
    "literal over lines without a leading ampersand": ("print *, 'one &\n  two'\nend", "s+s"),
    "statements on one line": ("a = 1; b = 2\nend", "ss"),
    "directive inside a statement": ("call a(b, &\n#ifdef X\n  c, &\n#endif\n  d)\nend", "s++++s"),
}


@pytest.mark.parametrize(("text", "roles"), FREE_ROLES.values(), ids=FREE_ROLES)
def test_free_form_line_roles(text, roles):
    assert parsed(text, "a.f90").roles == roles


def test_card_numbers_after_column_72_are_no_code():
    cards = [
        "      SUBROUTINE A(B)".ljust(72) + "AAA00010",
        "      B = 'OPEN".ljust(72) + "AAA00020",
        "     1ED'".ljust(72) + "AAA00030",
        "      END",
    ]
    assert last_column(cards) == 72
    assert outline(parsed("\n".join(cards))) == ["subroutine A 1-4"]


def test_statements_run_on_past_column_72_where_only_so_their_brackets_close():
    header = "      SUBROUTINE WIDE(" + ", ".join(f"ARGUMENT{i}" for i in range(6)) + ", LASTONE)"
    assert last_column([header, "      END"]) == 132
