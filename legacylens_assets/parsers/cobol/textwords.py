"""Text words: the units that COPY REPLACING and REPLACE compare and exchange."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from legacylens_assets.parsers.cobol.form import Card

_PIECE = re.compile(
    r"[^\S\n]+|\"[^\"]*(?:\"\"[^\"]*)*\"?|'[^']*(?:''[^']*)*'?|==|\*>.*|(?<![\w).-])[+-]?\d+\.\d+(?![\w-])|(?<![\w)])\+\d+(?![\w-])|[\w-]+|[,;](?=\s|$)|."
)


@dataclass(frozen=True, slots=True)
class Piece:
    """A text word, a run of blanks or a line end. ``origin`` is the number of the card it stands on; ``area`` is set on the first word of a card."""

    text: str
    origin: int
    area: int = 0


def lex(cards: Sequence[Card], first: int) -> list[Piece]:
    """Return the pieces of ``cards``, numbered from ``first``; joined, they are the text of the cards."""
    found: list[Piece] = []
    for number, card in enumerate(cards, first):
        area = card.area
        for text in _PIECE.findall(card.text):
            if text.startswith("*>"):
                continue
            if area and not text.isspace():
                found.append(Piece(text, number, area))
                area = 0
            else:
                found.append(Piece(text, number))
        found.append(Piece("\n", number))
    return found


def is_space(text: str) -> bool:
    """Return whether a piece only separates: blanks, a line end, a separator comma or semicolon."""
    return text.isspace() or text == "," or text == ";"


def significant(pieces: Sequence[Piece], k: int) -> int:
    """Return the index of the first text word at or after ``k``, or the number of pieces."""
    while k < len(pieces) and is_space(pieces[k].text):
        k += 1
    return k


@dataclass(frozen=True, slots=True)
class Replacement:
    """One ``old BY new``: the folded text words to find, the pieces to put there. ``side`` LEADING or TRAILING compares a part of a word."""

    old: tuple[str, ...]
    new: tuple[Piece, ...]
    side: str = ""

    @classmethod
    def of(cls, old: Sequence[Piece], new: Sequence[Piece], side: str) -> Replacement:
        """Return the replacement that two operands stand for; blanks around the new text do not count, line ends become blanks."""
        words = tuple(piece.text.upper() for piece in old if not is_space(piece.text))
        texts = [Piece(" ", piece.origin) if piece.text == "\n" else Piece(piece.text, piece.origin) for piece in new]
        while texts and texts[0].text.isspace():
            texts.pop(0)
        while texts and texts[-1].text.isspace():
            texts.pop()
        return cls(words, tuple(texts), side)

    @property
    def text(self) -> str:
        """The new text as written."""
        return "".join(piece.text for piece in self.new)


def replace_pieces(pieces: Sequence[Piece], rules: Sequence[Replacement]) -> Iterator[Piece]:
    """Yield ``pieces`` with the first rule that matches at each text word carried out; what was put in is not looked at again."""
    if not rules:
        yield from pieces
        return
    whole: dict[str, list[Replacement]] = {}
    for rule in rules:
        if not rule.side:
            whole.setdefault(rule.old[0], []).append(rule)
    partial = [rule for rule in rules if rule.side]
    at = 0
    while at < len(pieces):
        piece = pieces[at]
        text = piece.text
        if text.isspace():
            yield piece
            at += 1
            continue
        end = 0
        for rule in whole.get(text.upper(), ()):
            end = _match(pieces, at, rule)
            if end:
                yield from _put(rule.text, piece)
                at = end
                break
        if not end:
            yield _part(piece, partial) if partial else piece
            at += 1


def _put(text: str, piece: Piece) -> Iterator[Piece]:
    if text:
        yield Piece(text, piece.origin, piece.area)


def _match(pieces: Sequence[Piece], at: int, rule: Replacement) -> int:
    """Return the index after the pieces that match the whole of a rule from ``at``, or 0."""
    k = at
    for index, word in enumerate(rule.old):
        if index:
            k = significant(pieces, k)
        if k >= len(pieces) or pieces[k].text.upper() != word:
            return 0
        k += 1
    return k


def _part(piece: Piece, rules: Sequence[Replacement]) -> Piece:
    """Return a word with the first LEADING or TRAILING rule that fits carried out."""
    word = piece.text.upper()
    for rule in rules:
        old = "".join(rule.old)
        if rule.side == "LEADING" and word.startswith(old) and (word[0].isalnum() or word[0] == "-"):
            return Piece(rule.text + piece.text[len(old) :], piece.origin, piece.area)
        if rule.side == "TRAILING" and word.endswith(old) and (word[-1].isalnum() or word[-1] == "-"):
            return Piece(piece.text[: len(piece.text) - len(old)] + rule.text, piece.origin, piece.area)
    return piece
