"""Alias normalisation: finds the identifiers of a question and maps them to names that the index knows. Says what it did.

A token counts as an identifier by its shape (digits, marks, capitals), by quotes, by a word before it ("program X", "called X"), or because the
whole question is one. A plain lower-case word counts only when it names a primary unit and is no everyday word, so that "how is interest posted" is
left alone.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from legacylens_assets.retrieval.everyday import ACRONYMS, EVERYDAY
from legacylens_assets.retrieval.names import Definition, NameIndex, key_of, unnumbered
from legacylens_assets.retrieval.terms import STOP_WORDS

_TOKEN = re.compile(r"[`'\"“]?(?P<name>(?:[A-Za-z0-9_$#@][\w$#@.\-/]*[\w$#@])|[A-Za-z$#@])[`'\"”]?")
_CUE = re.compile(
    r"(?i)\b(?:program|paragraph|section|subroutine|routine|function|procedure|proc|job|jcl|step|copybook|member|module|macro|variable|field|file|dataset|table"
    r"|screen|map|transaction|called|named|symbol|struct|identifier|include|entry|command)\s+[`'\"“]?$"
)
_DIGITS_AND_LETTERS = re.compile(r"^(?=.*\d)(?=.*[A-Za-z])[A-Za-z0-9$#@_.\-/]+$")
_EXTENSION = re.compile(r"\.[A-Za-z][A-Za-z0-9_]{0,7}$")
MOST_DEFINITIONS = 12


@dataclass(frozen=True, slots=True)
class Mention:
    """An identifier of the question and what the index makes of it.

    ``how`` is exact, case, separators, file, extension, prefix, spelling, ambiguous or unknown. ``sure`` says that the token is an identifier beyond
    doubt: its definitions come first in the list, and when it exists nowhere the question is refused.
    """

    written: str
    name: str
    how: str
    sure: bool
    definitions: tuple[Definition, ...] = ()
    nearest: tuple[str, ...] = ()

    def in_codebase(self, codebase: str) -> list[Definition]:
        """Return the definitions of one codebase."""
        return [item for item in self.definitions if item.codebase == codebase]

    def to_json(self) -> dict[str, object]:
        """Return what was done, for the answer and for `--explain`."""
        return {
            "written": self.written,
            "name": self.name,
            "how": self.how,
            "codebases": sorted({item.codebase for item in self.definitions}),
            "nearest": list(self.nearest),
        }


@dataclass(frozen=True, slots=True)
class Normalised:
    """A question as it is encoded, and its identifiers."""

    text: str
    mentions: tuple[Mention, ...]
    bare: bool

    @property
    def known(self) -> tuple[Mention, ...]:
        """Return the mentions that the index knows, in the question's order."""
        return tuple(mention for mention in self.mentions if mention.definitions)

    @property
    def unknown(self) -> tuple[Mention, ...]:
        """Return the mentions beyond doubt that the index knows nothing of."""
        return tuple(mention for mention in self.mentions if mention.sure and mention.how in ("unknown", "ambiguous"))


def normalise(question: str, indexes: Sequence[NameIndex]) -> Normalised:
    """Return the question with its identifiers mapped to indexed names. ``indexes`` are those of the codebases asked; they are only read."""
    text = " ".join(unicodedata.normalize("NFKC", question).split())
    candidates = list(_candidates(text))
    mentions: list[Mention] = []
    pieces: list[str] = []
    last = 0
    for start, end, token, sure in candidates:
        mention = resolve(token, sure, indexes)
        if mention is None or any(mention.written == other.written for other in mentions):
            continue
        mentions.append(mention)
        if mention.how not in ("exact", "unknown", "ambiguous") and mention.name:
            pieces += [text[last:start], mention.name]
            last = end
    bare = len(_content(text)) <= 2 and any(mention.sure for mention in mentions)
    return Normalised("".join(pieces) + text[last:], tuple(mentions), bare)


def _content(text: str) -> list[str]:
    return [word for word in text.split() if word.strip("?.,!:;'\"`").lower() not in STOP_WORDS]


