"""placeholder"""

from __future__ import annotations
from pathlib import Path
from legacylens_assets.errors import SourceError
from legacylens_assets.registry import Origin
from legacylens_assets.settings import Settings
from legacylens_assets.sources.fetch import Fetched
from legacylens_assets.sources.tree import Budget


def resolve(origin: Origin, settings: Settings, budget: Budget) -> str:
    raise SourceError("not yet")


def fetch_pypi(origin: Origin, wanted: str, settings: Settings, building: Path, budget: Budget) -> Fetched:
    raise SourceError("not yet")
