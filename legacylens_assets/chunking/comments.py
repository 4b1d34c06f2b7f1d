"""Comment lines -> their text."""

from __future__ import annotations

import re
from collections.abc import Iterable

_MARKS = {
    "cobol": re.compile(r"^(?:.{6}[*/]|\s*\*>)[>*]*"),
    "fortran": re.compile(r"^(?:[CcDd*](?=[^A-Za-z0-9]|$)[*>!<]*|\s*![!<>$]*|[Cc*])"),
    "jcl": re.compile(r"^//\*"),
    "rpg": re.compile(r"^(?:.{5}[A-Za-z ]\*|\s*//|\s*\*\*?)"),
    "pli": re.compile(r"^\s*(?:/?\*+)?"),
    "c": re.compile(r"^\s*(?:/?\*+!?|//+!?)?"),
    "text": re.compile(r"^\s*(?:/?\*+|//\*?|[#;!\"]+|--+|\.\*)?"),
}
_RULES = re.compile(r"^[\s*=\-_+#~./!|:<>]+|[\s*=\-_+#~/|:]{3,}$|\*+/?\s*$|\s+$")
_SEQUENCE = re.compile(r"^[0-9A-Z ]{8}$")


def comment_text(lines: Iterable[str], language: str) -> str:
    """Return the words of comment lines, without marks, boxes and rules; lines without words are left out.

    >>> comment_text(["      *---------", "      * Post the refund. *"], "cobol")
    'Post the refund.'
    """
    mark = _MARKS.get(language, _MARKS["text"])
    found = []
    for line in lines:
        if len(line) == 80 and language in ("cobol", "pli") and _SEQUENCE.match(line[72:]):
            line = line[:72]
        text = mark.sub("", line, count=1)
        text = _RULES.sub("", text).strip()
        if any(character.isalnum() for character in text):
            found.append(text)
    return "\n".join(found)
