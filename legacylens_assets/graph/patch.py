"""What a patch reaches: the units that its lines lie in, and from there programs, jobs, datasets, screens and evaluation questions.

Line numbers are those of the side of the diff that is indexed: the old side, as the diff is meant to be read before the codebase is indexed again.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from legacylens_assets.errors import UsageError
from legacylens_assets.graph.index import GraphIndex
from legacylens_assets.graph.queries import open_graphs
from legacylens_assets.graph.reach import impact_of
from legacylens_assets.settings import Settings

GROUPS: Mapping[str, frozenset[str]] = {
    "programs": frozenset({"program", "subroutine", "function", "procedure"}),
    "jobs": frozenset({"job"}),
    "datasets": frozenset({"dataset"}),
    "tables": frozenset({"table"}),
    "screens": frozenset({"map", "mapset"}),
    "transactions": frozenset({"transaction"}),
}
_HUNK = re.compile(r"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")
_REVISIONS = re.compile(r"[\w./@^~{}-]+\.\.\.?[\w./@^~{}-]+")
GIT_SECONDS = 60


@dataclass(slots=True)
class Change:
    """Changed lines of one file, as ranges (first, last) of the old side."""

    path: str
    ranges: list[tuple[int, int]] = field(default_factory=list)

    def touches(self, start: int, end: int) -> bool:
        """Return whether a changed line lies in start..end."""
        return any(first <= end and last >= start for first, last in self.ranges)


def parse_diff(text: str) -> list[Change]:
    r"""Return the changed lines of a unified diff by file; an insertion counts for the line before and after it, a new file has none.

    >>> parse_diff("--- a/x.cbl\n+++ b/x.cbl\n@@ -3,2 +3,2 @@\n A\n-B\n+C\n")
    [Change(path='x.cbl', ranges=[(4, 4)])]
    """
    found: list[Change] = []
    change: Change | None = None
    old, left, added = 0, 0, 0
    for line in text.split("\n"):
        hunk = _HUNK.match(line)
        if hunk:
            old, left, added = int(hunk[1]), int(hunk[2] or 1), int(hunk[4] or 1)
            old += not left
        elif left > 0 or added > 0:
            if change is not None:
                _count(change, line, old)
            if not line.startswith("\\"):
                old, left, added = old + (line[:1] != "+"), left - (line[:1] != "+"), added - (line[:1] != "-")
        elif line.startswith("--- "):
            change = _named(line[4:], found)
    return [_joined(change) for change in found if change.ranges]


def _named(header: str, found: list[Change]) -> Change | None:
    name = header.split("\t", 1)[0].strip().strip('"')
    if name == "/dev/null":
        return None
    found.append(Change(re.sub(r"^[aci]/", "", name)))
    return found[-1]


def _count(change: Change, line: str, old: int) -> None:
    if line.startswith("-"):
        change.ranges.append((old, old))
    elif line.startswith("+"):
        change.ranges.append((max(1, old - 1), old))


def _joined(change: Change) -> Change:
    ranges: list[tuple[int, int]] = []
    deleted = {first for first, last in change.ranges if first == last}
    for first, last in sorted(change.ranges):
        if first != last and (first in deleted or last in deleted):
            continue
        if ranges and first <= ranges[-1][1] + 1:
            ranges[-1] = (ranges[-1][0], max(last, ranges[-1][1]))
        else:
            ranges.append((first, last))
    return Change(change.path, ranges)


def diff_text(diff: str) -> str:
    """Return the text of a diff file, or of `git diff A..B` in the current folder; raises UsageError for neither."""
    path = Path(diff)
    if path.is_file():
        return path.read_text(encoding="utf-8", errors="replace")
    if not _REVISIONS.fullmatch(diff) or diff.startswith("-"):
        raise UsageError(f"--diff {diff!r}: no such file, and not two revisions; expected a unified diff or REV..REV")
    command = ["git", "diff", "--no-color", "--no-ext-diff", "--unified=0", diff, "--"]
    try:
        done = subprocess.run(command, capture_output=True, timeout=GIT_SECONDS, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise UsageError(f"--diff {diff!r}: git could not be run here: {error}") from error
    if done.returncode:
        told = done.stderr.decode("utf-8", "replace").strip().split("\n")[0]
        raise UsageError(f"--diff {diff!r}: git: {told}; run it in the work tree of the codebase")
    return done.stdout.decode("utf-8", "replace")


def impact_of_diff(settings: Settings, codebase: str, diff: str) -> dict[str, Any]:
    """Return what a diff reaches in a codebase: symbols touched, programs, jobs, datasets, tables, screens, transactions, questions."""
    (graph,) = open_graphs(settings, codebase)
    return impact_of_changes(graph, parse_diff(diff_text(diff)), _questions(codebase))


def _questions(codebase: str) -> list[Any]:
    from legacylens_eval.question_sets import shipped_questions

    return [question for question in shipped_questions() if question.codebase == codebase]


def impact_of_changes(graph: GraphIndex, changes: Sequence[Change], questions: Iterable[Any] = ()) -> dict[str, Any]:
    """Return the impact object of changes to the files of one codebase."""
    known = {path: path for path in graph.paths if path}
    placed = [(change, _place(change.path, known)) for change in changes]
    here = [Change(path, change.ranges) for change, path in placed if path]
    touched = [node for change in here for node in _touched(graph, change)]
    start = list(dict.fromkeys([*touched, *(graph.owners[node] for node in touched)]))
    reached = {node: 0 for node in start}
    for node, distance, _ in impact_of(graph, start):
        reached.setdefault(node, distance)
    value: dict[str, Any] = {
        "codebase": graph.codebase,
        "generation": graph.generation,
        "files": [{"path": change.path, "ranges": change.ranges} for change in here],
        "not_indexed": [change.path for change, path in placed if not path],
        "symbols": [graph.describe(node) for node in dict.fromkeys(touched)],
        "questions": [_asked(question, item) for question in questions for item in _evidence(question, here)],
        "complete": True,
    }
    for group, kinds in GROUPS.items():
        nodes = [(distance, node) for node, distance in reached.items() if graph.node_kinds[node] in kinds]
        value[group] = [{**graph.describe(node), "distance": distance} for distance, node in sorted(nodes, key=lambda p: (p[0], graph.names[p[1]]))]
    return value


def _place(path: str, known: Mapping[str, str]) -> str:
    """Return the indexed path of a diff's path, which may have folders before or after the codebase's root; "" for none or several."""
    if path in known:
        return path
    held = {other for other in known if other.endswith("/" + path) or path.endswith("/" + other)}
    return next(iter(held)) if len(held) == 1 else ""


def _touched(graph: GraphIndex, change: Change) -> list[int]:
    """Return the innermost nodes around changed lines, and the data that changed lines name."""
    held = [n for n, path in enumerate(graph.paths) if path == change.path and change.touches(graph.lines[n], graph.ends[n])]
    spans = {node: (graph.lines[node], graph.ends[node]) for node in held}
    inner = [n for n in held if not any(_inside(spans[other], spans[n]) and _covers(change, spans[other], spans[n]) for other in held if other != n)]
    named = [n for n in inner if graph.node_kinds[n] != "member"] or inner
    return sorted(named, key=lambda n: (graph.lines[n], -graph.ends[n]))


def _inside(span: tuple[int, int], around: tuple[int, int]) -> bool:
    return around[0] <= span[0] and span[1] <= around[1] and span != around


def _covers(change: Change, span: tuple[int, int], around: tuple[int, int]) -> bool:
    """Return whether every changed line in ``around`` lies in ``span``."""
    return all(first >= span[0] and last <= span[1] for first, last in change.ranges if first <= around[1] and last >= around[0])


def _evidence(question: Any, changes: Sequence[Change]) -> Iterable[Any]:  # noqa: ANN401 - a question of the evaluation
    return [i for i in question.relevant for c in changes if i.path == c.path and c.touches(i.start_line, i.end_line)][:1]


def _asked(question: Any, item: Any) -> dict[str, Any]:  # noqa: ANN401
    return {"id": question.id, "question": question.question, "path": item.path, "start_line": item.start_line, "end_line": item.end_line}


def impact_text(value: Mapping[str, Any]) -> str:
    """Return the impact object as text."""
    lines = [f"{item['path']}: lines " + ", ".join(f"{a}-{b}" if a != b else str(a) for a, b in item["ranges"]) for item in value["files"]]
    lines += [f"{path}: not in the index of {value['codebase']}" for path in value["not_indexed"]]
    for group in ("symbols", *GROUPS):
        if value[group]:
            lines.append(f"{group} ({len(value[group])})")
            lines += [f"  {item['kind']} {item['name']}{_where(item)}" for item in value[group]]
    if value["questions"]:
        lines.append(f"evaluation questions ({len(value['questions'])})")
        lines += [f"  {item['id']}: {item['question']}" for item in value["questions"]]
    return "\n".join(lines) or "nothing that is indexed changes"


def _where(item: Mapping[str, Any]) -> str:
    distance = f"  distance {item['distance']}" if item.get("distance") else ""
    return (f"  {item['path']}:{item['line']}" if "path" in item else "") + distance
