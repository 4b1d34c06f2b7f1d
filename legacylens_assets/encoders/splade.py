"""The sparse leg ``splade``: SPLADE (Formal et al. 2021) through FastEmbed, from the hub or from a folder."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from legacylens_assets.encoders.idf import IdfTable
from legacylens_assets.encoders.protocol import SparseVector
from legacylens_assets.encoders.validate import sparse_vector
from legacylens_assets.errors import EncoderError

LEG = "splade"
MODEL_FILE = "model.onnx"


class Splade:
    """A SPLADE model. Its weights hold a term's importance already: IDF and further tokens of a question are ignored."""

    name = LEG

    def __init__(self, model: str, folder: str = "", threads: int = 1, batch: int = 8) -> None:
        """Load ``model``, from ``folder`` when one is given (model.onnx, tokenizer.json, config.json…), else from the hub or its cache."""
        self.model = model
        self.batch = batch
        self.fingerprint = f"splade:{model}:{_folder_digest(Path(folder)) if folder else 'hub'}"
        self._encoder = _load(model, folder, threads)

    def encode_documents(self, texts: Sequence[str]) -> list[SparseVector]:
        """Return one vector for each text; longer ones are cut at the model's window."""
        found = self._encoder.embed([text or " " for text in texts], batch_size=self.batch)
        return [sparse_vector(item.indices, item.values, self.model) for item in found]

    def encode_query(self, text: str, idf: IdfTable | None = None, extra: Mapping[str, float] | None = None) -> SparseVector:
        """Return the question's vector."""
        (found,) = self._encoder.query_embed(text or " ")
        return sparse_vector(found.indices, found.values, self.model)


def _load(model: str, folder: str, threads: int) -> Any:  # noqa: ANN401
    from fastembed import SparseTextEmbedding

    options: dict[str, Any] = {"specific_model_path": folder} if folder else {}
    try:
        return SparseTextEmbedding(model, threads=threads, **options)
    except Exception as error:  # the hub's, onnxruntime's and FastEmbed's errors share no base class
        where = f"in {folder}" if folder else "on the hub (offline? set LEGACYLENS_SPLADE to the path of a model folder, or to off)"
        raise EncoderError(f"SPLADE model {model} cannot be loaded {where}: {' '.join(str(error).split())[:300]}") from error


def _folder_digest(folder: Path) -> str:
    path = folder / MODEL_FILE
    try:
        with path.open("rb") as handle:
            return hashlib.file_digest(handle, "sha256").hexdigest()[:16]
    except OSError as error:
        raise EncoderError(
            f"SPLADE folder {folder}: {MODEL_FILE} cannot be read ({error.strerror}); expected a model folder as FastEmbed lays it out"
        ) from error
