"""CICS and DL/I commands: programs, transactions, maps, files and queues they name."""

from __future__ import annotations

from legacylens_assets.parsers.cobol.reading import Reading
from legacylens_assets.parsers.cobol.tokens import IDENT, LITERAL, unquote

_FILE_ACCESS = {
    **dict.fromkeys(("READ", "READNEXT", "READPREV", "STARTBR", "RESETBR", "ENDBR", "UNLOCK"), "read"),
    **dict.fromkeys(("WRITE", "REWRITE", "DELETE"), "write"),
}
_QUEUE_ACCESS = {"READQ": "read", "WRITEQ": "write", "DELETEQ": "delete"}
_SETS = frozenset(
    """
INTO SET RESP RESP2 LENGTH ABSTIME TIME DATE MMDDYYYY YYYYMMDD DDMMYYYY YYDDD FLENGTH NUMITEMS TOKEN USERID APPLID SYSID MMDDYY DDMMYY
YYMMDD
""".split()
)
_DLI_WRITES = frozenset({"ISRT", "REPL", "DLET"})


class _Options:
    """The options of a command: name -> index of the first token of its value."""

    def __init__(self, r: Reading, start: int, end: int) -> None:
        self.r = r
        self.at: dict[str, int] = {}
        self.flags: set[str] = set()
        self.values: list[tuple[str, int, int]] = []
        k = start
        while k < end:
            name = r.upper[k]
            if k + 1 < end and r.upper[k + 1] == "(":
                close = _closing(r, k + 1, end)
                self.at.setdefault(name, k + 2)
                self.values.append((name, k + 2, close))
                k = close + 1
            else:
                self.flags.add(name)
                k += 1

    def refer(self, kind: str, names: tuple[str, ...], **detail: str) -> bool:
        """Add a reference to the value of the first option of ``names`` that is there."""
        r = self.r
        for name in names:
            k = self.at.get(name, r.size)
            if k < r.size and r.upper[k] != ")":
                literal = r.kind[k] == LITERAL
                target = unquote(r.upper[k]).strip() if literal else r.upper[k]
                extra = {} if literal else {"dynamic": "1"}
                if not literal and r.word(k + 1) in ("OF", "IN"):
                    extra["of"] = r.word(k + 2)
                r.refer(kind, target, r.line[k], {**detail, **extra})
                return True
        return False

    def value(self, name: str) -> str:
        """Return the value of an option, "" when it is not there."""
        k = self.at.get(name, self.r.size)
        return unquote(self.r.upper[k]).strip() if k < self.r.size and self.r.upper[k] != ")" else ""


def _closing(r: Reading, k: int, end: int) -> int:
    """Return the index of the parenthesis that closes the one at ``k``, or ``end``."""
    depth = 0
    for m in range(k, end):
        if r.upper[m] == "(":
            depth += 1
        elif r.upper[m] == ")":
            depth -= 1
            if depth == 0:
                return m
    return end


def read_cics(r: Reading, i: int, start: int, end: int) -> None:
    """Record what the CICS command of tokens ``start`` to ``end`` refers to."""
    if start >= end:
        return
    verb = r.upper[start]
    options = _Options(r, start + 1, end)
    if verb in ("LINK", "LOAD"):
        options.refer("cics_link", ("PROGRAM",), verb=verb)
    elif verb == "XCTL":
        options.refer("cics_xctl", ("PROGRAM",), verb=verb)
    elif verb in ("START", "RUN"):
        options.refer("cics_start", ("TRANSID",), verb=verb)
    elif verb == "RETURN":
        options.refer("cics_return", ("TRANSID",), verb=verb)
    elif verb in ("SEND", "RECEIVE") and "MAP" in options.at:
        mapset = options.value("MAPSET")
        options.refer("cics_map", ("MAP",), verb=verb, **({"mapset": mapset} if mapset else {}))
    elif verb in _FILE_ACCESS:
        update = {"update": "1"} if "UPDATE" in options.flags else {}
        options.refer("cics_file", ("FILE", "DATASET"), verb=verb, access=_FILE_ACCESS[verb], **update)
    elif verb in _QUEUE_ACCESS or (verb in ("READQ", "WRITEQ", "DELETEQ")):
        storage = "td" if "TD" in options.flags else "ts"
        options.refer("cics_queue", ("QUEUE", "QNAME"), verb=verb, access=_QUEUE_ACCESS[verb], storage=storage)
    elif verb == "HANDLE":
        _handle(r, options)
    _fields(r, options)


def _handle(r: Reading, options: _Options) -> None:
    """HANDLE CONDITION, AID and ABEND name paragraphs to go to, or a program."""
    if "ABEND" in options.flags and options.refer("cics_link", ("PROGRAM",), verb="HANDLE ABEND"):
        return
    for name, k, close in options.values:
        if k < close and r.is_name(k):
            r.refer("goto", r.upper[k], r.line[k], {"via": "handle", "condition": name})


def _fields(r: Reading, options: _Options) -> None:
    """Record the fields that options set and use."""
    handling = "CONDITION" in options.flags or "AID" in options.flags
    for name, k, close in options.values:
        if k < close and r.kind[k] == IDENT and not (handling or name in ("LABEL", "SEGMENT")):
            of = r.upper[k + 2] if k + 2 < close and r.upper[k + 1] in ("OF", "IN") else ""
            r.refer_field("field_set" if name in _SETS else "field_used", r.upper[k], r.line[k], of)


def read_dli(r: Reading, i: int, start: int, end: int) -> None:
    """Record the segments that a DL/I call reads or writes."""
    if start >= end:
        return
    verb = r.upper[start]
    options = _Options(r, start + 1, end)
    segments = [(k, close) for name, k, close in options.values if name == "SEGMENT" and k < close]
    for at, (k, _) in enumerate(segments):
        writes = verb in _DLI_WRITES and at == len(segments) - 1
        r.refer("file_write" if writes else "file_read", unquote(r.upper[k]).strip(), r.line[k], {"via": "dli", "verb": verb})
    _fields(r, options)
