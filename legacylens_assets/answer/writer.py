"""Checks sentences one by one and turns them into events; keeps what the final event needs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from legacylens_assets.answer.checks import Current, check
from legacylens_assets.answer.prose import code_of
from legacylens_assets.answer.records import REMOVED, VERIFIED, Citation, Draft, Event, Mark, Sentence, Source, with_marks

QUOTE_CHARS = 600


class AnswerWriter:
    """One attempt at an answer. An attempt that is given up is dropped whole: two models' text is never spliced."""

    def __init__(self, sources: Sequence[Source], current: Current) -> None:
        self._sources: Mapping[str, Source] = {source.id: source for source in sources}
        self._current = current
        self._numbers: dict[Mark, str] = {}
        self.sentences: list[Sentence] = []
        self.citations: list[Citation] = []

    def add(self, draft: Draft) -> Iterator[Event]:
        """Check one sentence; yield its text, its new citations and its status. A removed sentence gives its status only, never its text."""
        found = check(draft, self._sources, self._current)
        index = len(self.sentences)
        fresh: list[Citation] = []
        for mark in found.marks:
            if mark not in self._numbers:
                self._numbers[mark] = str(len(self._numbers) + 1)
                fresh.append(self._citation(mark, found.status))
        numbers = tuple(self._numbers[mark] for mark in found.marks)
        sentence = Sentence(draft.text if found.status != REMOVED else "", found.status, numbers, found.problems)
        self.sentences.append(sentence)
        self.citations += fresh
        if sentence.status != REMOVED:
            yield Event("token", {"sentence": index, "text": draft.text})
        for citation in fresh:
            yield Event("citation", citation.to_json())
        yield Event("sentence", {"index": index, "status": sentence.status, "citations": list(numbers), "problems": list(found.problems)})

    @property
    def shown(self) -> bool:
        """Return whether any text was sent."""
        return any(sentence.status != REMOVED for sentence in self.sentences)

    @property
    def answer(self) -> str:
        """Return the shown sentences with their citation numbers; those written as list items each on its own line."""
        parts = [with_marks(sentence.text, sentence.citations) for sentence in self.sentences if sentence.status != REMOVED]
        text = ""
        for part in parts:
            text += ("\n" if part.lstrip().startswith(("- ", "* ", "1. ")) or part[:2].rstrip(".").isdigit() else " ") * bool(text) + part
        return text

    def to_json(self) -> dict[str, Any]:
        """Return answer, sentences and citations as the final event has them."""
        return {
            "answer": self.answer,
            "sentences": [sentence.to_json() for sentence in self.sentences],
            "citations": [citation.to_json() for citation in self.citations],
        }

    def _citation(self, mark: Mark, status: str) -> Citation:
        source = self._sources[mark.source]
        lines = [code_of(line, source.language) for line in source.text(mark.start_line, mark.end_line)]
        quote = "\n".join(lines)[:QUOTE_CHARS]
        return Citation(
            self._numbers[mark], source.id, source.codebase, source.path, source.file_id, mark.start_line, mark.end_line,
            status if status == VERIFIED else "weak", quote,
        )  # fmt: skip
