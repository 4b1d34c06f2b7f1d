"""What a COBOL data item may hold when nothing in the program moves a literal to it: its VALUE, or the table of constants that it redefines."""

from __future__ import annotations

from legacylens_assets.graph.build import Build
from legacylens_assets.graph.fields import item
from legacylens_assets.graph.tree import Ref, Sym, Tree

MOST_AREA = 65536
MOST_ENTRIES = 1000


def constants(b: Build, ref: Ref) -> list[tuple[str, str]]:
    """Return (literal, evidence) for each constant that the item named by a dynamic reference can hold; [] when its values are made at run time."""
    found = [symbol for symbol in item(b, ref) if symbol.kind == "data_item"]
    if not found:
        return []
    symbol = found[0]
    value = _literal(symbol)
    if value:
        return [(value, f"{symbol.name} VALUE '{value}'")]
    table = next((held for held in b.tree.ancestors(symbol) if held.detail.get("redefines")), None)
    if table is None:
        return []
    name = table.detail["redefines"].upper()
    area = next((held for held in b.tree.items(table.path).get(name, []) if held.index < table.index), None)
    if area is None:
        return []
    return [(value, f"table {area.name}") for value in dict.fromkeys(_entries(b.tree, symbol, table, area))]


def _literal(symbol: Sym) -> str:
    value = symbol.detail.get("value", "")
    return value[1:-1].strip() if len(value) > 2 and value[0] in "'\"" and value[-1] == value[0] else ""


def _number(symbol: Sym, name: str) -> int:
    text = symbol.detail.get(name, "0").rpartition("-")[2]
    return int(text) if text.isdigit() else 0


def _entries(tree: Tree, symbol: Sym, table: Sym, area: Sym) -> list[str]:
    """Return what the item holds in each row of the table, read from the literals that fill the redefined area."""
    start, size = _number(area, "offset"), min(_number(area, "length"), MOST_AREA)
    if not size:
        return []
    image = [" "] * size
    for held in tree.symbols[area.path][area.index : table.index]:
        value = held.detail.get("value", "")
        if len(value) > 2 and value[0] in "'\"":
            at = _number(held, "offset") - start
            for k, letter in enumerate(value[1:-1]):
                if 0 <= at + k < size:
                    image[at + k] = letter
    row = next((held for held in tree.ancestors(symbol) if held.detail.get("occurs") and held.index >= table.index), None)
    rows = _number(row, "occurs") if row else 1
    stride = _number(row, "length") if row else size
    if not stride:
        return []
    first, length = _number(symbol, "offset") - start, _number(symbol, "length")
    found = ["".join(image[at : at + length]).strip() for at in (first + k * stride for k in range(min(rows, MOST_ENTRIES))) if 0 <= at < size]
    return [value for value in found if value]
