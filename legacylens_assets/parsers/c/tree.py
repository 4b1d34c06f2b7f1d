"""tree-sitter's reading of C: the file level's definitions and declarations that it understood without doubt, and what lies in them.

The text is the code with its conditional branches settled (``branches.py``), directives, comments and literals blanked, so that one byte is one
character. A part with an error, K&R headers, macros that stand for headers: these are left out, and the scanner of ``units.py`` reads them.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from legacylens_assets.parsers.c.calls import NO_CALL
from legacylens_assets.parsers.c.units import Declared, Found, Scan, note_declaration
from legacylens_assets.types import EMPTY

if TYPE_CHECKING:
    from tree_sitter import Language, Node, Query, Tree, TreeCursor

LONGEST = 8_000_000
"""Characters of a file above which only the scanner reads it: a tree takes about twenty times the text's memory."""
MOST_ERROR = 0.05
"""Share of a text inside ERROR nodes above which nothing in the tree is believed."""
_STEP = 64
"""Characters for each call of the progress callback that a parse may make; plain C makes one for about 140.

Steps are counted, not seconds, so that the result is the same on any machine.
"""
_BLOCK = 1 << 16
_NOT_ASCII = re.compile(r"[^\x00-\x7f]")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")
_AGGREGATES = {"struct_specifier": "struct", "union_specifier": "union", "enum_specifier": "enum"}
_TYPES = frozenset({"primitive_type", "sized_type_specifier", "type_identifier", *_AGGREGATES})
_BEFORE = frozenset({"storage_class_specifier", "type_qualifier"})
_CLOSED = frozenset({"function_definition", "type_definition", "linkage_specification", *_AGGREGATES})
"""Children of the file level that are never the body of what stands before them."""
_LEAVES = frozenset({"identifier", "type_identifier", "primitive_type"})
_WRAPPERS = frozenset({"pointer_declarator", "array_declarator", "parenthesized_declarator", "init_declarator", "function_declarator"})
_IN_HEADER = frozenset({"parameter_list", "attribute_specifier", "identifier", "type_identifier", "parenthesized_declarator"})
_QUERY = """
(call_expression function: (identifier) @call)
(macro_type_specifier) @doubtful
(compound_statement (function_definition) @doubtful)
(call_expression function: (field_expression field: (field_identifier) @member))
(struct_specifier name: (_) body: (_)) @nested
(union_specifier name: (_) body: (_)) @nested
(enum_specifier name: (_) body: (_)) @nested
"""


@dataclass(frozen=True, slots=True)
class Part:
    """A child of the file level: offsets of its first and past its last character.

    ``node`` is None for text that says nothing: ``;``, ``extern "C" {``.
    """

    start: int
    end: int
    node: Node | None


