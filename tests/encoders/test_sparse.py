"""The identifiers leg: BM25 by hand, IDF over snapshots, and what a vector may be."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from legacylens_assets.encoders.identifier_bm25 import IdentifierEncoder
from legacylens_assets.encoders.idf import IdfTable, df_table, read_df
from legacylens_assets.encoders.protocol import SparseVector
from legacylens_assets.encoders.validate import check_sparse, normalise, sparse_vector, unit_rows
from legacylens_assets.errors import EncoderError
from legacylens_assets.identifiers import token_id
from legacylens_assets.tables import write_table

ENCODER = IdentifierEncoder()


def weight(vector: SparseVector, token: str) -> float:
    places = np.flatnonzero(vector.indices == token_id(token))
    return float(vector.values[places[0]]) if places.size else 0.0


def dot(question: SparseVector, document: SparseVector) -> float:
    held = dict(zip(document.indices.tolist(), document.values.tolist(), strict=True))
    return sum(value * held.get(index, 0.0) for index, value in zip(question.indices.tolist(), question.values.tolist(), strict=True))


def test_document_weight_is_bm25s() -> None:
    # "ledger ledger cart": tf 2 and 1, length 3; k1 1.2, b .75, average 200: scale = 1.2 * (.25 + .75 * 3 / 200) = .3135
    (vector,) = ENCODER.encode_documents(["ledger ledger cart"])
    assert weight(vector, "ledger") == pytest.approx(2 * 2.2 / (2 + 0.3135), rel=1e-5)
    assert weight(vector, "cart") == pytest.approx(1 * 2.2 / (1 + 0.3135), rel=1e-5)


def test_question_times_document_is_the_whole_formula() -> None:
    texts = ["ledger ledger cart", "cart refund", "refund of interest"]
    documents = ENCODER.encode_documents(texts)
    idf = IdfTable.of(documents)
    question = ENCODER.encode_query("ledger cart", idf)
    # df(ledger) = 1, df(cart) = 2, N = 3
    expected = math.log(1 + 2.5 / 1.5) * 4.4 / 2.3135 + math.log(1 + 1.5 / 2.5) * 2.2 / 1.3135
    assert dot(question, documents[0]) == pytest.approx(expected, rel=1e-5)


def test_tokens_that_no_document_holds_are_left_out_of_the_question() -> None:
    idf = IdfTable.of(ENCODER.encode_documents(["ledger"]))
    assert ENCODER.encode_query("ledger walrus", idf).indices.tolist() == [token_id("ledger")]
    assert ENCODER.encode_query("walrus", idf).indices.size == 0


def test_expansions_weigh_less_and_never_lower_a_word_of_the_question() -> None:
    vector = ENCODER.encode_query("ledger", extra={"cart": 0.4, "ledger": 0.1})
    assert weight(vector, "cart") == pytest.approx(0.4)
    assert weight(vector, "ledger") == 1.0
    with pytest.raises(EncoderError, match="cart"):
        ENCODER.encode_query("ledger", extra={"cart": -1.0})


def test_abbreviation_finds_the_word_and_the_word_the_abbreviation() -> None:
    code, prose = ENCODER.encode_documents(["MOVE ACCT-BAL TO WS-X", "the balance of the account"])
    assert dot(ENCODER.encode_query("account balance"), code) > 0
    assert dot(ENCODER.encode_query("ACCT-BAL"), prose) > 0


def test_length_of_others_does_not_change_a_vector() -> None:
    alone = ENCODER.encode_documents(["ledger"])[0]
    beside = ENCODER.encode_documents(["ledger", "word " * 5000])[0]
    assert alone.values.tolist() == beside.values.tolist()


def test_parameters_are_in_the_fingerprint() -> None:
    marks = {
        ENCODER.fingerprint,
        IdentifierEncoder(k1=1.5).fingerprint,
        IdentifierEncoder(b=0.5).fingerprint,
        IdentifierEncoder(average=99).fingerprint,
    }
    assert len(marks) == 4


def test_text_without_tokens_is_an_empty_vector() -> None:
    assert [vector.indices.size for vector in ENCODER.encode_documents(["", "----", "the of"])] == [0, 0, 0]


def test_vectors_of_many_texts_are_valid() -> None:
    texts = [f"PERFORM {n:04d}-CALC-{n % 7}-AMT UNTIL WS-EOF = 'Y'" * (1 + n % 5) for n in range(200)]
    for vector in ENCODER.encode_documents(texts):
        check_sparse(vector, "text")


def test_tables_of_two_codebases_add_up() -> None:
    one = IdfTable.of(ENCODER.encode_documents(["ledger cart", "cart"]))
    two = IdfTable.of(ENCODER.encode_documents(["cart refund"]))
    both = IdfTable.merge([one, two])
    ids = np.array([token_id(t) for t in ("ledger", "cart", "refund", "walrus")])
    assert (both.documents, both.df(ids).tolist()) == (3, [1, 3, 1, 0])


def test_idf_is_positive_even_for_a_word_of_every_document_and_for_an_empty_table() -> None:
    table = IdfTable(3, np.array([5], np.uint32), np.array([3]))
    assert table.idf(np.array([5]))[0] == pytest.approx(math.log(1 + 0.5 / 3.5))
    assert IdfTable.merge([]).df(np.array([5])).tolist() == [0]


def test_table_survives_its_file(tmp_path: Path) -> None:
    table = IdfTable.of(ENCODER.encode_documents(["ledger cart", "cart"]))
    write_table(df_table({"identifiers": table, "other": IdfTable.merge([])}), tmp_path / "df.parquet")
    found = read_df(tmp_path / "df.parquet", "identifiers")
    assert (found.documents, found.indices.tolist(), found.counts.tolist()) == (2, table.indices.tolist(), table.counts.tolist())
    assert read_df(tmp_path / "df.parquet", "splade").indices.size == 0


def test_sparse_vector_is_sorted_and_without_zeros() -> None:
    vector = sparse_vector(np.array([9, 2, 5]), np.array([1.0, 2.0, 0.0]), "model")
    assert (vector.indices.tolist(), vector.values.tolist()) == ([2, 9], [2.0, 1.0])


@pytest.mark.parametrize(
    ("indices", "values", "says"),
    [
        ([1, 1], [1.0, 1.0], "duplicate"),
        ([1], [math.nan], "NaN"),
        ([1, 2], [1.0], "one length"),
        ([-1], [1.0], "outside"),
        ([2**32], [1.0], "outside"),
    ],
)
def test_bad_sparse_vectors_are_refused(indices: list[int], values: list[float], says: str) -> None:
    with pytest.raises(EncoderError, match=says):
        sparse_vector(np.array(indices), np.array(values), "model")


@pytest.mark.parametrize(
    ("rows", "says"),
    [
        ([[1.0, 0.0], [math.inf, 0.0]], "vector 1 of 2.*NaN or infinite"),
        ([[1.0, 0.0], [0.6, 0.6]], "vector 1 of 2 has length"),
        ([[1.0], [1.0]], "shape"),
    ],
)
def test_bad_dense_vectors_are_refused(rows: list[list[float]], says: str) -> None:
    with pytest.raises(EncoderError, match=says):
        unit_rows(np.array(rows), 2, 2, "model")


def test_zero_vector_cannot_be_normalised() -> None:
    with pytest.raises(EncoderError, match="zero"):
        normalise(np.zeros((1, 4)), "model")
