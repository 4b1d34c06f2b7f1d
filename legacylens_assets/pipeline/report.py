"""What a stage says of its run."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

Progress = Callable[[str, int, int], None]
"""Called with (stage, done, total) while a stage works."""


def silent(stage: str, done: int, total: int) -> None:
    """Report nothing."""


@dataclass(frozen=True, slots=True)
class StageReport:
    """One stage's run: seconds, counts for metadata, and why work was not reused."""

    stage: str
    codebase: str
    seconds: float
    counts: Mapping[str, int]
    reused: bool
    invalidated_by: tuple[str, ...] = ()
    data_version: str = ""
    notes: Mapping[str, Any] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """Return the report as JSON-able values."""
        return {
            "stage": self.stage,
            "codebase": self.codebase,
            "seconds": round(self.seconds, 3),
            "counts": dict(self.counts),
            "reused": self.reused,
            "invalidated_by": list(self.invalidated_by),
            "data_version": self.data_version,
            "notes": dict(self.notes),
        }


class Stopwatch:
    """Seconds since it was made."""

    def __init__(self) -> None:
        self.start = time.perf_counter()

    @property
    def seconds(self) -> float:
        """Return the elapsed seconds."""
        return time.perf_counter() - self.start
