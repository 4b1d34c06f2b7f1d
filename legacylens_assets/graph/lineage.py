"""Jobs in the order in which data flow: a job that writes a dataset runs before one that reads it."""

from __future__ import annotations

from typing import Any

from legacylens_assets.graph.index import GraphIndex

WRITES, READS = frozenset({"write", "update", "delete"}), frozenset({"read", "update"})


def job_order(graph: GraphIndex) -> dict[str, int]:
    """Return each job's place: those that only others depend on first; jobs in a circle by name."""
    readers: dict[str, set[str]] = {}
    writers: dict[str, set[str]] = {}
    for number in graph.numbers(("dd",)).tolist():
        row = graph.row(number)
        job = row.detail.get("job", "")
        if not job or row.detail.get("role") == "library" or row.written.startswith("&&"):
            continue
        access = row.detail.get("access", "read")
        if access in WRITES:
            writers.setdefault(row.written, set()).add(job)
        if access in READS:
            readers.setdefault(row.written, set()).add(job)
    after: dict[str, set[str]] = {}
    for name, held in writers.items():
        for writer in held:
            after.setdefault(writer, set()).update(reader for reader in readers.get(name, ()) if reader != writer)
    return _layers(after, {job for held in (*readers.values(), *writers.values()) for job in held})


def _layers(after: dict[str, set[str]], jobs: set[str]) -> dict[str, int]:
    """Return a place for each job; when all that is left waits for each other, the one that waits for fewest goes first."""
    before: dict[str, set[str]] = {job: set() for job in jobs}
    for job, later in after.items():
        for other in later:
            before[other].add(job)
    order: dict[str, int] = {}
    while len(order) < len(jobs):
        job = min((j for j in jobs if j not in order), key=lambda j: (len(before[j] - order.keys()), j))
        order[job] = len(order)
    return order


def in_job_order(graph: GraphIndex, edges: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return edges to data by job in the order of the data, within a job by line; what no job does comes after."""
    if len({edge["job"] for edge in edges if edge.get("job")}) > 1 and not graph.places:
        graph.places.update(job_order(graph))
    last = len(graph.places)

    def key(edge: dict[str, Any]) -> tuple[int, str, str, int, str, str]:
        job = edge.get("job", "")
        return graph.places.get(job, 0) if job else last, job or "~", edge["path"], edge["line"], edge["kind"], edge["from"]

    return sorted(edges, key=key)
