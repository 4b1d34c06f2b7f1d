"""Results as `eval run` writes them, made up for the tests of gate, trends and page."""

from legacylens_eval.runner import summaries


def row(name, codebase, found, rr=None, question="how is interest charged?"):
    rr = (1.0 if rr is None else rr) if found else 0.0
    scores = {"hit_rate@10": float(found), "mrr@10": rr, "precision@5": found * 0.2, "recall@5": float(found), "ndcg@10": rr}
    rank = round(1 / rr) if rr else None
    return {
        "id": name, "codebase": codebase, "kind": "locate", "split": "dev", "question": question, "rank_file": rank, "rank_lines": rank,
        "hits": [], "places": [f"{codebase}/src/other.cbl:1-9", f"{codebase}/src/right.cbl:10-20"], "expected": ["src/right.cbl:10-20"],
        "scores": scores, "scores_lines": scores, "ceiling": 0.2, "ceiling_lines": 0.2,
    }  # fmt: skip


def result(rows, stale=(), generation="gen1"):
    return {
        "configuration": {"name": "filtered"}, "generation": generation, "commit": "c" * 40, "summary": summaries(rows),
        "questions": rows, "stale": list(stale), "unanswerable": 0,
    }  # fmt: skip
