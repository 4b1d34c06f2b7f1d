"""Dev and test halves of a question set, fixed by the hash of the ids.

Within every kind the ids are sorted by their SHA-256 and dealt out in turn, and the next kind goes on where the last one stopped: the halves of a set
and of each of its kinds differ by one question at most. ``python -m legacylens_eval.splits`` writes the field into the shipped sets.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from legacylens_eval.question_sets import SHIPPED


def assign_splits(ids_by_kind: Mapping[str, Iterable[str]]) -> dict[str, str]:
    """Return dev or test for every id; neither the order of the kinds nor that of the ids matters.

    >>> assign_splits({"locate": ["b", "a", "c"], "explain": ["d"]})
    {'d': 'dev', 'c': 'test', 'b': 'dev', 'a': 'test'}
    """
    dealt = (name for kind in sorted(ids_by_kind) for name in sorted(ids_by_kind[kind], key=_digest))
    return {name: "test" if turn % 2 else "dev" for turn, name in enumerate(dealt)}


def splits_of(records: Iterable[Mapping[str, Any]]) -> dict[str, str]:
    """Return dev or test for every question of one set, each a record with ``id`` and ``kind``."""
    ids_by_kind: dict[str, list[str]] = {}
    for record in records:
        ids_by_kind.setdefault(str(record.get("kind", "")), []).append(str(record["id"]))
    return assign_splits(ids_by_kind)


def write_splits(path: Path) -> None:
    """Record the split in every question of a JSONL file, leaving all other fields as they are."""
    records = [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line.strip()]
    splits = splits_of(records)
    text = "".join(json.dumps({**record, "split": splits[record["id"]]}, ensure_ascii=False) + "\n" for record in records)
    path.write_text(text, encoding="utf-8")


def _digest(name: str) -> str:
    return hashlib.sha256(name.encode()).hexdigest()


if __name__ == "__main__":
    for shipped in sorted(SHIPPED.glob("*.jsonl")):
        write_splits(shipped)
