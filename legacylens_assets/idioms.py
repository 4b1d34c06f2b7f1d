"""What every insider knows, as sentences: rules that turn a status code, a service's name, a verb or a naming scheme into plain words.

`idioms_of` reads a chunk's code and gives the sentences of the rules that apply; they join the chunk's descriptor. The rules state general
knowledge of a language or product (`vocabulary/idioms.tsv`); none knows a codebase.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from importlib import resources

from legacylens_assets.routine_names import routine_words
from legacylens_assets.types import Chunk

IDIOM_CHARS = 420
"""Characters of sentences for one chunk: the first rules of the table win."""


@dataclass(frozen=True, slots=True)
class Idiom:
    """One rule: languages it holds for, what to look for in the code, and what that means."""

    languages: frozenset[str]
    pattern: re.Pattern[str]
    meaning: str


def idioms_of(chunk: Chunk) -> str:
    """Return the meanings of what the chunk's code uses, in the order of the table; "" when no rule applies."""
    found = [routine_words(chunk.name)] if chunk.language == "fortran" else []
    if chunk.language != "text":
        found += [idiom.meaning for idiom in idioms() if chunk.language in idiom.languages and idiom.pattern.search(chunk.text)]
    return "; ".join(words for words in dict.fromkeys(found) if words)[:IDIOM_CHARS]


@cache
def idioms() -> tuple[Idiom, ...]:
    """Return the rules of the table. Raises ValueError when a row has not three columns."""
    text = resources.files("legacylens_assets").joinpath("vocabulary/idioms.tsv").read_text(encoding="utf-8")
    rows = []
    for line in text.splitlines():
        if line and not line.startswith("#"):
            languages, pattern, meaning = line.split("\t")
            rows.append(Idiom(frozenset(languages.split(",")), re.compile(pattern, re.IGNORECASE), meaning))
    return tuple(rows)
