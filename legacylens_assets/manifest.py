"""The manifest of a fetched codebase: every file, what it is, and why it is skipped if it is."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from legacylens_assets.errors import SourceError
from legacylens_assets.registry import Codebase, Origin
from legacylens_assets.settings import Settings
from legacylens_assets.sources.detect import detect, language_hint
from legacylens_assets.sources.encodings import decode
from legacylens_assets.sources.globs import selected
from legacylens_assets.sources.tree import read_provenance
from legacylens_assets.types import SourceFile


@dataclass(frozen=True, slots=True)
class ManifestEntry:
    """One file. ``path`` is POSIX and relative to the codebase's root; ``skip_reason`` is "" for a file that is indexed.

    ``bytes`` and ``sha256`` are 0 and "" for a file that was left out when the codebase was fetched.
    """

    path: str
    bytes: int
    sha256: str
    language: str
    dialect: str
    encoding: str
    skip_reason: str = ""


def build_manifest(root: Path, codebase: Codebase, settings: Settings) -> list[ManifestEntry]:
    """Return one entry for each file of the tree at ``root``, and one for each that fetching left out, sorted by path.

    Raises SourceError when ``root`` is no folder.
    """
    if not root.is_dir():
        raise SourceError(f"{codebase.key}: {root} is no folder; fetch the codebase first")
    provenance = read_provenance(root)
    origin = _origin_used(codebase, str(provenance.get("origin", "")))
    entries = {path: _entry(root, path, codebase, origin, settings.max_file_bytes) for path in walk(root)}
    for path, reason in provenance.get("left_out", {}).items():
        entries.setdefault(path, ManifestEntry(path, 0, "", *_named(path), "", reason))
    return [entries[path] for path in sorted(entries)]


def manifest_hash(entries: Iterable[ManifestEntry]) -> str:
    """Return the hash of what would be indexed and how: paths, contents, languages, encodings and skips. The data version of raw_repo."""
    digest = hashlib.sha256()
    for entry in sorted(entries, key=lambda item: item.path):
        row = (entry.path, entry.sha256, entry.language, entry.dialect, entry.encoding, entry.skip_reason)
        digest.update("\0".join(row).encode("utf-8", "surrogateescape") + b"\n")
    return digest.hexdigest()


def read_source(root: Path, entry: ManifestEntry) -> SourceFile:
    """Return a file of the manifest decoded; raises SourceError when it is gone or is not the file that was listed."""
    try:
        data = (root / entry.path).read_bytes()
    except OSError as error:
        raise SourceError(f"{entry.path}: cannot be read: {error.strerror}; fetch the codebase again") from error
    if hashlib.sha256(data).hexdigest() != entry.sha256:
        raise SourceError(f"{entry.path}: changed since the manifest was built; build the manifest again")
    return SourceFile(entry.path, entry.language, entry.encoding, decode(data, entry.encoding or "latin-1"), entry.sha256, entry.dialect)


def walk(root: Path) -> Iterator[str]:
    """Yield the POSIX path of every regular file under ``root``, sorted within each folder; links are never followed."""
    for folder, folders, names in os.walk(root):
        folders.sort()
        here = Path(folder)
        for name in sorted(names):
            file = here / name
            if file.is_file() and not file.is_symlink():
                yield file.relative_to(root).as_posix()


def _entry(root: Path, path: str, codebase: Codebase, origin: Origin, max_bytes: int) -> ManifestEntry:
    file = root / path
    size = file.stat().st_size
    if not selected(path, origin.include, origin.exclude):
        return ManifestEntry(path, size, _sha256(file), *_named(path), "", "excluded")
    if size > max_bytes:
        return ManifestEntry(path, size, _sha256(file), *_named(path), "", f"too large: {size} bytes, the limit is {max_bytes} (max_file_bytes)")
    data = file.read_bytes()
    found = detect(path, data, language_hint(path, codebase.languages), codebase.encoding)
    return ManifestEntry(path, size, hashlib.sha256(data).hexdigest(), found.language, found.dialect, found.encoding, found.skip_reason)


def _origin_used(codebase: Codebase, name: str) -> Origin:
    return next((origin for origin in codebase.origins if str(origin) == name), codebase.origins[0])


def _named(path: str) -> tuple[str, str]:
    found = detect(path, b"")
    return found.language, found.dialect


def _sha256(file: Path) -> str:
    with file.open("rb") as handle:
        return hashlib.file_digest(handle, "sha256").hexdigest()
