"""`legacylens doctor`: whether everything is here, whole and covered."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from legacylens_assets.errors import LegacyLensError, NoIndex
from legacylens_assets.pipeline.parse import FileRow
from legacylens_assets.registry import Registry
from legacylens_assets.settings import Settings
from legacylens_assets.tables import from_table, read_table
from legacylens_assets.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Check:
    """One finding: ``state`` is ok, note or broken."""

    name: str
    state: str
    detail: str


@dataclass(frozen=True, slots=True)
class Coverage:
    """How much of one language of a codebase lies in named units, in lines."""

    codebase: str
    language: str
    files: int
    lines: int
    code_lines: int
    named_lines: int
    skipped_lines: int
    problems: int
    files_as_lines: int

    @property
    def share(self) -> float:
        """Return the share of code lines in named units, 1.0 when there are none."""
        return self.named_lines / self.code_lines if self.code_lines else 1.0


@dataclass(frozen=True, slots=True)
class Examination:
    """Everything that doctor found."""

    checks: tuple[Check, ...]
    coverage: tuple[Coverage, ...]
    fallen: tuple[dict[str, Any], ...]

    @property
    def healthy(self) -> bool:
        """Return whether nothing is broken."""
        return all(check.state != "broken" for check in self.checks)

    def to_json(self) -> dict[str, Any]:
        """Return the findings as JSON-able values."""
        names = ("codebase", "language", "files", "lines", "code_lines", "named_lines", "skipped_lines", "problems", "files_as_lines")
        rows = [{name: getattr(row, name) for name in names} | {"named_share": round(row.share, 4)} for row in self.coverage]
        checks = [{"name": c.name, "state": c.state, "detail": c.detail} for c in self.checks]
        return {"healthy": self.healthy, "checks": checks, "coverage": rows, "files_as_lines": list(self.fallen)}

    def to_text(self) -> str:
        """Return the findings as text."""
        from legacylens_assets.cli.common import table

        lines = [table([[c.state, c.name, c.detail] for c in self.checks], ["state", "check", "detail"])]
        if self.coverage:
            rows = [
                [c.codebase, c.language, c.files, c.lines, f"{c.share:.1%}", c.skipped_lines, c.problems, c.files_as_lines] for c in self.coverage
            ]
            lines += ["", table(rows, ["codebase", "language", "files", "lines", "in named units", "skipped", "problems", "as lines"])]
        lines += [f"fell back to lines: {row['codebase']}/{row['path']}: {row['why']}" for row in self.fallen[:20]]
        return "\n".join(lines)


def examine(settings: Settings, registry: Registry, keys: Sequence[str] = ()) -> Examination:
    """Return the state of packages, models, index, disk and coverage."""
    names = list(keys) or [c.key for c in registry.codebases.values() if Workspace(settings.data, c.key).table("files").exists()]
    for key in keys:
        registry.get(key)
    checks = [_python(), *_packages(), _guarded("encoders", lambda: _models(settings)), _guarded("index", lambda: _index(settings)), _disk(settings)]
    coverage = [row for key in names for row in _coverage(Workspace(settings.data, key))]
    fallen = [row for key in names for row in _fallen(Workspace(settings.data, key))]
    return Examination(tuple(checks), tuple(coverage), tuple(fallen))


def _guarded(name: str, check: Callable[[], Check]) -> Check:
    try:
        return check()
    except NoIndex as error:
        return Check(name, "note", str(error))
    except LegacyLensError as error:
        return Check(name, "broken", str(error))


def _python() -> Check:
    good = sys.version_info >= (3, 11)
    return Check("python", "ok" if good else "broken", f"{sys.version.split()[0]}" + ("" if good else "; Python 3.11 or newer is needed"))


def _packages() -> list[Check]:
    found = []
    for name, why in (("qdrant-edge-py", "embedded index"), ("onnxruntime", "embedded model"), ("dagster", "pipeline UI"), ("fastapi", "query API")):
        try:
            found.append(Check(name, "ok", version(name)))
        except PackageNotFoundError:
            found.append(Check(name, "note", f"not installed: no {why}; pip install 'legacylens[all]'"))
    return found


def _models(settings: Settings) -> Check:
    from legacylens_assets.encoders import load_encoders

    encoders = load_encoders(settings)
    marks = ", ".join(f"{leg}={mark}" for leg, mark in sorted(encoders.fingerprints.items()))
    return Check("encoders", "ok", f"profile {settings.profile}: {marks}; reranker {encoders.reranker.name if encoders.reranker else 'off'}")


def _index(settings: Settings) -> Check:
    from legacylens_assets.encoders import load_encoders
    from legacylens_assets.store import open_reader

    reader = open_reader(settings)
    snapshot = reader.snapshot()
    marks = {leg: mark for leg, mark in load_encoders(settings).fingerprints.items() if leg != "rerank"}
    stale = [key for key in snapshot.generations if dict(reader.info(key).fingerprints) != marks]
    points = sum(reader.info(key).points for key in snapshot.generations)
    detail = f"generation {snapshot.id}: {points} points in {len(snapshot.generations)} codebases"
    if stale:
        return Check("index", "broken", f"{detail}; built by other encoders: {', '.join(stale)}; run `legacylens reindex {' '.join(stale)}`")
    return Check("index", "ok", detail)


def _disk(settings: Settings) -> Check:
    settings.data.mkdir(parents=True, exist_ok=True)
    free = shutil.disk_usage(settings.data).free
    return Check("disk", "ok" if free > 2e9 else "note", f"{free / 1e9:.1f} GB free where data lives")


def _coverage(workspace: Workspace) -> list[Coverage]:
    if not workspace.table("files").exists():
        return []
    files = from_table(read_table(workspace.table("files")), FileRow)
    rows = []
    for language in sorted({row.language for row in files}):
        mine = [row for row in files if row.language == language]
        sums = {name: sum(getattr(row, name) for row in mine) for name in ("lines", "code_lines", "named_lines", "skipped_lines", "problems")}
        rows.append(Coverage(workspace.codebase, language, len(mine), files_as_lines=sum(row.status == "lines" for row in mine), **sums))
    return rows


def _fallen(workspace: Workspace) -> list[dict[str, Any]]:
    if not workspace.table("files").exists():
        return []
    files = [row for row in from_table(read_table(workspace.table("files")), FileRow) if row.status == "lines"]
    problems = read_table(workspace.table("problems"), ["path", "code", "message"]).to_pylist() if files else []
    first: dict[str, str] = {}
    for row in problems:
        first.setdefault(row["path"], f"{row['code']}: {row['message']}")
    return [
        {"codebase": workspace.codebase, "path": row.path, "why": first.get(row.path, "no statement boundary within the budget")} for row in files
    ]
