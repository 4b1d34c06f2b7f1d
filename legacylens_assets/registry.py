"""The registry: ``data/codebases.toml`` as Codebase records.

One table ``[codebases.KEY]`` is one codebase. ``source`` names where it comes from: ``https://….git``, ``pypi:NAME==VERSION``, ``debian:NAME``
or a path; ``[[codebases.KEY.fallback]]`` tables give other origins for when the first cannot be reached. A bad entry is refused with file, line
and what was expected.
"""

from __future__ import annotations

import difflib
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any

from legacylens_assets.errors import RegistryError, UsageError
from legacylens_assets.toml_lines import key_line
from legacylens_assets.types import EMPTY, LANGUAGES

ROLES = ("codebase", "sample")
SOURCE_FORMS = '"https://….git", "pypi:NAME==VERSION", "debian:NAME" or a path such as "../my-code"'

KEY_PATTERN = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}")
COMMIT_PATTERN = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
SHA256_PATTERN = re.compile(r"[0-9a-f]{64}")
BRANCH_PATTERN = re.compile(r"(?!.*(\.\.|//|@\{|\.lock$))[A-Za-z0-9_][A-Za-z0-9._/+-]*")
PYPI_PATTERN = re.compile(r"([A-Za-z0-9][A-Za-z0-9._-]*)==([A-Za-z0-9][A-Za-z0-9._!+-]*)")
DEBIAN_PATTERN = re.compile(r"[a-z0-9][a-z0-9+.-]+")
VERSIONS_PATTERN = re.compile(r"\s*(>=|<=|==|>|<)?\s*[0-9][A-Za-z0-9.+~:-]*\s*(,\s*(>=|<=|==|>|<)?\s*[0-9][A-Za-z0-9.+~:-]*\s*)*")


@dataclass(frozen=True, slots=True)
class Origin:
    """One place where a codebase can be had. ``location`` is a URL (git), a package name (pypi, debian) or a path.

    ``commit`` pins git, ``version`` pins pypi exactly and bounds debian (``3.11`` or ``>=3.10,<4``), ``sha256`` is that of the archive.
    ``follow`` is a branch of a git origin to follow instead of a pin. ``include`` and ``exclude`` are globs over the origin's own tree.
    """

    kind: str
    location: str
    commit: str = ""
    version: str = ""
    sha256: str = ""
    follow: str = ""
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()

    @property
    def shown(self) -> str:
        """Return the location with the user and password of a URL masked.

        >>> Origin("git", "https://me:secret@example.org/x").shown
        'https://***@example.org/x'
        """
        return re.sub(r"(?<=://)[^/@\s]+@", "***@", self.location)

    def __str__(self) -> str:
        """Return the origin as it would be written in the registry, with its pin.

        >>> str(Origin("pypi", "forterp", version="0.1.0"))
        'pypi:forterp==0.1.0'
        """
        if self.kind == "git":
            return f"{self.shown}@{self.commit[:12] or self.follow or 'HEAD'}"
        if self.kind == "pypi":
            return f"pypi:{self.location}=={self.version}"
        if self.kind == "debian":
            return f"debian:{self.location}" + (f" ({self.version})" if self.version else "")
        return f"path:{self.location}"


@dataclass(frozen=True, slots=True)
class Codebase:
    """One entry of the registry. ``origins[0]`` is the primary origin, the others are tried when it cannot be reached.

    ``languages`` maps globs to a language for members whose name does not tell, first match wins; ``encoding`` overrides detection.
    """

    key: str
    title: str
    role: str
    enabled: bool
    origins: tuple[Origin, ...]
    licence: str = ""
    description: str = ""
    languages: Mapping[str, str] = field(default_factory=lambda: EMPTY)
    encoding: str = ""

    @property
    def include(self) -> tuple[str, ...]:
        """Return the globs of the primary origin that select files; empty means all."""
        return self.origins[0].include

    @property
    def exclude(self) -> tuple[str, ...]:
        """Return the globs of the primary origin that leave files out."""
        return self.origins[0].exclude

    @property
    def follow(self) -> str:
        """Return the branch that the primary origin follows, or ""."""
        return self.origins[0].follow


@dataclass(frozen=True, slots=True)
class Registry:
    """All entries of one registry file, in the file's order."""

    path: Path
    codebases: Mapping[str, Codebase]

    def get(self, key: str) -> Codebase:
        """Return one codebase; raises UsageError that names close keys, or all of them."""
        if key in self.codebases:
            return self.codebases[key]
        near = difflib.get_close_matches(key, self.codebases, n=3)
        hint = f"did you mean {', '.join(near)}?" if near else f"known: {', '.join(self.codebases) or 'none'}"
        raise UsageError(f"unknown codebase {key!r}: {hint} Entries are in {self.path}")

    def enabled(self) -> tuple[Codebase, ...]:
        """Return the codebases that are on, samples included."""
        return tuple(item for item in self.codebases.values() if item.enabled)

    def partitions(self) -> tuple[str, ...]:
        """Return the keys of the enabled entries, samples included."""
        return tuple(item.key for item in self.enabled())

    def nightly(self) -> tuple[str, ...]:
        """Return the keys that the nightly job reindexes: enabled, and no sample."""
        return tuple(item.key for item in self.enabled() if item.role == "codebase")


