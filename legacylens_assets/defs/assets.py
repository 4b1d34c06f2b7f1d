"""The stages as assets, partitioned by codebase. Each calls one library function and reports what it did."""

from collections.abc import Callable

import dagster as dg

from legacylens_assets import pipeline
from legacylens_assets.defs.reporting import logged_progress, result
from legacylens_assets.defs.resources import Project
from legacylens_assets.pipeline import Progress, StageReport
from legacylens_assets.registry import Codebase
from legacylens_assets.settings import Settings

OWNERS = ["team:legacylens"]
Stage = Callable[[Codebase, Settings, Progress], StageReport]


def build_assets(partitions: dg.StaticPartitionsDefinition) -> list[dg.AssetsDefinition]:
    """Return the assets raw_repo … vector_index over these partitions."""

    def run(stage: Stage, context: dg.AssetExecutionContext, project: Project) -> dg.MaterializeResult:  # type: ignore[type-arg]
        return result(stage(project.codebase(context.partition_key), project.settings(), logged_progress(context)))

    @dg.asset(
        partitions_def=partitions,
        group_name="source",
        kinds={"git"},
        owners=OWNERS,
        retry_policy=dg.RetryPolicy(max_retries=2, delay=20, backoff=dg.Backoff.EXPONENTIAL),
    )
    def raw_repo(context: dg.AssetExecutionContext, project: Project) -> dg.MaterializeResult:  # type: ignore[type-arg]
        """The codebase as fetched from its pinned origin, with a manifest of every file: language, encoding, hash, or why it is skipped."""
        return run(pipeline.raw_stage, context, project)

    @dg.asset(partitions_def=partitions, group_name="source", kinds={"parquet"}, owners=OWNERS, deps=[raw_repo])
    def parsed_chunks(context: dg.AssetExecutionContext, project: Project) -> dg.MaterializeResult:  # type: ignore[type-arg]
        """Chunks at syntax boundaries with exact lines, and the symbols, references and problems that the seven parsers found."""
        return run(pipeline.parse_stage, context, project)

    @dg.asset(partitions_def=partitions, group_name="source", kinds={"parquet"}, owners=OWNERS, deps=[parsed_chunks])
    def code_graph(context: dg.AssetExecutionContext, project: Project) -> dg.MaterializeResult:  # type: ignore[type-arg]
        """What calls, copies, runs, reads and writes what, resolved within the codebase, with a certainty for each edge."""
        return run(pipeline.graph_stage, context, project)

    @dg.asset(partitions_def=partitions, group_name="encoding", kinds={"parquet"}, owners=OWNERS, deps=[parsed_chunks, code_graph])
    def chunk_texts(context: dg.AssetExecutionContext, project: Project) -> dg.MaterializeResult:  # type: ignore[type-arg]
        """What the encoders see of each chunk: metadata header, descriptor in plain words, code; with token counts."""
        return run(pipeline.text_stage, context, project)

    @dg.asset(partitions_def=partitions, group_name="encoding", kinds={"onnx"}, owners=OWNERS, deps=[chunk_texts], pool="encoder")
    def dense_vectors(context: dg.AssetExecutionContext, project: Project) -> dg.MaterializeResult:  # type: ignore[type-arg]
        """Unit vectors of the dense texts, one for each distinct text that the encoder has not seen before."""
        return run(pipeline.encode_dense_stage, context, project)

    @dg.asset(partitions_def=partitions, group_name="encoding", kinds={"parquet"}, owners=OWNERS, deps=[chunk_texts])
    def sparse_vectors(context: dg.AssetExecutionContext, project: Project) -> dg.MaterializeResult:  # type: ignore[type-arg]
        """BM25 document weights of code identifiers and words (and SPLADE where that leg is on)."""
        return run(pipeline.encode_sparse_stage, context, project)

    @dg.asset(
        partitions_def=partitions,
        group_name="index",
        kinds={"qdrant"},
        owners=OWNERS,
        deps=[parsed_chunks, code_graph, dense_vectors, sparse_vectors],
        pool="vector_store",
    )
    def vector_index(context: dg.AssetExecutionContext, project: Project) -> dg.MaterializeResult:  # type: ignore[type-arg]
        """The Qdrant index of the codebase: a new generation, published atomically; the old one serves until then."""
        return run(pipeline.index_stage, context, project)

    return [raw_repo, parsed_chunks, code_graph, chunk_texts, dense_vectors, sparse_vectors, vector_index]
