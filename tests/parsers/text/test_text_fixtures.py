"""Every fixture folder: input, what must come out, and the promises on damaged versions of it.

`python tests/parsers/text/test_text_fixtures.py` writes the expected files anew, for review.
"""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from legacylens_assets.chunking import chunk_file
from legacylens_assets.parsers.text import DIALECTS, parse
from legacylens_assets.parsers.text.outline import OUTLINES
from legacylens_assets.sources.languages import by_extension
from legacylens_assets.types import SourceFile

HERE = Path(__file__).parent
CASES = sorted(path.parent for path in HERE.glob("*/input.*"))
EVERY_DIALECT = sorted({*DIALECTS, *OUTLINES, "cl", "command", "unheard-of"})


def load(case):
    path = next(case.glob("input.*"))
    return source(path.read_text(encoding="utf-8").split("\n")[:-1], (by_extension(path.name) or ("text", ""))[1], path.name)


def source(lines, dialect, path="a.txt"):
    return SourceFile(path, "text", "utf-8", tuple(lines), "", dialect)


def outcome(src):
    parsed = parse(src)
    names = [s.name for s in parsed.symbols]
    return {
        "form": parsed.form,
        "symbols": [[s.kind, s.name, s.start_line, s.end_line, names[s.parent] if s.parent is not None else None] for s in parsed.symbols],
        "references": [[r.kind, r.target, r.line, names[r.source] if r.source is not None else None] for r in parsed.references],
        "problems": [[p.line, p.code] for p in parsed.problems],
        "roles": parsed.roles,
    }


def rendered(result):
    rows = [
        f'  "{key}": ' + (json.dumps(value) if isinstance(value, str) else "[\n    " + ",\n    ".join(map(json.dumps, value)) + "\n  ]")
        for key, value in result.items()
    ]
    return "{\n" + ",\n".join(rows).replace("[\n    \n  ]", "[]") + "\n}\n"


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_fixture_gives_what_its_expected_file_says(case):
    assert outcome(load(case)) == json.loads((case / "expected.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_fixture_says_what_it_is_for(case):
    assert (case / "NOTE.md").read_text(encoding="utf-8").strip()


def check_promises(src):
    parsed = parse(src)
    count = len(src.lines)
    assert parse(src) == parsed
    assert len(parsed.roles) == count
    assert set(parsed.roles) <= set(".*s+")
    assert [s.start_line for s in parsed.symbols] == sorted(s.start_line for s in parsed.symbols)
    for position, symbol in enumerate(parsed.symbols):
        assert 1 <= symbol.start_line <= symbol.end_line <= count
        if symbol.parent is not None:
            around = parsed.symbols[symbol.parent]
            assert symbol.parent < position
            assert around.start_line <= symbol.start_line <= symbol.end_line <= around.end_line
    assert all(1 <= r.line <= count for r in parsed.references)
    chunks, skips = chunk_file("cb", src, parsed)
    held = sorted(n for item in (*chunks, *skips) for n in range(item.start_line, item.end_line + 1))
    assert held == list(range(1, count + 1))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_promises_hold_on_every_truncation(case):
    src = load(case)
    text = "\n".join(src.lines)
    for length in range(0, len(text), 5):
        check_promises(source(text[:length].split("\n"), src.dialect, src.path))


@given(st.sampled_from(CASES), st.sampled_from(EVERY_DIALECT), st.randoms(use_true_random=False))
@settings(max_examples=150, deadline=None)
def test_promises_hold_on_shuffled_lines_in_any_dialect(case, dialect, rng):
    lines = list(load(case).lines)
    rng.shuffle(lines)
    check_promises(source(lines, dialect))


@given(st.sampled_from(CASES), st.integers(0, 2**32))
@settings(max_examples=150, deadline=None)
def test_promises_hold_on_flipped_characters(case, seed):
    src = load(case)
    rng = random.Random(seed)
    text = list("\n".join(src.lines))
    for _ in range(rng.randint(1, 25)):
        text[rng.randrange(len(text))] = rng.choice("'\"/*;:%()=\n\t .,#-_\x00é$A1İ")
    check_promises(source("".join(text).split("\n"), src.dialect, src.path))


@given(st.text(alphabet=st.characters(codec="utf-8", exclude_characters="\n\r"), max_size=120), st.integers(1, 4), st.sampled_from(EVERY_DIALECT))
@settings(max_examples=150, deadline=None)
def test_promises_hold_on_any_text(text, times, dialect):
    check_promises(source([text] * times, dialect))


def rewrite():
    for case in CASES:
        (case / "expected.json").write_text(rendered(outcome(load(case))), encoding="utf-8")


if __name__ == "__main__":
    rewrite()
