"""Trees of files on disk: collected within limits, hashed, put in place by renaming, and what is recorded beside them.

``raw/KEY/`` holds the tree of a codebase, ``raw/KEY.json`` its provenance. A tree is built aside and renamed; a run that was killed between the two
renames is repaired by ``recover``.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import stat
import time
import uuid
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any

from legacylens_assets.errors import SourceError
from legacylens_assets.sources.globs import selected
from legacylens_assets.tables import read_json

PRUNED = frozenset({".git", ".hg", ".svn", "CVS", "node_modules", "__pycache__", ".venv", ".tox", ".mypy_cache", ".pytest_cache", ".ruff_cache"})
"""Folders that are never source, wherever they stand."""

LEFT_OUT_LISTED = 50_000
COPY_BYTES = 1 << 20


@dataclass(slots=True)
class Budget:
    """What one fetch may still use: files, bytes after extraction, and time until ``deadline`` (``time.monotonic`` seconds)."""

    name: str
    files: int
    bytes: int
    deadline: float
    _files: int = field(default=0, init=False)
    _bytes: int = field(default=0, init=False)

    def spend(self, files: int = 0, size: int = 0) -> None:
        """Count files and bytes; raises SourceError when a limit is passed, naming the setting that raises it."""
        self._files += files
        self._bytes += size
        if self._files > self.files:
            raise SourceError(f"{self.name}: more than {self.files} files; narrow include, or raise fetch_max_files")
        if self._bytes > self.bytes:
            raise SourceError(f"{self.name}: more than {self.bytes} bytes; narrow include, or raise fetch_max_bytes")
        self.check_time()

    def check_time(self) -> None:
        """Raise SourceError when the time is up."""
        if time.monotonic() > self.deadline:
            raise SourceError(f"{self.name}: took longer than allowed; raise fetch_timeout")

    @property
    def seconds(self) -> float:
        """Return the seconds that are left, at least one."""
        return max(self.deadline - time.monotonic(), 1.0)


def safe_parts(name: str, archive: str) -> tuple[str, ...]:
    """Return the parts of a relative POSIX path; raises SourceError for a path that would leave the folder it is joined to."""
    parts = tuple(part for part in name.split("/") if part not in ("", "."))
    if name.startswith("/") or ".." in parts or "\x00" in name or (os.sep != "/" and os.sep in name):
        raise SourceError(f"{archive}: member {name!r} leaves the folder it is unpacked to; the archive is refused")
    return parts


def readable_name(path: str) -> str:
    """Return ``path`` as text that can be stored: bytes of a name that are not UTF-8 are read as latin-1."""
    try:
        path.encode("utf-8")
    except UnicodeEncodeError:
        return os.fsencode(path).decode("latin-1")
    return path


def copy_selected(
    source: Path, target: Path, include: tuple[str, ...], exclude: tuple[str, ...], budget: Budget, *, move: bool = False
) -> dict[str, str]:
    """Copy (or move) the selected regular files of ``source`` to ``target``; returns path -> reason for those left out.

    Links are never followed or copied. Raises SourceError past a limit of ``budget``.
    """
    target.mkdir(parents=True, exist_ok=True)
    left_out: dict[str, str] = {}
    for path, file in walk_selected(source, include, exclude, left_out):
        destination = target.joinpath(*PurePosixPath(path).parts)
        destination.parent.mkdir(parents=True, exist_ok=True)
        budget.spend(1, file.lstat().st_size)
        if move:
            os.replace(file, destination)
        else:
            shutil.copyfile(file, destination, follow_symlinks=False)
        destination.chmod(0o644)
    return left_out


def walk_selected(source: Path, include: tuple[str, ...], exclude: tuple[str, ...], left_out: dict[str, str]) -> Iterator[tuple[str, Path]]:
    """Yield (path, file) of the selected regular files, sorted; adds the others to ``left_out`` with a reason."""
    for folder, folders, names in os.walk(source):
        here = Path(folder)
        links = sorted(name for name in folders if (here / name).is_symlink())
        folders[:] = sorted(name for name in folders if name not in PRUNED and name not in links and not _is_generated(here / name))
        for name in sorted([*names, *links]):
            file = here / name
            path = readable_name(file.relative_to(source).as_posix())
            reason = "" if selected(path, include, exclude) else "excluded"
            reason = reason or _special(file)
            if not reason:
                yield path, file
            elif len(left_out) < LEFT_OUT_LISTED:
                left_out[path] = reason


def _special(file: Path) -> str:
    mode = file.lstat().st_mode
    if stat.S_ISLNK(mode):
        return "symbolic link"
    if not stat.S_ISREG(mode):
        return "special file"
    return "" if os.access(file, os.R_OK) else "not readable"


def _is_generated(folder: Path) -> bool:
    """Return whether ``folder`` is one of our own generated folders: a codebase that holds the project must not hold its own copy."""
    return folder.name in ("raw", "stages", "index", "eval", "dagster") and (folder.parent / "codebases.toml").is_file()


def tree_hash(root: Path) -> tuple[str, int, int]:
    """Return (hash over paths and contents, files, bytes) of a tree; links are not followed."""
    digest, files, size = hashlib.sha256(), 0, 0
    for folder, folders, names in os.walk(root):
        folders.sort()
        for name in sorted(names):
            file = Path(folder, name)
            if file.is_symlink() or not file.is_file():
                continue
            files += 1
            size += file.stat().st_size
            digest.update(_hash_row(file.relative_to(root).as_posix(), file))
    return digest.hexdigest(), files, size


def selected_hash(source: Path, include: tuple[str, ...], exclude: tuple[str, ...], budget: Budget) -> tuple[str, dict[str, str]]:
    """Return the hash that ``tree_hash`` gives to a copy of the selected files, and what is left out."""
    left_out: dict[str, str] = {}
    rows = []
    for path, file in walk_selected(source, include, exclude, left_out):
        budget.check_time()
        rows.append((tuple(path.split("/")), path, file))
    digest = hashlib.sha256()
    for _, path, file in sorted(rows, key=lambda row: _walk_order(row[0])):
        digest.update(_hash_row(path, file))
    return digest.hexdigest(), left_out


def _walk_order(parts: tuple[str, ...]) -> tuple[tuple[int, str], ...]:
    """Return the key that sorts paths as ``os.walk`` with sorted folders meets them: a folder's files before its sub-folders."""
    return (*((1, part) for part in parts[:-1]), (0, parts[-1]))


