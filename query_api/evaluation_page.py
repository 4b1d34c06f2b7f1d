"""The evaluation page as HTML: forms and links only, no script; every text is escaped."""

from __future__ import annotations

import html
from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from urllib.parse import urlencode

from legacylens_eval.charts import Dot, bar_svg, trend_svg
from legacylens_eval.trends import PLOTTED

SETTINGS_SHOWN = {"filtered": "within its codebase", "unfiltered": "over all codebases"}
MOST_QUESTIONS = 400

HEAD = """<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="color-scheme" content="light dark">
  <title>Evaluation · LegacyLens</title>
  <link rel="icon" href="/static/icon.svg" type="image/svg+xml">
  <link rel="stylesheet" href="/static/page.css">
  <link rel="stylesheet" href="/static/evaluation.css">
</head>
<body>
  <header class="top">
    <a class="brand" href="/"><img src="/static/icon.svg" alt="" width="28" height="28"> LegacyLens</a>
    <span class="state">Evaluation</span>
  </header>
  <main>
"""
FOOT = "  </main>\n</body>\n</html>\n"


def page(view: Mapping[str, Any]) -> str:
    """Return the page of a view as `query_api.routes.evaluation` builds it."""
    if not view["runs"]:
        told = "Nothing has been scored yet. Evaluation runs after each reindex; materialise <code>eval_summary</code> in Dagster to score now."
        return f'{HEAD}<section class="panel"><h2>Evaluation</h2><p>{told}</p></section>{FOOT}'
    parts = [_latest(view), _trends(view), _comparison(view), _ablation(view), _questions(view)]
    return HEAD + "\n".join(parts) + FOOT


def _text(value: object) -> str:
    return html.escape(str(value))


def _when(stamp: str) -> str:
    """Return a run's name as a date and time.

    >>> _when("20261201T041533000000Z")
    '2026-12-01 04:15'
    """
    return f"{stamp[:4]}-{stamp[4:6]}-{stamp[6:8]} {stamp[9:11]}:{stamp[11:13]}" if len(stamp) >= 13 else stamp


def _link(view: Mapping[str, Any], anchor: str, **changes: str) -> str:
    """Return the address of the page with some of its choices changed."""
    chosen = {name: view["chosen"][name] for name in ("metric", "setting", "codebase", "a", "b") if view["chosen"].get(name)} | changes
    return "/evaluation?" + html.escape(urlencode({k: v for k, v in chosen.items() if v})) + anchor


def _choices(view: Mapping[str, Any], name: str, values: Iterable[tuple[str, str]], anchor: str) -> str:
    links = []
    for value, shown in values:
        current = ' aria-current="true"' if view["chosen"][name] == value else ""
        links.append(f'<a class="choice" href="{_link(view, anchor, **{name: value})}"{current}>{_text(shown)}</a>')
    return f'<nav class="choices" aria-label="{name}">{"".join(links)}</nav>'


def _latest(view: Mapping[str, Any]) -> str:
    newest = view["runs"][-1]
    summary = newest[view["chosen"]["setting"]]
    rows = []
    for name, values in summary.items():
        cells = "".join(_metric_cell(values.get(metric), metric == "precision@5") for metric in PLOTTED)
        rows.append(f'<tr><th scope="row">{_text(name)}</th><td class="n">{values["questions"]}</td>{cells}</tr>')
    head = "".join(f'<th scope="col">{_text(metric)}</th>' for metric in PLOTTED)
    settings = _choices(view, "setting", SETTINGS_SHOWN.items(), "#latest")
    told = f"{_when(newest['at'])} UTC, index generation <code>{_text(newest['generation'])}</code>" + (
        f", commit <code>{_text(newest['commit'][:12])}</code>" if newest.get("commit") else ""
    )
    table = f'<table><thead><tr><th scope="col">Codebase</th><th scope="col">Questions</th>{head}</tr></thead><tbody>{"".join(rows)}</tbody></table>'
    return f'<section class="panel" id="latest"><h2>Latest run</h2><p class="meta">{told}</p>{settings}<div class="scroll">{table}</div></section>'


def _head(*names: str) -> str:
    return "<tr>" + "".join(f'<th scope="col">{_text(name)}</th>' for name in names) + "</tr>"


