"""What every parser promises (parsers/protocol.py), on every fixture and every sample: whole, cut short, shuffled, with bytes flipped.

A parser never raises and always ends; spans are ordered, inside the file and inside their parent's; chunks plus skips rebuild the text
exactly; the same input gives the same output. Fixtures are the folders beside this file and the files of data/samples.
"""

from __future__ import annotations

import random
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from legacylens_assets.chunking import chunk_file
from legacylens_assets.parsers import PARSER_VERSIONS, PARSERS
from legacylens_assets.sources.detect import detect
from legacylens_assets.sources.encodings import decode
from legacylens_assets.types import LANGUAGES, SourceFile

HERE = Path(__file__).parent
SAMPLES = HERE.parent.parent / "data" / "samples"
FIXTURES = sorted(HERE.glob("*/*/input.*"))
WHOLE = FIXTURES + sorted(path for path in SAMPLES.rglob("*") if path.is_file())


def source_of(path, data=None):
    """The file as ``legacylens parse`` would read it, or as latin-1 when it is no text; a fixture's language is its folder's."""
    data = path.read_bytes() if data is None else data
    language = path.parent.parent.name if path in FIXTURES else None
    found = detect(str(path), data, language)
    encoding = found.encoding or "latin-1"
    return SourceFile(path.name, found.language, encoding, decode(data, encoding), "", found.dialect)


def name_of(path):
    return "/".join(path.parts[-3:])


def symbol_faults(parsed, size):
    starts = [s.start_line for s in parsed.symbols]
    yield from ["symbols are not ordered by start line"] if starts != sorted(starts) else []
    for place, s in enumerate(parsed.symbols):
        if not 1 <= s.start_line <= s.end_line <= size:
            yield f"{s.kind} {s.name} lies outside the file: {s.start_line}..{s.end_line} of {size}"
        if s.parent is None:
            continue
        holder = parsed.symbols[s.parent]
        if s.parent >= place or not holder.start_line <= s.start_line <= s.end_line <= holder.end_line:
            yield f"{s.kind} {s.name} at {s.start_line}..{s.end_line} is not inside its parent {holder.name}"


def place_faults(parsed, size):
    if len(parsed.roles) != size or set(parsed.roles) - set(".*s+"):
        yield f"{len(parsed.roles)} roles {sorted(set(parsed.roles))} for {size} lines"
    for r in parsed.references:
        if not 1 <= r.line <= size or not (r.source is None or 0 <= r.source < len(parsed.symbols)):
            yield f"reference {r.kind} {r.target} at {r.line}"
    for p in parsed.problems:
        if not (1 <= p.line <= max(size, 1) and p.code and p.message):
            yield f"problem {p.code} at {p.line}"


def text_faults(source, parsed):
    """Chunks and skips hold every line once, in order, and say exactly what the file says."""
    chunks, skips = chunk_file("any", source, parsed)
    spans = sorted([(c.start_line, c.end_line, c.text) for c in chunks] + [(s.start_line, s.end_line, None) for s in skips])
    rebuilt = []
    for start, end, text in spans:
        if start != len(rebuilt) + 1:
            yield f"a gap or an overlap before line {start}"
        lines = source.lines[start - 1 : end] if text is None else text.split("\n")
        rebuilt.extend(lines)
    if tuple(rebuilt) != source.lines:
        yield "spans and gaps do not rebuild the text"
    if len({c.chunk_id for c in chunks}) != len(chunks):
        yield "two chunks have one id"
    if not all(s.reason for s in skips):
        yield "a skip without a reason"


def broken_promises(source):
    parsed = PARSERS[source.language](source)
    faults = [*symbol_faults(parsed, len(source.lines)), *place_faults(parsed, len(source.lines)), *text_faults(source, parsed)]
    again = SourceFile(source.path, source.language, source.encoding, tuple(source.lines), source.sha256, source.dialect)
    return faults + ([] if PARSERS[source.language](again) == parsed else ["not deterministic"])


def with_lines(source, lines):
    return SourceFile(source.path, source.language, source.encoding, tuple(lines), "", source.dialect)


def flipped(data, chance, count):
    """``data`` with ``count`` bytes replaced; line ends may come and go."""
    changed = bytearray(data)
    for _ in range(min(count, len(changed))):
        changed[chance.randrange(len(changed))] = chance.randrange(256)
    return bytes(changed)


def test_every_language_has_fixtures_and_a_version():
    assert set(PARSERS) == set(LANGUAGES) == set(PARSER_VERSIONS)
    assert {path.parent.parent.name for path in FIXTURES} == set(LANGUAGES)
    assert all((path.parent / "NOTE.md").is_file() and (path.parent / "expected.json").is_file() for path in FIXTURES)


@pytest.mark.parametrize("path", WHOLE, ids=name_of)
def test_whole_file_keeps_every_promise(path):
    assert broken_promises(source_of(path)) == []


@pytest.mark.parametrize("path", FIXTURES, ids=name_of)
def test_file_cut_after_any_of_many_lines_keeps_every_promise(path):
    source = source_of(path)
    sizes = sorted(set(range(0, len(source.lines), max(1, len(source.lines) // 12))))
    assert {size: faults for size in sizes if (faults := broken_promises(with_lines(source, source.lines[:size])))} == {}


@pytest.mark.parametrize("path", FIXTURES, ids=name_of)
def test_file_that_starts_late_keeps_every_promise(path):
    source = source_of(path)
    places = range(1, len(source.lines), max(1, len(source.lines) // 8))
    assert {place: faults for place in places if (faults := broken_promises(with_lines(source, source.lines[place:])))} == {}


@pytest.mark.parametrize("path", FIXTURES, ids=name_of)
@settings(max_examples=8, deadline=None)
@given(share=st.floats(0, 1, exclude_max=True))
def test_file_cut_inside_a_line_keeps_every_promise(path, share):
    data = path.read_bytes()
    assert broken_promises(source_of(path, data[: int(share * len(data))])) == []


@pytest.mark.parametrize("path", FIXTURES, ids=name_of)
@settings(max_examples=8, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_file_with_shuffled_lines_keeps_every_promise(path, seed):
    source = source_of(path)
    lines = list(source.lines)
    random.Random(seed).shuffle(lines)
    assert broken_promises(with_lines(source, lines)) == []


@pytest.mark.parametrize("path", FIXTURES, ids=name_of)
@settings(max_examples=8, deadline=None)
@given(seed=st.integers(0, 10**6), count=st.integers(1, 60))
def test_file_with_flipped_bytes_keeps_every_promise(path, seed, count):
    assert broken_promises(source_of(path, flipped(path.read_bytes(), random.Random(seed), count))) == []


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("path", FIXTURES[::3], ids=name_of)
def test_file_taken_for_another_language_keeps_every_promise(path, language):
    source = source_of(path)
    assert broken_promises(SourceFile(source.path, language, source.encoding, source.lines)) == []


def calls_made(source):
    """The work of a parse, counted in calls of the interpreter and not in time."""
    count = 0

    def tick(*_):
        nonlocal count
        count += 1

    sys.setprofile(tick)
    try:
        PARSERS[source.language](source)
    finally:
        sys.setprofile(None)
    return count


@pytest.mark.parametrize("path", FIXTURES, ids=name_of)
def test_work_grows_with_the_number_of_lines_and_not_faster(path):
    source = source_of(path)
    unit = source.lines[:150]
    once, more = (calls_made(with_lines(source, unit * times)) for times in (4, 16))
    assert more <= 5 * once + 500
