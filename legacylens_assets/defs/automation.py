"""When things run by themselves: the nightly and weekly schedules, the sensors for new commits, for the roll-up and for failures."""

import json
import logging
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Any

import dagster as dg
from dagster._core.definitions.unresolved_asset_job_definition import (
    UnresolvedAssetJobDefinition,  # not exported, though define_asset_job returns it
)

from legacylens_assets.defs.alerts import alert_of, failed_checks, send
from legacylens_assets.defs.resources import Project
from legacylens_assets.settings import Settings
from legacylens_assets.upkeep import followed, indexed_version, news

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

ASK_EVERY = 900
"""Seconds between two looks at the origins that are followed."""

ASK_FOR = 20.0
"""Seconds that one look may take; codebases it does not get to are first the next time."""


def build_reindex_job() -> UnresolvedAssetJobDefinition:
    """Return the job that brings one codebase up to date, from source to scores."""
    return dg.define_asset_job(
        "reindex",
        selection=dg.AssetSelection.assets(*CHAIN),
        description="Bring one codebase up to date: fetch, parse, encode, publish, score. Only what changed is done again.",
    )


def build_nightly(job: UnresolvedAssetJobDefinition, keys: Sequence[str], settings: Settings) -> dg.ScheduleDefinition:
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
            yield dg.RunRequest(run_key=f"{tick}:{key}", partition_key=key, tags={"legacylens/why": "nightly"})

    return nightly_reindex


def build_weekly(retention: dg.JobDefinition, settings: Settings) -> dg.ScheduleDefinition:
    """Return the weekly schedule of the retention job, RUNNING by default."""
    return dg.ScheduleDefinition(
        name="weekly_retention",
        job=retention,
        cron_schedule="0 5 * * 0",
        execution_timezone=settings.schedule_timezone,
        default_status=dg.DefaultScheduleStatus.RUNNING,
        description="Deletes what is older than retention_days or beyond keep_generations, every Sunday at five.",
    )


def build_upstream_sensor(job: UnresolvedAssetJobDefinition) -> dg.SensorDefinition:
    """Return the sensor that reindexes a codebase when the branch it follows has moved. Its cursor holds the commits seen and who is next."""

    @dg.sensor(
        name="upstream_commits",
        job=job,
        minimum_interval_seconds=ASK_EVERY,
        default_status=dg.DefaultSensorStatus.RUNNING,
        description="Asks the origins of codebases that follow a branch for new commits; pinned codebases are never asked about.",
    )
    def upstream_commits(context: dg.SensorEvaluationContext, project: Project) -> dg.SensorResult | dg.SkipReason:
        settings = project.settings()
        codebases = followed(project.registry())
        if not codebases:
            return dg.SkipReason("every codebase is pinned: none follows a branch (follow = … in data/codebases.toml)")
        seen: dict[str, str] = json.loads(context.cursor) if context.cursor else {}
        first = next((n for n, c in enumerate(codebases) if c.key == seen.get("next")), 0)
        order = codebases[first:] + codebases[:first]
        found = news(order, settings, ASK_FOR)
        requests = []
        for item in found:
            if item.error:
                context.log.warning(f"{item.codebase}: {item.error}")
            elif item.commit not in (seen.get(item.codebase), indexed_version(settings, item.codebase)):
                tags = {"legacylens/why": "new commit", "legacylens/commit": item.commit[:12]}
                requests.append(dg.RunRequest(run_key=f"{item.codebase}:{item.commit}", partition_key=item.codebase, tags=tags))
        seen |= {item.codebase: item.commit for item in found if item.commit}
        seen["next"] = order[len(found) % len(order)].key
        reason = dg.SkipReason(f"no new commit in {', '.join(item.codebase for item in found)}") if not requests else None
        return dg.SensorResult(run_requests=requests, skip_reason=reason, cursor=json.dumps(seen))

    return upstream_commits


def build_rollup_sensor() -> dg.AutomationConditionSensorDefinition:
    """Return the sensor that rolls evaluation up once a batch of codebases is through."""
    return dg.AutomationConditionSensorDefinition(
        "evaluation_rollup",
        target=dg.AssetSelection.assets("eval_summary"),
        default_status=dg.DefaultSensorStatus.RUNNING,
        minimum_interval_seconds=30,
        description="Rolls the evaluation up once after a batch: when scores are new and no codebase is being scored any more.",
    )


def build_failure_sensor() -> dg.SensorDefinition:
    """Return the sensor that logs every failed run and posts it to the webhook when one is set."""

    @dg.run_failure_sensor(
        name="run_failed",
        default_status=dg.DefaultSensorStatus.RUNNING,
        description="Writes every failed run to data/logs/alerts.jsonl with what to do, and posts it to alert_webhook when that is set.",
    )
    def run_failed(context: dg.RunFailureSensorContext, project: Project) -> None:
        run = context.dagster_run
        events: list[Any] = [record for record in context.get_step_failure_events() if record.step_failure_data]
        errors = [(event.step_key or "", event.step_failure_data.error) for event in events]
        alert = alert_of(run, errors, context.failure_event.message or "", datetime.now(UTC), failed_checks(context.instance, run.run_id))
        logging.getLogger("legacylens").error("run %s failed: %s", run.run_id, alert["text"])
        send(alert, project.settings())

    return run_failed
