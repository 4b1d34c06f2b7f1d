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


def halves(generator, difficulty):
    """Return two disjoint halves of one pool of questions as runs of the same question ids: nothing but chance differs."""
    order = list(range(len(difficulty)))
    generator.shuffle(order)
    middle = len(order) // 2
    found = [generator.random() < difficulty[n] for n in order]
    return result(found[:middle]), result(found[middle:])


def test_twenty_pairs_of_disjoint_halves_raise_at_most_one_alarm():
    generator = random.Random(11)
    difficulty = [generator.choice((0.2, 0.8, 0.95, 0.99)) for _ in range(600)]
    alarms = sum(not judge(*halves(generator, difficulty)).passed for _ in range(20))
    assert alarms <= 1


def test_a_drop_planted_in_one_half_is_caught_through_that_noise():
    generator = random.Random(12)
    difficulty = [generator.choice((0.8, 0.95, 0.99)) for _ in range(600)]
    before, _ = halves(generator, difficulty)
    worse = [row["scores"]["hit_rate@10"] == 1.0 and generator.random() > 0.1 for row in before["questions"]]
    assert not judge(before, result(worse)).passed


def test_a_drop_in_one_codebase_of_six_is_caught_and_named():
    base = [True] * 300
    worse = [number % 6 != 2 or number % 5 < 3 for number in range(300)]
    reasons = judge(result(base), result(worse)).reasons
    assert any(reason.startswith("c2: hit_rate@10 fell") for reason in reasons)
    assert not any(reason.startswith(("c0", "c1", "c3", "c4", "c5")) for reason in reasons)


def test_a_handful_of_lost_questions_is_no_regression():
    assert judge(result([True] * 48), result([False] * 4 + [True] * 44)).passed


def test_a_stale_question_is_left_out_of_the_comparison_not_counted_as_lost():
    base = result([True] * 90)
    aged = result([True] * 90)
    aged["questions"], gone = aged["questions"][3:], aged["questions"][:3]
    aged["stale"] = [{"id": row["id"], "codebase": row["codebase"], "reason": "changed"} for row in gone]
    verdict = judge(base, aged)
    assert verdict.passed
    assert verdict.comparison["lost"] == []
    assert verdict.comparison["differences"]["all"]["questions"] == 87


def test_runs_without_a_question_in_common_are_not_called_a_regression():
    verdict = judge(result([]), result([True] * 5))
    assert verdict.passed
    assert "no question in common" in verdict.reasons[0]


def test_sign_flips_agree_with_counting_every_flip_of_few_changes():
    import itertools

    import numpy as np

    from legacylens_eval.compare import sign_flip

    difference = np.array([-0.5, -0.25, -1.0, 0.5, -0.1, -0.4, 0.0, 0.0])
    changed = np.abs(difference[difference != 0])
    sums = [float(np.dot(signs, changed)) for signs in itertools.product((-1, 1), repeat=len(changed))]
    exact = sum(total <= difference.sum() + 1e-6 for total in sums) / len(sums)
    assert abs(sign_flip(difference) - exact) < 0.01


def test_a_codebase_that_is_not_indexed_is_absent_and_not_worse():
    base = result([True] * 60)
    part = result([True] * 60)
    part["configuration"] = {"not_indexed": ["c1", "c2"]}
    part["questions"] = [row for row in part["questions"] if row["codebase"] not in ("c1", "c2")]
    assert judge(base, part).passed
