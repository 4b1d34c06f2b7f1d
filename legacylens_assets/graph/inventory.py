"""An HTML inventory of a codebase: one file without scripts, every name a link to its lines in the source viewer."""

from __future__ import annotations

import html
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from legacylens_assets.graph.index import GraphIndex, Graphs
from legacylens_assets.graph.queries import CALLS, COPIES, DATA
from legacylens_assets.graph.survey import dead, entrypoints, unresolved
from legacylens_assets.settings import Settings

if TYPE_CHECKING:
    from legacylens_assets.registry import Registry

MOST_CALLED = 25
MOST_ROWS = 2000
KINDS: Sequence[tuple[str, str, frozenset[str]]] = (
    ("programs", "Programs and routines", frozenset({"program", "subroutine", "function"})),
    ("jobs", "Jobs and procedures", frozenset({"job", "proc"})),
    ("copybooks", "Copybooks and includes", frozenset({"member"})),
    ("datasets", "Datasets", frozenset({"dataset"})),
    ("tables", "Tables", frozenset({"table"})),
    ("screens", "Screens", frozenset({"map"})),
    ("transactions", "Transactions", frozenset({"transaction"})),
)
STYLE = (
    "body{font:15px/1.45 system-ui,sans-serif;margin:2rem auto;max-width:75rem;padding:0 1rem;color:#1b1b1b;background:#fff}"
    "h1{font-size:1.5rem}h2{font-size:1.15rem;margin-top:2rem}table{border-collapse:collapse;width:100%}caption{text-align:left;color:#555}"
    "th,td{text-align:left;padding:.25rem .6rem;border-bottom:1px solid #ddd;vertical-align:top}td.n,th.n{text-align:right}"
    "code{font:.9em ui-monospace,monospace}a{color:#0b4f9c}nav a{margin-right:1rem}"
    "@media(prefers-color-scheme:dark){body{background:#16181b;color:#e4e4e4}a{color:#8fc1ff}th,td{border-color:#3a3d42}caption{color:#aaa}}"
)


def write_report(settings: Settings, registry: Registry, codebase: str, out: Path, base: str = "http://127.0.0.1:8000") -> dict[str, Any]:
    """Write the inventory of ``codebase`` to ``out``; return its counts. ``base`` is the address of the API that shows the source."""
    from legacylens_assets.retrieval.catalog import Catalog
    from legacylens_assets.store import open_reader

    registry.get(codebase)
    reader = open_reader(settings)
    (graph,) = Graphs(reader).of(codebase)
    generation = Catalog(reader).generation(codebase)
    ids = {record["path"]: record["file_id"] for record in generation.files()}
    page, counts = inventory(graph, registry.get(codebase).title, ids, summaries(graph), base)
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(page, encoding="utf-8")
    return {"codebase": codebase, "generation": graph.generation, "path": str(out), "bytes": len(page.encode()), "counts": counts}


def summaries(graph: GraphIndex) -> dict[str, str]:
    """Return the first comment of each file: what its author says it is."""
    from legacylens_assets.tables import read_table

    path = graph.folder / "chunks.parquet"
    if not path.exists():
        return {}
    found: dict[str, str] = {}
    columns = read_table(path, ("path", "start_line", "comments")).to_pydict()
    for place, _, comments in sorted(zip(*columns.values(), strict=True), key=lambda row: (row[0], row[1])):
        text = " ".join(comments.split())
        if text and place not in found and not _licence(text):
            found[place] = text[:160]
    return found


def _licence(text: str) -> bool:
    return "copyright" in text.lower() or "licen" in text.lower()