class Outline:
    """What tree-sitter makes of a text: ``parts`` that it understood, in order."""

    def __init__(self, code: str, tree: Tree, macros: frozenset[str]) -> None:
        self.code = code
        self._tree = tree
        self._macros = macros
        self.parts = list(self._believed())

    def note(self, part: Part, result: Scan) -> None:
        """Add what one part defines or declares to ``result``."""
        node = part.node
        if node is None:
            return
        if node.type == "function_definition":
            body = node.child_by_field_name("body")
            name = _function_name(node)
            if body is not None and name is not None:
                result.found.append(Found("function", self._text(name), part.start, part.end - 1, True, EMPTY))
                result.bodies.append((len(result.found) - 1, body.start_byte, body.end_byte))
        elif node.type == "expression_statement":
            result.loose.append((part.start, part.end - 1))
        else:
            self._note_declaration(node, part, result)
        result.trees.append((part.start, part.end))

    def note_inside(self, result: Scan, code: str) -> None:
        """Add calls and named types inside the parts noted.

        Calls of a body that lost a branch (``code`` has it) or holds macros that look like declarations are left to the scanner.
        """
        from tree_sitter import QueryCursor

        captures = QueryCursor(_query()).captures(self._tree.root_node)
        trees = _Spans(result.trees)
        bodies = _Spans([(start, end) for _, start, end in result.bodies])
        keys = [index for index, _, _ in result.bodies]
        for key, (start, end) in zip(keys, bodies.spans, strict=True):
            if trees.around(start) >= 0 and (code is self.code or code[start:end] == self.code[start:end]):
                result.calls[key] = []
        for node in captures.get("doubtful", ()):
            place = bodies.around(node.start_byte)
            if place >= 0:
                result.calls.pop(keys[place], None)
        for capture in ("call", "member"):
            for node in captures.get(capture, ()):
                start = node.start_byte
                place = bodies.around(start)
                if place >= 0 and keys[place] in result.calls:
                    name = self.code[start : node.end_byte]
                    if name not in NO_CALL:
                        result.calls[keys[place]].append((name, start, capture == "member"))
        holders = _Spans(sorted(bodies.spans + [(start, end) for start, end in result.lists]))
        for node in captures.get("nested", ()):
            name_node = node.child_by_field_name("name")
            if name_node is not None and trees.around(node.start_byte) >= 0 and holders.around(node.start_byte) >= 0:
                result.found.append(Found(_AGGREGATES[node.type], self._text(name_node), node.start_byte, node.end_byte - 1, False))

    def _text(self, node: Node) -> str:
        return self.code[node.start_byte : node.end_byte]

    def _note_declaration(self, node: Node, part: Part, result: Scan) -> None:
        """Note what a declaration, a typedef or an aggregate alone declares."""
        kind = node if node.type in _AGGREGATES else node.child_by_field_name("type")
        names: list[str] = []
        functions = 0
        for declarator, field in _fields(node) if node is not kind else ():
            leaf = _leaf(declarator) if field == "declarator" else None
            if leaf is None:
                continue
            names.append(self._text(leaf[0]))
            functions += leaf[1]
            value = declarator.child_by_field_name("value")
            if value is not None and value.type == "compound_literal_expression":
                value = value.child_by_field_name("value")
            if value is not None and value.type == "initializer_list":
                result.lists.append((value.start_byte, value.end_byte - 1))
        made = None
        body = kind.child_by_field_name("body") if kind is not None and kind.type in _AGGREGATES else None
        if kind is not None and body is not None:
            tag = kind.child_by_field_name("name")
            made = (_AGGREGATES[kind.type], self._text(tag) if tag is not None else "")
            result.lists.append((body.start_byte, body.end_byte - 1))
        loose = self.code.startswith("extern", part.start) or (bool(names) and functions == len(names))
        note_declaration(Declared(names, made, node.type == "type_definition", loose), part.start, part.end - 1, result)

    def _believed(self) -> Iterator[Part]:
        """Yield the parts understood without doubt.

        A doubtful child that may hold the body of a K&R function takes the declarations before it along. Each takes the next part unless it ends in
        ``;`` or a brace, and a ``;`` even then.
        """
        waiting: list[Part] = []  # declarations that a body may still claim
        doubt = False  # whether a doubtful child still waits for its end
        after = False  # whether the child before was doubtful
        for part, sure in self._children():
            kind = part.node.type if part.node is not None else ""
            if not sure:
                doubt = self.code[part.end - 1 : part.end] not in (";", "}")
                body = kind not in _CLOSED and "{" in self.code[part.start : part.end]
                if not body and (doubt or kind in _CLOSED):
                    yield from waiting
                if body or doubt or kind in _CLOSED:
                    waiting.clear()
            elif doubt or (after and part.node is None and self.code[part.start] == ";"):
                doubt = False
            elif kind == "declaration" or kind == "expression_statement":
                waiting.append(part)
            else:
                yield from waiting
                waiting.clear()
                yield part
            after = not sure
        yield from waiting

    def _children(self) -> Iterator[tuple[Part, bool]]:
        """Yield the children of the file level with whether each is understood; those of ``extern "C" {`` stand for it."""
        pending: Node | None = None  # an aggregate whose ``;`` is still to come
        for node, held in _file_level(self._tree):
            start, end, kind = node.start_byte, node.end_byte, node.type
            if pending is not None:
                closed = kind == ";" and end > start
                yield Part(pending.start_byte, end if closed else pending.end_byte, pending), closed and not pending.has_error
                pending = None
                if closed:
                    continue
            if held:
                yield Part(start, held, None), True
            elif kind in _AGGREGATES:
                pending = node
            elif end == start + 1 and self.code[start] in "{};":
                yield Part(start, end, None), True
            elif end > start:
                yield Part(start, end, node), self._sure(node)
        if pending is not None:
            yield Part(pending.start_byte, pending.end_byte, pending), False

    def _sure(self, node: Node) -> bool:
        """Return whether the tree alone says what a child of the file level is."""
        if node.has_error:
            return False
        if node.type == "function_definition":
            name = _function_name(node)
            return name is not None and self._text(name) not in self._macros
        if self.code[node.end_byte - 1] != ";":
            return False
        if node.type in ("declaration", "type_definition"):
            return self._sure_declaration(node)
        call = node.children[0] if node.type == "expression_statement" else None
        function = call.child_by_field_name("function") if call is not None and call.type == "call_expression" else None
        return function is not None and function.type == "identifier"

    def _sure_declaration(self, node: Node) -> bool:
        kind = node.child_by_field_name("type")
        if kind is None or kind.type not in _TYPES:
            return False
        packed = kind.child_by_field_name("body") is not None
        for child, field in _fields(node):
            if field == "declarator":
                leaf = _leaf(child)
                if child.type == "parenthesized_declarator":
                    return False  # a call without a type: ``static drain(void);``
                if leaf is None or (packed and self.code.startswith("__", leaf[0].start_byte)):
                    return False
            elif field != "type" and child.type not in _BEFORE and child.type not in ("typedef", ",", ";"):
                return False
        return True


