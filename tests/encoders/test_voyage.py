"""The Voyage encoder with the real SDK, against a stub on loopback that speaks the wire format. Nothing here says anything of the service's quality or speed."""

from __future__ import annotations

import base64
import json
import socket
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import numpy as np
import pytest

from legacylens_assets.encoders.voyage import ATTEMPTS, BATCH_TEXTS, LONGEST_WAIT, VoyageEncoder
from legacylens_assets.errors import EncoderError
from legacylens_assets.settings import load_settings

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")
voyageai = pytest.importorskip("voyageai", reason="extra `cloud` is not installed")
DIMENSION = 256
Answer = Callable[["Stub", dict[str, Any]], tuple[int, dict[str, str], bytes]]


def vectors(request: dict[str, Any], dimension: int = DIMENSION) -> bytes:
    """Answer as the service does: base64 float32, one vector a text, that of text n pointing along axis len(text)."""
    data = []
    for index, text in enumerate(request["input"]):
        vector = np.zeros(dimension, dtype=np.float32)
        vector[len(text) % dimension] = 2.0
        data.append({"object": "embedding", "index": index, "embedding": base64.b64encode(vector.tobytes()).decode()})
    return json.dumps({"object": "list", "data": data, "model": request["model"], "usage": {"total_tokens": 7}}).encode()


class Stub:
    """Answers each request with the next of ``script``; the last one stays."""

    def __init__(self) -> None:
        self.requests: list[dict[str, Any]] = []
        self.script: list[tuple[int, dict[str, str], bytes] | str] = []
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                outer.requests.append({**request, "authorization": self.headers["Authorization"]})
                step = outer.script.pop(0) if outer.script else "vectors"
                if step == "cut":
                    self.connection.shutdown(socket.SHUT_RDWR)
                    return
                status, headers, body = (200, {}, vectors(request)) if step == "vectors" else step
                self.send_response(status)
                for name, value in {"Content-Type": "application/json", "Content-Length": str(len(body)), **headers}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, format: str, *args: Any) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server.server_address[1]}/v1"


@pytest.fixture
def stub() -> Iterator[Stub]:
    made = Stub()
    yield made
    made.server.shutdown()
    made.server.server_close()


@pytest.fixture
def waits() -> list[float]:
    return []


@pytest.fixture
def encoder(stub: Stub, waits: list[float]) -> VoyageEncoder:
    client = voyageai.Client(api_key="stub-key", max_retries=0, timeout=5, base_url=stub.url)
    return VoyageEncoder(client, "voyage-code-3", DIMENSION, sleep=waits.append)


def refusal(status: int, detail: str = "no", headers: dict[str, str] | None = None) -> tuple[int, dict[str, str], bytes]:
    return status, headers or {}, json.dumps({"detail": detail}).encode()


def test_documents_and_questions_say_which_they_are(encoder: VoyageEncoder, stub: Stub) -> None:
    encoder.encode_documents(["abc"])
    encoder.encode_query("abcd")
    assert [(r["input"], r["input_type"], r["model"], r["output_dimension"]) for r in stub.requests] == [
        (["abc"], "document", "voyage-code-3", DIMENSION),
        (["abcd"], "query", "voyage-code-3", DIMENSION),
    ]
    assert stub.requests[0]["authorization"] == "Bearer stub-key"


def test_vectors_come_in_order_and_of_unit_length(encoder: VoyageEncoder) -> None:
    found = encoder.encode_documents(["a" * n for n in (5, 3, 9)])
    assert found.argmax(axis=1).tolist() == [5, 3, 9]
    assert np.allclose(np.linalg.norm(found, axis=1), 1)


def test_a_request_holds_at_most_128_texts_and_tells_progress(encoder: VoyageEncoder, stub: Stub) -> None:
    told: list[tuple[int, int]] = []
    reporting = VoyageEncoder(encoder.client, encoder.model, DIMENSION, progress=lambda done, total: told.append((done, total)))
    assert reporting.encode_documents(["text"] * 300).shape == (300, DIMENSION)
    assert [len(r["input"]) for r in stub.requests] == [BATCH_TEXTS, BATCH_TEXTS, 44]
    assert told == [(128, 300), (256, 300), (300, 300)]


def test_a_request_stays_within_its_tokens(encoder: VoyageEncoder, stub: Stub) -> None:
    encoder.encode_documents(["x" * 11_000] * 40)
    assert len(stub.requests) == 3
    assert max(sum(len(text) for text in r["input"]) for r in stub.requests) / 3 <= 60_000


def test_very_long_text_is_cut_and_empty_text_is_not_sent_as_such(encoder: VoyageEncoder, stub: Stub) -> None:
    encoder.encode_documents(["x" * 100_000, ""])
    assert [len(text) for text in stub.requests[0]["input"]] == [12_000, 1]