def inventory(graph: GraphIndex, title: str, ids: Mapping[str, str], said: Mapping[str, str], base: str = "") -> tuple[str, dict[str, int]]:
    """Return the page and its counts. ``ids`` are file ids by path, ``said`` descriptions by path."""
    link = _Link(graph, ids, base)
    used = _uses(graph)
    sections, counts, nav = [], {}, []
    for key, heading, kinds in KINDS:
        nodes = [n for n, kind in enumerate(graph.node_kinds) if kind in kinds and (key != "copybooks" or used[n]["copied"])]
        counts[key] = len(nodes)
        if nodes:
            nav.append(f'<a href="#{key}">{heading} ({len(nodes)})</a>')
            ordered = sorted(nodes, key=lambda n: (graph.names[n].upper(), graph.paths[n]))
            rows = [_row(graph, node, link, used[node], said) for node in ordered]
            sections.append(_section(key, heading, ("name", "lines", "calls it", "uses", "description"), rows))
    sections.append(_most_called(graph, link, used))
    entered, unused, open_ends = entrypoints(graph, ()), dead(graph, ()), unresolved(graph, ())
    counts |= {"entrypoints": len(entered), "dead": len(unused), "edges": len(graph.sources), "unresolved": sum(item["count"] for item in open_ends)}
    sections.append(_section("entrypoints", "Entry points", ("kind", "name", "why"), [_listed(item, link) for item in entered]))
    sections.append(_section("dead", "Candidates for dead code", ("kind", "name", "why"), [_listed(item, link) for item in unused]))
    rows = [(html.escape(i["kind"]), str(i["count"]), html.escape(i["reason"]), html.escape(", ".join(i["names"]))) for i in open_ends]
    sections.append(_section("unresolved", "Not resolved", ("kind", "count", "reason", "commonest names"), rows))
    nav += ['<a href="#entrypoints">Entry points</a>', '<a href="#dead">Dead code candidates</a>', '<a href="#unresolved">Not resolved</a>']
    head = f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{html.escape(title)}: inventory</title><style>{STYLE}</style></head>'
    intro = f"<h1>{html.escape(title)}</h1><p>Codebase <code>{html.escape(graph.codebase)}</code>, "
    intro += f"generation <code>{html.escape(graph.generation)}</code>: "
    intro += f"{len(graph.sources)} relations, {counts['unresolved']} of them not resolved.</p><nav>{''.join(nav)}</nav>"
    return f"{head}<body><main>{intro}{''.join(sections)}</main></body></html>\n", counts


class _Link:
    """Makes links to the source viewer."""

    def __init__(self, graph: GraphIndex, ids: Mapping[str, str], base: str) -> None:
        self.graph, self.ids, self.base = graph, ids, base.rstrip("/")

    def __call__(self, name: str, path: str, line: int) -> str:
        """Return the name as a link to its line; as text when it has no source."""
        shown = f"<code>{html.escape(name)}</code>"
        file_id = self.ids.get(path)
        if not file_id:
            return shown
        address = f"{html.escape(self.base)}/source-page/{quote(self.graph.codebase)}/{quote(file_id)}#L{line}"
        return f'<a href="{address}" title="{html.escape(path)}">{shown}</a>'


def _uses(graph: GraphIndex) -> list[Counter[str]]:
    """Return for each node how often it is called, copied and touched, and how much it uses."""
    found: list[Counter[str]] = [Counter() for _ in graph.names]
    for word, kinds in (("called", CALLS), ("copied", COPIES), ("touched", DATA)):
        for number in graph.numbers(kinds).tolist():
            source, target = graph.owners[int(graph.sources[number])], graph.owners[int(graph.targets[number])]
            if source != target:
                found[target][word] += 1
                found[source]["uses"] += 1
    return found


def _row(graph: GraphIndex, node: int, link: _Link, used: Counter[str], summaries: Mapping[str, str]) -> tuple[str, ...]:
    path = graph.paths[node]
    lines = str(graph.ends[node] - graph.lines[node] + 1) if path else ""
    calls = used["called"] + used["copied"] + used["touched"]
    return link(graph.names[node], path, graph.lines[node]), lines, str(calls), str(used["uses"]), html.escape(summaries.get(path, ""))


def _listed(item: Mapping[str, Any], link: _Link) -> tuple[str, ...]:
    return html.escape(item["kind"]), link(item["name"], item.get("path", ""), item.get("line", 1)), html.escape(item["why"])


def _most_called(graph: GraphIndex, link: _Link, used: Sequence[Counter[str]]) -> str:
    nodes = sorted((n for n in range(len(graph.names)) if used[n]["called"]), key=lambda n: (-used[n]["called"], graph.names[n]))[:MOST_CALLED]
    rows = [(link(graph.names[n], graph.paths[n], graph.lines[n]), str(used[n]["called"]), html.escape(graph.node_kinds[n])) for n in nodes]
    return _section("most-called", "Most called", ("name", "places", "kind"), rows)


def _section(key: str, heading: str, header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    if not rows:
        return ""
    left_out = len(rows) - MOST_ROWS
    caption = f"<caption>{len(rows)} in all{f', {left_out} not shown' if left_out > 0 else ''}</caption>"
    numeric = [all(row[i].isdigit() or not row[i] for row in rows) for i in range(len(header))]
    head = "".join(f'<th scope="col"{_n(numeric[i])}>{name}</th>' for i, name in enumerate(header))
    body = "".join("<tr>" + "".join(f"<td{_n(numeric[i])}>{cell}</td>" for i, cell in enumerate(row)) + "</tr>" for row in rows[:MOST_ROWS])
    return f'<h2 id="{key}">{heading}</h2><table>{caption}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>'


def _n(numeric: bool) -> str:
    return ' class="n"' if numeric else ""
