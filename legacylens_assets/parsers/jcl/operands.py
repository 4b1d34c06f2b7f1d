"""The operand field: parameters, dispositions, dataset names, symbols.

Source: z/OS MVS JCL Reference, "Parameter field", "DISP parameter", "DSNAME parameter"; JCL User's Guide, "Using system symbols and JCL symbols".
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

_PIECE = re.compile(r"'(?:[^']|'')*+'?|[(),=]|[^'(),=]+")
_SYMBOL = re.compile(r"&&|&([A-Z@#$][A-Z0-9@#$_]{0,15})\.?", re.IGNORECASE)
_MEMBER = re.compile(r"([^()]*)\(\s*([^()]*?)\s*\)$")
_GENERATION = re.compile(r"[+-]?\d+$")


def parameters(operands: str) -> tuple[list[str], dict[str, str]]:
    """Return positional parameters and keyword parameters (keys in upper case), split at commas outside parentheses and apostrophes.

    >>> parameters("PGM=X,PARM='A,B',COND=(4,LT)")
    ([], {'PGM': 'X', 'PARM': "'A,B'", 'COND': '(4,LT)'})
    """
    positional: list[str] = []
    keywords: dict[str, str] = {}
    depth, key, parts = 0, "", list[str]()

    def take() -> None:
        value = "".join(parts).strip()
        if key:
            keywords.setdefault(key, value)
        else:
            positional.append(value)

    for piece in _PIECE.findall(operands):
        if piece == "," and depth == 0:
            take()
            key, parts = "", []
            continue
        if piece == "=" and depth == 0 and not key and len(parts) == 1:
            key, parts = parts[0].strip().upper(), []
            continue
        depth += (piece == "(") - (piece == ")" and depth > 0)
        parts.append(piece)
    if parts or key:
        take()
    return positional, keywords


def unquoted(value: str) -> str:
    """Return the text of a value in apostrophes, else the value.

    >>> unquoted("'O''BRIEN'")
    "O'BRIEN"
    """
    if len(value) >= 2 and value[0] == value[-1] == "'":
        return value[1:-1].replace("''", "'")
    return value


def listed(value: str) -> list[str]:
    """Return the parts of ``(A,B,C)``, or the one value; inner parentheses stay whole.

    >>> listed("(NEW,CATLG,DELETE)"), listed("SHR"), listed("((A,B),C)")
    (['NEW', 'CATLG', 'DELETE'], ['SHR'], ['(A,B)', 'C'])
    """
    inner = value[1:-1] if value.startswith("(") and value.endswith(")") else value
    return [part.replace("\0", "=") for part in parameters(inner.replace("=", "\0"))[0]]


def substituted(text: str, symbols: Mapping[str, str]) -> str:
    """Return ``text`` with the known symbols replaced; a period that ends a symbol's name goes with it, ``&&`` stays.

    >>> substituted("&HLQ..PAY.&OTHER..X(&M)", {"HLQ": "PROD", "M": "ABC"})
    'PROD.PAY.&OTHER..X(ABC)'
    """
    if "&" not in text:
        return text

    def value(match: re.Match[str]) -> str:
        name = match.group(1)
        found = symbols.get(name.upper()) if name else None
        return match.group() if found is None else found

    return _SYMBOL.sub(value, text)


def symbol_names(text: str) -> list[str]:
    """Return the names of the symbols in ``text``, upper case."""
    return [match.group(1).upper() for match in _SYMBOL.finditer(text) if match.group(1)] if "&" in text else []


@dataclass(frozen=True, slots=True)
class Dataset:
    """A dataset name without its parentheses, and what they hold: a member or a relative generation ("" when there is none)."""

    name: str
    member: str = ""
    generation: str = ""


def dataset(value: str) -> Dataset:
    """Return the parts of a DSN value.

    >>> dataset("A.B(+1)"), dataset("A.LIB(PAY)")
    (Dataset(name='A.B', member='', generation='+1'), Dataset(name='A.LIB', member='PAY', generation=''))
    """
    text = unquoted(value).strip().upper()
    found = _MEMBER.match(text)
    if found is None:
        return Dataset(text)
    name, inner = found.group(1).strip(), unquoted(found.group(2))
    if _GENERATION.match(inner):
        return Dataset(name, generation=inner)
    return Dataset(name, member=inner)


READ_NAMES = re.compile(
    r"(?:.*\.)?(?:SYSUT1|SORTIN\d*|SYSIN|SYSTSIN|STEPLIB|JOBLIB|SYSLIB|INFILE|INDD\w*|IN\d*|SYSPROC|SYSEXEC|SYSLIN|DBRMLIB|SYMNAMES)$"
)
"""DD names that a program reads even when it holds the dataset exclusively (DISP=OLD)."""


def access(disposition: str, ddname: str, target: str, override: bool) -> str:
    """Return read, write or delete: what DISP says that the step does with the dataset.

    SHR reads; NEW, MOD and the default (NEW) write; OLD writes unless the DD is one that programs read; a normal disposition DELETE deletes
    what was there before the step (a temporary dataset is then only read). ``override``: the DD alters that of a procedure, whose DISP is not known.
    """
    parts = [part.upper() for part in listed(disposition)] + ["", ""]
    status, normal = parts[0], parts[1]
    if normal == "DELETE" and status in ("OLD", "SHR", "MOD") and not (target.startswith("&&") and status != "MOD"):
        return "delete"
    if status == "SHR" or (status == "OLD" and (target.startswith("&&") or READ_NAMES.match(ddname.upper()))):
        return "read"
    if not disposition and override:
        return "read" if READ_NAMES.match(ddname.upper()) else "write" if ddname.upper().endswith(("OUT", "SYSUT2")) else "read"
    return "write"
