"""`legacylens up`: the samples indexed, one question answered, then query API and Dagster UI until interrupted."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from types import FrameType

from legacylens_assets.errors import LegacyLensError, NoIndex, UsageError
from legacylens_assets.registry import Codebase, load_registry
from legacylens_assets.settings import Settings

EXAMPLE = "What stops a frozen account from being debited?"
"""The question that `make run` answers; asked of the samples."""

API_WAIT = 60.0
DAGSTER_WAIT = 180.0
STOP_WAIT = 20.0


@dataclass(slots=True)
class Child:
    """A process that `up` started, with the file that its output goes to."""

    name: str
    process: subprocess.Popen[bytes]
    log: Path


def up(settings: Settings, headless: bool = False) -> int:
    """Index the samples if there is no index, answer one question, then serve until interrupted (unless ``headless``)."""
    registry = load_registry(settings.registry_path)
    samples = [codebase for codebase in registry.enabled() if codebase.role == "sample"]
    if headless or _is_empty(settings):
        _index_samples(samples, settings)
    print_example(settings, samples)
    if headless:
        return 0
    _require_free(settings.host, settings.api_port, "query API", "LEGACYLENS_API_PORT")
    _require_free(settings.host, settings.dagster_port, "Dagster UI", "LEGACYLENS_DAGSTER_PORT")
    missing = [c.key for c in registry.enabled() if c.role != "sample" and not _is_indexed(settings, c.key)]
    with _children(settings) as children:
        return _watch(settings, children, missing)


def print_example(settings: Settings, samples: list[Codebase]) -> None:
    """Print the example question with its cited answer."""
    from legacylens_assets.answer.answerer import Ask
    from legacylens_assets.cli.ask import answer_text
    from legacylens_assets.service import open_service

    service = open_service(settings)
    keys = tuple(c.key for c in samples if c.key in service.reader.snapshot().generations)
    if not keys:
        return
    answer = service.answerer.answer(Ask(EXAMPLE, codebases=keys, k=4))
    _say(f"\n  Q: {EXAMPLE}\n")
    for line in answer_text(answer).split("\n"):
        _say(f"  {line}")
    _say("")


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def _is_empty(settings: Settings) -> bool:
    from legacylens_assets.store import open_reader

    try:
        open_reader(settings).snapshot()
    except NoIndex:
        return True
    return False


def _is_indexed(settings: Settings, key: str) -> bool:
    from legacylens_assets.store import open_reader

    try:
        return key in open_reader(settings).snapshot().generations
    except NoIndex:
        return False


def _index_samples(samples: list[Codebase], settings: Settings) -> None:
    from legacylens_assets.cli.common import TerminalProgress
    from legacylens_assets.pipeline import reindex

    progress = TerminalProgress("indexing the samples: ")
    started = time.monotonic()
    for run in reindex(samples, settings, progress):
        progress.close()
        if run.error is not None:
            raise run.error
        counts = {report.stage: report.counts for report in run.reports}
        files, chunks = counts["parsed_chunks"]["files"], counts["parsed_chunks"]["chunks"]
        _say(f"indexed {run.codebase}: {files} files, {chunks} chunks, {time.monotonic() - started:.1f} s")


def _require_free(host: str, port: int, what: str, variable: str) -> None:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            raise UsageError(f"port {port} for the {what} is taken ({error.strerror}): stop what listens there or set {variable}") from error


@contextmanager
def _children(settings: Settings) -> Iterator[list[Child]]:
    """Start API and Dagster; end them, and what is added to the list later, on the way out, by their process ids."""
    children: list[Child] = []
    try:
        children.append(_start(settings, "query-api", [sys.executable, "-m", "legacylens_assets.cli", "serve"]))
        if find_spec("dagster_webserver") is not None:
            children.append(_start(settings, "dagster", _dagster_command(settings)))
        yield children
    finally:
        for child in reversed(children):
            _stop(child)


def _dagster_command(settings: Settings) -> list[str]:
    address = ["-h", settings.host, "-p", str(settings.dagster_port)]
    return [sys.executable, "-W", "ignore", "-m", "dagster", "dev", "-w", "workspace.yaml", *address]


def _start(settings: Settings, name: str, command: list[str], niced: bool = False) -> Child:
    log = settings.data / "logs" / f"{name}.log"
    log.parent.mkdir(parents=True, exist_ok=True)
    environ = dict(os.environ, DAGSTER_HOME=str(settings.root), LEGACYLENS_HOME=str(settings.root), PYTHONUNBUFFERED="1")
    if niced:
        environ["LEGACYLENS_ENCODE_THREADS"] = "1"
        command = ["nice", "-n", "10", *command]
    (settings.data / "dagster").mkdir(parents=True, exist_ok=True)
    with log.open("ab") as out:
        process = subprocess.Popen(
            command,
            cwd=settings.root,
            env=environ,
            stdout=out,
            stderr=out,
            stdin=subprocess.DEVNULL,
            preexec_fn=_default_signals,
            start_new_session=True,
        )
    return Child(name, process, log)


def _default_signals() -> None:
    """Let the child be interrupted even when this process was started in the background (Dagster needs it)."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def _watch(settings: Settings, children: list[Child], missing: list[str]) -> int:
    """Say the addresses once they answer, then wait for a signal; say which child ended if one does."""
    signal.signal(signal.SIGTERM, _interrupt)
    base = f"http://{settings.host}"
    try:
        _wait_for(children[0], f"{base}:{settings.api_port}/healthz", API_WAIT)
        _say(f"query API   {base}:{settings.api_port}/")
        if len(children) > 1 and children[1].name == "dagster":
            _wait_for(children[1], f"{base}:{settings.dagster_port}/server_info", DAGSTER_WAIT)
            _say(f"Dagster UI  {base}:{settings.dagster_port}/")
        if missing and settings.auto_index:
            # Only now: Dagster makes its storage when it starts, and two processes must not do so at the same time.
            command = [sys.executable, "-m", "legacylens_assets.cli", "reindex", *missing]
            children.append(_start(settings, "auto-index", command, niced=True))
            _say(f"indexing in the background: {', '.join(missing)} (see Runs in the Dagster UI, or `legacylens status`; AUTO_INDEX=0 turns it off)")
        _say("Ctrl-C stops everything.")
        return _wait(children)
    except KeyboardInterrupt:
        _say("\nstopping")
        return 0