@pytest.mark.parametrize(
    "failure",
    [
        pytest.param(refusal(429, "slow down"), id="rate limit"),
        pytest.param(refusal(500), id="server error"),
        pytest.param(refusal(503), id="overloaded"),
        pytest.param((429, {}, b'{"error": "another form"}'), id="rate limit in another form"),
        pytest.param("cut", id="connection cut"),
    ],
)
def test_what_may_pass_is_tried_again(encoder: VoyageEncoder, stub: Stub, waits: list[float], failure: Any) -> None:
    stub.script = [failure, failure, "vectors"]
    assert encoder.encode_documents(["abc"]).shape == (1, DIMENSION)
    assert waits == [1.0, 2.0]


def test_the_wait_that_the_service_asks_for_is_kept_within_bounds(encoder: VoyageEncoder, stub: Stub, waits: list[float]) -> None:
    stub.script = [refusal(429, headers={"Retry-After": "7"}), refusal(429, headers={"Retry-After": "86400"}), "vectors"]
    encoder.encode_query("abc")
    assert waits == [7.0, LONGEST_WAIT]


@pytest.mark.parametrize(("status", "detail"), [(400, "model voyage-code-9 does not exist"), (401, "bad key"), (422, "malformed")])
def test_what_will_not_pass_is_an_error_at_once(encoder: VoyageEncoder, stub: Stub, waits: list[float], status: int, detail: str) -> None:
    stub.script = [refusal(status, detail)]
    with pytest.raises(EncoderError, match=detail):
        encoder.encode_documents(["abc"])
    assert (len(stub.requests), waits) == (1, [])


def test_giving_up_says_how_often_and_why(encoder: VoyageEncoder, stub: Stub, waits: list[float]) -> None:
    stub.script = [refusal(429, "quota used up")] * ATTEMPTS
    with pytest.raises(EncoderError, match=f"{ATTEMPTS} times.*quota used up"):
        encoder.encode_documents(["abc"])
    assert len(stub.requests) == ATTEMPTS
    assert waits == [1.0, 2.0, 4.0, 8.0, 16.0]


def test_nobody_listening_is_an_error_of_ours(stub: Stub, waits: list[float]) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    client = voyageai.Client(api_key="stub-key", timeout=1, base_url=f"http://127.0.0.1:{port}/v1")
    with pytest.raises(EncoderError, match="failed 6 times"):
        VoyageEncoder(client, "voyage-code-3", DIMENSION, sleep=waits.append).encode_query("abc")


def test_another_dimension_than_was_asked_for_is_refused(encoder: VoyageEncoder, stub: Stub) -> None:
    stub.script = [(200, {}, vectors({"input": ["abc"], "model": "m"}, dimension=512))]
    with pytest.raises(EncoderError, match=r"\(1, 512\), expected \(1, 256\)"):
        encoder.encode_documents(["abc"])


def test_fewer_vectors_than_texts_are_refused(encoder: VoyageEncoder, stub: Stub) -> None:
    stub.script = [(200, {}, vectors({"input": ["abc"], "model": "m"}))]
    with pytest.raises(EncoderError, match="1 vectors for 2 texts"):
        encoder.encode_documents(["abc", "def"])


def test_nan_from_the_service_is_refused(encoder: VoyageEncoder, stub: Stub) -> None:
    broken = base64.b64encode(np.full(DIMENSION, np.nan, np.float32).tobytes()).decode()
    body = {"object": "list", "data": [{"object": "embedding", "index": 0, "embedding": broken}], "model": "m", "usage": {"total_tokens": 1}}
    stub.script = [(200, {}, json.dumps(body).encode())]
    with pytest.raises(EncoderError, match="NaN"):
        encoder.encode_documents(["abc"])


def test_fingerprint_holds_model_and_dimension(encoder: VoyageEncoder) -> None:
    assert encoder.fingerprint == "voyage:voyage-code-3:256:4000"


def test_cost_is_known_for_known_models_only(encoder: VoyageEncoder) -> None:
    assert encoder.cost(2_000_000) == pytest.approx(0.36)
    assert VoyageEncoder(None, "voyage-next", 256).cost(1) is None


def test_settings_choose_model_dimension_and_address(stub: Stub, tmp_path: Any) -> None:
    settings = load_settings(tmp_path, {"VOYAGE_API_KEY": "stub-key", "LEGACYLENS_VOYAGE_BASE_URL": stub.url, "LEGACYLENS_VOYAGE_DIMENSION": "256"})
    encoder = VoyageEncoder.from_settings(settings)
    assert encoder.encode_query("abc").shape == (256,)
    assert stub.requests[0]["model"] == "voyage-code-3"
