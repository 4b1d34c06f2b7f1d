"""What a declaration or a definition at file level names: functions, K&R included, aggregates, typedefs, variables.

ISO/IEC 9899:2018, 6.7 (declarations) and 6.9.1 (function definitions); Kernighan & Ritchie 1978, appendix A, 10.1 for the old style.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_TOKEN = re.compile(r"[A-Za-z_$][\w$]*+|[^\s\w]|\d[\w.]*+")
_CONTROL = frozenset("if else while for switch return do case default goto sizeof break continue".split())
_ATTRIBUTES = frozenset(
    "__attribute__ __attribute __declspec _Alignas alignas __asm__ __asm asm _Pragma __pragma __nonnull __extension__ typeof "
    "__typeof__ __typeof _Static_assert".split()
)
_QUALIFIERS = frozenset("const volatile restrict __restrict __const static extern register inline __inline __inline__ auto _Noreturn _Atomic".split())
_PROTOTYPE_MACROS = frozenset("P P_ __P _P PARAMS PROTO _PROTO PROTOTYPE __PROTO OF ARGS _ANSI_ARGS_".split())
_LONGEST_ARGUMENTS = 100
"""Characters of a macro's arguments that go into the name of the function it defines."""
_AGGREGATES = frozenset(("struct", "union", "enum"))


@dataclass(frozen=True, slots=True)
class Token:
    """A token of a head at bracket depth 0: an identifier, a punctuator, or a whole bracket group (``text`` is then its opening bracket)."""

    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Function:
    """A function definition: its name and where its header starts (an offset)."""

    name: str
    start: int
    knr: bool = False


def tokens(code: str, start: int, end: int) -> list[Token]:
    """Return the tokens of ``code[start:end]`` with every bracket group as one token."""
    out: list[Token] = []
    opened: list[tuple[str, int]] = []
    for found in _TOKEN.finditer(code, start, end):
        text = found.group()
        if text in "([{":
            opened.append((text, found.start()))
        elif text in ")]}":
            if opened:
                bracket, place = opened.pop()
                if not opened:
                    out.append(Token(bracket, place, found.end()))
        elif not opened:
            out.append(Token(text, found.start(), found.end()))
    return out


def function(code: str, head: list[Token], macros: frozenset[str], original: str) -> Function | None:
    """Return the function that a head before ``{`` defines, or None when it is something else.

    ``macros`` are the function-like macros of the file: a call of one that stands alone before ``{`` defines ``MACRO(arguments)``.
    """
    head = _without_attributes(head)
    if not head or any(t.text in ("=", "typedef") for t in head) or head[0].text in _CONTROL:
        return None
    semicolon = next((i for i, t in enumerate(head) if t.text == ";"), len(head))
    pairs = _pairs(head[:semicolon])
    pairs = [p for p in pairs if head[p].text not in _CONTROL]
    if semicolon < len(head):
        return _old_style(code, head, pairs, semicolon)
    inner = _inside_group(code, head)
    if inner is not None and (not pairs or head[pairs[-1]].start < inner.start and head[-1].text == "("):
        return Function(inner.name, head[0].start)
    if not pairs:
        return None
    chosen, first = _choose(head, pairs)
    name = head[chosen].text
    group = head[chosen + 1]
    again = head[chosen + 2] if chosen + 2 < len(head) else None
    alone = chosen == first
    called = name in macros and not _typed(code, group)
    if (again is not None and again.text == "(") or called or (alone and _shouts(name) and not _typed(code, group)):
        name = f"{name}({' '.join(original[group.start + 1 : group.end - 1].split())[:_LONGEST_ARGUMENTS]})"
    return Function(name, head[first].start)


def _choose(head: list[Token], pairs: list[int]) -> tuple[int, int]:
    """Return the place of the name among several ``name(...)``, and that of the header's first token.

    >>> code = "EXPORT(plain) int plain(int v)"
    >>> head = tokens(code, 0, len(code)); chosen, first = _choose(head, _pairs(head)); head[chosen].text, head[first].text
    ('plain', 'int')
    """
    first = 0
    chosen = pairs[0]
    for pair in pairs[1:]:
        between = pair - (chosen + 2)
        if between > 0 and head[chosen + 2].text == "(":
            continue
        if between == 0:
            if chosen > first or (_shouts(head[pair].text) and not _shouts(head[chosen].text)) or head[pair].text in _PROTOTYPE_MACROS:
                continue
            chosen = pair
            continue
        if chosen == first:
            first = chosen + 2
        chosen = pair
    if head[chosen].text in _PROTOTYPE_MACROS and chosen and _is_name(head[chosen - 1]):
        chosen -= 1
    return chosen, _skip_decls(head, first)


def _skip_decls(head: list[Token], first: int) -> int:
    while first + 1 < len(head) and re.fullmatch(r"\w*(?:BEGIN|END)_(?:C_)?DECLS?\w*|\w*_(?:BEGIN|END)", head[first].text):
        first += 1
    return first


