"""One generation's graph, ready for questions: columns of arrays, edges grouped by either end. Loading builds no object for an edge."""

from __future__ import annotations

import difflib
import json
import threading
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from legacylens_assets.errors import IndexError_

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa

    from legacylens_assets.store.protocol import Reader

NEAREST = 5
UNSEARCHED = frozenset({"control statement", "cursor", "label"})
"""Kinds of nodes that a name means only when nothing else has it."""


class NoGraph(IndexError_):
    """The generation came without a graph."""

    code = "no_graph"


@dataclass(frozen=True, slots=True)
class Row:
    """One edge, taken out of the columns."""

    number: int
    kind: str
    source: int
    target: int
    certainty: str
    path: str
    line: int
    shown: str
    written: str
    detail: dict[str, str]


@dataclass
class GraphIndex:
    """Nodes and edges of one codebase. Node columns are lists by node number; ``surveys`` and ``places`` keep what was worked out once."""

    codebase: str
    generation: str
    folder: Path
    names: list[str] = field(default_factory=list)
    qualified: list[str] = field(default_factory=list)
    node_kinds: list[str] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    owners: list[int] = field(default_factory=list)
    languages: list[str] = field(default_factory=list)
    surveys: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    places: dict[str, int] = field(default_factory=dict)
    _wanted: dict[frozenset[str], set[int]] = field(default_factory=dict)

    @classmethod
    def load(cls, folder: Path, codebase: str, generation: str = "") -> GraphIndex:
        """Return the graph in ``folder`` (nodes.parquet, graph.parquet); raises NoGraph when it is not there."""
        from legacylens_assets.tables import read_table

        if not (folder / "nodes.parquet").exists() or not (folder / "graph.parquet").exists():
            raise NoGraph(f"{codebase}: generation {generation or folder.name} has no graph; run `legacylens reindex {codebase}`")
        nodes = read_table(folder / "nodes.parquet")
        columns = [nodes.column(name).to_pylist() for name in ("name", "qualified", "kind", "path", "line", "end_line", "owner", "language")]
        return cls(codebase, generation, folder, *columns)

    @cached_property
    def edges(self) -> pa.Table:
        """Return the edge table."""
        from legacylens_assets.tables import read_table

        return read_table(self.folder / "graph.parquet")

    @cached_property
    def _codes(self) -> tuple[list[str], np.ndarray]:
        import numpy as np

        coded = self.edges.column("kind").combine_chunks().dictionary_encode()
        return coded.dictionary.to_pylist(), np.asarray(coded.indices)

    @cached_property
    def _sure(self) -> tuple[list[str], np.ndarray]:
        import numpy as np

        coded = self.edges.column("certainty").combine_chunks().dictionary_encode()
        return coded.dictionary.to_pylist(), np.asarray(coded.indices)

    @cached_property
    def sources(self) -> np.ndarray:
        """Return the source node of every edge."""
        return _numbers(self.edges, "source_id")

    @cached_property
    def targets(self) -> np.ndarray:
        """Return the target node of every edge."""
        return _numbers(self.edges, "target_id")

    @cached_property
    def _out(self) -> tuple[np.ndarray, np.ndarray]:
        return _grouped(self.sources, len(self.names))

    @cached_property
    def _in(self) -> tuple[np.ndarray, np.ndarray]:
        return _grouped(self.targets, len(self.names))

    @cached_property
    def _held(self) -> tuple[np.ndarray, np.ndarray]:
        import numpy as np

        return _grouped(np.asarray(self.owners, dtype=np.int64), len(self.names))

    @cached_property
    def _by_name(self) -> dict[str, list[int]]:
        found: dict[str, list[int]] = {}
        for number, name in enumerate(self.names):
            found.setdefault(plain(name), []).append(number)
        return found

    @cached_property
    def _by_qualified(self) -> dict[str, list[int]]:
        found: dict[str, list[int]] = {}
        for number, name in enumerate(self.qualified):
            found.setdefault(plain(name), []).append(number)
        return found

    def kind_codes(self, kinds: Collection[str]) -> set[int]:
        """Return the codes of the kinds that occur."""
        key = frozenset(kinds)
        if key not in self._wanted:
            self._wanted[key] = {code for code, name in enumerate(self._codes[0]) if name in key}
        return self._wanted[key]

    def rows_in(self, node: int, kinds: Collection[str]) -> Iterator[Row]:
        """Yield the edges of these kinds that end in ``node``."""
        return (self.row(number) for number in self.numbers_in(node, kinds))

    def rows_out(self, node: int, kinds: Collection[str]) -> Iterator[Row]:
        """Yield the edges of these kinds that start in ``node``."""
        return (self.row(number) for number in self.numbers_out(node, kinds))

    @cached_property
    def _columns(self) -> tuple[list[str], np.ndarray, np.ndarray, pa.Array, pa.Array, pa.Array]:
        """Return distinct paths, each edge's path code and line, and its source, target and detail as written."""
        import numpy as np

        paths = self.edges.column("path").combine_chunks().dictionary_encode()
        texts = [self.edges.column(name).combine_chunks() for name in ("source", "target", "detail")]
        return paths.dictionary.to_pylist(), np.asarray(paths.indices), _numbers(self.edges, "line"), *texts

    def row(self, number: int) -> Row:
        """Return edge ``number``."""
        paths, codes, lines, sources, targets, details = self._columns
        detail = details[number].as_py()
        return Row(
            number, self._codes[0][self._codes[1][number]], int(self.sources[number]), int(self.targets[number]),
            self._sure[0][self._sure[1][number]], paths[codes[number]], int(lines[number]),
            sources[number].as_py(), targets[number].as_py(), json.loads(detail) if detail else {},
        )  # fmt: skip

    def kind_of(self, number: int) -> str:
        """Return the kind of edge ``number``."""
        names, codes = self._codes
        return names[int(codes[number])]

    def numbers_in(self, node: int, kinds: Collection[str]) -> list[int]:
        """Return the numbers of the edges of these kinds that end in ``node``."""
        return self._some(self._in, node, self.kind_codes(kinds))

    def numbers_out(self, node: int, kinds: Collection[str]) -> list[int]:
        """Return the numbers of the edges of these kinds that start in ``node``."""
        return self._some(self._out, node, self.kind_codes(kinds))

    def _some(self, grouped: tuple[np.ndarray, np.ndarray], node: int, codes: set[int]) -> list[int]:
        order, starts = grouped
        held: list[int] = order[starts[node] : starts[node + 1]].tolist()
        if not held:
            return held
        kinds = self._codes[1]
        return [number for number in held if kinds[number] in codes]

    def numbers(self, kinds: Collection[str]) -> np.ndarray:
        """Return the numbers of all edges of these kinds."""
        import numpy as np

        return np.flatnonzero(np.isin(self._codes[1], sorted(self.kind_codes(kinds))))

    def subtree(self, node: int) -> list[int]:
        """Return the node and what it holds, at any depth."""
        order, starts = self._held
        found, seen = [node], {node}
        for item in found:
            for held in order[starts[item] : starts[item + 1]].tolist():
                if held not in seen:
                    seen.add(held)
                    found.append(held)
        return found

    def count(self, certainty: str) -> np.ndarray:
        """Return the numbers of the edges with that certainty."""
        import numpy as np

        wanted = [code for code, name in enumerate(self._sure[0]) if name == certainty]
        return np.flatnonzero(np.isin(self._sure[1], wanted))

    def find(self, name: str) -> list[int]:
        """Return the nodes that ``name`` means; [] for none.

        Case, and hyphens for underscores, do not matter. A file is found with or without suffix, a unit by `PROGRAM.UNIT` too, a data item
        also as `ITEM OF GROUP`, a dataset or table by its last qualifiers.
        """
        for key in _spellings(name):
            found = self._by_name.get(key) or self._by_qualified.get(key)
            if found:
                return self._preferred(found)
        key = plain(name)
        members = [node for path, node in self._by_path if path == key or path.endswith("/" + key)] if "/" in key or "." in key else []
        return members or [node for other, node in self._by_tail if other.endswith("." + key)]

    @cached_property
    def _by_path(self) -> list[tuple[str, int]]:
        return [(plain(self.paths[n]), n) for n, kind in enumerate(self.node_kinds) if kind == "member"]

    @cached_property
    def _by_tail(self) -> list[tuple[str, int]]:
        return [(plain(self.names[n]), n) for n, kind in enumerate(self.node_kinds) if kind in ("dataset", "table")]

    def _preferred(self, found: Sequence[int]) -> list[int]:
        """Leave out a file whose program has the same name and a bare name where the thing itself is here."""
        real = [n for n in found if self.node_kinds[n] not in UNSEARCHED]
        found = real or found
        files = {self.paths[n] for n in found if self.node_kinds[n] != "member"}
        left = [n for n in found if not (self.node_kinds[n] == "member" and self.paths[n] in files)]
        return left or list(found)

    def nearest(self, name: str) -> list[str]:
        """Return names like ``name``, closest first."""
        close = difflib.get_close_matches(plain(name), list(self._by_name), NEAREST, 0.6)
        return [self.names[self._by_name[key][0]] for key in close]

    def describe(self, node: int) -> dict[str, Any]:
        """Return the node as JSON tells it."""
        said: dict[str, Any] = {"name": self.names[node], "kind": self.node_kinds[node], "codebase": self.codebase}
        if self.paths[node]:
            said |= {"path": self.paths[node], "line": self.lines[node], "end_line": self.ends[node]}
        owner = self.owners[node]
        return said | ({"in": self.names[owner]} if owner != node and self.node_kinds[owner] != "member" else {})


