"""Cerebras and Groq through their own SDKs, with our timeouts and without their silent retries."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Any

from legacylens_assets.answer.providers import Breaker, Messages, Piece
from legacylens_assets.errors import MissingExtra, ProviderError
from legacylens_assets.settings import Settings


class ProviderTimeout(ProviderError):
    """A provider was too slow; the code says at which point."""

    code = "provider_timeout"


class ProviderRefused(ProviderError):
    """A provider answered with an error status."""

    code = "provider_status"


class ProviderBroke(ProviderError):
    """The connection failed, broke off, or ended without a reason."""

    code = "provider_connection"


class SdkProvider:
    """One provider. The client is made on first use, in the event loop that uses it; nothing is sent before the first question."""

    def __init__(self, name: str, model: str, settings: Settings) -> None:
        self.name = name
        self.model = model
        self.breaker = Breaker()
        self._settings = settings
        self._client: Any = None
        self._loop: asyncio.AbstractEventLoop | None = None

    async def stream(self, messages: Messages, max_tokens: int) -> AsyncGenerator[Piece, None]:
        """Yield the pieces of the answer. Reasoning text is never among them. Raises ProviderError; closing the iterator closes the connection."""
        try:
            async with aclosing(self._pieces(messages, max_tokens)) as pieces:
                async for piece in pieces:
                    yield piece
        except ProviderError:
            self.breaker.failed()
            raise
        self.breaker.worked()

    async def check(self) -> str:
        """Return what is wrong with the key or the model id, "" when the provider serves it. Asks the provider once; no text is sent."""
        client = self._make()
        try:
            await asyncio.wait_for(client.models.retrieve(self.model), self._settings.first_token_timeout)
        except TimeoutError:
            return f"{self.name}: did not say in time whether it serves {self.model}"
        except self._failures() as error:
            return str(self._translated(error))
        finally:
            await client.close()
        return ""

    async def _pieces(self, messages: Messages, max_tokens: int) -> AsyncGenerator[Piece, None]:
        settings = self._settings
        loop = asyncio.get_running_loop()
        end = loop.time() + settings.answer_timeout
        wait = settings.first_token_timeout
        response: Any = None
        try:
            response = await self._timed(self._open(messages, max_tokens), settings.connect_timeout + wait, "the first token")
            chunks = response.__aiter__()
            reason = ""
            usage: dict[str, Any] = {}
            first = True
            while True:
                left = min(wait if first else settings.token_timeout, end - loop.time())
                chunk = await self._timed(_next(chunks), left, "the first token" if first else "the next token")
                if chunk is None:
                    break
                piece = _piece(chunk)
                first = first and not (piece.text or _is_thinking(chunk))
                reason = piece.finish_reason or reason
                usage = dict(piece.usage) or usage
                if piece.text:
                    yield Piece(piece.text)
            if not reason:
                raise ProviderBroke(f"{self.name}: the stream ended without a finish_reason")
            yield Piece("", reason, usage)
        except ProviderError:
            raise
        except self._failures() as error:
            raise self._translated(error) from error
        finally:
            if response is not None:
                await response.close()

    async def _open(self, messages: Messages, max_tokens: int) -> Any:  # noqa: ANN401 - the SDK's stream
        options: dict[str, Any] = {"max_completion_tokens": max_tokens, "temperature": 0, "stream": True}
        return await self._connected().chat.completions.create(model=self.model, messages=list(messages), **options)

    async def _timed(self, step: Any, seconds: float, what: str) -> Any:  # noqa: ANN401 - an awaitable of the SDK
        try:
            return await asyncio.wait_for(step, max(seconds, 0.001))
        except TimeoutError:
            raise ProviderTimeout(f"{self.name}: no answer within {seconds:.1f} s while waiting for {what}") from None

    def _connected(self) -> Any:  # noqa: ANN401 - an SDK client
        """Return the client of the running event loop."""
        loop = asyncio.get_running_loop()
        if self._client is None or self._loop is not loop:
            self._client, self._loop = self._make(), loop
        return self._client

    def _make(self) -> Any:  # noqa: ANN401
        import httpx

        settings = self._settings
        timeout = httpx.Timeout(settings.answer_timeout, connect=settings.connect_timeout)
        common: dict[str, Any] = {"timeout": timeout, "max_retries": 0}
        try:
            if self.name == "cerebras":
                from cerebras.cloud.sdk import AsyncCerebras

                address = {"base_url": settings.cerebras_base_url} if settings.cerebras_base_url else {}
                return AsyncCerebras(api_key=settings.cerebras_api_key, warm_tcp_connection=False, **address, **common)
            from groq import AsyncGroq

            address = {"base_url": settings.groq_base_url} if settings.groq_base_url else {}
            return AsyncGroq(api_key=settings.groq_api_key, **address, **common)
        except ImportError as error:
            raise MissingExtra(f"provider {self.name}: its SDK is not installed; pip install 'legacylens[cloud]'") from error

    def _failures(self) -> tuple[type[Exception], ...]:
        """Return what the SDK and its transport raise."""
        import httpx

        found: tuple[type[Exception], ...] = (httpx.HTTPError, httpx.StreamError, ValueError, KeyError, AttributeError, TypeError)
        if self.name == "cerebras":
            from cerebras.cloud import sdk

            return (*found, sdk.APIError)
        import groq

        return (*found, groq.APIError)

    def _translated(self, error: Exception) -> ProviderError:
        """Return the error with the provider's name and the status, never with the request or the key."""
        status = getattr(error, "status_code", None)
        if isinstance(status, int) and status >= 400:
            return ProviderRefused(f"{self.name}: HTTP {status} for model {self.model}")
        if type(error).__name__ == "APITimeoutError":
            return ProviderTimeout(f"{self.name}: no answer in time ({type(error).__name__})")
        return ProviderBroke(f"{self.name}: {type(error).__name__} in the stream or connection")


async def _next(chunks: Any) -> Any:  # noqa: ANN401
    """Return the next chunk, None at the end."""
    try:
        return await chunks.__anext__()
    except StopAsyncIteration:
        return None


def _piece(chunk: Any) -> Piece:  # noqa: ANN401 - chunk classes differ by SDK
    """Return what a chunk says; a chunk that holds an error raises ProviderRefused."""
    if getattr(chunk, "error", None) or not hasattr(chunk, "choices"):
        raise ProviderRefused("an error came in the middle of the stream")
    choice = chunk.choices[0] if chunk.choices else None
    text = (getattr(choice.delta, "content", None) or "") if choice is not None and choice.delta is not None else ""
    return Piece(text, (choice.finish_reason or "") if choice is not None else "", _usage(chunk))


def _is_thinking(chunk: Any) -> bool:  # noqa: ANN401
    choice = chunk.choices[0] if chunk.choices else None
    return bool(choice is not None and getattr(choice.delta, "reasoning", None))


def _usage(chunk: Any) -> dict[str, Any]:  # noqa: ANN401
    """Return tokens and times as the provider counted them, {} when the chunk carries none."""
    found = getattr(chunk, "usage", None) or getattr(getattr(chunk, "x_groq", None), "usage", None)
    if found is None:
        return {}
    names = ("prompt_tokens", "completion_tokens", "total_tokens")
    return {name: value for name in names if (value := getattr(found, name, None)) is not None}
