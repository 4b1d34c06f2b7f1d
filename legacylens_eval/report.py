"""Results as text and as a self-contained HTML page."""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from legacylens_eval.metrics import NAMES


def run_text(result: Mapping[str, Any]) -> str:
    """Return a result as aligned text: one row for each codebase, by file and by lines."""
    rows = [_row(name, summary) for name, summary in result["summary"].items()]
    header = ["codebase", "n", *NAMES, "ceiling", "hit (lines)", "mrr (lines)"]
    notes = [f"generation {result['generation']}, {result['unanswerable']} unanswerable questions outside the rates"]
    if result["configuration"].get("not_indexed"):
        notes.append(f"not indexed, left out: {', '.join(result['configuration']['not_indexed'])}")
    notes += [f"stale: {row['id']}: {row['reason']}" for row in result["stale"]]
    return "\n".join([_table(rows, header), *notes])


def compare_text(value: Mapping[str, Any]) -> str:
    """Return a comparison as aligned text."""
    rows = []
    for group, row in value["differences"].items():
        hit, mrr, test = row["hit_rate@10"], row["mrr@10"], row["mcnemar"]
        rows.append([group, row["questions"], _change(hit), _change(mrr), f"-{test['lost']} +{test['won']}", f"{test['p']:.3f}"])
    head = f"a: {value['a']}\nb: {value['b']}\n"
    return head + _table(rows, ["group", "n", "hit_rate@10", "mrr@10", "hits", "McNemar p"])


def ablation_text(value: Mapping[str, Any]) -> str:
    """Return an ablation as aligned text."""
    rows = []
    for row in value["rows"]:
        summary = row["summary"]
        if "mrr@10" not in summary:
            continue
        difference = row["difference"]
        rows.append([row["name"], _interval(summary["hit_rate@10"]), _interval(summary["mrr@10"]), _change(difference["mrr@10"])])
    return _table(rows, ["configuration", "hit_rate@10", "mrr@10", "mrr@10 against the best"])


def write_html(result: Mapping[str, Any], path: Path) -> None:
    """Write a result as one HTML page without scripts."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(to_html(result), encoding="utf-8")


def to_html(result: Mapping[str, Any]) -> str:
    """Return a result as one HTML page: the summary, then every question with its rank."""
    head = ["codebase", "n", *NAMES, "ceiling", "hit (lines)", "mrr (lines)"]
    summary = _html_table(head, [_row(name, values) for name, values in result["summary"].items()])
    rows = [
        [
            row["codebase"],
            row["id"],
            row["question"],
            row["rank_file"] or "–",
            row["rank_lines"] or "–",
            ", ".join(row["expected"]),
            (row["places"] or ["–"])[0],
        ]
        for row in sorted(result["questions"], key=lambda row: (row["rank_file"] is not None, -(row["rank_file"] or 0)))
    ]
    questions = _html_table(["codebase", "id", "question", "rank by file", "rank by lines", "expected", "first hit"], rows)
    title = f"Evaluation of generation {html.escape(str(result['generation']))}"
    style = (
        "body{font:15px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:80rem;padding:0 1rem;color-scheme:light dark}"
        "table{border-collapse:collapse;width:100%;margin:1rem 0;font-variant-numeric:tabular-nums}"
        "td,th{border-bottom:1px solid #8884;padding:.35rem .6rem;text-align:left;vertical-align:top}"
    )
    note = f"<p>{html.escape(str(dict(result['configuration'])))}; commit {html.escape(str(result['commit']))}</p>"
    page = f"<h1>{title}</h1>{note}{summary}<h2>Questions, worst first</h2>{questions}"
    return f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{title}</title><style>{style}</style><body>{page}</body></html>\n'


def _row(name: str, summary: Mapping[str, Any]) -> list[Any]:
    lines = summary.get("lines", {})
    cells = [_interval(summary[metric]) if metric in summary else "–" for metric in NAMES]
    ceiling = f"{summary['precision@5'].get('ceiling', 0):.3f}" if "precision@5" in summary else "–"
    return [name, summary["questions"], *cells, ceiling, *(_interval(lines[m]) if m in lines else "–" for m in ("hit_rate@10", "mrr@10"))]


def _interval(metric: Mapping[str, float]) -> str:
    return f"{metric['value']:.3f} [{metric['low']:.2f} {metric['high']:.2f}]"


def _change(metric: Mapping[str, float]) -> str:
    return f"{metric['before']:.3f} → {metric['after']:.3f} ({metric['difference']:+.3f} [{metric['low']:+.3f} {metric['high']:+.3f}])"


def _table(rows: Sequence[Sequence[Any]], header: Sequence[str]) -> str:
    cells = [[str(value) for value in row] for row in [header, *rows]]
    widths = [max(len(row[i]) for row in cells) for i in range(len(header))]
    return "\n".join("  ".join(value.ljust(width) for value, width in zip(row, widths, strict=True)).rstrip() for row in cells)


def _html_table(header: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    head = "".join(f"<th>{html.escape(str(cell))}</th>" for cell in header)
    body = "".join("<tr>" + "".join(f"<td>{html.escape(str(cell))}</td>" for cell in row) + "</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
