"""Over answers on the samples: every true sentence is verified, and what makes it untrue is caught. Weak does not count as caught."""

import shutil
from collections import Counter
from random import Random

import pytest
from mutations import KINDS, caught, mutations

from legacylens_assets.answer import Answerer, Ask
from legacylens_assets.answer.checks import check
from legacylens_assets.answer.evidence import build_sources
from legacylens_assets.answer.extractive import compose
from legacylens_assets.pipeline import reindex
from legacylens_assets.registry import load_registry
from legacylens_assets.retrieval.terms import question_terms
from legacylens_assets.service import open_service
from legacylens_assets.settings import load_settings
from legacylens_eval.question_sets import shipped_questions
from tests.conftest import REPOSITORY

QUESTIONS = [q for q in shipped_questions() if q.codebase == "samples" and q.answerable][::3]


@pytest.fixture(scope="module")
def service(tmp_path_factory):
    root = tmp_path_factory.mktemp("mutations")
    shutil.copytree(REPOSITORY / "data" / "samples", root / "data" / "samples")
    shutil.copy(REPOSITORY / "data" / "codebases.toml", root / "data" / "codebases.toml")
    settings = load_settings(root, {"LEGACYLENS_DENSE": "hash"})
    (run,) = reindex([load_registry(settings.registry_path).get("samples")], settings)
    assert run.error is None
    return open_service(settings)


@pytest.fixture(scope="module")
def answers(service):
    """Sources and drafts of the answers to every third question on the samples, in two modes."""
    found = []
    for question in QUESTIONS:
        result = service.retriever.search(question.question, codebases=("samples",), k=8)
        terms = question_terms(result.normalised.text)
        sources = build_sources(result.hits, service.catalog, 6000, terms)
        held = {source.id: source for source in sources}
        found += [(held, draft) for mode in ("explain", "rules") for draft in compose(terms, sources, service.catalog, mode=mode)]
    return found


def test_true_sentences_are_verified(answers):
    statuses = Counter(check(draft, sources, lambda source: True).status for sources, draft in answers)
    assert statuses["verified"] > 200
    assert statuses["verified"] >= 0.98 * sum(statuses.values())


def test_at_least_99_of_100_mutations_are_caught(answers):
    rng = Random(11)
    tried, missed = Counter(), Counter()
    for sources, draft in answers:
        if check(draft, sources, lambda source: True).status != "verified":
            continue
        for kind, wrong in mutations(draft, sources, rng):
            tried[kind] += 1
            missed[kind] += not caught(wrong, sources)
    assert set(tried) == set(KINDS)
    assert sum(missed.values()) <= 0.01 * sum(tried.values()), {kind: f"{missed[kind]} of {tried[kind]}" for kind in KINDS}


def test_no_invalid_citation_is_shown(service):
    answerer = Answerer(service.retriever, service.catalog, service.settings)
    for question in QUESTIONS[::3]:
        final = answerer.answer(Ask(question.question, ("samples",)))
        for one in final["citations"]:
            lines = service.catalog.generation("samples").file(one["file_id"]).lines
            assert 1 <= one["start_line"] <= one["end_line"] <= len(lines)
        shown = {number for sentence in final["sentences"] if sentence["status"] != "removed" for number in sentence["citations"]}
        assert shown == {one["id"] for one in final["citations"]}
