"""Looking at single files and at the state of the index: what `legacylens parse` and `status` print."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

from legacylens_assets.chunking import chunk_file
from legacylens_assets.errors import NoIndex, UsageError
from legacylens_assets.parsers import PARSERS, parse
from legacylens_assets.registry import Registry
from legacylens_assets.settings import Settings
from legacylens_assets.sources.detect import detect
from legacylens_assets.sources.encodings import decode
from legacylens_assets.types import ParsedFile, SourceFile


def parse_path(path: Path, language: str = "") -> dict[str, Any]:
    """Return the parse contract's object for one file: path as given, language, encoding, form, symbols, chunks, problems.

    A file that is no text has no lines, no encoding and a skip_reason. Raises UsageError when the file cannot be read or the language is unknown.
    """
    if language and language not in PARSERS:
        raise UsageError(f"language {language!r}: expected one of {', '.join(PARSERS)}")
    try:
        data = path.read_bytes()
    except OSError as error:
        raise UsageError(f"{path}: cannot be read: {error.strerror}; give a readable file or folder") from error
    found = detect(str(path), data, language or None)
    lines = decode(data, found.encoding) if found.encoding else ()
    source = SourceFile(path.as_posix(), found.language, found.encoding, lines, hashlib.sha256(data).hexdigest(), found.dialect)
    parsed = parse(source)
    chunks, skips = chunk_file("", source, parsed)
    return {
        "path": str(path),
        "language": found.language,
        "dialect": found.dialect,
        "encoding": found.encoding,
        "form": parsed.form,
        "lines": len(lines),
        "skip_reason": found.skip_reason or None,
        "symbols": _symbols(parsed),
        "chunks": [{"start_line": c.start_line, "end_line": c.end_line, "kind": c.kind, "name": c.name} for c in chunks],
        "skips": [{"start_line": s.start_line, "end_line": s.end_line, "reason": s.reason} for s in skips],
        "problems": [{"line": p.line, "code": p.code, "message": p.message} for p in parsed.problems],
    }


def _symbols(parsed: ParsedFile) -> list[dict[str, Any]]:
    found = []
    for symbol in parsed.symbols:
        parent = parsed.symbols[symbol.parent].name if symbol.parent is not None else None
        row = {"name": symbol.name, "kind": symbol.kind, "start_line": symbol.start_line, "end_line": symbol.end_line, "parent": parent}
        found.append(row | ({"detail": dict(symbol.detail)} if symbol.detail else {}))
    return found


def status(settings: Settings, registry: Registry) -> dict[str, Any]:
    """Return the state of every codebase of the registry: what is served, from which origin and version, since when."""
    from legacylens_assets.store import open_reader
    from legacylens_assets.workspace import Workspace

    reader = open_reader(settings)
    try:
        snapshot = reader.snapshot()
        generation, served = snapshot.id, dict(snapshot.generations)
    except NoIndex:
        generation, served = "", {}
    rows = []
    for codebase in registry.codebases.values():
        info = reader.info(codebase.key) if codebase.key in served else None
        stamp = Workspace(settings.data, codebase.key).stamp("raw_repo")
        state = "indexed" if info else "fetched" if stamp else "not indexed" if codebase.enabled else "off"
        rows.append(
            {
                "key": codebase.key, "title": codebase.title, "role": codebase.role, "enabled": codebase.enabled, "state": state,
                "points": info.points if info else 0, "generation": served.get(codebase.key), "built_at": info.built_at if info else None,
                "version": (info.extra.get("version") if info else stamp.get("version")), "origin": stamp.get("origin"),
            }
        )  # fmt: skip
    return {"generation": generation, "profile": settings.profile, "codebases": rows}
