"""Line conservation and stable ids over everything at hand: the fixtures of every parser and the samples, whole and damaged."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from legacylens_assets.chunking import Budget, chunk_file
from legacylens_assets.parsers import PARSERS, parse
from legacylens_assets.sources.detect import detect_lines
from legacylens_assets.types import SourceFile

ROOT = Path(__file__).parent.parent
FIXTURES = sorted(path for path in (ROOT / "tests" / "parsers").glob("*/*/input.*") if path.parent.parent.name in PARSERS)
SAMPLES = sorted(path for path in (ROOT / "data" / "samples").rglob("*") if path.is_file() and not path.name.startswith("."))
BUDGET = Budget()
REMARKS = {
    "cobol": "      * one more remark", "fortran": "! one more remark", "c": "/* one more remark */", "jcl": "//* ONE MORE REMARK",
    "pli": " /* one more remark */", "rpg": "     H* one more remark",
}  # fmt: skip


def load(path):
    found, lines = detect_lines(path.relative_to(ROOT).as_posix(), path.read_bytes())
    language = path.parent.parent.name if path in FIXTURES else found.language
    return SourceFile(path.relative_to(ROOT).as_posix(), language, found.encoding or "latin-1", tuple(lines), "", found.dialect)


def chunks_of(source):
    return chunk_file("cb", source, parse(source))


def check(source):
    chunks, skips = chunks_of(source)
    held = [n for item in sorted((*chunks, *skips), key=lambda i: i.start_line) for n in range(item.start_line, item.end_line + 1)]
    assert held == list(range(1, len(source.lines) + 1))
    assert all(chunk.text == "\n".join(source.lines[chunk.start_line - 1 : chunk.end_line]) for chunk in chunks)
    assert all(skip.reason for skip in skips)
    ids = {chunk.chunk_id for chunk in chunks}
    assert len(ids) == len(chunks)
    assert {chunk.parent_id for chunk in chunks} <= ids | {""}


@pytest.mark.parametrize("path", FIXTURES + SAMPLES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_every_line_is_in_one_chunk_or_skip(path):
    check(load(path))


@pytest.mark.parametrize("path", FIXTURES + SAMPLES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_every_line_is_in_one_chunk_or_skip_after_damage(path):
    source = load(path)
    rng = random.Random(len(source.lines))
    lines = list(source.lines)
    rng.shuffle(lines)
    for damaged in (source.lines[: len(lines) // 2], source.lines[len(lines) // 3 :], tuple(lines)):
        check(SourceFile(source.path, source.language, source.encoding, damaged, "", source.dialect))


@pytest.mark.parametrize("path", [p for p in SAMPLES if load(p).language in REMARKS], ids=lambda path: path.relative_to(ROOT).as_posix())
def test_a_remark_on_top_changes_at_most_two_texts_and_no_id(path):
    source = load(path)
    first = 1 if source.lines and source.lines[0].upper().startswith("**FREE") else 0
    remark = "// one more remark" if first else REMARKS[source.language]
    lines = (*source.lines[:first], remark, *source.lines[first:])
    moved = SourceFile(source.path, source.language, source.encoding, lines, "", source.dialect)
    before, after = chunks_of(source)[0], chunks_of(moved)[0]
    assert [chunk.chunk_id for chunk in before] == [chunk.chunk_id for chunk in after]
    assert sum(b.text_sha != a.text_sha for b, a in zip(before, after, strict=True)) <= 2
