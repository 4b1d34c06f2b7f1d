"""A graph answer as text, Mermaid or Graphviz DOT."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

LEAST_CERTAIN = {"exact": "-->", "inferred": "-.->", "unresolved": "-.->"}


def render(value: Mapping[str, Any], format: str = "text") -> str:  # noqa: A002 - the option's name
    """Return the answer in ``format``: text, mermaid or dot."""
    if format == "mermaid":
        return _mermaid(value["edges"])
    if format == "dot":
        return _dot(value["edges"])
    return _text(value)


def _text(value: Mapping[str, Any]) -> str:
    lines = []
    if len(value["matches"]) > 1:
        lines.append(f"{value['name']} means {len(value['matches'])} things:")
        lines += [
            f"  {m['kind']} {m['name']} {m.get('path', '')}{':' + str(m['line']) if 'line' in m else ''} ({m['codebase']})"
            for m in value["matches"][:20]
        ]
    if "items" in value:
        lines += [_item(item) for item in value["items"]]
        lines.append(f"{value['count']} found")
        return "\n".join(lines)
    edges = value["edges"]
    rows = [_cells(edge) for edge in edges]
    widths = [max((len(row[i]) for row in rows), default=0) for i in range(3)]
    lines += [f"{row[0].ljust(widths[0])}  {row[1].ljust(widths[1])}  {row[2].ljust(widths[2])}  {row[3]}".rstrip() for row in rows]
    sure = sum(edge["certainty"] == "exact" for edge in edges)
    tail = f"{len(edges)} found, complete; {sure} exact" + (f", {len(edges) - sure} not certain" if len(edges) > sure else "")
    return "\n".join([*lines, tail])


def _cells(edge: Mapping[str, Any]) -> tuple[str, str, str, str]:
    distance = f"[{edge['distance']}] " if edge.get("distance") else ""
    unit = f" ({edge['unit']})" if edge.get("unit") else ""
    said = [edge["kind"]] + [f"{key}={edge[key]}" for key in ("job", "step", "ddname", "access") if edge.get(key)]
    if edge["certainty"] != "exact":
        said.append(edge["certainty"] + (f": {edge.get('reason') or edge.get('evidence')}" if edge.get("reason") or edge.get("evidence") else ""))
    return f"{distance}{edge['from']}{unit}", f"-> {edge['to']}", " ".join(said), f"{edge['path']}:{edge['line']}"


def _item(item: Mapping[str, Any]) -> str:
    if "members" in item:
        return f"{item['size']}: " + ", ".join(member["name"] for member in item["members"])
    if "names" in item:
        return f"{item['count']:7}  {item['kind']}: {item['reason']}  {', '.join(item['names'])}"
    place = f"{item['path']}:{item['line']}" if "path" in item else ""
    return f"{item['kind']:10} {item['name']}  {place}  {item.get('why', '')}".rstrip()


def _names(edges: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    found: dict[str, str] = {}
    for edge in edges:
        for end in ("from", "to"):
            found.setdefault(str(edge[end]), f"n{len(found)}")
    return found


def _mermaid(edges: Sequence[Mapping[str, Any]]) -> str:
    names = _names(edges)
    lines = ["flowchart LR"]
    lines += [f'  {key}["{_quoted(name)}"]' for name, key in names.items()]
    drawn = dict.fromkeys((names[str(e["from"])], LEAST_CERTAIN[e["certainty"]], e["kind"], names[str(e["to"])]) for e in edges)
    lines += [f"  {start} {arrow}|{kind}| {end}" for start, arrow, kind, end in drawn]
    return "\n".join(lines)


def _quoted(name: str) -> str:
    return re.sub(r"[\"<>&#]", lambda match: f"#{ord(match.group())};", name)


def _dot(edges: Sequence[Mapping[str, Any]]) -> str:
    names = _names(edges)
    lines = ["digraph legacylens {", "  rankdir=LR;", "  node [shape=box];"]
    for name, key in names.items():
        label = name.replace("\\", "\\\\").replace('"', '\\"')
        lines.append(f'  {key} [label="{label}"];')
    drawn = dict.fromkeys((names[str(e["from"])], names[str(e["to"])], e["kind"], e["certainty"]) for e in edges)
    for start, end, kind, certainty in drawn:
        style = "" if certainty == "exact" else ", style=dashed"
        lines.append(f'  {start} -> {end} [label="{kind}"{style}];')
    return "\n".join([*lines, "}"])
