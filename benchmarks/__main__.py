"""`python -m benchmarks` lists the benchmarks; `make bench` runs those that need nothing but an index."""

import sys

BENCHMARKS = {
    "chain": "seconds for each stage of a reindex: cold, unchanged, one file touched; peak memory",
    "latency": "search latency p50 and p95 by stage over the questions that ship",
    "load": "concurrent searches over HTTP while generations are published; errors must be 0",
    "kill": "kill -9 of a reindex in three stages: what is served during and after",
    "parsers": "KLOC/s, slowest file and share of named lines for each language of the fetched codebases",
}

if __name__ == "__main__":
    for name, meaning in BENCHMARKS.items():
        sys.stdout.write(f"python -m benchmarks.{name:8}  {meaning}\n")
