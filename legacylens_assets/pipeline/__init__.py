"""The stages as plain functions over Parquet, each reusing what did not change. Dagster wraps these; it is never needed."""

from __future__ import annotations

from legacylens_assets.pipeline.encode import encode_dense_stage, encode_sparse_stage
from legacylens_assets.pipeline.graph import graph_stage
from legacylens_assets.pipeline.parse import parse_stage
from legacylens_assets.pipeline.publish import index_stage
from legacylens_assets.pipeline.raw import raw_stage
from legacylens_assets.pipeline.report import Progress, StageReport, silent
from legacylens_assets.pipeline.run import CodebaseRun, reindex
from legacylens_assets.pipeline.texts import text_stage

__all__ = [
    "CodebaseRun", "Progress", "StageReport", "encode_dense_stage", "encode_sparse_stage", "graph_stage", "index_stage", "parse_stage",
    "raw_stage", "reindex", "silent", "text_stage",
]  # fmt: skip
