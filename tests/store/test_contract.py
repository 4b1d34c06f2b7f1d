"""What every index store does: tried on the embedded engine, on the client's local mode, and on a real server where there is one."""

from __future__ import annotations

import threading
from pathlib import Path

import numpy as np
import pytest
from store_points import BANK, FINGERPRINTS, META, SHOP, Store, chunk_id, point, question

from legacylens_assets.encoders.idf import IdfTable, df_table
from legacylens_assets.encoders.protocol import SparseVector
from legacylens_assets.errors import EncoderError, FingerprintMismatch, GenerationGone, IndexError_, NoIndex, UsageError
from legacylens_assets.store.merge import rrf
from legacylens_assets.store.protocol import DENSE, IDENTIFIERS, Filter, Point
from legacylens_assets.tables import write_table

pytestmark = pytest.mark.filterwarnings("ignore:Payload indexes have no effect in the local Qdrant")
EVERYTHING = Filter()


def names(found: list) -> list[str]:
    return [item.payload["path"] for item in found]


def ids(points: list[Point]) -> list[str]:
    return [item.chunk_id for item in points]


def test_reader_without_an_index_says_what_to_run(store: Store) -> None:
    with pytest.raises(NoIndex, match="legacylens reindex"):
        store.reader().snapshot()


def test_published_points_are_found_by_each_leg_and_by_the_fusion(store: Store) -> None:
    info = store.writer().publish("bank", BANK, (), META)
    reader = store.reader()
    found = reader.legs(question("closing balance of the account"), EVERYTHING)
    assert info.points == 4
    assert found[DENSE][0].payload["path"] == "balance"
    assert names(found[IDENTIFIERS]) == ["balance", "statement"]
    assert names(reader.hybrid(question("closing balance of the account"), EVERYTHING, 60, 1)) == ["balance"]


def test_payload_comes_back_as_it_was_given(store: Store) -> None:
    given = point("x", "some text", calls=["A", "B"], start_line=12, comments="", nested={"a": [1, 2.5, None]})
    store.writer().publish("bank", [given], (), META)
    (found,) = store.reader().retrieve([given.chunk_id], "bank")
    assert found.chunk_id == given.chunk_id
    assert dict(found.payload) == dict(given.payload)


def test_retrieve_keeps_the_order_asked_and_leaves_out_what_is_not_there(filled: Store) -> None:
    found = filled.reader().retrieve([chunk_id("statement"), chunk_id("nowhere"), chunk_id("post"), "no-uuid"], "bank")
    assert names(found) == ["statement", "post"]


@pytest.mark.parametrize(
    ("where", "expected"),
    [
        (Filter(), {"post", "balance", "statement", "interest", "cart", "refund"}),
        (Filter(codebases=("shop",)), {"cart", "refund"}),
        (Filter(languages=("jcl", "c")), {"statement", "cart", "refund"}),
        (Filter(not_languages=("cobol",)), {"statement", "cart", "refund"}),
        (Filter(not_codebases=("shop",), languages=("cobol",)), {"post", "balance", "interest"}),
        (Filter(codebases=("bank", "shop"), not_languages=("c", "jcl")), {"post", "balance", "interest"}),
        (Filter(codebases=("bank",), not_codebases=("bank",)), set()),
    ],
)
def test_filters_take_lists_and_exclusions(filled: Store, where: Filter, expected: set[str]) -> None:
    legs = question("payment account cart interest ledger item")
    reader = filled.reader()
    assert set(names(reader.legs(legs, where)[DENSE])) == expected
    assert set(names(reader.hybrid(legs, where, 60, 50))) == expected


def test_unknown_codebase_in_a_filter_names_those_there_are(filled: Store) -> None:
    with pytest.raises(NoIndex, match="'vault'.*bank"):
        filled.reader().legs(question("x payment"), Filter(codebases=("vault",)))


@pytest.mark.parametrize("where", [Filter(codebases=("bank",)), EVERYTHING], ids=["native", "merged"])
@pytest.mark.parametrize("weights", [(1.0, 1.0), (1.0, 0.5), (0.25, 2.0)])
def test_fusion_equals_the_formula(filled: Store, weights: tuple[float, float], where: Filter) -> None:
    reader, legs = filled.reader(), question("print the closing balance of the ledger", weights=weights)
    expected = rrf(reader.legs(legs, where), legs, 60)
    found = reader.hybrid(legs, where, 60, 50)
    assert names(found) == names(expected)
    assert [item.score for item in found] == pytest.approx([item.score for item in expected], abs=1e-6)


def test_a_leg_of_weight_zero_takes_no_part(filled: Store) -> None:
    legs = question("monthly statement", weights=(0.0, 1.0))
    assert names(filled.reader().hybrid(legs, EVERYTHING, 60, 50)) == ["statement"]


def test_legs_of_two_codebases_merge_by_score(filled: Store) -> None:
    found = filled.reader().legs(question("payment", limit=3), EVERYTHING)[IDENTIFIERS]
    assert set(names(found)) == {"post", "refund"}
    assert [item.score for item in found] == sorted((item.score for item in found), reverse=True)


def test_equal_scores_come_by_chunk_id_and_the_same_every_time(store: Store) -> None:
    twins = [point(f"twin{n}", "the very same text") for n in range(12)]
    store.writer().publish("bank", twins, (), META)
    reader, legs = store.reader(), question("the very same text", limit=20)
    lists = {tuple(item.chunk_id for item in reader.hybrid(legs, EVERYTHING, 60, 8)) for _ in range(12)}
    assert len(lists) == 1
    assert [item.chunk_id for item in reader.legs(legs, EVERYTHING)[DENSE]] == sorted(ids(twins))


def test_kept_points_survive_and_the_others_go(store: Store) -> None:
    writer = store.writer()
    writer.publish("bank", BANK, (), META)
    info = writer.publish("bank", [point("new", "open a new account")], [chunk_id("post"), chunk_id("balance")], META)
    found = store.reader().legs(question("account payment interest statement"), EVERYTHING)[DENSE]
    assert info.points == 3
    assert set(names(found)) == {"post", "balance", "new"}


def test_payload_of_a_kept_point_can_change_without_its_vectors(store: Store) -> None:
    writer = store.writer()
    writer.publish("bank", BANK, (), META)
    moved = {chunk_id("post"): {**BANK[0].payload, "start_line": 99}}
    writer.publish("bank", [], ids(BANK), META, payloads=moved)
    reader = store.reader()
    assert reader.retrieve([chunk_id("post")], "bank")[0].payload["start_line"] == 99
    assert names(reader.legs(question("payment ledger"), EVERYTHING)[IDENTIFIERS]) == ["post"]


def test_keeping_a_point_that_is_not_there_is_refused_and_changes_nothing(store: Store) -> None:
    writer = store.writer()
    before = writer.publish("bank", BANK, (), META)
    with pytest.raises(IndexError_, match=chunk_id("nowhere")):
        writer.publish("bank", [], [chunk_id("nowhere")], META)
    assert store.reader().info("bank").generation == before.generation
    assert writer.publish("bank", [], ids(BANK), META).points == 4


def test_keeping_points_of_other_encoders_is_refused(store: Store) -> None:
    writer = store.writer()
    writer.publish("bank", BANK, (), META)
    with pytest.raises(FingerprintMismatch, match="other"):
        writer.publish("bank", [], ids(BANK), {"fingerprints": {**FINGERPRINTS, DENSE: "other"}})


def test_new_encoders_replace_the_old_index(store: Store) -> None:
    writer = store.writer(keep=1)
    writer.publish("bank", BANK, (), META)
    writer.publish("bank", BANK[:2], (), {"fingerprints": {**FINGERPRINTS, DENSE: "other"}})
    found = store.reader().legs(question("account payment"), EVERYTHING)[DENSE]
    assert set(names(found)) == {"post", "balance"}


