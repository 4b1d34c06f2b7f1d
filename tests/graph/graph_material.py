"""Small codebases of our own text, parsed and resolved as the pipeline does it."""

from pathlib import Path, PurePosixPath

from legacylens_assets.graph import Graph, resolve
from legacylens_assets.graph.index import GraphIndex
from legacylens_assets.graph.nodes import Node
from legacylens_assets.parsers import parse
from legacylens_assets.pipeline.graph import edge_table
from legacylens_assets.tables import to_table, write_table
from legacylens_assets.types import Edge, Reference, SourceFile, Symbol

LANGUAGES = {
    "cbl": "cobol", "cpy": "cobol", "jcl": "jcl", "prc": "jcl", "f": "fortran", "f90": "fortran", "c": "c", "h": "c", "pl1": "pli", "rpgle": "rpg",
    "bms": "text", "csd": "text", "ctl": "text", "sql": "text", "pf": "text",
}  # fmt: skip

DIALECTS = {"bms": "bms", "csd": "csd", "ctl": "control", "sql": "sql", "pf": "dds"}


def build(sources: dict[str, str]) -> Graph:
    """Return the graph of files given as path -> text; the suffix says the language."""
    files, symbols, references = [], [], []
    for path, text in sorted(sources.items()):
        lines = tuple(text.split("\n"))
        suffix = PurePosixPath(path).suffix[1:]
        parsed = parse(SourceFile(path, LANGUAGES[suffix], "utf-8", lines, dialect=DIALECTS.get(suffix, "")))
        files.append({"path": path, "language": LANGUAGES[suffix], "dialect": DIALECTS.get(suffix, ""), "lines": len(lines)})
        symbols += [(path, item) for item in parsed.symbols]
        references += [(path, item) for item in parsed.references]
    import pyarrow as pa

    tables = [
        to_table([item for _, item in rows], kind, {"path": [path for path, _ in rows]})
        for rows, kind in ((symbols, Symbol), (references, Reference))
    ]
    return resolve(pa.Table.from_pylist(files), *tables)


def load(sources: dict[str, str], folder: Path) -> GraphIndex:
    """Return the graph of the files as a generation holds it."""
    graph = build(sources)
    write_table(to_table(graph.nodes, Node), folder / "nodes.parquet")
    write_table(edge_table(graph), folder / "graph.parquet")
    return GraphIndex.load(folder, "mine", "g1")


def edges(sources: dict[str, str], *kinds: str) -> list[Edge]:
    """Return the edges of these kinds."""
    return [edge for edge in build(sources).edges if edge.kind in kinds]


def told(sources: dict[str, str], *kinds: str) -> set[tuple[str, str, str]]:
    """Return (source, target, certainty) of the edges of these kinds."""
    return {(edge.source, edge.target, edge.certainty) for edge in edges(sources, *kinds)}


def cobol(name: str, *body: str, data: tuple[str, ...] = (), files: tuple[tuple[str, str], ...] = ()) -> str:
    """Return a fixed-form program: its files as (name, DD name), data lines and procedure lines from area B."""
    lines = ["IDENTIFICATION DIVISION.", f"PROGRAM-ID. {name}."]
    if files:
        lines += ["ENVIRONMENT DIVISION.", "INPUT-OUTPUT SECTION.", "FILE-CONTROL."]
        lines += [f"    SELECT {file} ASSIGN TO {ddname}." for file, ddname in files]
    lines += ["DATA DIVISION."]
    if files:
        lines += ["FILE SECTION."]
        for file, _ in files:
            lines += [f"FD  {file}.", f"01  {file}-REC PIC X(80)."]
    lines += ["WORKING-STORAGE SECTION.", *data, "PROCEDURE DIVISION.", "0000-MAIN.", *(f"    {line}" for line in body)]
    return "\n".join(f"       {line}" for line in lines)
