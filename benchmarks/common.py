"""What the benchmarks share: the project, and a results file for each commit worth keeping."""

import json
import os
import platform
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

from legacylens_assets.settings import Settings, find_root, load_settings

RESULTS = Path(__file__).parent / "results"


def project_settings() -> Settings:
    return load_settings(find_root(Path.cwd(), os.environ), os.environ)


def cli(*argv: str) -> list[str]:
    return [sys.executable, "-m", "legacylens_assets.cli", *argv]


def save(name: str, value: object) -> None:
    """Print the figures; keep them under benchmarks/results when --save is given."""
    commit = subprocess.run(["git", "rev-parse", "--short=12", "HEAD"], capture_output=True, text=True, cwd=Path(__file__).parent).stdout.strip()
    machine = f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}"
    report = {"benchmark": name, "commit": commit, "at": datetime.now(UTC).isoformat(timespec="seconds"), "machine": machine, "figures": value}
    text = json.dumps(report, indent=1)
    print(text)
    if "--save" in sys.argv:
        RESULTS.mkdir(exist_ok=True)
        (RESULTS / f"{name}-{commit}.json").write_text(text + "\n")


def percentile(values: list[float], share: float) -> float:
    """Return the nearest-rank percentile."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]
