"""Fits and measures the refusal: weights and threshold on dev questions, precision and recall with 95 % intervals on dev and test apart.

usage: python -m benchmarks.answers_refusal [--save] [--write] [CODEBASE...]. --write puts the calibration into data/eval/refusal.json and, for the
models that ship, into legacylens_assets/answer/calibration.json. "elsewhere" are answerable questions asked of a codebase they do not belong to.
"""

import hashlib
import json
import sys
from dataclasses import asdict
from pathlib import Path

from benchmarks.common import project_settings, save
from legacylens_assets.answer.refusal import calibrate_index, family, refuse, save_calibration, support
from legacylens_assets.service import open_service
from legacylens_eval.metrics import wilson
from legacylens_eval.question_sets import shipped_questions

SHIPPED = Path(__file__).parent.parent / "legacylens_assets" / "answer" / "calibration.json"


def elsewhere(questions: list, codebases: list[str], split: str) -> list[tuple[str, str]]:
    """Return about a third of the answerable questions with a codebase that is not theirs, chosen by hash."""
    found = []
    for question in questions:
        others = [key for key in codebases if key != question.codebase]
        draw = int(hashlib.sha256(question.id.encode()).hexdigest(), 16)
        if question.answerable and question.split == split and others and draw % 10 < 7:
            found.append((question.question, others[draw // 10 % len(others)]))
    return found


def share(good: int, total: int) -> dict:
    low, high = wilson(good, total)
    return {"value": round(good / total, 3) if total else None, "low": round(low, 3), "high": round(high, 3), "of": total}


def measured(retriever, calibration, questions, far) -> dict:
    rows = [(retriever.search(q.question, codebases=(q.codebase,), k=8), q.answerable) for q in questions]
    outside = [refuse(retriever.search(text, codebases=(key,), k=8), calibration) is not None for text, key in far]
    refused = [answerable for result, answerable in rows if refuse(result, calibration) is not None]
    bad = sum(not answerable for _, answerable in rows)
    pos = [support(result, calibration) for result, answerable in rows if answerable]
    neg = [support(result, calibration) for result, answerable in rows if not answerable]
    auc = sum((p > n) + 0.5 * (p == n) for p in pos for n in neg) / (len(pos) * len(neg)) if pos and neg else None
    return {
        "precision": share(refused.count(False), len(refused)), "recall": share(refused.count(False), bad),
        "wrongly_refused": share(refused.count(True), len(rows) - bad), "elsewhere_refused": share(sum(outside), len(outside)),
        "auc": round(auc, 3) if auc is not None else None,
    }  # fmt: skip


def main() -> None:
    settings = project_settings()
    service = open_service(settings)
    named = [a for a in sys.argv[1:] if not a.startswith("-")]
    codebases = sorted(named or service.catalog.codebases())
    questions = [q for q in shipped_questions() if q.codebase in codebases]
    dev, test = ([q for q in questions if q.split == split] for split in ("dev", "test"))
    calibration = calibrate_index(service.retriever, [(q.question, q.codebase, q.answerable) for q in dev], elsewhere(questions, codebases, "dev"))
    figures = {
        "codebases": codebases, "threshold": calibration.threshold, "weights": calibration.weights,
        "dev": measured(service.retriever, calibration, dev, elsewhere(questions, codebases, "dev")),
        "test": measured(service.retriever, calibration, test, elsewhere(questions, codebases, "test")),
    }  # fmt: skip
    if "--write" in sys.argv:
        save_calibration(settings, calibration)
        prints = service.retriever.encoders.fingerprints
        shipped = {**json.loads(SHIPPED.read_text()), family(prints): asdict(calibration)}
        SHIPPED.write_text(json.dumps(shipped, indent=1, sort_keys=True) + "\n")
    save("answers_refusal", figures)


if __name__ == "__main__":
    main()
