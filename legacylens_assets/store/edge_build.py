"""The builder process: reads batches of points from standard input, writes a sealed shard, says what it holds.

It runs on its own because the embedded engine stops every other thread of its process while it works. The parent writes pickled `Batch`
records and then None; an end without None means that the parent died, and nothing is sealed.
"""

from __future__ import annotations

import itertools
import json
import pickle
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from legacylens_assets.errors import IndexError_, LegacyLensError
from legacylens_assets.store.batch import Batch
from legacylens_assets.store.edge_shard import HNSW_POINTS, Shard, check_config
from legacylens_assets.store.protocol import DENSE

LEAST_RECALL = 0.98
CUT_SHORT = 3
REFUSED = 4


@dataclass(frozen=True, slots=True)
class BuildOrder:
    """What to build: the folder of the new shard, the shard and ids to copy from, the payloads that changed, the sparse legs."""

    folder: Path
    copy_from: Path | None
    keep_ids: tuple[str, ...]
    payloads: Mapping[str, Mapping[str, Any]]
    legs: tuple[str, ...]


def run_builder(order: BuildOrder, batches: Iterable[Batch], lock: int) -> int:
    """Build a shard in a child process and return its number of points.

    The child holds ``lock`` too, so that no other builder starts while it lives. Raises IndexError_ with the child's last words when it fails.
    """
    root = str(Path(__file__).resolve().parents[2])
    code = f"import sys; sys.path.insert(0, {root!r}); from legacylens_assets.store.edge_build import child; sys.exit(child())"
    with tempfile.TemporaryFile() as errors:
        child = subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, pass_fds=(lock,))
        try:
            output = _feed(child, order, batches)
        finally:
            if child.poll() is None:
                child.kill()
            child.wait()
            for stream in (child.stdin, child.stdout):
                if stream is not None:
                    with suppress(BrokenPipeError):  # what was still buffered for a child that is gone
                        stream.close()
        if child.returncode != 0:
            errors.seek(0)
            words = errors.read().decode("utf-8", "replace").strip().splitlines()
            how = f"killed by signal {-child.returncode}" if child.returncode < 0 else f"exit {child.returncode}"
            raise IndexError_(f"the index builder failed ({how}): {words[-1] if words else 'it said nothing'}; what was served is served on")
    return int(json.loads(output)["points"])


def _feed(child: subprocess.Popen[bytes], order: BuildOrder, batches: Iterable[Batch]) -> bytes:
    """Send everything and return what the child prints at its end; a child that died early ends the sending, its exit code says the rest."""
    assert child.stdin is not None and child.stdout is not None
    try:
        pickle.dump(order, child.stdin, protocol=5)
        for batch in batches:
            pickle.dump(batch, child.stdin, protocol=5)
        pickle.dump(None, child.stdin, protocol=5)
        child.stdin.flush()
        child.stdin.close()
    except BrokenPipeError:
        child.wait()
    output = child.stdout.read()
    child.wait()
    return output


def child() -> int:
    """Serve one order from standard input."""
    stream = sys.stdin.buffer
    try:
        order = pickle.load(stream)
        points = build(order, iter(lambda: pickle.load(stream), None))
    except EOFError:
        sys.stderr.write("the publishing process ended before all points were sent\n")
        return CUT_SHORT
    except LegacyLensError as error:
        sys.stderr.write(f"{error}\n")
        return REFUSED
    sys.stdout.write(json.dumps({"points": points}))
    return 0


def build(order: BuildOrder, batches: Iterable[Batch]) -> int:
    """Write the shard that ``order`` and the batches describe, in this process; return its points, counted after reopening."""
    source = iter(batches)
    first = next(source, None)
    target = Shard.create(order.folder, _dimension(order, first), order.legs)
    total = len(order.keep_ids)
    if order.copy_from is not None and order.keep_ids:
        old = Shard.open(order.copy_from)
        old.copy_into(target, order.keep_ids, order.payloads)
        old.close()
    for batch in itertools.chain([first] if first else [], source):
        target.upsert(batch)
        total += len(batch.ids)
    target.seal()
    if total >= HNSW_POINTS:
        _add_graph(order.folder)
    sealed = Shard.open(order.folder)
    found = sealed.count()
    sealed.close()
    if found != total:
        raise IndexError_(f"the sealed shard holds {found} points, expected {total}; ids to keep and new ids must not overlap")
    return total


def _add_graph(folder: Path) -> None:
    """Build the graph, and take it out again when it misses too much: slower and right is better."""
    Shard.open(folder).build_graph()
    shard = Shard.open(folder)
    if shard.recall() < LEAST_RECALL:
        shard.build_graph(0)
    else:
        shard.close()


def _dimension(order: BuildOrder, first: Batch | None) -> int | None:
    """Return the dense dimension: that of the new points, else that of the shard to copy from, None when there is no dense leg."""
    if first is not None:
        return None if first.dense is None else int(first.dense.shape[1])
    if order.copy_from is None:
        return None
    dense = (check_config(order.copy_from).get("vectors") or {}).get(DENSE)
    return int(dense["size"]) if dense else None
