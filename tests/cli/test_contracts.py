"""The command line's JSON contracts and exit codes, through the real commands over a tiny index."""

import json

import pytest

from legacylens_assets.cli import main


@pytest.fixture
def cli(project, monkeypatch, capsys):
    """Run a command in the tiny project; return (exit code, parsed stdout or text, stderr)."""
    monkeypatch.setenv("LEGACYLENS_HOME", str(project))
    (project / "legacylens.toml").write_text('dense = "hash"\n')

    def run(*argv):
        code = main(list(argv))
        out, err = capsys.readouterr()
        try:
            return code, json.loads(out), err
        except ValueError:
            return code, out, err

    return run


@pytest.fixture
def indexed(cli):
    code, value, err = cli("reindex", "tiny", "other", "--plain", "--json")
    assert code == 0, err
    return cli


def test_reindex_reports_every_stage_of_every_codebase(cli):
    code, value, _ = cli("reindex", "tiny", "--plain", "--json")
    assert code == 0
    assert [run["codebase"] for run in value["runs"]] == ["tiny"]
    assert [stage["stage"] for stage in value["runs"][0]["stages"]][-1] == "vector_index"


def test_parse_gives_the_contracts_fields(cli, project):
    code, value, _ = cli("parse", "--json", str(project / "code" / "PAYPOST.cbl"))
    assert code == 0
    (entry,) = value
    assert entry["path"] == str(project / "code" / "PAYPOST.cbl")
    assert (entry["language"], entry["encoding"], entry["form"]) == ("cobol", "utf-8", "fixed")
    names = {(s["name"], s["kind"], s["start_line"], s["end_line"], s["parent"]) for s in entry["symbols"]}
    assert ("2000-WRITE-AUDIT", "paragraph", 12, 14, "PAYPOST") in names
    assert all(set(c) == {"start_line", "end_line", "kind", "name"} for c in entry["chunks"])


def test_search_gives_the_contracts_fields(indexed):
    code, value, _ = indexed("search", "post payments to accounts", "-c", "tiny", "-k", "3", "--json")
    assert code == 0
    assert {"question", "normalised", "generation", "profile", "hits", "timings_ms"} <= set(value)
    first = value["hits"][0]
    wanted = {"rank", "chunk_id", "codebase", "path", "file_id", "language", "start_line", "end_line", "kind", "name", "score", "text", "legs"}
    assert wanted <= set(first)
    assert first["path"] == "PAYPOST.cbl"


def test_ask_answers_with_checked_citations(indexed):
    code, value, _ = indexed("ask", "what posts payments to customer accounts?", "-c", "tiny", "--json")
    assert code == 0
    wanted = {
        "question",
        "answer",
        "sentences",
        "citations",
        "refused",
        "reason",
        "nearest",
        "provider",
        "profile",
        "generation",
        "usage",
        "timings_ms",
    }
    assert wanted <= set(value)
    assert value["refused"] is False and value["citations"]
    assert {c["path"] for c in value["citations"]} <= {"PAYPOST.cbl", "PAYJOB.jcl", "README.md"}


def test_an_unknown_identifier_is_refused_with_exit_3(indexed):
    code, value, _ = indexed("ask", "what does ZZQX9999 do?", "-c", "tiny", "--json")
    assert code == 3
    assert value["refused"] is True and value["reason"]


@pytest.mark.parametrize(
    ("argv", "code", "message"),
    [
        (("search", "x", "-c", "nowhere", "--json"), 2, "nowhere"),
        (("search", "x", "-l", "klingon", "--json"), 2, "klingon"),
        (("reindex", "tinny", "--plain", "--json"), 2, "tiny"),
        (("parse", "/no/such/file", "--json"), 2, "/no/such/file"),
    ],
)
def test_bad_input_exits_2_and_names_it(indexed, argv, code, message):
    got, value, err = indexed(*argv)
    assert got == code
    assert message in err
    assert value["error"]["message"] in err


def test_asking_before_anything_is_indexed_says_what_to_run(cli):
    code, value, err = cli("search", "x", "--json")
    assert code == 1
    assert value["error"]["code"] == "no_index" and "reindex" in err


def test_plan_counts_without_doing(cli, project):
    code, value, _ = cli("plan", "tiny", "--fetch", "--json")
    assert code == 0
    assert value["plans"][0]["files"] == 3
    assert not (project / "data" / "index").exists()


def test_doctor_prints_coverage(indexed):
    code, value, _ = indexed("doctor", "tiny", "--json")
    assert code == 0 and value["healthy"]
    assert {row["language"] for row in value["coverage"]} == {"cobol", "jcl", "text"}


def test_status_names_each_codebase_and_generation(indexed):
    _, value, _ = indexed("status", "--json")
    rows = {row["key"]: row for row in value["codebases"]}
    assert rows["tiny"]["state"] == "indexed" and rows["tiny"]["points"] > 0


def test_rollback_serves_the_earlier_generation(indexed, project):
    _, before, _ = indexed("status", "--json")
    (project / "code" / "README.md").write_text("# Something else\n\nAnother remark about PAYPOST and its nightly work.\n")
    indexed("reindex", "tiny", "--plain", "--json")
    old = next(row["generation"] for row in before["codebases"] if row["key"] == "tiny")
    code, value, _ = indexed("index", "rollback", old, "--json")
    assert code == 0 and value["generation"] == old
    _, after, _ = indexed("status", "--json")
    assert next(row["generation"] for row in after["codebases"] if row["key"] == "tiny") == old


def test_progress_stays_off_when_stderr_is_no_terminal(indexed):
    _, _, err = indexed("reindex", "tiny", "--plain", "--json")
    assert err == ""
