"""Every fixture folder: input, what must come out, and the promises on damaged versions of it.

`python tests/parsers/pli/test_pli_fixtures.py` writes the expected files anew, for review.
"""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from legacylens_assets.chunking import chunk_file
from legacylens_assets.parsers.pli import parse
from legacylens_assets.types import SourceFile

HERE = Path(__file__).parent
CASES = sorted(path.parent for path in HERE.glob("*/input.*"))


def load(case):
    path = next(case.glob("input.*"))
    return tuple(path.read_text(encoding="utf-8").split("\n")[:-1])


def source(lines):
    return SourceFile("a.pli", "pli", "utf-8", tuple(lines))


def outcome(lines):
    parsed = parse(source(lines))
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


def check_promises(lines):
    src = source(lines)
    parsed = parse(src)
    assert parse(src) == parsed
    assert len(parsed.roles) == len(lines)
    assert set(parsed.roles) <= set(".*s+")
    assert all(1 <= s.start_line <= s.end_line <= len(lines) for s in parsed.symbols)
    assert [s.start_line for s in parsed.symbols] == sorted(s.start_line for s in parsed.symbols)
    for position, symbol in enumerate(parsed.symbols):
        if symbol.parent is not None:
            around = parsed.symbols[symbol.parent]
            assert symbol.parent < position
            assert around.start_line <= symbol.start_line <= symbol.end_line <= around.end_line
    assert all(1 <= r.line <= len(lines) for r in parsed.references)
    assert all(1 <= p.line <= len(lines) for p in parsed.problems)
    chunks, skips = chunk_file("cb", src, parsed)
    held = sorted(n for item in (*chunks, *skips) for n in range(item.start_line, item.end_line + 1))
    assert held == list(range(1, len(lines) + 1))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_promises_hold_on_every_truncation(case):
    text = "\n".join(load(case))
    for length in range(0, len(text), 7):
        check_promises(text[:length].split("\n"))


@given(st.sampled_from(CASES), st.randoms(use_true_random=False))
@settings(max_examples=60, deadline=None)
def test_promises_hold_on_shuffled_lines(case, rng):
    lines = list(load(case))
    rng.shuffle(lines)
    check_promises(lines)


@given(st.sampled_from(CASES), st.integers(0, 2**32))
@settings(max_examples=80, deadline=None)
def test_promises_hold_on_flipped_characters(case, seed):
    rng = random.Random(seed)
    text = list("\n".join(load(case)))
    for _ in range(rng.randint(1, 25)):
        text[rng.randrange(len(text))] = rng.choice("'\"/*;:%()=\n\t .,\x00\x01é$A1İ")
    check_promises("".join(text).split("\n"))


@given(st.text(alphabet=st.characters(codec="utf-8", exclude_characters="\n\r"), max_size=200), st.integers(1, 4))
@settings(max_examples=60, deadline=None)
def test_promises_hold_on_any_text(text, times):
    check_promises([text] * times)


def rewrite():
    for case in CASES:
        (case / "expected.json").write_text(rendered(outcome(load(case))), encoding="utf-8")


if __name__ == "__main__":
    rewrite()
