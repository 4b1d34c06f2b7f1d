"""Stage reports as Dagster metadata, and progress as log lines."""

import time
from collections.abc import Callable
from typing import Any

import dagster as dg

from legacylens_assets.pipeline.report import StageReport

LOG_EVERY = 5.0
"""Seconds between two progress lines of one stage."""


def result(report: StageReport, **extra: Any) -> dg.MaterializeResult:  # type: ignore[type-arg]  # noqa: ANN401
    """Return a materialisation whose metadata says what was done, what was reused, and why."""
    metadata: dict[str, Any] = dict(report.counts)
    metadata["seconds"] = round(report.seconds, 2)
    metadata["reused"] = report.reused
    metadata["invalidated_by"] = ", ".join(report.invalidated_by) or "nothing"
    for name, value in report.notes.items():
        metadata[name] = dg.MetadataValue.json(value) if isinstance(value, dict | list | tuple) else value
    if "chunks" in report.counts or "files" in report.counts:
        metadata["dagster/row_count"] = report.counts.get("chunks", report.counts.get("files", 0))
    metadata["report"] = dg.MetadataValue.json(report.to_json())
    metadata.update(extra)
    return dg.MaterializeResult(metadata=metadata, data_version=dg.DataVersion(report.data_version) if report.data_version else None)


def logged_progress(context: dg.AssetExecutionContext) -> Callable[[str, int, int], None]:
    """Return a progress function that logs at most one line every few seconds, with an estimate of the time left."""
    started = time.monotonic()
    last = [started]

    def progress(stage: str, done: int, total: int) -> None:
        now = time.monotonic()
        if now - last[0] < LOG_EVERY or total <= 1:
            return
        last[0] = now
        left = (now - started) / done * (total - done) if done else 0
        context.log.info(f"{stage}: {done} of {total}" + (f", about {left:.0f} s left" if done else ""))

    return progress
