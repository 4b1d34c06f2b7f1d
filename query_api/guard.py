"""What every request passes: Host and Origin checks against DNS rebinding and foreign pages, a rate limit, security headers, counters."""

from __future__ import annotations

import ipaddress
import json
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

from fastapi import FastAPI
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from legacylens_assets.settings import Settings
from query_api.counters import Counters
from query_api.problems import body

LIMITED = ("/ask", "/search", "/v1/chat/completions")
"""Routes that count against the rate limit."""

MOST_BODY = 200_000
"""Bytes of a request body."""

MOST_CLIENTS = 10_000
HEADERS = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none';"
    " form-action 'self'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "x-frame-options": "DENY",
    "cross-origin-resource-policy": "same-origin",
}


def install(app: FastAPI, settings: Settings, counters: Counters) -> None:
    """Put the guard in front of every route."""
    app.add_middleware(Guard, allowed=allowed_hosts(settings), limit=settings.rate_limit, counters=counters)


def allowed_hosts(settings: Settings) -> frozenset[str]:
    """Return the host names that requests may carry besides IP addresses: localhost, the address bound to, and those of the setting."""
    further = (name.strip().lower() for name in str(settings.allowed_hosts).split(","))
    return frozenset({"localhost", str(settings.host).lower(), *(name for name in further if name)})


class RateLimit:
    """A token bucket for each client: ``per_minute`` requests, as many at once."""

    def __init__(self, per_minute: int, now: Callable[[], float] = time.monotonic) -> None:
        self._limit = per_minute
        self._now = now
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def wait(self, client: str) -> float:
        """Return 0 and take a token, or the seconds until there is one."""
        if self._limit <= 0:
            return 0.0
        now = self._now()
        tokens, last = self._buckets.pop(client, (float(self._limit), now))
        tokens = min(float(self._limit), tokens + (now - last) * self._limit / 60)
        missing = max(0.0, 1.0 - tokens)
        self._buckets[client] = (tokens if missing else tokens - 1, now)
        while len(self._buckets) > MOST_CLIENTS:
            self._buckets.popitem(last=False)
        return missing * 60 / self._limit


class Guard:
    """ASGI middleware; it never buffers, so streams stay streams."""

    def __init__(self, app: ASGIApp, allowed: frozenset[str], limit: int, counters: Counters) -> None:
        self._app = app
        self._allowed = allowed
        self._limit = RateLimit(limit)
        self._counters = counters

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Check, count and pass on."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started = time.perf_counter()
        status = 0

        async def sending(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        refused = self._refused(scope)
        if refused is not None:
            await _answer(sending, *refused)
        else:
            await self._app(scope, receive, sending)
        route = getattr(scope.get("route"), "path", "other")
        labels = {"route": route, "method": scope["method"], "status": str(status)}
        self._counters.add("legacylens_requests_total", labels)
        self._counters.observe("legacylens_request_seconds", time.perf_counter() - started, {"route": route})

    def _refused(self, scope: Scope) -> tuple[int, dict[str, Any], dict[str, str]] | None:
        """Return the answer to a request that goes no further, None for one that may pass."""
        headers = Headers(scope=scope)
        if not host_allowed(headers.get("host", ""), self._allowed):
            return (
                421,
                body("bad_host", "Host: not served under this name; use localhost or the address itself, or add it to the setting allowed_hosts"),
                {},
            )
        origin = headers.get("origin")
        if origin and scope["method"] != "GET" and urlsplit(origin).netloc.lower() != headers.get("host", "").lower():
            return 403, body("foreign_origin", "Origin: another site's pages may not ask here"), {}
        length = headers.get("content-length", "0")
        if length.isdigit() and int(length) > MOST_BODY:
            return 413, body("too_large", f"body: {length} bytes, expected at most {MOST_BODY}"), {}
        if scope["path"] in LIMITED:
            client = scope.get("client")
            wait = self._limit.wait(client[0] if client else "")
            if wait:
                text = f"more than {self._limit._limit} questions a minute; try again in {wait:.0f} s"
                return 429, body("rate_limited", text, True), {"retry-after": str(int(wait) + 1)}
        return None


def host_allowed(host: str, allowed: frozenset[str]) -> bool:
    """Return whether a Host header may be served: an IP address, or a name that is ours. A rebound name is neither.

    >>> [host_allowed(h, frozenset({"localhost"})) for h in ("127.0.0.1:8000", "[::1]:8000", "localhost", "evil.example:8000", "")]
    [True, True, True, False, False]
    """
    name = host.rsplit(":", 1)[0] if not host.endswith("]") and host.count(":") in (1,) or "]:" in host else host
    name = name.strip("[]").lower()
    if name in allowed:
        return True
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


async def _answer(send: Send, status: int, content: dict[str, Any], headers: dict[str, str]) -> None:
    data = json.dumps(content).encode()
    pairs = {"content-type": "application/json", "content-length": str(len(data)), **headers}
    await send({"type": "http.response.start", "status": status, "headers": [(name.encode(), value.encode()) for name, value in pairs.items()]})
    await send({"type": "http.response.body", "body": data})
