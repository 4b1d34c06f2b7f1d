"""When to say "not found": a named identifier exists nowhere, nothing was found, or what was found is not about the question."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from importlib import resources
from pathlib import Path
from typing import Any

from legacylens_assets.answer.support import Example, fit, logistic, signals
from legacylens_assets.retrieval.names import key_of
from legacylens_assets.retrieval.retriever import Retriever, SearchResult
from legacylens_assets.settings import Settings

CALIBRATION_FILE = "refusal.json"
UNCALIBRATED = 0.18
"""Support under which a question is refused while no threshold was calibrated: little of it is in any hit."""

WRONGLY_REFUSED = 0.02
ELSEWHERE_WEIGHT = 0.3
"""What a question of another codebase counts as an unanswerable one in the fit: it is easier to tell than a question nobody can answer."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a question is not answered."""

    reason: str
    message: str
    nearest: tuple[str, ...] = ()
    calibrated: bool = True
    support: float = 0.0


@dataclass(frozen=True, slots=True)
class Calibration:
    """A threshold on `support` for one set of encoders, and how well it parted the dev questions.

    ``precision`` is the share of refused questions that were unanswerable, ``recall`` the share of unanswerable ones that were refused.
    ``weights`` are those of the model behind `support`, {} for the plain mean.
    """

    encoders: str
    threshold: float
    precision: float
    recall: float
    questions: int
    weights: Mapping[str, float] = field(default_factory=dict)


def support(result: SearchResult, calibration: Calibration | None = None) -> float:
    """Return how far the best hits are about the question, 0 to 1: the calibration's model, without one the mean of coverage and similarity.

    A sure identifier that the index knows counts as full support, no hits as none.
    """
    if not result.hits:
        return 0.0
    if any(mention.sure for mention in result.normalised.known):
        return 1.0
    found = signals(result)
    if calibration is not None and calibration.weights:
        return logistic(calibration.weights, found)
    return round(0.5 * found["coverage"] + 0.5 * found["similarity"], 4)


def refuse(result: SearchResult, calibration: Calibration | None) -> Refusal | None:
    """Return why the question should not be answered from these hits; None when it should."""
    missing = [mention for mention in result.normalised.unknown if _is_name(mention.written, result) and not _occurs(mention.written, result)]
    if missing and not any(mention.sure for mention in result.normalised.known):
        names = tuple(dict.fromkeys(name for mention in missing for name in mention.nearest))
        written = " and ".join(f"`{mention.written}`" for mention in missing)
        hint = f" The nearest names are {', '.join(f'`{name}`' for name in names)}." if names else " No name is close to it."
        return Refusal("unknown_identifier", f"Nothing called {written} is in the index.{hint}", names)
    if not result.hits:
        return Refusal("nothing_found", "Nothing in the index matches this question.", _near_names(result))
    threshold = calibration.threshold if calibration else UNCALIBRATED
    found = support(result, calibration)
    if found < threshold:
        message = "Nothing in the index is close enough to this question to answer it."
        return Refusal("not_supported", message, _near_names(result), calibration is not None, found)
    return None


def calibrate(scored: Sequence[tuple[float, bool]], encoders: str, weights: Mapping[str, float] | None = None) -> Calibration:
    """Return the threshold that best parts answerable from unanswerable questions: the highest F1 of refusals, the lower threshold among equals.

    No more than a share of WRONGLY_REFUSED of the answerable ones may fall under it: a wrong "not found" costs trust as well. ``scored`` holds
    (support, answerable) of dev questions. Without an unanswerable one the threshold is 0: nothing would be refused.

    >>> calibrate([(.9, True), (.8, True), (.1, False)], "x").threshold
    0.45
    """
    bad = [score for score, answerable in scored if not answerable]
    values = sorted({score for score, _ in scored})
    edges = [0.0] + [round((low + high) / 2, 4) for low, high in zip(values, values[1:], strict=False)]
    held = dict(weights or {})
    best = Calibration(encoders, 0.0, 1.0, 0.0, len(scored), held)
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
            best, best_f1 = Calibration(encoders, edge, round(precision, 4), round(recall, 4), len(scored), held), f1
    return best


