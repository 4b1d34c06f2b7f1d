"""One way from a question to hits: normalise, encode side by side, one hybrid query, identifiers first, rerank, group by file, cut.

The API, the command line, MCP and the evaluation all use this; there is no second path to tune.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from legacylens_assets.encoders import Encoders
from legacylens_assets.encoders.protocol import DenseEncoder, Vector
from legacylens_assets.identifiers import expand, token_id
from legacylens_assets.retrieval.catalog import Catalog
from legacylens_assets.retrieval.definitions import defining_chunks
from legacylens_assets.retrieval.grouping import damp_repeats, file_of, group_by_file, siblings_last
from legacylens_assets.retrieval.normalise import Normalised, normalise
from legacylens_assets.retrieval.places import leg_places, scores_of
from legacylens_assets.retrieval.scope import resolve_filter, shards_of
from legacylens_assets.retrieval.synonyms import expanded, synonym_tokens
from legacylens_assets.retrieval.terms import content_words, question_terms, tokens_of
from legacylens_assets.settings import Settings
from legacylens_assets.store.merge import DIGITS as SCORE_DIGITS
from legacylens_assets.store.merge import ranked, rrf
from legacylens_assets.store.protocol import DENSE, Filter, Leg, Reader, Scored
from legacylens_assets.types import Hit

IDENTIFIER_LEG = "identifier"
MIXED = frozenset({"minilm"})
"""Dense encoders that are asked twice, with and without synonyms: small ones at hand. Larger ones know the words, and hosted ones bill each text."""
MIX = 0.5
"""Weight of the second dense query beside 1 for the first."""


@dataclass(frozen=True, slots=True)
class SearchResult:
    """Hits and how they came about. `to_json` is the object that `search --json` and `POST /search` give.

    ``rarity`` holds the inverse document frequency of each of the question's tokens: the highest for one that occurs nowhere.
    """

    question: str
    normalised: Normalised
    generation: str
    profile: str
    hits: tuple[Hit, ...]
    timings_ms: Mapping[str, float]
    stages: Mapping[str, str]
    where: Filter
    rarity: Mapping[str, float] = field(default_factory=dict)
    matched: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    explain: bool = False

    def to_json(self) -> dict[str, Any]:
        """Return the contract's object; with ``explain`` also filters, expansions and grouping."""
        found: dict[str, Any] = {
            "question": self.question,
            "normalised": self.normalised.text,
            "aliases": [mention.to_json() for mention in self.normalised.mentions if mention.sure or mention.definitions],
            "generation": self.generation,
            "profile": self.profile,
            "stages": dict(self.stages),
            "hits": [hit_json(hit) for hit in self.hits],
            "timings_ms": dict(self.timings_ms),
        }
        if self.explain:
            found["explain"] = self._explained()
        return found

    def _explained(self) -> dict[str, Any]:
        words = content_words(self.normalised.text)
        where = self.where
        return {
            "terms": list(words),
            "expansions": {word: list(expand(word)) for word in words if expand(word)},
            "filters": {
                "codebases": list(where.codebases),
                "languages": list(where.languages),
                "not_codebases": list(where.not_codebases),
                "not_languages": list(where.not_languages),
            },
            "matched": {chunk_id: list(found) for chunk_id, found in self.matched.items()},
        }


def hit_json(hit: Hit) -> dict[str, Any]:
    """Return a hit as the contract has it."""
    return {
        "rank": hit.rank,
        "chunk_id": hit.chunk_id,
        "codebase": hit.codebase,
        "path": hit.path,
        "file_id": hit.file_id,
        "language": hit.language,
        "start_line": hit.start_line,
        "end_line": hit.end_line,
        "kind": hit.kind,
        "name": hit.name,
        "qualified_name": hit.qualified_name,
        "program": hit.program,
        "score": hit.score,
        "text": hit.text,
        "legs": {name: dict(place) for name, place in hit.legs.items()},
    }


