"""`python -m benchmarks` lists the benchmarks; `make bench` runs those that need nothing but an index."""

import sys

BENCHMARKS = {
    "chain": "seconds for each stage of a reindex: cold, unchanged, one file touched; peak memory",
    "latency": "search latency p50 and p95 by stage over the questions that ship",
    "load": "concurrent searches over HTTP while generations are published; errors must be 0",
    "kill": "kill -9 of a reindex in three stages: what is served during and after",
    "answers_cites": "how often an answer without a model cites lines that answer; invalid citations; times",
    "answers_refusal": "fits the refusal on dev questions; precision and recall on dev and test",
    "answers_mutation": "wrong sentences that are caught, by kind of mutation",
    "answers_fallback": "time to fall back for every failure of a stub; overhead at 2,000 tokens a second",
    "answers_masking": "lines that masking changes, for each 1,000 lines of source trees",
    "parsers": "KLOC/s, slowest file and share of named lines for each language of the fetched codebases",
}

if __name__ == "__main__":
    for name, meaning in BENCHMARKS.items():
        sys.stdout.write(f"python -m benchmarks.{name:17}  {meaning}\n")
