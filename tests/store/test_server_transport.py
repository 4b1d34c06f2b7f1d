"""The server back end when the wire misbehaves: the real client against a stub on loopback."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from store_points import META, point

from legacylens_assets.errors import IndexError_, SettingError
from legacylens_assets.settings import load_settings
from legacylens_assets.store.batch import batches
from legacylens_assets.store.server import _portions, _structs, server_writer
from legacylens_assets.store.server_client import ATTEMPTS, Missing, Server, ServerUnavailable, connect, refuse_plain_key
from legacylens_assets.store.server_collection import check_collection, collection_name


class Stub:
    """Answers like a Qdrant server whose every request fails as ``script`` says, step by step; then it is well."""

    def __init__(self) -> None:
        self.seen: list[tuple[str, str]] = []
        self.headers: list[dict[str, str]] = []
        self.script: list[tuple[int, dict[str, str], Any] | str] = []
        self.version = "1.18.2"
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def answer(self) -> None:
                self.rfile.read(int(self.headers.get("Content-Length") or 0))
                outer.seen.append((self.command, self.path.split("?")[0]))
                outer.headers.append(dict(self.headers))
                step = outer.script.pop(0) if outer.script else (200, {}, {"result": {"collections": []}, "status": "ok", "time": 0})
                if self.path == "/":
                    step = (200, {}, {"title": "qdrant", "version": outer.version})
                if step == "cut":
                    self.connection.shutdown(socket.SHUT_RDWR)
                    return
                status, headers, body = step
                raw = json.dumps(body).encode()
                self.send_response(status)
                for name, value in {"Content-Type": "application/json", "Content-Length": str(len(raw)), **headers}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(raw)

            do_GET = do_POST = do_PUT = do_DELETE = do_PATCH = answer

            def log_message(self, format: str, *args: Any) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"


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
def server(stub: Stub, waits: list[float]) -> Iterator[Server]:
    from qdrant_client import QdrantClient

    client = QdrantClient(url=stub.url, timeout=5, check_compatibility=False)
    yield Server(client, sleep=waits.append)
    client.close()


def refusal(status: int, error: str = "no", headers: dict[str, str] | None = None) -> tuple[int, dict[str, str], Any]:
    return status, headers or {}, {"status": {"error": error}, "time": 0}


@pytest.mark.parametrize("failure", [refusal(429), refusal(500), refusal(502), refusal(503), "cut"], ids=["429", "500", "502", "503", "cut"])
def test_what_may_pass_is_tried_again(server: Server, stub: Stub, waits: list[float], failure: Any) -> None:
    stub.script = [failure, failure]
    assert server.call("list collections", "get_collections").collections == []
    assert (len(stub.seen), waits) == (3, [0.5, 1.0])


def test_the_wait_that_the_server_asks_for_is_kept(server: Server, stub: Stub, waits: list[float]) -> None:
    stub.script = [refusal(429, headers={"Retry-After": "3"})]
    server.call("list collections", "get_collections")
    assert waits == [3.0]


def test_giving_up_names_the_deed_and_the_last_word(server: Server, stub: Stub) -> None:
    stub.script = [refusal(503, "raft leader lost")] * ATTEMPTS
    with pytest.raises(ServerUnavailable, match=f"list collections in {ATTEMPTS} tries.*raft leader lost"):
        server.call("list collections", "get_collections")


def test_nobody_listening_is_told_after_the_tries(waits: list[float]) -> None:
    from qdrant_client import QdrantClient

    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    client = QdrantClient(url=f"http://127.0.0.1:{port}", timeout=2, check_compatibility=False)
    with pytest.raises(ServerUnavailable, match="QDRANT_URL"):
        Server(client, sleep=waits.append).call("list collections", "get_collections")
    assert len(waits) == ATTEMPTS - 1


@pytest.mark.parametrize("status", [400, 401, 403, 422])
def test_what_will_not_pass_is_an_error_at_once_with_the_servers_words(server: Server, stub: Stub, waits: list[float], status: int) -> None:
    stub.script = [refusal(status, "Wrong input: vector dimension")]
    with pytest.raises(IndexError_, match=f"{status}.*vector dimension"):
        server.call("store points", "get_collections")
    assert waits == []


def test_missing_collection_is_an_error_of_its_own(server: Server, stub: Stub) -> None:
    stub.script = [refusal(404, "Collection `x` doesn't exist!")]
    with pytest.raises(Missing, match="Collection `x`"):
        server.call("open x", "get_collection", "x")


def test_failed_publish_leaves_no_index(server: Server, stub: Stub, tmp_path: Path) -> None:
    from legacylens_assets.store.server import ServerOptions

    stub.script = [refusal(500, "disk is full")] * (ATTEMPTS * 3)
    writer = server_writer(tmp_path / "index", server, ServerOptions())
    with pytest.raises(ServerUnavailable, match="disk is full"):
        writer.publish("bank", [point("a", "text")], (), META)
    assert writer.current("bank") is None
    assert not (tmp_path / "index" / "SNAPSHOT.json").exists()


def test_connecting_checks_the_version_and_sends_the_key(stub: Stub, tmp_path: Path) -> None:
    settings = load_settings(tmp_path, {"QDRANT_URL": stub.url, "QDRANT_API_KEY": "hush"})
    connect(settings).client.close()
    assert stub.headers[0]["api-key"] == "hush"


def test_old_server_is_refused(stub: Stub, tmp_path: Path) -> None:
    stub.version = "1.15.4"
    with pytest.raises(IndexError_, match=r"1\.15\.4: expected 1\.17 or newer"):
        connect(load_settings(tmp_path, {"QDRANT_URL": stub.url}))


@pytest.mark.parametrize(
    ("url", "key", "allowed"),
    [("http://localhost:6333", "k", False), ("http://127.0.0.1:6333", "k", False), ("http://[::1]:6333", "k", False), ("https://q.example:6333", "k", False),
     ("http://q.example:6333", "", False), ("http://q.example:6333", "k", True)],
)  # fmt: skip
def test_key_may_travel(url: str, key: str, allowed: bool) -> None:
    refuse_plain_key(url, key, allowed)


@pytest.mark.parametrize("url", ["http://q.example:6333", "http://10.0.0.5", "http://127.0.0.1.example:6333", "http://localhost.example"])
def test_key_over_plain_http_is_refused(url: str) -> None:
    with pytest.raises(SettingError, match="plain http"):
        refuse_plain_key(url, "k", False)


@pytest.mark.parametrize("url", ["q.example:6333", "ftp://q.example", "http://"])
def test_address_must_be_one(url: str) -> None:
    with pytest.raises(SettingError, match="expected http"):
        refuse_plain_key(url, "", False)


def test_requests_stay_below_256_points_and_8_mib() -> None:
    small = [point(f"s{n}", "text") for n in range(600)]
    large = [point(f"l{n}", "text", blob="x" * 3_000_000) for n in range(6)]
    structs = [struct for batch in batches(small + large) for struct in _structs(batch, 1)]
    portions = list(_portions(structs))
    assert sum(map(len, portions)) == 606
    assert max(map(len, portions)) <= 256
    assert max(sum(len(json.dumps(p.payload)) for p in portion) for portion in portions) <= 8 * 1024 * 1024


def test_collection_with_a_modifier_is_refused() -> None:
    sparse = {"identifiers": SimpleNamespace(modifier="idf")}
    params = SimpleNamespace(vectors={}, sparse_vectors=sparse)
    client = SimpleNamespace(get_collection=lambda name: SimpleNamespace(config=SimpleNamespace(params=params)))
    with pytest.raises(IndexError_, match="identifiers has modifier idf, expected none"):
        check_collection(Server(client), "x")


def test_another_encoder_has_another_collection() -> None:
    first = collection_name("p", "bank", {"dense": "a", "identifiers": "b"})
    assert first == collection_name("p", "bank", {"identifiers": "b", "dense": "a"})
    assert first != collection_name("p", "bank", {"dense": "c", "identifiers": "b"})
