"""Seconds for each stage of a reindex: as it is now, unchanged, one file touched.

usage: python -m benchmarks.chain [--save] CODEBASE...
"""

import json
import resource
import subprocess
import sys

from benchmarks.common import cli, project_settings, save


def reindex(key: str) -> dict:
    run = subprocess.run(cli("reindex", key, "--plain", "--json"), capture_output=True, text=True)
    if not run.stdout:
        sys.exit(run.stderr)
    found = json.loads(run.stdout)["runs"][0]
    stages = {s["stage"]: {"seconds": s["seconds"], "unchanged": s["reused"], **s["counts"]} for s in found["stages"]}
    notes = {s["stage"]: s["notes"] for s in found["stages"]}
    return {
        "ok": found["ok"], "error": found["error"], "seconds": round(sum(s["seconds"] for s in stages.values()), 1), "stages": stages,
        "skipped": notes.get("raw_repo", {}).get("skipped"), "origin": notes.get("raw_repo", {}).get("origin"),
        "peak_mb_of_children": resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024,
    }  # fmt: skip


def touch_one(key: str) -> str:
    """Add a comment line to the middle file of the codebase's raw tree; return its path."""
    settings = project_settings()
    from legacylens_assets.tables import read_table
    from legacylens_assets.workspace import Workspace

    workspace = Workspace(settings.data, key)
    rows = [r for r in read_table(workspace.table("files")).to_pylist() if r["language"] != "text" and r["encoding"] in ("utf-8", "ascii", "latin-1")]
    row = rows[len(rows) // 2]
    path = workspace.raw / row["path"]
    mark = {
        "cobol": b"      * touched\n",
        "fortran": b"C     touched\n",
        "c": b"/* touched */\n",
        "jcl": b"//* touched\n",
        "pli": b"/* touched */\n",
        "rpg": b"     D* touched\n",
    }
    path.write_bytes(path.read_bytes() + mark[row["language"]])
    return row["path"]


def main() -> None:
    figures = {}
    for key in [a for a in sys.argv[1:] if not a.startswith("-")]:
        first, unchanged = reindex(key), reindex(key)
        figures[key] = {"first": first, "unchanged": unchanged}
    save("chain", figures)


if __name__ == "__main__":
    main()
