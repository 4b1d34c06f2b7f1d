"""vector_index: chunks and vectors become a published generation. Only points whose vectors changed are written; drifted lines update payloads."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from legacylens_assets.encoders import load_dense, load_sparse
from legacylens_assets.encoders.protocol import SparseVector, Vector
from legacylens_assets.pipeline.report import Progress, StageReport, Stopwatch, silent
from legacylens_assets.pipeline.sidecars import file_ids, write_sidecars
from legacylens_assets.pipeline.vectors import read_dense, read_sparse, text_key
from legacylens_assets.registry import Codebase
from legacylens_assets.settings import Settings
from legacylens_assets.store import open_writer
from legacylens_assets.store.protocol import Point
from legacylens_assets.tables import from_table, read_json, read_table
from legacylens_assets.types import Chunk, ChunkText
from legacylens_assets.workspace import Workspace, digest, file_digest

POINTS = "points.parquet"
"""Sidecar of a generation: chunk_id, vector and payload hashes. What the next publish compares with."""


@dataclass(frozen=True, slots=True)
class PointRow:
    """What a generation holds of one chunk, by hash."""

    chunk_id: str
    vector: str
    payload: str


@dataclass(frozen=True, slots=True)
class _Draft:
    """Everything a generation will hold."""

    payloads: Mapping[str, dict[str, Any]]
    rows: Mapping[str, PointRow]
    keys: Mapping[str, tuple[str, str]]
    dense: Mapping[str, Vector]
    sparse: Mapping[str, Mapping[str, SparseVector]]

    def point(self, chunk_id: str) -> Point:
        """Return the full point of a chunk."""
        dense_key, sparse_key = self.keys[chunk_id]
        legs = {leg: vectors[sparse_key] for leg, vectors in self.sparse.items() if sparse_key in vectors}
        return Point(chunk_id, self.dense.get(dense_key), legs, self.payloads[chunk_id])


def index_stage(codebase: Codebase, settings: Settings, progress: Progress = silent) -> StageReport:
    """Publish what the earlier stages wrote as a new generation, unless the current one already holds exactly that.

    Raises IndexError_ when the writer lock cannot be had in time; the current generation serves on in any case.
    """
    watch = Stopwatch()
    workspace = Workspace(settings.data, codebase.key)
    progress("vector_index", 0, 1)
    writer = open_writer(settings)
    fingerprints = _fingerprints(settings)
    inputs = _inputs(workspace, fingerprints, codebase)
    current = writer.current(codebase.key)
    if current is not None and current.extra.get("inputs") == inputs and writer.is_whole(codebase.key):
        counts = {"points": current.points, "upserted": 0, "payload_updates": 0, "kept": current.points, "deleted": 0}
        return StageReport("vector_index", codebase.key, watch.seconds, counts, True, (), current.generation, {"generation": current.generation})
    draft = _draft(workspace, settings, fingerprints)
    old = {} if current is None or dict(current.fingerprints) != fingerprints else _old_rows(writer.generation_dir(codebase.key))
    kept = {i for i, row in draft.rows.items() if i in old and old[i].vector == row.vector}
    drifted = {i: draft.payloads[i] for i in sorted(kept) if old[i].payload != draft.rows[i].payload}
    fresh = sorted(set(draft.rows) - kept)
    files = write_sidecars(workspace, codebase, draft.rows.values(), {leg: (vectors, draft.keys) for leg, vectors in draft.sparse.items()})
    meta = {"fingerprints": fingerprints, "inputs": inputs, "role": codebase.role, "title": codebase.title, "profile": settings.profile}
    meta |= {"version": workspace.stamp("raw_repo").get("version", ""), "origin": workspace.stamp("raw_repo").get("origin", "")}
    info = writer.publish(codebase.key, _points(draft, fresh, progress), sorted(kept), meta, files=files, payloads=drifted)
    deleted = len(set(old) - set(draft.rows))
    counts = {"points": len(draft.rows), "upserted": len(fresh), "payload_updates": len(drifted), "kept": len(kept), "deleted": deleted}
    changed = tuple(name for name, value in inputs.items() if current is None or current.extra.get("inputs", {}).get(name) != value)
    progress("vector_index", 1, 1)
    notes = {"generation": info.generation, "fingerprints": fingerprints}
    return StageReport("vector_index", codebase.key, watch.seconds, counts, False, changed, info.generation, notes)


def _points(draft: _Draft, fresh: list[str], progress: Progress) -> Iterator[Point]:
    for done, chunk_id in enumerate(fresh):
        if done % 1000 == 0:
            progress("vector_index", done, len(fresh))
        yield draft.point(chunk_id)


def _fingerprints(settings: Settings) -> dict[str, str]:
    dense = load_dense(settings)
    found = {encoder.name: encoder.fingerprint for encoder in load_sparse(settings)}
    return found | ({"dense": dense.fingerprint} if dense else {})


def _inputs(workspace: Workspace, fingerprints: Mapping[str, str], codebase: Codebase) -> dict[str, str]:
    names = ("chunks", "texts", "graph", "symbols", "files")
    found = {name: file_digest(workspace.table(name)) for name in names}
    provenance = workspace.stamp("raw_repo")
    return found | {
        "encoders": digest(json.dumps(dict(fingerprints), sort_keys=True)),
        "codebase": digest(codebase.role, codebase.title, provenance.get("version"), provenance.get("origin")),
    }


def _draft(workspace: Workspace, settings: Settings, fingerprints: Mapping[str, str]) -> _Draft:
    chunks = from_table(read_table(workspace.table("chunks")), Chunk)
    texts = {text.chunk_id: text for text in from_table(read_table(workspace.table("texts")), ChunkText)}
    ids = file_ids(workspace)
    payloads = {chunk.chunk_id: _payload(chunk, texts[chunk.chunk_id], ids[chunk.path]) for chunk in chunks}
    keys = {i: (text_key(text.dense_text), text_key(text.sparse_text)) for i, text in texts.items()}
    stamp = digest(json.dumps(dict(fingerprints), sort_keys=True))
    rows = {i: PointRow(i, digest(stamp, *keys[i]), digest(json.dumps(payload, sort_keys=True))) for i, payload in payloads.items()}
    dense = read_dense(workspace.table("dense"), fingerprints["dense"]) if "dense" in fingerprints else {}
    sparse = {leg: read_sparse(workspace.table(f"sparse-{leg}"), mark) for leg, mark in fingerprints.items() if leg != "dense"}
    return _Draft(payloads, rows, keys, dense, sparse)


def _payload(chunk: Chunk, text: ChunkText, ids: tuple[str, str]) -> dict[str, Any]:
    values = asdict(chunk)
    values |= {name: list(values[name]) for name in ("calls", "performs", "copies", "datasets")}
    return values | {"file_id": ids[0], "file_sha": ids[1], "header": text.header, "descriptor": text.descriptor}


def _old_rows(folder: Path) -> dict[str, PointRow]:
    path = folder / POINTS
    if not path.exists() or not read_json(folder / "GEN.json"):
        return {}
    return {row.chunk_id: row for row in from_table(read_table(path), PointRow)}
