"""The stages as assets, partitioned by codebase. Each calls one library function and reports what it did."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

import dagster as dg

from legacylens_assets import pipeline
from legacylens_assets.defs.reporting import logged_progress, result
from legacylens_assets.defs.resources import Project
from legacylens_assets.errors import LegacyLensError
from legacylens_assets.pipeline import Progress, StageReport, silent
from legacylens_assets.registry import Codebase
from legacylens_assets.settings import Settings

OWNERS = ["team:legacylens"]
Stage = Callable[[Codebase, Settings, Progress], StageReport]
Body = Callable[[dg.AssetExecutionContext, Project], "dg.MaterializeResult"]  # type: ignore[type-arg]

LATE = timedelta(hours=3)
"""How long after the next scheduled run an index counts as late; twice that, and it is overdue."""


def freshness(settings: Settings) -> dg.FreshnessPolicy:
    """Return the policy that warns when a scheduled run was missed, and fails when it is long overdue."""
    from dagster._utils.schedules import get_smallest_cron_interval  # the public cron policy cannot allow for a run's own length

    interval = get_smallest_cron_interval(settings.schedule_cron, settings.schedule_timezone)
    return dg.FreshnessPolicy.time_window(fail_window=interval + 2 * LATE, warn_window=interval + LATE)


@contextmanager
def _once(codebase: Codebase) -> Iterator[None]:
    """Let an error that no second try can mend fail the step at once: only an origin on a network may be better a minute later."""
    try:
        yield
    except LegacyLensError as error:
        if error.retryable and any(origin.kind != "path" for origin in codebase.origins):
            raise
        raise dg.Failure(str(error), allow_retries=False) from error


def build_assets(
    partitions: dg.StaticPartitionsDefinition,
    settings: Settings,
    versions: Mapping[str, str],
    listener: Progress = silent,
    pooled: bool = True,
) -> list[dg.AssetsDefinition]:
    """Return the assets raw_repo … vector_index over these partitions; ``listener`` is told of progress besides the event log.

    Without ``pooled`` no step waits for a pool: a killed process never gives its slot back, and only the daemon would free it.
    """

    def run(stage: Stage, context: dg.AssetExecutionContext, project: Project) -> dg.MaterializeResult:  # type: ignore[type-arg]
        now, key = project.settings(), context.partition_key
        progress = logged_progress(context, lambda name, done, total: listener(f"{key} {name}", done, total))
        return result(stage(project.codebase(key), now, progress), now)

    def asset(name: str, group: str, kinds: set[str], **more: Any) -> Callable[[Body], dg.AssetsDefinition]:  # noqa: ANN401
        """Return dagster's decorator with what all stages share."""
        shared: dict[str, Any] = {"partitions_def": partitions, "owners": OWNERS, "tags": {"stage": group}, "code_version": versions[name]}
        decorate: Callable[[Body], dg.AssetsDefinition] = dg.asset(name=name, group_name=group, kinds=kinds, **shared, **more)
        return decorate

    # Only this stage touches a network, so only it is tried again (see `_once`).
    again = dg.RetryPolicy(max_retries=2, delay=20, backoff=dg.Backoff.EXPONENTIAL)

    @asset("raw_repo", "source", {"git", "parquet"}, retry_policy=again)
    def raw_repo(context: dg.AssetExecutionContext, project: Project) -> dg.MaterializeResult:  # type: ignore[type-arg]
        """The codebase as fetched from its pinned origin, with a manifest of every file: language, encoding, hash, or why it is skipped."""
        with _once(project.codebase(context.partition_key)):
            return run(pipeline.raw_stage, context, project)

    @asset("parsed_chunks", "source", {"python", "parquet"}, deps=[raw_repo])
    def parsed_chunks(context: dg.AssetExecutionContext, project: Project) -> dg.MaterializeResult:  # type: ignore[type-arg]
        """Chunks at syntax boundaries with exact lines, and the symbols, references and problems that the seven parsers found."""
        return run(pipeline.parse_stage, context, project)

    @asset("code_graph", "source", {"python", "parquet"}, deps=[parsed_chunks])
    def code_graph(context: dg.AssetExecutionContext, project: Project) -> dg.MaterializeResult:  # type: ignore[type-arg]
        """What calls, copies, runs, reads and writes what, resolved within the codebase, with a certainty for each edge."""
        return run(pipeline.graph_stage, context, project)

    @asset("chunk_texts", "encoding", {"python", "parquet"}, deps=[parsed_chunks, code_graph])
    def chunk_texts(context: dg.AssetExecutionContext, project: Project) -> dg.MaterializeResult:  # type: ignore[type-arg]
        """What the encoders see of each chunk: metadata header, descriptor in plain words, code; with token counts."""
        return run(pipeline.text_stage, context, project)

    # Encoding calls a service only in the cloud profile, whose client tries again by itself.
    @asset("dense_vectors", "encoding", {"onnx", "parquet"}, deps=[chunk_texts], pool="encoder" if pooled else None)
    def dense_vectors(context: dg.AssetExecutionContext, project: Project) -> dg.MaterializeResult:  # type: ignore[type-arg]
        """Unit vectors of the dense texts, one for each distinct text that the encoder has not seen before."""
        return run(pipeline.encode_dense_stage, context, project)

    @asset("sparse_vectors", "encoding", {"python", "parquet"}, deps=[chunk_texts])
    def sparse_vectors(context: dg.AssetExecutionContext, project: Project) -> dg.MaterializeResult:  # type: ignore[type-arg]
        """BM25 document weights of code identifiers and words (and SPLADE where that leg is on)."""
        return run(pipeline.encode_sparse_stage, context, project)

    @asset(
        "vector_index",
        "index",
        {"qdrant"},
        deps=[parsed_chunks, code_graph, dense_vectors, sparse_vectors],
        pool="vector_store" if pooled else None,
        freshness_policy=freshness(settings),
    )
    def vector_index(context: dg.AssetExecutionContext, project: Project) -> dg.MaterializeResult:  # type: ignore[type-arg]
        """The Qdrant index of the codebase: a new generation, published atomically; the old one serves until then."""
        return run(pipeline.index_stage, context, project)

    return [raw_repo, parsed_chunks, code_graph, chunk_texts, dense_vectors, sparse_vectors, vector_index]
