"""File level of C: declarations and definitions in order, bodies skipped by their brackets."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from legacylens_assets.parsers.c import heads
from legacylens_assets.parsers.c.clean import Clean
from legacylens_assets.types import EMPTY, Problem

_TOP = re.compile(r"[{};()]")
_BRACE = re.compile(r"[{}]")
_NESTED = re.compile(r"\b(struct|union|enum)\s+(?:[A-Z_]{3,}\s+)?([A-Za-z_]\w*+)\s*+(?::\s*\w+\s*)?\{")
_MACRO = re.compile(r"[ \t]*(?:#|%:|\?\?=)[ \t]*define[ \t]+([A-Za-z_$][\w$]*)(\()?")
_INCLUDED = re.compile(r"[ \t]*(?:#|%:|\?\?=)[ \t]*(?:include|include_next|import)\b[ \t]*(?:\"([^\"]*)\"|<([^>]*)>|([A-Za-z_]\w*))")
_EXTERN_C = re.compile(r"extern\s*\"[^\"]*\"\s*$")
_LONGEST_HEAD = 20_000
"""Characters of a head that are looked at: more than any header, and a bound for text that is no C."""


@dataclass(slots=True)
class Found:
    """A symbol before it is ordered and given a parent: offsets, not lines."""

    kind: str
    name: str
    start: int
    end: int
    unit: bool = True
    detail: Mapping[str, str] = field(default_factory=lambda: EMPTY)


@dataclass(slots=True)
class Scan:
    """What the file level holds.

    ``lists`` are ranges of initialisers, enums and structs, where a line may start after a comma; ``trees`` those that tree-sitter read;
    ``calls`` are the calls (name, offset, dynamic) of the functions (index into found) that it read whole.
    """

    found: list[Found] = field(default_factory=list)
    bodies: list[tuple[int, int, int]] = field(default_factory=list)  # index into found, offsets of { and past }
    lists: list[tuple[int, int]] = field(default_factory=list)
    loose: list[tuple[int, int]] = field(default_factory=list)
    trees: list[tuple[int, int]] = field(default_factory=list)
    calls: dict[int, list[tuple[str, int, bool]]] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)


def closing_braces(code: str) -> tuple[dict[int, int], int | None]:
    """Return, for each ``{``, the offset of the ``}`` that closes it, and the offset of the first brace without a partner, None when all pair up.

    Where they do not, a second pass takes a brace in column 1 to be that of a file-level definition, as ctags does.
    """
    pairs, odd = _paired(code, False)
    return (pairs, None) if odd is None else (_paired(code, True)[0], odd)


def _paired(code: str, by_column: bool) -> tuple[dict[int, int], int | None]:
    pairs: dict[int, int] = {}
    stack: list[int] = []
    stray: list[int] = []
    for found in _BRACE.finditer(code):
        place = found.start()
        first = by_column and (place == 0 or code[place - 1] == "\n")
        if found.group() == "{":
            if first and stack and _ends_head(code, place):
                pairs.update((opened, place) for opened in stack)
                stack.clear()
            stack.append(place)
        elif not stack:
            stray.append(place)
        elif first and code[place + 1 : place + 2] in ("\n", "", " "):
            pairs.update((opened, place) for opened in stack)
            stack.clear()
        else:
            pairs[stack.pop()] = place
    pairs.update((opened, len(code)) for opened in stack)
    return pairs, min((*stray[:1], *stack[:1]), default=None)


def _ends_head(code: str, place: int) -> bool:
    """Return whether the text before a brace in column 1 ends like a function's header."""
    before = code[max(0, place - 400) : place].rstrip()
    return before.endswith((")", ";"))


def directives(clean: Clean, result: Scan) -> frozenset[str]:
    """Note macros and includes; return the names of function-like macros."""
    macros: set[str] = set()
    for directive in clean.directives:
        if directive.word == "define":
            found = _MACRO.match(clean.text, directive.start, directive.end)
            if found:
                detail = MappingProxyType({"function_like": "1"}) if found.group(2) else EMPTY
                result.found.append(Found("macro", found.group(1), directive.start, directive.end - 1, True, detail))
                if found.group(2):
                    macros.add(found.group(1))
        elif directive.word in ("include", "include_next", "import"):
            found = _INCLUDED.match(clean.text, directive.start, directive.end)
            if found:
                name = found.group(1) or found.group(2) or found.group(3) or ""
                result.found.append(Found("include", name, directive.start, directive.end - 1))
    return frozenset(macros)


_MOST_BRACES = 16
"""Braced parts of one declaration that are looked at; past them only its ``;`` matters."""


