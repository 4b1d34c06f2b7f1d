"""Small pieces of PL/I syntax over masked, lower-case text. PL/I has no reserved words: a keyword is one only where its statement can stand."""

from __future__ import annotations

import re

NAME = r"(?:[^\W\d]|[$#@§£])[\w$#@§£]*+"
"""A name; `$#@` and what other code pages show in their places are letters."""

_LABEL = re.compile(rf"\s*(?:\((?:[^()]|\([^()]*\))*\)\s*:|({NAME})\s*(?:\([-+\w$\s,]*\)\s*)?:)(?!=)")
_WORD = re.compile(rf"\s*({NAME})")
_PAREN = re.compile(r"[()]")
_THEN = re.compile(r"[()]|\bthen\b")
_BEFORE_OPERATOR = "=<>+-*/|&^~¬!(.,:"
_SPACE = re.compile(r"\s*")


def skip_space(text: str, at: int, end: int) -> int:
    """Return the offset of the first character at or after ``at`` that is no space, at most ``end``."""
    match = _SPACE.match(text, at, end)
    return match.end() if match else end


def take_labels(text: str, at: int, end: int) -> tuple[list[tuple[int, int]], int]:
    """Return the spans of the label names before a statement, and where it goes on. Condition prefixes are passed over."""
    spans: list[tuple[int, int]] = []
    while True:
        match = _LABEL.match(text, at, end)
        if match is None:
            return spans, at
        if match.group(1):
            spans.append(match.span(1))
        at = match.end()


def word_at(text: str, at: int, end: int) -> tuple[str, int, int]:
    """Return the name at ``at``, its start and its end; "" when there is none."""
    match = _WORD.match(text, at, end)
    return (match.group(1), match.start(1), match.end(1)) if match else ("", at, at)


def close_of(text: str, at: int, end: int) -> int:
    """Return the offset after the parenthesis that closes the one at ``at``, or ``end``."""
    depth = 0
    for match in _PAREN.finditer(text, at, end):
        depth += 1 if match.group() == "(" else -1
        if depth <= 0:
            return match.end()
    return end


def has_equals(text: str, at: int, end: int) -> bool:
    """Return whether an equals sign stands outside parentheses: the statement is an assignment, whatever its first word."""
    if text.find("=", at, end) < 0:
        return False
    depth = 0
    for character in text[at:end]:
        if character in "()":
            depth += 1 if character == "(" else -1
        elif character == "=" and depth == 0:
            return True
    return False


def is_variable(text: str, at: int, end: int) -> bool:
    """Return whether the word that ends at ``at`` is a variable: an assignment, a qualifier or a locator follows it."""
    at = skip_space(text, at, end)
    if at >= end:
        return False
    here, following = text[at], text[at + 1 : at + 2]
    if here in "=,":
        return True
    if here == ".":
        return following.isalpha() or following in "_$#@ "
    return (here == "-" and following == ">") or (here in "+-*/|&" and following == "=") or text.startswith(("||=", "**="), at)


def then_of(text: str, at: int, end: int) -> int:
    """Return the offset after the THEN of an IF whose condition starts at ``at``, -1 when there is none.

    A `then` after an operator is a variable, as is one with nothing before it.
    """
    depth = 0
    for match in _THEN.finditer(text, at, end):
        token = match.group()
        if token == "(":
            depth += 1
        elif token == ")":
            depth -= 1
        elif depth <= 0:
            before = match.start() - 1
            while before >= at and text[before].isspace():
                before -= 1
            if before >= at and text[before] not in _BEFORE_OPERATOR:
                return match.end()
    return -1


def after_conditions(text: str, at: int, end: int) -> int:
    """Return where the on-unit begins, -1 when this is no ON statement: `ON name [(…)] [, …] [SNAP] unit`."""
    while True:
        word, _, stop = word_at(text, at, end)
        if not word:
            return -1
        at = skip_space(text, stop, end)
        if at < end and text[at] == "(":
            at = skip_space(text, close_of(text, at, end), end)
        if at < end and text[at] == ",":
            at += 1
            continue
        if at < end and text[at] == "=":
            return -1
        following, _, stop = word_at(text, at, end)
        return stop if following == "snap" and not is_variable(text, stop, end) else at
