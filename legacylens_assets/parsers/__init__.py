"""The seven parsers, one file (or folder) per language, behind one protocol and one explicit table."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from legacylens_assets.parsers import c, cobol, fortran, jcl, pli, rpg, text
from legacylens_assets.parsers.protocol import Parser
from legacylens_assets.types import ParsedFile, SourceFile

PARSERS: Mapping[str, Parser] = MappingProxyType(
    {"cobol": cobol.parse, "c": c.parse, "fortran": fortran.parse, "jcl": jcl.parse, "pli": pli.parse, "rpg": rpg.parse, "text": text.parse}
)
PARSER_VERSIONS: Mapping[str, str] = MappingProxyType({name: "1" for name in PARSERS} | {"c": "2", "cobol": "3", "jcl": "2", "rpg": "2", "text": "2"})
"""Part of the reuse key of parsing: raise a language's version whenever its parser's output may change."""


def parse(source: SourceFile) -> ParsedFile:
    """Return the structure of ``source`` by the parser of its language; an unknown language is parsed as text."""
    return PARSERS.get(source.language, text.parse)(source)
