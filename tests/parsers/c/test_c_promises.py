"""What every parser promises (protocol.py), on fixtures as they are, cut short, shuffled, with bytes flipped, and on any text."""

import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from legacylens_assets.parsers.c import parse
from legacylens_assets.types import ParsedFile, SourceFile

FIXTURES = sorted(Path(__file__).parent.glob("*/input.*"))
ALPHABET = "\x00\x0c\t {}()[];,=*/#'\"\\<>:%?.aZ_0é\xff"
PIECES = (
    "int f(void)",
    "{",
    "}",
    "};",
    "#if 0",
    "#ifdef A",
    "#else",
    "#endif",
    "f(a, b)",
    "int a;",
    "struct s {",
    "typedef struct {",
    "} t;",
    "/*",
    "*/",
    "// \\",
    "#define M(x) \\",
    "M(x)",
    'extern "C" {',
    "if (x) {",
    "int t[] = {",
    "??<",
    "<%",
    "union u { int a; } *b;",
    "EXEC SQL INCLUDE X;",
    "#include <a.h>",
)
SEEDS = st.integers(min_value=0, max_value=2**32 - 1)


def run(lines: list[str], path: str) -> ParsedFile:
    return parse(SourceFile(path, "c", "utf-8", tuple(lines)))


def keeps_its_promises(lines: list[str], path: str) -> bool:
    found = run(lines, path)
    assert len(found.roles) == len(lines)
    assert set(found.roles) <= set(".*s+")
    assert [s.start_line for s in found.symbols] == sorted(s.start_line for s in found.symbols)
    for index, symbol in enumerate(found.symbols):
        assert 1 <= symbol.start_line <= symbol.end_line <= len(lines)
        if symbol.parent is not None:
            parent = found.symbols[symbol.parent]
            assert symbol.parent < index
            assert parent.start_line <= symbol.start_line <= symbol.end_line <= parent.end_line
    for reference in found.references:
        holder = None if reference.source is None else found.symbols[reference.source]
        assert 1 <= reference.line <= len(lines)
        assert holder is None or holder.start_line <= reference.line <= holder.end_line
    assert all(1 <= problem.line <= len(lines) for problem in found.problems)
    assert run(lines, path) == found
    return True


def read(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").split("\n")


@pytest.mark.parametrize("fixture", FIXTURES, ids=lambda p: p.parent.name)
def test_promises_hold_on_every_prefix_of_a_fixture(fixture):
    lines = read(fixture)
    assert all(keeps_its_promises(lines[:count], fixture.name) for count in range(len(lines) + 1))


@pytest.mark.parametrize("fixture", FIXTURES, ids=lambda p: p.parent.name)
@settings(max_examples=40, deadline=None)
@given(seed=SEEDS)
def test_promises_hold_on_shuffled_lines(fixture, seed):
    lines = read(fixture)
    random.Random(seed).shuffle(lines)
    assert keeps_its_promises(lines, fixture.name)


@pytest.mark.parametrize("fixture", FIXTURES, ids=lambda p: p.parent.name)
@settings(max_examples=60, deadline=None)
@given(seed=SEEDS, cut=st.integers(min_value=0, max_value=3))
def test_promises_hold_on_flipped_characters(fixture, seed, cut):
    chance = random.Random(seed)
    text = list("\n".join(line[cut:] for line in read(fixture)))
    for _ in range(20):
        text[chance.randrange(len(text))] = chance.choice(ALPHABET)
    assert keeps_its_promises("".join(text).split("\n"), fixture.name)


@settings(max_examples=300, deadline=None)
@given(lines=st.lists(st.one_of(st.text(alphabet=ALPHABET, max_size=30), st.sampled_from(PIECES), st.text(max_size=12)), max_size=25))
def test_promises_hold_on_any_text(lines):
    whole = [line.replace("\r", " ").replace("\n", " ") for line in lines]
    assert keeps_its_promises(whole, "any.c")
