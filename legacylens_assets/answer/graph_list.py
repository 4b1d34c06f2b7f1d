"""List questions answered from the resolved graph: one cited sentence for each edge, complete, with its count. No model is asked.

This is the seam to the graph: `Answerer(graph_answer=…)` takes any function of this shape.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from legacylens_assets.answer.prose import code_of
from legacylens_assets.answer.records import Draft, GraphAnswer, Mark, Source
from legacylens_assets.answer.router import Route
from legacylens_assets.graph.index import GraphIndex, NoGraph
from legacylens_assets.graph.queries import LISTS, accesses
from legacylens_assets.retrieval.catalog import Catalog
from legacylens_assets.retrieval.normalise import Mention
from legacylens_assets.retrieval.retriever import SearchResult

MOST_LISTED = 200
OPEN_GRAPHS = 16
RELATIONS: Mapping[str, tuple[str, str]] = {
    "callers": ("use", "of `{name}`"),
    "callees": ("call", "made by `{name}`"),
    "copies": ("place", "copying or including `{name}`"),
    "jobs": ("job step", "running `{name}`"),
    "readers": ("place", "reading `{name}`"),
    "writers": ("place", "writing `{name}`"),
    "setters": ("place", "setting `{name}`"),
}
"""What each relation looks for: the words that head the list."""

EdgeList = list[dict[str, Any]]


def graph_answer(question: str, chosen: Route, result: SearchResult, catalog: Catalog) -> GraphAnswer | None:
    """Return the complete list that a graph question asks for; None when the graph holds nothing of it (retrieval then answers)."""
    if chosen.relation not in RELATIONS:
        return None
    for mention in result.normalised.mentions:
        edges = [
            (codebase, edge) for codebase in _codebases(mention, result, catalog) for edge in _edges(chosen.relation, mention.name, catalog, codebase)
        ]
        listed = _listed(edges, catalog, set(result.where.languages))
        if listed:
            sources, drafts = zip(*listed[:MOST_LISTED], strict=True)
            noun, rest = RELATIONS[chosen.relation]
            lead = f"{len(listed)} {noun}{'s' if len(listed) > 1 else ''} {rest.format(name=mention.name)}"
            lead += ":" if len(listed) <= MOST_LISTED else f", the first {MOST_LISTED} listed:"
            return GraphAnswer(tuple(sources), tuple(drafts), len(listed), len(listed) <= MOST_LISTED, lead)
    return None


def _codebases(mention: Mention, result: SearchResult, catalog: Catalog) -> list[str]:
    """Return where to look: where the name is defined; for names that are no symbols (datasets, tables) wherever the question may look."""
    defined = sorted({item.codebase for item in mention.definitions})
    if defined:
        return defined
    wanted = result.where.codebases or tuple(catalog.codebases())
    left = [key for key in sorted(wanted) if key not in result.where.not_codebases]
    return [key for key in left if result.where.codebases or catalog.role(key) != "sample"] or left


@lru_cache(maxsize=OPEN_GRAPHS)
def _graph(folder: Path, codebase: str, generation: str) -> GraphIndex:
    return GraphIndex.load(folder, codebase, generation)


def _edges(relation: str, name: str, catalog: Catalog, codebase: str) -> EdgeList:
    """Return the edges of one codebase that stand in the relation to what ``name`` means there."""
    held = catalog.generation(codebase)
    try:
        graph = _graph(held.folder, codebase, held.generation)
    except NoGraph:
        return []
    nodes = graph.find(name)
    return [edge for query in QUERIES_OF[relation] for edge in query(graph, nodes)]


def _asked(query: str) -> Callable[[GraphIndex, Sequence[int]], EdgeList]:
    return lambda graph, nodes: LISTS[query](graph, nodes, 0)


def _data(way: str) -> Callable[[GraphIndex, Sequence[int]], EdgeList]:
    return lambda graph, nodes: accesses(graph, nodes, way)


QUERIES_OF: Mapping[str, tuple[Callable[[GraphIndex, Sequence[int]], EdgeList], ...]] = {
    "callers": (_asked("callers"),),
    "callees": (_asked("callees"),),
    "copies": (_asked("copies"),),
    "jobs": (_asked("jobs"),),
    "readers": (_data("read"),),
    "writers": (_data("write"),),
    "setters": (_data("write"),),
}


def _listed(edges: Sequence[tuple[str, dict[str, Any]]], catalog: Catalog, languages: set[str]) -> list[tuple[Source, Draft]]:
    """Return one source and one sentence for each distinct line."""
    found: list[tuple[Source, Draft]] = []
    seen: set[tuple[str, str, int]] = set()
    for codebase, edge in edges:
        file = catalog.generation(codebase).file_at(edge["path"])
        number = edge["line"]
        place = (codebase, edge["path"], number)
        if file is None or place in seen or not 1 <= number <= len(file.lines):
            continue
        if languages and file.language not in languages:
            continue
        seen.add(place)
        name = f"S{len(found) + 1}"
        line = file.lines[number - 1]
        source = Source(
            name, codebase, file.path, file.file_id, file.sha256, file.language, number, number, edge["kind"], _who(edge), edge["from"], (line,),
            why="graph", unit_start=number, unit_end=number,
        )  # fmt: skip
        code = " ".join(code_of(line, file.language).split()).replace("`", "'")
        sure = "" if edge["certainty"] == "exact" else f" ({edge['certainty']})"
        found.append((source, Draft(f"- `{_who(edge)}` in `{file.path}` line {number}{sure}: `{code}`", (Mark(name, number, number),))))
    return found


def _who(edge: Mapping[str, Any]) -> str:
    """Return the unit that stands on the line: the paragraph of a program, the step of a job."""
    return str(edge.get("unit") or edge.get("step") or edge["from"])
