"""COBOL: every source form and dialect that compiles to a line of structure."""

from legacylens_assets.parsers.cobol.outline import parse

__all__ = ["parse"]
