"""How far the best hits are about a question: a few signals, and the small logistic model that weighs them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from legacylens_assets.identifiers import expand, stem
from legacylens_assets.retrieval.retriever import SearchResult
from legacylens_assets.retrieval.synonyms import synonyms_of
from legacylens_assets.retrieval.terms import content_words, tokens_of
from legacylens_assets.store.protocol import DENSE

SIGNALS = ("coverage", "similarity", "margin", "length")
LOOKED_AT = 5
SYNONYM_COUNTS = 0.6
RIDGE = 2.0
STEPS = 50


@dataclass(frozen=True, slots=True)
class Example:
    """A question whose answer is known to be there or not: its signals, and how much it counts in the fit."""

    signals: Mapping[str, float]
    answerable: bool
    weight: float = 1.0


def signals(result: SearchResult) -> dict[str, float]:
    """Return the signals of a question's hits, all 0 to about 1.

    coverage: the largest share of the question's words, by rarity, that one of the first hits holds (synonyms count less); similarity: the best
    dense cosine; margin: by how much it exceeds that of the later hits; length: tenths of a telling word of the question.
    """
    similar = sorted((float(hit.legs[DENSE]["score"]) for hit in result.hits if DENSE in hit.legs), reverse=True)
    best = similar[0] if similar else 0.0
    later = similar[LOOKED_AT - 1 :] or similar[-1:] or [0.0]
    return {
        "coverage": round(_coverage(result), 6),
        "similarity": round(max(0.0, min(1.0, best)), 6),
        "margin": round(best - sum(later) / len(later), 6),
        "length": min(len(result.rarity), 15) / 10,
    }


def _coverage(result: SearchResult) -> float:
    total = sum(result.rarity.values())
    if not total:
        return 0.0
    others = {stem(word): frozenset(map(stem, expand(word))) | synonyms_of(word) for word in content_words(result.normalised.text)}
    best = 0.0
    for hit in result.hits[:LOOKED_AT]:
        found = tokens_of(f"{hit.path} {hit.name} {hit.comments}\n{hit.text}")
        best = max(best, sum(worth * _held(word, others.get(word, frozenset()), found) for word, worth in result.rarity.items()) / total)
    return best


def _held(word: str, others: frozenset[str], found: set[str]) -> float:
    return 1.0 if word in found else SYNONYM_COUNTS if others & found else 0.0


def logistic(weights: Mapping[str, float], found: Mapping[str, float]) -> float:
    """Return the model's probability; ``weights`` name the signals and ``bias``.

    >>> logistic({"coverage": 2.0, "bias": -1.0}, {"coverage": 0.5})
    0.5
    """
    total = weights.get("bias", 0.0) + sum(weights.get(name, 0.0) * value for name, value in found.items())
    return round(1 / (1 + math.exp(-max(-60.0, min(60.0, total)))), 4)


def fit(examples: Sequence[Example]) -> dict[str, float]:
    """Return the weights of a ridge logistic regression by Newton steps; both classes weigh the same in sum. The same examples give the same weights.

    Raises ValueError when one class is missing.
    """
    if len({example.answerable for example in examples}) < 2:
        raise ValueError("fit: needs answerable and unanswerable questions")
    values = np.array([[example.signals[name] for name in SIGNALS] for example in examples], dtype=np.float64)
    truth = np.array([example.answerable for example in examples], dtype=np.float64)
    weight = np.array([example.weight for example in examples], dtype=np.float64)
    weight[truth == 1] *= weight[truth == 0].sum() / weight[truth == 1].sum()
    mean, spread = values.mean(axis=0), values.std(axis=0) + 1e-9
    scaled = np.column_stack([(values - mean) / spread, np.ones(len(values))])
    ridge = np.array([RIDGE] * len(SIGNALS) + [1e-6])
    found = np.zeros(scaled.shape[1])
    for _ in range(STEPS):
        chance = 1 / (1 + np.exp(-scaled @ found))
        slope = scaled.T @ (weight * (chance - truth)) + ridge * found
        curve = (scaled * (weight * chance * (1 - chance))[:, None]).T @ scaled + np.diag(ridge)
        found -= np.linalg.solve(curve, slope)
    plain = found[:-1] / spread
    weights = {name: round(float(value), 4) for name, value in zip(SIGNALS, plain, strict=True)}
    return {**weights, "bias": round(float(found[-1] - (plain * mean).sum()), 4)}
