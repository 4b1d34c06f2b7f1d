"""The command line: `legacylens …`. Every command takes `--json`; progress goes to stderr and only to a terminal.

Exit codes: 0 ok, 1 error, 2 usage, 3 refused, 4 gate failed.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from legacylens_assets.cli import ask, evaluate, graph, indexing, inspect, running
from legacylens_assets.cli.common import Context, Parsers
from legacylens_assets.errors import LegacyLensError
from legacylens_assets.settings import find_root, load_settings

GROUPS = (running, indexing, ask, graph, evaluate, inspect)


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    _keep_output_whole()
    parser = build_parser()
    args = parser.parse_args(argv)
    try:
        root = find_root(Path.cwd(), os.environ)
        settings = load_settings(root, os.environ)
        return int(args.run(Context(settings, args)))
    except LegacyLensError as error:
        return _report(error, bool(getattr(args, "json", False)))
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return 130


def build_parser() -> argparse.ArgumentParser:
    """Return the parser of every command, each group adding its own."""
    parser = argparse.ArgumentParser(prog="legacylens", description="Ask plain-language questions about legacy code and get cited answers.")
    parser.add_argument("--version", action="version", version=_version())
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    parsers = Parsers(commands)
    for group in GROUPS:
        group.add_commands(parsers)
    return parser


def _report(error: LegacyLensError, as_json: bool) -> int:
    if as_json:
        print(json.dumps({"error": {"code": error.code, "message": str(error), "retryable": error.retryable}}))
    print(f"legacylens: {error}", file=sys.stderr)
    return error.exit_code


def _version() -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return f"legacylens {version('legacylens')}"
    except PackageNotFoundError:
        return "legacylens (not installed)"


def _keep_output_whole() -> None:
    """Print any character on any terminal: what it cannot show is escaped, never an exception."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")


if __name__ == "__main__":
    sys.exit(main())
