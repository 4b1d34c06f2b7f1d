"""search and ask: questions from the terminal, through the very Retriever and Answerer that the API uses."""

from __future__ import annotations

import asyncio
import sys
from typing import Any

from legacylens_assets.cli.common import Context, Parsers, add_filters, split_filter

REFUSED = 3


def add_commands(parsers: Parsers) -> None:
    """Add search and ask."""
    search = parsers.add("search", run_search, "list the places in the code that best match a question")
    search.add_argument("question", metavar="QUESTION")
    search.add_argument("-k", type=int, default=10, help="how many hits, at most 50 (default 10)")
    search.add_argument("--explain", action="store_true", help="say for each hit which legs and words found it")
    add_filters(search)
    ask = parsers.add("ask", run_ask, "answer a question; every sentence cites file and lines")
    ask.add_argument("question", metavar="QUESTION")
    ask.add_argument("-k", type=int, default=8, help="how many sources the answer may use (default 8)")
    ask.add_argument("--target", default="Python", help="the language that mode translate aims at")
    ask.add_argument("--mode", default="explain", help="explain, document, rules or translate")
    add_filters(ask)


def run_search(context: Context) -> int:
    """Print the search contract's object."""
    from legacylens_assets.service import open_service

    args = context.args
    service = open_service(context.settings)
    codebases, not_codebases = split_filter(args.codebase)
    languages, not_languages = split_filter(args.language)
    result = service.retriever.search(
        args.question,
        codebases=codebases,
        languages=languages,
        not_codebases=not_codebases,
        not_languages=not_languages,
        k=args.k,
        explain=args.explain,
    ).to_json()
    context.emit(result, lambda: _search_text(result, args.explain))
    return 0


def _search_text(result: dict[str, Any], explain: bool) -> str:
    if not result["hits"]:
        return "nothing found"
    lines = []
    for hit in result["hits"]:
        name = f" {hit['kind']} {hit['name']}" if hit["name"] else f" {hit['kind']}"
        lines.append(f"{hit['rank']:2}. {hit['codebase']}/{hit['path']}:{hit['start_line']}-{hit['end_line']} {name}")
        if explain:
            lines.extend(f"      {leg}: {value}" for leg, value in hit["legs"].items())
        else:
            shown = [line for line in hit["text"].split("\n") if line.strip()][:3]
            lines.extend(f"      {line[:110]}" for line in shown)
    times = ", ".join(f"{name} {value:.0f} ms" for name, value in result["timings_ms"].items())
    return "\n".join([*lines, f"generation {result['generation']}, profile {result['profile']}; {times}"])


def run_ask(context: Context) -> int:
    """Stream the answer to a terminal, or print the final event's object; exit 3 when refused."""
    return asyncio.run(_ask(context))


async def _ask(context: Context) -> int:
    from legacylens_assets.answer.answerer import Ask
    from legacylens_assets.errors import LegacyLensError
    from legacylens_assets.service import open_service

    args = context.args
    service = open_service(context.settings)
    codebases, not_codebases = split_filter(args.codebase)
    languages, not_languages = split_filter(args.language)
    final: dict[str, Any] = {}
    ask = Ask(args.question, codebases, languages, not_codebases, not_languages, args.k, args.mode, args.target)
    async for event in service.answerer.events(ask):
        if event.name == "error":
            error = LegacyLensError(event.data["message"])
            error.code = event.data["code"]
            raise error
        if event.name == "final":
            final = dict(event.data)
        elif event.name == "warning" and not args.json:
            print(f"note: {event.data.get('message', '')}", file=sys.stderr)
    context.emit(final, lambda: answer_text(final))
    return REFUSED if final.get("refused") else 0


def answer_text(final: dict[str, Any]) -> str:
    """Return an answer as text: sentences with citation numbers, then the list of cited places."""
    numbers = {citation["id"]: number for number, citation in enumerate(final["citations"], 1)}
    lines = []
    for sentence in final["sentences"]:
        if sentence["status"] == "removed":
            continue
        marks = "".join(f"[{numbers[i]}]" for i in sentence["citations"] if i in numbers)
        weak = " (weak)" if sentence["status"] == "weak" else ""
        lines.append(f"{sentence['text'].strip()} {marks}{weak}".rstrip())
    if final.get("refused"):
        lines = [final.get("answer") or f"Not found: {final.get('reason', '')}"]
        if final.get("nearest"):
            lines.append("Nearest names: " + ", ".join(_near(item) for item in final["nearest"]))
    places = [
        f"  [{numbers[c['id']]}] {c['codebase']}/{c['path']}:{c['start_line']}" + (f"-{c['end_line']}" if c["end_line"] != c["start_line"] else "")
        for c in final["citations"]
    ]
    tail = f"({final.get('provider', '')}, generation {final.get('generation', '')}, {final.get('timings_ms', {}).get('total', 0):.0f} ms)"
    return "\n".join([*lines, *([""] if places else []), *places, tail])


def _near(item: Any) -> str:  # noqa: ANN401 - a name, or an object with name and place
    return item if isinstance(item, str) else f"{item.get('name')} ({item.get('codebase', '')})"
