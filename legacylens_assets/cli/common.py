"""What the commands share: their context, options, progress and printing."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from legacylens_assets.settings import Settings

if TYPE_CHECKING:
    from legacylens_assets.registry import Codebase, Registry


@dataclass(frozen=True, slots=True)
class Context:
    """Settings and arguments of one command."""

    settings: Settings
    args: argparse.Namespace

    def registry(self) -> Registry:
        """Return the registry of codebases."""
        from legacylens_assets.registry import load_registry

        return load_registry(self.settings.registry_path)

    def codebases(self, keys: Sequence[str]) -> list[Codebase]:
        """Return the named codebases, or every enabled one when none is named."""
        registry = self.registry()
        return [registry.get(key) for key in keys] if keys else [c for c in registry.enabled() if c.role != "sample"]

    def emit(self, value: object, text: Callable[[], str]) -> None:
        """Print ``value`` as JSON with `--json`, else the text."""
        print(json.dumps(value, default=str) if self.args.json else text())


class Parsers:
    """Adds commands that all know `--json`."""

    def __init__(self, commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
        self.commands = commands

    def add(self, name: str, run: Callable[[Context], int], help: str) -> argparse.ArgumentParser:  # noqa: A002 - argparse's word
        """Return the parser of a new command that calls ``run``."""
        parser = self.commands.add_parser(name, help=help, description=help)
        parser.add_argument("--json", action="store_true", help="print one JSON value on stdout")
        parser.set_defaults(run=run)
        return parser

    def group(self, name: str, help: str) -> Parsers:  # noqa: A002
        """Return a group of sub-commands: `legacylens NAME SUB`."""
        parser = self.commands.add_parser(name, help=help, description=help)
        return Parsers(parser.add_subparsers(metavar="COMMAND", required=True))


def add_filters(parser: argparse.ArgumentParser) -> None:
    """Add the filters on codebase and language, each repeatable or comma-separated; a leading ! excludes."""
    parser.add_argument("--codebase", "-c", action="append", default=[], metavar="C", help="only this codebase (repeatable; !C excludes it)")
    parser.add_argument("--language", "-l", action="append", default=[], metavar="L", help="only this language (repeatable; !L excludes it)")


def split_filter(values: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return (wanted, excluded) of repeated or comma-separated filter values.

    >>> split_filter(["a,b", "!c"])
    (('a', 'b'), ('c',))
    """
    parts = [part.strip() for value in values for part in value.split(",") if part.strip()]
    return tuple(p for p in parts if not p.startswith("!")), tuple(p[1:] for p in parts if p.startswith("!"))


class TerminalProgress:
    """Shows one line of progress on a terminal, nothing elsewhere."""

    def __init__(self, label: str = "") -> None:
        self.label = label
        self.live = sys.stderr.isatty()
        self.started: dict[str, float] = {}
        self.shown = 0.0

    def __call__(self, stage: str, done: int, total: int) -> None:
        """Show ``stage`` with percentage and an estimate of the time left."""
        if not self.live:
            return
        now = time.monotonic()
        begin = self.started.setdefault(stage, now)
        if done < total and now - self.shown < 0.1:
            return
        self.shown = now
        left = (now - begin) / done * (total - done) if done and total > 1 else 0
        eta = f", {left:.0f} s left" if left >= 1 else ""
        share = f" {done}/{total}" if total > 1 else ""
        print(f"\r\033[K{self.label}{stage}{share}{eta}", end="", file=sys.stderr, flush=True)

    def close(self) -> None:
        """Clear the line."""
        if self.live and self.started:
            print("\r\033[K", end="", file=sys.stderr, flush=True)


def table(rows: Sequence[Sequence[Any]], header: Sequence[str]) -> str:
    """Return rows as aligned text columns; numbers to the right.

    >>> print(table([["a", 1]], ["name", "count"]))
    name  count
    a         1
    """
    cells = [[str(value) for value in row] for row in [header, *rows]]
    widths = [max(len(row[i]) for row in cells) for i in range(len(header))]
    right = [bool(rows) and all(isinstance(row[i], int | float) for row in rows) for i in range(len(header))]
    lines = []
    for row in cells:
        parts = [value.rjust(width) if to_right else value.ljust(width) for value, width, to_right in zip(row, widths, right, strict=True)]
        lines.append("  ".join(parts).rstrip())
    return "\n".join(lines)
