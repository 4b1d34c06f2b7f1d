"""raw_repo: a registry entry becomes a verified tree and its manifest."""

from __future__ import annotations

from collections import Counter

from legacylens_assets.manifest import ManifestEntry, build_manifest, manifest_hash
from legacylens_assets.pipeline.report import Progress, StageReport, Stopwatch, silent
from legacylens_assets.registry import Codebase
from legacylens_assets.settings import Settings
from legacylens_assets.sources import fetch
from legacylens_assets.tables import to_table, write_table
from legacylens_assets.workspace import Workspace


def raw_stage(codebase: Codebase, settings: Settings, progress: Progress = silent) -> StageReport:
    """Fetch the codebase and list its files in manifest.parquet.

    Raises SourceError when no origin could be reached; the tree fetched before then stays.
    """
    watch = Stopwatch()
    workspace = Workspace(settings.data, codebase.key)
    progress("raw_repo", 0, 1)
    before = workspace.stamp("raw_repo")
    repo = fetch(codebase, settings)
    entries = build_manifest(repo.path, codebase, settings)
    version = manifest_hash(entries)
    write_table(to_table(entries, ManifestEntry), workspace.table("manifest"))
    skipped = Counter(entry.skip_reason for entry in entries if entry.skip_reason)
    languages = Counter(entry.language for entry in entries if not entry.skip_reason)
    workspace.write_stamp("raw_repo", data_version=version, origin=repo.origin, version=repo.version)
    progress("raw_repo", 1, 1)
    return StageReport(
        "raw_repo",
        codebase.key,
        watch.seconds,
        {
            "files": len(entries),
            "indexed_files": sum(languages.values()),
            "skipped_files": sum(skipped.values()),
            "bytes": sum(e.bytes for e in entries),
        },
        reused=before.get("data_version") == version,
        invalidated_by=() if before.get("data_version") == version else ("files",),
        data_version=version,
        notes={"origin": repo.origin, "version": repo.version, "languages": dict(languages), "skipped": dict(skipped)},
    )
