"""Runs git and apt-get: no terminal, a time limit, a watched folder, and the whole process group ended when a limit is passed."""

from __future__ import annotations

import os
import signal
import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from legacylens_assets.errors import SourceError
from legacylens_assets.sources.tree import Budget

POLL_SECONDS = 0.1
WATCH_SECONDS = 1.0
OUTPUT_BYTES = 256_000_000


@dataclass(frozen=True, slots=True)
class Finished:
    """A command that ended by itself: its exit code and output."""

    code: int
    stdout: bytes
    stderr: str

    @property
    def reason(self) -> str:
        """Return the last lines of the error output on one line, with user names and passwords in URLs masked."""
        from legacylens_assets.sources.addresses import without_secrets

        lines = [line.strip() for line in self.stderr.splitlines() if line.strip()]
        return without_secrets(" / ".join(lines[-3:])) or f"exit code {self.code}"


def run(
    command: Sequence[str],
    budget: Budget,
    *,
    cwd: Path,
    variables: Mapping[str, str],
    without: Sequence[str] = (),
    data: bytes = b"",
    watch: Path | None = None,
    seconds: float | None = None,
) -> Finished:
    """Run ``command`` in ``cwd`` with the inherited environment, ``variables`` added and ``without`` removed.

    Raises SourceError when the program is missing, the time of ``budget`` (or ``seconds``) is up, or ``watch`` grows past the budget's bytes.
    """
    unset = [word for name in without for word in ("-u", name)]
    prefix = ["env", *unset, *(f"{name}={value}" for name, value in variables.items())]
    allowed = min(budget.seconds, seconds or budget.seconds)
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err, tempfile.TemporaryFile() as given:
        given.write(data)
        given.seek(0)
        try:
            process = subprocess.Popen([*prefix, *command], cwd=cwd, stdin=given, stdout=out, stderr=err, start_new_session=True)
        except FileNotFoundError as error:
            raise SourceError(f"{error.filename}: no such program") from error
        try:
            _wait(process, command[0], allowed, watch, budget.bytes)
        finally:
            _end(process)
        if process.returncode == 127:
            raise SourceError(f"{command[0]} is not installed; install it, or use another origin")
        out.seek(0)
        err.seek(0)
        return Finished(process.returncode, out.read(OUTPUT_BYTES), err.read(OUTPUT_BYTES).decode("utf-8", "replace"))


def _wait(process: subprocess.Popen[bytes], name: str, seconds: float, watch: Path | None, max_bytes: int) -> None:
    deadline = time.monotonic() + seconds
    looked = time.monotonic()
    while True:
        try:
            process.wait(POLL_SECONDS)
            return
        except subprocess.TimeoutExpired:
            now = time.monotonic()
        if now > deadline:
            raise SourceError(f"{name}: no end after {seconds:.0f} s; the host does not answer or is too slow (fetch_timeout)")
        if watch and now - looked > WATCH_SECONDS:
            looked = now
            if folder_bytes(watch) > max_bytes:
                raise SourceError(f"{name}: received more than {max_bytes} bytes; narrow include, or raise fetch_max_bytes")


def folder_bytes(folder: Path) -> int:
    """Return the bytes of all files under ``folder``; files that vanish meanwhile count 0."""
    total = 0
    for here, _, names in os.walk(folder):
        for name in names:
            try:
                total += os.lstat(os.path.join(here, name)).st_size
            except FileNotFoundError:
                continue
    return total


def _end(process: subprocess.Popen[bytes]) -> None:
    """End the process group if it still runs."""
    if process.poll() is None:
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            return
        process.wait()
