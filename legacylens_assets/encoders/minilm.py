"""The embedded dense encoder: MiniLM-L6, int8, shipped as package data, run by onnxruntime on the CPU."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np

from legacylens_assets.encoders.protocol import Vector
from legacylens_assets.encoders.validate import normalise, unit_rows
from legacylens_assets.errors import EncoderError

MODEL_FOLDER = Path(__file__).parent / "models" / "minilm-l6-int8"
SEP = 102


class MiniLM:
    """Sentence vectors by mean pooling over the last layer (Reimers and Gurevych 2019), of unit length. Safe to share between threads."""

    name = "minilm"

    def __init__(self, folder: Path = MODEL_FOLDER, *, threads: int = 1, model_file: Path | None = None, verify: bool = True) -> None:
        """Load the model; with ``verify`` raises EncoderError when a file is not the one that SHA256SUMS names.

        ``threads`` is the number of texts encoded side by side.
        """
        from tokenizers import Tokenizer

        self.sums = read_sums(folder)
        if verify:
            verify_files(folder, self.sums, ("model.onnx", "tokenizer.json", "config.json"))
        config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
        self.dimension = int(config["hidden_size"])
        self.max_tokens = int(config["max_tokens"])
        self.threads = threads
        self.fingerprint = (
            f"minilm-l6-int8:{self.sums.get('model.onnx', '')[:16]}:{self.sums.get('tokenizer.json', '')[:8]}:{self.max_tokens}:mean:single"
        )
        self._tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self._tokenizer.no_truncation()
        self._tokenizer.no_padding()
        self._session = load_session(model_file or folder / "model.onnx")

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Return the number of model tokens of each text, before truncation, with the two marks at its ends."""
        return [len(encoding.ids) for encoding in self._tokenizer.encode_batch(list(texts))]

    def encode_documents(self, texts: Sequence[str]) -> Vector:
        """Return float32 (len(texts), dimension) in the order of ``texts``; each text is cut at ``max_tokens``.

        Each text is run alone: the int8 model scales its activations over a whole batch, so that in a batch a text's vector would depend on its
        neighbours (cosine .994 to the vector of the text alone), and on a CPU a batch is no faster.
        """
        rows = [self._cut(encoding.ids) for encoding in self._tokenizer.encode_batch(list(texts))]
        if self.threads > 1 and len(rows) > 1:
            with ThreadPoolExecutor(self.threads) as pool:
                found = list(pool.map(self._run, rows))
        else:
            found = [self._run(row) for row in rows]
        stacked = np.stack(found) if found else np.zeros((0, self.dimension), dtype=np.float32)
        return unit_rows(stacked, len(rows), self.dimension, self.name)

    def encode_query(self, text: str) -> Vector:
        """Return float32 (dimension,), of unit length."""
        row: Vector = self.encode_documents([text])[0]
        return row

    def _cut(self, ids: list[int]) -> list[int]:
        return ids if len(ids) <= self.max_tokens else [*ids[: self.max_tokens - 1], SEP]

    def _run(self, row: Sequence[int]) -> Vector:
        """Return the unit vector of one text's tokens."""
        ids = np.array([row], dtype=np.int64)
        states = self._session.run(None, {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)})[0]
        vector: Vector = normalise(states.mean(axis=1), self.name)[0]
        return vector


def load_session(path: Path) -> Any:  # noqa: ANN401 - onnxruntime has no types
    """Return an onnxruntime session of one thread on the CPU; spinning is off, or its speed collapses on a busy machine."""
    import onnxruntime  # type: ignore[import-untyped,unused-ignore]

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    options.add_session_config_entry("session.inter_op.allow_spinning", "0")
    try:
        return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    except Exception as error:  # onnxruntime's errors share no public base class
        raise EncoderError(f"{path}: onnxruntime cannot load it: {str(error)[:300]}") from error


def read_sums(folder: Path) -> dict[str, str]:
    """Return file name -> SHA-256 as SHA256SUMS states them; raises EncoderError when the file is missing."""
    path = folder / "SHA256SUMS"
    try:
        lines = path.read_text(encoding="ascii").splitlines()
    except OSError as error:
        raise EncoderError(f"{path}: cannot be read ({error.strerror}); reinstall legacylens or run encoders/build_minilm.py") from error
    return {name.strip(): digest for digest, _, name in (line.partition("  ") for line in lines) if name}


def verify_files(folder: Path, sums: dict[str, str], names: Sequence[str]) -> None:
    """Raise EncoderError when a named file is missing or is not the one that ``sums`` states (20 ms for the shipped model)."""
    for name in names:
        try:
            with (folder / name).open("rb") as handle:
                found = hashlib.file_digest(handle, "sha256").hexdigest()
        except OSError as error:
            raise EncoderError(f"{folder / name}: cannot be read ({error.strerror}); reinstall legacylens or run encoders/build_minilm.py") from error
        if found != sums.get(name):
            raise EncoderError(
                f"{folder / name}: sha256 {found}, expected {sums.get(name, 'an entry in SHA256SUMS')}; the file is damaged: reinstall legacylens"
            )
