"""Globs: what include and exclude select."""

import pytest

from legacylens_assets.sources.globs import matches, selected


@pytest.mark.parametrize(
    ("glob", "path"),
    [
        ("app", "app/cbl/A.cbl"),
        ("app", "app"),
        ("README.md", "README.md"),
        ("*.cbl", "deep/down/A.cbl"),
        ("*.s.archive", "x/bound_a_.s.archive/f.pl1"),
        ("src/bound_*_.s.archive", "src/bound_io_.s.archive/f.pl1"),
        ("a/**/b.f", "a/b.f"),
        ("a/**/b.f", "a/x/y/b.f"),
        ("a/**", "a/x/y"),
        ("d?ta", "data/x"),
        ("[ab].f", "x/b.f"),
        ("[!ab].f", "c.f"),
    ],
)
def test_glob_matches(glob, path):
    assert matches(glob, path)


@pytest.mark.parametrize(
    ("glob", "path"),
    [
        ("app", "application/x"),
        ("app", "sub/app/x"),
        ("README.md", "sub/README.md"),
        ("*.cbl", "A.cbl.txt"),
        ("*.cbl", "A.CBL"),
        ("src/*.f", "src/sub/x.f"),
        ("a+b", "aab"),
        ("[!ab].f", "a.f"),
    ],
)
def test_glob_does_not_match(glob, path):
    assert not matches(glob, path)


def test_exclude_wins_over_include_and_an_empty_include_takes_all():
    assert selected("x/y", (), ())
    assert selected("app/a", ("app",), ("app/data",))
    assert not selected("app/data/a", ("app",), ("app/data",))
    assert not selected("other", ("app",), ())
