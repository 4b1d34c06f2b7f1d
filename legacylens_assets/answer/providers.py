"""Language model providers behind one small protocol, and the circuit breaker that lets a failing one rest."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from time import monotonic
from typing import Any, Protocol

from legacylens_assets.settings import Settings

Messages = Sequence[Mapping[str, str]]
FAILURES_TO_OPEN = 3
REST_SECONDS = 30.0


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of a streamed answer; the last one carries the reason why it ended and what it cost."""

    text: str = ""
    finish_reason: str = ""
    usage: Mapping[str, Any] = field(default_factory=dict)


class Provider(Protocol):
    """Streams a chat completion."""

    name: str
    model: str
    breaker: Breaker

    def stream(self, messages: Messages, max_tokens: int) -> AsyncGenerator[Piece, None]:
        """Yield pieces, the last with a finish_reason; raises ProviderError on any failure, a stream without a finish_reason included."""
        ...

    async def check(self) -> str:
        """Return what is wrong with the key or the model id, "" when the provider serves it."""
        ...


class Breaker:
    """Opens after some failures in a row; after a rest one question is let through to try again."""

    def __init__(self, failures: int = FAILURES_TO_OPEN, rest_seconds: float = REST_SECONDS, now: Callable[[], float] = monotonic) -> None:
        self._limit = failures
        self._rest = rest_seconds
        self._now = now
        self._failures = 0
        self._opened = 0.0

    @property
    def closed(self) -> bool:
        """Return whether the provider may be asked. When its rest is over the first caller is let through and the rest begins anew."""
        if self._failures < self._limit:
            return True
        if self._now() - self._opened < self._rest:
            return False
        self._opened = self._now()
        return True

    def failed(self) -> None:
        """Record a failure."""
        self._failures += 1
        self._opened = self._now()

    def worked(self) -> None:
        """Record a success."""
        self._failures = 0


def with_cost(usage: Mapping[str, Any], provider: str, settings: Settings) -> dict[str, Any]:
    """Return the usage with ``cost_usd``, six decimals, where the provider's prices are set and it counted its tokens; else as it was."""
    prices = [settings.values.get(f"{provider}_price_{side}", 0.0) for side in ("input", "output")]
    counts = [usage.get(name) for name in ("prompt_tokens", "completion_tokens")]
    if not any(prices) or None in counts:
        return dict(usage)
    cost = sum(float(price) * int(count or 0) for price, count in zip(prices, counts, strict=True)) / 1_000_000
    return {**usage, "cost_usd": round(cost, 6)}


def load_providers(settings: Settings) -> list[Provider]:
    """Return the providers that have a key, in order of preference: Cerebras, Groq. Loads no SDK; none without a key."""
    from legacylens_assets.answer.chat import SdkProvider

    found: list[Provider] = []
    if settings.cerebras_api_key:
        found.append(SdkProvider("cerebras", settings.cerebras_model, settings))
    if settings.groq_api_key:
        found.append(SdkProvider("groq", settings.groq_model, settings))
    return found
