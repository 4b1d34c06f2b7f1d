"""Routes over a tiny index: bodies, errors, streams, limits, headers."""

import asyncio
import json
import subprocess
import sys
from pathlib import Path

import httpx
import pytest
from provider_stub import Script, provider_stub
from tiny_index import BANK, DEMO, MATHS, make_retriever, tiny_settings

from legacylens_assets.answer import Ask
from legacylens_assets.settings import load_settings
from query_api.app import create_app
from query_api.guard import RateLimit, allowed_hosts, host_allowed
from query_api.routes.ask import stream, with_heartbeat
from query_api.services import Services

REPOSITORY = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    folder = tmp_path_factory.mktemp("api")
    make_retriever(tiny_settings(folder), (BANK, MATHS, DEMO))
    return folder


@pytest.fixture
def call(root):
    return caller(create_app(tiny_settings(root)))


def caller(app, base="http://127.0.0.1:8000"):
    """Return a function that sends one request to an app, without a socket."""

    def send(method, path, **more):
        async def run():
            transport = httpx.ASGITransport(app=app, raise_app_exceptions=False)
            async with httpx.AsyncClient(transport=transport, base_url=base) as client:
                return await client.request(method, path, **more)

        return asyncio.run(run())

    return send


def events(text):
    found = []
    for block in text.strip().split("\n\n"):
        lines = dict(line.split(": ", 1) for line in block.split("\n"))
        found.append((lines["event"], json.loads(lines["data"])))
    return found


def test_health_names_the_generation(call):
    found = call("GET", "/healthz").json()
    assert (found["status"], found["codebases"]) == ("ok", 3)
    assert found["generation"]


def test_health_without_an_index(tmp_path):
    assert caller(create_app(tiny_settings(tmp_path)))("GET", "/healthz").json()["status"] == "empty"


def test_codebases_list_what_can_be_asked(call):
    found = {one["codebase"]: one for one in call("GET", "/codebases").json()["codebases"]}
    assert found["bank"]["languages"] == ["cobol", "jcl", "text"]
    assert found["demo"]["role"] == "sample"


def test_search_by_post_and_get_give_the_same_hits(call):
    posted = call("POST", "/search", json={"question": "refund balance", "codebase": ["bank", "maths"], "not_language": "text", "k": 4}).json()
    got = call("GET", "/search?question=refund+balance&codebase=bank&codebase=maths&not_language=text&k=4").json()
    assert posted["hits"] == got["hits"] and len(posted["hits"]) == 4


@pytest.mark.parametrize(
    ("body", "status", "says"),
    [
        ({"question": ""}, 422, "question"),
        ({"question": "   "}, 400, "empty"),
        ({"question": "x" * 2001}, 400, "at most 2000"),
        ({"question": "x", "k": 51}, 422, "k"),
        ({"question": "x", "codebase": "bnk"}, 400, "did you mean bank"),
        ({"question": "x", "colour": 1}, 422, "colour"),
    ],
)
def test_bad_questions_are_named(call, body, status, says):
    answer = call("POST", "/search", json=body)
    assert answer.status_code == status
    assert says in answer.json()["error"]["message"]
    assert set(answer.json()["error"]) == {"code", "message", "retryable"}


def test_no_index_is_retryable_later(tmp_path):
    answer = caller(create_app(tiny_settings(tmp_path)))("POST", "/search", json={"question": "x"})
    assert (answer.status_code, answer.json()["error"]["code"]) == (503, "no_index")


def test_ask_streams_events_in_order_with_one_terminal(call):
    answer = call("POST", "/ask", json={"question": "how is a refund posted to the balance?", "codebase": "bank"})
    found = events(answer.text)
    names = [name for name, _ in found]
    assert answer.headers["content-type"].startswith("text/event-stream")
    assert names[:2] == ["meta", "sources"] and names[-1] == "final"
    assert sum(name in ("final", "error") for name in names) == 1
    final = found[-1][1]
    assert {
        "question",
        "answer",
        "sentences",
        "citations",
        "refused",
        "reason",
        "nearest",
        "provider",
        "profile",
        "generation",
        "usage",
        "timings_ms",
    } <= set(final)
    assert final["provider"] == "extractive" and final["citations"]
    sent = {source["id"]: source for source in found[1][1]["sources"]}
    for one in final["citations"]:
        assert sent[one["source"]]["start_line"] <= one["start_line"] <= one["end_line"] <= sent[one["source"]]["end_line"]


def test_ask_refuses_a_name_that_exists_nowhere(call):
    final = events(call("POST", "/ask", json={"question": "what does program CBREF77 do?"}).text)[-1][1]
    assert (final["refused"], final["reason"], final["citations"]) == (True, "unknown_identifier", [])
    assert "CBREF01" in final["nearest"]


def test_ask_reports_an_error_as_its_terminal_event(call):
    found = events(call("POST", "/ask", json={"question": "x", "codebase": "nope"}).text)
    assert [name for name, _ in found] == ["error"]
    assert found[0][1]["code"] == "bad_request"
    assert events(call("POST", "/ask", json={"question": "x", "mode": "translate"}).text)[0][1]["code"] == "needs_provider"


