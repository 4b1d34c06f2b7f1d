"""DATA DIVISION: files, records and the items in them, each with its picture, usage, values, byte offset and length."""

from __future__ import annotations

from dataclasses import dataclass

from legacylens_assets.parsers.cobol.copying import copy_statement, replace_statement
from legacylens_assets.parsers.cobol.exec_blocks import exec_block
from legacylens_assets.parsers.cobol.form import AREA_A
from legacylens_assets.parsers.cobol.layout import USAGES, Entry, place
from legacylens_assets.parsers.cobol.reading import Reading
from legacylens_assets.parsers.cobol.tokens import DOT, IDENT, KEYWORD, LITERAL, NUMBER, SIGN, unquote
from legacylens_assets.parsers.cobol.words import DATA_SECTIONS, DESCRIPTIONS, OPERATOR_WORDS

LEVELS = frozenset({str(n) for n in range(1, 50)} | {f"{n:02}" for n in range(1, 50)} | {"66", "77", "78", "88"})
_CLAUSES = frozenset(
    """
REDEFINES OCCURS USAGE VALUE VALUES SIGN SYNC SYNCHRONIZED JUST JUSTIFIED BLANK EXTERNAL GLOBAL RENAMES INDEXED COPY LINE COLUMN TYPE SOURCE
SUM GROUP NEXT PRESENT POSITION
""".split()
)
_MAX_OCCURS = 1 << 31


def is_data_start(r: Reading, i: int) -> bool:
    """Return whether the sentence at ``i`` of a file without divisions is a data or file description."""
    word, after = r.upper[i], r.kind_at(i + 1)
    if word in DESCRIPTIONS and after == IDENT:
        return True
    if word not in LEVELS or r.word(i + 1) == "SECTION":
        return False
    return after in (IDENT, KEYWORD, LITERAL, SIGN) or (after == NUMBER and r.line_of(i + 1) == r.line[i])


def data_sentence(r: Reading, i: int) -> int:
    """Read one sentence of the DATA DIVISION; return the index after it."""
    word = r.upper[i]
    if word in LEVELS and r.kind[i] == NUMBER:
        return _item(r, i)
    if word == "COPY":
        return copy_statement(r, i, unit=not _takes_in(r, i, _copy_belongs(r, i)))
    if word in ("EXEC", "EXECUTE"):
        return exec_block(r, i, unit=not _takes_in(r, i, r.childless))
    if word == "REPLACE":
        return replace_statement(r, i)
    r.mark(i)
    if r.word(i + 1) == "SECTION":
        close_items(r, r.end_before(i))
        close_description(r, r.end_before(i))
        r.data_section = word if word in DATA_SECTIONS else ""
        return i + 3 if r.kind_at(i + 2) == DOT else i + 2
    if word in DESCRIPTIONS and i + 1 < r.size:
        return _description(r, i)
    if r.kind[i] != IDENT and word not in _CLAUSES and not _is_clause(word):
        r.problem(r.line[i], "unknown_entry", f"{r.text[i][:40]!r} begins no data description")
    return _entry_end(r, i + 1)[1]


def _takes_in(r: Reading, i: int, inside: bool) -> bool:
    """Make room in the open record for the items that a COPY at ``i`` brings in, or end the record before it; return ``inside``."""
    if not inside:
        close_items(r, r.end_before(i))
    elif r.record:
        if (r.record[-1][0].pic or r.record[-1][0].usage) and len(r.items) > 1:
            r.close(r.items.pop()[1], r.end_before(i))
        r.record.append((Entry(0), None))
    r.childless = False
    return inside


def _copy_belongs(r: Reading, i: int) -> bool:
    """Return whether a COPY stands inside the open record: the record still needs items, or the COPY is indented like one."""
    if not r.items:
        return False
    if r.childless:
        return True
    if r.first[i] == AREA_A or len(r.items) < 2 and not r.record:
        return False
    return r.indent(r.line[i]) > r.indent(r.symbols[r.items[0][1]].start) and len(r.record) > 1


def close_items(r: Reading, end: int) -> None:
    """End the open record: its items get their places."""
    for _, index in r.items:
        r.close(index, end)
    r.items.clear()
    r.childless = False
    if r.record:
        places = place([entry for entry, _ in r.record], constants=r.constants)
        for (_, symbol), where in zip(r.record, places, strict=True):
            if symbol is None:
                continue
            detail = r.symbols[symbol].detail
            if where.offset is not None:
                detail["offset"] = str(where.offset)
            if where.length is not None:
                detail["length"] = str(where.length)
        r.record.clear()


def close_description(r: Reading, end: int) -> None:
    """End the open file description."""
    r.close(r.description, end)
    r.description = None


