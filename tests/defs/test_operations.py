"""What the engineer on duty relies on: staleness, sensors, roll-up, checks, retention, rollback, alerts, progress."""

import json
import os
import time
from datetime import UTC, datetime, timedelta

import dagster as dg
import pytest

from legacylens_assets import upkeep
from legacylens_assets.definitions import build_defs, recorded_runs, reindex_headless
from legacylens_assets.defs import maintenance
from legacylens_assets.defs.alerts import ADVICE, alert_of, all_errors, explain, failed_checks, send
from legacylens_assets.defs.headless import open_instance
from legacylens_assets.defs.reporting import logged_progress, result, table_value
from legacylens_assets.errors import FingerprintMismatch, GenerationGone, LegacyLensError, SourceError
from legacylens_assets.pipeline import reindex, silent
from legacylens_assets.pipeline.report import StageReport
from legacylens_assets.registry import load_registry
from legacylens_assets.settings import load_settings
from legacylens_assets.store import open_reader, open_writer
from legacylens_assets.versions import MINILM_POOLING, code_versions, parse_version
from tests.conftest import REPOSITORY

COMMIT = "a" * 40


def index(settings, *keys):
    registry = load_registry(settings.registry_path)
    runs = reindex([registry.get(key) for key in keys], settings)
    assert [run.error for run in runs] == [None] * len(keys)


# Staleness


def test_every_asset_has_a_code_version(home):
    graph = build_defs(home).resolve_asset_graph()
    assert all(graph.get(key).code_version for key in graph.get_all_asset_keys())


def test_another_encoder_changes_the_version_of_its_vectors_and_of_the_index_only(settings):
    before, after = code_versions(settings), code_versions(settings.replace(dense="minilm"))
    assert {name for name in before if before[name] != after[name]} == {"dense_vectors", "vector_index"}


def test_a_lever_changes_the_version_of_the_texts_only(settings):
    before, after = code_versions(settings), code_versions(settings.replace(levers="flow"))
    assert {name for name in before if before[name] != after[name]} == {"chunk_texts"}


def test_a_parser_or_the_chunker_changes_the_version_of_parsing():
    assert len({parse_version({"c": "1"}, "3"), parse_version({"c": "2"}, "3"), parse_version({"c": "1"}, "4")}) == 3


def test_the_embedded_models_version_covers_its_pooling(settings):
    from legacylens_assets.encoders import load_dense

    assert load_dense(settings.replace(dense="minilm")).fingerprint.endswith(f":{MINILM_POOLING}")


def test_a_changed_version_shows_as_stale_before_anything_runs(ran, monkeypatch):
    assert stale(ran.root, "tiny") == set()
    monkeypatch.setenv("LEGACYLENS_LEVERS", "flow")
    assert stale(ran.root, "tiny") == {"chunk_texts"}


def stale(root, key):
    """Return the assets that the UI would show as stale, by the same resolver."""
    from dagster._core.definitions.data_version import CachingStaleStatusResolver, StaleStatus
    from dagster._core.loader import LoadingContextForTest

    graph = build_defs(root).resolve_asset_graph()
    with open_instance(root) as instance:
        resolver = CachingStaleStatusResolver(instance=instance, asset_graph=graph, loading_context=LoadingContextForTest(instance))
        chain = [k for k in graph.get_all_asset_keys() if graph.get(k).is_partitioned]
        return {k.to_user_string() for k in chain if resolver.get_status(k, key) == StaleStatus.STALE}


# Metadata


def test_an_asset_carries_its_tables_rows_columns_and_links(ran):
    with open_instance(ran.root) as instance:
        found = {
            name: instance.get_latest_materialization_event(dg.AssetKey(name)).asset_materialization.metadata
            for name in ("raw_repo", "parsed_chunks", "vector_index")
        }
    assert {record.data["language"]: record.data["files"] for record in found["raw_repo"]["languages"].records} == {"cobol": 1, "jcl": 1, "text": 1}
    assert found["parsed_chunks"]["dagster/row_count"].value == found["vector_index"]["points"].value
    assert "start_line" in {column.name for column in found["parsed_chunks"]["dagster/column_schema"].schema.columns}
    assert found["vector_index"]["ask"].value == "http://127.0.0.1:8000/?codebase=tiny"


def test_a_report_without_changes_says_so(settings):
    report = StageReport("chunk_texts", "tiny", 0.1, {"texts": 3}, True)
    assert "Nothing had changed" in result(report, settings).metadata["summary"].md_str


def test_tables_are_typed_for_the_ui():
    table = table_value([{"reason": "binary", "files": 2, "share": 0.5}])
    assert [column.type for column in table.schema.columns] == ["string", "int", "float"]


