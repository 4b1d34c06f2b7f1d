"""Encodings: detected from bytes, decoded to the lines that an editor shows."""

import pytest

from legacylens_assets.sources.encodings import EBCDIC_TABLES, decode, detect_encoding, known_encoding

CARD = "000100 IDENTIFICATION DIVISION.".ljust(72) + "PAY00010"
CARDS = [CARD, "000200 PROGRAM-ID. PAYROLL.".ljust(72) + "PAY00020", "000300* A comment, with (punctuation); ok.".ljust(72) + "PAY00030"]


def ebcdic(text: str, page: str = "cp037") -> bytes:
    """An independent encoder: positions of characters in the table."""
    return bytes(EBCDIC_TABLES[page].index(char) for char in text)


@pytest.mark.parametrize(
    ("data", "encoding", "lines"),
    [
        (b"", "utf-8", ()),
        (b"\n", "utf-8", ("",)),
        (b"A\nB", "utf-8", ("A", "B")),
        (b"A\nB\n", "utf-8", ("A", "B")),
        (b"A\n\n", "utf-8", ("A", "")),
        (b"A\r\nB\r\n", "utf-8", ("A", "B")),
        (b"A\rB\r", "utf-8", ("A", "B")),
        (b"A\rB\nC\n", "utf-8", ("A\rB", "C")),
        (b"A\r\r\nB", "utf-8", ("A\r", "B")),
        (b"A\x0cB\x0bC\x1cD\n", "utf-8", ("A\x0cB\x0bC\x1cD",)),
        ("A\u2028B\u0085C\n".encode(), "utf-8", ("A\u2028B\u0085C",)),
        (b"A\nB\n\x1a", "utf-8", ("A", "B", "")),
        (b"A\nB\x1a\x1a", "utf-8", ("A", "B")),
        (b"A\x1aB\n", "utf-8", ("A\x1aB",)),
        (b"\xef\xbb\xbfA\n", "utf-8", ("A",)),
        (b"caf\xe9\n", "latin-1", ("café",)),
        (b"\x93q\x94\n", "cp1252", ("“q”",)),
        (b"a\xc3\xa9\xe2\x82z\n", "utf-8", ("aé\ufffd\ufffdz",)),
        ("A\r\nB".encode("utf-16"), "utf-16", ("A", "B")),
    ],
)
def test_decode_gives_the_lines_of_an_editor(data, encoding, lines):
    assert decode(data, encoding) == lines


@pytest.mark.parametrize(
    ("data", "encoding"),
    [
        (b"plain ASCII\n", "utf-8"),
        ("grün\n".encode(), "utf-8"),
        (b"\xef\xbb\xbfx", "utf-8"),
        (b"gr\xfcn\n", "latin-1"),
        (b"it\x92s\n", "cp1252"),
        (b"\x81\x92\xe9\n", "latin-1"),
        (("é" * 40).encode() + b"\xff", "utf-8"),
        ("x".encode("utf-16"), "utf-16"),
        (ebcdic("".join(CARDS)), "cp037"),
        (ebcdic("      A = B[1] + C[2];".ljust(80) * 4, "cp1047"), "cp1047"),
        (b"@@@@ KLMNOP " * 20, "utf-8"),
        (b" " * 400, "utf-8"),
        (b"", "utf-8"),
    ],
)
def test_encoding_is_told_from_bytes(data, encoding):
    assert detect_encoding(data) == encoding


def test_ebcdic_cards_without_line_ends_are_a_line_for_each_80_bytes():
    assert decode(ebcdic("".join(CARDS)), "cp037") == tuple(CARDS)


@pytest.mark.parametrize("end", [b"\x15", b"\x25", b"\x0d\x15", b"\x0d\x25"])
def test_ebcdic_line_ends_split_lines(end):
    data = end.join(ebcdic(line) for line in CARDS) + end
    assert detect_encoding(data) == "cp037"
    assert decode(data, "cp037") == tuple(CARDS)


def test_code_pages_differ_in_brackets_caret_and_not_sign():
    data = bytes((0xAD, 0xBD, 0x5F, 0xB0, 0xBA, 0xBB))
    assert (decode(data, "cp037"), decode(data, "cp1047")) == (("Ý¨¬^[]",), ("[]^¬Ý¨",))


@pytest.mark.parametrize(
    ("given", "expected"), [("IBM-1047", None), ("cp1047", "cp1047"), ("CP037", "cp037"), ("latin1", "latin-1"), ("utf8", "utf-8"), ("ebcdic", None)]
)
def test_names_of_encodings_are_made_canonical_or_refused(given, expected):
    if expected is None and given == "ebcdic":
        with pytest.raises(LookupError):
            known_encoding(given)
    else:
        assert known_encoding(given) == (expected or "cp1047")
