"""Answers that need no model: assembled from quotes and graph facts, checked, refused when there is nothing to say."""

import asyncio

import pytest
from tiny_index import BANK, DEMO, MATHS, file_id, make_retriever, tiny_settings

from legacylens_assets.answer import Answerer, Ask, calibrate, save_calibration
from legacylens_assets.answer.prose import code_of, comment_flags, comment_words
from legacylens_assets.answer.refusal import Calibration, encoders_key, load_calibration
from legacylens_assets.answer.router import route
from legacylens_assets.errors import LegacyLensError


@pytest.fixture(scope="module")
def answerer(tmp_path_factory):
    retriever = make_retriever(tiny_settings(tmp_path_factory.mktemp("answers")), (BANK, MATHS, DEMO))
    return Answerer(retriever, retriever.catalog, retriever.settings)


def test_an_answer_tells_what_the_unit_is_what_it_says_and_who_uses_it(answerer):
    final = answerer.answer(Ask("CBREF01"))
    assert final["sentences"][0]["text"] == (
        "`CBREF01` (program, `cbl/CBREF01.cbl` lines 1–4): its comment says “Posts refunds of card purchases to customer accounts”."
    )
    assert "`CBREF01` is run from `STEP010`." in final["answer"]
    assert (final["provider"], final["refused"], final["reason"]) == ("extractive", False, "")


def test_every_citation_is_what_the_indexed_file_says(answerer):
    final = answerer.answer(Ask("how does a refund change the balance of the account?"))
    assert len(final["citations"]) >= 3
    for one in final["citations"]:
        file = answerer.catalog.generation(one["codebase"]).file(one["file_id"])
        assert file.path == one["path"] and one["file_id"] == file_id(one["codebase"], one["path"])
        lines = file.lines[one["start_line"] - 1 : one["end_line"]]
        assert one["quote"] == "\n".join(code_of(line, file.language) for line in lines)
    shown = [sentence for sentence in final["sentences"] if sentence["status"] != "removed"]
    assert 3 <= len(shown) <= 8
    assert {number for sentence in shown for number in sentence["citations"]} == {one["id"] for one in final["citations"]}


def test_the_same_question_gives_the_same_answer(answerer):
    assert len({answerer.answer(Ask("how is interest computed?"))["answer"] for _ in range(3)}) == 1


def test_a_list_question_goes_to_the_graph_and_is_complete(answerer):
    final = answerer.answer(Ask("who performs 9000-FLAG-REVIEW?"))
    assert (final["provider"], final["total"], final["complete"]) == ("graph", 1, True)
    assert final["answer"].startswith("1 use of `9000-FLAG-REVIEW`:")
    assert [(c["path"], c["start_line"]) for c in final["citations"]] == [("cbl/CBREF01.cbl", 9)]


def test_a_list_question_that_the_graph_cannot_answer_goes_to_retrieval(answerer):
    final = answerer.answer(Ask("who calls DSOLVE?"))
    assert final["provider"] == "extractive" and final["citations"]


@pytest.mark.parametrize(
    ("question", "kind", "relation"),
    [
        ("Who calls X?", "graph", "callers"), ("where is X called?", "graph", "callers"), ("what does X call?", "graph", "callees"),
        ("which programs copy X?", "graph", "copies"), ("which job runs X?", "graph", "jobs"), ("who writes X?", "graph", "writers"),
        ("which programs read X?", "graph", "readers"), ("where is X set?", "graph", "setters"), ("what does X do?", "retrieval", ""),
        ("explain X", "retrieval", ""), ("how does X compute interest?", "retrieval", ""),
    ],
)  # fmt: skip
def test_the_router_knows_list_questions(question, kind, relation):
    found = route(question, "explain", True)
    assert (found.kind, found.relation) == (kind, relation)
    assert route(question, "rules", True).kind == "retrieval"
    assert route(question, "explain", False).kind == "retrieval"


def test_a_name_that_exists_nowhere_is_refused_with_near_ones(answerer):
    final = answerer.answer(Ask("what does CBREF09 do?"))
    assert (final["refused"], final["reason"], final["sentences"]) == (True, "unknown_identifier", [])
    assert final["nearest"][0] == "CBREF01" and "CBREF09" in final["answer"]


