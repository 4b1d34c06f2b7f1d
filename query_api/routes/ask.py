"""`POST /ask`: the answer as server-sent events, exactly one of them terminal."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from typing import Any, Literal

from fastapi import APIRouter
from fastapi.responses import StreamingResponse
from pydantic import BaseModel, ConfigDict, Field

from legacylens_assets.answer import Ask, Event
from query_api.routes.search import Names, check_length, names
from query_api.services import Services

HEARTBEAT_SECONDS = 15.0
STREAM_HEADERS = {"cache-control": "no-store", "x-accel-buffering": "no"}


class AskBody(BaseModel):
    """A question. `mode` is explain, document, rules or translate; `target` the language that translate aims at."""

    model_config = ConfigDict(extra="forbid")
    question: str = Field(min_length=1)
    codebase: Names = None
    language: Names = None
    not_codebase: Names = None
    not_language: Names = None
    k: int = Field(8, ge=1, le=20)
    mode: Literal["explain", "document", "rules", "translate"] = "explain"
    target: str = Field("Python", max_length=40)

    def to_ask(self) -> Ask:
        """Return the question as the answerer takes it."""
        filters = (names(self.codebase), names(self.language), names(self.not_codebase), names(self.not_language))
        return Ask(self.question, *filters, k=self.k, mode=self.mode, target=self.target)


def router(services: Services) -> APIRouter:
    """Return the route."""
    routes = APIRouter()

    @routes.post("/ask")
    async def ask(body: AskBody) -> StreamingResponse:
        check_length(body.question, services)
        return StreamingResponse(stream(services, body.to_ask()), media_type="text/event-stream", headers=STREAM_HEADERS)

    return routes


async def stream(services: Services, ask: Ask, heartbeat: float = HEARTBEAT_SECONDS) -> AsyncGenerator[bytes, None]:
    """Yield the events as they come and a comment line every ``heartbeat`` seconds without one. Closing it cancels the provider's stream."""
    async with aclosing(with_heartbeat(counted(services, ask), heartbeat)) as events:
        async for event in events:
            yield sse(event.name, event.data) if event is not None else b": heartbeat\n\n"


async def counted(services: Services, ask: Ask) -> AsyncGenerator[Event, None]:
    """Yield the answerer's events and count how each answer ended."""
    answerer = await asyncio.to_thread(lambda: services.answerer)
    async with aclosing(answerer.events(ask)) as events:
        async for event in events:
            if event.name in ("final", "error"):
                refused = event.data.get("refused")
                outcome = "error" if event.name == "error" else "refused" if refused else "answered"
                services.metrics.add("legacylens_answers_total", {"outcome": outcome, "provider": str(event.data.get("provider", ""))})
            elif event.name == "warning":
                services.metrics.add("legacylens_warnings_total", {"code": str(event.data.get("code", ""))})
            yield event


async def with_heartbeat(events: AsyncGenerator[Event, None], seconds: float) -> AsyncGenerator[Event | None, None]:
    """Yield the events, and None whenever ``seconds`` pass without one. Closing it closes ``events``."""
    queue: asyncio.Queue[Event | BaseException | None] = asyncio.Queue(maxsize=64)

    async def pump() -> None:
        try:
            async with aclosing(events) as found:
                async for event in found:
                    await queue.put(event)
        except Exception as error:  # handed to the reader, which raises it
            await queue.put(error)
        else:
            await queue.put(None)

    task = asyncio.create_task(pump())
    try:
        while True:
            try:
                item = await asyncio.wait_for(queue.get(), seconds)
            except TimeoutError:
                yield None
                continue
            if item is None:
                return
            if isinstance(item, BaseException):
                raise item
            yield item
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


def sse(name: str, data: Mapping[str, Any]) -> bytes:
    r"""Return one server-sent event; JSON keeps its data on one line.

    >>> sse("token", {"text": "a\nb"})
    b'event: token\ndata: {"text": "a\\nb"}\n\n'
    """
    return f"event: {name}\ndata: {json.dumps(data, ensure_ascii=False)}\n\n".encode("utf-8", "replace")
