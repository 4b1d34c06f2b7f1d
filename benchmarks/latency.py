"""Search latency by stage over the questions that ship, models and index warm.

usage: python -m benchmarks.latency [--save]
"""

import time

from benchmarks.common import percentile, project_settings, save
from legacylens_assets.service import open_service
from legacylens_eval.question_sets import shipped_questions


def measure(service, questions, filtered: bool) -> dict:
    stages: dict[str, list[float]] = {}
    for question in questions:
        where = (question.codebase,) if filtered else ()
        start = time.perf_counter()
        result = service.retriever.search(question.question, codebases=where, k=10).to_json()
        stages.setdefault("whole", []).append((time.perf_counter() - start) * 1000)
        for name, value in result["timings_ms"].items():
            stages.setdefault(name, []).append(value)
    return {name: {"p50_ms": round(percentile(v, 0.5), 2), "p95_ms": round(percentile(v, 0.95), 2)} for name, v in stages.items()}


def main() -> None:
    service = open_service(project_settings())
    generations = service.reader.snapshot().generations
    questions = [q for q in shipped_questions() if q.codebase in generations]
    points = sum(service.reader.info(key).points for key in generations)
    for question in questions[:10]:
        service.retriever.search(question.question, k=10)
    for key in generations:
        service.retriever.search("warm up", codebases=(key,), k=10)
    figures = {
        "points": points,
        "questions": len(questions),
        "filtered": measure(service, questions, True),
        "unfiltered": measure(service, questions, False),
    }
    save("latency", figures)


if __name__ == "__main__":
    main()