def _metric_cell(metric: Mapping[str, float] | None, with_ceiling: bool) -> str:
    if not metric:
        return "<td>–</td>"
    ceiling = f'<span class="ceiling">best possible {metric["ceiling"]:.2f}</span>' if with_ceiling and "ceiling" in metric else ""
    interval = f'<span class="interval">{metric["low"]:.2f}–{metric["high"]:.2f}</span>'
    return f"<td><strong>{metric['value']:.3f}</strong> {interval}{bar_svg(metric['value'], metric['low'], metric['high'])}{ceiling}</td>"


def _trends(view: Mapping[str, Any]) -> str:
    metric, setting = view["chosen"]["metric"], view["chosen"]["setting"]
    names = list(dict.fromkeys(name for run in view["runs"] for name in run[setting]))
    pictures = []
    for name in names:
        dots = [
            Dot(cell["value"], cell["low"], cell["high"], f"{_when(run['at'])}: {cell['value']:.3f} [{cell['low']:.2f}, {cell['high']:.2f}]")
            for run in view["runs"]
            if (cell := run[setting].get(name, {}).get(metric))
        ]
        if dots:
            caption = f"{_text(name)} <strong>{dots[-1].value:.3f}</strong>"
            pictures.append(f"<figure><figcaption>{caption}</figcaption>{trend_svg(dots, f'{metric} of {name}')}</figure>")
    metrics = _choices(view, "metric", ((m, m) for m in PLOTTED), "#trends")
    told = f"{_text(metric)}, each question asked {SETTINGS_SHOWN[setting]}; the band is the 95 % interval. {len(view['runs'])} runs."
    body = "".join(pictures)
    return f'<section class="panel" id="trends"><h2>Trends</h2>{metrics}<p class="meta">{told}</p><div class="pictures">{body}</div></section>'


def _comparison(view: Mapping[str, Any]) -> str:
    chosen, found = view["chosen"], view["comparison"]
    hidden = "".join(f'<input type="hidden" name="{n}" value="{_text(chosen[n])}">' for n in ("metric", "setting", "codebase") if chosen.get(n))
    fields = "".join(f"<label>{told} {_select(name, view['kept'], chosen[name])}</label>" for name, told in (("a", "From"), ("b", "to")))
    form = f'<form class="row" action="/evaluation#compare">{hidden}{fields}<button>Compare</button></form>'
    if not found:
        told = "Two runs with their questions are needed." if len(view["kept"]) < 2 else "Choose two runs."
        return f'<section class="panel" id="compare"><h2>Two runs compared</h2>{form}<p class="meta">{told}</p></section>'
    rows = "".join(_difference_row(name, row) for name, row in found["differences"].items())
    head = _head("Codebase", "Questions", "hit_rate@10", "lost", "won", "McNemar p", "mrr@10", "p of a fall")
    verdict = view["verdict"]
    said = "no significant fall" if verdict["passed"] else "; ".join(verdict["reasons"])
    state = "good" if verdict["passed"] else "bad"
    moved = _moved(view, "Lost", found["lost"]) + _moved(view, "Won", found["won"])
    body = f'<p class="verdict {state}">{_text(said)}</p><div class="scroll"><table><thead>{head}</thead><tbody>{rows}</tbody></table></div>{moved}'
    return f'<section class="panel" id="compare"><h2>Two runs compared</h2>{form}{body}</section>'


def _select(name: str, values: Sequence[str], chosen: str) -> str:
    options = "".join(f'<option value="{_text(v)}"{" selected" if v == chosen else ""}>{_text(_when(v))}</option>' for v in reversed(values))
    return f'<select name="{name}">{options}</select>'


def _difference_row(name: str, row: Mapping[str, Any]) -> str:
    hit, mrr, test = row["hit_rate@10"], row["mrr@10"], row["mcnemar"]
    return (
        f'<tr><th scope="row">{_text(name)}</th><td class="n">{row["questions"]}</td><td>{_change(hit)}</td><td class="n">{test["lost"]}</td>'
        f'<td class="n">{test["won"]}</td><td class="n">{test["p"]:.3f}</td><td>{_change(mrr)}</td><td class="n">{mrr["p_worse"]:.4f}</td></tr>'
    )


def _change(metric: Mapping[str, float]) -> str:
    kind = "down" if metric["high"] < 0 else "up" if metric["low"] > 0 else "same"
    change = f"{metric['difference']:+.3f} [{metric['low']:+.3f}, {metric['high']:+.3f}]"
    return f'{metric["before"]:.3f} → {metric["after"]:.3f} <span class="change {kind}">{change}</span>'


