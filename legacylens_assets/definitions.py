"""What Dagster loads: assets, checks, jobs, schedules and sensors, assembled in one place.

`defs` is built lazily by `@definitions`; nothing else happens at import.
"""

import os
from pathlib import Path
from typing import Any

import dagster as dg

from legacylens_assets.pipeline.report import Progress, silent
from legacylens_assets.settings import Settings, find_root, load_settings


def build_defs(root: Path, listener: Progress = silent, pooled: bool = True) -> dg.Definitions:
    """Return the definitions of the project at ``root``; partitions are the enabled codebases of its registry.

    ``listener`` is told of the progress of long steps, besides the event log. ``pooled`` is off where no daemon frees the slots of killed runs:
    the index's own writer lock keeps headless runs apart.
    """
    from legacylens_assets.defs import assets, automation, checks, maintenance
    from legacylens_assets.defs.resources import Project
    from legacylens_assets.registry import load_registry
    from legacylens_assets.versions import code_versions
    from legacylens_eval.defs import build_eval_assets, build_eval_checks

    settings = load_settings(root, os.environ)
    registry = load_registry(settings.registry_path)
    partitions = dg.StaticPartitionsDefinition(list(registry.partitions()))
    job = automation.build_reindex_job()
    retention = maintenance.build_retention_job()
    return dg.Definitions(
        assets=[*assets.build_assets(partitions, settings, code_versions(settings), listener, pooled), *build_eval_assets(partitions, settings)],
        asset_checks=[*checks.build_checks(partitions), *build_eval_checks(partitions)],
        jobs=[job, retention, maintenance.build_rollback_job()],
        schedules=[automation.build_nightly(job, registry.nightly(), settings), automation.build_weekly(retention, settings)],
        sensors=[automation.build_rollup_sensor(), automation.build_upstream_sensor(job), automation.build_failure_sensor()],
        resources={"project": Project(root=str(root))},
        executor=dg.in_process_executor,
    )


@dg.definitions
def defs() -> dg.Definitions:
    """Return the definitions of the project that the working directory lies in."""
    return build_defs(find_root(Path.cwd(), os.environ))


def reindex_headless(settings: Settings, keys: list[str], progress: Progress) -> list[dict[str, Any]]:
    """Run the reindex job for each codebase in this process, in the instance that the UI shows; return what `legacylens reindex` prints."""
    from legacylens_assets.defs.headless import run_jobs

    return run_jobs(build_defs(settings.root, progress, pooled=False), settings, keys)


def recorded_runs(settings: Settings, keys: list[str]) -> dict[str, dict[str, Any]]:
    """Return codebase -> state, time and id of its newest run in the instance that the UI shows."""
    from legacylens_assets.defs.headless import last_runs

    return last_runs(settings, keys)
