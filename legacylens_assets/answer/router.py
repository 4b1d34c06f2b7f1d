"""What kind of question it is: list and graph questions go to the graph, the rest to retrieval. A choice of words only; it reads no index."""

from __future__ import annotations

import re
from dataclasses import dataclass

MODES = ("explain", "document", "rules", "translate")

_RELATIONS: tuple[tuple[str, str], ...] = (
    ("callers", r"\b(?:who|what|which\b.*?)\s+(?:calls?|invokes?|performs?|links?\s+to|transfers?\s+control\s+to)\b"),
    ("callers", r"\bwhere\s+(?:is|are)\b.*\b(?:called|performed|invoked)\b|\bcallers?\s+of\b|\bcalled\s+(?:from|by)\s*\?*$"),
    ("callees", r"\b(?:what|which\b.*)\s+(?:does|do)\b.*\b(?:call|perform|invoke|start|link\s+to|run)\b|\bcallees?\s+of\b"),
    (
        "copies",
        r"\b(?:who|what|which\b.*?)\s+(?:cop(?:y|ies)|includes?)\b|\b(?:copied|included)\s+(?:by|in|from)\b|\bwhere\s+is\b.*\b(?:copied|included)\b",
    ),
    ("jobs", r"\b(?:which|what)\s+jobs?\b|\bwhich\s+jcl\b|\bwhat\s+runs\b|\bwhere\s+is\b.*\brun\b"),
    ("writers", r"\b(?:who|what|which\b.*?)\s+(?:writes?|updates?|creates?|deletes?)\b"),
    ("readers", r"\b(?:who|what|which\b.*?)\s+(?:reads?|uses?|opens?)\b"),
    ("setters", r"\bwhere\s+(?:is|are|does|do)\b.*\b(?:set|changed|assigned|modified|updated)\b"),
)


@dataclass(frozen=True, slots=True)
class Route:
    """Where a question goes: ``kind`` is graph or retrieval, ``relation`` what is asked of the graph."""

    kind: str
    relation: str = ""


def route(question: str, mode: str, names_something: bool) -> Route:
    """Return where a question goes. Only a question that names an indexed unit can be a graph question.

    >>> route("Who calls CBPOST01?", "explain", True), route("How are refunds posted?", "explain", False).kind
    (Route(kind='graph', relation='callers'), 'retrieval')
    """
    if mode != "explain" or not names_something:
        return Route("retrieval")
    for relation, pattern in _RELATIONS:
        if re.search(pattern, question, re.IGNORECASE):
            return Route("graph", relation)
    return Route("retrieval")
