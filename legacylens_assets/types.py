"""The records that travel between stages.

Lines are 1-based and inclusive, and are always lines of the file on disk, never of an expansion.
Paths are POSIX and relative to the codebase's root. Records are frozen: a stage returns new ones.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

EMPTY: Mapping[str, str] = MappingProxyType({})

LANGUAGES = ("cobol", "c", "fortran", "jcl", "pli", "rpg", "text")
"""The seven parsers. Neighbours (BMS, CL, REXX, assembler, DDL, markdown) are dialects of ``text``."""


@dataclass(frozen=True, slots=True)
class SourceFile:
    """One decoded file.

    ``lines`` hold no line ends; ``len(lines)`` is the number of lines on disk. Undecodable bytes were replaced one for one.
    """

    path: str
    language: str
    encoding: str
    lines: tuple[str, ...]
    sha256: str = ""
    dialect: str = ""


@dataclass(frozen=True, slots=True)
class Symbol:
    """A named unit of source.

    ``parent`` is the index, in the file's symbol list, of the enclosing symbol. ``unit`` says that chunking may cut here:
    data items below level 01, macros or declarations inside a routine are symbols but no units.
    """

    name: str
    kind: str
    start_line: int
    end_line: int
    parent: int | None = None
    unit: bool = True
    detail: Mapping[str, str] = field(default_factory=lambda: EMPTY)


@dataclass(frozen=True, slots=True)
class Reference:
    """Something a line of source names: a call, a copy, a dataset. Unresolved: ``target`` is as written, upper-cased where the language folds case.

    ``source`` is the index of the deepest symbol that holds the line, or None.
    """

    kind: str
    target: str
    line: int
    source: int | None = None
    detail: Mapping[str, str] = field(default_factory=lambda: EMPTY)


@dataclass(frozen=True, slots=True)
class Problem:
    """Something the parser could not make sense of: never an exception."""

    line: int
    code: str
    message: str
    end_line: int | None = None


BLANK, COMMENT, START, CONTINUED = ".", "*", "s", "+"
"""Line roles: blank, comment only, code where a statement starts (a chunk may begin here), code that continues one (it may not)."""


@dataclass(frozen=True, slots=True)
class ParsedFile:
    """What a parser returns for one file.

    ``roles`` holds one character for each line (BLANK, COMMENT, START, CONTINUED): chunking cuts only before a blank, comment or START line.
    ``form`` is the source form in the language's own words: fixed, free, variable, mixed...
    """

    language: str
    form: str
    symbols: tuple[Symbol, ...]
    references: tuple[Reference, ...]
    problems: tuple[Problem, ...]
    roles: str


@dataclass(frozen=True, slots=True)
class Chunk:
    """One retrievable unit: exact text of ``start_line..end_line`` of a file.

    ``chunk_id`` is uuid5(codebase, path, kind, qualified_name, ordinal, part): it survives line drift. ``text_sha`` is the content.
    ``program``, ``division`` and ``section`` are the enclosing names or "". ``part`` counts from 1 when a unit was split, else 0.
    """

    chunk_id: str
    text_sha: str
    codebase: str
    path: str
    language: str
    kind: str
    name: str
    qualified_name: str
    parent_id: str
    program: str
    division: str
    section: str
    start_line: int
    end_line: int
    part: int
    text: str
    comments: str
    calls: tuple[str, ...]
    performs: tuple[str, ...]
    copies: tuple[str, ...]
    datasets: tuple[str, ...]
    parse_status: str


@dataclass(frozen=True, slots=True)
class ChunkText:
    """What the encoders see of a chunk.

    ``sparse_text`` is header, descriptor and the whole text; ``dense_text`` is the designed view of at most the encoder's window
    (header, descriptor, leading code). ``text_sha`` hashes both and the header format: the reuse key of encoding.
    """

    chunk_id: str
    header: str
    descriptor: str
    sparse_text: str
    dense_text: str
    text_sha: str
    tokens_total: int
    tokens_seen: int


@dataclass(frozen=True, slots=True)
class Hit:
    """One search result. ``score`` is the score of the last stage that ranked it; ``legs`` gives rank and score for each leg."""

    rank: int
    chunk_id: str
    codebase: str
    path: str
    file_id: str
    language: str
    start_line: int
    end_line: int
    kind: str
    name: str
    score: float
    text: str
    legs: Mapping[str, Any]
    qualified_name: str = ""
    program: str = ""
    comments: str = ""


@dataclass(frozen=True, slots=True)
class Edge:
    """A resolved relation of the graph. ``certainty`` is exact, inferred or unresolved; path and line are those of the naming end."""

    kind: str
    source: str
    target: str
    certainty: str
    path: str
    line: int
    target_path: str = ""
    target_line: int = 0
    detail: Mapping[str, str] = field(default_factory=lambda: EMPTY)
