"""Lines in no named unit -> sections, named after what they are: main line, definitions, file, input, output and control specifications."""

from __future__ import annotations

from collections.abc import Sequence

from legacylens_assets.parsers.drafting import Node


def sections_of(loose: Sequence[tuple[int, int, str]], nodes: Sequence[Node], count: int) -> list[Node]:
    """Return a section for each run of loose statements of one kind that no unit holds.

    ``loose`` gives first line, last line and section of each statement in order; "" takes the section of its neighbours.
    """
    held = _held(nodes, count)
    found: list[Node] = []
    broken = True
    waiting: tuple[int, int] | None = None
    for start, end, name in loose:
        if held[start]:
            broken, waiting = True, None
            continue
        if not broken and found and name in ("", found[-1].name):
            found[-1].end = end
        elif not name:
            waiting = (waiting[0] if waiting else start, end)
            broken = True
        else:
            found.append(Node("section", name, waiting[0] if waiting else start, end))
            broken, waiting = False, None
    return _with_rest(loose, found, held, count)


def _held(nodes: Sequence[Node], count: int) -> list[bool]:
    change = [0] * (count + 2)
    for node in nodes:
        if node.unit:
            change[node.start] += 1
            change[min(node.end, count) + 1] -= 1
    held, depth = [False] * (count + 2), 0
    for line in range(1, count + 1):
        depth += change[line]
        held[line] = depth > 0
    return held


def _with_rest(loose: Sequence[tuple[int, int, str]], found: list[Node], held: Sequence[bool], count: int) -> list[Node]:
    """Add a section for directives that have no neighbour to go with."""
    covered = list(held)
    for node in found:
        covered[node.start : node.end + 1] = [True] * (node.end + 1 - node.start)
    for start, end, _ in loose:
        if not covered[start]:
            if found and found[-1].name == "directives" and found[-1].end == start - 1:
                found[-1].end = end
            else:
                found.append(Node("section", "directives", start, end))
    return found
