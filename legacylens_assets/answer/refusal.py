"""When to say "not found": a named identifier exists nowhere, nothing was found, or what was found is not about the question."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from legacylens_assets.identifiers import expand, stem
from legacylens_assets.retrieval.names import key_of
from legacylens_assets.retrieval.retriever import Retriever, SearchResult
from legacylens_assets.retrieval.synonyms import synonyms_of
from legacylens_assets.retrieval.terms import content_words, tokens_of
from legacylens_assets.settings import Settings
from legacylens_assets.store.protocol import DENSE

CALIBRATION_FILE = "refusal.json"
UNCALIBRATED = 0.18
"""Support under which a question is refused while no threshold was calibrated: little of it is in any hit."""

LOOKED_AT = 5
WRONGLY_REFUSED = 0.05
SYNONYM_COUNTS = 0.6


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a question is not answered."""

    reason: str
    message: str
    nearest: tuple[str, ...] = ()
    calibrated: bool = True


@dataclass(frozen=True, slots=True)
class Calibration:
    """A threshold on `support` for one set of encoders, and how well it parted the dev questions.

    ``precision`` is the share of refused questions that were unanswerable, ``recall`` the share of unanswerable ones that were refused.
    """

    encoders: str
    threshold: float
    precision: float
    recall: float
    questions: int


def support(result: SearchResult) -> float:
    """Return how far the best hits are about the question, 0 to 1.

    Half of it is the share of the question's words found in one of them, rare ones counting more and synonyms less; the other half the best dense
    similarity. A sure identifier that the index knows counts as full support.
    """
    if not result.hits:
        return 0.0
    if any(mention.sure for mention in result.normalised.known):
        return 1.0
    total = sum(result.rarity.values())
    others = {stem(word): frozenset(map(stem, expand(word))) | synonyms_of(word) for word in content_words(result.normalised.text)}
    covered = 0.0
    for hit in result.hits[:LOOKED_AT]:
        found = tokens_of(f"{hit.path} {hit.name} {hit.comments}\n{hit.text}")
        held = sum(worth * _held(word, others.get(word, frozenset()), found) for word, worth in result.rarity.items())
        covered = max(covered, held / total if total else 0.0)
    similar = max((float(hit.legs[DENSE]["score"]) for hit in result.hits[:LOOKED_AT] if DENSE in hit.legs), default=0.0)
    return round(0.5 * covered + 0.5 * max(0.0, min(1.0, similar)), 4)


def _held(word: str, others: frozenset[str], found: set[str]) -> float:
    return 1.0 if word in found else SYNONYM_COUNTS if others & found else 0.0


def refuse(result: SearchResult, calibration: Calibration | None) -> Refusal | None:
    """Return why the question should not be answered from these hits; None when it should."""
    missing = [mention for mention in result.normalised.unknown if not _occurs(mention.written, result)]
    if missing and not any(mention.sure for mention in result.normalised.known):
        names = tuple(dict.fromkeys(name for mention in missing for name in mention.nearest))
        written = " and ".join(f"`{mention.written}`" for mention in missing)
        hint = f" The nearest names are {', '.join(f'`{name}`' for name in names)}." if names else " No name is close to it."
        return Refusal("unknown_identifier", f"Nothing called {written} is in the index.{hint}", names)
    if not result.hits:
        return Refusal("nothing_found", "Nothing in the index matches this question.", _near_names(result))
    threshold = calibration.threshold if calibration else UNCALIBRATED
    if support(result) < threshold:
        return Refusal(
            "not_supported", "Nothing in the index is close enough to this question to answer it.", _near_names(result), calibration is not None
        )
    return None


def calibrate(scored: Sequence[tuple[float, bool]], encoders: str) -> Calibration:
    """Return the threshold that best parts answerable from unanswerable questions: the highest F1 of refusals, the lower threshold among equals.

    No more than a share of WRONGLY_REFUSED of the answerable ones may fall under it: a wrong "not found" costs trust as well. ``scored`` holds
    (support, answerable) of dev questions. Without an unanswerable one the threshold is 0: nothing would be refused.

    >>> calibrate([(.9, True), (.8, True), (.1, False)], "x").threshold
    0.45
    """
    bad = [score for score, answerable in scored if not answerable]
    values = sorted({score for score, _ in scored})
    edges = [0.0] + [round((low + high) / 2, 4) for low, high in zip(values, values[1:], strict=False)]
    best = Calibration(encoders, 0.0, 1.0, 0.0, len(scored))
    best_f1 = 0.0
    for edge in edges:
        refused = [answerable for score, answerable in scored if score < edge]
        hits = refused.count(False)
        wrong = len(refused) - hits
        if not hits or wrong > WRONGLY_REFUSED * (len(scored) - len(bad)):
            continue
        precision, recall = hits / len(refused), hits / len(bad)
        f1 = 2 * precision * recall / (precision + recall)
        if f1 > best_f1 + 1e-12:
            best, best_f1 = Calibration(encoders, edge, round(precision, 4), round(recall, 4), len(scored)), f1
    return best


def calibrate_index(retriever: Retriever, questions: Iterable[tuple[str, str, bool]], k: int = 8) -> Calibration:
    """Return the calibration of a retriever's encoders over dev questions: (question, codebase or "", answerable)."""
    scored = []
    for question, codebase, answerable in questions:
        result = retriever.search(question, codebases=(codebase,) if codebase else (), k=k)
        scored.append((support(result), answerable))
    return calibrate(scored, encoders_key(retriever.encoders.fingerprints))


def encoders_key(fingerprints: Mapping[str, str]) -> str:
    """Return the name of a set of encoders: a calibration holds for that set only."""
    return json.dumps(dict(sorted(fingerprints.items())), sort_keys=True)


def load_calibration(settings: Settings, extra: Mapping[str, Any], fingerprints: Mapping[str, str]) -> Calibration | None:
    """Return the calibration of these encoders: from the generation's own record, else from the evaluation's file; None when there is none."""
    from legacylens_assets.tables import read_json

    key = encoders_key(fingerprints)
    for found in (extra.get("calibration"), read_json(_path(settings)).get(key)):
        if isinstance(found, dict) and found.get("encoders") == key:
            return Calibration(**{name: found[name] for name in Calibration.__dataclass_fields__})
    return None


def save_calibration(settings: Settings, calibration: Calibration) -> Path:
    """Record a calibration for its encoders; others stay. Returns the file."""
    from legacylens_assets.tables import read_json, write_json

    path = _path(settings)
    write_json({**read_json(path), calibration.encoders: asdict(calibration)}, path)
    return path


def _path(settings: Settings) -> Path:
    return settings.data / "eval" / CALIBRATION_FILE


def _occurs(written: str, result: SearchResult) -> bool:
    """Return whether a name stands in the text of a hit although it is no symbol (a dataset, a column, a word of a document)."""
    key = key_of(written)
    return any(key in key_of(hit.text) or key in key_of(hit.path) for hit in result.hits)


def _near_names(result: SearchResult) -> tuple[str, ...]:
    return tuple(dict.fromkeys(hit.name for hit in result.hits if hit.name))[:3]
