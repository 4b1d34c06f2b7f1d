"""Cards -> text words, with the line and the place of each.

A token is a word, literal, number, sign, or a whole PICTURE clause (``PIC 9(4).99`` is one token: its string may hold periods).
Separator commas and semicolons are dropped, except the commas of SQL blocks, where they tell a list from an alias.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from legacylens_assets.parsers.cobol.form import Card
from legacylens_assets.parsers.cobol.words import RESERVED, SCOPE, VERBS

IDENT, DOT, VERB, SCOPED, KEYWORD, LITERAL, NUMBER, SIGN = range(8)
"""Classes of tokens."""

_TAG = r":[A-Za-z0-9][\w-]*:"
TOKEN = re.compile(
    rf"""
      PIC(?:TURE)?(?:\s+IS)?\s+(?!IS\s*$)[^\s'"=][^\s=]*?(?=[.,;]?(?:\s|==|$))
    | (?:[XNZGHBU]|NX|BX|UX)(?:"[^"]*"|'[^']*')
    | "[^"]*(?:""[^"]*)*"?
    | '[^']*(?:''[^']*)*'?
    | \*>.*
    | \d+\.\d+(?![\w-]) | (?<![^\s(+*/=-])\.\d+(?![\w-])
    | (?:[\w@#$&%]|{_TAG}|\([A-Za-z]\w*\)(?=-\w))(?:[\w\-@#$&%]|{_TAG})*
    | == | \*\* | <> | [<>]=? | [^\s;]
    """,
    re.IGNORECASE | re.VERBOSE,
)
_PICTURE = re.compile(r"\s*(?:IS\s+)?(\S+?)(?=[.,;]?(?:\s|$))", re.IGNORECASE)
_EXEC_SQL = re.compile(r"\bEXEC(?:UTE)?\s+SQL\b", re.IGNORECASE)
_SQL_CODE = re.compile(r"(?:[^\"'-]|\"[^\"]*\"|'[^']*'|-(?!-)|[\"'])*")
_PIC_WORDS = frozenset({"PIC", "PICTURE", "IS"})


class Tokens:
    """Parallel lists over the tokens of a file.

    ``text`` as written, ``upper`` folded, ``line``, ``first`` (0, or the area of a line's first word), ``kind``.
    """

    __slots__ = ("text", "upper", "line", "first", "kind", "unclosed")

    def __init__(self, cards: Sequence[Card]) -> None:
        self.text: list[str] = []
        self.line: list[int] = []
        self.first = bytearray()
        self.unclosed: list[int] = []
        self._read(cards)
        self.upper: list[str] = list(map(str.upper, self.text))
        classes = {word: classify(word) for word in set(self.upper)}
        self.kind: list[int] = [classes[word] for word in self.upper]

    def __len__(self) -> int:
        return len(self.text)

    def _read(self, cards: Sequence[Card]) -> None:
        """Fill text, line and first."""
        text, line, first, findall = self.text, self.line, self.first, TOKEN.findall
        sql = _SqlBlocks(self.text)
        pending = False
        for card in cards:
            code = card.text
            if "--" in code and sql.holds(code):
                code = strip_sql_comment(code)
            if pending or card.breaks:
                found, numbers = _slowly(code, card, pending)
            else:
                found = findall(code)
                numbers = [card.line] * len(found)
            if "," in found and not sql.holds(code):
                numbers = [number for number, word in zip(numbers, found, strict=True) if word != ","]
                found = [word for word in found if word != ","]
            if found and found[-1][0] == "*" and found[-1].startswith("*>"):
                found.pop()
                numbers.pop()
            if not found:
                continue
            last = found[-1]
            if last[0] in "\"'" and last.count(last[0]) % 2:
                self.unclosed.append(len(text) + len(found) - 1)
            pending = last.upper() in _PIC_WORDS and (last.upper() != "IS" or (len(found) > 1 and found[-2].upper() in _PIC_WORDS))
            text += found
            line += numbers
            first.append(card.area)
            first.extend(bytes(len(found) - 1))


class _SqlBlocks:
    """Tells whether the next line stands between EXEC SQL and END-EXEC. Looks at each token once."""

    def __init__(self, text: list[str]) -> None:
        self.text = text
        self.seen = 0
        self.inside = False

    def holds(self, code: str) -> bool:
        """Return whether ``code``, which follows the tokens so far, is SQL or has SQL in it."""
        text = self.text
        for index in range(self.seen, len(text)):
            word = text[index]
            if word[0] in "EeSs" and len(word) in (3, 4, 7, 8):
                folded = word.upper()
                if folded == "END-EXEC":
                    self.inside = False
                elif folded == "SQL" and index and text[index - 1].upper() in ("EXEC", "EXECUTE"):
                    self.inside = True
        self.seen = len(text)
        return self.inside or _EXEC_SQL.search(code) is not None


def strip_sql_comment(code: str) -> str:
    """Return a line of SQL without its ``--`` comment.

    >>> strip_sql_comment("WHERE A = '--' -- don't")
    "WHERE A = '--' "
    """
    kept = _SQL_CODE.match(code)
    return kept.group(0) if kept else code


def _slowly(code: str, card: Card, pending: bool) -> tuple[list[str], list[int]]:
    """Return tokens and their lines for a card with continuations, or one that begins with the string of a PICTURE clause."""
    found: list[str] = []
    numbers: list[int] = []
    start = 0
    if pending:
        picture = _PICTURE.match(code)
        if picture:
            found.append("PIC " + picture.group(1))
            numbers.append(card.line)
            start = picture.end()
    breaks = card.breaks or []
    at = 0
    line = card.line
    for match in TOKEN.finditer(code, start):
        while at < len(breaks) and match.start() >= breaks[at][0]:
            line = breaks[at][1]
            at += 1
        found.append(match.group(0))
        numbers.append(line)
    return found, numbers


def classify(word: str) -> int:
    """Return the class of an upper-cased token."""
    if word == ".":
        return DOT
    if word in VERBS:
        return VERB
    if word in SCOPE:
        return SCOPED
    if word in RESERVED or word.startswith(("PIC ", "PICTURE ", "PICTURE\t")):
        return KEYWORD
    lead = word[0]
    if lead in "\"'" or (len(word) > 2 and word[-1] in "\"'"):
        return LITERAL
    if (lead.isdigit() or lead == ".") and not any(letter.isalpha() or letter in ":_" for letter in word):
        return NUMBER
    return IDENT if lead.isalnum() or lead in ":@#$&%_(" and len(word) > 1 else SIGN


def unquote(literal: str) -> str:
    """Return the content of a literal, or the word itself.

    >>> unquote("'O''NEIL '"), unquote("X'41'"), unquote("NAME")
    ("O'NEIL ", '41', 'NAME')
    """
    if literal[-1:] in "\"'" and literal:
        quote = literal[-1]
        at = literal.find(quote)
        return literal[at + 1 : -1].replace(quote * 2, quote) if at < len(literal) - 1 else ""
    return literal[1:] if literal[:1] in ("'", '"') else literal
