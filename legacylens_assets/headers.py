"""Chunk -> header-prefixed text: what the encoders see. The stored text and its lines stay exact.

A text has three parts: the *header* (`[FILE: …] [PROGRAM: …] [PARAGRAPH: …]`), the *descriptor* (the unit's purpose in words, drawn from names,
comments, documents and literals) and the code. Each source of the descriptor is a *lever* that a setting turns off, so that its worth is measured.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from legacylens_assets.context import Context, clean_comment
from legacylens_assets.identifiers import name_words
from legacylens_assets.idioms import idioms_of
from legacylens_assets.types import Chunk, ChunkText
from legacylens_assets.workspace import digest

HEADER_FORMAT = "5"
"""Part of every text's hash: raise it when headers or descriptors change their form."""

LEVERS = ("names", "comments", "file", "docs", "flow", "literals", "idioms", "leading_code")
"""Context levers, each on unless the setting ``levers`` names it."""

DENSE_CHARS = 800
"""Characters of the dense view, about 140 tokens: encoding time grows with it, and past the descriptor it is mostly code."""

LABELS: Mapping[str, str] = {
    "paragraph": "PARAGRAPH", "section": "SECTION", "program": "PROGRAM", "division": "DIVISION", "data_item": "DATA", "file": "FILE SECTION",
    "copy": "COPYBOOK", "step": "STEP", "job": "JOB", "proc": "PROC", "dd": "DD", "procedure": "PROCEDURE", "begin": "BLOCK", "package": "PACKAGE",
    "declaration": "DECLARATION", "function": "FUNCTION", "subroutine": "SUBROUTINE", "module": "MODULE", "submodule": "SUBMODULE",
    "block_data": "BLOCK DATA", "type": "TYPE", "interface": "INTERFACE", "struct": "STRUCT", "union": "UNION", "enum": "ENUM",
    "typedef": "TYPEDEF", "macro": "MACRO", "variable": "VARIABLE", "heading": "HEADING", "map": "MAP", "mapset": "MAPSET",
    "command": "COMMAND", "label": "LABEL", "table": "TABLE", "data_structure": "DATA STRUCTURE", "prototype": "PROTOTYPE",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class TextOptions:
    """Which levers are on."""

    off: frozenset[str] = frozenset()

    def on(self, lever: str) -> bool:
        """Return whether ``lever`` is on."""
        return lever not in self.off


def build_texts(chunks: Sequence[Chunk], context: Context, options: TextOptions = TextOptions()) -> list[ChunkText]:  # noqa: B008 - frozen
    """Return one text for each chunk, token counts still 0 (the encoder fills them in)."""
    parents = {chunk.chunk_id: chunk for chunk in chunks}
    return [_build(chunk, parents.get(chunk.parent_id), context, options) for chunk in chunks]


def header_of(chunk: Chunk) -> str:
    """Return the metadata header.

    `[FILE: app/cbl/CBACT01C.cbl] [PROGRAM: CBACT01C] [DIVISION: PROCEDURE] [PARAGRAPH: 1000-READ]`
    """
    parts = [("FILE", chunk.path)]
    if chunk.program and chunk.program != chunk.name:
        parts.append(("PROGRAM" if chunk.language in ("cobol", "pli", "rpg") else "IN", chunk.program))
    if chunk.division and chunk.kind != "division":
        parts.append(("DIVISION", chunk.division.removesuffix(" DIVISION")))
    if chunk.section and chunk.section != chunk.name:
        parts.append(("SECTION", chunk.section))
    label = LABELS.get(chunk.kind)
    if chunk.name:
        parts.append((label or "UNIT", chunk.name + (f" part {chunk.part}" if chunk.part else "")))
    return " ".join(f"[{key}: {value}]" for key, value in parts)


def _build(chunk: Chunk, parent: Chunk | None, context: Context, options: TextOptions) -> ChunkText:
    header = header_of(chunk)
    descriptor = describe(chunk, parent, context, options)
    code = strip_code(chunk)
    dense = "\n".join(part for part in (_dense_lead(chunk), descriptor, code if options.on("leading_code") else "") if part)[:DENSE_CHARS]
    sparse = f"{header}\n{descriptor}\n{code}"
    return ChunkText(chunk.chunk_id, header, descriptor, sparse, dense, digest(HEADER_FORMAT, sparse, dense), 0, 0)


def _dense_lead(chunk: Chunk) -> str:
    """Return the header as the dense encoder reads it best: plain words, most telling first."""
    stem = PurePosixPath(chunk.path).stem
    names = [name for name in dict.fromkeys((chunk.name, chunk.program, stem)) if name]
    return f"{chunk.language} {chunk.kind.replace('_', ' ')} {' in '.join(names)}"


def describe(chunk: Chunk, parent: Chunk | None, context: Context, options: TextOptions) -> str:
    """Return the unit's purpose in words, one source a line, most telling first; "" when nothing is known."""
    lines: list[str] = []
    document = chunk.language == "text"
    if options.on("names"):
        lines.append(name_words(chunk.name))
    own = [clean_comment(chunk.comments, 400)] if options.on("comments") else []
    if own and chunk.part > 1 and parent is not None:
        own.append(clean_comment(parent.comments, 200))
    if chunk.part <= 1:
        lines.extend(own)
    if options.on("docs") and not document:
        lines.extend(context.described(name) for name in (chunk.name, chunk.program, PurePosixPath(chunk.path).stem))
    if options.on("file"):
        lines.append(context.files.get(chunk.path, ""))
    if chunk.part > 1:
        lines.extend(own)
    if options.on("idioms"):
        lines.append(idioms_of(chunk))
    if options.on("flow"):
        lines.extend(context.described(name) for name in (*chunk.calls[:4], *chunk.copies[:3]))
    if options.on("literals"):
        lines.append(literal_words(chunk))
    return "\n".join(_distinct(lines))


_LITERAL = re.compile(r"'([^'\n]{6,90})'|\"([^\"\n]{6,90})\"")
_WORDS = re.compile(r"[A-Za-z]{2,}")


def literal_words(chunk: Chunk, limit: int = 240) -> str:
    """Return the chunk's message-like literals (two words or more), up to ``limit`` characters."""
    if chunk.language == "text":
        return ""
    found = []
    for match in _LITERAL.finditer(chunk.text):
        text = (match.group(1) or match.group(2)).strip()
        if len(_WORDS.findall(text)) >= 2:
            found.append(" ".join(text.split()))
    return "; ".join(dict.fromkeys(found))[:limit]


def strip_code(chunk: Chunk) -> str:
    """Return the code without columns 1-6 and 73-80 where the language has them and they hold no code."""
    if chunk.language not in ("cobol", "pli", "rpg"):
        return chunk.text
    lines = chunk.text.split("\n")
    if chunk.language == "cobol" and all(len(line) <= 6 or line[6] in " *-/Dd$" for line in lines):
        lines = [line[6:72] for line in lines]
    elif all(len(line) <= 72 or line[72:80].strip().isdigit() or not line[72:80].strip() for line in lines):
        lines = [line[:72] for line in lines]
    return "\n".join(line.rstrip() for line in lines)


def _distinct(lines: Iterable[str]) -> list[str]:
    """Return the lines that say something no earlier one said."""
    kept: list[str] = []
    for line in lines:
        text = line.strip()
        if text and not any(text in other for other in kept):
            kept.append(text)
    return kept