def test_question_of_other_encoders_is_refused_naming_both(filled: Store) -> None:
    reader = filled.reader()
    reader.check_fingerprints(FINGERPRINTS)
    with pytest.raises(FingerprintMismatch, match=f"{FINGERPRINTS[DENSE]}.*minilm"):
        reader.check_fingerprints({DENSE: "minilm"})


@pytest.mark.parametrize(
    "bad",
    [
        pytest.param(Point(chunk_id("b"), np.full(32, np.nan, np.float32), {}, {"path": "b"}), id="nan"),
        pytest.param(Point(chunk_id("b"), np.ones(32, np.float32), {}, {"path": "b"}), id="not of unit length"),
        pytest.param(Point(chunk_id("b"), np.eye(8, dtype=np.float32)[0], {}, {"path": "b"}), id="other dimension"),
        pytest.param(Point(chunk_id("b"), None, {}, {"path": "b"}), id="none while others have"),
        pytest.param(
            Point(
                chunk_id("b"), np.eye(32, dtype=np.float32)[0], {IDENTIFIERS: SparseVector(np.array([3, 3], np.uint32), np.ones(2, np.float32))}, {}
            ),
            id="duplicate sparse index",
        ),
    ],
)
def test_invalid_vectors_are_refused_and_nothing_is_published(store: Store, bad: Point) -> None:
    with pytest.raises(EncoderError):
        store.writer().publish("bank", [BANK[0], bad], (), META)
    with pytest.raises(NoIndex):
        store.reader().snapshot()


def test_a_chunk_id_given_twice_is_refused(store: Store) -> None:
    with pytest.raises(IndexError_, match="twice"):
        store.writer().publish("bank", [BANK[0], BANK[0]], (), META)


def test_a_codebase_may_be_empty_and_fill_later(store: Store) -> None:
    writer = store.writer()
    assert writer.publish("bank", [], (), META).points == 0
    assert store.reader().legs(question("payment"), EVERYTHING) == {DENSE: [], IDENTIFIERS: []}
    writer.publish("bank", BANK, (), META)
    assert names(store.reader().hybrid(question("payment ledger"), EVERYTHING, 60, 1)) == ["post"]


def test_a_chunk_without_tokens_is_stored_and_found_by_the_dense_leg(store: Store) -> None:
    store.writer().publish("bank", [point("rule", "-----"), BANK[0]], (), META)
    found = store.reader().legs(question("payment", limit=5), EVERYTHING)
    assert set(names(found[DENSE])) == {"rule", "post"}
    assert names(found[IDENTIFIERS]) == ["post"]


def test_open_reader_follows_a_publish(store: Store) -> None:
    writer, reader = store.writer(), store.reader()
    writer.publish("bank", BANK[:1], (), META)
    first = reader.snapshot().id
    assert names(reader.legs(question("balance account"), EVERYTHING)[IDENTIFIERS]) == []
    writer.publish("bank", BANK, (), META)
    assert reader.snapshot().id != first
    assert names(reader.legs(question("closing balance"), EVERYTHING)[IDENTIFIERS]) == ["balance"]


def test_snapshot_names_every_codebase_and_its_id_follows_from_them(store: Store) -> None:
    writer = store.writer()
    bank = writer.publish("bank", BANK, (), META)
    shop = writer.publish("shop", SHOP, (), META)
    snapshot = store.reader().snapshot()
    assert dict(snapshot.generations) == {"bank": bank.generation, "shop": shop.generation}
    assert store.reader().snapshot().id == snapshot.id


def test_sidecar_files_travel_with_their_generation(store: Store, tmp_path: Path) -> None:
    writer, source = store.writer(), tmp_path / "symbols.txt"
    source.write_text("first")
    writer.publish("bank", BANK, (), META, files={"symbols.txt": source})
    earlier = store.reader().snapshot().id
    source.write_text("second")
    writer.publish("bank", BANK, (), META, files={"symbols.txt": source})
    reader = store.reader()
    assert (reader.generation_dir("bank") / "symbols.txt").read_text() == "second"
    assert (reader.at(earlier).generation_dir("bank") / "symbols.txt").read_text() == "first"


