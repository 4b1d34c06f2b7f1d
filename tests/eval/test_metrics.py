"""Numbers by hand: every expectation is written out."""

import math

import pytest

from legacylens_eval.metrics import Ranked, by_file, by_lines, ceiling, rank_of_first, score_all, summarise, wilson
from legacylens_eval.resolve import Place


def hit(path, start=1, end=5, unit=""):
    return Ranked(path, start, end, unit)


def test_a_relevant_file_at_rank_two_scores_one_half():
    ranking = by_file([hit("a"), hit("b")], [Place("b", 1, 2)])
    assert rank_of_first(*ranking) == 2
    assert score_all({"q": ranking})["q"]["mrr@10"] == pytest.approx(1 / 2)


def test_a_repeated_file_counts_once_and_keeps_its_ranks():
    ranked, relevant = by_file([hit("a"), hit("a", 9, 12), hit("b")], [Place("a", 1, 2), Place("b", 1, 1)])
    scores = score_all({"q": (ranked, relevant)})["q"]
    assert scores["precision@5"] == pytest.approx(2 / 5)
    assert scores["ndcg@10"] == pytest.approx((1 + 1 / math.log2(4)) / (1 + 1 / math.log2(3)))


def test_parts_of_one_unit_count_as_one_hit():
    ranked, _ = by_file([hit("a", 1, 5, "P.ONE"), hit("a", 6, 9, "P.ONE"), hit("b")], [Place("b", 1, 1)])
    assert ranked == ["a", "b"]


def test_line_overlap_needs_the_same_file_and_a_shared_line():
    hits = [hit("a", 1, 9), hit("a", 10, 20), hit("b", 12, 14)]
    assert rank_of_first(*by_lines(hits, [Place("a", 20, 30)])) == 2
    assert rank_of_first(*by_lines(hits, [Place("a", 21, 30)])) is None


def test_nothing_found_scores_zero_everywhere():
    scores = score_all({"q": by_file([], [Place("a", 1, 1)])})["q"]
    assert set(scores.values()) == {0.0}


def test_the_eleventh_rank_does_not_count():
    ranking = by_file([hit(f"f{n}") for n in range(10)] + [hit("z")], [Place("z", 1, 1)])
    assert score_all({"q": ranking})["q"]["hit_rate@10"] == 0.0


def test_precision_comes_with_its_ceiling():
    summary = summarise([{"hit_rate@10": 1.0, "mrr@10": 1.0, "precision@5": 0.2, "recall@5": 1.0, "ndcg@10": 1.0}], [ceiling(["a"])])
    assert summary["precision@5"] == {"value": 0.2, "low": 0.2, "high": 0.2, "ceiling": 0.2}


def test_wilson_matches_the_published_example():
    # 0.95 of 20: the interval that FACTS quotes, 0.76 to 0.99.
    low, high = wilson(19, 20)
    assert (round(low, 2), round(high, 2)) == (0.76, 0.99)