def calibrate_index(
    retriever: Retriever, questions: Iterable[tuple[str, str, bool]], elsewhere: Iterable[tuple[str, str]] = (), k: int = 8
) -> Calibration:
    """Return the calibration of a retriever's encoders over dev questions: (question, codebase or "", answerable).

    ``elsewhere`` holds (question, codebase) where the question belongs to another codebase: unanswerable there. Questions that
    are decided before the threshold (a sure identifier, no hits) are left out.
    """
    own = [(retriever.search(text, codebases=(codebase,) if codebase else (), k=k), answerable) for text, codebase, answerable in questions]
    far = [retriever.search(text, codebases=(codebase,), k=k) for text, codebase in elsewhere]
    examples = [Example(signals(result), answerable) for result, answerable in own if open_to_doubt(result)]
    examples += [Example(signals(result), False, ELSEWHERE_WEIGHT) for result in far if open_to_doubt(result)]
    weights = fit(examples) if len({example.answerable for example in examples}) == 2 else {}
    key = encoders_key(retriever.encoders.fingerprints)
    model = Calibration(key, 0.0, 1.0, 0.0, 0, weights)
    judged = [*own, *((result, False) for result in far)]
    return calibrate([(support(result, model), answerable) for result, answerable in judged if open_to_doubt(result)], key, weights)


def open_to_doubt(result: SearchResult) -> bool:
    """Return whether the threshold decides on a question: it has hits, and names nothing that is surely known."""
    return bool(result.hits) and not any(mention.sure for mention in result.normalised.known)


def encoders_key(fingerprints: Mapping[str, str]) -> str:
    """Return the name of a set of encoders: a calibration holds for that set only."""
    return json.dumps(dict(sorted(fingerprints.items())), sort_keys=True)


def load_calibration(settings: Settings, extra: Mapping[str, Any], fingerprints: Mapping[str, str]) -> Calibration | None:
    """Return the calibration of these encoders: the generation's own record, else the evaluation's file, else the one that ships; None without any.

    The one that ships holds for every version of the same models: their scores are on one scale.
    """
    from legacylens_assets.tables import read_json

    key = encoders_key(fingerprints)
    for found in (extra.get("calibration"), read_json(_path(settings)).get(key)):
        if isinstance(found, dict) and found.get("encoders") == key:
            return _calibration(found)
    return shipped_calibration(fingerprints)


def shipped_calibration(fingerprints: Mapping[str, str]) -> Calibration | None:
    """Return the calibration that comes with the package for these models, None when there is none."""
    text = resources.files("legacylens_assets").joinpath("answer/calibration.json").read_text(encoding="utf-8")
    shipped = json.loads(text)
    found = shipped.get(family(fingerprints))
    return _calibration(found) if found else None


def family(fingerprints: Mapping[str, str]) -> str:
    """Return the names of the models behind the fingerprints, versions left out.

    >>> family({"identifiers": "identifiers:1:99", "dense": "minilm-l6-int8:d1:256"})
    'dense=minilm-l6-int8 identifiers=identifiers'
    """
    return " ".join(f"{leg}={value.partition(':')[0]}" for leg, value in sorted(fingerprints.items()))


def _calibration(found: Mapping[str, Any]) -> Calibration:
    return Calibration(**{name: found[name] for name in Calibration.__dataclass_fields__ if name in found})


def save_calibration(settings: Settings, calibration: Calibration) -> Path:
    """Record a calibration for its encoders; others stay. Returns the file."""
    from legacylens_assets.tables import read_json, write_json

    path = _path(settings)
    write_json({**read_json(path), calibration.encoders: asdict(calibration)}, path)
    return path


def _path(settings: Settings) -> Path:
    return settings.data / "eval" / CALIBRATION_FILE


def _is_name(written: str, result: SearchResult) -> bool:
    """Return whether an unknown mention is meant as a name: a plain lower-case word is only when the question quotes it or is nothing else."""
    plain = written.isalpha() and written.islower()
    alone = len(result.question.split()) <= 2
    return not plain or alone or any(f"{mark}{written}{mark}" in result.question for mark in "`'\"")


def _occurs(written: str, result: SearchResult) -> bool:
    """Return whether a name stands in the text of a hit although it is no symbol (a dataset, a column, a word of a document)."""
    key = key_of(written)
    return any(key in key_of(hit.text) or key in key_of(hit.path) for hit in result.hits)


def _near_names(result: SearchResult) -> tuple[str, ...]:
    return tuple(dict.fromkeys(hit.name for hit in result.hits if hit.name))[:3]
