"""Reindexing without servers, recorded in the very instance that the UI shows."""

from collections.abc import Iterator
from contextlib import ExitStack, chdir, contextmanager
from pathlib import Path
from typing import Any

import dagster as dg

from legacylens_assets.defs.alerts import explain
from legacylens_assets.errors import UsageError
from legacylens_assets.settings import Settings
from legacylens_assets.store.lock import locked

OPENING = 120.0
"""Seconds to wait while another process opens the instance, which takes it less than one."""

QUIET = {"loggers": {"console": {"config": {"log_level": "CRITICAL"}}}}
"""The event log keeps everything; the terminal shows our own progress instead."""


def run_jobs(defs: dg.Definitions, settings: Settings, keys: list[str]) -> list[dict[str, Any]]:
    """Return one object for each codebase: ok, error, the reports of its stages, and the run's id."""
    job = defs.resolve_job_def("reindex")
    known = set(job.partitions_def.get_partition_keys()) if job.partitions_def else set()
    off = [key for key in keys if key not in known]
    if off:
        raise UsageError(f"codebase {off[0]!r} is off: set enabled = true for it in data/codebases.toml, or run with --plain")
    with open_instance(settings.root) as instance:
        return [_run(job, key, instance) for key in keys]


def last_runs(settings: Settings, keys: list[str]) -> dict[str, dict[str, Any]]:
    """Return codebase -> state, time and id of its newest run, of those that ever had one; backfills from the UI count as well."""
    found = {}
    with open_instance(settings.root) as instance:
        for key in keys:
            filters = dg.RunsFilter(tags={"dagster/partition": key})
            for record in instance.get_run_records(filters=filters, limit=1):
                run = record.dagster_run
                found[key] = {"state": run.status.value.lower(), "at": record.create_timestamp.isoformat(timespec="seconds"), "run_id": run.run_id}
    return found


@contextmanager
def open_instance(root: Path) -> Iterator[dg.DagsterInstance]:
    """Open the project's instance: dagster.yaml at its root, whose relative storage paths need the root as working directory."""
    folder = root / "data" / "dagster"
    folder.mkdir(parents=True, exist_ok=True)
    with chdir(root), ExitStack() as stack:
        # Two processes that make the tables of a new instance at the same time fail ("table … already exists"), so one at a time.
        with locked(folder / ".opening.lock", OPENING, "opening Dagster's storage"):
            instance = stack.enter_context(dg.DagsterInstance.from_config(str(root)))
            instance.get_run_records(limit=1)
            instance.all_instigator_state()
            instance.get_latest_materialization_event(dg.AssetKey("raw_repo"))
        yield instance


def _run(job: dg.JobDefinition, key: str, instance: dg.DagsterInstance) -> dict[str, Any]:
    tags = {"legacylens/why": "command line"}
    found = job.execute_in_process(partition_key=key, instance=instance, raise_on_error=False, run_config=QUIET, tags=tags)
    reports = [_report(event) for event in found.get_asset_materialization_events()]
    value: dict[str, Any] = {"codebase": key, "ok": found.success, "run_id": found.run_id, "error": None, "stages": [r for r in reports if r]}
    if not found.success:
        value["error"] = _error(found)
    return value


def _report(event: dg.DagsterEvent) -> dict[str, Any] | None:
    value = event.step_materialization_data.materialization.metadata.get("report")
    return dict(value.value) if value is not None else None  # type: ignore[arg-type]


def _error(found: dg.ExecuteInProcessResult) -> dict[str, Any]:
    """Return the first failure: its step, and the library's own message where there is one."""
    for event in found.all_events:
        if event.event_type_value == "ASSET_CHECK_EVALUATION" and not event.asset_check_evaluation_data.passed:
            data = event.asset_check_evaluation_data
            if data.severity == dg.AssetCheckSeverity.ERROR:
                return {"stage": event.step_key, "code": "check_failed", "message": f"{data.check_name}: {data.description or 'failed'}"}
        if event.is_step_failure:
            message, code = explain(event.step_failure_data.error)
            return {"stage": event.step_key, "code": code, "message": message}
    return {"stage": "", "code": "error", "message": "the run failed; see the Dagster UI"}
