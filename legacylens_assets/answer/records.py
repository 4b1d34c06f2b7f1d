"""What an answer is made of: sources that may be cited, citations, sentences, and the events that carry them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

VERIFIED, WEAK, REMOVED = "verified", "weak", "removed"
"""Status of a sentence: every identifier, number and quote stands in the cited lines; cited, but some identifier does not; not shown."""


@dataclass(frozen=True, slots=True)
class Source:
    """A range of an indexed file that may be cited: exactly the lines that a model is sent. ``id`` is opaque ("S1"); lines are those of the file.

    ``unit_start..unit_end`` are the lines of the unit itself, where the range was widened around it.
    """

    id: str
    codebase: str
    path: str
    file_id: str
    sha256: str
    language: str
    start_line: int
    end_line: int
    kind: str
    name: str
    program: str
    lines: tuple[str, ...]
    chunk_id: str = ""
    score: float = 0.0
    why: str = "hit"
    unit_start: int = 0
    unit_end: int = 0

    def text(self, start: int, end: int) -> tuple[str, ...]:
        """Return lines ``start..end`` of the file; both must lie inside the source."""
        return self.lines[start - self.start_line : end - self.start_line + 1]

    def to_json(self) -> dict[str, Any]:
        """Return the source as the `sources` event has it."""
        return {
            "id": self.id,
            "codebase": self.codebase,
            "path": self.path,
            "file_id": self.file_id,
            "language": self.language,
            "start_line": self.start_line,
            "end_line": self.end_line,
            "kind": self.kind,
            "name": self.name,
            "chunk_id": self.chunk_id,
            "score": self.score,
            "why": self.why,
            "url": source_url(self.codebase, self.file_id, self.start_line, self.end_line),
        }


@dataclass(frozen=True, slots=True)
class Mark:
    """A citation as written: a source id and the lines meant."""

    source: str
    start_line: int
    end_line: int


@dataclass(frozen=True, slots=True)
class Draft:
    """A sentence before it was checked."""

    text: str
    marks: tuple[Mark, ...]


@dataclass(frozen=True, slots=True)
class Citation:
    """A checked citation, numbered in the order of the answer."""

    id: str
    source: str
    codebase: str
    path: str
    file_id: str
    start_line: int
    end_line: int
    status: str
    quote: str

    def to_json(self) -> dict[str, Any]:
        """Return the citation as events have it."""
        return {
            "id": self.id,
            "source": self.source,
            "codebase": self.codebase,
            "path": self.path,
            "file_id": self.file_id,
            "start_line": self.start_line,
            "end_line": self.end_line,
            "status": self.status,
            "quote": self.quote,
            "url": source_url(self.codebase, self.file_id, self.start_line, self.end_line),
        }


@dataclass(frozen=True, slots=True)
class Sentence:
    """A checked sentence; ``problems`` says what its cited lines do not hold."""

    text: str
    status: str
    citations: tuple[str, ...]
    problems: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Return the sentence as the final event has it."""
        return {"text": self.text, "status": self.status, "citations": list(self.citations), "problems": list(self.problems)}


@dataclass(frozen=True, slots=True)
class GraphAnswer:
    """A list from the graph: sentences, the sources they cite, how many edges there are, and the line that heads the list."""

    sources: tuple[Source, ...]
    drafts: tuple[Draft, ...]
    total: int
    complete: bool = True
    lead: str = ""


@dataclass(frozen=True, slots=True)
class Event:
    """One event of an answer's stream."""

    name: str
    data: Mapping[str, Any] = field(default_factory=dict)


def source_url(codebase: str, file_id: str, start: int, end: int) -> str:
    """Return where the indexed lines are served, relative to the API."""
    return f"/source/{codebase}/{file_id}?start={start}&end={end}"


def with_marks(text: str, citations: tuple[str, ...]) -> str:
    """Return a sentence with its citation numbers.

    >>> with_marks("It adds the fee.", ("1", "2"))
    'It adds the fee. [1][2]'
    """
    return text + (" " if citations else "") + "".join(f"[{number}]" for number in citations)
