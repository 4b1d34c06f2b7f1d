"""Looking after what accumulates: news from the origins, old generations, files that nothing needs, and the way back to a generation."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from legacylens_assets.errors import FingerprintMismatch, SourceError
from legacylens_assets.registry import Codebase, Registry
from legacylens_assets.settings import Settings
from legacylens_assets.store import index_root, open_writer
from legacylens_assets.store.protocol import GenerationInfo
from legacylens_assets.workspace import Workspace

KEPT_EVALUATIONS = 10
"""Roll-ups that are kept whatever their age, so that two can always be compared."""

Resolve = Callable[[Codebase, Settings], str]


@dataclass(frozen=True, slots=True)
class News:
    """What an origin says of a codebase: the commit it is at now, or why it could not be asked."""

    codebase: str
    commit: str = ""
    error: str = ""


def followed(registry: Registry) -> list[Codebase]:
    """Return the enabled codebases whose git origin is not pinned: they follow a branch, or the default one."""
    return [c for c in registry.enabled() if c.role == "codebase" and c.origins[0].kind == "git" and not c.origins[0].commit]


def branch_commit(codebase: Codebase, settings: Settings) -> str:
    """Return the commit at the head of the followed branch; raises SourceError when it cannot be asked."""
    from legacylens_assets.sources.git import resolve
    from legacylens_assets.sources.tree import Budget

    deadline = time.monotonic() + settings.fetch_timeout
    return resolve(codebase.origins[0], settings, Budget(codebase.key, settings.fetch_max_files, settings.fetch_max_bytes, deadline))


def news(codebases: Iterable[Codebase], settings: Settings, seconds: float, resolve: Resolve = branch_commit) -> list[News]:
    """Return what the origins of ``codebases`` say, until ``seconds`` have passed; later ones are left for the next time."""
    started = time.monotonic()
    found = []
    for codebase in codebases:
        if time.monotonic() - started > seconds:
            break
        try:
            found.append(News(codebase.key, resolve(codebase, settings)))
        except SourceError as error:
            found.append(News(codebase.key, error=str(error)))
    return found


def indexed_version(settings: Settings, key: str) -> str:
    """Return the commit or version that was fetched last, "" when nothing was."""
    return str(Workspace(settings.data, key).stamp("raw_repo").get("version", ""))


def roll_back(settings: Settings, generation: str, codebase: str = "") -> GenerationInfo:
    """Serve an earlier generation again.

    Raises GenerationGone when it was collected, FingerprintMismatch when today's encoders could not ask it.
    """
    from legacylens_assets.encoders import load_encoders
    from legacylens_assets.store.layout import Layout
    from legacylens_assets.store.pointers import Pointers

    info = Pointers(Layout(index_root(settings))).find(generation, codebase)
    wanted = load_encoders(settings).fingerprints
    if dict(info.fingerprints) != wanted:
        raise FingerprintMismatch(
            f"generation {generation} of {info.codebase} was built by {dict(info.fingerprints)}, questions are encoded by {wanted}: "
            "set the encoders back first, or reindex"
        )
    return open_writer(settings).rollback(generation, info.codebase)


def collect_generations(settings: Settings) -> list[str]:
    """Delete the generations beyond ``keep_generations`` that nothing holds; return them as "codebase generation"."""
    from legacylens_assets.store.layout import Layout
    from legacylens_assets.store.lock import locked
    from legacylens_assets.store.writer import IndexWriter

    writer = open_writer(settings)
    if not isinstance(writer, IndexWriter):
        raise TypeError(f"{type(writer).__name__}: expected an IndexWriter")
    layout = Layout(index_root(settings))
    found = []
    for key in layout.codebases():
        with locked(layout.codebase(key) / ".writer.lock", settings.lock_timeout, f"collecting {key}"):
            found += [f"{key} {name}" for name in writer.collect(key)]
    return found


def collect_files(settings: Settings, registry: Registry, now: float) -> list[str]:
    """Delete what nothing needs any more and is older than ``retention_days``; return the paths below the data folder.

    That is: Parquet and fetched trees of codebases that are no longer in the registry, vectors that killed runs left, and evaluation results
    (the newest ten stay). ``now`` is in seconds since 1970.
    """
    before = now - settings.retention_days * 86400
    data: Path = settings.data
    old: list[Path] = []
    for folder in (*_folders(data / "stages"), *_folders(data / "raw")):
        if folder.name not in registry.codebases and not folder.name.startswith(".") and _touched(folder) < before:
            old.append(folder)
            old += [path for path in (folder.with_name(folder.name + ".json"),) if path.exists()]
    old += [parts for parts in sorted(data.glob("stages/*/dense-parts")) if _touched(parts) < before]
    kept_runs = sorted(data.glob("eval/runs/*.json"))[:-KEPT_EVALUATIONS]
    old += [path for path in kept_runs if path.stat().st_mtime < before]
    for path in old:
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)
    return [path.relative_to(data).as_posix() for path in old]


def _folders(parent: Path) -> list[Path]:
    return sorted(path for path in parent.iterdir() if path.is_dir()) if parent.is_dir() else []


def _touched(folder: Path) -> float:
    """Return when anything directly in the folder was last changed."""
    return max((path.stat().st_mtime for path in folder.iterdir()), default=folder.stat().st_mtime)