def _description(r: Reading, i: int) -> int:
    """Open an FD, SD, RD or CD entry."""
    end = r.end_before(i)
    close_items(r, end)
    close_description(r, end)
    name = r.text[i + 1]
    detail = {"role": r.upper[i].lower()}
    if name.upper() in r.assigned:
        detail["ddname"] = r.assigned[name.upper()]
    r.description = r.open(name, "file", r.line[i], r.program, detail=detail)
    r.close(r.description, r.line[i + 1])
    return _entry_end(r, i + 2)[1]


def _entry_end(r: Reading, i: int) -> tuple[int, int]:
    """Return (index after the entry's last token, index where the next sentence begins): at the period, or where an entry begins without one."""
    stop = r.next_dot(i)
    if stop < r.size and r.line[stop] - r.line[min(i, stop)] <= 1:
        limit = stop
    else:
        limit = _unfinished(r, i, stop)
    if limit < stop or stop >= r.size:
        if limit < stop:
            r.problem(r.line[limit - 1], "missing_period", "a data description is not followed by a period")
        return limit, limit
    return stop, stop + 1


def _unfinished(r: Reading, i: int, stop: int) -> int:
    """Return the index of a level number or heading that begins a line before the period at ``stop``, or ``stop``."""
    upper, first, kind = r.upper, r.first, r.kind
    for k in range(i, stop):
        if not first[k]:
            continue
        after = upper[k + 1] if k + 1 < r.size else ""
        if (
            kind[k] == NUMBER
            and upper[k] in LEVELS
            and (after == "FILLER" or kind[min(k + 1, r.size - 1)] == IDENT)
            and upper[k - 1] not in OPERATOR_WORDS
        ):
            if upper[k - 1] not in ("VALUE", "VALUES", "ARE", "OCCURS", "IS"):
                return k
        elif after in ("DIVISION", "SECTION") and kind[k] in (IDENT, KEYWORD):
            return k
        elif upper[k] in DESCRIPTIONS and first[k] == AREA_A:
            return k
    return stop


def _item(r: Reading, i: int) -> int:
    """Read a data description entry."""
    r.mark(i)
    number = int(r.upper[i])
    end, after = _entry_end(r, i + 1)
    named = i + 1 < end and (
        r.kind[i + 1] == IDENT or (r.kind[i + 1] in (KEYWORD, LITERAL) and r.upper[i + 1] not in _CLAUSES and not _is_clause(r.upper[i + 1]))
    )
    name = r.text[i + 1] if named else "FILLER"
    detail: dict[str, str] = {"level": f"{number:02}"}
    entry = _clauses(r, i + 2 if named else i + 1, end, number, name.upper(), detail)
    level = 1 if number == 77 else number
    line_end = r.line_of(end if end < r.size and r.kind[end] == DOT else end - 1)
    if number in (66, 78, 88):
        _condition(r, i, name, number, detail, line_end)
        return after
    before = r.end_before(i)
    if r.items and (level == 1 or r.items[0][0] >= level):
        close_items(r, before)
    while r.items and r.items[-1][0] >= level:
        r.close(r.items.pop()[1], before)
    if not r.items and r.data_section:
        detail["section"] = r.data_section.lower()
    parent = r.items[-1][1] if r.items else (r.description if r.data_section in ("FILE", "REPORT", "COMMUNICATION", "") else None)
    top = not r.items
    if top and r.description is not None and r.symbols[r.description].detail["role"] in ("fd", "sd"):
        r.file_of_record[name.upper()] = r.symbols[r.description].name.upper()
    index = r.open(name, "data_item", r.line[i], parent if parent is not None else r.program, unit=top, detail=detail)
    r.close(index, line_end)
    r.items.append((level, index))
    r.record.append((entry, index))
    r.childless = not entry.pic and not entry.usage and "value" not in detail and not (entry.redefines and number == 77)
    if "copy" in detail:
        r.childless = False
    return after


def _is_clause(word: str) -> bool:
    return word in USAGES or word.startswith(("PIC", "PICTURE")) or word == "IS"


def _condition(r: Reading, i: int, name: str, number: int, detail: dict[str, str], line_end: int) -> None:
    """Record a level 66, 78 or 88 entry, which takes no room."""
    if number == 78:
        close_items(r, r.end_before(i))
        r.constants[name.upper()] = detail.get("value", "").strip()
    if number == 66:
        while len(r.items) > 1:
            r.close(r.items.pop()[1], r.end_before(i))
    holder = r.items[-1 if number == 88 else 0][1] if r.items else (r.description if number != 78 else None)
    index = r.open(name, "data_item", r.line[i], holder if holder is not None else r.program, unit=not r.items, detail=detail)
    r.close(index, line_end)
    if number == 88 and r.items:
        values = detail.get("values", "").split("\x00") if "values" in detail else []
        r.conditions[name.upper()] = (r.symbols[r.items[-1][1]].name.upper(), [unquote(value) for value in values])
    if "values" in detail:
        detail["values"] = detail["values"].replace("\x00", ", ")