@pytest.mark.parametrize("name", ["../escape", "GEN.json", "a/b"])
def test_sidecar_names_are_plain(store: Store, tmp_path: Path, name: str) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(IndexError_, match="plain file name"):
        store.writer().publish("bank", BANK, (), META, files={name: tmp_path / "file"})


@pytest.mark.parametrize("key", ["../up", "UPPER", "", "leases", "a/b"])
def test_codebase_keys_are_plain_names(store: Store, key: str) -> None:
    with pytest.raises(UsageError):
        store.writer().publish(key, BANK, (), META)


def test_idf_is_that_of_the_admitted_codebases_and_of_all_when_none_is_named(store: Store, tmp_path: Path) -> None:
    writer = store.writer()
    for key, points in (("bank", BANK), ("shop", SHOP)):
        table = IdfTable.of([item.sparse[IDENTIFIERS] for item in points])
        write_table(df_table({IDENTIFIERS: table}), tmp_path / "df.parquet")
        writer.publish(key, points, (), META, files={"df.parquet": tmp_path / "df.parquet"})
    reader = store.reader()
    payment = question("payment")[1].vector.indices
    assert (reader.idf().documents, reader.idf().df(payment).tolist()) == (6, [2])
    only = reader.idf(Filter(codebases=("shop",)))
    assert (only.documents, only.df(payment).tolist()) == (2, [1])


def test_earlier_snapshot_answers_as_it_did(store: Store) -> None:
    writer = store.writer(keep=3)
    writer.publish("bank", BANK, (), META)
    earlier = store.reader().snapshot().id
    writer.publish("bank", [point("new", "closing balance anew")], [chunk_id("post")], META)
    old, new = store.reader().at(earlier), store.reader()
    legs = question("closing balance payment")
    assert names(old.legs(legs, EVERYTHING)[IDENTIFIERS]) == ["balance", "post"]
    assert names(new.legs(legs, EVERYTHING)[IDENTIFIERS]) == ["new", "post"]
    assert names(old.retrieve([chunk_id("balance"), chunk_id("new")], "bank")) == ["balance"]
    old.close()


def test_only_the_newest_generations_are_kept(store: Store) -> None:
    writer = store.writer(keep=2)
    made = [writer.publish("bank", BANK, (), META).generation for _ in range(3)]
    assert [row.generation for row in writer.generations()] == made[-2:]
    assert [row.current for row in writer.generations()] == [False, True]


def test_replay_of_a_collected_snapshot_is_a_named_error(store: Store) -> None:
    writer = store.writer(keep=1)
    writer.publish("bank", BANK, (), META)
    gone = store.reader().snapshot().id
    writer.publish("bank", BANK, (), META)
    with pytest.raises(GenerationGone, match=gone):
        store.reader().at(gone)
    with pytest.raises(GenerationGone):
        store.reader().at("0123456789abcdef")


def test_leased_snapshot_is_kept_until_it_is_released(store: Store) -> None:
    writer = store.writer(keep=1)
    writer.publish("bank", BANK, (), META)
    held = store.reader().snapshot().id
    writer.lease(held, "baseline", permanent=True)
    writer.publish("bank", BANK[:1], (), META)
    writer.publish("bank", BANK[:2], (), META)
    pinned = store.reader().at(held)
    assert len(pinned.legs(question("account"), EVERYTHING)[DENSE]) == 4
    pinned.close()
    assert [row.held_by for row in writer.generations()] == [("baseline",), ("current", "snapshot")]
    writer.release("baseline")
    writer.publish("bank", BANK[:3], (), META)
    with pytest.raises(GenerationGone):
        store.reader().at(held)


def test_rollback_serves_the_earlier_generation_and_publishing_goes_on_from_it(store: Store) -> None:
    writer = store.writer(keep=3)
    first = writer.publish("bank", BANK, (), META)
    writer.publish("bank", [point("new", "closing balance anew")], [chunk_id("post")], META)
    assert writer.rollback(first.generation).generation == first.generation
    reader = store.reader()
    assert set(names(reader.legs(question("account"), EVERYTHING)[DENSE])) == {"post", "balance", "statement", "interest"}
    third = writer.publish("bank", [], [chunk_id("post"), chunk_id("balance")], META)
    assert third.points == 2
    assert set(names(reader.legs(question("account"), EVERYTHING)[DENSE])) == {"post", "balance"}