def test_a_name_that_is_no_symbol_but_stands_in_the_text_is_answered(answerer):
    assert answerer.answer(Ask("what is REPORT-LINE?"))["refused"] is False


def test_a_question_about_something_else_is_refused_and_marked_uncalibrated(answerer):
    final = answerer.answer(Ask("kubernetes autoscaling tensorflow gradients", codebases=("demo",)))
    assert (final["refused"], final["reason"]) == (True, "not_supported")
    assert final["refusal"]["calibrated"] is False


def test_nothing_that_the_filters_admit_is_refused(answerer):
    final = answerer.answer(Ask("refund", codebases=("bank",), languages=("rpg",)))
    assert (final["refused"], final["reason"]) == (True, "nothing_found")


@pytest.mark.parametrize(
    ("ask", "code"),
    [
        (Ask(" "), "bad_request"), (Ask("x" * 3000), "bad_request"), (Ask("x", mode="poem"), "bad_request"), (Ask("x", k=0), "bad_request"),
        (Ask("x", codebases=("nope",)), "bad_request"), (Ask("x", mode="translate"), "needs_provider"),
    ],
)  # fmt: skip
def test_bad_questions_end_in_one_error(answerer, ask, code):
    async def collect():
        return [event async for event in answerer.events(ask)]

    events = asyncio.run(collect())
    assert [(event.name, event.data["code"]) for event in events] == [("error", code)]
    with pytest.raises(LegacyLensError):
        answerer.answer(ask)


def test_the_calibrated_threshold_parts_the_dev_questions_best():
    found = calibrate([(0.9, True), (0.6, True), (0.3, False), (0.35, False), (0.1, False)], "x")
    assert (found.threshold, found.precision, found.recall, found.questions) == (0.475, 1.0, 1.0, 5)
    assert calibrate([(0.9, True)], "x").threshold == 0.0


def test_a_calibration_refuses_at_most_one_in_fifty_wrongly():
    scored = [(0.3 + n / 100, True) for n in range(100)] + [(0.31, False), (0.315, False), (0.5, False)]
    found = calibrate(scored, "x")
    assert sum(score < found.threshold for score, answerable in scored if answerable) <= 2
    assert found.recall > 0


def test_a_calibration_holds_for_its_encoders_only(answerer, tmp_path):
    settings = tiny_settings(tmp_path)
    prints = {"dense": "a", "identifiers": "b"}
    made = Calibration(encoders_key(prints), 0.4, 0.9, 0.8, 50)
    save_calibration(settings, made)
    assert load_calibration(settings, {}, prints) == made
    assert load_calibration(settings, {}, {"dense": "other"}) is None


def test_a_calibration_stored_with_the_index_is_used(answerer, tmp_path):
    prints = answerer.retriever.encoders.fingerprints
    extra = {"calibration": {"encoders": encoders_key(prints), "threshold": 0.7, "precision": 1.0, "recall": 1.0, "questions": 10}}
    assert load_calibration(tiny_settings(tmp_path), extra, prints).threshold == 0.7


@pytest.mark.parametrize(
    ("language", "line", "words"),
    [
        ("cobol", "      * Posts refunds.                        *", "Posts refunds."),
        ("cobol", "000200* Posts refunds.                        *", "Posts refunds."),
        ("cobol", "      *****************************************", ""),
        ("fortran", "C     Solves a system.", "Solves a system."),
        ("fortran", "*> \\brief computes the norm.", "computes the norm."),
        ("jcl", "//* Nightly run", "Nightly run"),
        ("c", " * Moves a field.", "Moves a field."),
        ("c", "/* Moves a field. */", "Moves a field."),
        ("pli", " /* opens the segment */", "opens the segment"),
        ("rpg", "     C* Reads the order", "Reads the order"),
    ],
)
def test_comment_words_lose_their_marks(language, line, words):
    assert comment_words(line, language) == words


def test_block_comments_are_followed_over_lines():
    lines = ["int x; /* starts", "   goes on", "   ends */ int y;", "/* whole */", "f();"]
    assert comment_flags(lines, "c") == [False, True, False, True, False]
    assert comment_flags(["  tail of one */", "f();"], "c") == [True, False]