# Sensors and schedules


def follow(home, **tables):
    """Write a registry of git codebases that follow branches, beside the path ones."""
    text = (home / "data" / "codebases.toml").read_text()
    for key, branch in tables.items():
        text += f'\n[codebases.{key}]\nsource = "https://git.invalid/{key}.git"\n' + (
            f'follow = "{branch}"\n' if branch else f'commit = "{COMMIT}"\n'
        )
    (home / "data" / "codebases.toml").write_text(text)


def tick(home, monkeypatch, answers, cursor=None):
    """Evaluate the sensor once, the origins answering from ``answers``."""

    def news(codebases, settings, seconds):
        return upkeep.news(codebases, settings, seconds, lambda codebase, _: answer(answers, codebase.key))

    monkeypatch.setattr("legacylens_assets.defs.automation.news", news)
    defs = build_defs(home)
    sensor = defs.resolve_sensor_def("upstream_commits")
    with dg.instance_for_test() as instance:
        context = dg.build_sensor_context(
            instance=instance, cursor=cursor, repository_def=defs.get_repository_def(), resources={"project": defs.resources["project"]}
        )
        return sensor.evaluate_tick(context)


def answer(answers, key):
    if isinstance(answers[key], Exception):
        raise answers[key]
    return answers[key]


def test_a_new_commit_of_a_followed_branch_asks_for_a_reindex_of_that_codebase(home, monkeypatch):
    follow(home, moving="main", pinned="")
    found = tick(home, monkeypatch, {"moving": COMMIT})
    assert [(request.partition_key, request.run_key) for request in found.run_requests] == [("moving", f"moving:{COMMIT}")]


def test_a_commit_is_asked_for_once(home, monkeypatch):
    follow(home, moving="main")
    first = tick(home, monkeypatch, {"moving": COMMIT})
    again = tick(home, monkeypatch, {"moving": COMMIT}, first.cursor)
    assert again.run_requests == []


def test_an_unreachable_origin_does_not_hide_the_news_of_another(home, monkeypatch):
    follow(home, dead="main", moving="main")
    found = tick(home, monkeypatch, {"dead": SourceError("cannot be reached"), "moving": COMMIT})
    assert [request.partition_key for request in found.run_requests] == ["moving"]


def test_pinned_codebases_are_never_asked_about(home, monkeypatch):
    follow(home, pinned="")
    found = tick(home, monkeypatch, {})
    assert "pinned" in found.skip_message


def test_origins_that_a_look_did_not_get_to_come_first_the_next_time(home, monkeypatch):
    follow(home, one="main", two="main")
    monkeypatch.setattr("legacylens_assets.defs.automation.ASK_FOR", -1.0)
    found = tick(home, monkeypatch, {})
    assert json.loads(found.cursor)["next"] == "one"
    settings = load_settings(home, {})
    slow = upkeep.news(upkeep.followed(load_registry(settings.registry_path)), settings, 60.0, lambda codebase, _: COMMIT)
    assert [item.codebase for item in slow] == ["one", "two"]


def test_the_roll_up_fires_once_for_a_batch(home):
    defs = build_defs(home)
    with dg.instance_for_test() as instance:

        def score(key):
            instance.report_runless_asset_event(dg.AssetMaterialization("eval_scores", partition=key))

        def evaluate(cursor=None):
            found = dg.evaluate_automation_conditions(defs, instance, dg.AssetSelection.assets("eval_summary"), cursor=cursor)
            return found.total_requested, found.cursor

        first, cursor = evaluate()
        score("tiny")
        score("other")
        batch, cursor = evaluate(cursor)
        instance.report_runless_asset_event(dg.AssetMaterialization("eval_summary"))
        after, _ = evaluate(cursor)
    assert (first, batch, after) == (0, 1, 0)


def test_only_the_chain_of_one_codebase_runs_in_a_nightly_run(home):
    job = build_defs(home).resolve_job_def("reindex")
    names = {node.name for node in job.nodes}
    assert "eval_summary" not in names and "eval_scores" in names


def test_the_index_says_when_it_is_late(home, monkeypatch):
    def policy():
        return build_defs(home).resolve_asset_graph().get(dg.AssetKey("vector_index")).freshness_policy

    nightly = policy()
    monkeypatch.setenv("LEGACYLENS_SCHEDULE_CRON", "0 2 * * 0")
    weekly = policy()
    assert (nightly.warn_window.to_timedelta(), nightly.fail_window.to_timedelta()) == (timedelta(hours=27), timedelta(hours=30))
    assert weekly.warn_window.to_timedelta() == timedelta(days=7, hours=3)


