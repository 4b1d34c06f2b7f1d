"""How a list is spread over files and families."""

from __future__ import annotations

import pytest

from legacylens_assets.retrieval.grouping import damp_repeats, siblings_last
from legacylens_assets.store.protocol import Scored

SOLVES = "solves a system of linear equations with a general matrix"


def scored(path: str, score: float, descriptor: str = "", number: int = 1, codebase: str = "c") -> Scored:
    return Scored(f"{path}#{number}", score, {"codebase": codebase, "path": path, "descriptor": descriptor})


def ids(found: list[Scored]) -> list[str]:
    return [item.chunk_id for item in found]


def test_a_files_third_chunk_counts_the_factor_twice() -> None:
    found = damp_repeats([scored("a", 1.0, number=n) for n in (1, 2, 3)], 0.5)
    assert [(item.chunk_id, item.score) for item in found] == [("a#1", 1.0), ("a#2", 0.5), ("a#3", 0.25)]


def test_a_much_better_second_chunk_still_comes_before_another_file() -> None:
    found = damp_repeats([scored("a", 1.0), scored("a", 0.9, number=2), scored("b", 0.6)], 0.75)
    assert ids(found) == ["a#1", "a#2", "b#1"]


def test_files_of_one_path_in_two_codebases_are_two_files() -> None:
    found = damp_repeats([scored("a", 1.0), scored("a", 0.9, codebase="d", number=2)], 0.1)
    assert [item.score for item in found] == [1.0, 0.9]


def test_siblings_stand_behind_the_first_of_them_and_lose_no_chunk() -> None:
    found = siblings_last([scored("s/dgesv.f", 3, SOLVES), scored("s/sgesv.f", 2, SOLVES), scored("s/other.f", 1, "prints a report")])
    assert ids(found) == ["s/dgesv.f#1", "s/other.f#1", "s/sgesv.f#1"]


@pytest.mark.parametrize(
    ("path", "descriptor"),
    [
        pytest.param("s/sgesv.f", "prints the monthly report for auditors", id="says something else"),
        pytest.param("t/sgesv.f", SOLVES, id="another folder"),
        pytest.param("s/sgesvx.f", SOLVES, id="a longer name"),
        pytest.param("s/dgesv.f", SOLVES, id="the same file"),
    ],
)
def test_what_is_no_sibling_keeps_its_place(path: str, descriptor: str) -> None:
    found = [scored("s/dgesv.f", 3, SOLVES), scored(path, 2, descriptor, number=2), scored("s/z.f", 1, "else")]
    assert siblings_last(found) == found
