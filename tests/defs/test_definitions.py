"""The Dagster layer over a tiny project: what is defined, and what a run records."""

import dagster as dg

from legacylens_assets.definitions import build_defs, reindex_headless
from legacylens_assets.pipeline import silent
from legacylens_assets.settings import load_settings

CHAIN = ["raw_repo", "parsed_chunks", "code_graph", "chunk_texts", "dense_vectors", "sparse_vectors", "vector_index", "eval_scores", "eval_summary"]


def test_the_stages_of_the_design_are_assets(home):
    keys = {key.to_user_string() for key in build_defs(home).resolve_all_asset_keys()}
    assert keys == set(CHAIN)


def test_partitions_are_the_enabled_codebases(home):
    job = build_defs(home).resolve_job_def("reindex")
    assert job.partitions_def.get_partition_keys() == ["tiny", "other"]


def test_the_nightly_schedule_is_running_and_asks_for_each_codebase(home):
    defs = build_defs(home)
    schedule = defs.resolve_schedule_def("nightly_reindex")
    assert schedule.default_status == dg.DefaultScheduleStatus.RUNNING
    context = dg.build_schedule_context(
        scheduled_execution_time=__import__("datetime").datetime(2026, 12, 2, 2, 0), repository_def=defs.get_repository_def()
    )
    requests = schedule.evaluate_tick(context).run_requests
    assert [request.partition_key for request in requests] == ["tiny", "other"]


def test_sensors_run_unless_turned_off(home):
    sensors = {s.name: s.default_status for s in build_defs(home).sensors}
    assert set(sensors) >= {"evaluation_rollup", "run_failed"}
    assert set(sensors.values()) == {dg.DefaultSensorStatus.RUNNING}


def test_every_asset_says_what_the_data_is(home):
    graph = build_defs(home).resolve_asset_graph()
    for key in graph.get_all_asset_keys():
        node = graph.get(key)
        assert node.description and len(node.description) > 40, key
        assert node.owners, key


def test_checks_are_partitioned_like_their_assets(home):
    graph = build_defs(home).resolve_asset_graph()
    for key in graph.asset_check_keys:
        if key.asset_key.to_user_string() != "eval_summary":
            assert graph.get(key).partitions_def is not None, key


def test_a_headless_run_is_recorded_in_the_projects_instance(ran):
    from legacylens_assets.defs.headless import open_instance

    first = ran.runs[0]
    assert [stage["stage"] for stage in first["stages"]] == CHAIN[:7]
    with open_instance(ran.root) as instance:
        assert instance.get_run_by_id(first["run_id"]).status == dg.DagsterRunStatus.SUCCESS
        event = instance.get_latest_materialization_event(dg.AssetKey("vector_index"))
        assert event.asset_materialization.partition == "tiny"
        assert event.asset_materialization.metadata["points"].value > 0


def test_a_second_run_does_nothing_again_and_says_so(ran):
    again = ran.runs[1]
    assert {stage["stage"]: stage["reused"] for stage in again["stages"]} == dict.fromkeys(CHAIN[:7], True)


def test_a_failed_source_is_named_and_leaves_the_index(home):
    from legacylens_assets.store import open_reader

    settings = load_settings(home, {})
    assert reindex_headless(settings, ["tiny"], silent)[0]["ok"]
    (home / "code").rename(home / "gone")
    (run,) = reindex_headless(settings, ["tiny"], silent)
    assert (run["ok"], run["error"]["stage"], run["error"]["code"]) == (False, "raw_repo", "source_unavailable")
    assert open_reader(settings).info("tiny").points > 0


def test_a_failing_check_blocks_the_publish(home, monkeypatch):
    from legacylens_assets import quality
    from legacylens_assets.store import open_writer

    settings = load_settings(home, {})
    monkeypatch.setattr(quality, "_covers", lambda spans, lines: False)
    (run,) = reindex_headless(settings, ["tiny"], silent)
    assert run["ok"] is False
    assert open_writer(settings).current("tiny") is None
