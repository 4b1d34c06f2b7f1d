"""One writer at a time: a lock file that waits, and that names who holds it when the wait is over."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from legacylens_assets.errors import IndexError_

POLL_SECONDS = 0.05


class Locked(IndexError_):
    """Another process holds a lock for longer than the caller would wait."""

    code = "index_locked"
    retryable = True


@contextmanager
def locked(path: Path, timeout: float, what: str) -> Iterator[int]:
    """Hold an exclusive lock on ``path`` and yield its descriptor; a killed holder frees it.

    Raises Locked, naming the holder's process, after ``timeout`` seconds. A child that inherits the descriptor keeps the lock until it ends.
    """
    import fcntl

    path.parent.mkdir(parents=True, exist_ok=True)
    handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    try:
        deadline = time.monotonic() + timeout
        while True:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                if time.monotonic() >= deadline:
                    raise Locked(f"{what}: {_holder(handle)} holds {path} for more than {timeout:g} s; wait for it, or end it if it hangs") from None
                time.sleep(POLL_SECONDS)
        os.ftruncate(handle, 0)
        os.pwrite(handle, json.dumps({"pid": os.getpid()}).encode(), 0)
        yield handle
    finally:
        os.close(handle)


def _holder(handle: int) -> str:
    try:
        return f"process {json.loads(os.pread(handle, 200, 0))['pid']}"
    except (ValueError, KeyError, TypeError):
        return "another process"
