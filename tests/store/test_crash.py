"""Builders are killed at every step, and readers in other processes never notice."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from store_points import BANK, META, point, question

from legacylens_assets.errors import IndexError_
from legacylens_assets.store.edge import edge_reader, edge_writer
from legacylens_assets.store.edge_shard import Shard
from legacylens_assets.store.lock import Locked, locked
from legacylens_assets.store.protocol import DENSE, Filter, GenerationInfo
from legacylens_assets.store.reader import IndexReader

HERE = str(Path(__file__).parent)

PUBLISH_AND_DIE = """
import os, signal, sys
sys.path.insert(0, sys.argv[1])
from pathlib import Path
from store_points import META, point
from legacylens_assets.store.edge import edge_writer
root, step = Path(sys.argv[2]), sys.argv[3]
def die(reached):
    if reached == step:
        os.kill(os.getpid(), signal.SIGKILL)
def points():
    for n in range(600):
        if step == "sending" and n == 300:
            os.kill(os.getpid(), signal.SIGKILL)
        yield point(f"new{n}", f"new text {n}")
edge_writer(root, keep=2, on_step=die).publish("bank", points(), (), META)
"""

READ_UNTIL_TOLD = """
import json, sys
sys.path.insert(0, sys.argv[1])
from pathlib import Path
from store_points import question
from legacylens_assets.store.edge import edge_reader
from legacylens_assets.store.protocol import Filter
root, stop = Path(sys.argv[2]), Path(sys.argv[3])
reader, asked, failures, sizes, generations = edge_reader(root), 0, [], set(), set()
legs = question("account payment interest")
while True:
    last = stop.exists()
    try:
        sizes.add(len(reader.hybrid(legs, Filter(), 60, 50)))
        generations.add(reader.snapshot().id)
    except Exception as error:
        failures.append(repr(error))
    asked += 1
    if asked == 1:
        Path(sys.argv[4]).touch()
    if last:
        break
print(json.dumps({"asked": asked, "failures": failures, "sizes": sorted(sizes), "generations": len(generations)}))
"""


def run_to_its_death(root: Path, step: str) -> int:
    return subprocess.run([sys.executable, "-c", PUBLISH_AND_DIE, HERE, str(root), step], capture_output=True, timeout=120).returncode


@pytest.mark.parametrize("step", ["sending", "upserted", "sealed", "renamed", "current"])
def test_killed_publish_leaves_the_old_generation_serving_and_the_next_succeeds(tmp_path: Path, step: str) -> None:
    root = tmp_path / "index"
    before = edge_writer(root).publish("bank", BANK, (), META)
    reader = edge_reader(root)
    assert run_to_its_death(root, step) == -signal.SIGKILL
    assert reader.snapshot().generations["bank"] == before.generation
    assert len(reader.legs(question("account payment"), Filter())[DENSE]) == 4
    after = edge_writer(root).publish("bank", BANK[:2], (), META)
    assert after.points == 2
    assert reader.snapshot().generations["bank"] == after.generation
    assert list((root / "bank" / "building").iterdir()) == []
    for row in edge_writer(root).generations():
        assert row.points in (2, 4, 600)


def test_switch_cut_short_is_finished_when_the_pipeline_asks(tmp_path: Path) -> None:
    root = tmp_path / "index"
    edge_writer(root).publish("bank", BANK, (), META)
    run_to_its_death(root, "current")
    writer, reader = edge_writer(root), edge_reader(root)
    assert len(reader.legs(question("text", limit=1000), Filter())[DENSE]) == 4
    assert writer.is_whole("bank")
    assert len(reader.legs(question("text", limit=1000), Filter())[DENSE]) == 600


def test_killed_builder_process_is_reported_with_its_signal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = tmp_path / "index"
    before = edge_writer(root).publish("bank", BANK, (), META)
    started: list[subprocess.Popen[bytes]] = []
    popen = subprocess.Popen

    def spy(*arguments, **options):
        started.append(popen(*arguments, **options))
        return started[-1]

    def points():
        for n in range(2000):
            if n == 400:
                os.kill(started[-1].pid, signal.SIGKILL)
                started[-1].wait()
            yield point(f"new{n}", f"new text {n}")

    monkeypatch.setattr("legacylens_assets.store.edge_build.subprocess.Popen", spy)
    with pytest.raises(IndexError_, match="killed by signal 9.*served on"):
        edge_writer(root).publish("bank", points(), (), META)
    assert edge_reader(root).snapshot().generations["bank"] == before.generation


def test_readers_in_other_processes_see_no_error_while_generations_come_and_go(tmp_path: Path) -> None:
    root, stop = tmp_path / "index", tmp_path / "stop"
    writer = edge_writer(root, keep=1)
    writer.publish("bank", BANK, (), META)
    ready = [tmp_path / f"ready{n}" for n in range(2)]
    command = [sys.executable, "-c", READ_UNTIL_TOLD, HERE, str(root), str(stop)]
    readers = [subprocess.Popen([*command, str(path)], stdout=subprocess.PIPE) for path in ready]
    while not all(path.exists() for path in ready):
        assert all(process.poll() is None for process in readers)
        time.sleep(0.02)
    for round_ in range(4):
        writer.publish("bank", BANK[: 3 + round_ % 2], (), META)
    stop.touch()
    results = [json.loads(process.communicate(timeout=120)[0]) for process in readers]
    assert [result["failures"] for result in results] == [[], []]
    assert all(set(result["sizes"]) <= {3, 4} and result["generations"] >= 2 for result in results)


def test_generation_that_vanishes_before_it_is_opened_sends_the_reader_to_the_next(tmp_path: Path) -> None:
    root = tmp_path / "index"
    writer = edge_writer(root, keep=1)
    writer.publish("bank", BANK, (), META)
    opened: list[str] = []

    def late(folder: Path, info: GenerationInfo) -> Shard:
        if not opened:
            writer.publish("bank", BANK[:2], (), META)
        opened.append(info.generation)
        return Shard.open(folder / "shard")

    reader = IndexReader(root, late)
    assert len(reader.legs(question("account"), Filter())[DENSE]) == 2
    assert len(set(opened)) == 2


def test_query_in_flight_reads_on_when_its_generation_is_deleted(tmp_path: Path) -> None:
    root = tmp_path / "index"
    writer = edge_writer(root, keep=1)
    first = writer.publish("bank", BANK, (), META)
    shard = Shard.open(root / "bank" / "gens" / first.generation / "shard")
    writer.publish("bank", BANK[:1], (), META)
    assert not (root / "bank" / "gens" / first.generation).exists()
    assert [item.payload["path"] for item in shard.leg(question("monthly statement")[1], Filter())] == ["statement"]
    shard.close()


def test_second_writer_waits_and_then_names_the_holder(tmp_path: Path) -> None:
    root = tmp_path / "index"
    with locked(root / "bank" / ".writer.lock", 1, "test"), pytest.raises(Locked, match=f"process {os.getpid()} holds .*writer.lock"):
        edge_writer(root, lock_timeout=0.1).publish("bank", BANK, (), META)
    assert edge_writer(root, lock_timeout=0.1).publish("bank", BANK, (), META).points == 4


def test_lock_of_a_killed_process_is_free(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    code = (
        "import sys, time; from pathlib import Path; from legacylens_assets.store.lock import locked\n"
        "with locked(Path(sys.argv[1]), 1, 'x'):\n    print('held', flush=True); time.sleep(60)"
    )
    holder = subprocess.Popen([sys.executable, "-c", code, str(path)], stdout=subprocess.PIPE)
    assert holder.stdout is not None
    assert holder.stdout.readline() == b"held\n"
    with pytest.raises(Locked, match=f"process {holder.pid}"), locked(path, 0.05, "test"):
        pass
    holder.kill()
    holder.wait()
    holder.stdout.close()
    with locked(path, 5, "test"):
        pass


def test_shard_with_a_sparse_modifier_is_refused(tmp_path: Path) -> None:
    root = tmp_path / "index"
    info = edge_writer(root).publish("bank", BANK, (), META)
    config = root / "bank" / "gens" / info.generation / "shard" / "edge_config.json"
    found = json.loads(config.read_text())
    found["sparse_vectors"]["identifiers"]["modifier"] = "idf"
    config.write_text(json.dumps(found))
    with pytest.raises(IndexError_, match="modifier 'idf', expected none"):
        edge_reader(root).legs(question("account"), Filter())


def test_damaged_pointer_says_what_to_do(tmp_path: Path) -> None:
    root = tmp_path / "index"
    edge_writer(root).publish("bank", BANK, (), META)
    (root / "SNAPSHOT.json").write_text('{"id": "x", "gener')
    with pytest.raises(IndexError_, match="SNAPSHOT.json: not valid JSON.*reindex"):
        edge_reader(root).snapshot()


def test_lease_of_a_process_that_ended_holds_nothing(tmp_path: Path) -> None:
    root = tmp_path / "index"
    writer = edge_writer(root, keep=1)
    writer.publish("bank", BANK, (), META)
    snapshot = edge_reader(root).snapshot().id
    code = (
        "import sys; from pathlib import Path; from legacylens_assets.store.edge import edge_writer\n"
        "edge_writer(Path(sys.argv[1])).lease(sys.argv[2], 'evaluation')"
    )
    subprocess.run([sys.executable, "-c", code, str(root), snapshot], check=True)
    assert (root / "leases" / "evaluation.json").exists()
    writer.publish("bank", BANK, (), META)
    assert len(writer.generations()) == 1