def _hash_row(path: str, file: Path) -> bytes:
    with file.open("rb") as handle:
        content = hashlib.file_digest(handle, "sha256").hexdigest()
    return f"{path}\0{content}\n".encode("utf-8", "surrogateescape")


def put_in_place(built: Path, final: Path) -> None:
    """Rename ``built`` to ``final``; a tree that was there is moved aside first and then deleted."""
    old = final.with_name(f".{final.name}.old-{uuid.uuid4().hex[:8]}")
    if final.exists():
        os.rename(final, old)
    os.rename(built, final)
    if old.exists():
        shutil.rmtree(old)


def recover(final: Path) -> None:
    """Repair what a killed run left beside ``final``: put an old tree back when there is no new one, delete the rest."""
    for old in sorted(final.parent.glob(f".{final.name}.old-*")):
        if final.exists():
            shutil.rmtree(old)
        else:
            os.rename(old, final)
    for building in final.parent.glob(f".{final.name}.new-*"):
        shutil.rmtree(building)


def provenance_path(root: Path) -> Path:
    """Return the path of the provenance of the tree at ``root``."""
    return root.with_name(root.name + ".json")


def read_provenance(root: Path) -> dict[str, Any]:
    """Return what was recorded when the tree at ``root`` was fetched: origin, version, tree, files, bytes, fetched_at, left_out; {} if nothing."""
    return read_json(provenance_path(root))
