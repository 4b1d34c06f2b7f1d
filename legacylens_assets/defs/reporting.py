"""Stage reports as Dagster metadata, and progress as log lines."""

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import dagster as dg

from legacylens_assets.pipeline.report import Progress, StageReport
from legacylens_assets.settings import Settings
from legacylens_assets.workspace import Workspace

LOG_EVERY = 5.0
"""Seconds between two progress lines of one stage."""

TABLE_OF = {
    "raw_repo": "manifest",
    "parsed_chunks": "chunks",
    "code_graph": "graph",
    "chunk_texts": "texts",
    "dense_vectors": "dense",
    "sparse_vectors": "sparse-identifiers",
}
"""The Parquet file that shows in the UI as an asset's table: its columns and its number of rows."""

COUNTED = {"languages": ("language", "files"), "skipped": ("reason", "files"), "problems": ("problem", "times"), "kinds": ("kind", "edges")}
"""Notes that are tallies, with the headings of their table."""

Listener = Callable[[str, int, int], None]


def result(report: StageReport, settings: Settings) -> dg.MaterializeResult:  # type: ignore[type-arg]
    """Return a materialisation whose metadata says what was done, what was reused, and why."""
    metadata: dict[str, Any] = dict(report.counts)
    metadata["seconds"] = round(report.seconds, 2)
    metadata["reused"] = report.reused
    metadata["invalidated_by"] = ", ".join(report.invalidated_by) or "nothing"
    for name, value in report.notes.items():
        metadata[name] = _note(name, value)
    metadata |= _table_of_asset(report, settings)
    if report.stage == "vector_index":
        metadata["dagster/row_count"] = report.counts.get("points", 0)
        metadata["ask"] = dg.MetadataValue.url(f"http://{settings.host}:{settings.api_port}/?codebase={report.codebase}")
    metadata["summary"] = dg.MetadataValue.md(summary_text(report))
    metadata["report"] = dg.MetadataValue.json(report.to_json())
    return dg.MaterializeResult(metadata=metadata, data_version=dg.DataVersion(report.data_version) if report.data_version else None)


def summary_text(report: StageReport) -> str:
    """Return one stage's run in a few lines of Markdown: what changed, what was reused, why."""
    head = (
        "Nothing had changed; everything was reused."
        if report.reused
        else f"Done again because of: {', '.join(report.invalidated_by) or 'its input'}."
    )
    rows = "\n".join(f"| {name.replace('_', ' ')} | {value:,} |" for name, value in report.counts.items())
    return f"**{report.codebase}**, {report.seconds:.1f} s. {head}\n\n| | |\n|---|---:|\n{rows}"


def table_value(rows: Sequence[Mapping[str, Any]]) -> dg.TableMetadataValue:
    """Return rows, which all have the same columns, as a table; numbers are typed so that the UI aligns them."""
    first = rows[0] if rows else {"nothing": ""}
    kinds = {bool: "bool", int: "int", float: "float"}
    columns = [dg.TableColumn(name, kinds.get(type(value), "string")) for name, value in first.items()]
    return dg.MetadataValue.table([dg.TableRecord(dict(row)) for row in rows], dg.TableSchema(columns))


def _note(name: str, value: Any) -> Any:  # noqa: ANN401 - one table of mixed types
    if name in COUNTED and isinstance(value, dict):
        what, number = COUNTED[name]
        ordered = sorted(value.items(), key=lambda item: (-item[1], item[0]))
        return table_value([{what: str(key), number: int(count)} for key, count in ordered] or [{what: "none", number: 0}])
    return dg.MetadataValue.json(value) if isinstance(value, dict | list | tuple) else value


def _table_of_asset(report: StageReport, settings: Settings) -> dict[str, Any]:
    """Return row count, column schema and path of the Parquet file that the asset wrote."""
    import pyarrow.parquet as pq

    path = Workspace(settings.data, report.codebase).table(TABLE_OF.get(report.stage, ""))
    if report.stage not in TABLE_OF or not path.exists():
        return {}
    schema = pq.read_schema(path)
    columns = [dg.TableColumn(name, str(kind)) for name, kind in zip(schema.names, schema.types, strict=True)]
    return {
        "dagster/row_count": pq.read_metadata(path).num_rows,
        "dagster/column_schema": dg.TableSchema(columns),
        "file": dg.MetadataValue.path(str(path)),
    }


def logged_progress(context: dg.AssetExecutionContext, listener: Listener, now: Callable[[], float] = time.monotonic) -> Progress:
    """Return a progress function that logs at most one line every few seconds, with an estimate of the time left.

    Every call also goes to ``listener``, which a run without servers uses to show its line in the terminal.
    """
    started: dict[str, float] = {}
    last: dict[str, float] = {}

    def progress(stage: str, done: int, total: int) -> None:
        listener(stage, done, total)
        at = now()
        begin = started.setdefault(stage, at)
        if at - last.get(stage, begin) < LOG_EVERY or total <= 1:
            return
        last[stage] = at
        left = (at - begin) / done * (total - done) if done else 0
        context.log.info(f"{stage}: {done:,} of {total:,}" + (f", about {left:.0f} s left" if done else ""))

    return progress
