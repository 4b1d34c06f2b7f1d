"""Fetches a codebase from its first reachable origin into ``raw/KEY/``, pinned, verified and atomic."""

from __future__ import annotations

import fcntl
import shutil
import time
import uuid
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from legacylens_assets.errors import SourceError
from legacylens_assets.registry import Codebase, Origin
from legacylens_assets.settings import Settings
from legacylens_assets.sources.tree import Budget, provenance_path, put_in_place, read_provenance, recover, tree_hash
from legacylens_assets.tables import write_json

Progress = Callable[[str, int, int], None]
"""Called with (what is being done, origins tried, origins known)."""


@dataclass(frozen=True, slots=True)
class RawRepo:
    """A codebase on disk. ``version`` is the commit, package version or tree hash; ``tree`` the hash over paths and contents.

    ``reused`` says that nothing was fetched; ``tried`` names the origins that failed before this one.
    """

    path: Path
    origin: str
    version: str
    tree: str
    files: int
    bytes: int
    fetched_at: str
    reused: bool
    left_out: Mapping[str, str]
    tried: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Fetched:
    """What an origin's fetcher delivers: a tree of selected files, its version, and what was left out."""

    tree: Path
    version: str
    left_out: Mapping[str, str]
    detail: Mapping[str, str]


def fetch(codebase: Codebase, settings: Settings, progress: Progress | None = None) -> RawRepo:
    """Return the tree of ``codebase`` under ``settings.data/raw``, fetched if the pinned version is not there already.

    Origins are tried in order. Raises SourceError that names every origin tried, why it failed and what to do next; an old tree stays as it was.
    """
    final = settings.data / "raw" / codebase.key
    try:
        final.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise SourceError(f"{final.parent}: cannot be made: {error.strerror}; check data_dir") from error
    tried: list[str] = []
    with _locked(final.with_name(f".{codebase.key}.lock"), codebase.key, settings.lock_timeout):
        recover(final)
        recorded = _verified(final)
        for number, origin in enumerate(codebase.origins):
            if progress:
                progress(f"fetch {codebase.key} from {origin}", number, len(codebase.origins))
            try:
                return _from_origin(codebase, origin, settings, final, recorded, tuple(tried))
            except SourceError as error:
                tried.append(f"{origin}: {error}")
    raise SourceError(_failure(codebase, tried, final))


def _from_origin(codebase: Codebase, origin: Origin, settings: Settings, final: Path, recorded: Mapping[str, Any], tried: tuple[str, ...]) -> RawRepo:
    budget = Budget(codebase.key, settings.fetch_max_files, settings.fetch_max_bytes, time.monotonic() + settings.fetch_timeout)
    selection = _selection(origin)
    candidate = str(recorded.get("version", "")) if recorded.get("selection") == selection and _same_origin(recorded, origin) else ""
    wanted = _wanted_version(origin, settings, budget, candidate)
    if candidate and candidate == wanted:
        return _raw_repo(final, recorded, reused=True, tried=tried)
    building = final.with_name(f".{final.name}.new-{uuid.uuid4().hex[:8]}")
    building.mkdir()
    try:
        fetched = _fetcher(origin.kind)(origin, wanted, settings, building, budget)
        tree, files, size = tree_hash(fetched.tree)
        if not files:
            raise SourceError("no file is left after include and exclude; check the globs")
        record = {
            "origin": str(origin),
            "kind": origin.kind,
            "location": origin.shown,
            "version": fetched.version,
            "selection": selection,
            "tree": tree,
            "files": files,
            "bytes": size,
            "fetched_at": datetime.now(UTC).isoformat(timespec="seconds"),
            "left_out": dict(fetched.left_out),
            **fetched.detail,
        }
        put_in_place(fetched.tree, final)
        write_json(record, provenance_path(final))
    except OSError as error:
        raise SourceError(f"the tree cannot be read or written: {error}; check space and permissions of {final.parent}") from error
    finally:
        shutil.rmtree(building, ignore_errors=True)
    return _raw_repo(final, record, reused=False, tried=tried)


def _fetcher(kind: str) -> Callable[[Origin, str, Settings, Path, Budget], Fetched]:
    from legacylens_assets.sources import debian, git, path, pypi

    return {"git": git.fetch_git, "pypi": pypi.fetch_pypi, "debian": debian.fetch_debian, "path": path.fetch_path}[kind]


def _wanted_version(origin: Origin, settings: Settings, budget: Budget, candidate: str) -> str:
    """Return the version that the tree must have. ``candidate`` is the one that is there; a Debian range that it fits asks for no newer one."""
    from legacylens_assets.sources import debian, debian_versions, git, path

    if origin.kind == "git":
        return origin.commit or git.resolve(origin, settings, budget)
    if origin.kind == "pypi":
        return origin.version
    if origin.kind == "path":
        return path.version(origin, settings, budget)
    if candidate and origin.version and debian_versions.fits(candidate, origin.version):
        return candidate
    return debian.resolve(origin, settings, budget)


def _selection(origin: Origin) -> list[list[str]]:
    return [list(origin.include), list(origin.exclude)]


def _same_origin(recorded: Mapping[str, Any], origin: Origin) -> bool:
    if (recorded.get("kind"), recorded.get("location")) != (origin.kind, origin.shown):
        return False
    return not origin.sha256 or recorded.get("sha256") == origin.sha256


def _verified(final: Path) -> Mapping[str, Any]:
    """Return the provenance of the tree at ``final`` if the tree is still what was recorded, else {}."""
    recorded = read_provenance(final)
    if not final.is_dir() or not recorded:
        return {}
    return recorded if tree_hash(final)[0] == recorded.get("tree") else {}


def _raw_repo(final: Path, record: Mapping[str, Any], *, reused: bool, tried: tuple[str, ...]) -> RawRepo:
    return RawRepo(
        path=final,
        origin=str(record["origin"]),
        version=str(record["version"]),
        tree=str(record["tree"]),
        files=int(record["files"]),
        bytes=int(record["bytes"]),
        fetched_at=str(record["fetched_at"]),
        reused=reused,
        left_out=record.get("left_out", {}),
        tried=tried,
    )


def _failure(codebase: Codebase, tried: list[str], final: Path) -> str:
    kept = f" The tree fetched earlier stays in {final}." if final.is_dir() else ""
    lines = "".join(f"\n  - {line}" for line in tried)
    return (
        f"{codebase.key}: no origin could be used ({len(tried)} tried):{lines}\n"
        f'Check the network, or give another origin in a [[codebases.{codebase.key}.fallback]] table (a local copy: source = "path:FOLDER").{kept}'
    )


@contextmanager
def _locked(path: Path, key: str, timeout: float) -> Iterator[None]:
    """Hold an exclusive lock on ``path``; raises SourceError when another process holds it longer than ``timeout`` seconds."""
    deadline = time.monotonic() + timeout
    with path.open("a") as handle:
        while True:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                if time.monotonic() > deadline:
                    raise SourceError(
                        f"{key}: another process has been fetching it for {timeout} seconds; wait for it, or raise lock_timeout"
                    ) from None
                time.sleep(0.2)
        yield
