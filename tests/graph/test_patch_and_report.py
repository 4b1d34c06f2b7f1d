"""What a diff reaches, and the inventory page."""

from types import SimpleNamespace

import pytest
from graph_material import cobol, load

from legacylens_assets.errors import UsageError
from legacylens_assets.graph.inventory import inventory
from legacylens_assets.graph.patch import Change, diff_text, impact_of_changes, impact_text, parse_diff

SOURCES = {
    "cpy/PAYREC.cpy": "       01  PAY-REC.\n           05  PAY-AMT PIC 9(5).\n           05  PAY-ID PIC 9.\n",
    "cbl/POSTPAY.cbl": cobol(
        "POSTPAY", "OPEN OUTPUT PAY-FILE.", "MOVE 1 TO PAY-AMT.", "GOBACK.", data=("    COPY PAYREC.",), files=(("PAY-FILE", "PAYOUT"),)
    ),
    "cbl/OTHER.cbl": cobol("OTHER", "GOBACK."),
    "jcl/NIGHT.jcl": "//NIGHT JOB (A)\n//S1 EXEC PGM=POSTPAY\n//PAYOUT DD DSN=PAY.DAILY,DISP=(NEW,CATLG)",
}


@pytest.fixture(scope="module")
def graph(tmp_path_factory):
    return load(SOURCES, tmp_path_factory.mktemp("graph"))


def names(value, group):
    return [item["name"] for item in value[group]]


def test_a_changed_field_reaches_program_job_and_dataset(graph):
    value = impact_of_changes(graph, [Change("cpy/PAYREC.cpy", [(2, 2)])])
    assert names(value, "symbols") == ["PAY-AMT"]
    assert (names(value, "programs"), names(value, "jobs"), names(value, "datasets")) == (["POSTPAY"], ["NIGHT"], ["PAY.DAILY"])
    assert "POSTPAY" in impact_text(value)


def test_only_questions_with_evidence_in_changed_lines_are_listed(graph):
    def question(key, start, end):
        item = SimpleNamespace(path="cpy/PAYREC.cpy", start_line=start, end_line=end)
        return SimpleNamespace(id=key, question=f"question {key}?", relevant=[item])

    value = impact_of_changes(graph, [Change("cpy/PAYREC.cpy", [(2, 2)])], [question("in", 1, 2), question("out", 3, 3)])
    assert [item["id"] for item in value["questions"]] == ["in"]


def test_a_path_with_the_repositorys_folders_is_found_and_a_foreign_one_is_told(graph):
    value = impact_of_changes(graph, [Change("app/cbl/OTHER.cbl", [(1, 1)]), Change("docs/x.md", [(1, 1)])])
    assert [item["path"] for item in value["files"]] == ["cbl/OTHER.cbl"]
    assert value["not_indexed"] == ["docs/x.md"]


DIFF = """diff --git a/x.cbl b/x.cbl
--- a/x.cbl
+++ b/x.cbl
@@ -3,4 +3,5 @@
 same
-gone
+here
 same
+new
 same
--- this is a deleted line that looks like a header? no: context ended
diff --git a/y.cbl b/y.cbl
--- /dev/null
+++ b/y.cbl
@@ -0,0 +1,2 @@
+a
+b
"""


def test_changed_lines_are_those_of_the_old_side():
    assert parse_diff(DIFF) == [Change("x.cbl", [(4, 6)])]


def test_a_deleted_line_of_hyphens_is_no_header():
    text = "--- a/x.cbl\n+++ b/x.cbl\n@@ -1,2 +1,1 @@\n--- old\n same\n"
    assert parse_diff(text) == [Change("x.cbl", [(1, 1)])]


@pytest.mark.parametrize("text", ["", "no diff at all", "@@ -1 +1 @@\n-a\n+b", "--- a/x\n+++ b/x\n@@ -1,9 +1,9 @@"])
def test_what_is_no_diff_changes_nothing(text):
    assert parse_diff(text) == []


@pytest.mark.parametrize("diff", ["/no/such/file", "--output=/etc/x..y", "a b..c", ""])
def test_neither_file_nor_revisions_is_a_usage_error(diff):
    with pytest.raises(UsageError):
        diff_text(diff)


def test_the_inventory_lists_and_links_without_scripts(graph):
    ids = {path: f"id-{n}" for n, path in enumerate(sorted(SOURCES))}
    page, counts = inventory(graph, "Pay & <co>", ids, {"cbl/POSTPAY.cbl": "Posts <pay>"}, "http://h:1/")
    assert (counts["programs"], counts["jobs"], counts["datasets"], counts["copybooks"]) == (2, 1, 1, 1)
    assert "<title>Pay &amp; &lt;co&gt;: inventory</title>" in page and "Posts &lt;pay&gt;" in page
    assert f'href="http://h:1/source-page/mine/{ids["cbl/POSTPAY.cbl"]}#L1"' in page
    assert "<script" not in page.lower()