def _candidates(text: str) -> Iterable[tuple[int, int, str, bool]]:
    """Yield (start, end, token, sure) for the tokens that may be identifiers."""
    words = _content(text)
    alone = len(words) == 1
    shouting = 2 * sum(word.isupper() for word in text.split()) > len(text.split()) > 3
    for match in _TOKEN.finditer(text):
        token = match.group("name").rstrip(".-/")
        start = match.start("name")
        end = start + len(token)
        low = token.lower()
        if len(token) < 2 or low in STOP_WORDS or token.isdigit():
            continue
        quoted = text[match.start()] in "`'\"“" and match.group()[-1] in "`'\"”" and " " not in token
        cued = bool(_CUE.search(text[: match.start()])) and low not in EVERYDAY
        shaped = _shaped(token) and not shouting and token.upper() not in ACRONYMS
        if quoted or cued or shaped or alone:
            yield start, end, token, True
        elif low not in EVERYDAY and token.upper() not in ACRONYMS and len(token) >= 3:
            yield start, end, token, False


def _shaped(token: str) -> bool:
    """Return whether a token looks like an identifier and nothing else.

    >>> [_shaped(t) for t in ("CBACT01C", "post-trans", "WS-BAL", "cob_move", "end-of-day", "DGESV", "Account", "getName", "80-byte", "3.5")]
    [True, False, True, True, False, True, False, True, False, False]
    """
    if "_" in token.strip("_") or (any(mark in token for mark in "-/.") and token.upper() == token and any(map(str.isalpha, token))):
        return True
    if _DIGITS_AND_LETTERS.match(token) and not re.match(r"^\d+(-[a-z]+|st|nd|rd|th|[a-z]{1,2})$", token):
        return True
    if token.isupper() and token.isalpha() and len(token) >= 4:
        return True
    return bool(re.match(r"^[a-z]+(?:[A-Z][a-z0-9]*)+$", token) or re.search(r"\.[A-Za-z]{1,4}$", token) and token.count(".") == 1 and len(token) > 4)


def resolve(token: str, sure: bool, indexes: Sequence[NameIndex]) -> Mention | None:
    """Return what the index makes of a token; None when it is no identifier after all."""
    for how, lookup in _LOOKUPS:
        found = [item for index in indexes for item in lookup(index, token)]
        if not sure:
            found = [item for item in found if _named_plainly(item) and how in ("exact", "separators")]
        if found:
            return _known(token, how, True, found)
    if not sure:
        return None
    return _misspelt(token, indexes)


def _named_plainly(item: Definition) -> bool:
    """Return whether a plain word may name this: a unit of code, no document, file or label."""
    return item.primary and item.symbol.unit and item.symbol.kind not in ("heading", "file", "label", "table")


def _stem_lookup(index: NameIndex, token: str) -> list[Definition]:
    if not _EXTENSION.search(token):
        return []
    stem = _EXTENSION.sub("", PurePosixPath(token).name)
    return index.exact(stem) or index.by_key(stem)


_LOOKUPS: tuple[tuple[str, Callable[[NameIndex, str], list[Definition]]], ...] = (
    ("exact", lambda index, token: index.exact(token)),
    ("file", lambda index, token: index.by_file(token) if "." in token or "/" in token else []),
    ("separators", lambda index, token: index.by_key(token)),
    ("extension", _stem_lookup),
    ("prefix", lambda index, token: index.by_bare(token) if len(key_of(token)) >= 4 and not unnumbered(token) else []),
)


def _known(token: str, how: str, sure: bool, found: Sequence[Definition]) -> Mention:
    name = PurePosixPath(found[0].symbol.path).name if how == "file" else found[0].symbol.name
    label = "case" if how == "exact" and name != token else how
    primary = [item for item in found if item.primary]
    return Mention(token, name, label, sure, tuple((primary or list(found))[:MOST_DEFINITIONS]))


def _misspelt(token: str, indexes: Sequence[NameIndex]) -> Mention:
    """Return the one name that ``token`` misspells, else a mention that names the nearest."""
    stem = _EXTENSION.sub("", PurePosixPath(token).name)
    near = sorted({pair for index in indexes for pair in index.close(stem)})
    if near:
        best = [name for cost, name in near if cost == near[0][0]]
        if len(best) == 1 or (len({key_of(name) for name in best}) == 1):
            found = [item for index in indexes for item in index.exact(best[0])]
            known = _known(token, "spelling", True, found)
            return Mention(token, known.name, "spelling", True, known.definitions, tuple(best))
    renumbered = [item for index in indexes for item in index.by_bare(stem)] if not near else []
    if renumbered:
        return _known(token, "prefix", True, renumbered)
    if near:
        likely = tuple(item for name in best[:4] for index in indexes for item in index.exact(name)[:1])
        return Mention(token, token, "ambiguous", True, (), tuple(item.symbol.name for item in likely))
    names = list(dict.fromkeys(name for index in indexes for name in index.nearest(stem)))
    return Mention(token, token, "unknown", True, (), tuple(names[:5]))
