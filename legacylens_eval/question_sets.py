"""Question files: JSONL, one question a line, unknown fields kept."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from legacylens_assets.errors import QuestionError

SHIPPED = Path(__file__).parent / "questions"


@dataclass(frozen=True, slots=True)
class Relevant:
    """One place that answers a question. Lines are those of the file whose hash is ``file_sha`` ("" when not recorded)."""

    path: str
    symbol: str = ""
    start_line: int = 0
    end_line: int = 0
    file_sha: str = ""


@dataclass(frozen=True, slots=True)
class Question:
    """One question of a set."""

    id: str
    codebase: str
    question: str
    relevant: tuple[Relevant, ...]
    kind: str = ""
    answerable: bool = True
    commit: str = ""
    extra: Mapping[str, Any] = field(default_factory=dict)

    @property
    def split(self) -> str:
        """Return dev or test: as recorded, else by the hash of the id (even is dev).

        >>> Question("a", "samples", "?", ()).split
        'test'
        """
        recorded = self.extra.get("split")
        if recorded in ("dev", "test"):
            return str(recorded)
        return "test" if int(hashlib.sha256(self.id.encode()).hexdigest(), 16) % 2 else "dev"


def load_questions(paths: Iterable[Path]) -> list[Question]:
    """Return the questions of JSONL files in order.

    Raises QuestionError naming file, line and what was expected for a line that is no question or repeats an id.
    """
    found: dict[str, Question] = {}
    for path in paths:
        try:
            text = path.read_text(encoding="utf-8")
        except OSError as error:
            raise QuestionError(f"{path}: cannot be read: {error.strerror}; give a JSONL file of questions") from error
        for number, line in enumerate(text.split("\n"), 1):
            if line.strip():
                question = parse_question(line, f"{path}:{number}")
                if question.id in found:
                    raise QuestionError(f"{path}:{number}: id {question.id!r} is used twice; give every question its own id")
                found[question.id] = question
    return list(found.values())


def shipped_questions() -> list[Question]:
    """Return every question that comes with LegacyLens."""
    return load_questions(sorted(SHIPPED.glob("*.jsonl")))


def parse_question(line: str, where: str) -> Question:
    """Return the question on one line; raises QuestionError naming ``where``."""
    try:
        raw = json.loads(line)
    except ValueError as error:
        raise QuestionError(f"{where}: not JSON: {error}") from error
    if not isinstance(raw, dict):
        raise QuestionError(f"{where}: expected an object, found {type(raw).__name__}")
    for name in ("id", "codebase", "question"):
        if not isinstance(raw.get(name), str) or not raw[name].strip():
            raise QuestionError(f"{where}: field {name!r} is {raw.get(name)!r}; expected a text that is not empty")
    answerable = raw.get("answerable", True)
    relevant = tuple(_relevant(item, where) for item in raw.get("relevant") or ())
    if not isinstance(answerable, bool):
        raise QuestionError(f"{where}: field 'answerable' is {answerable!r}; expected true or false")
    if answerable and not relevant:
        raise QuestionError(f"{where}: an answerable question needs at least one relevant place")
    known = {"id", "codebase", "question", "relevant", "kind", "answerable", "commit"}
    extra = {name: value for name, value in raw.items() if name not in known}
    return Question(raw["id"], raw["codebase"], raw["question"], relevant, str(raw.get("kind", "")), answerable, str(raw.get("commit") or ""), extra)


def _relevant(raw: Any, where: str) -> Relevant:  # noqa: ANN401 - untrusted JSON
    if not isinstance(raw, dict) or not isinstance(raw.get("path"), str):
        raise QuestionError(f"{where}: a relevant place is {raw!r}; expected an object with path, symbol, start_line, end_line")
    lines = [raw.get("start_line") or 0, raw.get("end_line") or 0]
    if not all(isinstance(n, int) and n >= 0 for n in lines):
        raise QuestionError(f"{where}: lines {lines} of {raw['path']!r}; expected whole numbers from 1")
    return Relevant(raw["path"], str(raw.get("symbol") or ""), lines[0], lines[1] or lines[0], str(raw.get("file_sha") or ""))