class Retriever:
    """Answers questions with ranked chunks. Safe to share between threads; follows the index as it changes."""

    def __init__(self, reader: Reader, encoders: Encoders, settings: Settings, catalog: Catalog | None = None) -> None:
        self.reader = reader
        self.encoders = encoders
        self.settings = settings
        self.catalog = catalog or Catalog(reader)
        self._agreed = ""
        self._pool = ThreadPoolExecutor(max_workers=4, thread_name_prefix="encode")

    def search(
        self,
        question: str,
        *,
        codebases: Sequence[str] = (),
        languages: Sequence[str] = (),
        not_codebases: Sequence[str] = (),
        not_languages: Sequence[str] = (),
        k: int = 10,
        explain: bool = False,
    ) -> SearchResult:
        """Return the ``k`` best chunks. The same question on the same generation gives the same list.

        Without ``codebases`` every codebase is asked, but samples only while nothing else is indexed. Raises UsageError for a codebase or language
        that does not exist (naming close ones) and NoIndex when nothing is published.
        """
        clock = Clock()
        snapshot = self.reader.snapshot()
        self._check_encoders(snapshot.id)
        where = resolve_filter(self.catalog, codebases, languages, not_codebases, not_languages)
        shards = shards_of(self.catalog, where)
        normalised = normalise(question, [self.catalog.generation(codebase).names() for codebase in shards])
        clock.mark("normalise")
        legs = self._legs(normalised.text, where)
        clock.mark("encode")
        by_leg = self.reader.legs(legs, where) if legs else {}
        fused = self._fused(legs, by_leg, where, len(shards))
        clock.mark("search")
        pinned = defining_chunks(normalised, where, self.catalog, self.reader, [*fused, *(item for found in by_leg.values() for item in found)])
        clock.mark("identifiers")
        off = self.settings.levers.split(",")
        damped = fused if "repeats" in off else damp_repeats(fused, self.settings.repeat_factor)
        ordered, stage = self._reranked(question, pinned, damped, clock)
        ordered = group_by_file(ordered if "family" in off else _families(ordered, len(pinned)), self.settings.max_chunks_per_file, file_of)
        ordered = ordered[: max(0, k)]
        places = leg_places(by_leg)
        hits = tuple(self._hit(rank, item, places, pinned, fused) for rank, item in enumerate(ordered, start=1))
        stages = {
            "legs": ", ".join(leg.name for leg in legs) or "none",
            "rerank": stage,
            "group": f"at most {self.settings.max_chunks_per_file} of a file, each further one at {self.settings.repeat_factor:g}",
        }
        return SearchResult(
            question, normalised, snapshot.id, self.encoders.profile, hits, clock.total(), stages, where,
            rarity=self._rarity(normalised.text, where), matched=_matched(normalised.text, hits) if explain else {}, explain=explain,
        )  # fmt: skip

    def _check_encoders(self, snapshot_id: str) -> None:
        """Raise FingerprintMismatch when the index was built by other encoders; checked once for each snapshot."""
        if snapshot_id != self._agreed:
            self.reader.check_fingerprints(self.encoders.fingerprints)
            self._agreed = snapshot_id

    def _legs(self, text: str, where: Filter) -> list[Leg]:
        """Return one leg for each encoder that has something to ask, encoded side by side."""
        dense = self.encoders.dense
        off = self.settings.levers.split(",")
        extra = {} if "synonyms" in off else synonym_tokens(text)
        jobs = [
            (sparse.name, self._pool.submit(sparse.encode_query, text, self.reader.idf(where, sparse.name), extra)) for sparse in self.encoders.sparse
        ]
        limit = self.settings.prefetch_limit
        legs = []
        if dense is not None:
            second = text if {"synonyms", "dense_synonyms"} & set(off) or dense.name not in MIXED else expanded(text)
            legs.append(Leg(DENSE, _mixed(dense, text, second), limit, self.settings.dense_weight))
        for name, job in jobs:
            vector = job.result()
            if len(vector.indices):
                legs.append(Leg(name, vector, limit, self.settings.values.get(f"{name}_weight", 1.0)))
        return legs

    def _rarity(self, text: str, where: Filter) -> dict[str, float]:
        """Return the inverse document frequency of each of the question's own tokens over the codebases asked."""
        own = [term for term, weight in question_terms(text).items() if weight == 1.0]
        table = self.reader.idf(where)
        return dict(zip(own, table.idf(np.array([token_id(term) for term in own], dtype=np.uint32)).tolist(), strict=True)) if own else {}

    def _fused(self, legs: Sequence[Leg], by_leg: Mapping[str, Sequence[Scored]], where: Filter, shards: int) -> list[Scored]:
        """Return the fusion: natively in the store when one shard answers, else of the merged legs by the same formula."""
        limit = sum(leg.limit for leg in legs)
        if not legs:
            return []
        if shards == 1:
            found = self.reader.hybrid(legs, where, self.settings.rrf_k, limit)
        else:
            found = rrf(by_leg, legs, self.settings.rrf_k)[:limit]
        return ranked(found)

    def _reranked(self, question: str, pinned: Sequence[Scored], fused: Sequence[Scored], clock: Clock) -> tuple[list[Scored], str]:
        """Return pinned chunks, then the fused ones with the best reranked, and what was done."""
        first = {item.chunk_id for item in pinned}
        rest = [item for item in fused if item.chunk_id not in first]
        model = self.encoders.reranker
        if model is None:
            return [*pinned, *rest], "off"
        head, tail = rest[: self.settings.rerank_candidates], rest[self.settings.rerank_candidates :]
        scores = model.scores(question, [_rerank_text(item) for item in head]) if head else []
        best = ranked(Scored(item.chunk_id, float(score), item.payload) for item, score in zip(head, scores, strict=True))
        clock.mark("rerank")
        return [*pinned, *best, *tail], f"{model.name} over {len(head)}"

    def _hit(self, rank: int, item: Scored, places: Mapping[str, dict[str, Any]], pinned: Sequence[Scored], fused: Sequence[Scored]) -> Hit:
        payload = item.payload
        legs = dict(places.get(item.chunk_id, {}))
        fusion = scores_of(fused).get(item.chunk_id)
        if fusion is not None:
            legs["fused"] = {"rank": fusion[0], "score": round(fusion[1], SCORE_DIGITS)}
        for number, pin in enumerate(pinned, start=1):
            if pin.chunk_id == item.chunk_id:
                legs[IDENTIFIER_LEG] = {"rank": number, "score": pin.score}
        path, codebase = str(payload["path"]), str(payload["codebase"])
        file_id = str(payload.get("file_id") or self.catalog.generation(codebase).file_id(path))
        return Hit(
            rank, item.chunk_id, codebase, path, file_id, str(payload["language"]),
            int(payload["start_line"]), int(payload["end_line"]), str(payload["kind"]), str(payload.get("name", "")), round(item.score, SCORE_DIGITS),
            str(payload["text"]), legs, str(payload.get("qualified_name", "")), str(payload.get("program", "")), str(payload.get("comments", "")),
        )  # fmt: skip