def _wait(children: list[Child]) -> int:
    running = list(children)
    while True:
        for child in list(running):
            code = child.process.poll()
            if code is None:
                continue
            running.remove(child)
            if child.name == "auto-index":
                bad = "failed for some codebases: `legacylens status` and the Dagster UI say which; what was indexed serves on"
                _say(f"background indexing {bad if code else 'finished'}")
            else:
                raise LegacyLensError(f"{child.name} ended with exit code {code}; the end of its log, {child.log}:\n{_tail(child.log)}")
        time.sleep(0.5)


def _wait_for(child: Child, url: str, longest: float) -> None:
    import httpx

    deadline = time.monotonic() + longest
    while time.monotonic() < deadline:
        if child.process.poll() is not None:
            raise LegacyLensError(f"{child.name} did not start; the end of its log, {child.log}:\n{_tail(child.log)}")
        try:
            if httpx.get(url, timeout=2, trust_env=False).status_code == 200:
                return
        except httpx.HTTPError:
            time.sleep(0.2)
    raise LegacyLensError(f"{child.name} did not answer at {url} within {longest:.0f} s; its log is {child.log}")


def _stop(child: Child) -> None:
    """Ask the child's process group to end, then make it."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        if child.process.poll() is not None and number == signal.SIGTERM:
            return
        try:
            os.killpg(child.process.pid, number)
        except ProcessLookupError:
            return
        try:
            child.process.wait(STOP_WAIT)
        except subprocess.TimeoutExpired:
            continue
        if number == signal.SIGTERM:
            return


def _tail(path: Path, lines: int = 12) -> str:
    return "\n".join(path.read_text(encoding="utf-8", errors="replace").split("\n")[-lines:])


def _interrupt(number: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt
