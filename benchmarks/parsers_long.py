"""Time and peak memory of one file of 100,000 and of 1,000,000 generated lines in each language: both must grow alike.

usage: python -m benchmarks.parsers_long [--save] [LANGUAGE...] (default: all seven)

The lines are those of the project's samples of that language, each member once and then again until there are enough.
"""

import json
import resource
import subprocess
import sys
import time

from benchmarks.common import RESULTS, save
from legacylens_assets.chunking import chunk_file
from legacylens_assets.parsers import parse
from legacylens_assets.sources.detect import detect
from legacylens_assets.sources.encodings import decode
from legacylens_assets.types import LANGUAGES, SourceFile

SAMPLES = RESULTS.parent.parent / "data" / "samples"
SIZES = (100_000, 1_000_000)
SUFFIX = {"cobol": "cbl", "c": "c", "fortran": "f", "jcl": "jcl", "pli": "pli", "rpg": "rpgle", "text": "txt"}
FORMS = {"fortran": (".f", ".for"), "cobol": (".cbl",), "text": (".txt",), "c": (".c",), "rpg": (".rpgle",)}
"""Members of one source form only: a file is read in one form, and a mixture would measure recovery."""


def generated(language: str, size: int) -> tuple[str, ...]:
    """Return ``size`` lines made of the samples of ``language``."""
    unit: list[str] = []
    for path in sorted(SAMPLES.rglob("*")):
        if not path.is_file() or (language in FORMS and path.suffix.lower() not in FORMS[language]):
            continue
        data = path.read_bytes()
        found = detect(str(path), data)
        if found.language == language and found.encoding:
            lines = decode(data, found.encoding)
            unit.extend(() if "".join(lines[:1]).upper().startswith("**FREE") else lines)
    return tuple((unit * (size // len(unit) + 1))[:size])


def measure(language: str, size: int) -> dict:
    """Return seconds of processor time, peak memory above that of the source, and what came out."""
    source = SourceFile(f"generated.{SUFFIX[language]}", language, "utf-8", generated(language, size))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    start = time.process_time()
    parsed = parse(source)
    middle = time.process_time()
    parsing = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    chunks, skips = chunk_file("generated", source, parsed)
    end = time.process_time()
    chunking = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return {
        "lines": size, "parse_s": round(middle - start, 2), "chunk_s": round(end - middle, 2), "parse_kloc_s": round(size / 1000 / (middle - start), 1),
        "parse_mib": (parsing - before) // 1024, "peak_mib": chunking // 1024, "symbols": len(parsed.symbols), "references": len(parsed.references),
        "problems": len(parsed.problems), "chunks": len(chunks), "skips": len(skips),
    }  # fmt: skip


def alone(language: str, size: int) -> dict:
    """Measure in a process of its own, so that memory is that of one file."""
    command = [sys.executable, "-m", "benchmarks.parsers_long", "--one", language, str(size)]
    return json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


def main() -> None:
    if "--one" in sys.argv:
        print(json.dumps(measure(sys.argv[-2], int(sys.argv[-1]))))
        return
    report = {}
    for language in [a for a in sys.argv[1:] if not a.startswith("-")] or LANGUAGES:
        small, large = (alone(language, size) for size in SIZES)
        ratio = round((large["parse_s"] + large["chunk_s"]) / (small["parse_s"] + small["chunk_s"]), 1)
        report[language] = {"100k": small, "1M": large, "times_as_long": ratio}
    save("parsers_long", report)


if __name__ == "__main__":
    main()
