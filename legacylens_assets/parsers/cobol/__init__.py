"""COBOL: every source form and dialect that compiles to a line of structure."""

from legacylens_assets.parsers.cobol.expand import Expanded, Origin, expand, parse_expanded
from legacylens_assets.parsers.cobol.outline import parse

__all__ = ["Expanded", "Origin", "expand", "parse", "parse_expanded"]
