"""From an identifier of the question to the chunks that define it: these come first."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from legacylens_assets.retrieval.catalog import Catalog
from legacylens_assets.retrieval.names import Definition, key_of
from legacylens_assets.retrieval.normalise import Mention, Normalised
from legacylens_assets.store.protocol import Filter, Reader, Scored

MOST_PINNED = 4
"""Most chunks that one identifier puts first, over all codebases."""


def defining_chunks(normalised: Normalised, where: Filter, catalog: Catalog, reader: Reader, candidates: Iterable[Scored]) -> list[Scored]:
    """Return the chunks that define the question's identifiers, best first, scored above 1.

    An identifier that is sure, or any in a question that is little else, pins its primary definitions; data items and the like are pinned only in a
    question that is little else. A generation without a chunk table is served from the ``candidates`` of the legs.
    """
    pool: dict[tuple[str, str], list[Scored]] = {}
    for item in candidates:
        pool.setdefault((str(item.payload["codebase"]), str(item.payload["path"])), []).append(item)
    order = {item.chunk_id: number for number, item in enumerate(item for found in pool.values() for item in found)}
    pinned: dict[str, Scored] = {}
    for mention in normalised.known:
        wanted = [item for item in mention.definitions if mention.sure and (normalised.bare or item.primary)]
        found: dict[str, Scored] = {}
        for definition in wanted:
            chunk = _chunk_of(definition, catalog, reader, pool)
            if chunk is not None and _admitted(chunk, where):
                found.setdefault(chunk.chunk_id, chunk)
        ranked = sorted(found.values(), key=lambda chunk: (_closeness(chunk, mention), order.get(chunk.chunk_id, len(order)), chunk.chunk_id))
        for chunk in _fair(ranked):
            pinned.setdefault(chunk.chunk_id, chunk)
    count = len(pinned)
    return [Scored(item.chunk_id, round(2.0 - number / (count + 1), 6), item.payload) for number, item in enumerate(pinned.values())]


def _chunk_of(definition: Definition, catalog: Catalog, reader: Reader, pool: dict[tuple[str, str], list[Scored]]) -> Scored | None:
    """Return the chunk that holds the first line of a definition."""
    symbol = definition.symbol
    generation = catalog.generation(definition.codebase)
    if generation.has_chunks:
        rows = generation.chunks_at(symbol.path, symbol.start_line)
        named = [row for row in rows if key_of(row.name) == key_of(symbol.name)] or rows
        found = reader.retrieve([named[0].chunk_id], definition.codebase) if named else []
        return found[0] if found else None
    near = [
        item
        for item in pool.get((definition.codebase, symbol.path), [])
        if item.payload["start_line"] <= symbol.start_line <= item.payload["end_line"]
    ]
    return min(near, key=lambda item: (item.payload["end_line"] - item.payload["start_line"], item.chunk_id), default=None)


def _closeness(chunk: Scored, mention: Mention) -> tuple[int, int]:
    """Return how well a chunk's own name fits: by name first, then by the name of its file or program."""
    key = key_of(mention.name)
    names = [key_of(str(chunk.payload.get(field, ""))) for field in ("name", "program")]
    exact = 0 if names[0] == key else 1 if names[1] == key else 2
    return exact, 0 if chunk.payload["language"] != "text" else 1


def _fair(ranked: Sequence[Scored]) -> list[Scored]:
    """Return the first few, each codebase's best before any codebase's second."""
    rounds: dict[str, int] = {}
    placed = []
    for position, chunk in enumerate(ranked):
        codebase = str(chunk.payload["codebase"])
        placed.append((rounds.get(codebase, 0), position, chunk))
        rounds[codebase] = rounds.get(codebase, 0) + 1
    return [chunk for _, _, chunk in sorted(placed, key=lambda entry: entry[:2])][:MOST_PINNED]


def _admitted(chunk: Scored, where: Filter) -> bool:
    language = chunk.payload["language"]
    return (not where.languages or language in where.languages) and language not in where.not_languages
