"""One way from a question to hits, over a real embedded index with the hash encoder."""

import json

import pytest
from tiny_index import BANK, DEMO, MATHS, make_retriever, publish, tiny_settings

from legacylens_assets.encoders import Encoders, load_encoders
from legacylens_assets.errors import FingerprintMismatch, NoIndex, UsageError
from legacylens_assets.retrieval import Retriever
from legacylens_assets.store import open_reader


@pytest.fixture(scope="module")
def retriever(tmp_path_factory):
    return make_retriever(tiny_settings(tmp_path_factory.mktemp("index")), (BANK, MATHS, DEMO))


def first(result):
    return result.hits[0].name if result.hits else None


def test_the_contract_object(retriever):
    found = retriever.search("how are refunds posted?", k=3).to_json()
    assert {"question", "normalised", "generation", "profile", "hits", "timings_ms"} <= set(found)
    wanted = {"rank", "chunk_id", "codebase", "path", "file_id", "language", "start_line", "end_line", "kind", "name", "score", "text", "legs"}
    assert [hit["rank"] for hit in found["hits"]] == [1, 2, 3]
    assert all(wanted <= set(hit) for hit in found["hits"])
    assert set(found["hits"][0]["legs"]) >= {"dense", "identifiers", "fused"}
    assert found["stages"]["rerank"] == "off"
    json.dumps(found)


def test_the_same_question_gives_the_same_list_byte_for_byte(retriever):
    lists = {json.dumps(retriever.search("balance of the account", k=10).to_json()["hits"]) for _ in range(5)}
    assert len(lists) == 1


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("CBREF01", "CBREF01"), ("cbref-01", "CBREF01"), ("CBREF01.cbl", "CBREF01"), ("CBREF1", "CBREF01"), ("post-refund", "1000-POST-REFUND"),
        ("DSLOVE", "DSOLVE"), ("explain 9000_flag_review", "9000-FLAG-REVIEW"), ("job REFJOB", "REFJOB"),
    ],
)  # fmt: skip
def test_an_identifier_puts_its_definition_first(retriever, question, wanted):
    assert first(retriever.search(question, k=5)) == wanted


def test_a_name_in_two_codebases_gives_both_and_the_filter_decides(retriever):
    hits = retriever.search("CBINT02", k=5).hits
    assert {(hit.codebase, hit.name) for hit in hits[:2]} == {("bank", "CBINT02"), ("maths", "cbint02")}
    assert retriever.search("CBINT02", codebases=("maths",), k=1).hits[0].codebase == "maths"


def test_filters_take_lists_and_exclusions(retriever):
    def kept(**filters):
        return {(hit.codebase, hit.language) for hit in retriever.search("refund account matrix", k=50, **filters).hits}

    assert {codebase for codebase, _ in kept(codebases=("bank", "maths"))} == {"bank", "maths"}
    assert {codebase for codebase, _ in kept(not_codebases=("bank",))} == {"maths"}
    assert {language for _, language in kept(languages=("jcl", "text"))} == {"jcl", "text"}
    assert "cobol" not in {language for _, language in kept(not_languages=("cobol",))}
    assert kept(codebases=("bank",), not_codebases=("bank",)) == set()


def test_an_identifier_does_not_get_past_a_filter(retriever):
    assert all(hit.language == "jcl" for hit in retriever.search("CBREF01", languages=("jcl",), k=5).hits)


def test_samples_are_left_out_once_another_codebase_is_indexed(retriever, tmp_path):
    assert "demo" not in {hit.codebase for hit in retriever.search("greets a customer", k=50).hits}
    assert {hit.codebase for hit in retriever.search("greets a customer", codebases=("demo",), k=50).hits} == {"demo"}
    alone = make_retriever(tiny_settings(tmp_path), (DEMO,))
    assert {hit.codebase for hit in alone.search("greets a customer", k=50).hits} == {"demo"}


def test_unknown_names_are_refused_with_close_ones(retriever):
    with pytest.raises(UsageError, match="did you mean bank"):
        retriever.search("x", codebases=("bnak",))
    with pytest.raises(UsageError, match="did you mean fortran"):
        retriever.search("x", languages=("fortrn",))


def test_one_file_does_not_fill_the_list(retriever):
    files = [hit.path for hit in retriever.search("refund balance account review report", codebases=("bank",), k=6).hits]
    assert max(files[:5].count(path) for path in files) <= 3


def test_an_empty_or_unknown_question_still_gives_a_list(retriever):
    assert retriever.search("zzz qqq", k=3).hits is not None
    assert retriever.search("???", k=3).to_json()["hits"] is not None


def test_explain_says_what_matched(retriever):
    found = retriever.search("posting refunds to acct", codebases=("bank",), k=2, explain=True).to_json()["explain"]
    assert found["terms"] == ["posting", "refunds", "acct"]
    assert found["expansions"]["acct"] == ["account"]
    assert found["filters"]["codebases"] == ["bank"]
    assert any("refund" in terms for terms in found["matched"].values())


class _Backwards:
    """A reranker that likes what names the report."""

    name = "fixed"
    fingerprint = "fixed"

    def scores(self, question, texts):
        return [1.0 if "REPORT" in text else 0.0 for text in texts]


def test_a_reranker_orders_the_best_candidates_and_says_so(retriever):
    models = load_encoders(retriever.settings)
    reranked = Retriever(retriever.reader, Encoders(models.dense, models.sparse, _Backwards(), "embedded"), retriever.settings)
    found = reranked.search("how are refunds posted?", codebases=("bank",), k=3)
    assert first(found) == "2000-WRITE-REPORT"
    assert found.stages["rerank"].startswith("fixed over")
    assert found.hits[0].score == 1.0


def test_a_sparse_only_and_a_dense_only_question_work(retriever):
    models = load_encoders(retriever.settings)
    for encoders in (Encoders(None, models.sparse, None), Encoders(models.dense, (), None)):
        assert Retriever(retriever.reader, encoders, retriever.settings).search("refund", k=3).hits


def test_nothing_indexed_is_a_named_error(tmp_path):
    settings = tiny_settings(tmp_path)
    with pytest.raises(NoIndex):
        Retriever(open_reader(settings), load_encoders(settings), settings).search("x")


def test_other_encoders_are_refused(retriever):
    models = load_encoders(retriever.settings)
    other = type(models.dense)(dimension=32)
    with pytest.raises(FingerprintMismatch, match="hash:64"):
        Retriever(retriever.reader, Encoders(other, models.sparse, None), retriever.settings).search("x")


def test_a_published_change_is_seen_by_the_next_question(tmp_path):
    settings = tiny_settings(tmp_path)
    retriever = make_retriever(settings, (MATHS,))
    before = retriever.search("DSOLVE", k=1)
    publish(BANK, settings)
    after = retriever.search("CBREF01", k=1)
    assert first(before) == "DSOLVE" and first(after) == "CBREF01"
    assert before.generation != after.generation