def _old_style(code: str, head: list[Token], pairs: list[int], semicolon: int) -> Function | None:
    """Return the function of a K&R head: ``name(a, b)`` and declarations of its parameters, each ended by ``;``."""
    if head[-1].text != ";":
        return None
    inner = _inside_group(code, head[:semicolon])
    for pair in reversed(pairs):
        names = _names_only(code, head[pair + 1])
        follows = head[pair + 2] if pair + 2 < len(head) else None
        if names and follows is not None and _is_name(follows) and _declares(code, head[pair + 2 :], names):
            first = 0
            for before in pairs:
                if before < pair and before == first and before + 2 < pair:
                    first = before + 2
            return Function(head[pair].text, head[_skip_decls(head, first)].start, True)
    if inner is not None:
        return Function(inner.name, head[0].start, True)
    old = next((p for p in pairs if _names_only(code, head[p + 1])), None)
    return Function(head[old].text, head[0].start, True) if old is not None else None


def may_be_old_style(code: str, head: list[Token]) -> list[str]:
    """Return the parameters when a head that ends in ``;`` may be a K&R header whose body is still to come, else [].

    >>> text = "add(a, b) int a, b;"
    >>> may_be_old_style(text, tokens(text, 0, len(text)))
    ['a', 'b']
    """
    head = _without_attributes(head)
    if any(t.text in ("=", "typedef") for t in head):
        return []
    semicolon = next((i for i, t in enumerate(head) if t.text == ";"), len(head))
    for pair in reversed(_pairs(head[:semicolon])):
        names = _names_only(code, head[pair + 1])
        if names and pair + 2 < semicolon and _is_name(head[pair + 2]) and _declares(code, head[pair + 2 :], names):
            return names
    inner = _inside_group(code, head[:semicolon])
    if inner is not None and semicolon >= 2 and _is_name(head[semicolon - 1]):
        return re.findall(r"[A-Za-z_]\w*", code[inner.start : head[semicolon - 1].start])
    return []


def continues_old_style(code: str, names: list[str], declaration: list[Token]) -> bool:
    """Return whether a declaration declares one of the parameters, as the next one of a K&R header does."""
    return bool(declaration) and (_is_name(declaration[0])) and _declares(code, declaration, names)


def _declares(code: str, rest: list[Token], names: list[str]) -> bool:
    """Return whether one of the parameters is declared: ``int n;`` or inside brackets: ``int (*compare)();``."""
    wanted = set(names)
    if any(t.text in wanted for t in rest):
        return True
    return any(t.text == "(" and wanted & set(re.findall(r"[A-Za-z_]\w*", code[t.start : t.end])) for t in rest)


@dataclass(frozen=True, slots=True)
class _Inner:
    name: str
    start: int


def _inside_group(code: str, head: list[Token]) -> _Inner | None:
    """Return the name in ``(*name(args))(args)`` or ``(name)(args)``."""
    for i in range(len(head) - 1):
        if head[i].text == "(" and head[i + 1].text == "(" and (i == 0 or not _calls_macro(head, i)):
            inside = [t for t in _without_attributes(tokens(code, head[i].start + 1, head[i].end - 1)) if t.text not in _QUALIFIERS]
            stars = [t for t in inside if t.text in "*^"]
            named = [t for t in inside if t.text not in "*^"]
            if not named:
                continue
            if len(named) == 1 and _is_name(named[0]) and not stars:
                return _Inner(named[0].text, head[i].start)
            if len(named) >= 2 and stars:
                for name, group in zip(named, named[1:], strict=False):
                    if _is_name(name) and group.text == "(":
                        return _Inner(name.text, head[i].start)
                deeper = _inside_group(code, named)
                if deeper is not None:
                    return deeper
    return None


def _calls_macro(head: list[Token], group: int) -> bool:
    """Return whether the group belongs to a name before it that is no type: ``PREFIX(name)(args)``."""
    return group >= 1 and _is_name(head[group - 1]) and _shouts(head[group - 1].text) and group >= 1 and head[group - 1].end <= head[group].start


def _pairs(head: list[Token]) -> list[int]:
    return [
        i
        for i in range(len(head) - 1)
        if head[i + 1].text == "(" and _is_name(head[i]) and head[i].text not in _AGGREGATES and not (i and head[i - 1].text in _AGGREGATES)
    ]


def _without_attributes(head: list[Token]) -> list[Token]:
    """Return a head without ``__attribute__((...))``, ``__declspec(...)``, ``[[...]]`` and the like."""
    out: list[Token] = []
    skip = False
    for token in head:
        if skip and token.text == "(":
            skip = False
            continue
        skip = token.text in _ATTRIBUTES
        if not skip and not (token.text == "[" and not out):
            out.append(token)
    return out


def _names_only(code: str, group: Token) -> list[str]:
    """Return the names of a bracket group that is a plain list of names, [] for any other."""
    inside = code[group.start + 1 : group.end - 1]
    names = [n.strip() for n in inside.split(",")]
    return names if names != [""] and all(re.fullmatch(r"[A-Za-z_$][\w$]*", n) for n in names) and names != ["void"] else []