class Clock:
    """Milliseconds of each stage."""

    def __init__(self) -> None:
        self._start = self._last = time.perf_counter()
        self._stages: dict[str, float] = {}

    def mark(self, stage: str) -> None:
        """Record the time since the last mark as that of ``stage``."""
        now = time.perf_counter()
        self._stages[stage] = round((now - self._last) * 1000, 2)
        self._last = now

    def total(self) -> dict[str, float]:
        """Return the stages' times and the total."""
        return {**self._stages, "total": round((time.perf_counter() - self._start) * 1000, 2)}


def _mixed(dense: DenseEncoder, text: str, second: str) -> Vector:
    """Return the question's vector, mixed with that of ``second`` when this says more; float32 (dimension,), of unit length."""
    vector = dense.encode_query(text)
    if second == text:
        return vector
    mixed: Vector = vector + np.float32(MIX) * dense.encode_query(second)
    row: Vector = mixed / np.float32(np.linalg.norm(mixed))
    return row


def _families(ordered: Sequence[Scored], pinned: int) -> list[Scored]:
    """Return the list with siblings behind; chunks that an identifier of the question put first keep their places."""
    return [*ordered[:pinned], *siblings_last(ordered[pinned:])]


def _rerank_text(item: Scored) -> str:
    payload = item.payload
    return "\n".join(part for part in (str(payload.get("header", "")), str(payload.get("descriptor", "")), str(payload["text"])) if part)


def _matched(text: str, hits: Sequence[Hit]) -> dict[str, tuple[str, ...]]:
    """Return for each hit the question's terms (or their abbreviations) that its text holds."""
    wanted = question_terms(text)
    tokens = {hit.chunk_id: tokens_of(hit.text) for hit in hits}
    return {chunk_id: tuple(term for term in wanted if term in found) for chunk_id, found in tokens.items()}
