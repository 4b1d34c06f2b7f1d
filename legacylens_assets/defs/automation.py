"""Jobs, the nightly schedule, the roll-up sensor and the failure sensor."""

import json
import logging
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import dagster as dg
from dagster._core.definitions.unresolved_asset_job_definition import (
    UnresolvedAssetJobDefinition,  # not exported, though define_asset_job returns it
)

from legacylens_assets.defs.resources import Project
from legacylens_assets.settings import Settings

CHAIN = (
    "raw_repo",
    "parsed_chunks",
    "code_graph",
    "chunk_texts",
    "dense_vectors",
    "sparse_vectors",
    "vector_index",
    "eval_scores",
)  # fmt: skip


def build_reindex_job() -> UnresolvedAssetJobDefinition:
    """Return the job that brings one codebase up to date, from source to scores."""
    return dg.define_asset_job(
        "reindex",
        selection=dg.AssetSelection.assets(*CHAIN),
        description="Bring one codebase up to date: fetch, parse, encode, publish, score. Only what changed is done again.",
    )


def build_nightly(job: UnresolvedAssetJobDefinition, keys: list[str], settings: Settings) -> dg.ScheduleDefinition:
    """Return the nightly schedule: one run for each enabled codebase (samples excepted), RUNNING by default."""

    @dg.schedule(
        name="nightly_reindex",
        job=job,
        cron_schedule=settings.schedule_cron,
        execution_timezone=settings.schedule_timezone,
        default_status=dg.DefaultScheduleStatus.RUNNING,
        description="Reindexes every enabled codebase each night; unchanged ones embed nothing.",
    )
    def nightly_reindex(context: dg.ScheduleEvaluationContext) -> Iterator[dg.RunRequest]:
        tick = context.scheduled_execution_time.strftime("%Y-%m-%dT%H:%M")
        for key in keys:
            yield dg.RunRequest(run_key=f"{tick}:{key}", partition_key=key)

    return nightly_reindex


def build_rollup_sensor() -> dg.AutomationConditionSensorDefinition:
    """Return the sensor that rolls evaluation up once a batch of codebases is through."""
    return dg.AutomationConditionSensorDefinition(
        "evaluation_rollup",
        target=dg.AssetSelection.assets("eval_summary"),
        default_status=dg.DefaultSensorStatus.RUNNING,
        minimum_interval_seconds=30,
    )


def build_failure_sensor() -> dg.SensorDefinition:
    """Return the sensor that logs every failed run and posts it to the webhook when one is set."""

    @dg.run_failure_sensor(
        name="run_failed", default_status=dg.DefaultSensorStatus.RUNNING, description="Logs failed runs; posts them to alert_webhook when set."
    )
    def run_failed(context: dg.RunFailureSensorContext, project: Project) -> None:
        run = context.dagster_run
        message = f"{run.job_name} {run.tags.get('dagster/partition', '')}: {context.failure_event.message}"
        logging.getLogger("legacylens").error("run %s failed: %s", run.run_id, message)
        webhook = project.settings().alert_webhook
        if webhook:
            _post(webhook, {"text": f"LegacyLens run failed: {message}", "run_id": run.run_id, "job": run.job_name})

    return run_failed


def build_retention_job() -> dg.JobDefinition:
    """Return the job that deletes finished runs older than ``retention_days``; the event log never purges itself."""

    @dg.op(description="Deletes finished runs older than the setting retention_days, with their events.")
    def delete_old_runs(context: dg.OpExecutionContext, project: Project) -> int:
        before = datetime.now(UTC) - timedelta(days=project.settings().retention_days)
        done = [dg.DagsterRunStatus.SUCCESS, dg.DagsterRunStatus.FAILURE, dg.DagsterRunStatus.CANCELED]
        records = context.instance.get_run_records(filters=dg.RunsFilter(statuses=done, created_before=before), limit=5000)
        for record in records:
            context.instance.delete_run(record.dagster_run.run_id)
        context.log.info(f"deleted {len(records)} runs from before {before:%Y-%m-%d}")
        return len(records)

    @dg.job(name="retention", description="Deletes old runs and their events.")
    def retention() -> None:
        delete_old_runs()

    return retention


def _post(url: str, body: dict[str, str]) -> None:
    import httpx

    try:
        httpx.post(url, content=json.dumps(body), headers={"content-type": "application/json"}, timeout=10).raise_for_status()
    except httpx.HTTPError as error:
        logging.getLogger("legacylens").error("alert could not be posted: %s", type(error).__name__)
