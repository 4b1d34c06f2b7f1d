"""`GET /evaluation` and `/evaluation.json`: trends, the newest questions with their ranks, the ablation, and any two runs compared."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

from fastapi import APIRouter, Query, Response

from legacylens_assets.errors import UsageError
from legacylens_assets.settings import Settings
from legacylens_assets.tables import read_json
from query_api.services import Services

RESULTS = Path(__file__).resolve().parents[2] / "legacylens_eval" / "results"
SETTINGS = ("filtered", "unfiltered")
Choice = Annotated[str, Query(max_length=80)]


def router(services: Services) -> APIRouter:
    """Return the routes."""
    routes = APIRouter()

    @routes.get("/evaluation.json")
    def evaluation_json(
        metric: Choice = "hit_rate@10", setting: Choice = "filtered", codebase: Choice = "", a: Choice = "", b: Choice = ""
    ) -> dict[str, Any]:
        return build_view(services.settings, {"metric": metric, "setting": setting, "codebase": codebase, "a": a, "b": b})

    @routes.get("/evaluation", include_in_schema=False)
    def evaluation_page(
        metric: Choice = "hit_rate@10", setting: Choice = "filtered", codebase: Choice = "", a: Choice = "", b: Choice = ""
    ) -> Response:
        from query_api.evaluation_page import page

        view = build_view(services.settings, {"metric": metric, "setting": setting, "codebase": codebase, "a": a, "b": b})
        return Response(page(view), media_type="text/html; charset=utf-8", headers={"cache-control": "no-cache"})

    return routes


def build_view(settings: Settings, chosen: Mapping[str, str]) -> dict[str, Any]:
    """Return everything that the page shows, as JSON-able values.

    ``chosen`` names metric, setting (filtered or unfiltered), codebase ("" for all) and the two runs to compare (default: the newest two).
    Raises UsageError for a value that does not exist.
    """
    from legacylens_eval.trends import PLOTTED, history, run_names

    _one_of("metric", chosen["metric"], PLOTTED)
    _one_of("setting", chosen["setting"], SETTINGS)
    kept = run_names(settings)
    picked = {**chosen, "a": chosen["a"] or (kept[-2] if len(kept) > 1 else ""), "b": chosen["b"] or (kept[-1] if kept else "")}
    view: dict[str, Any] = {"chosen": picked, "runs": history(settings), "kept": kept, "ablation": _ablation(settings)}
    return view | _compared(settings, picked) | _newest(settings, kept, picked)


def _compared(settings: Settings, picked: Mapping[str, str]) -> dict[str, Any]:
    """Return the comparison of the two runs and the gate's verdict on it; both None when there are not two."""
    from legacylens_eval.gate import judge
    from legacylens_eval.trends import load_run, run_names

    if not picked["a"] or not picked["b"]:
        return {"comparison": None, "verdict": None}
    kept = run_names(settings)
    for name in ("a", "b"):
        _one_of(name, picked[name], kept)
    before, after = (load_run(settings, picked[name])[picked["setting"]] for name in ("a", "b"))
    verdict = judge(before, after).to_json()
    return {"comparison": verdict.pop("comparison"), "verdict": verdict}


def _newest(settings: Settings, kept: list[str], picked: Mapping[str, str]) -> dict[str, Any]:
    """Return the newest run's questions, worst first, and its stale ones."""
    from legacylens_eval.trends import load_run

    if not kept:
        return {"questions": [], "stale": [], "codebases": []}
    run = load_run(settings, kept[-1])[picked["setting"]]
    codebases = sorted({row["codebase"] for row in run["questions"]})
    if picked["codebase"]:
        _one_of("codebase", picked["codebase"], codebases)
    rows = [row for row in run["questions"] if picked["codebase"] in ("", row["codebase"])]
    rows.sort(key=lambda row: (row["rank_file"] is not None, -(row["rank_file"] or 0), row["id"]))
    return {"questions": rows, "stale": run["stale"], "codebases": codebases}


def _ablation(settings: Settings) -> dict[str, Any] | None:
    """Return the ablation measured here, else the one that comes with LegacyLens, else None."""
    for path in (settings.data / "eval" / "ablation.json", RESULTS / "ablation.json"):
        found = read_json(path)
        if found.get("rows"):
            return found
    return None


def _one_of(name: str, value: str, known: Any) -> None:  # noqa: ANN401 - any collection of names
    if value not in known:
        raise UsageError(f"{name}={value!r}: expected one of {', '.join(known) or 'none yet'}")
