"""A loopback server that speaks the chat completions stream as Cerebras and Groq do, failures included. Nothing it says is a provider's quality or speed."""

import json
import socket
import threading
import time
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

STATUSES = {
    "401": (401, {"error": {"message": "bad key", "type": "invalid_request_error", "code": "invalid_api_key"}}),
    "404": (404, {"error": {"message": "model not found", "code": "model_not_found"}}),
    "413": (413, {"error": {"message": "request too large", "code": "request_too_large"}}),
    "429": (429, {"error": {"message": "rate limit", "type": "tokens", "code": "rate_limit_exceeded"}}),
    "500": (500, {"error": {"message": "boom"}}),
    "503": (503, {"error": {"message": "over capacity"}}),
}
BROKEN = ("error_frame", "error_event", "cut", "stall", "eof", "garbage")
"""What may go wrong once the stream is open."""


@dataclass
class Script:
    """What the stub does: ``pieces`` of text, then ``then`` ("ok", "length" or one of BROKEN); a status instead; how bytes are split."""

    pieces: tuple[str, ...] = ()
    then: str = "ok"
    status: str = ""
    reasoning: tuple[str, ...] = ()
    split: int = 0
    delay: float = 0.0
    with_role: bool = True


@dataclass
class Stub:
    """A running stub: its address, what was asked, and whether a client hung up on it."""

    address: str
    script: Script
    bodies: list[bytes] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)
    hung_up: threading.Event = field(default_factory=threading.Event)
    stop: threading.Event = field(default_factory=threading.Event)


@contextmanager
def provider_stub(script: Script):
    """Yield a stub on loopback."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    server.daemon_threads = True
    stub = Stub(f"http://127.0.0.1:{server.server_address[1]}", script)
    server.stub = stub
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield stub
    finally:
        stub.stop.set()
        server.shutdown()
        server.server_close()
        thread.join(5)


def closed_port() -> str:
    """Return an address that refuses connections."""
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{held.getsockname()[1]}"


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *args):
        pass

    def do_GET(self):
        stub = self.server.stub
        stub.paths.append(self.path)
        known = {"id": self.path.rsplit("/", 1)[-1], "object": "model", "created": 1, "owned_by": "stub"}
        self._status(*(STATUSES[stub.script.status] if stub.script.status else (200, known)))

    def do_POST(self):
        stub = self.server.stub
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        stub.bodies.append(body)
        stub.paths.append(self.path)
        if stub.script.status:
            self._status(*STATUSES[stub.script.status])
            return
        try:
            self._stream(stub, json.loads(body))
        except (BrokenPipeError, ConnectionResetError):
            stub.hung_up.set()

    def _status(self, code, content):
        data = json.dumps(content).encode()
        self.send_response(code)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        if code == 429:
            self.send_header("retry-after", "30")
        self.end_headers()
        self.wfile.write(data)

    def _stream(self, stub, asked):
        script = stub.script
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("transfer-encoding", "chunked")
        self.end_headers()
        if script.with_role:
            self._data(asked, {"role": "assistant"})
        for text in script.reasoning:
            self._data(asked, {"reasoning": text})
        for text in script.pieces:
            self._data(asked, {"content": text})
            time.sleep(script.delay)
        self._end(stub, asked)

    def _end(self, stub, asked):
        then = stub.script.then
        if then in ("ok", "length"):
            usage = {"prompt_tokens": 50, "completion_tokens": 7, "total_tokens": 57}
            self._data(asked, {}, "stop" if then == "ok" else "length", usage=usage, x_groq={"id": "req_1", "usage": usage})
            self._write("data: [DONE]\n\n")
        elif then == "error_frame":
            self._write('data: {"error":{"message":"overloaded","type":"server_error"},"status_code":503}\n\n')
        elif then == "error_event":
            self._write('event: error\ndata: {"error":{"message":"overloaded"}}\n\n')
        elif then == "garbage":
            self._write("data: {not json\n\n")
        elif then == "stall":
            while not stub.stop.wait(0.02):
                self._write(": still here\n\n")
        elif then == "cut":
            self.connection.shutdown(socket.SHUT_RDWR)
            self.close_connection = True
            return
        self.wfile.write(b"0\r\n\r\n")

    def _data(self, asked, delta, finish=None, **more):
        choice = {"index": 0, "delta": delta, "finish_reason": finish}
        chunk = {
            "id": "c1",
            "object": "chat.completion.chunk",
            "created": 1,
            "model": asked["model"],
            "system_fingerprint": "fp_stub",
            "choices": [choice],
            **more,
        }
        self._write("data: " + json.dumps(chunk, ensure_ascii=False) + "\n\n")

    def _write(self, text):
        data = text.encode()
        size = self.server.stub.script.split or len(data)
        for start in range(0, len(data), size):
            part = data[start : start + size]
            self.wfile.write(b"%x\r\n%s\r\n" % (len(part), part))
            self.wfile.flush()
