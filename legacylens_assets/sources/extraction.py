"""Unpacks tar and zip archives that nobody vouches for.

Only regular files are written, by us, below the target folder: links and devices are left out and listed, a member whose path leaves the folder makes
the whole archive refused, and what comes out of the decompressor is counted, so that a bomb ends at the limit and not at the end of the disk.
"""

from __future__ import annotations

import bz2
import gzip
import lzma
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Protocol

from legacylens_assets.errors import SourceError
from legacylens_assets.sources.tree import LEFT_OUT_LISTED, Budget, readable_name, safe_parts

READ_BYTES = 1 << 20
RATIO, RATIO_FROM = 300, 50_000_000
"""An archive that grows more than RATIO times is a bomb, once RATIO_FROM bytes have come out."""
MOST_MEMBERS_PER_FILE = 4
"""Folders, links and other members that are counted against the limit of files."""

MAGIC = ((b"\x1f\x8b", "gz"), (b"BZh", "bz2"), (b"\xfd7zXZ\x00", "xz"), (b"\x28\xb5\x2f\xfd", "zst"), (b"PK\x03\x04", "zip"), (b"PK\x05\x06", "zip"))
DAMAGED = (tarfile.TarError, zipfile.BadZipFile, EOFError, lzma.LZMAError, zlib.error, OSError, ValueError, NotImplementedError)


class Readable(Protocol):
    """What a decompressor offers."""

    def read(self, size: int = -1, /) -> bytes:
        """Return up to ``size`` bytes."""
        ...


def unpack(archive: Path, target: Path, budget: Budget) -> dict[str, str]:
    """Unpack ``archive`` (tar, plain or gz, bz2, xz, zst; or zip) into ``target``; returns path -> reason for members left out.

    Raises SourceError for an archive that is damaged, that tries to leave ``target``, or that passes a limit of ``budget``.
    """
    target.mkdir(parents=True, exist_ok=True)
    with archive.open("rb") as handle:
        head = handle.read(8)
    kind = next((name for magic, name in MAGIC if head.startswith(magic)), "tar")
    try:
        if kind == "zip":
            return _unpack_zip(archive, target, budget)
        with _decompressed(archive, kind) as stream:
            return _unpack_tar(Counted(stream, archive, budget), archive.name, target, budget)
    except DAMAGED as error:
        raise SourceError(f"{archive.name}: damaged or no archive of a known kind ({kind}): {error}") from error


def single_folder(folder: Path) -> Path:
    """Return the only sub-folder when ``folder`` holds nothing else (archives usually have one), else ``folder``."""
    inside = list(folder.iterdir())
    return inside[0] if len(inside) == 1 and inside[0].is_dir() else folder


class Counted:
    """A stream that ends in a SourceError when more comes out of it than the budget or the ratio allows."""

    def __init__(self, stream: Readable, archive: Path, budget: Budget) -> None:
        self.stream = stream
        self.name = archive.name
        self.budget = budget
        self.packed = max(archive.stat().st_size, 1)
        self.out = 0

    def read(self, size: int = -1) -> bytes:
        """Return up to ``size`` bytes, at most READ_BYTES at once."""
        data = self.stream.read(min(size, READ_BYTES) if size >= 0 else READ_BYTES)
        self.count(len(data))
        return data

    def count(self, size: int) -> None:
        """Add ``size`` bytes and check the limits."""
        self.out += size
        self.budget.check_time()
        if self.out > self.budget.bytes:
            raise SourceError(f"{self.name}: unpacks to more than {self.budget.bytes} bytes; raise fetch_max_bytes if it is meant to")
        if self.out > RATIO_FROM and self.out > RATIO * self.packed:
            raise SourceError(f"{self.name}: unpacks to more than {RATIO} times its size; it is refused as a decompression bomb")