def test_only_fetching_is_tried_again(home):
    job = build_defs(home).resolve_job_def("reindex")
    assert [node.name for node in job.nodes if job.graph.dependency_structure and node.definition.retry_policy] == ["raw_repo"]


def test_a_missing_folder_is_not_tried_again(ran):
    run = ran.runs[-1]
    assert (run["ok"], run["error"]["stage"], run["error"]["code"]) == (False, "raw_repo", "source_unavailable")
    with open_instance(ran.root) as instance:
        kinds = {event.dagster_event.event_type_value for event in instance.all_logs(run["run_id"]) if event.dagster_event}
    assert "STEP_FAILURE" in kinds and "STEP_UP_FOR_RETRY" not in kinds


# Checks


def test_a_failed_check_names_examples(settings):
    from legacylens_assets import quality
    from legacylens_assets.tables import read_table, write_table
    from legacylens_assets.workspace import Workspace

    index(settings, "tiny")
    path = Workspace(settings.data, "tiny").table("chunks")
    table = read_table(path)
    write_table(table.slice(0, table.num_rows - 1), path)
    finding = quality.lines_conserved("tiny", settings)
    assert not finding.passed and finding.examples
    assert not quality.texts_complete("tiny", settings).passed


def test_a_text_without_vectors_fails_the_check(settings):
    from legacylens_assets import quality
    from legacylens_assets.tables import read_table, write_table
    from legacylens_assets.workspace import Workspace

    index(settings, "tiny")
    assert quality.dense_valid("tiny", settings).passed and quality.sparse_valid("tiny", settings).passed
    for name in ("dense", "sparse-identifiers"):
        path = Workspace(settings.data, "tiny").table(name)
        write_table(read_table(path).slice(1), path)
    assert quality.dense_valid("tiny", settings).numbers["texts_without"] == 1
    assert quality.sparse_valid("tiny", settings).numbers["texts_without"] == 1


def question(number, path="PAYPOST.cbl"):
    relevant = [{"path": path, "symbol": "2000-WRITE-AUDIT", "start_line": 12, "end_line": 14}]
    return json.dumps({"id": f"t{number}", "codebase": "tiny", "question": "what is written for the auditors?", "relevant": relevant})


@pytest.fixture
def questions(tmp_path, monkeypatch):
    """Question sets of the test's own: (number of good ones, number of stale ones) -> shipped."""

    def ship(good, gone):
        folder = tmp_path / "questions"
        folder.mkdir(exist_ok=True)
        rows = [question(n) for n in range(good)] + [question(good + n, "GONE.cbl") for n in range(gone)]
        (folder / "tiny.jsonl").write_text("\n".join(rows) + "\n")
        for module in ("question_sets", "trends"):
            monkeypatch.setattr(f"legacylens_eval.{module}.SHIPPED", folder)

    return ship


@pytest.mark.parametrize(("good", "gone", "passed"), [(20, 0, True), (19, 1, True), (18, 2, False)])
def test_more_than_one_stale_question_in_twenty_stops_the_scoring(settings, questions, good, gone, passed):
    from legacylens_eval.trends import questions_current

    index(settings, "tiny")
    questions(good, gone)
    finding = questions_current("tiny", settings)
    assert (finding.passed, finding.numbers["stale"]) == (passed, gone)


def test_scores_and_roll_up_are_kept_and_compared(home, settings, questions):
    from legacylens_eval import trends

    questions(4, 0)
    index(settings, "tiny", "other")
    assert trends.score_codebase(settings, "tiny").metadata["hit_rate@10"] == 1.0
    registry = load_registry(settings.registry_path)
    first = trends.roll_up(settings, registry)
    trends.roll_up(settings, registry)
    assert first.metadata["hit_rate@10/tiny"] == first.metadata["hit_rate@10/unfiltered"] == 1.0
    assert len(trends.history(settings)) == len(trends.run_names(settings)) == 2
    assert trends.regression(settings).passed
    assert not (settings.data / "index" / "leases" / "evaluation.json").exists()


def test_a_history_line_that_a_crash_cut_short_is_left_out(settings):
    from legacylens_eval.trends import history

    (settings.data / "eval").mkdir(parents=True)
    (settings.data / "eval" / "history.jsonl").write_text('{"at": "20261201T000000Z", "filtered": {}}\n{"at": "2026')
    assert [record["at"] for record in history(settings)] == ["20261201T000000Z"]


# Rollback and retention


