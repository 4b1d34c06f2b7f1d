"""`POST /v1/chat/completions` and `GET /v1/models`: the same answers for clients that speak OpenAI's protocol.

The model id chooses the codebase: `legacylens` asks all, `legacylens/<codebase>` one. The last user message is the question; earlier ones
are not used; sampling parameters are accepted and ignored. Citations follow the answer as a list; the extra field `legacylens` holds the final event.
"""

from __future__ import annotations

import json
import time
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from typing import Any

from fastapi import APIRouter
from fastapi.responses import JSONResponse, StreamingResponse
from pydantic import BaseModel, ConfigDict

from legacylens_assets.answer import Ask
from legacylens_assets.answer.records import with_marks
from legacylens_assets.errors import LegacyLensError, NoIndex, UsageError
from query_api.problems import body as problem
from query_api.routes.ask import HEARTBEAT_SECONDS, STREAM_HEADERS, counted, with_heartbeat
from query_api.routes.search import check_length
from query_api.services import Services

MODEL = "legacylens"


class Message(BaseModel):
    """One message; its content is text or a list of parts."""

    model_config = ConfigDict(extra="allow")
    role: str
    content: str | list[dict[str, Any]] | None = None

    def text(self) -> str:
        """Return the text of the message, parts that are no text left out."""
        if isinstance(self.content, list):
            return "\n".join(str(part.get("text", "")) for part in self.content if part.get("type") == "text")
        return self.content or ""


class StreamOptions(BaseModel):
    """Options of a stream."""

    model_config = ConfigDict(extra="allow")
    include_usage: bool = False


class ChatBody(BaseModel):
    """A chat request; what is not listed is accepted and ignored."""

    model_config = ConfigDict(extra="allow")
    model: str = MODEL
    messages: list[Message]
    stream: bool = False
    stream_options: StreamOptions | None = None


class UnknownModel(LegacyLensError):
    """A model id was asked for that is not served."""

    code = "not_found"


def router(services: Services) -> APIRouter:
    """Return the routes."""
    routes = APIRouter(prefix="/v1")

    @routes.get("/models")
    def models() -> dict[str, Any]:
        return {"object": "list", "data": [{"id": name, "object": "model", "created": 0, "owned_by": MODEL} for name in model_ids(services)]}

    @routes.post("/chat/completions", response_model=None)
    async def chat(body: ChatBody) -> JSONResponse | StreamingResponse:
        ask = to_ask(body, services)
        if body.stream:
            usage = body.stream_options is not None and body.stream_options.include_usage
            return StreamingResponse(chunks(services, ask, body.model, usage), media_type="text/event-stream", headers=STREAM_HEADERS)
        final: Mapping[str, Any] = {}
        async for event in counted(services, ask):
            if event.name == "error":
                return JSONResponse(
                    problem(event.data["code"], event.data["message"], event.data["retryable"]), 503 if event.data["retryable"] else 400
                )
            if event.name == "final":
                final = event.data
        return JSONResponse(completion(final, body.model))

    return routes


def model_ids(services: Services) -> list[str]:
    """Return the ids that are served: one for all codebases and one for each."""
    try:
        codebases = sorted(services.reader.snapshot().generations)
    except NoIndex:
        codebases = []
    return [MODEL, *(f"{MODEL}/{codebase}" for codebase in codebases)]


def to_ask(body: ChatBody, services: Services) -> Ask:
    """Return the last user message as a question to the model's codebase; raises UnknownModel or UsageError."""
    known = model_ids(services)
    if body.model not in known:
        raise UnknownModel(f"model {body.model!r}: not served; expected one of {', '.join(known)}")
    asked = [message.text() for message in body.messages if message.role == "user"]
    if not asked:
        raise UsageError("messages: no message of role user; expected at least one")
    check_length(asked[-1], services)
    codebase = body.model.partition("/")[2]
    return Ask(asked[-1], (codebase,) if codebase else ())


def completion(final: Mapping[str, Any], model: str) -> dict[str, Any]:
    """Return an answer as one chat completion."""
    message = {"role": "assistant", "content": final["answer"] + references(final), "refusal": None}
    return {
        "id": f"chatcmpl-{final['request_id']}",
        "object": "chat.completion",
        "created": int(time.time()),
        "model": model,
        "choices": [{"index": 0, "message": message, "finish_reason": "stop", "logprobs": None}],
        "usage": usage_of(final),
        "legacylens": dict(final),
    }


async def chunks(services: Services, ask: Ask, model: str, include_usage: bool) -> AsyncGenerator[bytes, None]:
    """Yield an answer as chat completion chunks, a sentence each. A restart cannot be taken back in this protocol: it is announced in the text."""
    created = int(time.time())
    name = ""
    said: list[str] = []

    def chunk(delta: dict[str, Any], finish: str | None = None, **more: object) -> bytes:
        choices = [{"index": 0, "delta": delta, "finish_reason": finish, "logprobs": None}]
        found = {"id": name, "object": "chat.completion.chunk", "created": created, "model": model, "choices": choices, **more}
        return data_line(found)

    texts: dict[int, str] = {}
    async with aclosing(with_heartbeat(counted(services, ask), HEARTBEAT_SECONDS)) as events:
        async for event in events:
            if event is None:
                yield b": heartbeat\n\n"
            elif event.name == "meta":
                name = f"chatcmpl-{event.data['request_id']}"
                yield chunk({"role": "assistant", "content": ""})
            elif event.name == "token":
                texts[event.data["sentence"]] = texts.get(event.data["sentence"], "") + event.data["text"]
            elif event.name == "sentence" and event.data["status"] != "removed":
                piece = with_marks(texts.get(event.data["index"], ""), tuple(event.data["citations"]))
                yield chunk({"content": (" " if said else "") + piece})
                said.append(piece)
            elif event.name == "restart":
                texts = {}
                yield chunk({"content": "\n\n(The first attempt broke off; the answer starts again.)\n\n"})
                said = []
            elif event.name == "error":
                yield data_line(problem(event.data["code"], event.data["message"], event.data["retryable"]))
                return
            elif event.name == "final":
                rest = ("" if said else event.data["answer"]) + references(event.data)
                if rest:
                    yield chunk({"content": rest})
                yield chunk({}, "stop")
                if include_usage:
                    yield data_line(
                        {
                            "id": name,
                            "object": "chat.completion.chunk",
                            "created": created,
                            "model": model,
                            "choices": [],
                            "usage": usage_of(event.data),
                        }
                    )
    yield b"data: [DONE]\n\n"


def references(final: Mapping[str, Any]) -> str:
    """Return the citations of an answer as lines of text, "" when it has none."""
    lines = [f"[{one['id']}] {one['codebase']}/{one['path']}:{one['start_line']}-{one['end_line']}" for one in final["citations"]]
    return "\n\n" + "\n".join(lines) if lines else ""


def usage_of(final: Mapping[str, Any]) -> dict[str, int]:
    """Return the provider's token counts, zeros when no model was asked."""
    usage = final.get("usage") or {}
    prompt, answer = int(usage.get("prompt_tokens", 0)), int(usage.get("completion_tokens", 0))
    return {"prompt_tokens": prompt, "completion_tokens": answer, "total_tokens": prompt + answer}


def data_line(value: Mapping[str, Any]) -> bytes:
    """Return one `data:` line of a stream."""
    return f"data: {json.dumps(value, ensure_ascii=False)}\n\n".encode("utf-8", "replace")
