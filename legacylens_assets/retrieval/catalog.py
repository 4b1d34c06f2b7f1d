"""What the current generation of each codebase holds besides vectors: files with their indexed text, symbols, chunks, graph edges.

The pipeline hands these Parquet files over when it publishes, so that text, symbols and vectors are always of one generation. A catalog follows the
snapshot: when a codebase is published anew, the next question sees the new files. Nothing is read before it is asked for.
"""

from __future__ import annotations

import bisect
import threading
from collections import OrderedDict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from legacylens_assets.errors import GenerationGone, UsageError
from legacylens_assets.retrieval.names import NameIndex, SymbolRow
from legacylens_assets.store.protocol import Reader
from legacylens_assets.types import Edge

if TYPE_CHECKING:
    import pyarrow as pa

CACHED_FILES = 256


class NotIndexed(UsageError):
    """A codebase or file was asked for that the current generations do not hold."""

    code = "not_found"


@dataclass(frozen=True, slots=True)
class IndexedFile:
    """One file as it was indexed. ``lines`` hold no line ends; line 1 is ``lines[0]``."""

    codebase: str
    file_id: str
    path: str
    language: str
    encoding: str
    sha256: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ChunkRow:
    """Where a chunk lies: what turns a symbol into the chunk that defines it."""

    chunk_id: str
    path: str
    start_line: int
    end_line: int
    kind: str
    name: str


