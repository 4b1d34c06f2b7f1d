"""Jobs for the engineer on duty: retention of runs, generations and files, and the way back to an earlier generation."""

import time
from datetime import UTC, datetime, timedelta
from typing import Any

import dagster as dg

from legacylens_assets import upkeep
from legacylens_assets.defs.automation import CHAIN
from legacylens_assets.defs.resources import Project

FINISHED = [dg.DagsterRunStatus.SUCCESS, dg.DagsterRunStatus.FAILURE, dg.DagsterRunStatus.CANCELED]
MOST_RUNS = 5000


class Rollback(dg.Config):  # type: ignore[misc]
    """Which generation to serve again."""

    generation: str
    codebase: str = ""


def build_retention_job() -> dg.JobDefinition:
    """Return the job that enforces the settings retention_days and keep_generations."""

    @dg.op(description="Deletes finished runs older than retention_days with their events and logs, unless an asset was last made by them.")
    def delete_old_runs(context: dg.OpExecutionContext, project: Project) -> int:
        before = datetime.now(UTC) - timedelta(days=project.settings().retention_days)
        gone = old_runs(context.instance, list(project.registry().partitions()), before)
        for run_id in gone:
            context.instance.delete_run(run_id)
            context.instance.compute_log_manager.delete_logs(prefix=[run_id])
        context.log.info(f"deleted {len(gone)} runs from before {before:%Y-%m-%d}")
        context.add_output_metadata({"deleted_runs": len(gone)})
        return len(gone)

    @dg.op(description="Deletes generations beyond keep_generations that nothing serves, leases or is being built from.")
    def collect_generations(context: dg.OpExecutionContext, project: Project) -> int:
        gone = upkeep.collect_generations(project.settings())
        context.log.info("collected " + (", ".join(gone) or "no generation"))
        context.add_output_metadata({"collected_generations": len(gone)})
        return len(gone)

    @dg.op(description="Deletes Parquet and trees of codebases that left the registry, leftovers of killed runs, and old evaluation results.")
    def collect_files(context: dg.OpExecutionContext, project: Project) -> int:
        gone = upkeep.collect_files(project.settings(), project.registry(), time.time())
        context.log.info("deleted " + (", ".join(gone) or "no file"))
        context.add_output_metadata({"deleted_files": len(gone)})
        return len(gone)

    @dg.job(name="retention", description="Deletes what is older than the setting retention_days or beyond keep_generations.")
    def retention() -> None:
        delete_old_runs()
        collect_generations()
        collect_files()

    return retention


def old_runs(instance: dg.DagsterInstance, partitions: list[str], before: datetime) -> list[str]:
    """Return the ids of finished runs from before ``before``, except those that hold the newest materialisation of a codebase's asset.

    Without them the UI would show an index that serves as never made.
    """
    kept = {run_id for name in CHAIN for run_id in _newest(instance, name, partitions)}
    found = instance.get_run_records(filters=dg.RunsFilter(statuses=FINISHED, created_before=before), limit=MOST_RUNS)
    return [record.dagster_run.run_id for record in found if record.dagster_run.run_id not in kept]


def _newest(instance: dg.DagsterInstance, asset: str, partitions: list[str]) -> set[str]:
    """Return the runs that made an asset's partitions last."""
    found = set()
    for key in partitions:
        wanted = dg.AssetRecordsFilter(asset_key=dg.AssetKey(asset), asset_partitions=[key])
        found |= {record.run_id for record in instance.fetch_materializations(wanted, limit=1).records}
    return found


def build_rollback_job() -> dg.JobDefinition:
    """Return the job that serves an earlier generation again: the op's config names it."""

    @dg.op(description="Serves an earlier generation again, at once. The next reindex publishes a new one from the current source.")
    def serve_generation(context: dg.OpExecutionContext, config: Rollback, project: Project) -> str:
        info = upkeep.roll_back(project.settings(), config.generation, config.codebase)
        context.log.info(f"{info.codebase} serves {info.generation} again, {info.points} points, built {info.built_at}")
        metadata: dict[str, Any] = {"serves": info.generation, "points": info.points, "built_at": info.built_at, "rolled_back": True}
        context.log_event(dg.AssetObservation("vector_index", partition=info.codebase, metadata=metadata))
        return str(info.generation)

    @dg.job(name="rollback", description="Serves an earlier generation of a codebase again; `legacylens index list` names them.")
    def rollback() -> None:
        serve_generation()

    return rollback
