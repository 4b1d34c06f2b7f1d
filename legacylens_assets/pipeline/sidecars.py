"""The files that travel with a generation: indexed text, symbols, graph, document frequencies, point hashes."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from legacylens_assets.encoders.protocol import SparseVector
from legacylens_assets.manifest import ManifestEntry, read_source
from legacylens_assets.pipeline.vectors import frequencies
from legacylens_assets.registry import Codebase
from legacylens_assets.tables import from_table, read_table, to_table, write_table
from legacylens_assets.workspace import Workspace

NAMESPACE = uuid.UUID("6c6567a0-0000-5000-8000-1e6ac71e5000")


def file_id(codebase: str, path: str) -> str:
    """Return the stable id of a file: uuid5 of codebase and path."""
    return str(uuid.uuid5(NAMESPACE, f"{codebase}\0{path}"))


def file_ids(workspace: Workspace) -> dict[str, tuple[str, str]]:
    """Return path -> (file id, sha256) of the indexed files."""
    table = read_table(workspace.table("files"), ["path", "sha256"])
    return {row["path"]: (file_id(workspace.codebase, row["path"]), row["sha256"]) for row in table.to_pylist()}


def write_sidecars(
    workspace: Workspace,
    codebase: Codebase,
    rows: Iterable[Any],
    sparse: Mapping[str, tuple[Mapping[str, SparseVector], Mapping[str, tuple[str, str]]]],
) -> dict[str, Path]:
    """Write the sidecars that are not stage tables already; return name in the generation -> path to copy from."""
    from legacylens_assets.pipeline.publish import POINTS, PointRow

    folder = workspace.stages / "sidecars"
    write_table(_text_table(workspace, codebase), folder / "files.parquet")
    write_table(to_table(rows, PointRow), folder / POINTS)
    _write_frequencies(sparse, folder / "df.parquet")
    found = {"files.parquet": folder / "files.parquet", POINTS: folder / POINTS, "df.parquet": folder / "df.parquet"}
    for name in ("symbols", "graph", "nodes", "references", "problems", "chunks"):
        found[f"{name}.parquet"] = workspace.table(name)
    return found


def _write_frequencies(sparse: Mapping[str, tuple[Mapping[str, SparseVector], Mapping[str, tuple[str, str]]]], path: Path) -> None:
    import pyarrow as pa

    tables = []
    for leg, (vectors, keys) in sparse.items():
        table = frequencies(vectors, [pair[1] for pair in keys.values()])
        tables.append(table.add_column(0, "leg", pa.array([leg] * table.num_rows, pa.string())))
    empty = pa.table({"leg": pa.array([], pa.string()), "index": pa.array([], pa.uint32()), "df": pa.array([], pa.int64())})
    write_table(pa.concat_tables(tables) if tables else empty, path)


def _text_table(workspace: Workspace, codebase: Codebase) -> Any:  # noqa: ANN401 - pyarrow table
    """Return the indexed text of every file: what the source viewer shows, never a path on disk."""
    import pyarrow as pa

    indexed = set(read_table(workspace.table("files"), ["path"]).column("path").to_pylist())
    entries = [e for e in from_table(read_table(workspace.table("manifest")), ManifestEntry) if e.path in indexed]
    columns: dict[str, list[Any]] = {name: [] for name in ("file_id", "path", "language", "encoding", "sha256", "lines", "text")}
    for entry in entries:
        source = read_source(workspace.raw, entry)
        row = (
            file_id(codebase.key, entry.path),
            entry.path,
            entry.language,
            entry.encoding,
            entry.sha256,
            len(source.lines),
            "\n".join(source.lines),
        )
        for name, value in zip(columns, row, strict=True):
            columns[name].append(value)
    types = {"lines": pa.int64(), "text": pa.large_string()}
    return pa.table({name: pa.array(values, types.get(name, pa.string())) for name, values in columns.items()})
