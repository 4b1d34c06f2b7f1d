"""Models by name: what can be tried without a hub. The SPLADE model is a tiny one that the test builds itself."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np
import pytest

from legacylens_assets.encoders.hub import HubReranker, best_windows, refuse_random_head, windows_of
from legacylens_assets.encoders.splade import Splade
from legacylens_assets.errors import EncoderError, MissingExtra

onnx = pytest.importorskip("onnx", reason="builds a model; needs onnx (extra `dev`)")
WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "account", "balance", "ledger", "refund"]


def write_splade(folder: Path, scale: float = 3.0) -> None:
    """Write a masked language model in which each word speaks for itself, and `balance` a little for `account`."""
    from onnx import TensorProto, helper, numpy_helper
    from tokenizers import Tokenizer, models, pre_tokenizers, processors

    folder.mkdir()
    logits = np.eye(len(WORDS), dtype=np.float32) * scale
    logits[:5] = 0
    logits[WORDS.index("balance"), WORDS.index("account")] = 1.0
    inputs = [helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "seq"]) for name in ("input_ids", "attention_mask", "token_type_ids")]
    output = helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["batch", "seq", len(WORDS)])
    nodes = [
        helper.make_node("Gather", ["table", "input_ids"], ["chosen"]),
        helper.make_node("Add", ["attention_mask", "token_type_ids"], ["used"]),
        helper.make_node("Cast", ["used"], ["as_float"], to=TensorProto.FLOAT),
        helper.make_node("Unsqueeze", ["as_float", "last"], ["wide"]),
        helper.make_node("Mul", ["chosen", "wide"], ["logits"]),
    ]
    constants = [numpy_helper.from_array(logits, "table"), numpy_helper.from_array(np.array([2], np.int64), "last")]
    model = helper.make_model(
        helper.make_graph(nodes, "tiny", inputs, [output], constants), opset_imports=[helper.make_opsetid("", 17)], ir_version=8
    )
    onnx.save(model, str(folder / "model.onnx"))
    tokenizer = Tokenizer(models.WordLevel({word: place for place, word in enumerate(WORDS)}, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.post_processor = processors.TemplateProcessing(single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)])
    tokenizer.save(str(folder / "tokenizer.json"))
    special = {"unk_token": "[UNK]", "sep_token": "[SEP]", "pad_token": "[PAD]", "cls_token": "[CLS]", "mask_token": "[MASK]"}
    (folder / "special_tokens_map.json").write_text(json.dumps(special))
    (folder / "tokenizer_config.json").write_text(json.dumps({"model_max_length": 16, "pad_token": "[PAD]", **special}))
    (folder / "config.json").write_text(json.dumps({"pad_token_id": 0, "model_type": "bert"}))


@pytest.fixture(scope="module")
def splade(tmp_path_factory: pytest.TempPathFactory) -> Splade:
    folder = tmp_path_factory.mktemp("splade") / "model"
    write_splade(folder)
    return Splade("prithivida/Splade_PP_en_v1", folder=str(folder))


def test_splade_weighs_and_expands_words(splade: Splade) -> None:
    first, second = splade.encode_documents(["ledger refund", "balance"])
    # max over the text of ln(1 + relu(logit)): ln 4 for a word itself, ln 2 for the one it stands for
    assert dict(zip(first.indices.tolist(), first.values.tolist(), strict=True)) == pytest.approx({7: np.log(4), 8: np.log(4)})
    assert dict(zip(second.indices.tolist(), second.values.tolist(), strict=True)) == pytest.approx({5: np.log(2), 6: np.log(4)})


def test_splade_question_is_encoded_like_a_document(splade: Splade) -> None:
    assert splade.encode_query("balance", extra={"refund": 1.0}).indices.tolist() == [5, 6]


def test_splade_text_without_known_words_is_empty(splade: Splade) -> None:
    assert [vector.indices.size for vector in splade.encode_documents(["", "walrus"])] == [0, 0]


def test_splade_fingerprint_follows_the_weights(splade: Splade, tmp_path: Path) -> None:
    write_splade(tmp_path / "other", scale=2.0)
    assert Splade(splade.model, folder=str(tmp_path / "other")).fingerprint != splade.fingerprint


def test_splade_folder_without_a_model_is_named(tmp_path: Path) -> None:
    with pytest.raises(EncoderError, match="model.onnx cannot be read"):
        Splade("prithivida/Splade_PP_en_v1", folder=str(tmp_path))


def test_splade_of_an_unknown_name_says_what_to_do() -> None:
    with pytest.raises(EncoderError, match="LEGACYLENS_SPLADE"):
        Splade("nobody/unheard-of")


def test_reranker_without_torch_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    with pytest.raises(MissingExtra, match=r"legacylens\[hub\]"):
        HubReranker("cross-encoder/ms-marco-MiniLM-L-6-v2")


@pytest.mark.parametrize("missing", [["classifier.weight", "classifier.bias"], ["bert.pooler.dense.weight", "score.weight"]])
def test_cross_encoder_with_a_random_head_is_refused(missing: list[str]) -> None:
    with pytest.raises(EncoderError, match="no cross-encoder.*random"):
        refuse_random_head("nreimers/plain-bert", missing)


def test_cross_encoder_that_misses_only_what_is_unused_passes() -> None:
    refuse_random_head("cross-encoder/x", ["bert.embeddings.position_ids"])


def test_a_text_scores_as_its_best_window() -> None:
    long = "\n".join(["nothing here at all"] * 120 + ["the refund is posted"] + ["nothing here at all"] * 30)
    found = best_windows([long, "nothing"], lambda windows: [float("refund" in window) for window in windows])
    assert found == [1.0, 0.0]


def test_windows_cover_every_line_and_overlap() -> None:
    lines = [f"line {n} with five words" for n in range(150)]
    windows = windows_of("\n".join(lines))
    assert [line for line in lines if not any(line in window.split("\n") for window in windows)] == []
    assert len(windows) > 2
    assert set(windows[0].split("\n")) & set(windows[1].split("\n"))


def test_the_last_of_many_windows_takes_the_rest() -> None:
    windows = windows_of("\n".join(["word " * 50] * 300))
    assert len(windows) == 6


def test_scores_that_are_not_numbers_are_refused() -> None:
    with pytest.raises(EncoderError, match="finite"):
        best_windows(["a"], lambda windows: [float("nan")])
