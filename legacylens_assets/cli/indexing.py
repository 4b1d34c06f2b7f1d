"""reindex, plan, index list and rollback, fetch nothing by hand: what fills the index."""

from __future__ import annotations

import sys
from typing import Any

from legacylens_assets.cli.common import Context, Parsers, TerminalProgress, table

SERVED = ("current", "snapshot")


def add_commands(parsers: Parsers) -> None:
    """Add reindex, plan and index."""
    reindex = parsers.add("reindex", run_reindex, "bring the index up to date; only what changed is parsed, encoded and written")
    reindex.add_argument("codebase", nargs="*", metavar="CODEBASE", help="codebases by key (default: every enabled one)")
    reindex.add_argument("--plain", action="store_true", help="run the stages without recording them in Dagster")
    plan = parsers.add("plan", run_plan, "say what a reindex would read, encode and cost, without doing it")
    plan.add_argument("codebase", nargs="*", metavar="CODEBASE", help="codebases by key (default: every enabled one)")
    plan.add_argument("--fetch", action="store_true", help="fetch codebases that are not here yet, so that they can be counted")
    index = parsers.group("index", "generations of the index")
    index.add("list", run_list, "list the generations of every codebase")
    rollback = index.add("rollback", run_rollback, "serve an earlier generation again")
    rollback.add_argument("generation", metavar="GENERATION", help="a generation that `index list` shows")


def run_reindex(context: Context) -> int:
    """Reindex the named codebases; exit 1 if one of them failed."""
    codebases = context.codebases(context.args.codebase)
    runs = _through_dagster(context, codebases)
    if runs is None:
        from legacylens_assets.pipeline import reindex

        progress = TerminalProgress()
        runs = [run.to_json() for run in reindex(codebases, context.settings, progress)]
        progress.close()
    context.emit({"runs": runs}, lambda: "\n".join(_run_text(run) for run in runs))
    for run in runs:
        if not run["ok"]:
            print(f"legacylens: {run['codebase']}: {run['error']['message']}", file=sys.stderr)
    return 0 if all(run["ok"] for run in runs) else 1


def _through_dagster(context: Context, codebases: list[Any]) -> list[dict[str, Any]] | None:
    """Return the runs recorded in Dagster's instance, or None when they are to be run plainly."""
    from importlib.util import find_spec

    if context.args.plain or find_spec("dagster") is None:
        return None
    from legacylens_assets.definitions import reindex_headless

    progress = TerminalProgress()
    try:
        return reindex_headless(context.settings, [codebase.key for codebase in codebases], progress)
    finally:
        progress.close()


def _run_text(run: dict[str, Any]) -> str:
    rows = []
    for report in run["stages"]:
        counts = ", ".join(f"{name.replace('_', ' ')} {value:,}" for name, value in report["counts"].items())
        state = "reused" if report["reused"] else ", ".join(report["invalidated_by"]) or "done"
        rows.append([report["stage"], f"{report['seconds']:.1f} s", state, counts])
    status = "ok" if run["ok"] else f"failed in {run['error']['stage']}: {run['error']['message']}"
    return f"{run['codebase']}: {status}" + ("\n" + table(rows, ["stage", "time", "state", "counts"]) if rows else "")


def run_plan(context: Context) -> int:
    """Print files, languages, lines, tokens, cost and minutes for each codebase."""
    from legacylens_assets.planning import plan

    progress = TerminalProgress()
    plans = [
        plan(codebase, context.settings, fetch_missing=context.args.fetch, progress=progress) for codebase in context.codebases(context.args.codebase)
    ]
    progress.close()
    value = {"plans": [item.to_json() for item in plans]}
    context.emit(value, lambda: "\n\n".join(item.to_text() for item in plans))
    return 0


def run_list(context: Context) -> int:
    """List generations, the served ones marked."""
    from legacylens_assets.store import open_writer

    rows = open_writer(context.settings).generations()
    value = {"generations": [row.to_json() for row in rows]}
    # What is served shows by its star; the last column is for what else keeps a generation from being collected.
    lines = [
        ["*" if r.current else "", r.codebase, r.generation, r.points, r.built_at, ", ".join(h for h in r.held_by if h not in SERVED)] for r in rows
    ]
    context.emit(value, lambda: table(lines, ["", "codebase", "generation", "points", "built", "leased by"]))
    return 0


def run_rollback(context: Context) -> int:
    """Point a codebase back at an earlier generation."""
    from legacylens_assets.upkeep import roll_back

    info = roll_back(context.settings, context.args.generation)
    value = {"codebase": info.codebase, "generation": info.generation, "points": info.points}
    context.emit(value, lambda: f"{info.codebase} serves {info.generation} again ({info.points} points)")
    return 0
