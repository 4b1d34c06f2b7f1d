"""Questions to a graph of own text: complete lists, forgiving names, formats."""

import pytest
from graph_material import cobol, load

from legacylens_assets.errors import UsageError
from legacylens_assets.graph.queries import QUERIES, UnknownName, answer, render

FILE = (("PAY-FILE", "PAYIN"),)
OUT = (("PAY-FILE", "PAYOUT"),)
COPY = ("    COPY PAYREC.",)
SOURCES = {
    "cpy/PAYREC.cpy": "       01  PAY-REC.\n           05  PAY-AMT PIC 9(5).\n",
    "cbl/LOADPAY.cbl": cobol("LOADPAY", "OPEN OUTPUT PAY-FILE.", "WRITE PAY-FILE-REC.", "CALL 'CHECKPAY'.", "GOBACK.", files=OUT),
    "cbl/POSTPAY.cbl": cobol("POSTPAY", "READ PAY-FILE.", "MOVE 1 TO PAY-AMT.", "CALL 'CHECKPAY'.", "GOBACK.", data=COPY, files=FILE),
    "cbl/CHECKPAY.cbl": cobol("CHECKPAY", "PERFORM 1000-TEST.", "GOBACK.", data=COPY)
    + "\n       1000-TEST.\n           DISPLAY PAY-AMT.\n       2000-OLD.\n           STOP RUN.",
    "cbl/UNUSED.cbl": cobol("UNUSED", "CALL 'NOWHERE'.", "GOBACK."),
    "jcl/ZFIRST.jcl": "//ZFIRST JOB (A)\n//S1 EXEC PGM=LOADPAY\n//PAYOUT DD DSN=PAY.DAILY.FILE,DISP=(NEW,CATLG)",
    "jcl/ALATER.jcl": "//ALATER JOB (A)\n//S1 EXEC PGM=POSTPAY\n//PAYIN DD DSN=PAY.DAILY.FILE,DISP=SHR",
    "f/loop.f": "      SUBROUTINE PING\n      CALL PONG\n      END\n      SUBROUTINE PONG\n      CALL PING\n      END\n",
}


@pytest.fixture(scope="module")
def graph(tmp_path_factory):
    return load(SOURCES, tmp_path_factory.mktemp("graph"))


def ask(graph, query, name="", **more):
    return answer([graph], query, name, **more)


def pairs(value):
    return {(edge["from"], edge["to"]) for edge in value["edges"]}


def test_callers_names_programs_and_the_paragraph_that_calls(graph):
    value = ask(graph, "callers", "CHECKPAY")
    assert pairs(value) == {("LOADPAY", "CHECKPAY"), ("POSTPAY", "CHECKPAY")}
    assert {edge["unit"] for edge in value["edges"]} == {"0000-MAIN"}
    assert (value["count"], value["complete"]) == (2, True)
    assert set(value["edges"][0]) >= {"from", "to", "kind", "certainty", "path", "line"}


def test_depth_follows_callers_to_the_jobs(graph):
    value = ask(graph, "callers", "CHECKPAY", depth=2)
    assert {(edge["from"], edge["distance"]) for edge in value["edges"] if edge.get("distance")} == {("ZFIRST.S1", 2), ("ALATER.S1", 2)}


def test_callees_of_a_program_leave_out_its_own_paragraphs(graph):
    assert pairs(ask(graph, "callees", "CHECKPAY")) == set()
    assert pairs(ask(graph, "callees", "POSTPAY")) == {("POSTPAY", "CHECKPAY")}
    assert pairs(ask(graph, "callees", "CHECKPAY.0000-MAIN")) == {("0000-MAIN", "1000-TEST")}


@pytest.mark.parametrize("name", ["PAYREC", "payrec", "PAYREC.cpy", "cpy/PAYREC.cpy"])
def test_copies_lists_who_copies(graph, name):
    assert {edge["path"] for edge in ask(graph, "copies", name)["edges"]} == {"cbl/POSTPAY.cbl", "cbl/CHECKPAY.cbl"}


def test_jobs_of_a_program_and_of_what_it_calls(graph):
    assert {edge["from"] for edge in ask(graph, "jobs", "LOADPAY")["edges"]} == {"ZFIRST"}
    assert {(edge["from"], edge["distance"]) for edge in ask(graph, "jobs", "CHECKPAY")["edges"]} == {("ZFIRST", 2), ("ALATER", 2)}


