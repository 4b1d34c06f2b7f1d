"""From a question to a stream of events that ends in exactly one `final` or `error`."""

from __future__ import annotations

import asyncio
import logging
import uuid
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace
from typing import Any

from legacylens_assets.answer.document import outline_sources
from legacylens_assets.answer.evidence import build_sources
from legacylens_assets.answer.extractive import compose
from legacylens_assets.answer.generate import Generation, generate
from legacylens_assets.answer.graph_list import graph_answer as list_from_graph
from legacylens_assets.answer.prompt import sent_lines
from legacylens_assets.answer.providers import Provider, with_cost
from legacylens_assets.answer.records import Draft, Event, GraphAnswer, Source
from legacylens_assets.answer.refusal import Calibration, Refusal, load_calibration, refuse
from legacylens_assets.answer.router import MODES, Route, route
from legacylens_assets.answer.writer import AnswerWriter
from legacylens_assets.errors import LegacyLensError, ProviderError, UsageError
from legacylens_assets.retrieval.catalog import Catalog
from legacylens_assets.retrieval.retriever import Clock, Retriever, SearchResult
from legacylens_assets.retrieval.synonyms import synonym_tokens
from legacylens_assets.retrieval.terms import question_terms
from legacylens_assets.settings import Settings

log = logging.getLogger(__name__)
EXTRACTIVE, GRAPH = "extractive", "graph"
DEFAULT_K = 8
MOST_K = 20
LOCAL_TOKENS = 24_000
"""Budget of source text for an answer that no model gives: nothing is sent, so more may be read."""


@dataclass(frozen=True, slots=True)
class Ask:
    """A question with its filters. ``target`` is the language that mode translate aims at."""

    question: str
    codebases: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    not_codebases: tuple[str, ...] = ()
    not_languages: tuple[str, ...] = ()
    k: int = DEFAULT_K
    mode: str = "explain"
    target: str = "Python"


GraphAnswers = Callable[[str, Route, SearchResult, Catalog], GraphAnswer | None]
"""The seam to the graph: (question, route, hits, catalog) -> a list, or None when the graph has nothing to say."""


class NeedsProvider(LegacyLensError):
    """A mode that only a model can serve was asked while no provider is configured."""

    code = "needs_provider"


