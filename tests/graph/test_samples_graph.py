"""The graph of the shipped samples, against what their sources say."""

import pytest

from legacylens_assets.graph.index import GraphIndex
from legacylens_assets.graph.queries import answer
from legacylens_assets.pipeline import graph_stage, parse_stage, raw_stage
from legacylens_assets.registry import load_registry
from legacylens_assets.settings import load_settings
from legacylens_assets.workspace import Workspace


@pytest.fixture(scope="module")
def graph(tmp_path_factory):
    import shutil

    from tests.conftest import REPOSITORY

    root = tmp_path_factory.mktemp("samples")
    (root / "data").mkdir()
    shutil.copytree(REPOSITORY / "data" / "samples", root / "data" / "samples")
    shutil.copy(REPOSITORY / "data" / "codebases.toml", root / "data" / "codebases.toml")
    settings = load_settings(root, {})
    codebase = load_registry(settings.registry_path).get("samples")
    for stage in (raw_stage, parse_stage, graph_stage):
        stage(codebase, settings)
    return GraphIndex.load(Workspace(settings.data, "samples").stages, "samples", "g1")


def ends(graph, query, name, end, **where):
    return {edge[end] for edge in answer([graph], query, name)["edges"] if all(edge.get(key) == value for key, value in where.items())}


@pytest.mark.parametrize(
    ("program", "jobs"),
    [
        ("CBPOST01", {"DAILYPST"}), ("CBREJ04", {"DAILYPST"}), ("CBINT02", {"INTACCR"}), ("CBFEE05", {"MONTHSTM"}), ("CBSTM03", {"MONTHSTM"}),
        ("CBRSK06", {"RISKWKLY"}), ("CBDAT01", {"DAILYPST", "INTACCR"}),
    ],
)  # fmt: skip
def test_each_program_is_run_by_its_jobs(graph, program, jobs):
    assert ends(graph, "jobs", program, "from") == jobs


def test_a_procedures_step_reads_and_writes_the_callers_data(graph):
    assert ends(graph, "datasets", "CBPOST01", "to", job="DAILYPST", kind="dataset_read") == {"BANK.PROD.TRAN.SORTED", "BANK.PROD.ACCTMST"}
    written = {"BANK.PROD.ACCTMST", "BANK.PROD.POSTED.DAILY", "BANK.PROD.REJECT.DAILY"}
    assert ends(graph, "datasets", "CBPOST01", "to", job="DAILYPST", kind="dataset_write") == written


def test_the_menus_table_names_the_programs_that_it_starts(graph):
    assert ends(graph, "callees", "COMEN00C", "to", kind="cics_xctl") == {"COACT01C", "COXFR02C", "COLIM03C"}


@pytest.mark.parametrize(("transaction", "program"), [("BKMN", "COMEN00C"), ("BKAV", "COACT01C"), ("BKXF", "COXFR02C")])
def test_transactions_start_their_programs(graph, transaction, program):
    assert ends(graph, "callees", transaction, "to") == {program}


def test_a_sort_member_is_joined_with_the_step_that_names_it(graph):
    found = [edge for edge in answer([graph], "jobs", "SORTTRAN")["edges"] if edge["kind"] == "control_member"]
    assert [edge["from"] for edge in found] == ["DAILYPST"]


def test_a_name_made_by_replacing_is_asked_for_by_that_name(graph):
    programs = {edge["program"] for edge in answer([graph], "fields", "ACCT-BAL")["edges"] if edge["kind"] == "field_set"}
    assert "CBPOST01" in programs
    assert answer([graph], "fields", "ACCT-BAL")["matches"][0]["path"] == "bank/cpy/ACCTREC.cpy"
