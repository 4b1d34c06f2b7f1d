"""Names that COPY … REPLACING makes: the copybook's items as the copying program calls them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from legacylens_assets.graph.tree import Sym, Tree

_RULE = re.compile(r"(?:(LEADING|TRAILING)\s+)?(==.*?==|\S+)\s+BY\s+(==.*?==|\S+)", re.IGNORECASE)
MOST_RULES = 100

Rules = Sequence[tuple[str, str, str]]


def rules_of(text: str) -> list[tuple[str, str, str]]:
    """Return (manner, from, to) of a REPLACING phrase; manner is leading, trailing, part or word.

    >>> rules_of("==:TAG:== BY ==ACCT== OLD BY NEW LEADING ==A-== BY ==B-==")
    [('part', ':TAG:', 'ACCT'), ('word', 'OLD', 'NEW'), ('leading', 'A-', 'B-')]
    """
    found = []
    for manner, old, new in _RULE.findall(text)[:MOST_RULES]:
        left, right = (re.sub(r"\s+", "", part.strip("=")).upper() for part in (old, new))
        how = manner.lower() or ("word" if re.fullmatch(r"[\w-]+", left) else "part")
        if left:
            found.append((how, left, right))
    return found


def renamed(name: str, rules: Rules) -> str:
    """Return the name after the rules.

    >>> renamed(":TAG:-REC", [("part", ":TAG:", "ACCT")]), renamed("A-NO", [("leading", "A-", "B-")])
    ('ACCT-REC', 'B-NO')
    """
    for manner, old, new in rules:
        if manner == "part" and old in name:
            return name.replace(old, new)
        if manner == "word" and name == old:
            return new
        if manner == "leading" and name.startswith(old):
            return new + name[len(old) :]
        if manner == "trailing" and name.endswith(old):
            return name[: len(name) - len(old)] + new
    return name


def made_names(tree: Tree, path: str) -> dict[str, list[tuple[Sym, Rules]]]:
    """Return the symbols of the file's copybooks by the names that its REPLACING phrases give them."""
    found = tree.made.get(path)
    if found is None:
        found = tree.made[path] = {}
        for target, text in tree.replaced.get(path, []):
            rules = rules_of(text)
            for symbol in tree.symbols.get(target, []):
                name = renamed(symbol.key, rules)
                if name != symbol.key:
                    found.setdefault(name, []).append((symbol, rules))
    return found
