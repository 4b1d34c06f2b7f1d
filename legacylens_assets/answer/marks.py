"""Reads sentences and their citations from text that arrives in pieces of any size."""

from __future__ import annotations

import re
from collections.abc import Iterator

from legacylens_assets.answer.records import Draft, Mark

_GROUP = r"\[\s*S\d+[^\[\]\n]{0,120}\]"
_MARK_GROUP = re.compile(_GROUP)
_LOOSE = re.compile(r"\[\s*S\d+[^\]]*$|\[[^\]]{0,3}$")
_ONE = re.compile(r"(S\d+)\s*(?::\s*(?:L|lines?\s*)?(\d+)(?:\s*[-–—]\s*L?(\d+))?)?")
_RANGE = re.compile(r"^\s*L?(\d+)(?:\s*[-–—]\s*L?(\d+))?\s*$")
_END = re.compile(r"([.!?:]['\"”)*]*|\n)((?:\s*" + _GROUP + r")*)\s+(?=\S)|\n+")
_ABBREVIATION = re.compile(r"(?i)(?:\b(?:e\.g|i\.e|etc|vs|cf|no|fig|approx|incl|resp)|\b[A-Z])\.$")
_TICKS = re.compile(r"`+")
LONGEST_SENTENCE = 1200
"""Characters after which text is taken as a sentence although it has not ended."""


class SentenceReader:
    """Feed it text; it gives whole sentences, each when the next one has begun, so that the citations after its full stop are with it."""

    def __init__(self) -> None:
        self._text = ""

    def feed(self, text: str) -> list[Draft]:
        """Return the sentences that are complete now."""
        self._text += text
        return list(self._complete())

    def close(self) -> list[Draft]:
        """Return what is left when the text has ended; a citation that was cut off is dropped."""
        rest, self._text = _LOOSE.sub("", self._text), ""
        draft = _draft(rest)
        return [draft] if draft else []

    def _complete(self) -> Iterator[Draft]:
        while True:
            cut = _sentence_end(self._text)
            if cut is None:
                return
            sentence, self._text = self._text[:cut], self._text[cut:]
            draft = _draft(sentence)
            if draft:
                yield draft


def _sentence_end(text: str) -> int | None:
    """Return where the next sentence begins; None while that is not sure."""
    for match in _END.finditer(text):
        after = text[match.end() :]
        before = text[: match.end(1)] if match.group(1) else text[: match.start()]
        if not after or (after[0] == "[" and not _MARK_GROUP.match(after) and len(after) < 8) or (after[0] == "[" and re.match(r"\[\s*S\d", after)):
            if "\n" not in match.group():
                return None if not after or not _MARK_GROUP.match(after) else None
            if not after:
                return None
        if len(_TICKS.findall(before)) % 2 and "\n" not in match.group():
            continue
        if match.group(1) in (".", ":") and (_ABBREVIATION.search(before) or re.search(r"(?:^|\n)\s*\d+\.$", before)):
            continue
        if match.group(1) == ":" and "\n" not in match.group():
            continue
        return match.end()
    return LONGEST_SENTENCE if len(text) > LONGEST_SENTENCE else None


def _draft(text: str) -> Draft | None:
    """Return a sentence without its citations, and the citations; None when there is no text."""
    marks: list[Mark] = []
    for group in _MARK_GROUP.findall(text):
        marks.extend(parse_group(group))
    plain = " ".join(_MARK_GROUP.sub("", text).split()).replace(" .", ".").replace(" ,", ",").strip()
    plain = plain.strip("#").strip()
    return Draft(plain, tuple(dict.fromkeys(marks))) if re.search(r"\w", plain) else None


def parse_group(group: str) -> list[Mark]:
    """Return the citations of one bracket. An id without lines gives a range that no source holds, so that it fails its check.

    >>> parse_group("[S3:120-134, 140; S4:7]")
    [Mark(source='S3', start_line=120, end_line=134), Mark(source='S3', start_line=140, end_line=140), Mark(source='S4', start_line=7, end_line=7)]
    """
    found: list[Mark] = []
    last = ""
    for piece in re.split(r"[,;]", group.strip("[] ")):
        one = _ONE.search(piece)
        more = _RANGE.match(piece)
        if one:
            last = one.group(1)
            start = int(one.group(2) or 0)
            found.append(Mark(last, start, int(one.group(3) or start)))
        elif more and last:
            found.append(Mark(last, int(more.group(1)), int(more.group(2) or more.group(1))))
    return found
