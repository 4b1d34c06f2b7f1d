"""Counters and durations in Prometheus' text form, without a dependency."""

from __future__ import annotations

import threading
from collections.abc import Mapping

BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0)
"""Seconds."""

Labels = tuple[tuple[str, str], ...]


class Counters:
    """Numbers by name and labels. Safe to share between threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._counts: dict[tuple[str, Labels], float] = {}
        self._times: dict[tuple[str, Labels], tuple[list[int], float, int]] = {}

    def add(self, name: str, labels: Mapping[str, str] | None = None, by: float = 1.0) -> None:
        """Count ``by`` more of ``name``."""
        key = (name, tuple(sorted((labels or {}).items())))
        with self._lock:
            self._counts[key] = self._counts.get(key, 0.0) + by

    def observe(self, name: str, seconds: float, labels: Mapping[str, str] | None = None) -> None:
        """Record a duration."""
        key = (name, tuple(sorted((labels or {}).items())))
        with self._lock:
            buckets, total, count = self._times.setdefault(key, ([0] * len(BUCKETS), 0.0, 0))
            for place, bound in enumerate(BUCKETS):
                buckets[place] += seconds <= bound
            self._times[key] = (buckets, total + seconds, count + 1)

    def text(self) -> str:
        """Return everything in Prometheus' exposition format 0.0.4."""
        with self._lock:
            counts = sorted(self._counts.items())
            times = sorted((key, (list(buckets), total, count)) for key, (buckets, total, count) in self._times.items())
        lines: list[str] = []
        typed: set[str] = set()
        for (name, labels), value in counts:
            if name not in typed:
                typed.add(name)
                lines.append(f"# TYPE {name} counter")
            lines.append(f"{name}{_labels(labels)} {value:g}")
        for (name, labels), (buckets, total, count) in times:
            if name not in typed:
                typed.add(name)
                lines.append(f"# TYPE {name} histogram")
            for bound, below in zip((*map(str, BUCKETS), "+Inf"), (*buckets, count), strict=True):
                lines.append(f"{name}_bucket{_labels((*labels, ('le', bound)))} {below}")
            lines += [f"{name}_sum{_labels(labels)} {total:.6f}", f"{name}_count{_labels(labels)} {count}"]
        return "\n".join(lines) + "\n"


def _labels(labels: Labels) -> str:
    r"""Return labels as Prometheus writes them.

    >>> _labels((("route", 'a"b'),))
    '{route="a\\"b"}'
    """
    shown = ",".join(f'{name}="{_escaped(value)}"' for name, value in labels)
    return f"{{{shown}}}" if shown else ""


def _escaped(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