class Graphs:
    """The graphs of the snapshot being served; follows it. Safe to share between threads."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._lock = threading.Lock()
        self._held: dict[str, GraphIndex] = {}

    def of(self, codebase: str = "") -> list[GraphIndex]:
        """Return the graph of one codebase, or of all; raises NoIndex when there is none, NotIndexed for a codebase that is not in the index."""
        from legacylens_assets.retrieval.catalog import NotIndexed

        generations = self._reader.snapshot().generations
        if codebase and codebase not in generations:
            raise NotIndexed(f"codebase {codebase!r}: not in the index; expected one of {', '.join(sorted(generations)) or 'none yet'}")
        wanted = [codebase] if codebase else self._answering(generations)
        return [self._graph(key, generations[key]) for key in wanted]

    def _answering(self, generations: Collection[str]) -> list[str]:
        """Return the codebases that an unfiltered question goes to: samples only where nothing else is indexed."""
        real = [key for key in sorted(generations) if self._reader.info(key).extra.get("role") != "sample"]
        return real or sorted(generations)

    def _graph(self, key: str, generation: str) -> GraphIndex:
        with self._lock:
            held = self._held.get(key)
            if held is None or held.generation != generation:
                held = self._held[key] = GraphIndex.load(Path(self._reader.generation_dir(key)), key, generation)
            return held


def plain(name: str) -> str:
    """Return a name as lookups compare it.

    >>> plain("ws_Total")
    'WS-TOTAL'
    """
    return name.strip().upper().replace("_", "-")


def _spellings(name: str) -> list[str]:
    """Return the spellings to look up, the given one first.

    >>> _spellings("TRAN-AMT of TRAN-RECORD"), _spellings("CBTRN02C.cbl")
    (['TRAN-AMT OF TRAN-RECORD', 'TRAN-RECORD.TRAN-AMT', 'TRAN-AMT'], ['CBTRN02C.CBL', 'CBTRN02C'])
    """
    key = plain(name).strip("'\"`")
    found = [key]
    for word in (" OF ", " IN "):
        if word in key:
            item, _, group = key.partition(word)
            found += [f"{group.strip()}.{item.strip()}", item.strip()]
    last = key.rsplit("/", 1)[-1]
    stem, dot, suffix = last.partition(".")
    if dot and len(suffix) <= 8 and suffix.replace(".", "").isalpha():
        found.append(stem)
    if "(" in key:
        found.append(key.partition("(")[0].strip())
    return found


def _numbers(table: pa.Table, name: str) -> np.ndarray:
    import numpy as np

    return np.asarray(table.column(name).combine_chunks(), dtype=np.int64) if table.num_rows else np.zeros(0, dtype=np.int64)


def _grouped(keys: np.ndarray, size: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the positions ordered by key, and where each key's begin (size + 1 numbers)."""
    import numpy as np

    order = np.argsort(keys, kind="stable")
    return order, np.searchsorted(keys[order], np.arange(size + 1))
