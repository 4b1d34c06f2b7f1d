"""The shipped model, and the table that chooses encoders."""

from __future__ import annotations

import hashlib
import shutil
from pathlib import Path

import numpy as np
import pytest

from legacylens_assets.encoders import load_dense, load_encoders, load_sparse
from legacylens_assets.encoders.build_minilm import SHIPPED
from legacylens_assets.encoders.hashing import HashEncoder
from legacylens_assets.encoders.minilm import MODEL_FOLDER, MiniLM
from legacylens_assets.errors import EncoderError, SettingError
from legacylens_assets.settings import Settings, load_settings


@pytest.fixture(scope="module")
def model() -> MiniLM:
    return MiniLM(threads=2)


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return load_settings(tmp_path, {})


def test_shipped_files_are_those_that_the_sums_name() -> None:
    lines = (MODEL_FOLDER / "SHA256SUMS").read_text().splitlines()
    stated = {name: digest for digest, name in (line.split("  ") for line in lines)}
    assert stated == {name: hashlib.sha256((MODEL_FOLDER / name).read_bytes()).hexdigest() for name in SHIPPED}


def test_shipped_model_is_small() -> None:
    assert sum(path.stat().st_size for path in MODEL_FOLDER.iterdir()) < 30_000_000


def test_vectors_are_of_unit_length_and_in_the_order_of_the_texts(model: MiniLM) -> None:
    texts = ["short", "a text of middle length about ledgers", "word " * 400, "", "short"]
    vectors = model.encode_documents(texts)
    assert vectors.shape == (5, 384) and vectors.dtype == np.float32
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    for place, text in enumerate(texts):
        assert vectors[place].tobytes() == model.encode_query(text).tobytes()


def test_vector_of_a_text_does_not_depend_on_its_neighbours(model: MiniLM) -> None:
    alone = model.encode_documents(["post the payment"])[0]
    among = model.encode_documents(["x " * 900, "post the payment", "y"])[1]
    assert alone.tobytes() == among.tobytes()


def test_meaning_beats_shared_letters(model: MiniLM) -> None:
    near, far = model.encode_documents(["compute the interest owed on a savings account", "parse command line options of the compiler"])
    question = model.encode_query("how is interest calculated for deposits?")
    assert float(question @ near) > float(question @ far) + 0.2


def test_only_the_first_256_tokens_are_seen(model: MiniLM) -> None:
    start = "ledger " * 300
    one, two = model.encode_documents([start, start + "refund " * 300])
    assert float(one @ two) > 0.9999


def test_tokens_are_counted_before_the_cut_and_with_both_marks(model: MiniLM) -> None:
    assert model.count_tokens(["ledger", "ledger " * 500, ""]) == [3, 502, 2]


def test_no_texts_give_no_rows(model: MiniLM) -> None:
    assert model.encode_documents([]).shape == (0, 384)


def test_damaged_model_is_refused_before_it_is_loaded(tmp_path: Path) -> None:
    folder = tmp_path / "model"
    shutil.copytree(MODEL_FOLDER, folder)
    with (folder / "model.onnx").open("r+b") as handle:
        handle.seek(5_000_000)
        handle.write(b"\0\1\2\3")
    with pytest.raises(EncoderError, match="model.onnx: sha256 .* damaged"):
        MiniLM(folder)


@pytest.mark.parametrize("name", ["model.onnx", "tokenizer.json", "SHA256SUMS"])
def test_missing_file_is_named(tmp_path: Path, name: str) -> None:
    folder = tmp_path / "model"
    shutil.copytree(MODEL_FOLDER, folder, ignore=shutil.ignore_patterns(name))
    with pytest.raises(EncoderError, match=name):
        MiniLM(folder)


def test_embedded_profile_is_minilm_and_identifiers_without_rerank(settings: Settings) -> None:
    encoders = load_encoders(settings)
    assert encoders.dense is not None
    assert (encoders.dense.name, [leg.name for leg in encoders.sparse], encoders.reranker, encoders.profile) == (
        "minilm",
        ["identifiers"],
        None,
        "embedded",
    )
    assert set(encoders.fingerprints) == {"dense", "identifiers"}


def test_a_leg_can_be_set_alone(settings: Settings) -> None:
    assert load_dense(settings.replace(dense="off")) is None
    assert isinstance(load_dense(settings.replace(dense="hash")), HashEncoder)
    assert [leg.name for leg in load_sparse(settings.replace(splade="off"))] == ["identifiers"]


def test_one_model_serves_all_stages(settings: Settings) -> None:
    assert load_dense(settings) is load_dense(settings)


@pytest.mark.parametrize(("name", "value"), [("dense", "word2vec"), ("rerank", "magic")])
def test_unknown_leg_lists_what_there_is(settings: Settings, name: str, value: str) -> None:
    with pytest.raises(SettingError, match=f"{name}='{value}': expected one of .*off"):
        load_encoders(settings.replace(**{"dense": "hash", name: value}))


def test_cloud_profile_without_a_key_says_which(settings: Settings) -> None:
    with pytest.raises(SettingError, match="VOYAGE_API_KEY"):
        load_encoders(settings.replace(profile="cloud"))


def test_hash_encoder_places_texts_that_share_words_near() -> None:
    encoder = HashEncoder()
    one, two, three = encoder.encode_documents(["post payment ledger", "payment ledger", "matrix solve"])
    assert float(one @ two) > float(one @ three)
    assert encoder.encode_documents([""]).tolist()[0][0] == 1.0
