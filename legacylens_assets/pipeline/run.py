"""Reindexing one or more codebases, stage after stage; one codebase's failure never stops the others."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from legacylens_assets.errors import LegacyLensError
from legacylens_assets.pipeline.encode import encode_dense_stage, encode_sparse_stage
from legacylens_assets.pipeline.graph import graph_stage
from legacylens_assets.pipeline.parse import parse_stage
from legacylens_assets.pipeline.publish import index_stage
from legacylens_assets.pipeline.raw import raw_stage
from legacylens_assets.pipeline.report import Progress, StageReport, silent
from legacylens_assets.pipeline.texts import text_stage
from legacylens_assets.registry import Codebase
from legacylens_assets.settings import Settings

Stage = Callable[[Codebase, Settings, Progress], StageReport]

STAGES: tuple[Stage, ...] = (raw_stage, parse_stage, graph_stage, text_stage, encode_dense_stage, encode_sparse_stage, index_stage)
"""In the order of DESIGN: raw_repo, parsed_chunks, code_graph, chunk_texts, dense and sparse vectors, vector_index."""


@dataclass(frozen=True, slots=True)
class CodebaseRun:
    """What happened to one codebase."""

    codebase: str
    reports: tuple[StageReport, ...]
    error: LegacyLensError | None = None
    failed_stage: str = ""
    seconds: float = field(default=0.0)

    def to_json(self) -> dict[str, object]:
        """Return the run as JSON-able values."""
        error = {"code": self.error.code, "message": str(self.error), "stage": self.failed_stage} if self.error else None
        return {"codebase": self.codebase, "ok": self.error is None, "error": error, "stages": [report.to_json() for report in self.reports]}


def reindex(codebases: Iterable[Codebase], settings: Settings, progress: Progress = silent) -> list[CodebaseRun]:
    """Run every stage for each codebase; an error of one is recorded and the next goes on. What was indexed keeps serving."""
    return [_reindex_one(codebase, settings, progress) for codebase in codebases]


def _reindex_one(codebase: Codebase, settings: Settings, progress: Progress) -> CodebaseRun:
    reports: list[StageReport] = []
    for stage in STAGES:
        try:
            reports.append(stage(codebase, settings, progress))
        except LegacyLensError as error:
            return CodebaseRun(codebase.key, tuple(reports), error, stage.__name__.removesuffix("_stage"), sum(r.seconds for r in reports))
    return CodebaseRun(codebase.key, tuple(reports), seconds=sum(r.seconds for r in reports))
