"""What every shipped question set must hold; places are checked against the sources where they are fetched."""

import json
import re
from collections import Counter
from pathlib import PurePosixPath

import pytest

from legacylens_eval.question_sets import SHIPPED, load_questions

SETS = {path.stem: load_questions([path]) for path in sorted(SHIPPED.glob("*.jsonl"))}
QUESTIONS = [question for questions in SETS.values() for question in questions]
KINDS = {"locate", "explain", "list", "graph", "unanswerable"}
NAMED = re.compile(r"[A-Za-z0-9_$#@*]+(?:[-_.$][A-Za-z0-9_$]+)*")
SHA256 = re.compile(r"[0-9a-f]{64}")


def looks_like_an_identifier(word):
    """A name that no one says aloud: joined or numbered parts, capitals inside, capitals throughout."""
    if not re.search(r"[A-Za-z]", word):
        return False
    return bool(re.search(r"[-_$#@*0-9]|[a-z][A-Z]|^[A-Z]{3,}$", word))


def names_of(place):
    """The words that give a place away: the stem of its path, its symbol, and the parts of a symbol that look like names."""
    stem = PurePosixPath(place.path).stem
    names = {stem, place.symbol}
    names |= {word for word in NAMED.findall(f"{place.symbol} {stem}") if looks_like_an_identifier(word)}
    return {name.casefold() for name in names if looks_like_an_identifier(name)}


@pytest.mark.parametrize("key", SETS)
def test_a_set_is_large_enough_and_names_its_codebase(key):
    assert len(SETS[key]) >= 40
    assert {question.codebase for question in SETS[key]} == {key}
    assert len({question.question for question in SETS[key]}) == len(SETS[key])


@pytest.mark.parametrize("key", SETS)
def test_a_set_has_every_kind_and_a_tenth_without_an_answer(key):
    kinds = Counter(question.kind for question in SETS[key])
    assert set(kinds) == KINDS
    assert kinds["unanswerable"] >= len(SETS[key]) / 10


def test_the_six_codebases_and_the_samples_are_asked_about():
    assert set(SETS) >= {"carddemo", "genapp", "gnucobol", "lapack", "multics", "ossile", "samples"}
    assert len(QUESTIONS) >= 320


@pytest.mark.parametrize("key", SETS)
def test_questions_of_a_fetched_codebase_are_pinned_to_one_commit(key):
    commits = {question.commit for question in SETS[key]}
    assert len(commits) == 1
    assert key == "samples" or re.fullmatch(r"[0-9a-f]{40}", commits.pop())


@pytest.mark.parametrize("key", SETS)
def test_only_unanswerable_questions_have_no_place(key):
    for question in SETS[key]:
        assert question.answerable == (question.kind != "unanswerable") == bool(question.relevant), question.id


@pytest.mark.parametrize("key", SETS)
def test_every_place_has_path_symbol_lines_and_hash(key):
    for question in SETS[key]:
        for place in question.relevant:
            assert place.path and not place.path.startswith("/") and "\\" not in place.path, question.id
            assert place.symbol and 1 <= place.start_line <= place.end_line and SHA256.fullmatch(place.file_sha), question.id


@pytest.mark.parametrize("key", SETS)
def test_no_place_is_given_twice_and_a_file_has_one_hash(key):
    hashes = {}
    for question in SETS[key]:
        spans = [(place.path, place.start_line, place.end_line) for place in question.relevant]
        assert len(set(spans)) == len(spans), question.id
        for place in question.relevant:
            assert hashes.setdefault(place.path, place.file_sha) == place.file_sha, place.path


@pytest.mark.parametrize("key", SETS)
def test_a_second_reader_has_checked_every_question(key):
    assert [question.id for question in SETS[key] if question.extra.get("checked") is not True] == []


@pytest.mark.parametrize("key", SETS)
def test_questions_name_neither_file_nor_symbol_of_their_answer(key):
    leaks = {}
    for question in SETS[key]:
        words = {word.casefold() for word in NAMED.findall(question.question)}
        given = {name for place in question.relevant for name in names_of(place)} & words
        if given:
            leaks[question.id] = given
    assert leaks == {}


@pytest.mark.parametrize("key", SETS)
def test_records_are_one_object_a_line_in_the_order_of_their_fields(key):
    lines = (SHIPPED / f"{key}.jsonl").read_text(encoding="utf-8").removesuffix("\n").split("\n")
    assert lines == [json.dumps(json.loads(line), ensure_ascii=False) for line in lines]
