"""The OpenAI-compatible routes, by hand and with the official client when it is installed."""

import asyncio
import json
import socket
import threading
import time

import httpx
import pytest
from tiny_index import BANK, make_retriever, tiny_settings

from query_api.app import create_app

ASKED = {"messages": [{"role": "system", "content": "be brief"}, {"role": "user", "content": "how is a refund posted to the balance?"}]}


@pytest.fixture(scope="module")
def app(tmp_path_factory):
    settings = tiny_settings(tmp_path_factory.mktemp("openai"))
    make_retriever(settings, (BANK,))
    return create_app(settings)


def send(app, method, path, **more):
    async def run():
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app=app), base_url="http://127.0.0.1") as client:
            return await client.request(method, path, **more)

    return asyncio.run(run())


def chunks_of(text):
    lines = [line[6:] for line in text.split("\n") if line.startswith("data: ")]
    assert lines[-1] == "[DONE]"
    return [json.loads(line) for line in lines[:-1]]


def test_models_are_one_for_all_and_one_each(app):
    assert [one["id"] for one in send(app, "GET", "/v1/models").json()["data"]] == ["legacylens", "legacylens/bank"]


def test_a_completion_holds_the_answer_and_its_citations(app):
    found = send(app, "POST", "/v1/chat/completions", json={"model": "legacylens/bank", **ASKED}).json()
    message = found["choices"][0]["message"]
    assert found["object"] == "chat.completion" and found["choices"][0]["finish_reason"] == "stop"
    assert "[1] bank/cbl/CBREF01.cbl:" in message["content"]
    assert found["legacylens"]["citations"]


def test_a_stream_adds_up_to_the_completion_and_ends_with_usage(app):
    whole = send(app, "POST", "/v1/chat/completions", json={"model": "legacylens", **ASKED}).json()["choices"][0]["message"]["content"]
    body = {"model": "legacylens", "stream": True, "stream_options": {"include_usage": True}, **ASKED}
    found = chunks_of(send(app, "POST", "/v1/chat/completions", json=body).text)
    text = "".join(chunk["choices"][0]["delta"].get("content", "") for chunk in found if chunk["choices"])
    assert text == whole
    assert found[-1]["choices"] == [] and set(found[-1]["usage"]) == {"prompt_tokens", "completion_tokens", "total_tokens"}
    assert [chunk["choices"][0]["finish_reason"] for chunk in found if chunk["choices"]][-1] == "stop"
    assert len({chunk["id"] for chunk in found}) == 1


def test_content_may_come_in_parts(app):
    parts = [{"type": "text", "text": "what does CBREF01 do?"}, {"type": "image_url", "image_url": {"url": "data:,"}}]
    found = send(app, "POST", "/v1/chat/completions", json={"model": "legacylens", "messages": [{"role": "user", "content": parts}]}).json()
    assert "CBREF01" in found["choices"][0]["message"]["content"]


@pytest.mark.parametrize(
    ("body", "status"), [({"model": "gpt-4", **ASKED}, 404), ({"model": "legacylens", "messages": []}, 400), ({"model": "legacylens"}, 422)]
)
def test_bad_requests_are_named(app, body, status):
    answer = send(app, "POST", "/v1/chat/completions", json=body)
    assert answer.status_code == status and answer.json()["error"]["message"]


@pytest.fixture
def address(app):
    """The app on a real socket."""
    import uvicorn

    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        port = held.getsockname()[1]
    server = uvicorn.Server(uvicorn.Config(app, host="127.0.0.1", port=port, log_level="error"))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    for _ in range(200):
        if server.started:
            break
        time.sleep(0.02)
    yield f"http://127.0.0.1:{port}"
    server.should_exit = True
    thread.join(5)


def test_the_official_client_works(address):
    openai = pytest.importorskip("openai")
    with openai.OpenAI(base_url=f"{address}/v1", api_key="none", max_retries=0) as client:
        assert [model.id for model in client.models.list()] == ["legacylens", "legacylens/bank"]
        whole = client.chat.completions.create(model="legacylens", messages=ASKED["messages"])
        assert "[1] bank/" in whole.choices[0].message.content
        stream = client.chat.completions.create(model="legacylens", messages=ASKED["messages"], stream=True, stream_options={"include_usage": True})
        parts = list(stream)
        assert "".join(part.choices[0].delta.content or "" for part in parts if part.choices) == whole.choices[0].message.content
        assert parts[-1].usage is not None
        with pytest.raises(openai.NotFoundError):
            client.chat.completions.create(model="gpt-4", messages=ASKED["messages"])


def test_a_real_client_may_hang_up(address):
    with httpx.stream("POST", f"{address}/ask", json={"question": "how is a refund posted?"}) as answer:
        assert next(answer.iter_lines()).startswith("event: meta")
    assert httpx.get(f"{address}/healthz").status_code == 200
