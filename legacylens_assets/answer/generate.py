"""One provider's attempt: prompt, stream, sentences as they end, each checked before it is shown."""

from __future__ import annotations

import secrets
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Any

from legacylens_assets.answer.marks import SentenceReader
from legacylens_assets.answer.prompt import build_messages
from legacylens_assets.answer.providers import Provider
from legacylens_assets.answer.records import Draft, Event, Source
from legacylens_assets.answer.writer import AnswerWriter
from legacylens_assets.errors import ProviderError
from legacylens_assets.retrieval.retriever import SearchResult
from legacylens_assets.settings import Settings


@dataclass(slots=True)
class Generation:
    """What is asked of a model; ``usage`` is filled in when it has answered."""

    question: str
    mode: str
    target: str
    result: SearchResult
    settings: Settings
    usage: dict[str, Any] = field(default_factory=dict)


class EmptyAnswer(ProviderError):
    """A stream ended well but held no text."""

    code = "empty_answer"


async def generate(provider: Provider, generation: Generation, sources: Sequence[Source], writer: AnswerWriter) -> AsyncGenerator[Event, None]:
    """Yield the events of each sentence when it has ended. Raises ProviderError when the provider fails, before or after text was shown.

    Text is held back until its sentence is complete and checked, so that an unsupported sentence is never shown and an id is never shown in part.
    """
    messages = build_messages(generation.question, generation.mode, generation.target, sources, secrets.token_hex(12))
    reader = SentenceReader()
    async with aclosing(provider.stream(messages, generation.settings.max_completion_tokens)) as pieces:
        async for piece in pieces:
            for draft in reader.feed(piece.text):
                for event in writer.add(own_words(draft)):
                    yield event
            if piece.usage:
                generation.usage = dict(piece.usage)
            if piece.finish_reason == "length":
                yield Event(
                    "warning", {"code": "cut_short", "message": f"{provider.name}: the answer reached its length limit", "provider": provider.name}
                )
    for draft in reader.close():
        for event in writer.add(own_words(draft)):
            yield event
    if not writer.sentences:
        raise EmptyAnswer(f"{provider.name}: the answer was empty")


def own_words(draft: Draft) -> Draft:
    """Return a model's sentence without its citations when it is hardly a sentence: a lone word that a source holds says nothing of it."""
    return draft if len(draft.text.split()) >= FEWEST_WORDS else Draft(draft.text, ())


FEWEST_WORDS = 3