def _typed(code: str, group: Token) -> bool:
    """Return whether a bracket group reads as typed parameters, as a macro's arguments do not: ``(void)``, ``(int n)``, ``()``."""
    inside = code[group.start + 1 : group.end - 1].strip()
    return inside in ("", "void") or re.search(r"[\w$]\s*[\s*]\s*[A-Za-z_$]", inside) is not None or inside.endswith("*")


def _shouts(name: str) -> bool:
    return len(name) > 1 and name.upper() == name and any(c.isalpha() for c in name)


def _is_name(token: Token) -> bool:
    first = token.text[0]
    return (first.isalpha() or first in "_$") and token.text[0] not in "([{"


def aggregate(head: list[Token]) -> tuple[str, str, bool] | None:
    """Return (struct|union|enum, tag or "", typedef?) when the head before ``{`` defines an aggregate."""
    rest = _without_attributes(head)
    for i in range(len(rest) - 1, -1, -1):
        if rest[i].text in _AGGREGATES:
            after = [t for t in rest[i + 1 :] if t.text != "["]
            if len(after) > 1 and after[1].text == "(" and _shouts(after[0].text):
                after = after[2:]
            colon = next((j for j, t in enumerate(after) if t.text == ":"), len(after))
            names = [t for t in after[:colon] if _is_name(t)]
            if len(names) > 1 and not _shouts(names[0].text):
                return None
            if any(t.text in "(;=," for t in after[:colon]):
                return None
            return rest[i].text, names[-1].text if names else "", rest[0].text == "typedef" or any(t.text == "typedef" for t in rest[:i])
    return None


def applies_a_name(code: str, head: list[Token]) -> bool:
    """Return whether a head holds ``name(a, b)`` and no initialiser: before ``; {`` it can only be a K&R header."""
    return not any(t.text == "=" for t in head) and any(_names_only(code, head[p + 1]) for p in _pairs(head))


def old_initialiser(head: list[Token]) -> bool:
    """Return whether the ``{`` after a head may start an initialiser without ``=``: ``int primes[] { 2, 3 };`` (before K&R)."""
    return bool(head) and all(_is_name(t) or t.text in "*[{," for t in head) and (head[-1].text == "[" or len(head) > 1 and _is_name(head[-1]))


def declared_names(code: str, head: list[Token]) -> tuple[list[str], bool]:
    """Return the names that a declaration declares, and whether it declares only functions.

    >>> text = "static int a = 5, *b, c[10]"
    >>> declared_names(text, tokens(text, 0, len(text)))
    (['a', 'b', 'c'], False)
    """
    names: list[str] = []
    functions = 0
    for part in _declarators(_without_attributes(head)):
        name, is_function = _declarator(code, part)
        if name:
            names.append(name)
            functions += is_function
    return names, bool(names) and functions == len(names)


def _declarators(head: list[Token]) -> list[list[Token]]:
    """Return the declarators of a declaration, initialisers dropped; the first still carries the specifiers."""
    parts: list[list[Token]] = [[]]
    in_value = False
    for token in head:
        if token.text == ",":
            parts.append([])
            in_value = False
        elif token.text == "=":
            in_value = True
        elif not in_value and token.text != ";":
            parts[-1].append(token)
    return parts


def _declarator(code: str, part: list[Token]) -> tuple[str, bool]:
    """Return the name of a declarator and whether it is a function's."""
    colon = next((i for i, t in enumerate(part) if t.text == ":"), len(part))
    part = [t for t in part[:colon] if t.text not in "[*" and t.text not in _QUALIFIERS]
    if len(part) > 2 and part[-1].text == "(" and part[-2].text in _PROTOTYPE_MACROS:
        part = [*part[:-2], part[-1]]
    for i, token in enumerate(part):
        if token.text == "(":
            if i and _is_name(part[i - 1]) and not (i + 1 < len(part) and part[i + 1].text == "("):
                return part[i - 1].text, True
            inside = [t for t in _without_attributes(tokens(code, token.start + 1, token.end - 1)) if t.text not in _QUALIFIERS]
            named = [t for t in inside if _is_name(t)]
            if named:
                follows = inside.index(named[-1]) + 1
                return named[-1].text, follows < len(inside) and inside[follows].text == "("
            deeper = next((t for t in inside if t.text == "("), None)
            return _declarator(code, [deeper]) if deeper else ("", False)
    names = [t for t in part if _is_name(t)]
    brace = next((i for i, t in enumerate(part) if t.text == "{"), None)
    if brace is not None:
        before = [t for t in part[:brace] if _is_name(t)]
        after = [t for t in part[brace + 1 :] if _is_name(t)]
        if after:
            return after[-1].text, False
        old = len(before) > 1 and before[-2].text not in _AGGREGATES and before[-1].text not in _AGGREGATES
        return (before[-1].text, False) if old else ("", False)
    if len(names) >= 2 and names[-2].text in _AGGREGATES and len(names) == len(part):
        return "", False
    return (names[-1].text, False) if names else ("", False)
