"""Where the relevant places of a question are in the indexed generation; what cannot be found there is stale, never silently scored."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from legacylens_assets.tables import read_table
from legacylens_eval.question_sets import Question, Relevant


@dataclass(frozen=True, slots=True)
class Place:
    """A relevant place in the indexed text."""

    path: str
    start_line: int
    end_line: int


class Resolver:
    """Resolves the questions of one codebase against one generation's sidecar files."""

    def __init__(self, generation: Path) -> None:
        files = read_table(generation / "files.parquet", ["path", "sha256", "lines"]).to_pylist()
        self.files: dict[str, dict[str, Any]] = {row["path"]: row for row in files}
        self.symbols: dict[tuple[str, str], list[tuple[int, int]]] = {}
        for row in read_table(generation / "symbols.parquet", ["path", "name", "start_line", "end_line"]).to_pylist():
            self.symbols.setdefault((row["path"], row["name"].casefold()), []).append((row["start_line"], row["end_line"]))

    def places(self, question: Question) -> tuple[list[Place], str]:
        """Return the places, or [] and the reason why the question is stale."""
        found = []
        for item in question.relevant:
            place, reason = self._place(item)
            if place is None:
                return [], reason
            found.append(place)
        return found, ""

    def _place(self, item: Relevant) -> tuple[Place | None, str]:
        row = self.files.get(item.path)
        if row is None:
            return None, f"{item.path} is not in the index"
        in_file = 1 <= item.start_line <= item.end_line <= row["lines"]
        if in_file and item.file_sha and item.file_sha == row["sha256"]:
            return Place(item.path, item.start_line, item.end_line), ""
        spans = self.symbols.get((item.path, item.symbol.casefold()), []) if item.symbol else []
        if spans:
            start, end = _nearest(spans, item)
            return Place(item.path, start, end), ""
        if item.file_sha and item.file_sha != row["sha256"]:
            return None, f"{item.path} has changed and has no symbol {item.symbol!r}"
        if not item.start_line:
            return Place(item.path, 1, row["lines"]), ""
        if not in_file:
            return None, f"{item.path}:{item.start_line}-{item.end_line} lies outside the file's {row['lines']} lines"
        return Place(item.path, item.start_line, item.end_line), ""


def _nearest(spans: Sequence[tuple[int, int]], item: Relevant) -> tuple[int, int]:
    """Return the span nearest to the recorded start line (the first when none was recorded)."""
    return min(spans, key=lambda span: abs(span[0] - item.start_line)) if item.start_line else spans[0]