def load_registry(path: Path) -> Registry:
    """Return the registry at ``path``.

    Raises RegistryError with one line for each fault: ``file:line: codebases.KEY.field = value: expected …``.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise RegistryError(f"{path}: no such file; expected a registry with one [codebases.KEY] table for each codebase") from None
    except (OSError, UnicodeDecodeError) as error:
        raise RegistryError(f"{path}: cannot be read: {error}; expected a UTF-8 TOML file") from error
    try:
        found = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        message = str(error)
        at = re.search(r"\(at line (\d+)", message)
        line = int(at.group(1)) if at else text.count("\n") + 1
        raise RegistryError(f"{path}:{line}: not valid TOML: {message}") from error
    reader = _Reader(path, text)
    codebases = reader.read(found)
    if reader.faults:
        raise RegistryError("\n".join(reader.faults))
    return Registry(path, MappingProxyType(codebases))


class _Reader:
    """Checks the parsed TOML against the tables of fields below and collects every fault with its line."""

    def __init__(self, path: Path, text: str) -> None:
        self.path = path
        self.lines = text.splitlines()
        self.faults: list[str] = []

    def fault(self, where: tuple[str | int, ...], value: object, expected: str) -> None:
        """Record one fault at the line of ``where``, a path of keys from the top of the file."""
        name = ".".join(str(part) for part in where)
        shown = "" if value is None else f" = {_shown(value)}"
        self.faults.append(f"{self.path}:{key_line(self.lines, where)}: {name}{shown}: expected {expected}")

    def read(self, found: Mapping[str, Any]) -> dict[str, Codebase]:
        """Return the good codebases; the bad ones are in ``faults``."""
        for name in found:
            if name != "codebases":
                self.fault((name,), None, "only tables named [codebases.KEY]")
        tables = found.get("codebases", {})
        if not isinstance(tables, dict):
            self.fault(("codebases",), tables, "tables named [codebases.KEY]")
            return {}
        read = {key: self._codebase(key, value) for key, value in tables.items()}
        return {key: item for key, item in read.items() if item is not None}

    def _codebase(self, key: str, table: object) -> Codebase | None:
        where: tuple[str | int, ...] = ("codebases", key)
        before = len(self.faults)
        if not KEY_PATTERN.fullmatch(key):
            self.fault(where, None, "a key of lower-case letters, digits, - and _ (at most 64)")
        if not isinstance(table, dict):
            self.fault(where, table, f"a table with at least source = {SOURCE_FORMS}")
            return None
        fields = self._fields(where, table, {**ORIGIN_FIELDS, **CODEBASE_FIELDS})
        role = fields.get("role", "codebase")
        if role not in ROLES:
            self.fault((*where, "role"), role, f"one of {', '.join(ROLES)}")
        primary = self._origin(where, fields, None)
        fallbacks = [self._fallback((*where, "fallback", number), value, primary) for number, value in enumerate(fields.get("fallback", []))]
        languages = self._languages((*where, "languages"), fields.get("languages", {}))
        encoding = self._encoding((*where, "encoding"), fields.get("encoding", ""))
        if len(self.faults) > before or primary is None:
            return None
        return Codebase(
            key=key,
            title=fields.get("title", "") or key,
            role=role,
            enabled=fields.get("enabled", True),
            origins=(primary, *(item for item in fallbacks if item is not None)),
            licence=fields.get("licence", ""),
            description=fields.get("description", ""),
            languages=MappingProxyType(languages),
            encoding=encoding,
        )

    def _fields(self, where: tuple[str | int, ...], table: Mapping[str, Any], known: Mapping[str, str]) -> dict[str, Any]:
        """Return the fields of the right type; unknown names and wrong types are faults."""
        kept = {}
        for name, value in table.items():
            if name not in known:
                near = difflib.get_close_matches(name, known, n=1, cutoff=0.5)
                self.fault((*where, name), None, f"did you mean {near[0]}?" if near else f"one of {', '.join(known)}")
            elif not _is_kind(value, known[name]):
                self.fault((*where, name), value, known[name])
            else:
                kept[name] = value
        return kept

    def _fallback(self, where: tuple[str | int, ...], table: object, primary: Origin | None) -> Origin | None:
        if not isinstance(table, dict):
            self.fault(where, table, "a table with source = …")
            return None
        return self._origin(where, self._fields(where, table, ORIGIN_FIELDS), primary)

    def _origin(self, where: tuple[str | int, ...], fields: Mapping[str, Any], primary: Origin | None) -> Origin | None:
        """Return the origin that ``fields`` describe; globs that a fallback does not give are the primary's."""
        source = fields.get("source")
        if source is None:
            self.fault((*where, "source"), None, SOURCE_FORMS)
            return None
        parsed = _parse_source(source)
        if isinstance(parsed, str):
            self.fault((*where, "source"), source, parsed)
            return None
        kind, location, version = parsed
        for name, kinds, pattern, expected in PINS:
            value = fields.get(name, "")
            if value and kind not in kinds:
                self.fault((*where, name), value, f"no {name}: it belongs to {' and '.join(kinds)} origins, this one is {kind}")
            elif value and not pattern.fullmatch(value):
                self.fault((*where, name), value, expected)
        if fields.get("commit") and fields.get("follow"):
            self.fault((*where, "follow"), fields["follow"], "either commit or follow, not both")
        return Origin(
            kind=kind,
            location=location,
            commit=fields.get("commit", ""),
            version=version or fields.get("version", ""),
            sha256=fields.get("sha256", ""),
            follow=fields.get("follow", ""),
            include=self._globs((*where, "include"), fields.get("include"), primary.include if primary else ()),
            exclude=self._globs((*where, "exclude"), fields.get("exclude"), primary.exclude if primary else ()),
        )

    def _globs(self, where: tuple[str | int, ...], value: list[str] | None, default: tuple[str, ...]) -> tuple[str, ...]:
        from legacylens_assets.sources.globs import is_glob

        if value is None:
            return default
        for glob in value:
            parts = glob.split("/")
            if not glob.strip("/") or ".." in parts or glob.startswith(("!", "#")) or "\\" in glob or "\n" in glob or not is_glob(glob):
                self.fault(where, glob, "globs over paths from the codebase's root, such as src, *.cbl or app/**/*.cpy")
        return tuple(glob.strip("/") for glob in value)

    def _languages(self, where: tuple[str | int, ...], value: Mapping[str, Any]) -> dict[str, str]:
        for glob, language in value.items():
            if language not in LANGUAGES:
                self.fault((*where, glob), language, f"one of {', '.join(LANGUAGES)}")
        return dict(value)

    def _encoding(self, where: tuple[str | int, ...], value: str) -> str:
        from legacylens_assets.sources.encodings import known_encoding

        try:
            return known_encoding(value) if value else ""
        except LookupError:
            self.fault(where, value, "an encoding that Python knows, such as cp037, cp1047, latin-1 or utf-8")
            return ""


