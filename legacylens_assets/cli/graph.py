"""graph: complete lists from the code graph, no model needed."""

from __future__ import annotations

from pathlib import Path

from legacylens_assets.cli.common import Context, Parsers

QUERIES = ("callers", "callees", "copies", "jobs", "datasets", "lineage", "fields", "impact", "dead", "entrypoints", "cycles", "unresolved")


def add_commands(parsers: Parsers) -> None:
    """Add graph, report and impact."""
    graph = parsers.add("graph", run_graph, "who calls, copies, runs, reads or writes a name: complete lists with places")
    graph.add_argument("query", choices=QUERIES)
    graph.add_argument("name", nargs="?", default="", metavar="NAME")
    graph.add_argument("--codebase", "-c", default="", help="only this codebase")
    graph.add_argument("--depth", type=int, default=0, help="how far to follow; 0: one step, for impact and jobs as far as it goes")
    graph.add_argument("--format", choices=("text", "mermaid", "dot"), default="text")
    report = parsers.add("report", run_report, "write an HTML inventory of a codebase")
    report.add_argument("codebase", metavar="CODEBASE")
    report.add_argument("--out", type=Path, default=None, help="file to write (default: CODEBASE.html)")
    report.add_argument("--base-url", default="http://127.0.0.1:8000", help="address of the API that the names link to (default: %(default)s)")
    impact = parsers.add("impact", run_impact, "list what a change in files reaches: programs, jobs, datasets, screens, questions")
    impact.add_argument(
        "--diff", required=True, metavar="FILE|REV..REV", help="a unified diff, or two revisions of the git tree in the current folder"
    )
    impact.add_argument("--codebase", "-c", default="", required=True, help="the codebase that the diff's paths belong to")


def run_graph(context: Context) -> int:
    """Print the graph contract's object."""
    from legacylens_assets.graph.queries import answer, open_graphs, render

    args = context.args
    value = answer(open_graphs(context.settings, args.codebase), args.query, args.name, depth=args.depth)
    context.emit(value, lambda: render(value, args.format))
    return 0


def run_report(context: Context) -> int:
    """Write the inventory and say where it is."""
    from legacylens_assets.graph.inventory import write_report

    out = context.args.out or Path(f"{context.args.codebase}.html")
    value = write_report(context.settings, context.registry(), context.args.codebase, out, context.args.base_url)
    context.emit(value, lambda: f"written: {out}")
    return 0


def run_impact(context: Context) -> int:
    """Print what a diff reaches."""
    from legacylens_assets.graph.patch import impact_of_diff, impact_text

    value = impact_of_diff(context.settings, context.args.codebase, context.args.diff)
    context.emit(value, lambda: impact_text(value))
    return 0
