"""EXEC SQL, CICS and DLI blocks: where they end, and what they refer to."""

from __future__ import annotations

from bisect import bisect_left

from legacylens_assets.parsers.cobol.copying import record_copy
from legacylens_assets.parsers.cobol.exec_cics import read_cics, read_dli
from legacylens_assets.parsers.cobol.exec_sql import read_sql
from legacylens_assets.parsers.cobol.reading import Reading
from legacylens_assets.parsers.cobol.tokens import DOT, unquote

KINDS = frozenset({"SQL", "CICS", "DLI", "SQLIMS", "ADO", "HTML", "IDMS", "JAVA"})


def exec_block(r: Reading, i: int, *, unit: bool) -> int:
    """Record the EXEC block at ``i``; return the index after END-EXEC and a period that follows it."""
    r.mark(i)
    kind = r.word(i + 1)
    end = _block_end(r, i)
    start = i + 2
    if kind == "SQL":
        if r.word(start) == "INCLUDE" and start + 1 < end:
            record_copy(r, unquote(r.text[start + 1]), i, end, unit=unit, detail={"via": "sql"})
        else:
            if unit and r.word(start) == "DECLARE" and start + 1 < end:
                what = "table" if r.word(start + 2) == "TABLE" or "TABLE" in r.upper[start : min(start + 6, end)] else "cursor"
                symbol = r.open(r.text[start + 1], "data_item", r.line[i], r.program, detail={"type": what})
                r.close(symbol, r.line_of(end))
            read_sql(r, i, start, end)
    elif kind == "CICS":
        read_cics(r, i, start, end)
    elif kind == "DLI":
        read_dli(r, i, start, end)
    after = end + 1 if r.word(end) == "END-EXEC" else max(end, i + 1)
    return after + 1 if r.kind_at(after) == DOT else after


def _block_end(r: Reading, i: int) -> int:
    """Return the index of END-EXEC, or where a block without one ends: before the next block, or at the next period."""
    at = bisect_left(r.exec_ends, i)
    end = r.exec_ends[at] if at < len(r.exec_ends) else r.size
    following = bisect_left(r.exec_starts, i + 1)
    if end == r.size or (following < len(r.exec_starts) and r.exec_starts[following] < end):
        r.problem(r.line[i], "exec_open", f"EXEC {r.word(i + 1)} has no END-EXEC")
        return min(r.next_dot(i + 1), end)
    return end
