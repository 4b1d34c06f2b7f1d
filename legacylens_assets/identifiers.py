"""Words of legacy code: one tokenizer for documents and questions.

A *raw word* is a run of letters, digits, ``_ $ # @`` and inner hyphens: an identifier or a plain word. It becomes *tokens*: the whole
identifier without separators (``CUST-ID``, ``cust_id``, ``custId`` are one token), its parts (split at separators, digits and camelCase),
the words that a part abbreviates, all lower-cased and stemmed (Snowball English, snowballstem.org). Stop words, question words and code
noise give nothing.
"""

from __future__ import annotations

import re
import threading
import unicodedata
import zlib
from collections import Counter
from collections.abc import Mapping
from functools import cache, lru_cache
from importlib import resources
from types import MappingProxyType
from typing import Any

TOKENIZER_VERSION = "1"
"""Part of the sparse encoder's fingerprint: raise it when the same text would give other tokens."""

RAW_WORD = re.compile(r"[\w$#@]+(?:-[\w$#@]+)*")
_SEPARATORS = re.compile(r"[-_$#@]+")
_PIECES = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_]+")
_LONGEST = 64
"""Characters: a longer run is data (base64, rulers), not a name."""

STOP_WORDS = frozenset(
    """
    a about above after again against all also am an and any anyone are as at be because been before being below between both but by can
    cannot could did do does doing done down during each either else ever every few find for from further get gets give given gives goes had
    has have having he her here hers him his how i if in into is it its itself just let like made make makes many may me might more most
    much must my need needs neither no nor not now of off on once only or other our out over own part per please see shall she should show
    shown so some someone such take taken takes tell than that the their them then there these they thing things this those through to too
    under until up upon us use used uses using very want was we were what whatever when where whether which while who whom whose why will
    with within without would you your explain describe happen happens happened place places code system program programs work works working
    way pic comp filler endif dcl redefines occurs
    """.split()
)
"""English function words, words of questions, and keywords that stand on nearly every line of code. IDF takes care of the rest."""


def tokenize(text: str) -> list[str]:
    """Return the tokens of ``text`` in order of their raw words, repeated as often as they occur.

    >>> tokenize("How is CUST-ACCT-BAL computed?")
    ['custacctbal', 'cust', 'custom', 'acct', 'account', 'bal', 'balanc', 'comput']
    """
    found: list[str] = []
    for raw in RAW_WORD.findall(text):
        found.extend(word_tokens(raw))
    return found


def count_ids(text: str) -> dict[int, int]:
    """Return token id -> number of occurrences in ``text``: what `tokenize` gives, hashed and counted, several times faster."""
    counts: dict[int, int] = {}
    for raw, times in Counter(RAW_WORD.findall(text)).items():
        for index in word_ids(raw):
            counts[index] = counts.get(index, 0) + times
    return counts


@lru_cache(maxsize=1 << 17)
def word_ids(raw: str) -> tuple[int, ...]:
    """Return the ids of a raw word's tokens."""
    return tuple(token_id(token) for token in word_tokens(raw))


@lru_cache(maxsize=1 << 16)
def word_tokens(raw: str) -> tuple[str, ...]:
    """Return the distinct tokens of one raw word: whole, then parts with the words they abbreviate.

    >>> word_tokens("1200-GET-XREF"), word_tokens("posting"), word_tokens("CBACT01C")
    (('1200getxref', 'xref', 'cross', 'refer'), ('post',), ('cbact01c', 'cbact'))
    """
    if len(raw) > _LONGEST:
        return ()
    pieces = parts(raw)
    whole = _fold(_SEPARATORS.sub("", raw))
    tokens: list[str] = []
    compound = len(pieces) != 1 or pieces[0] != whole
    if compound:
        if len(whole) > 1:
            tokens.append(whole)
        pieces = tuple(piece for piece in pieces if len(piece) > 1 and not piece.isdigit())
    for piece in pieces:
        tokens.extend(_part_tokens(piece, compound))
    return tuple(dict.fromkeys(tokens))


def parts(raw: str) -> tuple[str, ...]:
    """Return the lower-cased parts of an identifier, unstemmed.

    >>> parts("WS-Cust2Name"), parts("readHTTPFile"), parts("DGEMM")
    (('ws', 'cust', '2', 'name'), ('read', 'http', 'file'), ('dgemm',))
    """
    found: list[str] = []
    for segment in _SEPARATORS.split(_without_accents(raw)):
        found.extend(_fold(piece) for piece in _PIECES.findall(segment))
    return tuple(found)


