"""parsed_chunks: files become chunks, symbols, references and problems. A file whose content and parser did not change is not parsed again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from legacylens_assets.chunking import CHUNKER_VERSION, Skip, chunk_file
from legacylens_assets.manifest import ManifestEntry, read_source
from legacylens_assets.parsers import PARSER_VERSIONS, parse
from legacylens_assets.pipeline.coverage import named_lines
from legacylens_assets.pipeline.report import Progress, StageReport, Stopwatch, silent
from legacylens_assets.registry import Codebase
from legacylens_assets.settings import Settings
from legacylens_assets.tables import from_table, read_table, to_table, write_table
from legacylens_assets.types import CONTINUED, START, Chunk, ParsedFile, Problem, Reference, Symbol
from legacylens_assets.workspace import Workspace, digest

if TYPE_CHECKING:
    import pyarrow as pa

TABLES: Mapping[str, type] = {"chunks": Chunk, "symbols": Symbol, "references": Reference, "problems": Problem, "skips": Skip}


@dataclass(frozen=True, slots=True)
class FileRow:
    """One parsed file: the reuse key and what coverage needs."""

    path: str
    key: str
    language: str
    dialect: str
    encoding: str
    sha256: str
    form: str
    lines: int
    code_lines: int
    named_lines: int
    skipped_lines: int
    problems: int
    status: str


def parse_key(entry: ManifestEntry) -> str:
    """Return the reuse key of one file's parse: content, language, encoding and the versions of parser and chunker."""
    return digest(entry.sha256, entry.language, entry.dialect, entry.encoding, PARSER_VERSIONS.get(entry.language, "1"), CHUNKER_VERSION)


def parse_stage(codebase: Codebase, settings: Settings, progress: Progress = silent) -> StageReport:
    """Parse and chunk every indexed file of the manifest; write files, chunks, symbols, references, problems and skips."""
    watch = Stopwatch()
    workspace = Workspace(settings.data, codebase.key)
    entries = [e for e in from_table(read_table(workspace.table("manifest")), ManifestEntry) if not e.skip_reason]
    wanted = {entry.path: parse_key(entry) for entry in entries}
    before = _known_files(workspace)
    fresh = {path for path, key in wanted.items() if before.get(path) and before[path].key == key}
    todo = [entry for entry in entries if entry.path not in fresh]
    gone = set(before) - set(wanted)
    if todo or gone or not workspace.table("chunks").exists():
        rows = _parse_files(codebase.key, workspace, todo, progress)
        _merge(workspace, fresh, before, rows)
    return _report(codebase.key, workspace, watch, len(todo), len(gone), _reasons(before, todo, gone))


def _known_files(workspace: Workspace) -> dict[str, FileRow]:
    path = workspace.table("files")
    if not path.exists() or not all(workspace.table(name).exists() for name in TABLES):
        return {}
    return {row.path: row for row in from_table(read_table(path), FileRow)}


def _parse_files(key: str, workspace: Workspace, todo: Sequence[ManifestEntry], progress: Progress) -> dict[str, list[Any]]:
    """Return new rows by table; symbols, references, problems and skips as (path, record)."""
    rows: dict[str, list[Any]] = {name: [] for name in ("files", *TABLES)}
    for done, entry in enumerate(todo):
        if done % 20 == 0:
            progress("parsed_chunks", done, len(todo))
        source = read_source(workspace.raw, entry)
        parsed = parse(source)
        chunks, skips = chunk_file(key, source, parsed)
        rows["chunks"].extend(chunks)
        rows["symbols"].extend((entry.path, record) for record in parsed.symbols)
        rows["references"].extend((entry.path, record) for record in parsed.references)
        rows["problems"].extend((entry.path, record) for record in parsed.problems)
        rows["skips"].extend((entry.path, record) for record in skips)
        rows["files"].append(_file_row(entry, parsed, chunks, skips))
    progress("parsed_chunks", len(todo), len(todo))
    return rows


