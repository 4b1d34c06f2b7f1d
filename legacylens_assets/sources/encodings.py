"""Bytes of a legacy source file -> encoding -> lines, so that line numbers are those an editor shows.

EBCDIC files come as 80-byte records without line ends, or with NEL (0x15) or LF (0x25) between lines; the tables are those of IBM's
"Character Data Representation Architecture" (code pages 37 and 1047, which differ in six characters). Python ships cp037 only.
"""

from __future__ import annotations

import codecs
from collections import Counter

RECORD_BYTES = 80
NEL, EBCDIC_LF, EBCDIC_CR, EBCDIC_SPACE = 0x15, 0x25, 0x0D, 0x40
LONGEST_MEAN_LINE = 400
"""Bytes: with fewer line ends than one in this many bytes, EBCDIC text is taken as records."""

EBCDIC_LETTERS_DIGITS = bytes(
    (*range(0x81, 0x8A), *range(0x91, 0x9A), *range(0xA2, 0xAA), *range(0xC1, 0xCA), *range(0xD1, 0xDA), *range(0xE2, 0xEA), *range(0xF0, 0xFA))
)
EBCDIC_PUNCTUATION = bytes(
    (*range(0x4A, 0x51), *range(0x5A, 0x62), *range(0x6A, 0x70), *range(0x7A, 0x80), 0xAD, 0xBD, 0xBA, 0xBB, 0xB0, 0xC0, 0xD0, 0xE0)
)
EBCDIC_TEXT = EBCDIC_LETTERS_DIGITS + EBCDIC_PUNCTUATION + bytes((EBCDIC_SPACE, NEL, EBCDIC_LF, EBCDIC_CR, 0x05, 0x0C))
ASCII_LETTERS_DIGITS = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

_CP037 = bytes(range(256)).decode("cp037")
_CP1047_CHANGES = {0x5F: "^", 0xAD: "[", 0xB0: "¬", 0xBA: "Ý", 0xBB: "¨", 0xBD: "]"}
EBCDIC_TABLES = {"cp037": _CP037, "cp1047": "".join(_CP1047_CHANGES.get(code, char) for code, char in enumerate(_CP037))}
CP1252_UNDEFINED = b"\x81\x8d\x8f\x90\x9d"
C1 = bytes(range(0x80, 0xA0))


def known_encoding(name: str) -> str:
    """Return the canonical name of an encoding that ``decode`` takes; raises LookupError for others.

    >>> known_encoding("CP1047"), known_encoding("iso8859-1")
    ('cp1047', 'latin-1')
    """
    lowered = name.lower().replace("-", "").replace("_", "")
    if lowered in ("cp1047", "ibm1047", "1047"):
        return "cp1047"
    found = codecs.lookup(name).name
    return {"iso8859-1": "latin-1"}.get(found, found)


def detect_encoding(data: bytes) -> str:
    """Return utf-8, utf-16, latin-1, cp1252, cp037 or cp1047. Never fails: any bytes are latin-1 at worst."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "utf-16"
    if data.startswith(codecs.BOM_UTF8):
        return "utf-8"
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return _ebcdic_page(data) if is_ebcdic(data) else _eight_bit(data)
    return "utf-8"


def is_ebcdic(data: bytes) -> bool:
    """Return whether the bytes are EBCDIC text: nearly all in its text positions, blanks as 0x40, letters and digits above 0x80."""
    if len(data) < 16:
        return False
    text = len(data) - len(data.translate(None, EBCDIC_TEXT))
    if text < 0.9 * len(data) or data.count(EBCDIC_SPACE) < 0.02 * len(data):
        return False
    high = len(data) - len(data.translate(None, EBCDIC_LETTERS_DIGITS))
    ascii_marks = len(data) - len(data.translate(None, ASCII_LETTERS_DIGITS + b" \n"))
    ascii_marks -= sum(data.count(code) for code in b"KLMNOPZ_`ajklmnoz")
    return high > 2 * max(ascii_marks, 0) and high + data.count(EBCDIC_SPACE) > 0.3 * len(data)


def decode(data: bytes, encoding: str) -> tuple[str, ...]:
    r"""Return the lines of a file, without line ends; undecodable bytes become U+FFFD one for one.

    Lines end at LF with an optional CR before it; a lone CR ends lines only in a file without LF. A byte order mark and a trailing Ctrl-Z are
    dropped, but the line that held a Ctrl-Z alone stays (empty), and a final line end adds no line.

    >>> decode(b"A\r\nB\n\x1a", "utf-8")
    ('A', 'B', '')
    """
    if encoding in EBCDIC_TABLES:
        return _without_ctrl_z(_ebcdic_lines(data, EBCDIC_TABLES[encoding]))
    if encoding == "utf-8":
        data = data.removeprefix(codecs.BOM_UTF8)
    text = data.decode(encoding, errors=ONE_FOR_ONE)
    if "\n" not in text:
        return _without_ctrl_z(_split(text, "\r"))
    return _without_ctrl_z([line.removesuffix("\r") for line in _split(text, "\n")])


def replaced_bytes(lines: tuple[str, ...]) -> int:
    """Return how many bytes ``decode`` could not read."""
    return sum(line.count("\ufffd") for line in lines)


def _split(text: str, end: str) -> list[str]:
    lines = text.split(end)
    return lines[:-1] if not lines[-1] else lines


def _without_ctrl_z(lines: list[str]) -> tuple[str, ...]:
    if lines and lines[-1].endswith("\x1a"):
        lines[-1] = lines[-1].rstrip("\x1a")
    return tuple(lines)


def _ebcdic_lines(data: bytes, table: str) -> list[str]:
    for end in (NEL, EBCDIC_LF):
        if data.count(end) * LONGEST_MEAN_LINE >= len(data) > 0:
            pieces = data.split(bytes((end,)))
            pieces = pieces[:-1] if not pieces[-1] else pieces
            return [_mapped(piece.removesuffix(bytes((EBCDIC_CR,))), table) for piece in pieces]
    return [_mapped(data[at : at + RECORD_BYTES], table) for at in range(0, len(data), RECORD_BYTES)]


def _mapped(data: bytes, table: str) -> str:
    return data.decode("latin-1").translate(dict(enumerate(table)))


def _ebcdic_page(data: bytes) -> str:
    """Return cp1047 when its brackets (or its ^) are the ones in use, else cp037."""
    count = Counter(data)
    newer, older = count[0xAD] + count[0xBD], count[0xBA] + count[0xBB]
    return "cp1047" if newer > older else "cp037"


def _eight_bit(data: bytes) -> str:
    """Return the encoding of bytes that are not valid UTF-8: damaged UTF-8, cp1252 or latin-1."""
    broken = data.decode("utf-8", errors=ONE_FOR_ONE)
    bad = broken.count("\ufffd")
    good = sum(1 for char in broken if char > "\x7f") - bad
    if good > 4 * bad:
        return "utf-8"
    if len(data.translate(None, C1)) == len(data):
        return "latin-1"
    return "cp1252" if len(data.translate(None, CP1252_UNDEFINED)) == len(data) else "latin-1"


def _one_for_one(error: UnicodeError) -> tuple[str, int]:
    """Replace each byte that cannot be decoded by one U+FFFD: columns stay where they were."""
    if not isinstance(error, UnicodeDecodeError):
        raise error
    return "\ufffd" * (error.end - error.start), error.end


ONE_FOR_ONE = "legacylens-one-for-one"
codecs.register_error(ONE_FOR_ONE, _one_for_one)