@dataclass(slots=True)
class FileLevel:
    """Walks the file level from head to head. ``braces`` are bodies inside the head so far: struct bodies, initialisers."""

    code: str
    original: str
    pairs: dict[int, int]
    macros: frozenset[str]
    result: Scan
    head_start: int = 0
    rounds: int = 0
    in_value: bool = False
    braces: list[tuple[int, int]] = field(default_factory=list)

    def walk(self, start: int, stop: int) -> int:
        """Note everything at file level that begins in ``code[start:stop]``; return where it ends: past ``stop`` when a body goes on there."""
        place = start
        self._restart(start)
        while True:
            found = _TOP.search(self.code, place, stop)
            if found is None:
                break
            char, at = found.group(), found.start()
            place = at + 1
            if char == "(":
                self.rounds += 1
            elif char == ")":
                self.rounds = max(0, self.rounds - 1)
            elif char == "}":
                if not self.braces:
                    _loose(self.code, self.head_start, at, self.result)
                self._restart(place)
            elif char == ";":
                self._semicolon(at)
            else:
                place = self._brace(at)
        if self.in_value:
            _declaration(self.code, self.head_start, max(place, stop) - 1, self.braces, self.result)
        else:
            _loose(self.code, self.head_start, max(place, stop), self.result)
        return max(place, stop)

    def _restart(self, place: int) -> None:
        self.head_start, self.rounds, self.in_value, self.braces = place, 0, False, []

    def _semicolon(self, at: int) -> None:
        if not _awaits_body(self.code, self.head_start, at, self.braces):
            _declaration(self.code, self.head_start, at, self.braces, self.result)
            self._restart(at + 1)
        self.rounds = 0

    def _brace(self, at: int) -> int:
        """Handle a ``{``; return where to go on."""
        end = min(self.pairs.get(at, len(self.code)), len(self.code) - 1)
        if self.rounds and (at == 0 or self.code[at - 1] == "\n"):
            self.rounds = 0
        if not (self.rounds or self.in_value or len(self.braces) > _MOST_BRACES):
            step = self._opened(at, end)
            if step == "transparent":
                self._restart(at + 1)
                return at + 1
            if step == "done":
                self._restart(end + 1)
                return end + 1
        self.braces.append((at, end))
        return end + 1

    def _opened(self, at: int, end: int) -> str:
        """Return what a ``{`` is: "transparent" (go inside), "done" (a definition ended at its ``}``) or "nested" (a declaration goes on)."""
        code, start, result = self.code, self.head_start, self.result
        if _EXTERN_C.search(code, max(start, at - 200), at):
            return "transparent"
        if at - start > _LONGEST_HEAD and not self.braces:
            start = at - _LONGEST_HEAD
        head = _head_around(code, start, at, self.braces)
        if not head:
            _loose(code, at, end + 1, result)
            return "done"
        self.in_value = any(t.text == "=" for t in head)
        after = _first_code(code, end + 1)
        old_value = heads.old_initialiser(head) and code[after : after + 1] in (";", ",")
        if self.in_value or heads.aggregate(head) is not None or old_value:
            result.lists.append((at, end))
            return "nested"
        return self._defined(head, at, end)

    def _defined(self, head: list[heads.Token], at: int, end: int) -> str:
        """Note the function or the unknown block whose body is between ``at`` and ``end``."""
        defined = heads.function(self.code, head, self.macros, self.original)
        if defined is None:
            if head[0].text in ("namespace", "class"):
                return "transparent"
            _loose(self.code, head[0].start, end + 1, self.result)
            return "done"
        if head[0].start < defined.start:
            _loose(self.code, head[0].start, defined.start, self.result)
        style = MappingProxyType({"style": "k&r"}) if defined.knr else EMPTY
        self.result.found.append(Found("function", defined.name, defined.start, end, True, style))
        self.result.bodies.append((len(self.result.found) - 1, at, end + 1))
        return "done"


def _awaits_body(code: str, start: int, semicolon: int, braces: list[tuple[int, int]]) -> bool:
    """Return whether this ``;`` may end a parameter declaration of a K&R definition whose ``{`` is still to come."""
    if semicolon - start > _LONGEST_HEAD:
        return False
    head = _head_around(code, start, semicolon + 1, braces)
    rest = _first_code(code, semicolon + 1)
    if code[rest : rest + 1] == "{":
        return heads.applies_a_name(code, head) or bool(heads.may_be_old_style(code, head))
    parameters = heads.may_be_old_style(code, head)
    if sum(t.text == ";" for t in head) > len(parameters):
        return False
    nearest = _TOP_STOP.search(code, rest)
    if nearest is None:
        return False
    declaration = heads.tokens(code, rest, nearest.end())
    if nearest.group() == "{":
        return heads.aggregate(heads.tokens(code, rest, nearest.start())) is not None
    return nearest.group() == ";" and heads.continues_old_style(code, parameters, declaration)


