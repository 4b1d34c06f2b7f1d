"""Control statements of utilities, as they stand in a step's in-stream data.

Sources: z/OS DFSMS Access Method Services Commands (IDCAMS); z/OS DFSORT Application Programming Guide; z/OS DFSMSdfp Utilities;
z/OS TSO/E Command Reference; Db2 for z/OS Command Reference (DSN subcommands). Other utilities give the first word of each statement.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType

from legacylens_assets.types import Reference

_FAMILIES = {
    "IDCAMS": "IDCAMS",
    "SORT": "SORT ICEMAN DFSORT SYNCSORT SYNCGENR ICETOOL SYNCTOOL MERGE",
    "IEBGENER": "IEBGENER ICEGENER",
    "IEBCOPY": "IEBCOPY",
    "IEBUPDTE": "IEBUPDTE IEBPTPCH IEBCOMPR IEBDG",
    "IKJEFT01": "IKJEFT01 IKJEFT1A IKJEFT1B",
    "DFHCSDUP": "DFHCSDUP",
    "DSNUTILB": "DSNUTILB",
    "SQL": "DSNTEP2 DSNTEP4 DSNTIAD DSNTIAUL",
    "LINK": "IEWL HEWL HEWLH096 IEWBLINK LINKEDIT",
    "ADRDSSU": "ADRDSSU",
    "IEHPROGM": "IEHPROGM IEHLIST IEHMOVE",
    "FTP": "FTP",
}
UTILITIES: Mapping[str, str] = MappingProxyType({name: family for family, names in _FAMILIES.items() for name in names.split()})
"""Program -> the family whose control language it reads."""

CARD_DD = re.compile(r"(?:.*\.)?(?:SYSIN|SYSTSIN|TOOLIN|SORTCNTL|DFSPARM|CONTROL|\w{0,4}CNTL|INPUT|SYSLIN|\w{3}CNTL)$")

_BLOCK_COMMENT = re.compile(r"/\*.*?(?:\*/|$)")
_WORD = re.compile(r"[A-Z@#$%.][\w@#$.%-]*", re.IGNORECASE)
_IDCAMS_IO = re.compile(r"\b(IN(?:FILE|DATASET)|I(?:FILE|DS)|OUT(?:FILE|DATASET)|O(?:FILE|DS))\s*\(\s*('[^']*'|[^\s()]+)", re.IGNORECASE)
_NAME = re.compile(r"\bNAME\s*\(\s*('[^']*'|[^\s()]+)", re.IGNORECASE)
_RELATED = re.compile(r"\b(?:RELATE|PATHENTRY|PENT)\s*\(\s*('[^']*'|[^\s()]+)", re.IGNORECASE)
_ENTRY = re.compile(r"(?:\b(?:ENT|ENTRIES|ENTRY|LEVEL|LVL|GDG)\s*)?\(?\s*('[^']*'|[\w@#$&.<>*{}-]+)(?:\([+-]?\d+\))?", re.IGNORECASE)
_RUN = re.compile(r"\bRUN\s+(?:.*?\b)?PROG(?:RAM)?\s*\(\s*([^\s()]+)\s*\)", re.IGNORECASE)
_PLAN = re.compile(r"\bPLAN\s*\(\s*([^\s()]+)\s*\)", re.IGNORECASE)
_CALLED = re.compile(r"CALL\s+(?:'[^'(]*\(([^)']+)\)'|\S*?\(([^)\s]+)\)|\*\(([^)]+)\))", re.IGNORECASE)
_OBJECT = re.compile(
    r"\b(?:PROGRAM|TRANSACTION|TRANS|FILE|MAPSET|GROUP|DB2ENTRY|DB2TRAN|DB2CONN|TDQUEUE|LIBRARY|LIST|MEMBER|PACKAGE|PLAN|TABLESPACE|INDEX)\s*\(\s*([^\s()]+)",
    re.IGNORECASE,
)
_DD_LIST = re.compile(r"\b(?:FNAMES|FILES|OUTDD|INDD|FROM|TO|OUTDDN?|INDDN?|DDNAME)\s*[=(]\s*\(?([\w@#$,]+)", re.IGNORECASE)
_TABLE = re.compile(
    r"\b(INSERT\s+INTO|DELETE\s+FROM|UPDATE|MERGE\s+INTO|FROM|JOIN|INTO\s+TABLE|CREATE\s+TABLE|DROP\s+TABLE|ALTER\s+TABLE)\s+([\w@#$.\"<>&{}]+)",
    re.IGNORECASE,
)

Card = tuple[int, str]

MOST_TEXT = 4000
"""Characters of one control statement that are looked at: keeps time linear when a statement never ends."""


def control_references(program: str, lines: Sequence[str], first: int, detail: Mapping[str, str]) -> list[Reference]:
    """Return what the control statements in ``lines`` (the first has number ``first``) name, for a step that runs ``program``.

    ``detail`` (step, ddname) goes into each. Every statement gives one ``control_card``; IDCAMS datasets also give ``dd`` references with their
    access, RUN PROGRAM gives ``exec_pgm``, SQL gives ``sql_read`` and ``sql_write``.
    """
    family = UTILITIES.get(program.upper(), "")
    split = _SPLITTERS.get(family)
    if split is None:
        return []
    found: list[Reference] = []
    for line, text in split(lines, first):
        found.extend(_READERS.get(family, _plain)(line, text[:MOST_TEXT], {**detail, "utility": program.upper()}))
    return found


def _joined(lines: Sequence[str], first: int) -> Iterator[Card]:
    """Yield commands that go on after a final hyphen or plus (IDCAMS, TSO, DSN); comments between /* and */ are left out."""
    start, parts, inside = 0, list[str](), False
    for number, raw in enumerate(lines, first):
        text = raw[:72].strip()
        if inside:
            _, closed, text = text.partition("*/")
            inside = not closed
        text = _BLOCK_COMMENT.sub(_kept_end, text) if "/*" in text else text
        if text.endswith("\0"):
            inside, text = True, text[:-1]
        text = text.strip()
        if not text:
            continue
        start = start or number
        goes_on = text.endswith(("-", "+"))
        parts.append(text[:-1].rstrip() if goes_on else text)
        if not goes_on:
            yield start, " ".join(parts)
            start, parts = 0, []
    if parts:
        yield start, " ".join(parts)


def _kept_end(match: re.Match[str]) -> str:
    return " " if match.group().endswith("*/") else "\0"


def _comma_joined(lines: Sequence[str], first: int) -> Iterator[Card]:
    """Yield statements that go on after an operand ending in a comma, or after a mark in column 72 (SORT, dfp utilities)."""
    start, parts = 0, list[str]()
    for number, raw in enumerate(lines, first):
        if raw.startswith("*") or not raw.strip():
            continue
        text = raw[:71].rstrip()
        start = start or number
        parts.append(text if not parts else text.strip())
        words = text.split()
        if not (raw[71:72].strip() or any(word.endswith(",") for word in words[:3]) or text.endswith((",", ":", "-"))):
            yield start, "".join(parts)
            start, parts = 0, []
    if parts:
        yield start, "".join(parts)


def _sql_joined(lines: Sequence[str], first: int) -> Iterator[Card]:
    """Yield SQL statements, which end at a semicolon; comments after two hyphens are left out."""
    start, parts = 0, list[str]()
    for number, raw in enumerate(lines, first):
        text = raw[:72].split("--", 1)[0].strip()
        if not text or (not parts and text.startswith("*")):
            continue
        start = start or number
        parts.append(text)
        if text.endswith((";", "#")):
            yield start, " ".join(parts)
            start, parts = 0, []
    if parts:
        yield start, " ".join(parts)


def _object_joined(lines: Sequence[str], first: int) -> Iterator[Card]:
    """Yield definitions that begin with a verb and go on over the lines without one (DFHCSDUP, Db2 utilities)."""
    start, parts = 0, list[str]()
    for number, raw in enumerate(lines, first):
        text = raw[:72].rstrip()
        if not text.strip() or text.startswith("*") or text.lstrip().startswith("--"):
            continue
        if parts and _VERB.match(text):
            yield start, " ".join(parts)
            start, parts = 0, []
        start = start or number
        parts.append(text.strip())
    if parts:
        yield start, " ".join(parts)


_VERB = re.compile(
    r"\s*(?:DEFINE|DELETE|ALTER|ADD|REMOVE|COPY|LIST|INSTALL|UPGRADE|MIGRATE|LOAD|UNLOAD|REORG|RUNSTATS|REBUILD|RECOVER|TEMPLATE|QUIESCE|REPAIR|CHECK|MODIFY|EXEC|LISTDEF|DIAGNOSE|REPORT)\b",
    re.IGNORECASE,
)


def _card(line: int, verb: str, target: str, detail: Mapping[str, str], text: str) -> Reference:
    return Reference("control_card", target or verb, line, None, {**detail, "verb": verb, "text": text[:160]})


def _clean(name: str) -> str:
    return name.strip("'\",;").upper()


def _idcams(line: int, text: str, detail: Mapping[str, str]) -> Iterator[Reference]:
    """Yield the references of one IDCAMS command."""
    words = text.split(None, 3)
    while words and words[0].upper() in ("IF", "THEN", "ELSE", "DO", "END"):
        _, _, rest = text.upper().partition("THEN") if words[0].upper() == "IF" else ("", "", text[len(words[0]) :])
        text = text[len(text) - len(rest) :].strip()
        words = text.split(None, 3)
    if not words:
        return
    verb = re.split(r"[(\s]", words[0], maxsplit=1)[0].upper()
    verb = {"DEL": "DELETE", "DEF": "DEFINE", "LISTC": "LISTCAT", "BIX": "BLDINDEX", "VFY": "VERIFY"}.get(verb, verb)
    targets = list(_idcams_targets(verb, text[len(words[0]) :]))
    named = next((name for name, _ in targets), "")
    yield _card(line, verb, named, detail, text)
    for name, way in targets:
        if "." in name and way:
            yield Reference("dd", name, line, None, {**detail, "access": way, "disp": "", "via": "IDCAMS", "verb": verb})


def _idcams_targets(verb: str, text: str) -> Iterator[tuple[str, str]]:
    """Yield names with their access: "" for what the step only asks about and for DD names."""
    if verb == "DEFINE":
        found = _NAME.search(text) or re.match(r"\s*(?:GDG|GENERATIONDATAGROUP)\s*\(\s*(?:NAME\s*\(\s*)?('[^']*'|[^\s()]+)", text, re.IGNORECASE)
        if found:
            yield _clean(found.group(1)), "write"
        related = _RELATED.search(text)
        if related:
            yield _clean(related.group(1)), "read"
    elif verb == "DELETE":
        inner = re.match(r"\s*\(([^)]*)\)", text)
        names = re.split(r"[\s,]+", inner.group(1).strip()) if inner else [_first(text)]
        yield from ((_clean(name), "delete") for name in names if name)
    elif verb in ("ALTER", "LISTCAT", "VERIFY", "EXPORT", "IMPORT") and not _IDCAMS_IO.search(text):
        found = _ENTRY.match(text.strip())
        if found and "." in found.group(1):
            yield _clean(found.group(1)), "write" if verb in ("ALTER", "IMPORT") else ""
    for match in _IDCAMS_IO.finditer(text):
        yield _clean(match.group(2)), "read" if match.group(1)[0] in "iI" else "write"


def _first(text: str) -> str:
    found = _ENTRY.match(text.strip())
    return found.group(1) if found else ""


def _tso(line: int, text: str, detail: Mapping[str, str]) -> Iterator[Reference]:
    """Yield the references of one TSO command or DSN subcommand: RUN PROGRAM and CALL run programs."""
    word = _WORD.match(text)
    verb = word.group().upper() if word else text.split(None, 1)[0].upper()
    run = _RUN.search(text) if "RUN" in text.upper() else None
    called = _CALLED.match(text) if verb == "CALL" else None
    if run:
        plan = _PLAN.search(text)
        more = {"plan": plan.group(1).upper()} if plan else {}
        yield Reference("exec_pgm", run.group(1).upper(), line, None, {**detail, "via": detail["utility"], **more})
        yield _card(line, "RUN", run.group(1).upper(), detail, text)
    elif called:
        name = next(group for group in called.groups() if group).upper()
        yield Reference("exec_pgm", name, line, None, {**detail, "via": detail["utility"]})
        yield _card(line, "CALL", name, detail, text)
    elif verb in ("BIND", "REBIND", "FREE"):
        member = re.search(r"\bMEMBER\s*\(\s*([^\s()]+)", text, re.IGNORECASE) or _OBJECT.search(text)
        yield _card(line, verb, member.group(1).upper() if member else "", detail, text)
    else:
        yield _card(line, verb, "", detail, text)


def _sort(line: int, text: str, detail: Mapping[str, str]) -> Iterator[Reference]:
    """Yield one card for a statement of SORT or ICETOOL, for each DD it names when it names some."""
    words = text.split(None, 1)
    verb = words[0].upper() if words else ""
    named = (
        _DD_LIST.findall(text) if verb in ("OUTFIL", "JOINKEYS", "COPY", "SELECT", "SPLICE", "SORT", "COUNT", "DISPLAY", "STATS", "RESIZE") else []
    )
    names = [name.upper() for group in named for name in group.split(",") if name]
    yield from (_card(line, verb, name, detail, text.strip()) for name in dict.fromkeys(names) or {"": None})


def _sql(line: int, text: str, detail: Mapping[str, str]) -> Iterator[Reference]:
    verb = text.split(None, 1)[0].upper().rstrip(";")
    yield _card(line, verb, "", detail, text)
    yield from _tables(line, text, detail)


def _tables(line: int, text: str, detail: Mapping[str, str]) -> Iterator[Reference]:
    seen: set[tuple[str, str]] = set()
    for match in _TABLE.finditer(text):
        kind = "sql_read" if match.group(1).upper() in ("FROM", "JOIN") else "sql_write"
        key = (kind, match.group(2).strip('"').upper().rstrip(";"))
        if key[1] not in ("", "SELECT", "TABLE") and key not in seen:
            seen.add(key)
            yield Reference(kind, key[1], line, None, dict(detail))


def _db2_utility(line: int, text: str, detail: Mapping[str, str]) -> Iterator[Reference]:
    verb = text.split(None, 1)[0].upper()
    named = _OBJECT.search(text) or re.search(r"\bTABLESPACE\s+([\w@#$.]+)", text, re.IGNORECASE)
    yield _card(line, verb, named.group(1).upper() if named else "", detail, text)
    if verb in ("LOAD", "UNLOAD"):
        yield from _tables(line, text, detail)


def _plain(line: int, text: str, detail: Mapping[str, str]) -> Iterator[Reference]:
    """Yield one card: the first word, past a ``./`` mark, and what it names."""
    words = text.removeprefix("./").split()
    if words:
        named = _OBJECT.search(text) or re.search(r"\b(?:NAME|MEMBER|DSNAME|OUTDD|INDD)\s*=\s*\(*([\w@#$.]+)", text, re.IGNORECASE)
        if named is None and words[0].upper() in ("INCLUDE", "ENTRY", "NAME"):
            named = re.match(r"\s*\S+\s+(?:\w+\()?([\w@#$]+)", text)
        yield _card(line, words[0].upper(), named.group(1).upper() if named else "", detail, text.strip())


def _csd(line: int, text: str, detail: Mapping[str, str]) -> Iterator[Reference]:
    """Yield one card for a CSD definition; a transaction also names its program, a file its dataset."""
    yield from _plain(line, text, detail)
    found = re.match(r"\s*(?:DEF|DEFINE|ALTER)\s+(TRANS|TRANSACTION|FILE)\s*\(\s*([^\s()]+)\s*\)", text, re.IGNORECASE)
    if found is None:
        return
    transaction = found.group(1).upper() != "FILE"
    named = re.search(r"\bPROG(?:RAM)?\s*\(\s*([^\s()]+)" if transaction else r"\b(?:DSNAME|DSN)\s*\(\s*([^\s()]+)", text, re.IGNORECASE)
    if named and transaction:
        yield Reference("transaction", found.group(2).upper(), line, None, {**detail, "program": named.group(1).upper()})
    elif named:
        yield Reference("file_assign", found.group(2).upper(), line, None, {**detail, "file": named.group(1).upper()})


_SPLITTERS: Mapping[str, Callable[[Sequence[str], int], Iterator[Card]]] = MappingProxyType(
    {family: _comma_joined for family in _FAMILIES}
    | {"IDCAMS": _joined, "IKJEFT01": _joined, "ADRDSSU": _joined, "SQL": _sql_joined, "DFHCSDUP": _object_joined, "DSNUTILB": _object_joined}
)
_READERS: Mapping[str, Callable[[int, str, Mapping[str, str]], Iterator[Reference]]] = MappingProxyType(
    {"IDCAMS": _idcams, "IKJEFT01": _tso, "SORT": _sort, "SQL": _sql, "DSNUTILB": _db2_utility, "DFHCSDUP": _csd}
)
