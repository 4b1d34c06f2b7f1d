"""List questions answered from the resolved graph: one cited sentence for each edge, complete, with its count. No model is asked.

This is the seam to the graph: `Answerer(graph_answer=…)` takes any function of this shape.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from legacylens_assets.answer.prose import code_of
from legacylens_assets.answer.records import Draft, GraphAnswer, Mark, Source
from legacylens_assets.answer.router import Route
from legacylens_assets.retrieval.catalog import Catalog, GenerationCatalog
from legacylens_assets.retrieval.names import Definition
from legacylens_assets.retrieval.retriever import SearchResult
from legacylens_assets.types import Edge

MOST_LISTED = 200
_CALLS = frozenset("perform call call_dynamic function_ref exsr exec_pgm exec_proc cics_link cics_xctl cics_start".split())
_READS = frozenset("file_read sql_read sql_cursor cics_file cics_queue dd".split())
_WRITES = frozenset("file_write sql_write cics_file cics_queue dd".split())
RELATIONS: Mapping[str, tuple[frozenset[str], str, str]] = {
    "callers": (_CALLS, "use", "of `{name}`"),
    "callees": (_CALLS, "call", "made by `{name}`"),
    "copies": (frozenset({"copy", "include", "use"}), "place", "copying or including `{name}`"),
    "jobs": (frozenset({"exec_pgm", "exec_proc"}), "job step", "running `{name}`"),
    "readers": (_READS, "place", "reading `{name}`"),
    "writers": (_WRITES, "place", "writing `{name}`"),
    "setters": (frozenset({"field_set"}), "place", "setting `{name}`"),
}
"""What each relation looks for: kinds of edges, and the words that head the list."""


def graph_answer(question: str, chosen: Route, result: SearchResult, catalog: Catalog) -> GraphAnswer | None:
    """Return the complete list that a graph question asks for; None when the graph holds nothing of it (retrieval then answers)."""
    if chosen.relation not in RELATIONS:
        return None
    for mention in result.normalised.known:
        edges = [
            (codebase, edge)
            for codebase in sorted({item.codebase for item in mention.definitions})
            for edge in _wanted(chosen.relation, mention.in_codebase(codebase), catalog.generation(codebase))
        ]
        languages = set(result.where.languages)
        listed = _listed(edges, catalog, languages)
        if listed:
            sources, drafts = zip(*listed[:MOST_LISTED], strict=True)
            _, noun, rest = RELATIONS[chosen.relation]
            lead = f"{len(listed)} {noun}{'s' if len(listed) > 1 else ''} {rest.format(name=mention.name)}"
            lead += ":" if len(listed) <= MOST_LISTED else f", the first {MOST_LISTED} listed:"
            return GraphAnswer(tuple(sources), tuple(drafts), len(listed), len(listed) <= MOST_LISTED, lead)
    return None


def _wanted(relation: str, definitions: Sequence[Definition], generation: GenerationCatalog) -> list[Edge]:
    """Return the edges of one codebase that stand in the relation to what is defined there, in order of path and line."""
    kinds = RELATIONS[relation][0]
    names = {item.symbol.name for item in definitions}
    if relation != "callees":
        return [edge for edge in generation.edges(kinds, targets=names) if _accesses(edge, relation)]
    programs = {item.symbol.path for item in definitions if item.symbol.kind == "program"}
    own = generation.edges(kinds, sources=names)
    if programs:
        own += [edge for edge in generation.edges(kinds - {"perform"}, paths=programs) if edge not in own]
    return sorted(own, key=lambda edge: (edge.path, edge.line, edge.target))


def _accesses(edge: Edge, relation: str) -> bool:
    """Return whether an edge that can read or write does what is asked; one that does not say counts for both."""
    access = edge.detail.get("access", "")
    if relation == "writers":
        return access in ("", "write", "delete", "update", "rewrite") or edge.kind in ("file_write", "sql_write")
    if relation == "readers":
        return access in ("", "read", "browse") or edge.kind in ("file_read", "sql_read", "sql_cursor")
    return True


def _listed(edges: Sequence[tuple[str, Edge]], catalog: Catalog, languages: set[str]) -> list[tuple[Source, Draft]]:
    """Return one source and one sentence for each distinct line."""
    found: list[tuple[Source, Draft]] = []
    seen: set[tuple[str, str, int]] = set()
    for codebase, edge in edges:
        file = catalog.generation(codebase).file_at(edge.path)
        place = (codebase, edge.path, edge.line)
        if file is None or place in seen or not 1 <= edge.line <= len(file.lines):
            continue
        if languages and file.language not in languages:
            continue
        seen.add(place)
        name = f"S{len(found) + 1}"
        line = file.lines[edge.line - 1]
        source = Source(
            name, codebase, file.path, file.file_id, file.sha256, file.language, edge.line, edge.line, edge.kind, edge.source, "", (line,),
            why="graph", unit_start=edge.line, unit_end=edge.line,
        )  # fmt: skip
        code = " ".join(code_of(line, file.language).split()).replace("`", "'")
        sure = "" if edge.certainty == "exact" else f" ({edge.certainty})"
        found.append((source, Draft(f"- `{edge.source}` in `{file.path}` line {edge.line}{sure}: `{code}`", (Mark(name, edge.line, edge.line),))))
    return found
