"""What Dagster loads: assets, checks, jobs, schedules and sensors, assembled in one place.

`defs` is built lazily by `@definitions`; nothing else happens at import.
"""

import os
from pathlib import Path
from typing import Any

import dagster as dg

from legacylens_assets.pipeline.report import Progress
from legacylens_assets.settings import Settings, find_root, load_settings


def build_defs(root: Path) -> dg.Definitions:
    """Return the definitions of the project at ``root``; partitions are the enabled codebases of its registry."""
    from legacylens_assets.defs import assets, automation, checks
    from legacylens_assets.defs.resources import Project
    from legacylens_assets.registry import load_registry
    from legacylens_eval.defs import build_eval_assets, build_eval_checks

    settings = load_settings(root, os.environ)
    enabled = load_registry(settings.registry_path).enabled()
    partitions = dg.StaticPartitionsDefinition([codebase.key for codebase in enabled])
    job = automation.build_reindex_job()
    nightly = [codebase.key for codebase in enabled if codebase.role != "sample"]
    return dg.Definitions(
        assets=[*assets.build_assets(partitions), *build_eval_assets(partitions)],
        asset_checks=[*checks.build_checks(partitions), *build_eval_checks()],
        jobs=[job, automation.build_retention_job()],
        schedules=[automation.build_nightly(job, nightly, settings)],
        sensors=[automation.build_rollup_sensor(), automation.build_failure_sensor()],
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

    return run_jobs(build_defs(settings.root), settings, keys, progress)