@dataclass(slots=True)
class GenerationCatalog:
    """The sidecar files of one generation, each read on first use. Safe to share between threads."""

    codebase: str
    generation: str
    folder: Path
    role: str
    _lock: threading.RLock = field(default_factory=threading.RLock)
    _files: dict[str, tuple[int, dict[str, Any]]] | None = None
    _by_path: dict[str, str] = field(default_factory=dict)
    _texts: OrderedDict[str, tuple[str, ...]] = field(default_factory=OrderedDict)
    _names: NameIndex | None = None
    _chunks: dict[str, list[ChunkRow]] | None = None
    _edges: pa.Table | None = None
    _spans: dict[str, list[tuple[int, int]]] | None = None

    def files(self) -> list[dict[str, Any]]:
        """Return one record a file, by path: file_id, path, language, encoding, sha256."""
        return [record for _, record in self._load_files().values()]

    def file_id(self, path: str) -> str:
        """Return the id of the file at ``path``, "" when the generation has none."""
        self._load_files()
        return self._by_path.get(path, "")

    def file(self, file_id: str) -> IndexedFile:
        """Return a file with its indexed text; raises NotIndexed when the generation has no such file."""
        with self._lock:
            found = self._load_files().get(file_id)
            if found is None:
                raise NotIndexed(
                    f"file {file_id!r} of {self.codebase}: not in generation {self.generation}; search again, files get new ids when they move"
                )
            row, record = found
            if file_id not in self._texts:
                self._texts[file_id] = self._read_lines(row)
                while len(self._texts) > CACHED_FILES:
                    self._texts.popitem(last=False)
            self._texts.move_to_end(file_id)
            return IndexedFile(self.codebase, lines=self._texts[file_id], **record)

    def file_at(self, path: str) -> IndexedFile | None:
        """Return the file at ``path`` with its text, None when the generation has none."""
        file_id = self.file_id(path)
        return self.file(file_id) if file_id else None

    def names(self) -> NameIndex:
        """Return the index over symbol names and file stems."""
        with self._lock:
            if self._names is None:
                self._names = NameIndex(self._symbols(), [record["path"] for record in self.files()], self.codebase)
            return self._names

    def chunks_at(self, path: str, line: int) -> list[ChunkRow]:
        """Return the chunks of ``path`` that hold ``line``, the narrowest first; [] when the generation has no chunk table."""
        with self._lock:
            if self._chunks is None:
                self._chunks = self._load_chunks()
        rows = self._chunks.get(path, [])
        end = bisect.bisect_right(rows, line, key=lambda row: row.start_line)
        return sorted((row for row in rows[:end] if row.end_line >= line), key=lambda row: (row.end_line - row.start_line, row.chunk_id))

    def chunks_of(self, path: str) -> list[ChunkRow]:
        """Return the chunks of ``path`` by line; [] when the generation has no chunk table."""
        with self._lock:
            if self._chunks is None:
                self._chunks = self._load_chunks()
        return self._chunks.get(path, [])

    def parent_span(self, path: str, start: int, end: int, most: int) -> tuple[int, int] | None:
        """Return the lines of the smallest unit of ``path`` that holds ``start..end`` and more, None when none of at most ``most`` lines does."""
        with self._lock:
            if self._spans is None:
                self._spans = {}
                for row in self._symbols():
                    if row.unit:
                        self._spans.setdefault(row.path, []).append((row.start_line, row.end_line))
        held = [span for span in self._spans.get(path, []) if span[0] <= start and end <= span[1] and span != (start, end)]
        wide = [span for span in held if span[1] - span[0] < most]
        return min(wide, key=lambda span: (span[1] - span[0], span)) if wide else None

    @property
    def has_chunks(self) -> bool:
        """Return whether the generation came with a chunk table."""
        return (self.folder / "chunks.parquet").exists()

    @property
    def has_graph(self) -> bool:
        """Return whether the generation came with a resolved graph."""
        return (self.folder / "graph.parquet").exists()

    def edges(
        self, kinds: Collection[str], *, targets: Collection[str] = (), sources: Collection[str] = (), paths: Collection[str] = ()
    ) -> list[Edge]:
        """Return the edges of these kinds, narrowed to those that name a target (or may hold it), come from a source, or lie in a path.

        Names compare without case; what is left empty does not narrow. By path, line and target; [] when the generation has no graph.
        """
        import pyarrow as pa
        import pyarrow.compute as pc

        from legacylens_assets.tables import from_table

        table = self._edge_table()
        if table is None:
            return []
        keep = pc.is_in(table["kind"], pa.array(sorted(kinds)))
        if targets:
            names = sorted({name.upper() for name in targets})
            named = pc.is_in(pc.utf8_upper(table["target"]), pa.array(names))
            valued = pc.match_substring(table["detail"], '"values"')
            for name in names:
                named = pc.or_(named, pc.and_(valued, pc.match_substring(pc.utf8_upper(table["detail"]), name)))
            keep = pc.and_(keep, named)
        if sources:
            keep = pc.and_(keep, pc.is_in(pc.utf8_upper(table["source"]), pa.array(sorted({name.upper() for name in sources}))))
        if paths:
            keep = pc.and_(keep, pc.is_in(table["path"], pa.array(sorted(paths))))
        return sorted(from_table(table.filter(keep), Edge), key=lambda edge: (edge.path, edge.line, edge.target, edge.source))

    def _edge_table(self) -> pa.Table | None:
        from legacylens_assets.tables import read_table

        with self._lock:
            if self._edges is None and self.has_graph:
                self._edges = read_table(self.folder / "graph.parquet")
            return self._edges

    def _load_files(self) -> dict[str, tuple[int, dict[str, Any]]]:
        from legacylens_assets.tables import read_table

        with self._lock:
            if self._files is None:
                path = self.folder / "files.parquet"
                wanted = ("file_id", "path", "language", "encoding", "sha256")
                rows = read_table(path, wanted).to_pylist() if path.exists() else []
                self._files = {row["file_id"]: (number, row) for number, row in enumerate(rows)}
                self._by_path = {row["path"]: row["file_id"] for row in rows}
            return self._files

    def _read_lines(self, row: int) -> tuple[str, ...]:
        """Return the lines of the file in row ``row`` of the files table, reading only its row group."""
        import pyarrow.parquet as pq

        path = self.folder / "files.parquet"
        if not path.exists():
            raise GenerationGone(f"generation {self.generation} of {self.codebase}: was collected while it was read; ask again")
        with pq.ParquetFile(path) as handle:
            for group in range(handle.num_row_groups):
                size = handle.metadata.row_group(group).num_rows
                if row < size:
                    found = handle.read_row_group(group, columns=["lines", "text"]).slice(row, 1).to_pylist()[0]
                    return tuple(found["text"].split("\n")) if found["lines"] else ()
                row -= size
        raise NotIndexed(f"file row {row} of {self.codebase}: missing in generation {self.generation}; reindex {self.codebase}")

    def _symbols(self) -> Sequence[SymbolRow]:
        from legacylens_assets.tables import read_table

        path = self.folder / "symbols.parquet"
        if not path.exists():
            return []
        columns = read_table(path, ("path", "name", "kind", "start_line", "end_line", "unit")).to_pydict()
        return [SymbolRow(*row) for row in zip(*columns.values(), strict=True)]

    def _load_chunks(self) -> dict[str, list[ChunkRow]]:
        from legacylens_assets.tables import read_table

        if not self.has_chunks:
            return {}
        columns = read_table(self.folder / "chunks.parquet", ("chunk_id", "path", "start_line", "end_line", "kind", "name")).to_pydict()
        found: dict[str, list[ChunkRow]] = {}
        for row in zip(*columns.values(), strict=True):
            found.setdefault(row[1], []).append(ChunkRow(*row))
        for rows in found.values():
            rows.sort(key=lambda chunk: (chunk.start_line, chunk.end_line, chunk.chunk_id))
        return found


class Catalog:
    """The current generation of every codebase; follows the snapshot."""

    def __init__(self, source: Reader) -> None:
        self._source = source
        self._lock = threading.Lock()
        self._loaded: dict[str, GenerationCatalog] = {}

    def codebases(self) -> Mapping[str, str]:
        """Return codebase -> generation; raises NoIndex when nothing is published."""
        return self._source.snapshot().generations

    def generation(self, codebase: str) -> GenerationCatalog:
        """Return the current generation of ``codebase``; raises NotIndexed when it is not indexed."""
        generations = self.codebases()
        if codebase not in generations:
            raise NotIndexed(f"codebase {codebase!r}: not in the index; expected one of {', '.join(sorted(generations)) or 'none yet'}")
        with self._lock:
            held = self._loaded.get(codebase)
            if held is None or held.generation != generations[codebase]:
                held = GenerationCatalog(codebase, generations[codebase], Path(self._source.generation_dir(codebase)), self.role(codebase))
                self._loaded[codebase] = held
            return held

    def role(self, codebase: str) -> str:
        """Return the codebase's role in the registry when it was indexed: "" or "sample"."""
        return str(self._source.info(codebase).extra.get("role", ""))
