"""eval run, compare, gate, ablation: whether retrieval got better or worse."""

from __future__ import annotations

from pathlib import Path

from legacylens_assets.cli.common import Context, Parsers

GATE_FAILED = 4


def add_commands(parsers: Parsers) -> None:
    """Add the eval group."""
    group = parsers.group("eval", "score retrieval over question sets")
    run = group.add("run", run_run, "score the index over a question set")
    run.add_argument("--questions", type=Path, default=None, help="JSONL file (default: the sets shipped with LegacyLens)")
    run.add_argument("--codebase", "-c", action="append", default=[], help="only questions of this codebase")
    run.add_argument("--split", choices=("dev", "test", "all"), default="all", help="which half of the questions")
    run.add_argument("--unfiltered", action="store_true", help="search all codebases, with no filter")
    run.add_argument("--out", type=Path, default=None, help="also write the JSON result here")
    run.add_argument("--html", type=Path, default=None, help="also write an HTML report here")
    compare = group.add("compare", run_compare, "compare two results by paired statistics")
    compare.add_argument("a", type=Path)
    compare.add_argument("b", type=Path)
    gate = group.add("gate", run_gate, "fail (exit 4) when the result is significantly worse than the baseline")
    gate.add_argument("result", type=Path, nargs="?", default=None, help="result of `eval run --out` (default: run now)")
    gate.add_argument("--baseline", type=Path, default=None, help="baseline result (default: the committed one)")
    ablation = group.add("ablation", run_ablation, "score the legs and levers one by one")
    ablation.add_argument("--questions", type=Path, default=None)
    ablation.add_argument("--codebase", "-c", action="append", default=[])
    ablation.add_argument("--split", choices=("dev", "test", "all"), default="dev")
    ablation.add_argument("--unfiltered", action="store_true")


def run_run(context: Context) -> int:
    """Print the eval contract's object."""
    from legacylens_eval.report import run_text, write_html
    from legacylens_eval.runner import evaluate
    from legacylens_eval.runner import load_default_questions as load

    args = context.args
    result = evaluate(context.settings, load(args.questions), codebases=args.codebase, split=args.split, unfiltered=args.unfiltered)
    value = result.to_json()
    if args.out:
        from legacylens_assets.tables import write_json

        write_json(value, args.out)
    if args.html:
        write_html(value, args.html)
    context.emit(value, lambda: run_text(value))
    return 0


def run_compare(context: Context) -> int:
    """Print differences with intervals and p-values."""
    from legacylens_eval.compare import compare_files
    from legacylens_eval.report import compare_text

    value = compare_files(context.args.a, context.args.b)
    context.emit(value, lambda: compare_text(value))
    return 0


def run_gate(context: Context) -> int:
    """Exit 4 when the result is significantly worse than the baseline."""
    from legacylens_eval.gate import gate

    verdict = gate(context.settings, context.args.result, context.args.baseline)
    context.emit(verdict.to_json(), verdict.to_text)
    return 0 if verdict.passed else GATE_FAILED


def run_ablation(context: Context) -> int:
    """Print one row for each leg alone and each lever removed; the evaluation page shows the last one."""
    from legacylens_assets.tables import write_json
    from legacylens_eval.ablation import ablate
    from legacylens_eval.report import ablation_text
    from legacylens_eval.runner import load_default_questions as load

    args = context.args
    value = ablate(context.settings, load(args.questions), codebases=args.codebase, split=args.split, unfiltered=args.unfiltered)
    write_json(value, context.settings.data / "eval" / "ablation.json")
    context.emit(value, lambda: ablation_text(value))
    return 0
