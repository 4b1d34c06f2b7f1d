"""A codebase in a Debian (or Ubuntu) source package, fetched by apt-get as any user.

apt-get runs with lists, cache and sources of its own, made from the system's sources with ``deb`` turned to ``deb-src``; nothing on the
system changes. apt checks the Release signature, the Sources hashes and the archive's hash. Only the upstream tar is downloaded, and nothing in
it runs.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from legacylens_assets.errors import SourceError
from legacylens_assets.registry import Origin
from legacylens_assets.settings import Settings
from legacylens_assets.sources.apt_configuration import apt_environment
from legacylens_assets.sources.debian_versions import best_version, upstream
from legacylens_assets.sources.extraction import single_folder, unpack
from legacylens_assets.sources.fetch import Fetched
from legacylens_assets.sources.processes import Finished, run
from legacylens_assets.sources.tree import Budget, copy_selected

VARIABLES = {"LC_ALL": "C", "LANGUAGE": "C", "DEBIAN_FRONTEND": "noninteractive"}


@dataclass(frozen=True, slots=True)
class SourcePackage:
    """One version of a source package. ``tars`` maps the names of its upstream archives to their sha256."""

    name: str
    version: str
    tars: dict[str, str]


def resolve(origin: Origin, settings: Settings, budget: Budget) -> str:
    """Return the newest offered version that fits ``origin.version``; raises SourceError that lists what is offered."""
    with _apt(settings, budget) as configuration:
        return _find(origin, configuration, settings, budget).version


def fetch_debian(origin: Origin, wanted: str, settings: Settings, building: Path, budget: Budget) -> Fetched:
    """Download, verify and unpack the upstream archives of version ``wanted``."""
    downloads = building / "archive"
    downloads.mkdir()
    with _apt(settings, budget) as configuration:
        package = _find(Origin("debian", origin.location, version="==" + wanted), configuration, settings, budget)
        command = ("apt-get", "-c", str(configuration), "-q", "source", "--download-only", "--tar-only", "--only-source")
        found = _run((*command, f"{package.name}={package.version}"), budget, downloads)
        if found.code:
            raise SourceError(f"apt-get cannot download {package.name} {package.version}: {found.reason}")
    hashes = _verify(package, downloads, origin)
    unpacked = building / "unpacked"
    left_out = _unpack(package, sorted(hashes), downloads, unpacked, budget)
    left_out.update(copy_selected(unpacked, building / "tree", origin.include, origin.exclude, budget, move=True))
    main = _main_archive(package, sorted(hashes))
    return Fetched(
        building / "tree", package.version, left_out, {"sha256": hashes[main], "archive": main, "upstream_version": upstream(package.version)}
    )


def parse_sources(text: str) -> list[SourcePackage]:
    """Return the source packages that ``apt-cache showsrc`` prints (stanzas in the format of Debian's Sources files)."""
    packages = []
    for stanza in text.split("\n\n"):
        fields = _fields(stanza)
        if "Package" not in fields or "Version" not in fields:
            continue
        tars = {}
        for row in fields.get("Checksums-Sha256", "").splitlines():
            words = row.split()
            if len(words) == 3 and ".tar." in words[2] and ".debian.tar." not in words[2] and not words[2].endswith(".asc"):
                tars[words[2]] = words[0]
        packages.append(SourcePackage(fields["Package"], fields["Version"], tars))
    return packages


def _fields(stanza: str) -> dict[str, str]:
    fields: dict[str, str] = {}
    name = ""
    for line in stanza.splitlines():
        if line[:1] in (" ", "\t"):
            fields[name] = fields.get(name, "") + "\n" + line
        elif ":" in line:
            name, _, value = line.partition(":")
            fields[name] = value.strip()
    return fields


def _find(origin: Origin, configuration: Path, settings: Settings, budget: Budget) -> SourcePackage:
    found = _run(("apt-cache", "-c", str(configuration), "showsrc", "--only-source", origin.location), budget, settings.root)
    packages = {item.version: item for item in parse_sources(found.stdout.decode("utf-8", "replace")) if item.name == origin.location and item.tars}
    if not packages:
        raise SourceError(f"the system's package sources offer no source package {origin.location}: {found.reason if found.code else 'not listed'}")
    version = best_version(packages, origin.version)
    if not version:
        raise SourceError(f"source package {origin.location} is offered as {', '.join(sorted(packages))}; version {origin.version} was asked for")
    return packages[version]


@contextmanager
def _apt(settings: Settings, budget: Budget) -> Iterator[Path]:
    """Hold the private apt folder with fresh lists and yield its configuration file."""
    folder = settings.data / "raw" / ".apt"
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        configuration = apt_environment(folder, budget)
        found = _run(("apt-get", "-c", str(configuration), "-q", "update"), budget, folder)
        if found.code and not any((folder / "lists").glob("*_source_Sources*")):
            raise SourceError(f"the system's package sources cannot be reached: {found.reason}")
        yield configuration


def _run(command: tuple[str, ...], budget: Budget, folder: Path) -> Finished:
    return run(command, budget, cwd=folder, variables=VARIABLES, without=("APT_CONFIG",), watch=folder)


def _verify(package: SourcePackage, downloads: Path, origin: Origin) -> dict[str, str]:
    """Return name -> sha256 of the downloaded archives; raises SourceError when one is missing or differs from what Sources lists."""
    hashes = {}
    for name, expected in package.tars.items():
        file = downloads / name
        if not file.is_file():
            raise SourceError(f"apt-get did not deliver {name}")
        with file.open("rb") as handle:
            hashes[name] = hashlib.file_digest(handle, "sha256").hexdigest()
        if hashes[name] != expected:
            raise SourceError(f"{name}: sha256 is {hashes[name]}, the package sources list {expected}; the file is not used")
    main = _main_archive(package, sorted(hashes))
    if origin.sha256 and hashes[main] != origin.sha256:
        raise SourceError(f"{main}: sha256 is {hashes[main]}, the registry pins {origin.sha256}; the file is not used")
    return hashes


def _main_archive(package: SourcePackage, names: list[str]) -> str:
    """Return the upstream archive: NAME_VERSION.orig.tar.*, or NAME_VERSION.tar.* of a native package."""
    return next((name for name in names if ".orig.tar." in name), names[0])


def _unpack(package: SourcePackage, names: list[str], downloads: Path, unpacked: Path, budget: Budget) -> dict[str, str]:
    """Unpack the main archive to ``unpacked`` and each additional one (.orig-NAME.tar.*) into the folder of its name."""
    main = _main_archive(package, names)
    left_out: dict[str, str] = {}
    for name in [main, *(name for name in names if name != main)]:
        part = "" if name == main else name.split(".orig-", 1)[-1].split(".tar.", 1)[0]
        aside = downloads / f"{name}.d"
        listed = unpack(downloads / name, aside, Budget(budget.name, budget.files, budget.bytes, budget.deadline))
        root = single_folder(aside)
        prefix = "" if root == aside else root.name + "/"
        left_out.update({f"{part}/".lstrip("/") + path.removeprefix(prefix): reason for path, reason in listed.items()})
        if part and (unpacked / part).exists():
            (unpacked / part).rename(downloads / f"{part}.replaced")
        os.rename(root, unpacked / part if part else unpacked)
    return left_out
