"""The connection to a Qdrant server: checked before use, retried where the client does not."""

from __future__ import annotations

import ipaddress
import time
import warnings
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

from legacylens_assets.errors import GenerationGone, IndexError_, SettingError
from legacylens_assets.settings import Settings

OLDEST_SERVER = (1, 17)
"""The first release with weights in its rank fusion."""
WRITE_TIMEOUT = 60
"""Seconds: the client's own default of 5 is too short for a large upsert."""
ATTEMPTS = 5
FIRST_WAIT, LONGEST_WAIT = 0.5, 8.0


class ServerUnavailable(IndexError_):
    """The Qdrant server could not be reached, or kept refusing, after several tries."""

    code = "index_unavailable"
    retryable = True


class Missing(GenerationGone):
    """The server has no such collection."""

    code = "collection_missing"


def connect(settings: Settings, sleep: Callable[[float], None] = time.sleep) -> Server:
    """Return a connection to the server that the settings name.

    Raises SettingError when the key would travel in clear text, IndexError_ when the server is too old, ServerUnavailable when it does not answer.
    """
    from qdrant_client import QdrantClient

    refuse_plain_key(settings.qdrant_url, settings.qdrant_api_key, settings.qdrant_allow_plain_http)
    key = settings.qdrant_api_key or None
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Api key is used with an insecure connection")  # the rule above decided that
        client = QdrantClient(url=settings.qdrant_url, api_key=key, timeout=WRITE_TIMEOUT, check_compatibility=False)
    server = Server(client, sleep)
    server.check_version()
    return server


def refuse_plain_key(url: str, key: str, allowed: bool) -> None:
    """Raise SettingError when an API key would be sent over plain http to a host that is not this machine."""
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise SettingError(f"QDRANT_URL={url!r}: expected http://HOST:PORT or https://HOST:PORT")
    if key and parts.scheme == "http" and not allowed and not _loopback(parts.hostname):
        raise SettingError(
            f"QDRANT_URL={url!r}: the API key would travel over plain http; use https, "
            "or set LEGACYLENS_QDRANT_ALLOW_PLAIN_HTTP=1 inside a trusted network"
        )


class Server:
    """A client and the rule by which its calls are tried again: transport errors, 429 and 5xx, with growing waits; other refusals are errors."""

    def __init__(self, client: Any, sleep: Callable[[float], None] = time.sleep, attempts: int = ATTEMPTS) -> None:  # noqa: ANN401
        self.client = client
        self._sleep = sleep
        self._attempts = attempts

    def call(self, what: str, method: str, *arguments: Any, **options: Any) -> Any:  # noqa: ANN401
        """Return what the client's ``method`` gives.

        Every request that LegacyLens sends may be repeated: points have ids of their own, deletions are by condition.
        Raises Missing for 404, IndexError_ for another refusal, ServerUnavailable when the tries are used up.
        """
        from qdrant_client.common.client_exceptions import ResourceExhaustedResponse
        from qdrant_client.http.exceptions import ResponseHandlingException, UnexpectedResponse

        wait = FIRST_WAIT
        for attempt in range(1, self._attempts + 1):
            pause = wait
            try:
                return getattr(self.client, method)(*arguments, **options)
            except ResourceExhaustedResponse as error:
                last: Exception = error
                pause = max(wait, min(float(error.retry_after_s or 0), LONGEST_WAIT))
            except ResponseHandlingException as error:
                last = error
            except UnexpectedResponse as error:
                last = error
                if error.status_code == 404:
                    raise Missing(f"Qdrant, {what}: not found: {_words(error)}") from error
                if error.status_code != 429 and (error.status_code or 0) < 500:
                    raise IndexError_(f"Qdrant refused to {what} ({error.status_code}): {_words(error)}") from error
            except ValueError as error:
                if "not found" not in str(error):
                    raise
                raise Missing(f"Qdrant, {what}: {error}") from error
            if attempt < self._attempts:
                self._sleep(pause)
            wait = min(wait * 2, LONGEST_WAIT)
        raise ServerUnavailable(
            f"Qdrant could not {what} in {self._attempts} tries: {_words(last)}; is QDRANT_URL right and the server up?"
        ) from last

    def check_version(self) -> None:
        """Raise IndexError_ when the server is older than what the queries need."""
        found = self.call("tell its version", "info").version
        numbers = tuple(int(part) for part in found.split("-")[0].split(".")[:2] if part.isdigit())
        if numbers < OLDEST_SERVER:
            oldest = ".".join(map(str, OLDEST_SERVER))
            raise IndexError_(f"Qdrant server {found}: expected {oldest} or newer (weighted rank fusion); upgrade it or unset QDRANT_URL")


def _words(error: Exception) -> str:
    content = getattr(error, "content", b"")
    text = content.decode("utf-8", "replace") if isinstance(content, bytes) and content else str(error)
    return " ".join(text.split())[:300] or type(error).__name__


def _loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
