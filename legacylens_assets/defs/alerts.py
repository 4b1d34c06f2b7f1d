"""What the engineer on duty is told of a failed run: which step, why, and what to do."""

import json
import logging
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

import dagster as dg

from legacylens_assets.errors import LegacyLensError
from legacylens_assets.settings import Settings

ADVICE = {
    "source_unavailable": "Check the network and the origin in data/codebases.toml; the last good version is served. The next run tries again.",
    "index_error": "Another run may hold the index: wait for it, then run again. If it stays, `legacylens doctor` says what is wrong.",
    "fingerprint_mismatch": "The encoders were changed: reindex every codebase, or set them back.",
    "encoder_error": "`legacylens doctor` checks the models; install the package again if a file is damaged.",
    "bad_registry": "Correct the line that the message names in data/codebases.toml, then reload the code location.",
    "bad_setting": "Correct the setting that the message names, then run again.",
    "check_failed": "A check stopped the run before anything was published or scored; its message says what to look at. The last index serves on.",
    "no_space": "The disk is full: free some space or run the retention job, then run again. Nothing that was published is lost.",
    "killed": "The run's process ended without a word (killed, or out of memory). Run it again: it resumes where it was.",
}
OTHERWISE = "Open the run in Dagster and read the failed step. What was indexed before keeps serving."


def alert_of(
    run: dg.DagsterRun, errors: Sequence[tuple[str, Any]], message: str, at: datetime, checks: Sequence[tuple[str, str]] = ()
) -> dict[str, Any]:
    """Return the alert for a failed run: text, run, codebase, step, error, its code and what to do.

    ``errors`` are (step, serialised error); ``checks`` are the blocking checks that failed, as (asset and name, what was found).
    """
    step, error = errors[0] if errors else ("", None)
    shown, code = (message, "killed" if not step else "error") if error is None else explain(error)
    if checks and code == "error":
        shown, code = "; ".join(f"{name}: {found}" for name, found in checks), "check_failed"
    codebase = run.tags.get("dagster/partition", "")
    return {
        "at": at.isoformat(timespec="seconds"),
        "run_id": run.run_id,
        "job": run.job_name,
        "codebase": codebase,
        "step": step,
        "code": code,
        "error": shown,
        "do": ADVICE.get(code, OTHERWISE),
        "text": f"LegacyLens: {run.job_name} {codebase} failed{f' in {step}' if step else ''}: {shown.splitlines()[0] if shown else 'no message'}",
    }


def failed_checks(instance: dg.DagsterInstance, run_id: str) -> list[tuple[str, str]]:
    """Return the checks of a run that failed with ERROR, as (asset and name, what was found)."""
    found = []
    for entry in instance.all_logs(run_id, of_type=dg.DagsterEventType.ASSET_CHECK_EVALUATION):
        if entry.dagster_event is None:
            continue
        data = entry.dagster_event.asset_check_evaluation_data
        if not data.passed and data.severity == dg.AssetCheckSeverity.ERROR:
            found.append((f"{data.asset_key.to_user_string()} {data.check_name}", data.description or "failed"))
    return found


def explain(error: Any) -> tuple[str, str]:  # noqa: ANN401 - dagster's SerializableErrorInfo
    """Return (message, code) of a step's error: those of our own error in its chain of causes where there is one."""
    codes = {kind.__name__: kind.code for kind in all_errors(LegacyLensError)}
    current = error
    while current is not None:
        name = (current.cls_name or current.message.split(":", 1)[0]).rsplit(".", 1)[-1]
        if name in codes:
            return current.message.strip().split(": ", 1)[-1], codes[name]
        if name == "OSError" and "No space left" in current.message:
            return current.message.strip(), "no_space"
        if current.cause is None:
            break
        current = current.cause
    return ((current.message if current else "failed") or "failed").strip(), "error"


def all_errors(kind: type[LegacyLensError]) -> list[type[LegacyLensError]]:
    """Return an error class and all below it."""
    return [kind, *(deeper for sub in kind.__subclasses__() for deeper in all_errors(sub))]


def send(alert: dict[str, Any], settings: Settings) -> None:
    """Append the alert to data/logs/alerts.jsonl and post it to ``alert_webhook`` when that is set; a webhook that fails is logged."""
    path: Path = settings.data / "logs" / "alerts.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a", encoding="utf-8") as handle:
        handle.write(json.dumps(alert) + "\n")
    if settings.alert_webhook:
        import httpx

        try:
            httpx.post(settings.alert_webhook, json=alert, timeout=10).raise_for_status()
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            logging.getLogger("legacylens").error("alert could not be posted: %s", type(error).__name__)