def change(home, text):
    path = home / "code" / "README.md"
    path.write_text(path.read_text() + text)


def test_the_rollback_job_serves_the_earlier_generation_again(home, settings):
    index(settings, "tiny")
    first = open_reader(settings).snapshot().generations["tiny"]
    change(home, "\nMore.\n")
    index(settings, "tiny")
    job = build_defs(home).resolve_job_def("rollback")
    config = {"ops": {"serve_generation": {"config": {"generation": first}}}}
    with open_instance(home) as instance:
        assert job.execute_in_process(run_config=config, instance=instance).success
        (event,) = instance.fetch_observations(dg.AssetKey("vector_index"), limit=1).records
    assert event.asset_observation.metadata["serves"].value == first
    assert open_reader(settings).snapshot().generations["tiny"] == first


def test_a_generation_that_never_was_is_named_with_those_that_are(settings):
    index(settings, "tiny")
    with pytest.raises(GenerationGone, match="there are tiny g000001"):
        upkeep.roll_back(settings, "g000099-00000000")


def test_a_generation_of_other_encoders_is_not_served(settings):
    index(settings, "tiny")
    name = open_reader(settings).snapshot().generations["tiny"]
    with pytest.raises(FingerprintMismatch, match="set the encoders back first"):
        upkeep.roll_back(settings.replace(dense="off"), name)


def test_retention_keeps_as_many_generations_as_the_setting_says(home, settings):
    generous = settings.replace(keep_generations=4)
    for number in range(4):
        change(home, f"\nNight {number}.\n")
        index(generous, "tiny")
    gone = upkeep.collect_generations(settings.replace(keep_generations=2))
    assert len(gone) == 2
    left = [row for row in open_writer(settings).generations()]
    assert len(left) == 2 and left[-1].current


def test_files_of_codebases_that_left_the_registry_go_when_they_are_old(home, settings):
    index(settings, "tiny", "other")
    for number in range(12):
        path = settings.data / "eval" / "runs" / f"2026{number:02d}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("{}")
    registry = (home / "data" / "codebases.toml").read_text()
    (home / "data" / "codebases.toml").write_text(registry.split("[codebases.other]")[0])
    left = load_registry(settings.registry_path)
    assert upkeep.collect_files(settings, left, time.time()) == []
    later = time.time() + 91 * 86400
    assert upkeep.collect_files(settings, left, later) == [
        "stages/other",
        "raw/other",
        "raw/other.json",
        "eval/runs/202600.json",
        "eval/runs/202601.json",
    ]
    assert (settings.data / "stages" / "tiny" / "chunks.parquet").exists()


def test_old_runs_go_unless_an_asset_was_last_made_by_them(ran):
    first, _, failed = [run["run_id"] for run in ran.runs]
    with open_instance(ran.root) as instance:
        assert set(maintenance.old_runs(instance, ["tiny", "other"], datetime.now(UTC) + timedelta(hours=1))) == {first, failed}
        assert maintenance.old_runs(instance, ["tiny", "other"], datetime.now(UTC) - timedelta(days=90)) == []


def test_the_retention_job_runs(home, settings):
    index(settings, "tiny")
    job = build_defs(home).resolve_job_def("retention")
    with open_instance(home) as instance:
        assert job.execute_in_process(instance=instance).success


# Alerts, status, progress


def failed_run(partition="tiny"):
    return dg.DagsterRun(job_name="reindex", run_id="r1", tags={"dagster/partition": partition})


def error_of(kind, message, cause=None):
    from dagster._utils.error import SerializableErrorInfo

    return SerializableErrorInfo(message=f"{kind}: {message}\n", stack=[], cls_name=kind.rsplit(".", 1)[-1], cause=cause)


def test_an_alert_says_what_failed_why_and_what_to_do():
    cause = error_of("legacylens_assets.errors.SourceError", "no origin could be used")
    wrapped = error_of("dagster.DagsterExecutionStepExecutionError", "Error occurred while executing op", cause)
    alert = alert_of(failed_run(), [("raw_repo", wrapped)], "", datetime(2026, 12, 1, tzinfo=UTC))
    assert (alert["step"], alert["code"], alert["error"]) == ("raw_repo", "source_unavailable", "no origin could be used")
    assert alert["do"] == ADVICE["source_unavailable"]
    assert alert["text"] == "LegacyLens: reindex tiny failed in raw_repo: no origin could be used"


def test_a_full_disk_and_a_killed_run_have_advice_of_their_own():
    assert explain(error_of("OSError", "[Errno 28] No space left on device"))[1] == "no_space"
    assert alert_of(failed_run(), [], "Run worker died", datetime.now(UTC))["code"] == "killed"


