"""Fetch codebases, parse them, and hold every file to the promises of the parsers and every language to its bars.

usage: python -m benchmarks.corpora [--save] [--no-fetch] [CODEBASE...] (default: what package registries hold)

Exit 1 when a promise is broken or a bar is missed. Nothing is encoded, so this needs no model. With --no-fetch the tree under
data/raw is taken as it is.
"""

import sys
from pathlib import Path

from benchmarks.common import project_settings, save
from benchmarks.parsers import measure
from legacylens_assets.chunking import chunk_file
from legacylens_assets.manifest import ManifestEntry, build_manifest, read_source
from legacylens_assets.parsers import parse
from legacylens_assets.pipeline import parse_stage, raw_stage
from legacylens_assets.registry import Codebase, load_registry
from legacylens_assets.settings import Settings
from legacylens_assets.tables import from_table, read_table, to_table, write_table
from legacylens_assets.types import CONTINUED, START, ParsedFile, SourceFile
from legacylens_assets.workspace import Workspace

DEFAULT = ("nist-cobol", "fcvs", "lapack", "gnucobol")
NAMED_BARS = {"cobol": 0.97, "fortran": 0.97, "jcl": 0.97, "rpg": 0.97, "c": 0.95, "pli": 0.95}
"""Least share of code lines in named units."""
SPEED_BARS = {"cobol": 10, "fortran": 10, "jcl": 10, "rpg": 10, "pli": 10, "c": 30, "text": 30}
"""Least KLOC/s on one core, parsing with all facts."""
SLOWEST_SECONDS = 5.0
SKIPPED_SHARE = 0.005


def broken(key: str, source: SourceFile) -> list[str]:
    """Return the promises that the parse and the chunks of ``source`` break."""
    parsed = parse(source)
    chunks, skips = chunk_file(key, source, parsed)
    faults = list(_symbol_faults(parsed, len(source.lines)))
    spans = sorted([(c.start_line, c.end_line) for c in chunks] + [(s.start_line, s.end_line) for s in skips])
    if [line for start, end in spans for line in range(start, end + 1)] != list(range(1, len(source.lines) + 1)):
        faults.append("chunks and skips do not hold every line once")
    if any(c.text != "\n".join(source.lines[c.start_line - 1 : c.end_line]) for c in chunks):
        faults.append("a chunk's text is not that of its lines")
    if len({c.chunk_id for c in chunks}) != len(chunks):
        faults.append("two chunks have one id")
    code = sum(role in (START, CONTINUED) for role in parsed.roles)
    lost = sum(role in (START, CONTINUED) for s in skips for role in parsed.roles[s.start_line - 1 : s.end_line])
    if code >= 200 and lost > SKIPPED_SHARE * code:
        faults.append(f"{lost} of {code} code lines skipped")
    if any(not s.reason for s in skips):
        faults.append("a skip without a reason")
    return faults


def _symbol_faults(parsed: ParsedFile, size: int) -> list[str]:
    faults = []
    if len(parsed.roles) != size or set(parsed.roles) - set(".*s+"):
        faults.append("roles")
    if [s.start_line for s in parsed.symbols] != sorted(s.start_line for s in parsed.symbols):
        faults.append("symbols out of order")
    for place, s in enumerate(parsed.symbols):
        holder = parsed.symbols[s.parent] if s.parent is not None and s.parent < place else None
        inside = holder is None or holder.start_line <= s.start_line <= s.end_line <= holder.end_line
        if not (1 <= s.start_line <= s.end_line <= size and inside) or (s.parent is not None and s.parent >= place):
            faults.append(f"{s.kind} {s.name} at {s.start_line}..{s.end_line}")
    return faults


def prepare(codebase: Codebase, settings: Settings, *, fetch: bool) -> Workspace:
    """Bring the tree and its manifest, and run the parse stage."""
    workspace = Workspace(settings.data, codebase.key)
    if fetch:
        raw_stage(codebase, settings)
    else:
        write_table(to_table(build_manifest(workspace.raw, codebase, settings), ManifestEntry), workspace.table("manifest"))
    parse_stage(codebase, settings)
    return workspace


def missed(figures: dict[str, dict]) -> list[str]:
    """Return the bars that a codebase's figures miss; small samples of a language (under 500 lines of code) are not judged."""
    found = []
    for language, row in figures.items():
        if row["code_lines"] >= 500 and row["named_share"] < NAMED_BARS.get(language, 0):
            found.append(f"{language}: {row['named_share']} of code lines in named units, at least {NAMED_BARS[language]} wanted")
        if row["lines"] >= 20000 and row["parse_kloc_s"] < SPEED_BARS[language]:
            found.append(f"{language}: {row['parse_kloc_s']} KLOC/s, at least {SPEED_BARS[language]} wanted")
        if row["slowest_s"] > SLOWEST_SECONDS:
            found.append(f"{language}: {row['slowest']} took {row['slowest_s']} s")
    return found


def main() -> None:
    settings = project_settings()
    registry = load_registry(settings.registry_path)
    report: dict[str, dict] = {}
    for key in [a for a in sys.argv[1:] if not a.startswith("-")] or DEFAULT:
        workspace = prepare(registry.get(key), settings, fetch="--no-fetch" not in sys.argv)
        entries = [e for e in from_table(read_table(workspace.table("manifest")), ManifestEntry) if not e.skip_reason]
        faults = {e.path: found for e in entries if (found := broken(key, read_source(workspace.raw, e)))}
        figures = measure(workspace)
        report[key] = {"files": len(entries), "broken_promises": faults, "missed_bars": missed(figures), "languages": figures}
    save(Path(__file__).stem, report)
    sys.exit(any(row["broken_promises"] or row["missed_bars"] for row in report.values()))


if __name__ == "__main__":
    main()
