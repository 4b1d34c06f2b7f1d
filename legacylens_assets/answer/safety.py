"""Characters of source text that could mislead a reader, a terminal or a model are made visible."""

from __future__ import annotations

import re
import unicodedata

_ANSI = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[@-Z\\-_])")
_HIDDEN = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb"
    "\U000e0000-\U000e0fff]"
)
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029]")


def neutralise(text: str) -> str:
    r"""Return text without terminal sequences, with bidirectional, zero-width and tag characters written as their code points; line numbers stay.

    >>> neutralise("a\u202eb\x1b[31mred\x1b[0m\x07")
    'a<U+202E>bred<U+0007>'
    """
    if text.isascii() and text.isprintable():
        return text
    text = _ANSI.sub("", text)
    text = _HIDDEN.sub(_named, text)
    return _CONTROL.sub(_named, text)


def _named(match: re.Match[str]) -> str:
    return f"<U+{ord(match.group()):04X}>"


def printable(text: str) -> str:
    """Return text that is safe to print on a terminal: as `neutralise`, line ends and tabs kept, combining runs cut to four."""
    return re.sub(
        r"([\u0300-\u036f]{4})[\u0300-\u036f]+", r"\1", "\n".join(neutralise(line) for line in unicodedata.normalize("NFC", text).split("\n"))
    )
