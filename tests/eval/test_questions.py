import json

import pytest

from legacylens_assets.errors import QuestionError
from legacylens_eval.question_sets import load_questions, parse_question, shipped_questions

GOOD = {"id": "q1", "codebase": "samples", "question": "what posts payments?", "relevant": [{"path": "a.cbl", "start_line": 1, "end_line": 3}]}


def test_unknown_fields_are_kept():
    question = parse_question(json.dumps(GOOD | {"author": "x"}), "f:1")
    assert question.extra == {"author": "x"}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"id": ""}, "field 'id'"),
        ({"question": 7}, "field 'question' is 7"),
        ({"relevant": []}, "needs at least one relevant place"),
        ({"relevant": [{"start_line": 1}]}, "expected an object with path"),
        ({"relevant": [{"path": "a", "start_line": -1}]}, "whole numbers from 1"),
        ({"answerable": "no"}, "expected true or false"),
    ],
)
def test_a_bad_question_names_place_and_expectation(change, message):
    with pytest.raises(QuestionError, match=message) as caught:
        parse_question(json.dumps(GOOD | change), "set.jsonl:4")
    assert str(caught.value).startswith("set.jsonl:4: ")


def test_a_repeated_id_is_refused(tmp_path):
    path = tmp_path / "q.jsonl"
    path.write_text(json.dumps(GOOD) + "\n" + json.dumps(GOOD) + "\n")
    with pytest.raises(QuestionError, match=r"q.jsonl:2: id 'q1' is used twice"):
        load_questions([path])


def test_every_shipped_set_has_dev_test_and_unanswerable_questions():
    by_codebase = {}
    for question in shipped_questions():
        by_codebase.setdefault(question.codebase, []).append(question)
    assert "samples" in by_codebase
    for key, questions in by_codebase.items():
        assert {q.split for q in questions} == {"dev", "test"}, key
        assert sum(not q.answerable for q in questions) / len(questions) >= 0.1, key