def _file_row(entry: ManifestEntry, parsed: ParsedFile, chunks: Sequence[Chunk], skips: Sequence[Skip]) -> FileRow:
    code = sum(role in (START, CONTINUED) for role in parsed.roles)
    status = "lines" if any(c.parse_status == "lines" for c in chunks) else "recovered" if parsed.problems else "parsed"
    skipped = sum(skip.end_line - skip.start_line + 1 for skip in skips)
    return FileRow(
        entry.path, parse_key(entry), entry.language, entry.dialect, entry.encoding, entry.sha256, parsed.form, len(parsed.roles), code,
        named_lines(parsed), skipped, len(parsed.problems), status,
    )  # fmt: skip


def _merge(workspace: Workspace, fresh: set[str], before: Mapping[str, FileRow], rows: Mapping[str, list[Any]]) -> None:
    """Write each table as the kept rows of unchanged files plus the new rows, ordered by path."""
    import pyarrow as pa

    for name, kind in TABLES.items():
        if name == "chunks":
            new = to_table(rows[name], kind)
        else:
            new = to_table([r for _, r in rows[name]], kind, {"path": [p for p, _ in rows[name]]})
        kept = _kept(workspace, name, fresh, new)
        table = pa.concat_tables([kept, new]) if kept is not None else new
        write_table(_by_path(table), workspace.table(name))
    files = [before[path] for path in fresh] + rows["files"]
    write_table(to_table(sorted(files, key=lambda row: row.path), FileRow), workspace.table("files"))


def _kept(workspace: Workspace, name: str, fresh: set[str], like: pa.Table) -> pa.Table | None:
    import pyarrow as pa
    import pyarrow.compute as pc

    if not fresh:
        return None
    old = read_table(workspace.table(name))
    return old.filter(pc.is_in(old.column("path"), pa.array(sorted(fresh)))).cast(like.schema)


def _by_path(table: pa.Table) -> pa.Table:
    """Return the rows ordered by path, those of one path as they were."""
    import numpy as np

    if not table.num_rows:
        return table
    return table.take(np.argsort(np.asarray(table.column("path").to_pylist(), dtype=object), kind="stable"))


def _reasons(before: Mapping[str, FileRow], todo: Sequence[ManifestEntry], gone: set[str]) -> tuple[str, ...]:
    if not before:
        return ("first run",)
    reasons = set()
    for entry in todo:
        old = before.get(entry.path)
        reasons.add("new file" if old is None else "file content" if old.sha256 != entry.sha256 else "parser version")
    return tuple(sorted(reasons | ({"file removed"} if gone else set())))


def _report(key: str, workspace: Workspace, watch: Stopwatch, parsed: int, gone: int, reasons: tuple[str, ...]) -> StageReport:
    files = from_table(read_table(workspace.table("files")), FileRow)
    chunks = read_table(workspace.table("chunks"), ["chunk_id", "text_sha", "start_line"])
    version = digest(*(f"{row.path}:{row.key}" for row in files))
    problems = Counter(read_table(workspace.table("problems"), ["code"]).column("code").to_pylist())
    code = sum(row.code_lines for row in files)
    counts = {
        "files": len(files), "parsed_files": parsed, "reused_files": len(files) - parsed, "removed_files": gone, "chunks": chunks.num_rows,
        "lines": sum(row.lines for row in files), "code_lines": code, "named_lines": sum(row.named_lines for row in files),
        "skipped_lines": sum(row.skipped_lines for row in files), "problems": sum(problems.values()),
        "files_as_lines": sum(row.status == "lines" for row in files),
    }  # fmt: skip
    workspace.write_stamp("parsed_chunks", data_version=version, counts=counts)
    return StageReport(
        "parsed_chunks", key, watch.seconds, counts, reused=not parsed and not gone, invalidated_by=reasons, data_version=version,
        notes={"problems": dict(problems.most_common(10))},
    )  # fmt: skip