class Answerer:
    """Answers questions. Holds no state between questions but the providers' circuit breakers."""

    def __init__(
        self,
        retriever: Retriever,
        catalog: Catalog,
        settings: Settings,
        providers: Sequence[Provider] = (),
        graph_answer: GraphAnswers | None = list_from_graph,
    ) -> None:
        self.retriever = retriever
        self.catalog = catalog
        self.settings = settings
        self.providers = tuple(providers)
        self.graph_answer = graph_answer

    async def events(self, ask: Ask, request_id: str = "") -> AsyncGenerator[Event, None]:
        """Yield meta, sources, then for each sentence token, citation and sentence, warnings and restarts, and one `final` or `error` at the end.

        Closing the iterator (or cancelling the task that reads it) cancels the provider's stream.
        """
        try:
            async with aclosing(self._events(ask, request_id or uuid.uuid4().hex)) as found:
                async for event in found:
                    yield event
        except LegacyLensError as error:
            yield error_event(error)
        except Exception:
            log.exception("answering failed")
            yield Event("error", {"code": "internal", "message": "Answering failed; the server's log has the details.", "retryable": True})

    async def final(self, ask: Ask) -> dict[str, Any]:
        """Return the data of the terminal event: the answer's object; raises LegacyLensError where the stream would end in `error`."""
        async with aclosing(self._events(ask, uuid.uuid4().hex)) as found:
            async for event in found:
                if event.name == "final":
                    return dict(event.data)
        raise ProviderError("the answer ended without a final event")

    def answer(self, ask: Ask) -> dict[str, Any]:
        """Return `final` for callers without an event loop."""
        return asyncio.run(self.final(ask))

    async def _events(self, ask: Ask, request_id: str) -> AsyncGenerator[Event, None]:
        clock = Clock()
        self._validate(ask)
        result = await asyncio.to_thread(self._search, ask)
        clock.mark("retrieval")
        chosen = route(result.normalised.text, ask.mode, bool(result.normalised.mentions))
        graph = await asyncio.to_thread(self._from_graph, ask.question, chosen, result)
        if graph is None:
            chosen = Route("retrieval")
        yield Event("meta", self._meta(ask, request_id, result, chosen))
        refusal = None if graph else await asyncio.to_thread(self._refusal, result)
        if refusal is not None:
            yield Event("sources", {"sources": []})
            yield Event("final", self._refused(ask, request_id, result, refusal, clock))
            return
        sources = list(graph.sources) if graph else await asyncio.to_thread(self._sources, ask, result)
        yield Event("sources", {"sources": [source.to_json() for source in sources]})
        outcome = _Outcome(AnswerWriter(sources, self._is_current))
        if graph is None and self.providers and sources:
            async with aclosing(self._from_providers(ask, result, sources, outcome)) as found:
                async for event in found:
                    yield event
        clock.mark("generation")
        if not outcome.done:
            outcome.writer = AnswerWriter(sources, self._is_current)
            for event in await self._extract(ask, result, sources, graph, outcome):
                yield event
        yield Event("final", self._final(ask, request_id, result, outcome, clock, chosen, graph))

    def _validate(self, ask: Ask) -> None:
        if not ask.question.strip():
            raise UsageError("question: is empty; expected a question in plain words")
        if len(ask.question) > self.settings.question_max_chars:
            raise UsageError(f"question: {len(ask.question)} characters, expected at most {self.settings.question_max_chars}")
        if ask.mode not in MODES:
            raise UsageError(f"mode {ask.mode!r}: expected one of {', '.join(MODES)}")
        if not 1 <= ask.k <= MOST_K:
            raise UsageError(f"k {ask.k}: expected 1 to {MOST_K}")
        if ask.mode == "translate" and not self.providers:
            raise NeedsProvider("mode translate: needs a language model; set CEREBRAS_API_KEY or GROQ_API_KEY, or ask in mode explain")

    def _search(self, ask: Ask) -> SearchResult:
        return self.retriever.search(
            ask.question, codebases=ask.codebases, languages=ask.languages, not_codebases=ask.not_codebases, not_languages=ask.not_languages, k=ask.k
        )

    def _from_graph(self, question: str, chosen: Route, result: SearchResult) -> GraphAnswer | None:
        if chosen.kind != "graph" or self.graph_answer is None:
            return None
        return self.graph_answer(question, chosen, result, self.catalog)

    def _calibration(self) -> Calibration | None:
        codebase = next(iter(sorted(self.catalog.codebases())), "")
        info = self.retriever.reader.info(codebase)
        return load_calibration(self.settings, info.extra, info.fingerprints)

    def _refusal(self, result: SearchResult) -> Refusal | None:
        return refuse(result, self._calibration())

    def _sources(self, ask: Ask, result: SearchResult) -> list[Source]:
        budget = self.settings.context_tokens if self.providers else max(LOCAL_TOKENS, self.settings.context_tokens)
        found = build_sources(result.hits, self.catalog, budget, _terms(result))
        if ask.mode != "document" or not found:
            return found
        more = outline_sources(found[0], self.catalog)
        return found + [replace(source, id=f"S{number}") for number, source in enumerate(more, start=len(found) + 1)]

    def _is_current(self, source: Source) -> bool:
        file = self.catalog.generation(source.codebase).file_at(source.path)
        return file is not None and file.sha256 == source.sha256 and file.lines[source.start_line - 1 : source.end_line] == source.lines

    async def _from_providers(self, ask: Ask, result: SearchResult, sources: Sequence[Source], outcome: _Outcome) -> AsyncGenerator[Event, None]:
        """Yield the events of the first provider that finishes; on any failure warn, restart when text was shown, and go on to the next.

        Sentences are checked against what was sent: what was masked or withheld cannot be said.
        """
        indexed = {source.id: source for source in sources}
        sent = [replace(source, lines=sent_lines(source)) for source in sources]

        def current(source: Source) -> bool:
            return self._is_current(indexed[source.id])

        for provider in self.providers:
            if not provider.breaker.closed:
                yield Event("warning", {"code": "provider_resting", "message": f"{provider.name}: left out after repeated failures"})
                continue
            generation = Generation(ask.question, ask.mode, ask.target, result, self.settings)
            outcome.writer = AnswerWriter(sent, current)
            try:
                async with aclosing(generate(provider, generation, sent, outcome.writer)) as found:
                    async for event in found:
                        yield event
            except ProviderError as error:
                log.warning("provider %s failed: %s", provider.name, error)
                yield Event("warning", {"code": error.code, "message": str(error), "provider": provider.name})
                if outcome.writer.sentences:
                    yield Event("restart", {"reason": error.code, "after": provider.name})
                outcome.writer = AnswerWriter(sent, current)
                continue
            outcome.provider, outcome.model = provider.name, provider.model
            outcome.usage = with_cost(generation.usage, provider.name, self.settings)
            if outcome.writer.shown:
                outcome.done = True
                return
            yield Event("warning", {"code": "unsupported_answer", "message": f"{provider.name}: no sentence was supported by the lines it cited"})
            if outcome.writer.sentences:
                yield Event("restart", {"reason": "unsupported_answer", "after": provider.name})
            outcome.writer = AnswerWriter(sent, current)
            return

    async def _extract(self, ask: Ask, result: SearchResult, sources: Sequence[Source], graph: GraphAnswer | None, outcome: _Outcome) -> list[Event]:
        """Return the events of the answer that needs no model."""
        outcome.provider, outcome.model = (GRAPH if graph else EXTRACTIVE), ""
        drafts = graph.drafts if graph else await asyncio.to_thread(self._compose, ask, result, sources)
        return [event for draft in drafts for event in outcome.writer.add(draft)]

    def _compose(self, ask: Ask, result: SearchResult, sources: Sequence[Source]) -> list[Draft]:
        names = [mention.name for mention in result.normalised.known] if result.normalised.bare else []
        return compose(_terms(result), sources, self.catalog, names, ask.mode)

    def _meta(self, ask: Ask, request_id: str, result: SearchResult, chosen: Route) -> dict[str, Any]:
        return {
            "request_id": request_id,
            "question": ask.question,
            "normalised": result.normalised.text,
            "aliases": result.to_json()["aliases"],
            "generation": result.generation,
            "profile": result.profile,
            "mode": ask.mode,
            "route": {"kind": chosen.kind, "relation": chosen.relation},
            "providers": [provider.name for provider in self.providers] + [EXTRACTIVE],
        }

    def _refused(self, ask: Ask, request_id: str, result: SearchResult, refusal: Refusal, clock: Clock) -> dict[str, Any]:
        reason = {"code": refusal.reason, "message": refusal.message, "support": refusal.support, "calibrated": refusal.calibrated}
        return {
            "request_id": request_id, "question": ask.question, "answer": refusal.message, "sentences": [], "citations": [], "refused": True,
            "reason": refusal.reason, "refusal": reason, "nearest": list(refusal.nearest), "provider": "", "model": "", "mode": ask.mode,
            "profile": result.profile, "generation": result.generation, "usage": {}, "timings_ms": {**result.timings_ms, **clock.total()},
        }  # fmt: skip

    def _final(
        self, ask: Ask, request_id: str, result: SearchResult, outcome: _Outcome, clock: Clock, chosen: Route, graph: GraphAnswer | None
    ) -> dict[str, Any]:
        said = outcome.writer.to_json()
        if graph is not None:
            said["answer"] = f"{graph.lead}\n{said['answer']}"
        empty = not outcome.writer.shown
        if empty:
            said["answer"] = "The lines found do not say enough to answer this question."
        return {
            "request_id": request_id, "question": ask.question, **said, "refused": empty, "reason": "nothing_to_cite" if empty else "", "nearest": [],
            "provider": outcome.provider, "model": outcome.model, "mode": ask.mode, "route": {"kind": chosen.kind, "relation": chosen.relation},
            "total": graph.total if graph else None, "complete": graph.complete if graph else None, "profile": result.profile,
            "generation": result.generation, "usage": outcome.usage, "timings_ms": {**result.timings_ms, **clock.total()},
        }  # fmt: skip


class _Outcome:
    """The attempt that counts so far."""

    def __init__(self, writer: AnswerWriter) -> None:
        self.writer = writer
        self.done = False
        self.provider = ""
        self.model = ""
        self.usage: dict[str, Any] = {}


def _terms(result: SearchResult) -> dict[str, float]:
    """Return what quotes are chosen by: the question's tokens, what they abbreviate and, at less weight, their synonyms."""
    text = result.normalised.text
    return {**synonym_tokens(text), **question_terms(text)}


def error_event(error: LegacyLensError) -> Event:
    """Return the terminal event of a failure."""
    return Event("error", {"code": error.code, "message": str(error), "retryable": error.retryable})
