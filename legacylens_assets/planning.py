"""The dry run: what a reindex of a codebase would read, encode and cost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from legacylens_assets.encoders import load_dense
from legacylens_assets.encoders.voyage import PRICE_PER_MILLION
from legacylens_assets.manifest import ManifestEntry, build_manifest
from legacylens_assets.pipeline.parse import FileRow, parse_key
from legacylens_assets.pipeline.report import Progress, silent
from legacylens_assets.registry import Codebase
from legacylens_assets.settings import Settings
from legacylens_assets.sources import fetch
from legacylens_assets.tables import from_table, read_table
from legacylens_assets.workspace import Workspace

CHARS_PER_TOKEN = 2.6
"""Characters of legacy source in one token of a BERT vocabulary (measured over the six codebases: 2.1 to 3.0)."""

TEXTS_PER_SECOND = 28.0
"""Embedded encoder on two cores; the plan says that it is an estimate."""

CHARS_PER_TEXT = 1300


@dataclass(frozen=True, slots=True)
class Plan:
    """What would be done for one codebase. Tokens, seconds and cost (US dollars) are estimates."""

    codebase: str
    present: bool
    files: int
    changed_files: int
    bytes: int
    languages: Mapping[str, int]
    skipped: Mapping[str, int]
    texts: int
    tokens: int
    encoder: str
    seconds: float
    cost: float

    def to_json(self) -> dict[str, Any]:
        """Return the plan as JSON-able values."""
        names = ("codebase", "present", "files", "changed_files", "bytes", "texts", "tokens", "encoder")
        values = {name: getattr(self, name) for name in names}
        return values | {
            "languages": dict(self.languages),
            "skipped": dict(self.skipped),
            "minutes": round(self.seconds / 60, 1),
            "cost_usd": self.cost,
        }

    def to_text(self) -> str:
        """Return the plan in a few lines."""
        if not self.present:
            return f"{self.codebase}: not fetched yet; `legacylens plan --fetch {self.codebase}` fetches and counts it"
        languages = ", ".join(f"{name} {count}" for name, count in self.languages.items())
        skipped = ", ".join(f"{reason} {count}" for reason, count in self.skipped.items()) or "none"
        cost = f", about ${self.cost:.2f}" if self.cost else ", no cost"
        return (
            f"{self.codebase}: {self.files} files ({languages}), {self.bytes:,} bytes; skipped: {skipped}\n"
            f"  to do: {self.changed_files} files, about {self.texts:,} texts and {self.tokens:,} tokens with {self.encoder}, "
            f"about {self.seconds / 60:.1f} minutes{cost}"
        )


def plan(codebase: Codebase, settings: Settings, fetch_missing: bool = False, progress: Progress = silent) -> Plan:
    """Return the plan for one codebase; counts only what is fetched unless ``fetch_missing``."""
    workspace = Workspace(settings.data, codebase.key)
    encoder = load_dense(settings)
    name = encoder.name if encoder else "no dense encoder"
    if fetch_missing:
        progress("fetch", 0, 1)
        fetch(codebase, settings)
    if not workspace.raw.is_dir():
        return Plan(codebase.key, False, 0, 0, 0, {}, {}, 0, 0, name, 0.0, 0.0)
    entries = build_manifest(workspace.raw, codebase, settings)
    kept = [entry for entry in entries if not entry.skip_reason]
    changed = _changed(workspace, kept)
    size = sum(entry.bytes for entry in changed)
    texts, tokens = round(size / CHARS_PER_TEXT), round(size / CHARS_PER_TOKEN)
    remote = settings.dense == "voyage" or (settings.profile == "cloud" and not settings.dense)
    seconds = size / 400_000 + (texts / 300 if remote else texts / TEXTS_PER_SECOND)
    cost = round(tokens / 1e6 * PRICE_PER_MILLION.get(settings.voyage_model, max(PRICE_PER_MILLION.values())), 4) if remote else 0.0
    languages = dict(Counter(entry.language for entry in kept).most_common())
    skipped = dict(Counter(entry.skip_reason for entry in entries if entry.skip_reason).most_common())
    total = sum(entry.bytes for entry in kept)
    return Plan(codebase.key, True, len(kept), len(changed), total, languages, skipped, texts, tokens, name, seconds, cost)


def _changed(workspace: Workspace, entries: list[ManifestEntry]) -> list[ManifestEntry]:
    """Return the entries that a parse would not reuse."""
    path = workspace.table("files")
    known = {row.path: row.key for row in from_table(read_table(path), FileRow)} if path.exists() else {}
    return [entry for entry in entries if known.get(entry.path) != parse_key(entry)]
