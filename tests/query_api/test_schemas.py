"""Every body and event fits its schema in docs/schema, and so does the example that the schema gives."""

import asyncio
import json
from pathlib import Path

import httpx
import pytest
from provider_stub import Script, provider_stub
from schema_check import problems
from tiny_index import BANK, DEMO, MATHS, make_retriever, tiny_settings

from query_api.app import create_app

SCHEMAS = {
    path.stem: json.loads(path.read_text(encoding="utf-8"))
    for path in sorted((Path(__file__).resolve().parents[2] / "docs" / "schema").glob("*.json"))
}
OURS = {
    "search", "request-search", "request-ask", "error", "healthz", "codebases", "source", "models", "chat-completion",
    *(f"event-{name}" for name in ("meta", "sources", "token", "sentence", "citation", "warning", "restart", "final", "error")),
}  # fmt: skip


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    folder = tmp_path_factory.mktemp("schemas")
    make_retriever(tiny_settings(folder), (BANK, MATHS, DEMO))
    return folder


def send(root, method, path, environ=None, **more):
    async def run():
        app = create_app(tiny_settings(root, **(environ or {})))
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app=app), base_url="http://127.0.0.1") as client:
            return await client.request(method, path, **more)

    return asyncio.run(run())


def events(text):
    for block in text.strip().split("\n\n"):
        lines = dict(line.split(": ", 1) for line in block.split("\n"))
        yield lines["event"], json.loads(lines["data"])


def fits(value, name):
    return problems(value, SCHEMAS[name])


def test_every_body_and_event_of_the_api_has_a_schema():
    assert OURS <= set(SCHEMAS)


@pytest.mark.parametrize("name", sorted(OURS))
def test_the_example_of_a_schema_is_valid(name):
    (example,) = SCHEMAS[name]["examples"]
    assert fits(example, name) == []


@pytest.mark.parametrize("name", sorted(OURS))
def test_a_schema_refuses_an_empty_object(name):
    assert fits({}, name) != []


@pytest.mark.parametrize(
    "body", [{"question": "refund balance"}, {"question": "CBINT02", "k": 50, "explain": True}, {"question": "zzz", "codebase": "maths"}]
)
def test_search_bodies(root, body):
    assert fits(body, "request-search") == []
    assert fits(send(root, "POST", "/search", json=body).json(), "search") == []


@pytest.mark.parametrize(
    "question",
    ["how does a refund change the balance?", "what does CBREF77 do?", "who performs 9000-FLAG-REVIEW?", "CBINT02", "how is interest computed"],
)
def test_events_without_a_model(root, question):
    for name, data in events(send(root, "POST", "/ask", json={"question": question}).text):
        assert fits(data, f"event-{name}") == [], name


@pytest.mark.parametrize("then", ["ok", "cut", "length"])
def test_events_with_a_model(root, then):
    with provider_stub(Script(("A refund lowers the balance that the customer owes [S1:6]. ", "It uses 42 widgets [S1:7]. ", "Then "), then)) as stub:
        environ = {"GROQ_API_KEY": "k", "GROQ_BASE_URL": stub.address}
        found = list(events(send(root, "POST", "/ask", environ, json={"question": "1000-POST-REFUND"}).text))
    assert all(fits(data, f"event-{name}") == [] for name, data in found)
    assert {"sentence", "final"} <= {name for name, _ in found}


def test_error_events_and_bodies(root):
    assert [fits(data, f"event-{name}") for name, data in events(send(root, "POST", "/ask", json={"question": "x", "codebase": "nope"}).text)] == [[]]
    for answer in (
        send(root, "POST", "/search", json={}),
        send(root, "GET", "/nothing"),
        send(root, "GET", "/source/bank/nope"),
        send(root, "PUT", "/search"),
    ):
        assert answer.status_code >= 400
        assert fits(answer.json(), "error") == []


@pytest.mark.parametrize(("path", "name"), [("/healthz", "healthz"), ("/codebases", "codebases"), ("/v1/models", "models")])
def test_other_bodies(root, path, name):
    assert fits(send(root, "GET", path).json(), name) == []


def test_source_and_chat_bodies(root):
    hit = send(root, "POST", "/search", json={"question": "CBREF01", "k": 1}).json()["hits"][0]
    assert fits(send(root, "GET", f"/source/bank/{hit['file_id']}").json(), "source") == []
    body = {"model": "legacylens", "messages": [{"role": "user", "content": "CBREF01"}]}
    assert fits(send(root, "POST", "/v1/chat/completions", json=body).json(), "chat-completion") == []