class _Spans:
    """Sorted ranges of offsets that do not overlap, except that one may lie in another."""

    def __init__(self, spans: list[tuple[int, int]]) -> None:
        self.spans = spans
        self._begins = [start for start, _ in spans]

    def around(self, offset: int) -> int:
        """Return the place of the last range begun, or -1 when it does not hold the offset."""
        place = bisect_right(self._begins, offset) - 1
        return place if place >= 0 and offset < self.spans[place][1] else -1


def outline(code: str, macros: frozenset[str]) -> Outline | None:
    """Return what tree-sitter understood of ``code``, or None when the scanner has to read all of it.

    That is so above LONGEST characters, when more than MOST_ERROR of the text is in errors, and when the parse takes more steps than C needs.
    ``macros`` are the function-like macros of the file: what they head is no plain function.
    """
    if len(code) > LONGEST:
        return None
    tree = _parsed(_CONTROL.sub(" ", _NOT_ASCII.sub("_", code)).encode("ascii"))
    if tree is None or (tree.root_node.has_error and _errors(tree, int(MOST_ERROR * len(code))) > MOST_ERROR * len(code)):
        return None
    return Outline(code, tree, macros)


def _parsed(text: bytes) -> Tree | None:
    """Return the tree of a text, None when it takes too many steps."""
    from tree_sitter import Parser

    steps, most = 0, 1000 + len(text) // _STEP

    def read(offset: int, _: object) -> bytes:
        return text[offset : offset + _BLOCK]

    def stop(*_: object) -> bool:
        nonlocal steps
        steps += 1
        return steps > most

    try:
        return Parser(_language()).parse(read, progress_callback=stop)
    except ValueError:  # the library's word for a parse that was stopped
        return None


def _errors(tree: Tree, most: int) -> int:
    """Return how many characters lie in ERROR nodes; stops counting above ``most``. Enters only what holds an error, never recursively."""
    cursor, total = tree.walk(), 0
    while True:
        node = cursor.node
        if node is not None and node.is_error:
            total += node.end_byte - node.start_byte
            if total > most:
                return total
        elif node is not None and node.has_error and cursor.goto_first_child():
            continue
        while not cursor.goto_next_sibling():
            if not cursor.goto_parent():
                return total


def _file_level(tree: Tree) -> Iterator[tuple[Node, int]]:
    """Yield the children of the root and 0; for ``extern "C" {`` the offset past its brace instead of 0, and then what it holds up to its ``}``."""
    cursor = tree.walk()
    if not cursor.goto_first_child():
        return
    depth = 0
    while True:
        node = cursor.node
        if node is not None:
            entered = node.type == "linkage_specification" and _enters(cursor)
            brace = cursor.node if entered else None
            depth += entered
            yield node, brace.end_byte if brace is not None else 0
        while not cursor.goto_next_sibling():
            if not depth:
                return
            depth -= 1
            cursor.goto_parent()
            cursor.goto_parent()


def _enters(cursor: TreeCursor) -> bool:
    """Move a cursor on ``extern "C" {`` to the brace when there is one."""
    body = cursor.node.child_by_field_name("body") if cursor.node is not None else None
    if body is None or body.type != "declaration_list" or not cursor.goto_first_child():
        return False
    while cursor.goto_next_sibling():
        if cursor.field_name == "body":
            return cursor.goto_first_child()
    return False


def _function_name(node: Node) -> Node | None:
    """Return the name of a plain function definition, None for any other head: K&R, macros, attributes before it."""
    kind = node.child_by_field_name("type")
    declarator = node.child_by_field_name("declarator")
    if kind is None or kind.type not in _TYPES or declarator is None:
        return None
    allowed = (*_BEFORE, kind.type, declarator.type, "compound_statement")
    if any(child.type not in allowed for child in node.children) or node.children[-1].type != "compound_statement":
        return None
    leaf = _leaf(declarator)
    return leaf[0] if leaf is not None and leaf[1] else None


def _leaf(node: Node) -> tuple[Node, bool] | None:
    """Return the name that a declarator declares and whether it is a function's, None when the declarator is not made of C's own words alone."""
    found: Node | None = node
    function = False
    while found is not None and found.type in _WRAPPERS:
        inner = found.child_by_field_name("declarator")
        if found.type == "parenthesized_declarator":
            inner = found.named_child(0) if found.named_child_count == 1 else None
        elif found.type != "init_declarator":
            function = found.type == "function_declarator"
        if found.type == "function_declarator" and any(child.type not in _IN_HEADER for child in found.named_children):
            return None
        found = inner
    return (found, function) if found is not None and found.type in _LEAVES else None


def _fields(node: Node) -> Iterator[tuple[Node, str]]:
    """Yield the children of a declaration with their fields, each in constant time."""
    cursor = node.walk()
    more = cursor.goto_first_child()
    while more:
        child = cursor.node
        if child is not None:
            yield child, cursor.field_name or ""
        more = cursor.goto_next_sibling()


@cache
def _language() -> Language:
    import tree_sitter_c
    from tree_sitter import Language

    return Language(tree_sitter_c.language())


@cache
def _query() -> Query:
    from tree_sitter import Query

    return Query(_language(), _QUERY)
