"""kill -9 of a reindex in three stages: what is served during and after, and that the next run finishes.

usage: python -m benchmarks.kill [--save] [CODEBASE] (default samples). Works on a copy of the data folder's index of that codebase.
"""

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.common import cli, project_settings, save

STAGES = ("parsed_chunks", "dense_vectors", "vector_index")
QUESTION = "how is interest worked out"
HOLD = """
import os, sys, time
import legacylens_assets.pipeline.{module} as stage
import legacylens_assets.cli as cli
{patch}
sys.exit(cli.main(sys.argv[1:]))
"""
PATCHES = {
    # Each patch makes the stage wait in the middle of its work, with its work half done, and says so.
    "parsed_chunks": ("parse", "old = stage.chunk_file\nseen = [0]\ndef slow(*a, **k):\n    seen[0] += 1\n    if seen[0] == 5:\n        print('HELD', file=sys.stderr, flush=True); time.sleep(600)\n    return old(*a, **k)\nstage.chunk_file = slow"),
    "dense_vectors": ("encode", "old = stage.PartFiles.add\ndef slow(self, table):\n    old(self, table)\n    print('HELD', file=sys.stderr, flush=True); time.sleep(600)\nstage.PartFiles.add = slow"),
    "vector_index": ("publish", "old = stage._Draft.point\nseen = [0]\ndef slow(self, i):\n    seen[0] += 1\n    if seen[0] == 20:\n        print('HELD', file=sys.stderr, flush=True); time.sleep(600)\n    return old(self, i)\nstage._Draft.point = slow"),
}  # fmt: skip


def search(environ: dict) -> tuple[str, list[str]]:
    run = subprocess.run(cli("search", QUESTION, "--json"), capture_output=True, text=True, env=environ)
    value = json.loads(run.stdout)
    return value.get("generation", ""), [hit["chunk_id"] for hit in value.get("hits", [])]


def kill_in(stage: str, key: str, environ: dict) -> dict:
    module, patch = PATCHES[stage]
    before = search(environ)
    shutil.rmtree(Path(environ["LEGACYLENS_HOME"]) / "data" / "stages" / key)
    changed = dict(environ, LEGACYLENS_LEVERS="literals" if stage != "vector_index" else "literals,file", LEGACYLENS_ENCODE_FLUSH="32")
    script = HOLD.format(module=module, patch=patch)
    child = subprocess.Popen([sys.executable, "-c", script, "reindex", key, "--plain"], stderr=subprocess.PIPE, text=True, env=changed)
    for line in child.stderr:
        if "HELD" in line:
            break
    during = search(environ)
    os.kill(child.pid, signal.SIGKILL)
    child.wait()
    after = search(environ)
    start = time.perf_counter()
    again = subprocess.run(cli("reindex", key, "--plain", "--json"), capture_output=True, text=True, env=dict(changed))
    finished = json.loads(again.stdout)["runs"][0]
    embedded = next((s["counts"] for s in finished["stages"] if s["stage"] == "dense_vectors"), {})
    return {
        "served_during_equals_before": during == before, "served_after_kill_equals_before": after == before, "next_run_ok": finished["ok"],
        "next_run_seconds": round(time.perf_counter() - start, 1), "resumed_vectors": embedded.get("resumed"), "embedded": embedded.get("embedded"),
        "new_generation_served": search(environ)[0] != before[0],
    }  # fmt: skip


def main() -> None:
    key = next((a for a in sys.argv[1:] if not a.startswith("-")), "samples")
    root = project_settings().root
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        (home / "data").mkdir()
        shutil.copy(root / "data" / "codebases.toml", home / "data")
        if (root / "data" / "samples").exists():
            shutil.copytree(root / "data" / "samples", home / "data" / "samples")
        environ = dict(os.environ, LEGACYLENS_HOME=str(home))
        subprocess.run(cli("reindex", key, "--plain"), env=environ, check=True, stdout=subprocess.DEVNULL)
        figures = {stage: kill_in(stage, key, environ) for stage in STAGES}
    save("kill", figures)


if __name__ == "__main__":
    main()
