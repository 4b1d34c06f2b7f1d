"""What must hold of each stage's output before the next may rely on it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from legacylens_assets.encoders import load_dense, load_sparse
from legacylens_assets.pipeline.parse import FileRow
from legacylens_assets.pipeline.vectors import read_dense, read_sparse, text_key
from legacylens_assets.registry import load_registry
from legacylens_assets.settings import Settings
from legacylens_assets.tables import from_table, read_table
from legacylens_assets.workspace import Workspace

MOST_FALL_BACKS = 0.02
"""Share of files that may fall back to plain lines before the check warns."""

MOST_SKIPPED = 0.005
"""Share of lines that may be skipped before the check warns."""

SHOWN = 20
"""Examples that a finding lists."""


@dataclass(frozen=True, slots=True)
class Finding:
    """Whether it holds, in words, with numbers to plot."""

    passed: bool
    message: str
    numbers: Mapping[str, int | float] = field(default_factory=dict)
    examples: Sequence[str] = ()


def has_files(key: str, settings: Settings) -> Finding:
    """Return whether the manifest lists files to index."""
    reasons = read_table(Workspace(settings.data, key).table("manifest"), ["skip_reason"]).column("skip_reason").to_pylist()
    kept = sum(not reason for reason in reasons)
    message = f"{kept} of {len(reasons)} files are indexed" if kept else "no file is indexed: check include and exclude in data/codebases.toml"
    return Finding(kept > 0, message, {"indexed_files": kept, "skipped_files": len(reasons) - kept})


def lines_conserved(key: str, settings: Settings) -> Finding:
    """Return whether every line of every indexed file is in exactly one chunk or in one listed skip."""
    workspace = Workspace(settings.data, key)
    files = from_table(read_table(workspace.table("files")), FileRow)
    spans: dict[str, list[tuple[int, int]]] = {row.path: [] for row in files}
    for name in ("chunks", "skips"):
        for row in read_table(workspace.table(name), ["path", "start_line", "end_line"]).to_pylist():
            spans[row["path"]].append((row["start_line"], row["end_line"]))
    wrong = [row.path for row in files if not _covers(sorted(spans[row.path]), row.lines)]
    message = "every line is in exactly one chunk or skip" if not wrong else f"lines lost or doubled in {len(wrong)} files, first {wrong[0]}"
    return Finding(not wrong, message, {"files": len(files), "files_wrong": len(wrong)}, wrong[:SHOWN])


def _covers(spans: list[tuple[int, int]], lines: int) -> bool:
    """Return whether sorted spans tile 1..lines without gap or overlap."""
    next_line = 1
    for start, end in spans:
        if start != next_line or end < start:
            return False
        next_line = end + 1
    return next_line == lines + 1


def few_fall_backs(key: str, settings: Settings) -> Finding:
    """Return whether few files fell back to plain lines."""
    files = from_table(read_table(Workspace(settings.data, key).table("files")), FileRow)
    fallen = [row.path for row in files if row.status == "lines" and row.language != "text"]
    share = len(fallen) / len(files) if files else 0.0
    message = f"{len(fallen)} of {len(files)} files fell back to lines" + (f", first {fallen[0]}" if fallen else "")
    return Finding(share <= MOST_FALL_BACKS, message, {"files_as_lines": len(fallen), "share": share}, fallen[:SHOWN])


def few_skipped_lines(key: str, settings: Settings) -> Finding:
    """Return whether few lines are in no chunk; each skip has its reason."""
    workspace = Workspace(settings.data, key)
    total = sum(row.lines for row in from_table(read_table(workspace.table("files")), FileRow))
    skips = read_table(workspace.table("skips"), ["path", "start_line", "end_line", "reason"]).to_pylist()
    lines = sum(row["end_line"] - row["start_line"] + 1 for row in skips)
    share = lines / total if total else 0.0
    examples = [f"{row['path']}:{row['start_line']}-{row['end_line']}: {row['reason']}" for row in skips[:SHOWN]]
    return Finding(share <= MOST_SKIPPED, f"{lines:,} of {total:,} lines are skipped", {"skipped_lines": lines, "share": share}, examples)


def from_first_origin(key: str, settings: Settings) -> Finding:
    """Return whether the tree came from the first origin of the registry; a fallback may be another version."""
    used = str(Workspace(settings.data, key).stamp("raw_repo").get("origin", ""))
    first = str(load_registry(settings.registry_path).get(key).origins[0])
    message = f"from {used}" if used == first else f"from {used}, not from {first}: that could not be reached; lines and versions may differ"
    return Finding(used == first, message)


def texts_complete(key: str, settings: Settings) -> Finding:
    """Return whether each chunk has exactly one text."""
    workspace = Workspace(settings.data, key)
    chunks = read_table(workspace.table("chunks"), ["chunk_id"]).column("chunk_id").to_pylist()
    texts = read_table(workspace.table("texts"), ["chunk_id"]).column("chunk_id").to_pylist()
    missing = sorted(set(chunks) - set(texts))
    good = not missing and len(texts) == len(chunks) == len(set(chunks))
    return Finding(good, f"{len(texts)} texts for {len(chunks)} chunks", {"texts": len(texts), "chunks": len(chunks)}, missing[:SHOWN])


def dense_valid(key: str, settings: Settings) -> Finding:
    """Return whether each dense text has one finite vector of unit length."""
    import numpy as np

    encoder = load_dense(settings)
    if encoder is None:
        return Finding(True, "the dense leg is off")
    found = read_dense(Workspace(settings.data, key).table("dense"), encoder.fingerprint)
    if not found:
        return Finding(False, f"no vectors of {encoder.fingerprint}: run dense_vectors again")
    matrix = np.stack(list(found.values()))
    norms = np.linalg.norm(matrix, axis=1)
    missing = _texts_without(Workspace(settings.data, key), "dense_text", found)
    sound = bool(np.isfinite(matrix).all() and (abs(norms - 1) < 1e-3).all())
    message = f"{len(found)} vectors of {matrix.shape[1]} dimensions"
    message += "" if sound else "; some are not finite or not of unit length"
    message += f"; {missing} texts have none" if missing else ""
    numbers = {"vectors": len(found), "texts_without": missing, "worst_norm_error": float(np.nan_to_num(abs(norms - 1), nan=1e9).max())}
    return Finding(sound and not missing, message, numbers)


def _texts_without(workspace: Workspace, column: str, found: Mapping[str, object]) -> int:
    """Return the number of distinct texts of a column that have no vector."""
    texts = set(read_table(workspace.table("texts"), [column]).column(column).to_pylist())
    return sum(text_key(text) not in found for text in texts)


def sparse_valid(key: str, settings: Settings) -> Finding:
    """Return whether sparse vectors have unique ascending indices and finite weights."""
    import numpy as np

    workspace = Workspace(settings.data, key)
    total = bad = missing = 0
    for encoder in load_sparse(settings):
        found = read_sparse(workspace.table(f"sparse-{encoder.name}"), encoder.fingerprint)
        missing += _texts_without(workspace, "sparse_text", found)
        for vector in found.values():
            total += 1
            ascending = bool((np.diff(vector.indices.astype(np.int64)) > 0).all())
            bad += not (ascending and bool(np.isfinite(vector.values).all()))
    message = f"{total} sparse vectors, {bad} not valid" + (f", {missing} texts have none" if missing else "")
    return Finding(total > 0 and not bad and not missing, message, {"vectors": total, "not_valid": bad, "texts_without": missing})


def index_serves(key: str, settings: Settings) -> Finding:
    """Return whether the published generation holds every chunk and answers a query with its own text."""
    from legacylens_assets.service import open_service

    chunks = read_table(Workspace(settings.data, key).table("chunks"), ["chunk_id"]).num_rows
    service = open_service(settings)
    points = service.reader.info(key).points
    first = read_table(Workspace(settings.data, key).table("texts"), ["descriptor", "header"]).slice(0, 1).to_pylist()
    query = (first[0]["descriptor"] or first[0]["header"])[:200] if first else "program"
    hits = len(service.retriever.search(query, codebases=(key,), k=5).hits)
    good = points == chunks and hits > 0
    return Finding(good, f"{points} points for {chunks} chunks; a test query found {hits} hits", {"points": points, "chunks": chunks, "hits": hits})
