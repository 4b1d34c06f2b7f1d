"""The graph from the command line and over HTTP, on a real index; every object fits its schema."""

import asyncio
import json
import sys

import httpx
import pytest

from legacylens_assets.cli import main
from legacylens_assets.settings import load_settings
from query_api.app import create_app
from tests.conftest import REPOSITORY

sys.path.insert(0, str(REPOSITORY / "tests" / "query_api"))
from schema_check import problems  # noqa: E402 - lives beside the API's tests


def fits(value, name):
    return problems(value, json.loads((REPOSITORY / "docs" / "schema" / f"{name}.json").read_text(encoding="utf-8")))


@pytest.fixture
def cli(project, monkeypatch, capsys):
    monkeypatch.setenv("LEGACYLENS_HOME", str(project))
    monkeypatch.chdir(project)
    (project / "legacylens.toml").write_text('dense = "hash"\n')

    def run(*argv):
        code = main(list(argv))
        out, err = capsys.readouterr()
        try:
            return code, json.loads(out), err
        except ValueError:
            return code, out, err

    assert run("reindex", "tiny", "other", "--plain", "--json")[0] == 0
    return run


def get(project, path, **query):
    async def run():
        app = create_app(load_settings(project, {"LEGACYLENS_DENSE": "hash"}))
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app=app), base_url="http://127.0.0.1") as client:
            return await client.get(path, params=query)

    return asyncio.run(run())


@pytest.mark.parametrize("name", ["graph", "report", "impact"])
def test_the_example_of_a_schema_is_valid(name):
    (example,) = json.loads((REPOSITORY / "docs" / "schema" / f"{name}.json").read_text(encoding="utf-8"))["examples"]
    assert fits(example, name) == []
    assert fits({}, name) != []


def test_graph_command_gives_the_contracts_object(cli):
    code, value, _ = cli("graph", "jobs", "PAYPOST", "--codebase", "tiny", "--json")
    assert (code, fits(value, "graph")) == (0, [])
    assert [(e["from"], e["to"], e["kind"], e["certainty"], e["path"], e["line"]) for e in value["edges"]] == [
        ("PAYJOB", "PAYPOST", "exec_pgm", "exact", "PAYJOB.jcl", 2)
    ]
    assert (value["name"], value["complete"]) == ("PAYPOST", True)


def test_graph_command_prints_text_and_drawings(cli):
    assert "1 found, complete" in cli("graph", "jobs", "paypost")[1]
    assert cli("graph", "callers", "2000-WRITE-AUDIT", "--format", "mermaid")[1].startswith("flowchart")
    assert cli("graph", "unresolved", "-c", "tiny")[0] == 0


def test_an_unknown_name_exits_3_and_names_the_nearest(cli):
    code, value, err = cli("graph", "callers", "PAYPOTS", "--json")
    assert (code, value["error"]["code"]) == (3, "not_found")
    assert "PAYPOST" in err


def test_an_unknown_codebase_is_named(cli):
    code, _, err = cli("graph", "callers", "PAYPOST", "-c", "nowhere", "--json")
    assert code == 2 and "nowhere" in err


def test_report_is_written_and_counted(cli, project):
    code, value, _ = cli("report", "tiny", "--json")
    assert (code, fits(value, "report")) == (0, [])
    assert "PAYPOST" in (project / "tiny.html").read_text(encoding="utf-8")


def test_impact_of_a_diff(cli, project):
    (project / "x.diff").write_text("--- a/PAYPOST.cbl\n+++ b/PAYPOST.cbl\n@@ -10,1 +10,1 @@\n-old\n+new\n")
    code, value, _ = cli("impact", "--diff", "x.diff", "--codebase", "tiny", "--json")
    assert (code, fits(value, "impact")) == (0, [])
    assert [item["name"] for item in value["symbols"]] == ["1000-POST-PAYMENT"]
    assert [item["name"] for item in value["jobs"]] == ["PAYJOB"]


def test_routes(cli, project):
    value = get(project, "/graph/jobs/paypost", codebase="tiny").json()
    assert fits(value, "graph") == [] and [edge["from"] for edge in value["edges"]] == ["PAYJOB"]
    assert fits(get(project, "/graph/entrypoints").json(), "graph") == []
    assert get(project, "/graph/jobs/PAYPOST", format="dot").text.startswith("digraph")
    assert get(project, "/graph/jobs/NOSUCH").status_code == 404
    assert get(project, "/graph/owners/PAYPOST").status_code == 400
    assert get(project, "/graph/jobs/PAYPOST", depth=99).status_code == 422


def test_the_report_links_to_a_page_of_the_source(cli, project):
    page = get(project, "/report/tiny").text
    address = page.partition('href="/source-page/')[2].partition('"')[0]
    assert address
    shown = get(project, "/source-page/" + address.partition("#")[0])
    assert shown.status_code == 200 and 'id="L1"' in shown.text


def test_the_answer_to_who_reads_a_dataset_comes_from_the_graph(cli):
    code, value, _ = cli("ask", "which job reads BANK.PAYMENTS.DAILY?", "-c", "tiny", "--json")
    assert (code, value["provider"]) == (0, "graph")
    assert [c["path"] for c in value["citations"]] == ["PAYJOB.jcl"]
