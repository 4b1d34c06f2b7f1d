"""Where each stage of a codebase keeps its files, and the stamps that say whether they are fresh."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from legacylens_assets.tables import read_json, write_json


@dataclass(frozen=True, slots=True)
class Workspace:
    """Paths of one codebase under the data folder."""

    data: Path
    codebase: str

    @property
    def raw(self) -> Path:
        """Return the folder of the fetched tree."""
        return self.data / "raw" / self.codebase

    @property
    def stages(self) -> Path:
        """Return the folder of the Parquet files."""
        return self.data / "stages" / self.codebase

    def table(self, name: str) -> Path:
        """Return the path of one Parquet file: manifest, files, chunks, symbols, references, problems, graph, texts, dense or sparse-LEG."""
        return self.stages / f"{name}.parquet"

    def stamp(self, stage: str) -> dict[str, Any]:
        """Return what the last successful run of ``stage`` recorded, {} if it never ran."""
        return read_json(self.stages / f"{stage}.json")

    def write_stamp(self, stage: str, **values: object) -> None:
        """Record a successful run of ``stage``."""
        write_json(values, self.stages / f"{stage}.json")


def digest(*parts: object) -> str:
    """Return a short stable hash of the parts' text.

    >>> digest("a", 1) == digest("a", "1")
    True
    """
    joined = "\0".join(str(part) for part in parts)
    return hashlib.sha256(joined.encode("utf-8", "surrogatepass")).hexdigest()[:24]


def file_digest(path: Path) -> str:
    """Return a short hash of a file's bytes, "" when it does not exist."""
    try:
        with path.open("rb") as handle:
            return hashlib.file_digest(handle, "sha256").hexdigest()[:24]
    except FileNotFoundError:
        return ""