def test_stale_questions_block_the_scores_but_not_the_index_and_the_alert_says_so(home, settings, questions):
    questions(1, 1)
    (run,) = reindex_headless(settings, ["tiny"], silent)
    assert run["error"]["code"] == "check_failed" and "questions_current" in run["error"]["message"]
    assert open_reader(settings).info("tiny").points > 0
    assert not (settings.data / "eval" / "scores" / "tiny.json").exists()
    with open_instance(home) as instance:
        checks = failed_checks(instance, run["run_id"])
    step = error_of("dagster.DagsterAssetCheckFailedError", "1 blocking asset check failed with ERROR severity")
    alert = alert_of(failed_run(), [("vector_index_questions_current", step)], "", datetime.now(UTC), checks)
    assert alert["code"] == "check_failed"
    assert alert["error"].startswith("vector_index questions_current: 1 of 2 questions are stale")


def test_every_advice_is_for_a_code_that_exists():
    known = {kind.code for kind in all_errors(LegacyLensError)} | {"check_failed", "no_space", "killed"}
    assert set(ADVICE) <= known


def test_alerts_are_appended_to_the_log(settings):
    for number in range(2):
        send({"text": f"failure {number}"}, settings)
    lines = (settings.data / "logs" / "alerts.jsonl").read_text().splitlines()
    assert [json.loads(line)["text"] for line in lines] == ["failure 0", "failure 1"]


def test_alerts_are_posted_to_the_webhook(settings):
    import threading
    from http.server import BaseHTTPRequestHandler, HTTPServer

    posted = []

    class Hook(BaseHTTPRequestHandler):
        def do_POST(self):
            posted.append(json.loads(self.rfile.read(int(self.headers["content-length"]))))
            self.send_response(204)
            self.end_headers()

        def log_message(self, *args):
            """Stay silent."""

    server = HTTPServer(("127.0.0.1", 0), Hook)
    thread = threading.Thread(target=server.handle_request, daemon=True)
    thread.start()
    send({"text": "failure"}, settings.replace(alert_webhook=f"http://127.0.0.1:{server.server_port}/hook"))
    thread.join(10)
    server.server_close()
    assert posted == [{"text": "failure"}]


def test_a_dead_webhook_is_logged_and_the_alert_is_kept(settings, caplog):
    send({"text": "failure"}, settings.replace(alert_webhook="http://127.0.0.1:9/hook"))
    assert "alert could not be posted" in caplog.text
    assert (settings.data / "logs" / "alerts.jsonl").exists()


def test_status_knows_how_the_last_run_ended(ran):
    found = recorded_runs(ran.settings, ["tiny", "other", "never"])
    assert {key: run["state"] for key, run in found.items()} == {"tiny": "success", "other": "failure"}


def test_a_headless_run_tells_the_terminal_which_codebase_and_stage_it_is_at(ran):
    assert {"tiny raw_repo", "tiny parsed_chunks", "tiny dense_vectors", "tiny vector_index"} <= set(ran.told)


def test_long_steps_log_a_line_every_few_seconds_with_the_time_left(monkeypatch):
    lines, heard = [], []
    clock = iter(range(0, 100, 2))
    context = type("Context", (), {"log": type("Log", (), {"info": staticmethod(lines.append)})})
    progress = logged_progress(context, lambda *call: heard.append(call), now=lambda: float(next(clock)))
    for done in range(10):
        progress("dense_vectors", done * 100, 1000)
    assert lines == [
        "dense_vectors: 300 of 1,000, about 14 s left",
        "dense_vectors: 600 of 1,000, about 8 s left",
        "dense_vectors: 900 of 1,000, about 2 s left",
    ]
    assert len(heard) == 10


def test_two_processes_may_reindex_the_same_codebase_at_the_same_time(home, settings):
    import subprocess
    import sys

    environ = dict(os.environ, LEGACYLENS_HOME=str(home), PYTHONPATH=str(REPOSITORY))
    command = [sys.executable, "-W", "ignore", "-m", "legacylens_assets.cli", "reindex", "tiny", "--json"]
    processes = [subprocess.Popen(command, cwd=home, env=environ, stdout=subprocess.PIPE, stderr=subprocess.PIPE) for _ in range(2)]
    try:
        outcomes = [(process.communicate(timeout=240), process.returncode) for process in processes]
    finally:
        for process in processes:
            process.kill()
    assert [code for _, code in outcomes] == [0, 0], [(out + errors).decode()[-800:] for (out, errors), _ in outcomes]
    assert open_reader(settings).info("tiny").points > 0
