"""RPG II, III and IV, by columns and free: procedures, subroutines, declarations, files, and what they call, read and write."""

from __future__ import annotations

from legacylens_assets.parsers.rpg.outline import parse

__all__ = ["parse"]
