"""chunk_texts: chunks become header-prefixed texts with token counts."""

from __future__ import annotations

from dataclasses import replace

from legacylens_assets.context import build_context
from legacylens_assets.encoders import load_dense
from legacylens_assets.headers import HEADER_FORMAT, LEVERS, TextOptions, build_texts
from legacylens_assets.pipeline.report import Progress, StageReport, Stopwatch, silent
from legacylens_assets.registry import Codebase
from legacylens_assets.settings import Settings
from legacylens_assets.tables import from_table, read_table, to_table, write_table
from legacylens_assets.types import Chunk, ChunkText
from legacylens_assets.workspace import Workspace, digest, file_digest


def text_stage(codebase: Codebase, settings: Settings, progress: Progress = silent) -> StageReport:
    """Write texts.parquet: one text for each chunk. A change in any comment or document that a text draws on changes that text's hash."""
    watch = Stopwatch()
    workspace = Workspace(settings.data, codebase.key)
    off = frozenset(part.strip() for part in settings.levers.split(",") if part.strip())
    dense = load_dense(settings)
    inputs = {
        "chunks": file_digest(workspace.table("chunks")),
        "graph": file_digest(workspace.table("graph")),
        "header format": HEADER_FORMAT,
        "levers": ",".join(sorted(off)),
        "token counter": dense.fingerprint if dense else "",
    }
    before = workspace.stamp("chunk_texts")
    changed = tuple(name for name, value in inputs.items() if before.get("inputs", {}).get(name) != value)
    if not changed and workspace.table("texts").exists():
        return StageReport("chunk_texts", codebase.key, watch.seconds, before["counts"], True, (), before["data_version"])
    chunks = from_table(read_table(workspace.table("chunks")), Chunk)
    texts = build_texts(chunks, build_context(chunks), TextOptions(off))
    old = _old_counts(workspace)
    texts, counted = _with_tokens(texts, old, dense, progress)
    write_table(to_table(texts, ChunkText), workspace.table("texts"))
    version = digest(*(text.text_sha for text in texts))
    counts = {
        "texts": len(texts),
        "new_texts": counted,
        "tokens_total": sum(text.tokens_total for text in texts),
        "tokens_seen": sum(text.tokens_seen for text in texts),
    }
    workspace.write_stamp("chunk_texts", inputs=inputs, counts=counts, data_version=version)
    return StageReport("chunk_texts", codebase.key, watch.seconds, counts, False, changed, version, {"levers_off": sorted(off), "levers": LEVERS})


def _old_counts(workspace: Workspace) -> dict[str, tuple[int, int]]:
    path = workspace.table("texts")
    if not path.exists():
        return {}
    table = read_table(path, ["text_sha", "tokens_total", "tokens_seen"])
    return {row["text_sha"]: (row["tokens_total"], row["tokens_seen"]) for row in table.to_pylist()}


def _with_tokens(texts: list[ChunkText], old: dict[str, tuple[int, int]], dense: object, progress: Progress) -> tuple[list[ChunkText], int]:
    """Return the texts with token counts, and how many had to be counted."""
    from legacylens_assets.encoders.protocol import DenseEncoder

    todo = [text for text in texts if text.text_sha not in old]
    if dense is None:
        return texts, len(todo)
    encoder: DenseEncoder = dense  # type: ignore[assignment]
    for start in range(0, len(todo), 1000):
        progress("chunk_texts", start, len(todo))
        batch = todo[start : start + 1000]
        totals = encoder.count_tokens([text.sparse_text for text in batch])
        seen = encoder.count_tokens([text.dense_text for text in batch])
        for text, total, part in zip(batch, totals, seen, strict=True):
            old[text.text_sha] = (total, min(part, encoder.max_tokens))
    progress("chunk_texts", len(todo), len(todo))
    return [replace(text, tokens_total=old[text.text_sha][0], tokens_seen=old[text.text_sha][1]) for text in texts], len(todo)
