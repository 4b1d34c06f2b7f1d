import hashlib
import json

import pytest

from legacylens_eval.question_sets import SHIPPED
from legacylens_eval.splits import assign_splits, splits_of, write_splits

SETS = sorted(SHIPPED.glob("*.jsonl"))


def records_of(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line.strip()]


@pytest.mark.parametrize("path", SETS, ids=lambda path: path.stem)
def test_the_recorded_splits_are_the_assigned_ones(path):
    records = records_of(path)
    assert {record["id"]: record.get("split") for record in records} == splits_of(records)


@pytest.mark.parametrize("path", SETS, ids=lambda path: path.stem)
def test_every_kind_of_every_set_is_halved(path):
    records = records_of(path)
    splits = splits_of(records)
    for kind in {record["kind"] for record in records}:
        halves = [splits[record["id"]] for record in records if record["kind"] == kind]
        assert abs(halves.count("dev") - halves.count("test")) <= 1, kind
    assert abs(list(splits.values()).count("dev") - list(splits.values()).count("test")) <= 1


def test_ids_are_dealt_out_in_the_order_of_their_hash():
    ids = [f"q{n}" for n in range(9)]
    by_hash = sorted(ids, key=lambda name: hashlib.sha256(name.encode()).digest())
    splits = assign_splits({"locate": ids})
    assert [name for name in by_hash if splits[name] == "dev"] == by_hash[::2]


def test_neither_order_of_kinds_nor_of_ids_matters():
    assert assign_splits({"a": ["1", "2", "3"], "b": ["4"]}) == assign_splits({"b": ["4"], "a": ["3", "1", "2"]})


def test_writing_keeps_the_other_fields_and_the_order(tmp_path):
    path = tmp_path / "set.jsonl"
    path.write_text("".join(json.dumps({"id": name, "kind": "locate", "note": "é"}) + "\n" for name in ("b", "a")))
    write_splits(path)
    assert [(record["id"], record["note"]) for record in records_of(path)] == [("b", "é"), ("a", "é")]
    assert {record["split"] for record in records_of(path)} == {"dev", "test"}