def _moved(view: Mapping[str, Any], told: str, ids: Sequence[str]) -> str:
    if not ids:
        return ""
    items = "".join(f'<li><a href="#q-{_text(key)}">{_text(key)}</a></li>' for key in ids)
    return f"<details><summary>{told}: {len(ids)} questions</summary><ul>{items}</ul></details>"


def _ablation(view: Mapping[str, Any]) -> str:
    found = view["ablation"]
    if not found:
        told = "No ablation is kept yet: <code>legacylens eval ablation --json &gt; data/eval/ablation.json</code> measures each leg and lever."
        return f'<section class="panel" id="ablation"><h2>What each part is worth</h2><p class="meta">{told}</p></section>'
    rows = []
    for row in found["rows"]:
        summary, difference = row["summary"], row.get("difference") or {}
        if "mrr@10" in summary:
            worth = _change(difference["mrr@10"]) if difference.get("mrr@10") else "–"
            cells = "".join(_metric_cell(summary[m], False) for m in ("hit_rate@10", "mrr@10"))
            rows.append(f'<tr><th scope="row">{_text(row["name"])}</th>{cells}<td>{worth}</td></tr>')
    head = _head("Configuration", "hit_rate@10", "mrr@10", "mrr@10 against the first row")
    told = f"{_text(found.get('split', 'all'))} questions, {SETTINGS_SHOWN['unfiltered' if found.get('unfiltered') else 'filtered']}."
    table = f'<div class="scroll"><table><thead>{head}</thead><tbody>{"".join(rows)}</tbody></table></div>'
    return f'<section class="panel" id="ablation"><h2>What each part is worth</h2><p class="meta">{told}</p>{table}</section>'


def _questions(view: Mapping[str, Any]) -> str:
    rows = view["questions"]
    names = [("", "All"), *((name, name) for name in view["codebases"])]
    found = sum(row["rank_file"] is not None for row in rows)
    told = (
        f"{len(rows)} questions of the run of {_when(view['kept'][-1])}, worst first; {found} found within the first ten."
        if view["kept"]
        else "None."
    )
    stale = "".join(f"<li>{_text(row['id'])}: {_text(row['reason'])}</li>" for row in view["stale"])
    left_out = f"<details><summary>Stale, left out: {len(view['stale'])}</summary><ul>{stale}</ul></details>" if stale else ""
    body = "".join(_question(row) for row in rows[:MOST_QUESTIONS])
    choices = _choices(view, "codebase", names, "#questions")
    return f'<section class="panel" id="questions"><h2>Questions</h2>{choices}<p class="meta">{told}</p>{left_out}{body}</section>'


def _question(row: Mapping[str, Any]) -> str:
    rank = row["rank_file"]
    badge = f'<span class="rank {"good" if rank else "bad"}">{f"rank {rank}" if rank else "missed"}</span>'
    expected = "".join(f"<li><code>{_text(place)}</code></li>" for place in row["expected"])
    wanted = {place.rpartition(":")[0] for place in row["expected"]}
    hits = "".join(_hit(row["codebase"], place, wanted) for place in row["places"]) or "<li>nothing</li>"
    lines = f"rank {row['rank_lines']}" if row["rank_lines"] else "not within the first ten"
    facts = [f"by file: {f'rank {rank}' if rank else 'not within the first ten'}", f"by lines: {lines}"]
    facts += [f"{name} {row['scores'][name]:.2f}" for name in ("mrr@10", "precision@5", "recall@5", "ndcg@10")]
    why = f'<p class="meta">{_text(row["id"])} · {_text(row["kind"] or "no kind")} · {_text(row["split"])} · {" · ".join(facts)}</p>'
    ask = "/?" + html.escape(urlencode({"question": row["question"], "codebase": row["codebase"]}))
    summary = f'{badge} <span class="where">{_text(row["codebase"])}</span> {_text(row["question"])}'
    places = f'<div class="two"><div><h3>Expected</h3><ul>{expected}</ul></div><div><h3>Found</h3><ol>{hits}</ol></div></div>'
    link = f'<p><a href="{ask}">Ask it now</a></p>'
    return f'<details class="question" id="q-{_text(row["id"])}"><summary>{summary}</summary>{why}{places}{link}</details>'


def _hit(codebase: str, place: str, wanted: set[str]) -> str:
    path = place.rpartition(":")[0]
    right = path.startswith(f"{codebase}/") and path[len(codebase) + 1 :] in wanted
    return f'<li class="{"right" if right else "other"}"><code>{_text(place)}</code></li>'