def test_a_paragraph_runs_where_its_program_does(graph):
    assert {edge["from"] for edge in ask(graph, "jobs", "LOADPAY.0000-MAIN")["edges"]} == {"ZFIRST"}


def test_lineage_puts_the_job_that_writes_before_the_one_that_reads(graph):
    value = ask(graph, "lineage", "PAY.DAILY.FILE")
    jobs = list(dict.fromkeys(edge["job"] for edge in value["edges"]))
    assert jobs == ["ZFIRST", "ALATER"]
    kinds = {(edge["from"], edge["kind"]) for edge in value["edges"]}
    assert {("LOADPAY", "dataset_write"), ("POSTPAY", "dataset_read")} <= kinds


def test_a_dataset_is_found_by_its_last_qualifiers(graph):
    assert ask(graph, "datasets", "daily.file")["matches"][0]["name"] == "PAY.DAILY.FILE"


@pytest.mark.parametrize("name", ["PAY-AMT", "pay_amt", "PAY-AMT OF PAY-REC", "PAY-REC.PAY-AMT"])
def test_fields_say_where_they_are_set_and_used(graph, name):
    found = {(edge["program"], edge["kind"]) for edge in ask(graph, "fields", name)["edges"]}
    assert found == {("POSTPAY", "field_set"), ("CHECKPAY", "field_used")}


def test_impact_of_a_copybook_reaches_programs_then_jobs_by_distance(graph):
    reached = {edge["reached"]["name"]: edge["distance"] for edge in ask(graph, "impact", "PAYREC")["edges"]}
    assert reached["POSTPAY"] == reached["CHECKPAY"] == 1
    assert reached["ALATER"] == reached["LOADPAY"] == 2
    assert reached["ZFIRST"] == 3


def test_impact_stops_at_the_depth_asked(graph):
    assert {edge["distance"] for edge in ask(graph, "impact", "PAYREC", depth=1)["edges"]} == {1}


def test_surveys(graph):
    assert {"2000-OLD", "UNUSED"} <= {item["name"] for item in ask(graph, "dead")["items"]}
    assert "1000-TEST" not in {item["name"] for item in ask(graph, "dead")["items"]}
    assert {"ZFIRST", "ALATER", "UNUSED"} <= {item["name"] for item in ask(graph, "entrypoints")["items"]}
    assert [[member["name"] for member in item["members"]] for item in ask(graph, "cycles")["items"]] == [["PING", "PONG"]]
    (item,) = ask(graph, "unresolved")["items"]
    assert (item["kind"], item["reason"], item["count"], item["names"]) == ("call", "external", 1, ["NOWHERE (1)"])


def test_an_unknown_name_is_refused_with_the_nearest(graph):
    with pytest.raises(UnknownName, match="CHECKPAY") as caught:
        ask(graph, "callers", "CHEKPAY")
    assert (caught.value.code, caught.value.exit_code) == ("not_found", 3)


@pytest.mark.parametrize(
    ("query", "name", "depth", "told"), [("owners", "X", 0, "owners"), ("callers", "", 0, "missing"), ("callers", "X", -1, "-1")]
)
def test_bad_questions_are_usage_errors(graph, query, name, depth, told):
    with pytest.raises(UsageError, match=told):
        ask(graph, query, name, depth=depth)


def test_every_query_answers_and_renders_in_every_format(graph):
    for query in QUERIES:
        value = ask(graph, query, "" if query in ("dead", "entrypoints", "cycles", "unresolved") else "POSTPAY")
        for form in ("text", "mermaid", "dot"):
            assert render(value, form)


def test_mermaid_and_dot_show_each_edge(graph):
    value = ask(graph, "callers", "CHECKPAY")
    assert render(value, "mermaid").count("-->|call|") == 2
    assert render(value, "dot").count('[label="call"]') == 2


def test_quotes_in_names_cannot_break_out_of_a_drawing():
    edge = {"from": 'A"] --> B["', "to": 'x"; y', "kind": "call", "certainty": "exact"}
    value = {"edges": [edge], "matches": []}
    assert '"A#34;] --#62; B[#34;"' in render(value, "mermaid")
    assert 'label="x\\"; y"' in render(value, "dot")
