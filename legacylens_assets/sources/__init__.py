"""How a codebase arrives: fetched, pinned and verified (``fetch``), then told by language and encoding (``detect``, ``decode``)."""

from __future__ import annotations

from legacylens_assets.sources.detect import Detected, detect
from legacylens_assets.sources.encodings import decode
from legacylens_assets.sources.fetch import RawRepo, fetch

__all__ = ["Detected", "RawRepo", "decode", "detect", "fetch"]
