"""KLOC/s, slowest file, share of named lines and problems for each language of the fetched codebases.

usage: python -m benchmarks.parsers [--save] [CODEBASE...] (default: every fetched one)
"""

import sys
import time
from collections import Counter

from benchmarks.common import project_settings, save
from legacylens_assets.chunking import chunk_file
from legacylens_assets.manifest import ManifestEntry, read_source
from legacylens_assets.parsers import parse
from legacylens_assets.pipeline.coverage import named_lines
from legacylens_assets.tables import from_table, read_table
from legacylens_assets.workspace import Workspace


def measure(workspace: Workspace) -> dict:
    rows: dict[str, dict] = {}
    for entry in from_table(read_table(workspace.table("manifest")), ManifestEntry):
        if entry.skip_reason:
            continue
        source = read_source(workspace.raw, entry)
        start = time.process_time()
        parsed = parse(source)
        middle = time.process_time()
        chunk_file(workspace.codebase, source, parsed)
        end = time.process_time()
        row = rows.setdefault(
            entry.language, {"files": 0, "lines": 0, "code": 0, "named": 0, "parse": 0.0, "chunk": 0.0, "slowest": (0.0, ""), "problems": Counter()}
        )
        row["files"] += 1
        row["lines"] += len(source.lines)
        row["code"] += sum(role in "s+" for role in parsed.roles)
        row["named"] += named_lines(parsed)
        row["parse"] += middle - start
        row["chunk"] += end - middle
        row["slowest"] = max(row["slowest"], (end - start, entry.path))
        row["problems"].update(p.code for p in parsed.problems)
    return {language: shown(row) for language, row in sorted(rows.items())}


def shown(row: dict) -> dict:
    return {
        "files": row["files"], "lines": row["lines"], "code_lines": row["code"], "named_share": round(row["named"] / row["code"], 4) if row["code"] else 1.0,
        "parse_kloc_s": round(row["lines"] / 1000 / max(row["parse"], 1e-9), 1), "chunk_kloc_s": round(row["lines"] / 1000 / max(row["chunk"], 1e-9), 1),
        "slowest_s": round(row["slowest"][0], 2), "slowest": row["slowest"][1], "problems": dict(row["problems"].most_common(8)),
    }  # fmt: skip


def main() -> None:
    settings = project_settings()
    keys = [a for a in sys.argv[1:] if not a.startswith("-")] or sorted(p.name for p in (settings.data / "stages").iterdir())
    save("parsers", {key: measure(Workspace(settings.data, key)) for key in keys})


if __name__ == "__main__":
    main()
