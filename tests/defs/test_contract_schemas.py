"""What the operating commands print and `/evaluation.json` gives fits docs/schema; so does the example of each schema."""

import json

import pytest

from legacylens_assets.cli import main
from tests.conftest import REPOSITORY
from tests.query_api.schema_check import problems

NAMES = ("reindex", "plan", "status", "index-list", "index-rollback", "evaluation")


def schema(name):
    return json.loads((REPOSITORY / "docs" / "schema" / f"{name}.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", NAMES)
def test_the_example_fits_its_schema(name):
    (example,) = schema(name)["examples"]
    assert problems(example, schema(name)) == []


@pytest.fixture
def cli(home, monkeypatch, capsys):
    monkeypatch.setenv("LEGACYLENS_HOME", str(home))

    def run(*argv):
        code = main([*argv, "--json"])
        return code, json.loads(capsys.readouterr().out)

    return run


def test_what_the_commands_print_fits(cli):
    for command, name in (
        (("plan", "tiny"), "plan"),
        (("status",), "status"),
        (("reindex", "tiny", "--plain"), "reindex"),
        (("plan", "tiny"), "plan"),
    ):
        code, value = cli(*command)
        assert (code, problems(value, schema(name))) == (0, [])
    _, listed = cli("index", "list")
    assert problems(listed, schema("index-list")) == []
    _, back = cli("index", "rollback", listed["generations"][0]["generation"])
    assert problems(back, schema("index-rollback")) == []


def test_what_a_recorded_run_prints_fits(ran):
    assert problems({"runs": ran.runs}, schema("reindex")) == []


def test_the_evaluation_fits(home, settings):
    from query_api.routes.evaluation import build_view

    chosen = {"metric": "mrr@10", "setting": "filtered", "codebase": "", "a": "", "b": ""}
    assert problems(build_view(settings, chosen), schema("evaluation")) == []
