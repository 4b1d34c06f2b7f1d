"""parse, doctor, status, settings: look at what there is."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from legacylens_assets.cli.common import Context, Parsers, table


def add_commands(parsers: Parsers) -> None:
    """Add parse, doctor, status and settings."""
    parse = parsers.add("parse", run_parse, "print the structure of source files: symbols, chunks and problems")
    parse.add_argument("path", nargs="+", metavar="PATH", help="files or folders")
    parse.add_argument("--language", "-l", default="", help="take every file as this language")
    doctor = parsers.add("doctor", run_doctor, "check the installation, the models and the index; print coverage")
    doctor.add_argument("codebase", nargs="*", metavar="CODEBASE", help="codebases by key (default: every indexed one)")
    parsers.add("status", run_status, "say what is indexed, from where, and how fresh it is")
    parsers.add("settings", run_settings, "list every setting with value, default and meaning")


def run_parse(context: Context) -> int:
    """Print the contract's list, one object for each file."""
    from legacylens_assets.inspection import parse_path

    files: list[Path] = []
    for raw in context.args.path:
        path = Path(raw)
        files.extend(sorted(p for p in path.rglob("*") if p.is_file()) if path.is_dir() else [path])
    found = [parse_path(path, context.args.language) for path in files]
    context.emit(found, lambda: "\n\n".join(_parse_text(item) for item in found))
    return 0


def _parse_text(item: dict[str, Any]) -> str:
    rows = [[s["start_line"], s["end_line"], s["kind"], s["name"], s["parent"] or ""] for s in item["symbols"]]
    lines = [f"{item['path']}: {item['language']}, {item['encoding']}, {item['form'] or 'no form'}; {len(item['chunks'])} chunks"]
    if rows:
        lines.append(table(rows, ["from", "to", "kind", "name", "parent"]))
    lines.extend(f"  line {p['line']}: {p['code']}: {p['message']}" for p in item["problems"])
    return "\n".join(lines)


def run_doctor(context: Context) -> int:
    """Check everything that can be checked; exit 1 when something is broken."""
    from legacylens_assets.doctor import examine

    report = examine(context.settings, context.registry(), context.args.codebase)
    context.emit(report.to_json(), report.to_text)
    return 0 if report.healthy else 1


def run_status(context: Context) -> int:
    """Print one row for each codebase of the registry: what is served, how old it is, and how its last run ended."""
    from legacylens_assets.inspection import status

    found = status(context.settings, context.registry())
    recorded = _recorded(context, [c["key"] for c in found["codebases"] if c["enabled"]])
    for codebase in found["codebases"]:
        codebase["last_run"] = recorded.get(codebase["key"])
    context.emit(found, lambda: _status_text(found))
    return 0


def _recorded(context: Context, keys: list[str]) -> dict[str, Any]:
    """Return the last runs that Dagster recorded, {} when it is not installed or nothing ever ran."""
    from importlib.util import find_spec

    if find_spec("dagster") is None or not (context.settings.data / "dagster" / "storage").is_dir():
        return {}
    from legacylens_assets.definitions import recorded_runs

    return recorded_runs(context.settings, keys)


def _status_text(found: dict[str, Any]) -> str:
    from datetime import UTC, datetime

    now = datetime.now(UTC)
    rows = []
    for c in found["codebases"]:
        run = c["last_run"]
        ended = f"{run['state']}, {_age(run['at'], now)} ago" if run else ""
        built = _age(c["built_at"], now) if c["built_at"] else ""
        rows.append([c["key"], c["state"], c["points"], c["generation"] or "", built, (c["version"] or "")[:12], ended])
    head = f"index generation: {found['generation'] or 'none'}, profile {found['profile']}\n"
    failed = [c["key"] for c in found["codebases"] if c["last_run"] and c["last_run"]["state"] == "failure"]
    hint = f"\nfailed: {', '.join(failed)}: open the run in the Dagster UI, or `legacylens reindex {failed[0]}` says why" if failed else ""
    return head + table(rows, ["codebase", "state", "points", "generation", "age", "version", "last run"]) + hint


def _age(at: str, now: Any) -> str:  # noqa: ANN401 - datetime, imported where needed
    """Return how long ago an ISO time was, in its largest unit.

    >>> from datetime import UTC, datetime
    >>> _age("2026-12-01T00:00:00+00:00", datetime(2026, 12, 3, 1, tzinfo=UTC))
    '2 d'
    """
    from datetime import UTC, datetime

    then = datetime.fromisoformat(at)
    seconds = (now - (then if then.tzinfo else then.replace(tzinfo=UTC))).total_seconds()
    for size, unit in ((86400, "d"), (3600, "h"), (60, "min")):
        if seconds >= size:
            return f"{int(seconds // size)} {unit}"
    return f"{int(seconds)} s"


def run_settings(context: Context) -> int:
    """Print the table of settings; secrets only as set or not set."""
    from legacylens_assets.settings import SETTINGS

    values = []
    for setting in SETTINGS:
        value = context.settings[setting.name]
        shown = ("set" if value else "not set") if setting.secret else value
        values.append(
            {
                "name": setting.name,
                "variable": setting.variable,
                "value": shown,
                "default": setting.default,
                "unit": setting.unit,
                "help": setting.help,
            }
        )
    rows = [[v["variable"], str(v["value"]), v["unit"], v["help"]] for v in values]
    context.emit({"settings": values}, lambda: table(rows, ["variable", "value", "unit", "meaning"]))
    return 0