@dataclass(slots=True)
class _Shape:
    """What the clauses of an entry say that the layout needs."""

    pic: str = ""
    usage: str = ""
    redefines: str = ""
    occurs: int = 1
    separate: bool = False
    sync: bool = False


def _clauses(r: Reading, k: int, end: int, number: int, name: str, detail: dict[str, str]) -> Entry:
    """Read the clauses of an entry into ``detail``; return what the layout needs."""
    upper = r.upper
    shape = _Shape()
    while k < end:
        word = upper[k]
        if word[:3] == "PIC" and " " in word:
            shape.pic = detail["pic"] = word.rsplit(None, 1)[1]
        elif word in USAGES and upper[k - 1] not in ("REDEFINES", "RENAMES"):
            shape.usage = detail["usage"] = word
        elif word == "OCCURS":
            k, shape.occurs = _occurs(r, k, end, detail)
            continue
        elif word in ("VALUE", "VALUES"):
            k = _values(r, k + 1, end, number, name, detail)
            continue
        elif word in _CLAUSES:
            k = _clause(r, k, end, detail, shape)
        elif word == "DEPENDING":
            at = k + 2 if r.word(k + 1) == "ON" else k + 1
            if at < end:
                detail["depending"] = upper[at]
        elif word == "SEPARATE":
            shape.separate = True
        k += 1
    return Entry(number, name, shape.pic, shape.usage, shape.occurs, shape.redefines, shape.separate, shape.sync)


def _clause(r: Reading, k: int, end: int, detail: dict[str, str], shape: _Shape) -> int:
    """Read one of the lesser clauses at ``k``; return the index of its last token."""
    word = r.upper[k]
    if word == "REDEFINES" and k + 1 < end:
        k += 1
        shape.redefines = detail["redefines"] = r.upper[k]
    elif word in ("SYNC", "SYNCHRONIZED"):
        shape.sync = True
    elif word in ("EXTERNAL", "GLOBAL"):
        detail[word.lower()] = "1"
    elif word == "RENAMES" and k + 1 < end:
        detail["renames"] = " ".join(r.upper[k + 1 : end])
        return end
    elif word == "COPY" and k + 1 < end:
        detail["copy"] = unquote(r.upper[k + 1])
        copy_statement(r, k, unit=False)
        return end
    return k


def _occurs(r: Reading, k: int, end: int, detail: dict[str, str]) -> tuple[int, int]:
    """Read an OCCURS clause at ``k``; return the index after its numbers and the greatest number of occurrences."""
    upper = r.upper
    k += 1
    low = upper[k] if k < end else ""
    high = low
    if r.word(k + 1) == "TO" and k + 2 < end:
        high = upper[k + 2]
        k += 2
    detail["occurs"] = low if low == high else f"{low}-{high}"
    count = r.constants.get(high, high)
    return k + 1, max(1, min(int(count), _MAX_OCCURS)) if count.isdecimal() and len(count) < 12 else 1


def _values(r: Reading, k: int, end: int, number: int, name: str, detail: dict[str, str]) -> int:
    """Read a VALUE clause; return the index after it. Of a condition every value is kept, of an item the first."""
    upper, text = r.upper, r.text
    while k < end and upper[k] in ("IS", "ARE"):
        k += 1
    if number != 88:
        if k < end:
            if upper[k] in ("ALL", "+", "-") and k + 1 < end:
                k += 1
                detail["value"] = f"{text[k - 1]} {text[k]}" if upper[k - 1] == "ALL" else text[k - 1] + text[k]
            else:
                detail["value"] = text[k]
            if r.kind[k] == LITERAL:
                r.flow(name, True, unquote(text[k]).strip())
        return k + 1
    values: list[str] = []
    while k < end and upper[k] not in ("WHEN", "FALSE"):
        if upper[k] in ("THRU", "THROUGH") and values and k + 1 < end:
            values[-1] += f" THRU {text[k + 1]}"
            k += 1
        elif upper[k] in ("-", "+") and k + 1 < end:
            values.append(text[k] + text[k + 1])
            k += 1
        else:
            values.append(text[k])
        k += 1
    if values:
        detail["values"] = "\x00".join(values[:60])
    return end
