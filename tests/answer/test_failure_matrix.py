"""Every failure of a provider, before and after its first token: the order of events, one terminal event, and the next provider's whole answer."""

import asyncio
import re
from time import perf_counter

import pytest
from provider_stub import BROKEN, STATUSES, Script, closed_port, provider_stub
from tiny_index import BANK, make_retriever, tiny_settings

from legacylens_assets.answer import Answerer, Ask, load_providers

GOOD = ("A refund lowers the balance that the customer owes [S1:6-6]. ", "It subtracts REFUND-AMT from ACCT-CURR-BAL [S1:7].")
FIRST = ("Large negative balances go to a clerk [S1:12-12]. ", "It subtracts ")
CODES = {status: "provider_status" for status in STATUSES} | {
    "stall": "provider_timeout", "refused": "provider_connection", "cut": "provider_connection", "eof": "provider_connection",
    "garbage": "provider_connection", "error_frame": ("provider_status", "provider_connection"), "error_event": ("provider_status", "provider_connection"),
}  # fmt: skip
BEFORE = [*sorted(STATUSES), *BROKEN, "refused"]
ORDER = re.compile(r"meta sources (?:(?:(?:token )?(?:citation )*sentence )*warning (?:restart )?)?(?:(?:token )?(?:citation )*sentence )+final ")


@pytest.fixture(scope="module")
def retriever(tmp_path_factory):
    return make_retriever(tiny_settings(tmp_path_factory.mktemp("matrix")), (BANK,))


def script(failure, after):
    if failure in STATUSES:
        return Script(status=failure)
    return Script(FIRST if after else (), failure if failure != "refused" else "ok")


def events_of(retriever, failing, working):
    changed = retriever.settings.replace(
        cerebras_base_url=failing, cerebras_api_key="k1", groq_base_url=working, groq_api_key="k2", first_token_timeout=0.4, token_timeout=0.4,
        answer_timeout=5.0, connect_timeout=1.0,
    )  # fmt: skip

    async def collect():
        answerer = Answerer(retriever, retriever.catalog, changed, load_providers(changed))
        return [(perf_counter(), event) async for event in answerer.events(Ask("how does a refund change the balance?"))]

    return asyncio.run(collect())


def check_events(timed, failure, after):
    events = [event for _, event in timed]
    names = [event.name for event in events]
    assert ORDER.fullmatch(" ".join(names) + " "), names
    (warning,) = [event.data for event in events if event.name == "warning"]
    assert warning["code"] in (CODES[failure] if isinstance(CODES[failure], tuple) else (CODES[failure],))
    assert names.count("restart") == (1 if after else 0)
    final = events[-1].data
    assert final["provider"] == "groq"
    assert final["answer"] == "A refund lowers the balance that the customer owes. [1] It subtracts REFUND-AMT from ACCT-CURR-BAL. [2]"
    last = max(number for number, event in enumerate(events) if event.name in ("warning", "restart"))
    rebuilt = [event.data["text"] for event in events[last:] if event.name == "token"]
    assert rebuilt == [sentence["text"] for sentence in final["sentences"]], "what is shown after the switch is the whole answer"
    return timed[last][0]


@pytest.mark.parametrize("failure", BEFORE)
def test_before_the_first_token(retriever, failure):
    with provider_stub(script(failure, after=False)) as first, provider_stub(Script(GOOD)) as second:
        check_events(events_of(retriever, closed_port() if failure == "refused" else first.address, second.address), failure, after=False)


@pytest.mark.parametrize("failure", BROKEN)
def test_after_the_first_token(retriever, failure):
    with provider_stub(script(failure, after=True)) as first, provider_stub(Script(GOOD)) as second:
        check_events(events_of(retriever, first.address, second.address), failure, after=True)


@pytest.mark.parametrize("failure", BROKEN)
def test_both_providers_fail_and_the_extractive_answer_stands(retriever, failure):
    with provider_stub(script(failure, after=True)) as first, provider_stub(script(failure, after=False)) as second:
        events = [event for _, event in events_of(retriever, first.address, second.address)]
    assert [event.name for event in events].count("warning") == 2
    assert [event.name for event in events if event.name in ("final", "error")] == ["final"]
    assert events[-1].data["provider"] == "extractive" and events[-1].data["citations"]
