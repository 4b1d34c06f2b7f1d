"""Units -> chunks at syntax boundaries: every line of a file lies in exactly one chunk or in one listed skip."""

from __future__ import annotations

from legacylens_assets.chunking.budget import CHUNKER_VERSION, Budget, Skip
from legacylens_assets.chunking.chunk import chunk_file

__all__ = ["CHUNKER_VERSION", "Budget", "Skip", "chunk_file"]