STRING, BOOLEAN, STRINGS, TABLE, TABLES = "a string", "true or false", "a list of strings", "a table of strings", "[[…fallback]] tables"
ORIGIN_FIELDS = {"source": STRING, "commit": STRING, "follow": STRING, "version": STRING, "sha256": STRING, "include": STRINGS, "exclude": STRINGS}
CODEBASE_FIELDS = {
    "title": STRING,
    "description": STRING,
    "licence": STRING,
    "role": STRING,
    "enabled": BOOLEAN,
    "fallback": TABLES,
    "languages": TABLE,
    "encoding": STRING,
}
PINS = (
    ("commit", ("git",), COMMIT_PATTERN, "a full commit: 40 (or 64) lower-case hexadecimal digits"),
    ("follow", ("git",), BRANCH_PATTERN, "the name of a branch, such as main"),
    ("version", ("debian",), VERSIONS_PATTERN, 'an upstream version or range, such as "3.11" or ">=3.10,<4"'),
    ("sha256", ("pypi", "debian"), SHA256_PATTERN, "64 lower-case hexadecimal digits"),
)


def _parse_source(source: str) -> tuple[str, str, str] | str:
    """Return (kind, location, version) of a ``source`` string, or what was expected instead."""
    if source.startswith("pypi:"):
        found = PYPI_PATTERN.fullmatch(source[5:])
        return ("pypi", found.group(1), found.group(2)) if found else "pypi:NAME==VERSION, such as pypi:cobol-py==0.2.1"
    if source.startswith("debian:"):
        return (
            ("debian", source[7:], "")
            if DEBIAN_PATTERN.fullmatch(source[7:])
            else "debian:NAME with the name of a source package, such as debian:lapack"
        )
    if source.startswith("-") or not source.strip() or any(ord(char) < 32 for char in source):
        return SOURCE_FORMS
    if re.match(r"(https|http|file)://[^-]", source):
        return ("git", source, "")
    if source.startswith("path:"):
        return ("path", source[5:], "") if source[5:].strip() else "path:FOLDER"
    if ":" in source.split("/")[0]:
        return f"{SOURCE_FORMS} (git over ssh is not supported)" if "@" in source or source.startswith("ssh:") else SOURCE_FORMS
    if re.match(r"(www\.)?[\w-]+\.(com|org|net|io|dev)/", source):
        return f'{SOURCE_FORMS}; did you mean "https://{source}"?'
    return ("path", source, "")


def _is_kind(value: object, kind: str) -> bool:
    if kind == STRING:
        return isinstance(value, str)
    if kind == BOOLEAN:
        return isinstance(value, bool)
    if kind == TABLE:
        return isinstance(value, dict) and all(isinstance(item, str) for item in value.values())
    return isinstance(value, list) and (kind == TABLES or all(isinstance(item, str) for item in value))


def _shown(value: object) -> str:
    text = repr(value) if not isinstance(value, str) else f'"{value}"'
    return text if len(text) <= 80 else text[:77] + "…"
