"""Models by name from the hub: FastEmbed for vectors and ONNX cross-encoders, sentence-transformers for cross-encoders that need torch."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from legacylens_assets.encoders.protocol import Vector
from legacylens_assets.encoders.validate import normalise, unit_rows
from legacylens_assets.errors import EncoderError, MissingExtra

WINDOW_WORDS = 180
OVERLAP_WORDS = 40
"""Words of a reranker's window, and those that it shares with the one before: 180 words of code are about 400 tokens, and 512 fit."""
MOST_WINDOWS = 6


class HubDense:
    """A dense model that FastEmbed knows by name."""

    name = "hub"

    def __init__(self, model: str, threads: int = 1, batch: int = 16) -> None:
        """Load the model; raises EncoderError when it is unknown or cannot be downloaded."""
        self.model = model
        self.batch = batch
        self._encoder = _fastembed("TextEmbedding", model, threads)
        self.dimension = int(self.encode_documents_raw(["dimension"]).shape[1])
        self.max_tokens = _window(self._encoder)
        self.fingerprint = f"hub:{model}:{self.dimension}:{self.max_tokens}"

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Return the number of model tokens of each text."""
        return [int(self._encoder.token_count(text)) for text in texts]

    def encode_documents(self, texts: Sequence[str]) -> Vector:
        """Return float32 (len(texts), dimension) of unit length."""
        if not texts:
            return np.zeros((0, self.dimension), dtype=np.float32)
        return unit_rows(normalise(self.encode_documents_raw(texts), self.model), len(texts), self.dimension, self.model)

    def encode_documents_raw(self, texts: Sequence[str]) -> Vector:
        """Return the model's own vectors, not yet of unit length."""
        return np.stack([np.asarray(row, dtype=np.float32) for row in self._encoder.embed(list(texts), batch_size=self.batch)])

    def encode_query(self, text: str) -> Vector:
        """Return float32 (dimension,), of unit length."""
        row: Vector = normalise(np.stack(list(self._encoder.query_embed(text))), self.model)[0]
        return row


class OnnxReranker:
    """A cross-encoder that FastEmbed runs without torch."""

    name = "onnx"

    def __init__(self, model: str, threads: int = 1) -> None:
        """Load the model; raises EncoderError when it is unknown or cannot be downloaded."""
        self.fingerprint = f"onnx:{model}"
        self._encoder = _fastembed("TextCrossEncoder", model, threads)

    def scores(self, question: str, texts: Sequence[str]) -> list[float]:
        """Return one score for each text: that of its best window."""
        return best_windows(texts, lambda windows: [float(score) for score in self._encoder.rerank(question, list(windows))])


class HubReranker:
    """A cross-encoder of sentence-transformers. Needs torch."""

    name = "hub"

    def __init__(self, model: str) -> None:
        """Load the model; raises MissingExtra without sentence-transformers, EncoderError for weights without a classifier."""
        self.fingerprint = f"hub:{model}"
        self._encoder = load_cross_encoder(model)

    def scores(self, question: str, texts: Sequence[str]) -> list[float]:
        """Return one score for each text: that of its best window."""
        return best_windows(
            texts, lambda windows: [float(s) for s in self._encoder.predict([(question, w) for w in windows], show_progress_bar=False)]
        )


def best_windows(texts: Sequence[str], score: Callable[[Sequence[str]], list[float]]) -> list[float]:
    """Return for each text the greatest score of its windows, all windows scored in one call.

    >>> best_windows(["a", "b c"], lambda windows: [float(len(w)) for w in windows])
    [1.0, 3.0]
    """
    cut = [windows_of(text) for text in texts]
    flat = [window for windows in cut for window in windows]
    found = score(flat) if flat else []
    if len(found) != len(flat) or not np.isfinite(found).all():
        raise EncoderError(f"reranker: {len(found)} scores for {len(flat)} windows, expected as many, all finite")
    best, start = [], 0
    for windows in cut:
        best.append(max(found[start : start + len(windows)]))
        start += len(windows)
    return best


def windows_of(text: str) -> list[str]:
    r"""Return the overlapping windows of a text, cut between lines; a short text is its own window.

    >>> len(windows_of("one line")), len(windows_of("\n".join(["ten words " * 5] * 60)))
    (1, 4)
    """
    lines = text.split("\n")
    counts = [len(line.split()) for line in lines]
    windows: list[str] = []
    begin = words = 0
    for place, count in enumerate(counts):
        if words + count > WINDOW_WORDS and place > begin and len(windows) < MOST_WINDOWS - 1:
            windows.append("\n".join(lines[begin:place]))
            while begin < place and words > OVERLAP_WORDS:
                words -= counts[begin]
                begin += 1
        words += count
    windows.append("\n".join(lines[begin:]))
    return windows


def load_cross_encoder(model: str) -> Any:  # noqa: ANN401 - sentence-transformers is imported late
    """Return a CrossEncoder; raises EncoderError when its classifier's weights are not in the file.

    Over a plain BERT the library makes up a random head without an error, and ranks at random.
    """
    try:
        from sentence_transformers import CrossEncoder
        from transformers import AutoModelForSequenceClassification  # type: ignore[import-not-found,unused-ignore]
    except ImportError as error:
        raise MissingExtra("reranker `hub` needs sentence-transformers and torch: pip install 'legacylens[hub]'") from error
    try:
        _, report = AutoModelForSequenceClassification.from_pretrained(model, output_loading_info=True)
        refuse_random_head(model, report["missing_keys"])
        return CrossEncoder(model)
    except OSError as error:
        raise EncoderError(f"reranker {model}: cannot be loaded ({' '.join(str(error).split())[:200]}); give a folder or go online") from error


def refuse_random_head(model: str, missing_keys: Sequence[str]) -> None:
    """Raise EncoderError when weights of a classifier were not in the model's file."""
    heads = sorted(key for key in missing_keys if key.split(".")[0] in ("classifier", "score", "pre_classifier") or ".classifier." in key)
    if heads:
        raise EncoderError(
            f"reranker {model}: its file holds no {', '.join(heads)}: it is no cross-encoder, and its scores would be random; choose another"
        )


def _fastembed(kind: str, model: str, threads: int) -> Any:  # noqa: ANN401
    """Return a FastEmbed model of a kind; its errors become one that says what to do."""
    try:
        if kind == "TextEmbedding":
            from fastembed import TextEmbedding

            return TextEmbedding(model, threads=threads)
        from fastembed.rerank.cross_encoder import TextCrossEncoder

        return TextCrossEncoder(model, threads=threads)
    except Exception as error:  # the hub's, onnxruntime's and FastEmbed's errors share no base class
        words = " ".join(str(error).split())[:300]
        raise EncoderError(
            f"model {model} cannot be loaded ({words}); is the name right and the hub reachable? profile `embedded` needs no hub"
        ) from error


def _window(encoder: Any) -> int:  # noqa: ANN401
    """Return the number of tokens at which a FastEmbed model cuts."""
    tokenizer = getattr(encoder.model, "tokenizer", None)
    truncation = getattr(tokenizer, "truncation", None) or {}
    return int(truncation.get("max_length", 512))
