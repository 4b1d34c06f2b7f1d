"""Parquet in and out: records to tables and back, written aside and renamed."""

from __future__ import annotations

import json
import os
import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, get_type_hints

if TYPE_CHECKING:
    import pyarrow as pa

T = TypeVar("T")


def write_table(table: pa.Table, path: Path) -> None:
    """Write ``table`` as Parquet to ``path``: aside first, then renamed, so that a reader sees the old file or the new one."""
    import pyarrow.parquet as pq

    path.parent.mkdir(parents=True, exist_ok=True)
    aside = path.with_name(f".{path.name}.{uuid.uuid4().hex[:8]}")
    try:
        pq.write_table(table, aside, compression="zstd")
        os.replace(aside, path)
    finally:
        aside.unlink(missing_ok=True)


def read_table(path: Path, columns: Sequence[str] | None = None) -> pa.Table:
    """Return the Parquet file at ``path``; raises FileNotFoundError when it is not there."""
    import pyarrow.parquet as pq

    return pq.read_table(path, columns=list(columns) if columns else None, memory_map=False)


def write_json(value: object, path: Path) -> None:
    """Write ``value`` as JSON to ``path``, aside first, then renamed."""
    path.parent.mkdir(parents=True, exist_ok=True)
    aside = path.with_name(f".{path.name}.{uuid.uuid4().hex[:8]}")
    try:
        aside.write_text(json.dumps(value, indent=1, sort_keys=True, default=str) + "\n", encoding="utf-8")
        os.replace(aside, path)
    finally:
        aside.unlink(missing_ok=True)


def read_json(path: Path) -> dict[str, Any]:
    """Return the JSON object at ``path``, or {} when there is none or it was cut short."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (FileNotFoundError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def to_table(records: Iterable[Any], kind: type, extra: Mapping[str, Sequence[Any]] | None = None) -> pa.Table:
    """Return records of the dataclass ``kind`` as a table, one column a field; mappings become JSON strings.

    ``extra`` adds columns (name -> values, or (values, arrow type)) in front of the record's own.
    """
    import pyarrow as pa

    rows = list(records)
    columns: dict[str, Any] = {name: pa.array(list(values), type=_guess(values)) for name, values in (extra or {}).items()}
    for name, arrow in arrow_fields(kind):
        values = [getattr(row, name) for row in rows]
        if arrow == "json":
            columns[name] = pa.array([json.dumps(dict(v), sort_keys=True) if v else "" for v in values], type=pa.string())
        else:
            columns[name] = pa.array([list(v) if isinstance(v, tuple) else v for v in values], type=arrow)
    return pa.table(columns)


def from_table(table: pa.Table, kind: type[T]) -> list[T]:
    """Return the rows of ``table`` as records of the dataclass ``kind``; other columns are ignored."""
    columns: list[list[Any]] = []
    names = []
    for name, arrow in arrow_fields(kind):  # type: ignore[arg-type]
        values = table.column(name).to_pylist()
        if arrow == "json":
            values = [json.loads(v) if v else {} for v in values]
        elif str(arrow).startswith("list"):
            values = [tuple(v) for v in values]
        columns.append(values)
        names.append(name)
    return [kind(**dict(zip(names, row, strict=True))) for row in zip(*columns, strict=True)]


@cache
def arrow_fields(kind: type) -> tuple[tuple[str, Any], ...]:
    """Return (field name, Arrow type or "json") for each field of a dataclass."""
    import pyarrow as pa

    if not is_dataclass(kind):
        raise TypeError(f"{kind!r} is no dataclass")
    hints = get_type_hints(kind)
    plain = {str: pa.string(), int: pa.int64(), float: pa.float64(), bool: pa.bool_()}
    found = []
    for item in fields(kind):
        hint = hints[item.name]
        text = str(hint)
        if hint in plain:
            arrow: Any = plain[hint]
        elif "Mapping" in text:
            arrow = "json"
        elif text.startswith("tuple[str"):
            arrow = pa.list_(pa.string())
        elif "int" in text:
            arrow = pa.int64()
        else:
            raise TypeError(f"{kind.__name__}.{item.name}: no Arrow type for {text}")
        found.append((item.name, arrow))
    return tuple(found)


def _guess(values: Sequence[Any]) -> pa.DataType:
    import pyarrow as pa

    return pa.int64() if values and isinstance(values[0], int) else pa.string()
