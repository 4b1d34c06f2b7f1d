"""Concurrent searches over HTTP against an API of our own on loopback, while generations of one codebase are published.

usage: python -m benchmarks.load [--save] [CODEBASE] (default samples). Bounded: 200 clients, a minute at most.
"""

import asyncio
import os
import signal
import socket
import subprocess
import sys
import time

import httpx

from benchmarks.common import cli, percentile, project_settings, save

CLIENTS, ROUNDS = 200, 5
QUESTIONS = ("how is interest worked out", "which job runs the posting", "where is the customer address changed", "solve a linear system")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


async def client(http: httpx.AsyncClient, number: int, times: list[float], errors: list[str], generations: set[str]) -> None:
    for round_ in range(ROUNDS):
        question = QUESTIONS[(number + round_) % len(QUESTIONS)]
        start = time.perf_counter()
        try:
            answer = await http.post("/search", json={"question": question, "k": 10})
            if answer.status_code != 200 or not answer.json()["hits"]:
                errors.append(f"{answer.status_code}: {answer.text[:80]}")
            else:
                generations.add(answer.json()["generation"])
        except httpx.HTTPError as error:
            errors.append(type(error).__name__)
        times.append((time.perf_counter() - start) * 1000)


async def storm(base: str) -> tuple[list[float], list[str], set[str]]:
    times: list[float] = []
    errors: list[str] = []
    generations: set[str] = set()
    limits = httpx.Limits(max_connections=CLIENTS)
    async with httpx.AsyncClient(base_url=base, timeout=60, limits=limits, trust_env=False) as http:
        await asyncio.gather(*(client(http, n, times, errors, generations) for n in range(CLIENTS)))
    return times, errors, generations


def main() -> None:
    key = next((a for a in sys.argv[1:] if not a.startswith("-")), "samples")
    port = free_port()
    environ = dict(os.environ, LEGACYLENS_RATE_LIMIT="0", LEGACYLENS_API_PORT=str(port))
    server = subprocess.Popen(cli("serve"), env=environ)
    base = f"http://127.0.0.1:{port}"
    try:
        for _ in range(300):
            try:
                if httpx.get(base + "/healthz", timeout=1, trust_env=False).status_code == 200:
                    break
            except httpx.HTTPError:
                time.sleep(0.1)
        httpx.post(base + "/search", json={"question": "warm up"}, timeout=60, trust_env=False)
        publishes = 0
        start = time.perf_counter()
        levers = ["literals", "", "literals", ""]
        # Publishes run beside the storm: each flips a lever of the texts, so that a new generation is really built.
        flips = subprocess.Popen(
            [
                sys.executable,
                "-c",
                f"import subprocess,os,sys\nfor l in {levers!r}:\n subprocess.run({cli('reindex', key, '--plain')!r}, env=dict(os.environ, LEGACYLENS_LEVERS=l), stdout=subprocess.DEVNULL, check=True)",
            ]
        )
        times, errors, generations = [], [], set()
        while flips.poll() is None and time.perf_counter() - start < 60:
            t, e, g = asyncio.run(storm(base))
            times, errors, generations = times + t, errors + e, generations | g
        flips.wait()
        publishes = len(levers)
        figures = {
            "clients": CLIENTS, "searches": len(times), "publishes": publishes, "generations_seen": len(generations), "errors": len(errors),
            "first_errors": errors[:5], "seconds": round(time.perf_counter() - start, 1),
            "p50_ms": round(percentile(times, 0.5), 1), "p95_ms": round(percentile(times, 0.95), 1),
        }  # fmt: skip
        settings = project_settings()
        save("load", figures | {"data": str(settings["data_dir"])})
    finally:
        server.send_signal(signal.SIGTERM)
        server.wait(20)


if __name__ == "__main__":
    main()