_NEXT_CODE = re.compile(r"\s*+")
_TOP_STOP = re.compile(r"[{};=]")


def _declaration(code: str, start: int, semicolon: int, braces: list[tuple[int, int]], result: Scan) -> None:
    """Note what a declaration that ends at ``semicolon`` declares."""
    if not braces and semicolon - start > _LONGEST_HEAD:
        result.loose.append((_first_code(code, start), semicolon))
        return
    head = _head_around(code, start, semicolon, braces)
    if not head:
        return
    first = head[0].start
    if head[0].text == "EXEC":
        _embedded(head, first, semicolon, result)
        return
    typedef = head[0].text == "typedef" or (head[0].text == "__extension__" and len(head) > 1 and head[1].text == "typedef")
    body = next((i for i, t in enumerate(head) if t.text == "{"), None)
    made = heads.aggregate(head[:body]) if body is not None and not any(t.text == "=" for t in head[:body]) else None
    names, only_functions = heads.declared_names(code, head)
    if made is not None:
        names = [n for n in names if not n.startswith("__")]  # __packed and the like, in a place where a variable may stand
    loose = only_functions or head[0].text == "extern" or (len(head) < 2 and not braces)
    note_declaration(Declared(names, made[:2] if made is not None else None, typedef, loose), first, semicolon, result)


@dataclass(frozen=True, slots=True)
class Declared:
    """What a declaration says: the names, the aggregate (kind, tag) it defines with a body. ``loose``: it only announces (prototypes, externs)."""

    names: list[str]
    made: tuple[str, str] | None
    typedef: bool
    loose: bool


def note_declaration(declared: Declared, first: int, semicolon: int, result: Scan) -> None:
    """Note the symbols of a declaration that stands at these offsets; the first that is a unit owns its lines."""
    names = declared.names
    if declared.made is not None:
        kind, tag = declared.made
        name = tag or (names[0] if declared.typedef and names else "")
        if name or not names:
            result.found.append(Found(kind, name, first, semicolon))
        if declared.typedef:
            result.found.extend(Found("typedef", n, first, semicolon, not name) for n in names if n != name)
        else:
            result.found.extend(Found("variable", n, first, semicolon, i == 0 and not name) for i, n in enumerate(names))
    elif declared.typedef:
        result.found.extend(Found("typedef", n, first, semicolon, i == 0) for i, n in enumerate(names))
        if not names:
            result.loose.append((first, semicolon))
    elif declared.loose or not names:
        result.loose.append((first, semicolon))
    else:
        result.found.extend(Found("variable", n, first, semicolon, i == 0) for i, n in enumerate(names))


def _embedded(head: list[heads.Token], first: int, semicolon: int, result: Scan) -> None:
    """Note an embedded SQL statement at file level: ``EXEC SQL INCLUDE SQLCA;`` includes."""
    words = [t.text for t in head]
    if len(words) > 3 and words[2].upper() == "INCLUDE":
        result.found.append(Found("include", words[3], first, semicolon))
    else:
        result.loose.append((first, semicolon))


def _head_around(code: str, start: int, semicolon: int, braces: list[tuple[int, int]]) -> list[heads.Token]:
    """Return the tokens of a declaration with each braced body as one token, without reading the bodies."""
    out: list[heads.Token] = []
    place = start
    for opened, closed in braces:
        out.extend(heads.tokens(code, place, opened))
        out.append(heads.Token("{", opened, closed + 1))
        place = closed + 1
    out.extend(heads.tokens(code, place, semicolon))
    return out


def _first_code(code: str, start: int) -> int:
    found = _NEXT_CODE.match(code, start)
    return found.end() if found else start


def _loose(code: str, start: int, end: int, result: Scan) -> None:
    """Note text at file level that is no declaration: macro calls without ``;``, fragments."""
    first = _first_code(code, start)
    if first < end:
        last = first + len(code[first:end].rstrip()) - 1
        result.loose.append((first, last))


def nested(code: str, pairs: dict[int, int], result: Scan) -> None:
    """Note named structs, unions and enums inside other definitions, those that tree-sitter read apart."""
    ranges = sorted([(opened, closed) for _, opened, closed in result.bodies] + result.lists)
    begins = [start for start, _ in ranges]
    tree_begins = [start for start, _ in result.trees]
    for found in _NESTED.finditer(code):
        opened = found.end() - 1
        around = bisect_right(begins, found.start()) - 1
        read = bisect_right(tree_begins, found.start()) - 1
        if read >= 0 and found.start() < result.trees[read][1]:
            continue
        if around >= 0 and found.start() < ranges[around][1] and opened in pairs:
            result.found.append(Found(found.group(1), found.group(2), found.start(), min(pairs[opened], len(code) - 1), False))