def test_rollback_to_what_never_was_lists_what_there_is(store: Store) -> None:
    writer = store.writer()
    info = writer.publish("bank", BANK, (), META)
    with pytest.raises(GenerationGone, match=info.generation):
        writer.rollback("g000099-abcdef00")


def test_removed_codebase_is_gone(store: Store) -> None:
    writer, reader = store.writer(), store.reader()
    writer.publish("bank", BANK, (), META)
    writer.publish("shop", SHOP, (), META)
    writer.remove("bank")
    assert list(reader.snapshot().generations) == ["shop"]
    assert [row.codebase for row in writer.generations()] == ["shop"]
    assert set(names(reader.legs(question("payment account"), EVERYTHING)[DENSE])) == {"cart", "refund"}


def test_failure_of_the_source_of_points_publishes_nothing_and_leaves_no_debris(store: Store) -> None:
    writer = store.writer()
    before = writer.publish("bank", BANK, (), META)

    def cut_short():
        yield BANK[0]
        raise OSError("disk went away")

    with pytest.raises(OSError, match="disk went away"):
        writer.publish("bank", cut_short(), (), META)
    assert store.reader().info("bank").generation == before.generation
    assert list((store.root / "bank" / "building").iterdir()) == []


@pytest.mark.parametrize("step", ["sealed", "renamed"])
def test_publish_that_fails_before_the_switch_is_undone_by_the_next(store: Store, step: str) -> None:
    def fail(reached: str) -> None:
        if reached == step:
            raise OSError("no space left")

    before = store.writer().publish("bank", BANK, (), META)
    with pytest.raises(OSError, match="no space left"):
        store.writer(on_step=fail).publish("bank", [point("new", "closing balance anew")], [chunk_id("post")], META)
    reader = store.reader()
    assert reader.snapshot().generations["bank"] == before.generation
    assert set(names(reader.legs(question("account"), EVERYTHING)[DENSE])) == {"post", "balance", "statement", "interest"}
    store.writer().publish("bank", [point("other", "open an account")], ids(BANK[:3]), META)
    assert set(names(reader.legs(question("account"), EVERYTHING)[DENSE])) == {"post", "balance", "statement", "other"}


def test_current_and_whole_are_told_to_the_pipeline(store: Store) -> None:
    writer = store.writer()
    assert writer.current("bank") is None
    assert not writer.is_whole("bank")
    info = writer.publish("bank", BANK, (), {**META, "inputs": {"chunks": "abc"}})
    current = writer.current("bank")
    assert current is not None
    assert (current.generation, current.points, current.extra) == (info.generation, 4, {"inputs": {"chunks": "abc"}})
    assert writer.is_whole("bank")
    assert writer.generation_dir("bank") == store.reader().generation_dir("bank")


def test_threads_ask_one_reader_while_generations_come_and_go(store: Store) -> None:
    if store.name == "memory":
        pytest.skip("the client's local mode is not safe between threads")
    writer, reader = store.writer(keep=2), store.reader()
    writer.publish("bank", BANK, (), META)
    stop, failures, sizes = threading.Event(), [], set()

    def ask() -> None:
        while not stop.is_set():
            try:
                sizes.add(len(reader.hybrid(question("account payment"), EVERYTHING, 60, 10)))
            except Exception as error:  # noqa: BLE001 - what the test is about
                failures.append(repr(error))

    threads = [threading.Thread(target=ask) for _ in range(3)]
    for thread in threads:
        thread.start()
    for round_ in range(4):
        writer.publish("bank", BANK[: 3 + round_ % 2], (), META)
    stop.set()
    for thread in threads:
        thread.join()
    assert failures == []
    assert sizes <= {3, 4}