def _part_tokens(piece: str, compound: bool) -> list[str]:
    """Return a part's stem and the stems of the words it stands for; a stop word gives nothing, but inside a name it may abbreviate (ACCT-NO)."""
    if len(piece) < 2 or (piece in STOP_WORDS and not compound):
        return []
    words = expand(piece) if piece in STOP_WORDS else (piece, *expand(piece))
    return [stem(word) for word in words if word not in STOP_WORDS]


def expand(term: str) -> tuple[str, ...]:
    """Return the words that ``term`` abbreviates, or those of its two halves when it is written together; () when nothing is known.

    >>> expand("acct"), expand("CUSTFILE"), expand("walrus")
    (('account',), ('cust', 'customer', 'file'), ())
    """
    folded = _fold(term)
    known = abbreviations().get(folded)
    if known is not None:
        return known
    halves = _halves(folded)
    if halves is None:
        return ()
    table = abbreviations()
    return tuple(dict.fromkeys(word for half in halves for word in (half, *table.get(half, ()))))


def _halves(term: str) -> tuple[str, str] | None:
    """Return the two known words that ``term`` consists of, the more even split first; None when there are none."""
    if not 6 <= len(term) <= 14 or not term.isalpha() or term in _known_words():
        return None
    known = _known_words()
    middle = len(term) / 2
    for cut in sorted(range(3, len(term) - 2), key=lambda place: (abs(place - middle), place)):
        if term[:cut] in known and term[cut:] in known:
            return term[:cut], term[cut:]
    return None


def name_words(name: str) -> str:
    """Return an identifier in plain words, abbreviations spelt out; "" when it has no words.

    >>> name_words("2000-CALC-INT-AMT"), name_words("X1")
    ('calculate calculation interest integer amount', '')
    """
    words: list[str] = []
    for piece in parts(name):
        if len(piece) > 1 and not piece.isdigit():
            words.extend(expand(piece) or (piece,))
    return " ".join(dict.fromkeys(words))


_STEM_LOCK = threading.Lock()


@lru_cache(maxsize=1 << 16)
def stem(word: str) -> str:
    """Return the Snowball English stem of a lower-case word.

    >>> stem("balances"), stem("posting")
    ('balanc', 'post')
    """
    if not word.isalpha():
        return word
    with _STEM_LOCK:  # a stemmer keeps its word in itself
        return str(_stemmer().stemWord(word))


def token_id(token: str) -> int:
    """Return the 32-bit index of a token in a sparse vector: the same in every process and release.

    >>> token_id("account")
    2100713124
    """
    return zlib.crc32(token.encode("utf-8"))


@cache
def abbreviations() -> Mapping[str, tuple[str, ...]]:
    """Return the table of abbreviations: lower-case term -> the words it stands for."""
    text = resources.files("legacylens_assets").joinpath("vocabulary/abbreviations.tsv").read_text(encoding="utf-8")
    rows = (line.split("\t") for line in text.splitlines() if line and not line.startswith("#"))
    return MappingProxyType({term: tuple(words.split()) for term, words in rows})


_WHOLE_WORDS = """
    account address amount balance bank batch bill branch card cash category check client close code copy count credit customer cycle daily
    date debit delete detail discount display error file flag form group header history index input insert interest invoice item journal key
    last ledger limit line list loan master menu message month name number open order output owner page payment policy post price print
    process rate read receipt record refund report request screen search select service sort start state statement status store summary
    table tax text time total transfer type update user value vendor view write year
"""


@cache
def _known_words() -> frozenset[str]:
    """Return the words of which names written together may consist: abbreviations of three letters or more and common nouns of business code."""
    return frozenset(term for term in abbreviations() if len(term) >= 3) | frozenset(_WHOLE_WORDS.split())


@cache
def _stemmer() -> Any:  # noqa: ANN401 - snowballstemmer has no types
    import snowballstemmer

    return snowballstemmer.stemmer("english")


def _fold(text: str) -> str:
    """Return ``text`` lower-cased and without accents."""
    return _without_accents(text).lower()


def _without_accents(text: str) -> str:
    if text.isascii():
        return text
    return "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))
