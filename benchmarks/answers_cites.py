"""How often an answer without a model cites lines that answer the question, with 95 % intervals; invalid citations; first-token and total times.

usage: python -m benchmarks.answers_cites [--save] [--dev] [--show N] [CODEBASE...]. Test questions unless --dev.
"""

import asyncio
import sys
from time import perf_counter

from benchmarks.common import percentile, project_settings, save
from legacylens_assets.answer import Answerer, Ask
from legacylens_assets.service import open_service
from legacylens_eval.metrics import wilson
from legacylens_eval.question_sets import shipped_questions
from legacylens_eval.resolve import Resolver


def overlaps(cited: dict, places: list) -> bool:
    return any(cited["path"] == p.path and cited["start_line"] <= p.end_line and p.start_line <= cited["end_line"] for p in places)


def valid(cited: dict, service) -> bool:
    file = service.catalog.generation(cited["codebase"]).file(cited["file_id"])
    inside = 1 <= cited["start_line"] <= cited["end_line"] <= len(file.lines)
    first = cited["quote"].split("\n")[0].strip()
    return inside and file.path == cited["path"] and first in file.lines[cited["start_line"] - 1]


async def asked(answerer: Answerer, ask: Ask) -> tuple[dict, float, float]:
    """Return the final event, milliseconds to the first token, and to the end."""
    start, first, final = perf_counter(), 0.0, {}
    async for event in answerer.events(ask):
        if event.name == "token" and not first:
            first = 1000 * (perf_counter() - start)
        if event.name == "final":
            final = dict(event.data)
    return final, first, 1000 * (perf_counter() - start)


def measure(service, codebase: str, split: str, show: int) -> dict:
    answerer = Answerer(service.retriever, service.catalog, service.settings)
    resolver = Resolver(service.reader.generation_dir(codebase))
    rows = []
    for question in shipped_questions():
        if question.codebase != codebase or question.split != split or not question.answerable:
            continue
        places, stale = resolver.places(question)
        if stale:
            continue
        hits = service.retriever.search(question.question, codebases=(codebase,), k=8).hits
        found = [{"path": h.path, "start_line": h.start_line, "end_line": h.end_line} for h in hits]
        final, first, total = asyncio.run(asked(answerer, Ask(question.question, (codebase,))))
        shown = [s for s in final["sentences"] if s["status"] != "removed"]
        if len(rows) < show:
            print(f"\n## {question.question}\n", *(f"- [{s['status']}] {s['text']}" for s in shown), sep="\n", file=sys.stderr)
        rows.append(
            {
                "cited": any(overlaps(c, places) for c in final["citations"]), "hit": any(overlaps(h, places) for h in found),
                "file": any(h["path"] == p.path for h in found for p in places), "refused": final["refused"], "first": first, "total": total,
                "sentences": len(shown), "weak": sum(s["status"] == "weak" for s in shown), "removed": len(final["sentences"]) - len(shown),
                "citations": len(final["citations"]), "invalid": sum(not valid(c, service) for c in final["citations"]),
            }
        )  # fmt: skip
    n = len(rows)

    def share(name: str) -> dict:
        good = sum(row[name] for row in rows)
        low, high = wilson(good, n)
        return {"value": round(good / n, 3), "low": round(low, 3), "high": round(high, 3)}

    return {
        "questions": n, "cites_a_relevant_range": share("cited"), "lines_in_top_8": share("hit"), "file_in_top_8": share("file"),
        "refused": sum(row["refused"] for row in rows), "sentences": sum(row["sentences"] for row in rows), "weak": sum(row["weak"] for row in rows),
        "removed": sum(row["removed"] for row in rows), "citations": sum(row["citations"] for row in rows),
        "invalid_citations_shown": sum(row["invalid"] for row in rows),
        "first_token_ms": {"p50": round(percentile([r["first"] for r in rows], 0.5)), "p95": round(percentile([r["first"] for r in rows], 0.95))},
        "total_ms": {"p50": round(percentile([r["total"] for r in rows], 0.5)), "p95": round(percentile([r["total"] for r in rows], 0.95))},
    }  # fmt: skip


def main() -> None:
    service = open_service(project_settings())
    show = int(sys.argv[sys.argv.index("--show") + 1]) if "--show" in sys.argv else 0
    named = [a for a in sys.argv[1:] if not a.startswith("-") and not a.isdigit()]
    split = "dev" if "--dev" in sys.argv else "test"
    codebases = sorted(named or service.catalog.codebases())
    save("answers_cites", {"split": split, **{key: measure(service, key, split, show) for key in codebases}})


if __name__ == "__main__":
    main()
