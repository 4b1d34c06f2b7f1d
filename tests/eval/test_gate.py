"""The gate must catch a planted drop and stay quiet on noise."""

import random

from legacylens_eval.gate import judge


def result(hits, mrr=None):
    rows = []
    for number, found in enumerate(hits):
        rr = mrr[number] if mrr else float(found)
        scores = {"hit_rate@10": float(found), "mrr@10": rr, "precision@5": found * 0.2, "ndcg@10": rr}
        rows.append({"id": f"q{number}", "codebase": f"c{number % 6}", "scores": scores})
    return {"configuration": {}, "questions": rows, "stale": []}


def test_the_same_result_passes():
    assert judge(result([True] * 90 + [False] * 10), result([True] * 90 + [False] * 10)).passed


def test_a_planted_ten_point_drop_is_caught():
    base = [True] * 290 + [False] * 30
    worse = [found and number % 9 != 0 for number, found in enumerate(base)]
    verdict = judge(result(base), result(worse))
    assert not verdict.passed
    assert any(reason.startswith("all: hit_rate@10 fell") for reason in verdict.reasons)


def test_twenty_runs_with_seeded_noise_raise_at_most_one_alarm():
    generator = random.Random(7)
    base = [generator.random() < 0.85 for _ in range(320)]
    alarms = 0
    for _ in range(20):
        # Noise: as many questions are won as lost, on average; about 4 % of all change.
        noisy = [not found if generator.random() < (0.03 if found else 0.17) else found for found in base]
        alarms += not judge(result(base), result(noisy)).passed
    assert alarms <= 1


def test_a_fall_of_ranks_alone_is_caught_by_mrr():
    base, worse = [1.0] * 200, [0.5] * 200
    verdict = judge(result([True] * 200, base), result([True] * 200, worse))
    assert [reason.split(" fell")[0] for reason in verdict.reasons if reason.startswith("all")] == ["all: mrr@10"]


def test_a_question_missing_from_the_run_scores_zero():
    base = result([True] * 60)
    short = result([True] * 60)
    short["questions"] = short["questions"][:30]
    assert not judge(base, short).passed


def test_too_many_stale_questions_fail_the_gate():
    good = result([True] * 90)
    aged = {**good, "stale": [{"id": f"s{n}", "codebase": "c0", "reason": "changed"} for n in range(10)]}
    assert any("stale" in reason for reason in judge(good, aged).reasons)
