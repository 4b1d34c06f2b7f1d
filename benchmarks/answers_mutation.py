"""Mutations of answers over whole indexes: lines shifted, range widened, file swapped, number changed, id invented; caught means removed.

usage: python -m benchmarks.answers_mutation [--save] [CODEBASE...]
"""

import sys
from collections import Counter
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "answer"))

from mutations import KINDS, caught, mutations  # noqa: E402

from benchmarks.common import project_settings, save  # noqa: E402
from legacylens_assets.answer.checks import check  # noqa: E402
from legacylens_assets.answer.evidence import build_sources  # noqa: E402
from legacylens_assets.answer.extractive import compose  # noqa: E402
from legacylens_assets.retrieval.terms import question_terms  # noqa: E402
from legacylens_assets.service import open_service  # noqa: E402
from legacylens_eval.question_sets import shipped_questions  # noqa: E402


def measure(service, codebase: str) -> dict:
    rng = Random(11)
    tried, missed, statuses = Counter(), Counter(), Counter()
    for question in shipped_questions():
        if question.codebase != codebase:
            continue
        result = service.retriever.search(question.question, codebases=(codebase,), k=8)
        terms = question_terms(result.normalised.text)
        sources = build_sources(result.hits, service.catalog, service.settings.context_tokens, terms)
        held = {source.id: source for source in sources}
        for draft in [draft for mode in ("explain", "rules") for draft in compose(terms, sources, service.catalog, mode=mode)]:
            status = check(draft, held, lambda source: True).status
            statuses[status] += 1
            for kind, wrong in mutations(draft, held, rng) if status == "verified" else ():
                tried[kind] += 1
                missed[kind] += not caught(wrong, held)
    total = sum(tried.values())
    return {
        "sentences": dict(statuses), "mutations": total, "caught": round(1 - sum(missed.values()) / total, 4),
        "by_kind": {kind: {"tried": tried[kind], "missed": missed[kind]} for kind in KINDS},
    }  # fmt: skip


def main() -> None:
    service = open_service(project_settings())
    codebases = sorted([a for a in sys.argv[1:] if not a.startswith("-")] or service.catalog.codebases())
    save("answers_mutation", {key: measure(service, key) for key in codebases})


if __name__ == "__main__":
    main()
