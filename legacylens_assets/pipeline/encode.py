"""dense_vectors and sparse_vectors: texts become vectors. A text that this encoder has seen is not encoded again."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from legacylens_assets.encoders import load_dense, load_sparse
from legacylens_assets.encoders.protocol import DenseEncoder, SparseEncoder, SparseVector, Vector
from legacylens_assets.pipeline.report import Progress, StageReport, Stopwatch, silent
from legacylens_assets.pipeline.vectors import PartFiles, dense_table, read_dense, read_sparse, sparse_table, stored_fingerprint, text_key
from legacylens_assets.registry import Codebase
from legacylens_assets.settings import Settings
from legacylens_assets.tables import read_table, write_table
from legacylens_assets.workspace import Workspace, digest


def encode_dense_stage(codebase: Codebase, settings: Settings, progress: Progress = silent) -> StageReport:
    """Write dense.parquet: one unit vector for each distinct dense text. Flushed as it goes: a killed run resumes."""
    watch = Stopwatch()
    workspace = Workspace(settings.data, codebase.key)
    encoder = load_dense(settings)
    target = workspace.table("dense")
    if encoder is None:
        target.unlink(missing_ok=True)
        return StageReport("dense_vectors", codebase.key, watch.seconds, {"texts": 0}, True, (), "off", {"encoder": "off"})
    texts = _distinct(workspace, "dense_text")
    reasons = _reasons(stored_fingerprint(target), encoder.fingerprint)
    known = read_dense(target, encoder.fingerprint)
    parts = PartFiles(workspace.stages / "dense-parts", encoder.fingerprint)
    resumed = parts.dense()
    known.update(resumed)
    todo = {key: text for key, text in texts.items() if key not in known}
    stale = set(known) - set(texts)
    if todo:
        known.update(_encode_dense(encoder, todo, parts, settings, progress))
    if todo or stale or resumed or not target.exists():
        keys = sorted(texts)
        matrix = np.stack([known[key] for key in keys]) if keys else np.zeros((0, encoder.dimension), np.float32)
        write_table(dense_table(keys, matrix, encoder.fingerprint), target)
    parts.clear()
    version = digest(encoder.fingerprint, *sorted(texts))
    workspace.write_stamp("dense_vectors", data_version=version, fingerprint=encoder.fingerprint)
    counts = {"texts": len(texts), "embedded": len(todo), "reused": len(texts) - len(todo), "resumed": len(resumed), "dropped": len(stale)}
    return _report("dense_vectors", codebase.key, watch, counts, reasons, version, encoder.name, encoder.fingerprint)


def encode_sparse_stage(codebase: Codebase, settings: Settings, progress: Progress = silent) -> StageReport:
    """Write sparse-<leg>.parquet for each sparse leg that is on: one vector for each distinct sparse text."""
    watch = Stopwatch()
    workspace = Workspace(settings.data, codebase.key)
    texts = _distinct(workspace, "sparse_text")
    totals = {"texts": len(texts), "encoded": 0, "reused": 0}
    reasons: tuple[str, ...] = ()
    encoders = load_sparse(settings)
    for encoder in encoders:
        target = workspace.table(f"sparse-{encoder.name}")
        reasons += _reasons(stored_fingerprint(target), encoder.fingerprint)
        known = read_sparse(target, encoder.fingerprint)
        todo = {key: text for key, text in texts.items() if key not in known}
        known.update(_encode_sparse(encoder, todo, progress))
        if todo or set(known) - set(texts) or not target.exists():
            keys = sorted(texts)
            write_table(sparse_table(keys, [known[key] for key in keys], encoder.fingerprint), target)
        totals["encoded"] += len(todo)
        totals["reused"] += len(texts) - len(todo)
    version = digest(*(e.fingerprint for e in encoders), *sorted(texts))
    workspace.write_stamp("sparse_vectors", data_version=version, fingerprints={e.name: e.fingerprint for e in encoders})
    names = ", ".join(e.name for e in encoders)
    return _report("sparse_vectors", codebase.key, watch, totals, reasons, version, names, digest(*(e.fingerprint for e in encoders)))


def _distinct(workspace: Workspace, column: str) -> dict[str, str]:
    values = read_table(workspace.table("texts"), [column]).column(column).to_pylist()
    return {text_key(value): value for value in values}


def _reasons(stored: str, wanted: str) -> tuple[str, ...]:
    return () if stored == wanted else ("first run",) if not stored else ("encoder",)


def _encode_dense(encoder: DenseEncoder, todo: dict[str, str], parts: PartFiles, settings: Settings, progress: Progress) -> dict[str, Vector]:
    """Return key -> vector; texts of similar length share a batch, and every ``encode_flush`` texts go to disk."""
    keys = sorted(todo, key=lambda key: (len(todo[key]), key))
    found: dict[str, Vector] = {}
    flush = max(1, settings.encode_flush)
    for start in range(0, len(keys), flush):
        progress("dense_vectors", start, len(keys))
        block = keys[start : start + flush]
        vectors = encoder.encode_documents([todo[key] for key in block])
        parts.add(dense_table(block, vectors, encoder.fingerprint))
        found.update(zip(block, vectors, strict=True))
    progress("dense_vectors", len(keys), len(keys))
    return found


def _encode_sparse(encoder: SparseEncoder, todo: dict[str, str], progress: Progress) -> dict[str, SparseVector]:
    found: dict[str, SparseVector] = {}
    keys: Sequence[str] = list(todo)
    for start in range(0, len(keys), 2000):
        progress("sparse_vectors", start, len(keys))
        block = keys[start : start + 2000]
        found.update(zip(block, encoder.encode_documents([todo[key] for key in block]), strict=True))
    progress("sparse_vectors", len(keys), len(keys))
    return found


def _report(
    stage: str, key: str, watch: Stopwatch, counts: dict[str, int], reasons: tuple[str, ...], version: str, encoder: str, fingerprint: str
) -> StageReport:
    work = counts.get("embedded", counts.get("encoded", 0))
    invalidated = reasons or (("texts",) if work else ())
    rate = round(work / watch.seconds, 1) if work else 0.0
    notes = {"encoder": encoder, "fingerprint": fingerprint, "texts_per_second": rate}
    return StageReport(stage, key, watch.seconds, counts, work == 0, invalidated, version, notes)
