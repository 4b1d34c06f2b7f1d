"""A shard that is large enough for a graph: built, measured against exact search, and given up when it misses too much."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from store_points import chunk_id

from legacylens_assets.store import edge_build, edge_shard
from legacylens_assets.store.batch import batches
from legacylens_assets.store.edge_build import BuildOrder, build
from legacylens_assets.store.edge_shard import Shard
from legacylens_assets.store.protocol import DENSE, Filter, Leg, Point


@pytest.fixture
def points(rng: np.random.Generator, monkeypatch: pytest.MonkeyPatch) -> list[Point]:
    monkeypatch.setattr(edge_build, "HNSW_POINTS", 2000)
    monkeypatch.setattr(edge_shard, "HNSW_FULL_SCAN_KB", 10)
    centres = rng.normal(size=(40, 16))
    rows = centres[rng.integers(0, 40, 2500)] + 0.5 * rng.normal(size=(2500, 16))
    rows = (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)
    return [Point(chunk_id(str(n)), row, {}, {"codebase": "bank", "language": "c", "n": n}) for n, row in enumerate(rows)]


def graph_of(folder: Path) -> int:
    return json.loads((folder / "edge_config.json").read_text())["hnsw_config"]["m"]


def test_small_shard_has_no_graph(points: list[Point], tmp_path: Path) -> None:
    build(BuildOrder(tmp_path / "shard", None, (), {}, ()), batches(points[:1999]))
    assert graph_of(tmp_path / "shard") == 0


def test_large_shard_has_a_graph_that_misses_little(points: list[Point], tmp_path: Path) -> None:
    assert build(BuildOrder(tmp_path / "shard", None, (), {}, ()), batches(points)) == 2500
    assert graph_of(tmp_path / "shard") == edge_shard.HNSW_M
    shard = Shard.open(tmp_path / "shard")
    assert shard.recall() >= edge_build.LEAST_RECALL
    (best, *_) = shard.leg(Leg(DENSE, points[7].dense, 5), Filter())
    assert best.payload["n"] == 7
    shard.close()


def test_graph_that_misses_too_much_is_taken_out_again(points: list[Point], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(edge_build, "LEAST_RECALL", 1.1)
    assert build(BuildOrder(tmp_path / "shard", None, (), {}, ()), batches(points)) == 2500
    assert graph_of(tmp_path / "shard") == 0
    shard = Shard.open(tmp_path / "shard")
    assert (shard.count(), shard.recall()) == (2500, 1.0)
    shard.close()
