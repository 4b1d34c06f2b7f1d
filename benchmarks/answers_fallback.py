"""Seconds from a provider's failure to the next provider's first token, for every failure of the stub; overhead at 2,000 tokens a second.

usage: python -m benchmarks.answers_fallback [--save]. Asks a stub on loopback: never a provider's speed.
"""

import asyncio
import statistics
import sys
import tempfile
from pathlib import Path
from time import perf_counter

sys.path[:0] = [str(Path(__file__).parent.parent / "tests"), str(Path(__file__).parent.parent / "tests" / "answer")]

from provider_stub import BROKEN, STATUSES, Script, closed_port, provider_stub  # noqa: E402
from test_failure_matrix import GOOD, events_of, script  # noqa: E402
from tiny_index import BANK, make_retriever, tiny_settings  # noqa: E402

from benchmarks.common import percentile, save  # noqa: E402
from legacylens_assets.answer import Answerer, Ask, load_providers  # noqa: E402

SENTENCE = "A refund lowers the balance that the customer owes [S1:6-6]. "
TOKENS_PER_SECOND = 2000
TRIES = 3


def time_to_fall_back(retriever, failure: str, after: bool) -> dict:
    """Return milliseconds from the question's sources to the first token of the second provider, and from the warning."""
    found = []
    for _ in range(TRIES):
        with provider_stub(script(failure, after)) as first, provider_stub(Script(GOOD)) as second:
            timed = events_of(retriever, closed_port() if failure == "refused" else first.address, second.address)
        sources = next(at for at, event in timed if event.name == "sources")
        warned = next(number for number, (_, event) in enumerate(timed) if event.name == "warning")
        token = next(at for at, event in timed[warned:] if event.name == "token")
        terminal = [event.name for _, event in timed if event.name in ("final", "error")]
        found.append((1000 * (token - sources), 1000 * (token - timed[warned][0]), terminal == ["final"]))
    return {
        "sources_to_second_token_ms": round(statistics.median(row[0] for row in found), 1),
        "failure_to_second_token_ms": round(statistics.median(row[1] for row in found), 1), "one_terminal": all(row[2] for row in found),
    }  # fmt: skip


def overhead(retriever) -> dict:
    """Return what reading, checking and sending cost beside the stub's own time for an answer of 20 sentences."""
    pieces = tuple(word + " " for word in (SENTENCE * 20).split())
    settings = retriever.settings.replace(groq_api_key="k")
    rows = []
    with provider_stub(Script(pieces, delay=1 / TOKENS_PER_SECOND)) as stub:
        changed = settings.replace(groq_base_url=stub.address)

        async def run() -> None:
            provider = load_providers(changed)[0]
            answerer = Answerer(retriever, retriever.catalog, changed, [provider])
            for _ in range(TRIES + 1):
                start = perf_counter()
                async for _ in provider.stream([{"role": "user", "content": "x"}], 1200):
                    pass
                alone = perf_counter() - start
                start, first = perf_counter(), 0.0
                async for event in answerer.events(Ask("how does a refund change the balance?")):
                    first = first or (perf_counter() - start if event.name == "token" else 0.0)
                rows.append((alone, perf_counter() - start, first))

        asyncio.run(run())
    extra = [1000 * (whole - alone) for alone, whole, _ in rows[1:]]
    return {
        "tokens": len(pieces), "stream_alone_ms": round(1000 * statistics.median(r[0] for r in rows[1:]), 1), "overhead_ms": round(statistics.median(extra), 1),
        "first_token_ms": round(1000 * percentile([r[2] for r in rows[1:]], 0.5), 1),
    }  # fmt: skip


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        retriever = make_retriever(tiny_settings(Path(folder)), (BANK,))
        figures = {
            "before_first_token": {failure: time_to_fall_back(retriever, failure, False) for failure in [*sorted(STATUSES), *BROKEN, "refused"]},
            "after_first_token": {failure: time_to_fall_back(retriever, failure, True) for failure in BROKEN},
            "overhead_at_2000_tokens_a_second": overhead(retriever),
        }
    save("answers_fallback", figures)


if __name__ == "__main__":
    main()
