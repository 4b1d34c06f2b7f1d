"""Dense vectors by Voyage (docs.voyageai.com/reference/embeddings-api), through its SDK.

The SDK neither retries nor times out unless told to, and retries only some of the errors that pass: both are done here.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np

from legacylens_assets.encoders.protocol import Vector
from legacylens_assets.encoders.validate import normalise, unit_rows
from legacylens_assets.errors import EncoderError, MissingExtra, SettingError
from legacylens_assets.settings import Settings

BATCH_TEXTS = 128
BATCH_TOKENS = 60_000
"""Half of what one request may hold: the count is an estimate."""
MAX_TOKENS = 4000
"""Tokens sent of one text; the models take 32,000, but a chunk is never that long."""
ATTEMPTS = 6
FIRST_WAIT, LONGEST_WAIT = 1.0, 30.0
TIMEOUT = 60.0
CHARACTERS_PER_TOKEN = 3.0
"""Of source code; prose has about four. The exact tokenizer would have to be downloaded."""
PRICE_PER_MILLION: Mapping[str, float] = MappingProxyType(
    {"voyage-code-3": 0.18, "voyage-3.5": 0.06, "voyage-3.5-lite": 0.02, "voyage-3-large": 0.18}
)
"""US dollars for a million tokens, as published in 2025; the bill is what counts."""


@dataclass(frozen=True, slots=True)
class VoyageEncoder:
    """One Voyage model at one output dimension. ``progress`` is told (texts done, texts in all) after each request."""

    client: Any
    model: str
    dimension: int
    sleep: Callable[[float], None] = time.sleep
    progress: Callable[[int, int], None] = lambda done, total: None
    name: str = "voyage"
    max_tokens: int = MAX_TOKENS

    @classmethod
    def from_settings(cls, settings: Settings) -> VoyageEncoder:
        """Return the encoder that the settings name; raises SettingError without a key, MissingExtra without the SDK."""
        if not settings.voyage_api_key:
            raise SettingError("VOYAGE_API_KEY is not set: profile `cloud` needs it; set it, or use LEGACYLENS_PROFILE=embedded")
        try:
            import voyageai
        except ImportError as error:
            raise MissingExtra("Voyage needs the package voyageai: pip install 'legacylens[cloud]'") from error
        client = voyageai.client.Client(api_key=settings.voyage_api_key, max_retries=0, timeout=TIMEOUT, base_url=settings.voyage_base_url or None)
        return cls(client, settings.voyage_model, settings.voyage_dimension)

    @property
    def fingerprint(self) -> str:
        """Return what the vectors depend on."""
        return f"voyage:{self.model}:{self.dimension}:{self.max_tokens}"

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Return an estimate of each text's tokens, on the high side."""
        return [int(len(text) / CHARACTERS_PER_TOKEN) + 2 for text in texts]

    def cost(self, tokens: int) -> float | None:
        """Return US dollars for encoding that many tokens, None for a model without a known price."""
        price = PRICE_PER_MILLION.get(self.model)
        return None if price is None else tokens / 1e6 * price

    def encode_documents(self, texts: Sequence[str]) -> Vector:
        """Return float32 (len(texts), dimension); an empty text is sent as one blank line, which the service accepts."""
        rows = []
        for batch in self._batches(texts):
            rows.extend(self._request(batch, "document"))
            self.progress(len(rows), len(texts))
        found = np.asarray(rows, dtype=np.float32).reshape(len(rows), -1 if rows else self.dimension)
        return unit_rows(normalise(found, self.name) if rows else found, len(texts), self.dimension, f"voyage model {self.model}")

    def encode_query(self, text: str) -> Vector:
        """Return float32 (dimension,), of unit length."""
        found = np.asarray(self._request([self._cut(text)], "query"), dtype=np.float32)
        row: Vector = unit_rows(normalise(found, self.name), 1, self.dimension, f"voyage model {self.model}")[0]
        return row

    def _batches(self, texts: Sequence[str]) -> Iterator[list[str]]:
        held: list[str] = []
        tokens = 0
        for text in map(self._cut, texts):
            (size,) = self.count_tokens([text])
            if held and (len(held) == BATCH_TEXTS or tokens + size > BATCH_TOKENS):
                yield held
                held, tokens = [], 0
            held.append(text)
            tokens += size
        if held:
            yield held

    def _cut(self, text: str) -> str:
        return text[: int(self.max_tokens * CHARACTERS_PER_TOKEN)] or "\n"

    def _request(self, texts: list[str], kind: str) -> list[list[float]]:
        """Return the vectors of one request; tries again when the failure may pass. Raises EncoderError otherwise."""
        from voyageai.error import VoyageError

        wait = FIRST_WAIT
        for attempt in range(1, ATTEMPTS + 1):
            try:
                answer = self.client.embed(texts, model=self.model, input_type=kind, truncation=True, output_dimension=self.dimension)
                break
            except (VoyageError, OSError) as error:
                if not _passes(error):
                    raise EncoderError(f"Voyage refused {len(texts)} texts for model {self.model}: {_words(error)}") from error
                if attempt == ATTEMPTS:
                    raise EncoderError(f"Voyage failed {ATTEMPTS} times for model {self.model}, last: {_words(error)}; try again later") from error
                self.sleep(max(wait, min(_asked_wait(error), LONGEST_WAIT)))
                wait = min(wait * 2, LONGEST_WAIT)
        found: list[list[float]] = answer.embeddings
        if len(found) != len(texts):
            raise EncoderError(f"Voyage returned {len(found)} vectors for {len(texts)} texts")
        return found


def _passes(error: Exception) -> bool:
    """Return whether a later try may succeed: rate limits, overload, timeouts, broken connections."""
    from voyageai import error as sdk

    passing = (sdk.RateLimitError, sdk.ServiceUnavailableError, sdk.ServerError, sdk.Timeout, sdk.APIConnectionError, sdk.TryAgain, OSError)
    status = getattr(error, "http_status", None) or 0
    return isinstance(error, passing) or status == 429 or status >= 500


def _asked_wait(error: Exception) -> float:
    """Return the seconds that the service asks to wait, 0 when it does not say."""
    headers = getattr(error, "headers", None) or {}
    try:
        return float(headers.get("Retry-After", 0))
    except (TypeError, ValueError):
        return 0.0


def _words(error: Exception) -> str:
    return " ".join(str(error).split())[:300] or type(error).__name__
