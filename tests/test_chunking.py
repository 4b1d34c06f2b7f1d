"""Chunking: line conservation, budgets, merging, splitting, ids that survive line drift."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from legacylens_assets.chunking import Budget, Skip, chunk_file
from legacylens_assets.types import ParsedFile, Problem, Reference, SourceFile, Symbol

BUDGET = Budget()


def source(*lines, language="cobol", path="a.cbl"):
    return SourceFile(path, language, "utf-8", tuple(lines))


def parsed(roles, *symbols, references=(), problems=(), language="cobol"):
    return ParsedFile(language, "free", tuple(symbols), tuple(references), tuple(problems), roles)


def code(size, word="x"):
    """Lines of code of 40 characters each, ``size`` characters in all."""
    return [word * 40] * (size // 40)


def build(*blocks):
    """Return source and parse of consecutive blocks (symbol or None, lines, roles)."""
    lines, roles, symbols = [], "", []
    for named, block, role in blocks:
        start = len(lines) + 1
        lines += block
        roles += role * len(block) if len(role) == 1 else role
        if named:
            symbols.append(Symbol(named, "paragraph", start, len(lines)))
    return source(*lines), parsed(roles, *symbols)


def spans(chunks):
    return [(c.name, c.start_line, c.end_line, c.part) for c in chunks]


def covers(count, chunks, skips):
    lines = [n for item in (*chunks, *skips) for n in range(item.start_line, item.end_line + 1)]
    return sorted(lines) == list(range(1, count + 1))


def test_an_empty_file_gives_nothing():
    assert chunk_file("cb", source(), parsed("")) == ([], [])


def test_a_blank_file_is_a_skip_with_its_reason():
    assert chunk_file("cb", source("", "  "), parsed("..")) == ([], [Skip(1, 2, "blank")])


def test_text_is_the_exact_lines():
    chunks, _ = chunk_file("cb", source("A.  ", "\tB", "", "C"), parsed("ss.s", Symbol("A", "paragraph", 1, 4)))
    assert [c.text for c in chunks] == ["A.  \n\tB\n\nC"]


def test_comments_above_a_unit_go_with_it_and_blank_lines_with_the_unit_before():
    first, second = code(800), code(800)
    src, par = build(("A", first, "s"), (None, ["", "* says what B does", ""], ".*."), ("B", second, "s"))
    chunks, _ = chunk_file("cb", src, par)
    assert spans(chunks) == [("A", 1, 21, 0), ("B", 22, 43, 0)]


def test_small_siblings_are_merged_and_named_after_the_first():
    src, par = build(("A", code(320), "s"), ("B", code(320), "s"), ("C", code(320), "s"), ("D", code(320), "s"))
    assert spans(chunk_file("cb", src, par)[0]) == [("A", 1, 24, 0), ("D", 25, 32, 0)]


def test_a_unit_of_some_size_stays_alone():
    src, par = build(("A", code(320), "s"), ("B", code(440), "s"), ("C", code(320), "s"))
    assert [c.name for c in chunk_file("cb", src, par)[0]] == ["A", "B", "C"]


def test_a_tiny_exit_paragraph_joins_the_one_before_whatever_its_size():
    src, par = build(("A", code(1200), "s"), ("A-EXIT", ["A-EXIT. EXIT."], "s"), ("B", code(1200), "s"))
    assert spans(chunk_file("cb", src, par)[0]) == [("A", 1, 31, 0), ("B", 32, 61, 0)]


@pytest.mark.parametrize("kind", ["program", "job", "module", "package"])
def test_programs_are_never_merged(kind):
    src = source("P1", "P2")
    chunks, _ = chunk_file("cb", src, parsed("ss", Symbol("P1", kind, 1, 1), Symbol("P2", kind, 2, 2)))
    assert [c.name for c in chunks] == ["P1", "P2"]


def test_data_and_code_are_not_merged():
    chunks, _ = chunk_file("cb", source("01 A.", "P."), parsed("ss", Symbol("A", "data_item", 1, 1), Symbol("P", "paragraph", 2, 2)))
    assert [c.name for c in chunks] == ["A", "P"]


def test_a_gap_belongs_to_the_unit_around_it():
    lines = ["PROGRAM"] + code(800) + code(800, "y") + code(800, "z") + code(800, "w")
    par = parsed(
        "s" * len(lines), Symbol("P", "program", 1, 81), Symbol("A", "paragraph", 22, 41, parent=0), Symbol("B", "paragraph", 62, 81, parent=0)
    )
    assert spans(chunk_file("cb", source(*lines), par)[0]) == [("P", 1, 21, 0), ("A", 22, 41, 0), ("P", 42, 61, 0), ("B", 62, 81, 0)]


def test_a_tiny_header_joins_the_first_unit_and_a_tiny_end_the_last():
    lines = ["MODULE M"] + code(800) + code(800, "y") + ["END MODULE"]
    par = parsed(
        "s" * len(lines), Symbol("M", "module", 1, 42), Symbol("A", "procedure", 2, 21, parent=0), Symbol("B", "procedure", 22, 41, parent=0)
    )
    assert spans(chunk_file("cb", source(*lines), par)[0]) == [("A", 1, 21, 0), ("B", 22, 42, 0)]


def test_an_entry_owns_the_code_that_is_reached_through_it():
    lines = ["P: PROC;", *code(800), "E: ENTRY;", *code(800, "y"), "I: PROC;", *code(800, "z"), "END;", "END P;"]
    par = parsed(
        "s" * len(lines), Symbol("P", "procedure", 1, 65), Symbol("E", "entry", 22, 22, parent=0), Symbol("I", "procedure", 43, 64, parent=0)
    )
    assert spans(chunk_file("cb", source(*lines), par)[0]) == [("P", 1, 21, 0), ("E", 22, 42, 0), ("I", 43, 65, 0)]


def test_a_unit_that_is_small_as_a_whole_is_one_chunk():
    par = parsed("sss", Symbol("S", "section", 1, 3), Symbol("A", "paragraph", 2, 2, parent=0), Symbol("B", "paragraph", 3, 3, parent=0))
    assert spans(chunk_file("cb", source("S SECTION.", "A.", "B."), par)[0]) == [("S", 1, 3, 0)]


def test_a_step_keeps_its_dds_and_data_up_to_the_largest_size():
    lines = ["//S1 EXEC PGM=X"] + code(720) + code(800)
    par = parsed("s" * len(lines), Symbol("S1", "step", 1, 39), Symbol("D1", "dd", 2, 19, parent=0), Symbol("D2", "dd", 20, 39, parent=0))
    assert spans(chunk_file("cb", source(*lines), par)[0]) == [("S1", 1, 39, 0)]


def test_an_oversized_unit_is_split_where_statements_start():
    roles = ("s" + "+" * 9) * 20
    src, par = source(*(code(8000))), parsed(roles, Symbol("A", "paragraph", 1, 200))
    chunks, _ = chunk_file("cb", src, par)
    assert [c.part for c in chunks] == [1, 2, 3, 4, 5]
    assert all(roles[c.start_line - 1] == "s" for c in chunks)
    assert all(BUDGET.alone <= len("".join(c.text.split())) <= BUDGET.most for c in chunks)


def test_a_comment_inside_a_continued_statement_is_no_place_to_cut():
    roles = "s" * 45 + "*+" * 10 + "s" * 10
    chunks, _ = chunk_file("cb", source(*code(3000)), parsed(roles, Symbol("A", "paragraph", 1, 75)))
    assert all(not 45 < c.start_line <= 65 for c in chunks)


def test_a_statement_longer_than_the_largest_size_stays_whole_while_it_can():
    roles = "s" + "+" * 99 + "s" * 20
    chunks, _ = chunk_file("cb", source(*code(4800)), parsed(roles, Symbol("A", "paragraph", 1, 120)))
    assert [(c.start_line, c.parse_status) for c in chunks] == [(1, "parsed"), (101, "parsed")]


def test_a_statement_without_end_is_cut_anywhere_and_marked():
    chunks, _ = chunk_file("cb", source(*code(40_000)), parsed("s" + "+" * 999, Symbol("A", "paragraph", 1, 1000)))
    assert {c.parse_status for c in chunks} == {"lines"}
    assert max(len(c.text) for c in chunks) < 2500


@pytest.mark.parametrize(
    ("problems", "symbols", "status"),
    [
        ((), (Symbol("A", "paragraph", 1, 1),), "parsed"),
        ((Problem(1, "odd", "?"),), (Symbol("A", "paragraph", 1, 1),), "recovered"),
        ((), (), "lines"),
    ],
)
def test_parse_status_tells_how_the_file_fared(problems, symbols, status):
    assert chunk_file("cb", source("A."), parsed("s", *symbols, problems=problems))[0][0].parse_status == status


def test_columns_name_what_is_around_and_what_is_used():
    lines = ["ID", *code(800), "PROC", "S", "P1", "* Post the refund.", "CALL X", *code(800)]
    last = len(lines)
    par = parsed(
        "s" * 24 + "*" + "s" * (last - 25),
        Symbol("PGM", "program", 1, last),
        Symbol("PROCEDURE", "division", 22, last, parent=0),
        Symbol("S", "section", 23, last, parent=1),
        Symbol("P1", "paragraph", 24, last, parent=2),
        references=(
            Reference("call", "X", 26),
            Reference("call", "X", 27),
            Reference("perform", "P2", 28),
            Reference("copy", "BOOK", 29),
            Reference("sql_read", "T", 30),
            Reference("call", "ELSEWHERE", 2),
        ),
    )
    chunk = chunk_file("cb", source(*lines), par)[0][-1]
    assert (chunk.program, chunk.division, chunk.section, chunk.name, chunk.qualified_name) == ("PGM", "PROCEDURE", "S", "P1", "PGM.S.P1")
    assert (chunk.calls, chunk.performs, chunk.copies, chunk.datasets) == (("X",), ("P2",), ("BOOK",), ("T",))
    assert chunk.comments == "Post the refund."


def test_parts_widen_to_the_first_and_units_to_the_header_around_them():
    lines = code(800) + code(2400, "y")
    par = parsed("s" * 80, Symbol("P", "program", 1, 80), Symbol("A", "paragraph", 21, 80, parent=0))
    head, first, second = chunk_file("cb", source(*lines), par)[0]
    assert (head.parent_id, first.parent_id, second.parent_id) == ("", head.chunk_id, first.chunk_id)


def test_equal_names_in_one_file_get_different_ids():
    src, par = build(("A", code(800), "s"), ("A", code(800), "s"))
    chunks, _ = chunk_file("cb", src, par)
    assert len({c.chunk_id for c in chunks}) == 2
    assert len({c.text_sha for c in chunks}) == 1


def drift(roles, lines, symbols):
    """Return chunks before and after one comment line is put on top."""
    moved = [Symbol(s.name, s.kind, s.start_line + 1, s.end_line + 1, s.parent) for s in symbols]
    before, _ = chunk_file("cb", source(*lines), parsed(roles, *symbols))
    after, _ = chunk_file("cb", source("* one more remark", *lines), parsed("*" + roles, *moved))
    return before, after


@pytest.mark.parametrize("prelude", [0, 200, 1400, 5000])
@pytest.mark.parametrize("body", [40, 800, 2400, 9000])
def test_a_comment_line_on_top_changes_one_text_and_no_id(prelude, body):
    comments, first, second = code(prelude, "c"), code(body), code(1000)
    a = len(comments) + 1
    symbols = [Symbol("A", "paragraph", a, a + len(first) - 1), Symbol("B", "paragraph", a + len(first), a + len(first) + len(second) - 1)]
    before, after = drift("*" * len(comments) + "s" * (len(first) + len(second)), comments + first + second, symbols)
    assert [c.chunk_id for c in before] == [c.chunk_id for c in after]
    assert sum(b.text_sha != a.text_sha for b, a in zip(before, after, strict=True)) == 1


@st.composite
def files(draw):
    """Random lines, roles and symbols: spans may lie outside the file, overlap, and point at any parent."""
    seed = draw(st.integers(0, 10**9))
    rng = random.Random(seed)
    count = rng.randint(1, 300)
    lines = ["" if rng.random() < 0.1 else rng.choice("abc ") * rng.randint(1, 90) for _ in range(count)]
    roles = "".join(rng.choice("s+*.ss") for _ in range(rng.choice((count, count, count - 1))))
    symbols = []
    for _ in range(rng.randint(0, 25)):
        start, end = rng.randint(-1, count + 2), rng.randint(0, count + 3)
        kind = rng.choice(("program", "paragraph", "section", "data_item", "step", "dd"))
        symbols.append(Symbol(rng.choice("ABCD"), kind, start, end, rng.choice((None, 0, 3, 99, -1)), rng.random() < 0.8))
    return source(*lines), parsed(roles, *symbols, references=[Reference("call", "X", rng.randint(-1, count + 2))])


@given(files())
@settings(max_examples=200, deadline=None)
def test_every_line_is_in_one_chunk_or_skip_whatever_a_parser_returns(case):
    src, par = case
    chunks, skips = chunk_file("cb", src, par)
    assert covers(len(src.lines), chunks, skips)
    assert all(c.text == "\n".join(src.lines[c.start_line - 1 : c.end_line]) for c in chunks)
    assert len({c.chunk_id for c in chunks}) == len(chunks)
    assert {c.parent_id for c in chunks} <= {c.chunk_id for c in chunks} | {""}
    assert chunk_file("cb", src, par) == (chunks, skips)


def test_the_division_around_a_paragraph_is_found_by_its_span():
    lines = ["ID DIVISION.", *code(800), "PROCEDURE DIVISION.", *code(800)]
    par = parsed(
        "s" * 42,
        Symbol("PGM", "program", 1, 42),
        Symbol("ID DIVISION", "division", 1, 21, parent=0),
        Symbol("PROCEDURE DIVISION", "division", 22, 42, parent=0),
        Symbol("P", "paragraph", 23, 42, parent=0),
    )
    first, second = chunk_file("cb", source(*lines), par)[0]
    assert (first.kind, first.name, first.division) == ("program", "PGM", "")
    assert (second.name, second.division, second.start_line) == ("P", "PROCEDURE DIVISION", 22)
    assert second.parent_id == first.chunk_id


def test_a_long_comment_that_opens_the_file_stands_apart_and_is_named_after_what_follows():
    lines = ["* " + "word " * 8] * 30 + code(800)
    par = parsed("*" * 30 + "s" * 20, Symbol("A", "subroutine", 31, 50))
    chunks, _ = chunk_file("cb", source(*lines), par)
    assert spans(chunks) == [("A", 1, 30, 0), ("A", 31, 50, 0)]
    assert chunks[0].parent_id == chunks[1].chunk_id


def test_rules_and_boxes_in_comments_weigh_nothing():
    src, par = build(("A", code(320), "s"), (None, ["*" + "-" * 70] * 9, "*"), ("B", code(320), "s"))
    assert spans(chunk_file("cb", src, par)[0]) == [("A", 1, 25, 0)]


def test_a_tiny_exit_paragraph_joins_the_section_it_ends():
    lines = ["S SECTION.", *code(800), "S-EXIT. EXIT."]
    par = parsed("s" * 22, Symbol("S", "section", 1, 22), Symbol("S-EXIT", "paragraph", 22, 22, parent=0))
    assert spans(chunk_file("cb", source(*lines), par)[0]) == [("S", 1, 22, 0)]


def test_a_heading_with_its_subsections_stays_whole_up_to_the_target():
    lines = ["# A", *code(400), "## B", *code(400), "# C", *code(1000)]
    par = parsed(
        "s" * len(lines), Symbol("A", "heading", 1, 22), Symbol("B", "heading", 12, 22, parent=0), Symbol("C", "heading", 23, 48), language="text"
    )
    assert spans(chunk_file("cb", source(*lines, language="text"), par)[0]) == [("A", 1, 22, 0), ("C", 23, 48, 0)]


@pytest.mark.parametrize(
    ("line", "language", "expected"),
    [
        ("000100* POST THE REFUND", "cobol", "POST THE REFUND"),
        ("      *> post it", "cobol", "post it"),
        ("C     POST IT", "fortran", "POST IT"),
        ("*> \\brief Solves it", "fortran", "\\brief Solves it"),
        ("!$omp parallel", "fortran", "omp parallel"),
        ("//* POST IT", "jcl", "POST IT"),
        ("     C* post it", "rpg", "post it"),
        ("   // post it", "rpg", "post it"),
        (" * post it */", "c", "post it"),
        ("   /*  post it   */", "pli", "post it"),
        ("# post it", "text", "post it"),
        ("*" * 60, "cobol", ""),
    ],
)
def test_comment_marks_are_stripped(line, language, expected):
    from legacylens_assets.chunking.comments import comment_text

    assert comment_text([line], language) == expected


def test_c_includes_merged_with_what_follows_are_named_declarations():
    lines = ["/* " + "word " * 8] * 40 + ["#include <a.h>" + "/" * 200, "#include <b.h>", "#define N 1", *code(800)]
    par = parsed(
        "*" * 40 + "s" * 23,
        Symbol("a.h", "include", 41, 41),
        Symbol("b.h", "include", 42, 42),
        Symbol("N", "macro", 43, 43),
        Symbol("f", "function", 44, 63),
        language="c",
    )
    chunks, _ = chunk_file("cb", source(*lines, language="c", path="a.c"), par)
    assert [(c.kind, c.name, c.start_line, c.end_line) for c in chunks] == [
        ("section", "declarations", 1, 40),
        ("section", "declarations", 41, 43),
        ("function", "f", 44, 63),
    ]


def test_a_c_include_or_macro_alone_keeps_its_name():
    lines = ["#include <a.h>", *code(800), "#define A 1", "#define B 2"]
    par = parsed(
        "s" * 23,
        Symbol("a.h", "include", 1, 1),
        Symbol("f", "function", 2, 21),
        Symbol("A", "macro", 22, 22),
        Symbol("B", "macro", 23, 23),
        language="c",
    )
    chunks, _ = chunk_file("cb", source(*lines, language="c", path="a.c"), par)
    assert [(c.kind, c.name) for c in chunks] == [("include", "a.h"), ("function", "f"), ("macro", "A")]
