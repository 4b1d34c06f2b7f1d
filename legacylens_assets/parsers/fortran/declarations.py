"""What specification statements declare: arrays, externals, COMMON blocks, modules used. Texts are normalised and in lower case."""

from __future__ import annotations

import re

from legacylens_assets.parsers.fortran.headers import outside_brackets

_TYPED = re.compile(
    r"(?:integer|real|complex|logical|character|double ?precision|double ?complex|byte|type ?\(|class ?\(|dimension|common|pointer|target|"
    r"allocatable|automatic|save|virtual|external|intrinsic|volatile|codimension|contiguous|procedure ?\(|record ?/|static|structure)"
)
_ARRAY = re.compile(r"([a-z_$][\w$]*)(?:\*\d+)?\(")
_NAMES = re.compile(r"[a-z_$][\w$]*")
_COMMON = re.compile(r"(?:^common|,?)/([\w$]*)/|^common(?=[a-z_$])")
_USE = re.compile(r"use ?(?:, ?(?:non_)?intrinsic ?::|::)?([a-z][\w$]*)(?:$|,(.*)$)")
_EXTERNAL = re.compile(r"external ?(?:::)?(.*)$")
_PASSIVE = re.compile(
    r"(?:implicit|parameter ?\(|data(?=[ \w(])|equivalence ?\(|namelist ?/|format ?\(|import\b|sequence$|private\b|public\b|protected\b|optional\b|"
    r"intent ?\(|value\b|bind ?\(|asynchronous\b|generic\b|final\b|enumerator\b|enum,|intrinsic|include|use ?[,:a-z]|record ?/|structure ?/|"
    r"union$|map$|end ?(?:map|union|structure)|"
    r"procedure[ (,:]|abstract ?interface|interface|type[ ,:(]|class ?\(|options\b)"
)


def is_declaration(low: str) -> bool:
    """Return whether a statement, known to be no assignment, may declare data with dimensions, a type or EXTERNAL."""
    return _TYPED.match(low) is not None


def is_passive(low: str) -> bool:
    """Return whether a statement is a specification that refers to no procedure (DATA, FORMAT, PARAMETER, IMPLICIT...)."""
    return _PASSIVE.match(low) is not None


def arrays_of(low: str) -> set[str]:
    """Return the names that a declaration gives dimensions.

    >>> sorted(arrays_of("reala(10),b,c(n,n)")), sorted(arrays_of("real,dimension(n)::x,y")), sorted(arrays_of("common/k/p(3),q"))
    (['a', 'c'], ['x', 'y'], ['p'])
    """
    flat = outside_brackets(low)
    head, colons, tail = flat.partition("::")
    if colons:
        if "dimension" in head:
            return set(_NAMES.findall(tail.split("=", 1)[0] if "," not in tail else tail))
        return {name for name in _ARRAY.findall(tail)}
    rest = _without_type(flat)
    return set(_ARRAY.findall(rest))


_TYPE_WORD = re.compile(
    r"(?:integer|real|complex|logical|character|double ?precision|double ?complex|byte|dimension|common|pointer|target|allocatable|"
    r"automatic|save|virtual|"
    r"volatile|codimension|type|class|static|record)(?:\*\d+|\*\(\)|\(\))? ?,?(?:/[\w$]*/)?"
)


def _without_type(flat: str) -> str:
    found = _TYPE_WORD.match(flat)
    return flat[found.end() :] if found else flat


def externals_of(low: str) -> list[str]:
    """Return the names that an EXTERNAL statement or attribute declares, in order."""
    found = _EXTERNAL.match(low)
    if found:
        return _NAMES.findall(found.group(1))
    head, colons, tail = low.partition("::")
    if colons and ",external" in head:
        return _NAMES.findall(tail)
    return []


def commons_of(low: str) -> list[tuple[str, int]]:
    """Return the COMMON blocks that a statement names, with their offsets; blank common is "//".

    >>> commons_of("common/a/x,y/b/z(2)"), commons_of("commonx,y")
    ([('a', 0), ('b', 12)], [('//', 0)])
    """
    if not low.startswith("common"):
        return []
    flat = low
    return [(found.group(1) or "//", found.start()) for found in _COMMON.finditer(flat)]


def used_module(low: str) -> tuple[str, str] | None:
    """Return (module, what follows: ``only:...`` or renames) of a USE statement, or None.

    >>> used_module("use,intrinsic::iso_c_binding,only:c_int"), used_module("use=1")
    (('iso_c_binding', 'only:c_int'), None)
    """
    found = _USE.match(low)
    return (found.group(1), found.group(2) or "") if found else None