def test_source_serves_indexed_lines_only(call):
    hit = call("POST", "/search", json={"question": "1000-POST-REFUND", "codebase": "bank", "k": 1}).json()["hits"][0]
    found = call("GET", f"/source/bank/{hit['file_id']}?start=5&end=7").json()
    assert [line["number"] for line in found["lines"]] == [5, 6, 7]
    assert found["lines"][0]["text"].strip() == "1000-POST-REFUND."
    assert call("GET", f"/source/bank/{hit['file_id']}?start=15&end=999").json()["end_line"] == 15
    assert call("GET", f"/source/bank/{hit['file_id']}?start=9&end=2").status_code == 400
    for path in ("/source/bank/..%2f..%2fetc%2fpasswd", "/source/bank/nope", f"/source/nope/{hit['file_id']}", "/source/bank/../../../etc/passwd"):
        assert call("GET", path).status_code == 404


@pytest.mark.parametrize("host", ["evil.example", "evil.example:8000", "localhost.evil.example", "127.0.0.1.evil.example"])
def test_a_rebound_name_is_refused(call, host):
    assert call("GET", "/healthz", headers={"host": host}).status_code == 421


@pytest.mark.parametrize("host", ["localhost", "localhost:8000", "127.0.0.1", "[::1]:8000", "192.168.1.7:8000"])
def test_local_names_and_addresses_are_served(call, host):
    assert call("GET", "/healthz", headers={"host": host}).status_code == 200


def test_further_host_names_come_from_the_setting():
    allowed = allowed_hosts(load_settings(Path("."), {"LEGACYLENS_ALLOWED_HOSTS": "Lens.example, api "}))
    assert [host_allowed(host, allowed) for host in ("lens.example:8000", "api", "localhost", "evil.example")] == [True, True, True, False]


def test_another_sites_page_may_not_ask(call):
    answer = call("POST", "/search", json={"question": "x"}, headers={"origin": "https://evil.example"})
    assert answer.status_code == 403
    assert "access-control-allow-origin" not in call("GET", "/healthz", headers={"origin": "https://evil.example"}).headers


def test_a_form_post_is_refused(call):
    assert call("POST", "/search", content='{"question": "x"}', headers={"content-type": "text/plain"}).status_code == 422


def test_a_large_body_is_refused(call):
    assert call("POST", "/search", content=b"x" * 300_000, headers={"content-type": "application/json"}).status_code == 413


def test_the_rate_limit_says_when_to_come_back(root):
    send = caller(create_app(tiny_settings(root, LEGACYLENS_RATE_LIMIT="2")))
    codes = [send("POST", "/search", json={"question": "refund"}).status_code for _ in range(3)]
    last = send("POST", "/search", json={"question": "refund"})
    assert codes == [200, 200, 429]
    assert last.json()["error"]["retryable"] and int(last.headers["retry-after"]) > 0
    assert send("GET", "/healthz").status_code == 200


def test_tokens_come_back_with_time():
    now = [0.0]
    limit = RateLimit(60, now=lambda: now[0])
    assert [limit.wait("a") for _ in range(60)] == [0.0] * 60
    assert limit.wait("a") == 1.0
    assert limit.wait("b") == 0.0
    now[0] = 1.0
    assert limit.wait("a") == 0.0


def test_an_unexpected_failure_tells_the_client_nothing(root, caplog):
    class Broken(Services):
        @property
        def retriever(self):
            raise RuntimeError("secret path /x")

    settings = tiny_settings(root)
    answer = caller(create_app(settings, Broken(settings)))("POST", "/search", json={"question": "x"})
    assert (answer.status_code, answer.json()["error"]["code"]) == (500, "internal")
    assert "secret" not in answer.text


def test_the_page_and_its_files_come_from_here_only(call):
    page = call("GET", "/")
    assert page.status_code == 200 and "default-src 'none'" in page.headers["content-security-policy"]
    assert "http://" not in page.text and "https://" not in page.text and "<script>" not in page.text and "style=" not in page.text
    script = call("GET", "/static/page.js")
    assert script.headers["content-type"].startswith("text/javascript")
    assert "innerHTML" not in script.text and "https://" not in script.text
    for path in ("/static/nope.js", "/static/..%2fapp.py", "/static/../app.py"):
        assert call("GET", path).status_code == 404


def test_metrics_count_requests_and_answers(call):
    call("POST", "/ask", json={"question": "how is a refund posted?"})
    text = call("GET", "/metrics").text
    assert 'legacylens_requests_total{method="POST",route="/ask",status="200"} 1' in text
    assert 'legacylens_answers_total{outcome="answered",provider="extractive"} 1' in text


def test_a_heartbeat_comes_while_nothing_else_does():
    async def slow():
        await asyncio.sleep(0.08)
        yield "event"

    async def collect():
        return [item async for item in with_heartbeat(slow(), 0.02)]

    found = asyncio.run(collect())
    assert found[-1] == "event" and found.count(None) >= 1


def test_a_client_that_leaves_cancels_the_provider(root):
    with provider_stub(Script(("A refund lowers the balance [S1:6]. ", "more "), "stall")) as stub:
        settings = tiny_settings(root, GROQ_API_KEY="k", GROQ_BASE_URL=stub.address, LEGACYLENS_TOKEN_TIMEOUT="20")

        async def leave():
            answer = stream(Services(settings), Ask("1000-POST-REFUND"))
            async for part in answer:
                if b"event: sentence" in part:
                    break
            await answer.aclose()

        asyncio.run(leave())
        assert stub.hung_up.wait(3)


def test_the_api_starts_without_dagster_and_without_models():
    code = "import query_api.app, sys; print(sorted(m for m in sys.modules if m.split('.')[0] in ('dagster', 'onnxruntime', 'fastembed', 'pandas', 'qdrant_client')))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=REPOSITORY, check=True)
    assert run.stdout.strip() == "[]"