@contextmanager
def _decompressed(archive: Path, kind: str) -> Iterator[Readable]:
    if kind == "zst":
        import pyarrow as pa

        with pa.OSFile(str(archive)) as packed, pa.CompressedInputStream(packed, "zstd") as stream:
            yield stream
        return
    openers: dict[str, Callable[[Path], IO[bytes]]] = {"gz": _gz, "bz2": bz2.BZ2File, "xz": lzma.LZMAFile}
    with openers.get(kind, _plain)(archive) as plain:
        yield plain


def _gz(archive: Path) -> IO[bytes]:
    return gzip.open(archive, "rb")  # type: ignore[return-value]


def _plain(archive: Path) -> IO[bytes]:
    return archive.open("rb")


def _unpack_tar(stream: Counted, name: str, target: Path, budget: Budget) -> dict[str, str]:
    left_out: dict[str, str] = {}
    members = 0
    with tarfile.open(fileobj=stream, mode="r|", errorlevel=1) as tar:  # type: ignore[call-overload]
        for member in tar:
            members += 1
            if members > MOST_MEMBERS_PER_FILE * budget.files:
                raise SourceError(f"{name}: more than {MOST_MEMBERS_PER_FILE * budget.files} members; it is refused")
            parts = safe_parts(member.name, name)
            path = readable_name("/".join(parts))
            if member.isdir() or not parts:
                continue
            if member.islnk():
                reason = _copy_hard_link(target, parts, safe_link(member.linkname, name), budget)
            elif not member.isreg():
                reason = f"symbolic link to {member.linkname}" if member.issym() else "device or other special file"
            else:
                reason = _write(tar.extractfile(member), target, parts, budget)
            if reason and len(left_out) < LEFT_OUT_LISTED:
                left_out[path] = reason
    while stream.read():
        """The rest is padding; reading it makes the decompressor check its sums."""
    return left_out


def safe_link(name: str, archive: str) -> tuple[str, ...]:
    """Return the parts of a hard link's target, () when it lies outside the archive."""
    try:
        return safe_parts(name, archive)
    except SourceError:
        return ()


def _copy_hard_link(target: Path, parts: tuple[str, ...], source: tuple[str, ...], budget: Budget) -> str:
    """Write a copy of the member that a hard link names; returns why it is left out, "" when it is not."""
    original = target.joinpath(*source)
    if not source or not original.is_file():
        return "hard link to something that is not in the archive"
    if source == parts:
        return ""
    with original.open("rb") as stream:
        return _write(stream, target, parts, budget)


def _write(stream: IO[bytes] | None, target: Path, parts: tuple[str, ...], budget: Budget, counted: Counted | None = None) -> str:
    """Write one file; returns why it is left out, "" when it is not. A later member replaces an earlier one of the same path."""
    file = target.joinpath(*parts)
    if stream is None or file.is_dir():
        return "its path is that of a folder"
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
    except (FileExistsError, NotADirectoryError):
        return "a file stands where its folder should be"
    budget.spend(files=1)
    with file.open("wb") as out:
        while data := stream.read(READ_BYTES):
            if counted:
                counted.count(len(data))
            budget.spend(size=len(data))
            out.write(data)
    return ""


def _unpack_zip(archive: Path, target: Path, budget: Budget) -> dict[str, str]:
    left_out: dict[str, str] = {}
    with zipfile.ZipFile(archive) as packed:
        members = packed.infolist()
        if len(members) > MOST_MEMBERS_PER_FILE * budget.files:
            raise SourceError(f"{archive.name}: {len(members)} members; the limit of files is {budget.files}")
        for member in members:
            parts = safe_parts(member.filename.replace("\\", "/"), archive.name)
            if member.is_dir() or not parts:
                continue
            kind = (member.external_attr >> 16) & 0o170000
            if kind not in (0, 0o100000):
                left_out["/".join(parts)] = "symbolic link" if kind == 0o120000 else "special file"
                continue
            if member.flag_bits & 1:
                raise SourceError(f"{archive.name}: member {member.filename!r} is encrypted")
            with packed.open(member) as stream:
                reason = _write(stream, target, parts, budget, Counted(stream, archive, budget))
            if reason:
                left_out["/".join(parts)] = reason
    return left_out
