"""Dense, sparse and rerank models behind small protocols, and the one table that names them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Any, TypeVar

from legacylens_assets.encoders.protocol import DenseEncoder, Reranker, SparseEncoder, SparseVector, Vector
from legacylens_assets.errors import SettingError
from legacylens_assets.settings import Settings

T = TypeVar("T")

__all__ = [
    "DENSE",
    "PROFILES",
    "RERANKERS",
    "DenseEncoder",
    "Encoders",
    "Reranker",
    "SparseEncoder",
    "SparseVector",
    "Vector",
    "load_dense",
    "load_encoders",
    "load_reranker",
    "load_sparse",
]


@dataclass(frozen=True, slots=True)
class Profile:
    """What each leg is unless a setting of its own says otherwise."""

    dense: str
    splade: str
    rerank: str


@dataclass(frozen=True, slots=True)
class Encoders:
    """The models of a configuration. ``fingerprints`` maps each leg that an index holds to what its vectors depend on."""

    dense: DenseEncoder | None
    sparse: tuple[SparseEncoder, ...]
    reranker: Reranker | None
    profile: str = "embedded"

    @property
    def fingerprints(self) -> dict[str, str]:
        """Return leg -> fingerprint; the reranker is in no index and not among them."""
        dense = {"dense": self.dense.fingerprint} if self.dense is not None else {}
        return {**dense, **{encoder.name: encoder.fingerprint for encoder in self.sparse}}


PROFILES: Mapping[str, Profile] = MappingProxyType(
    {
        "embedded": Profile(dense="minilm", splade="off", rerank="off"),
        "hub": Profile(dense="hub", splade="on", rerank="hub"),
        "cloud": Profile(dense="voyage", splade="off", rerank="off"),
    }
)


def load_encoders(settings: Settings) -> Encoders:
    """Return the models that the settings name: the profile's, each leg replaced by its own setting where that is not empty.

    Raises SettingError for a name that is not in the table, MissingExtra for a package that is not installed, EncoderError for a damaged model.
    """
    return Encoders(load_dense(settings), load_sparse(settings), load_reranker(settings), settings.profile)


def load_dense(settings: Settings) -> DenseEncoder | None:
    """Return the dense encoder that the settings name, None for ``off``."""
    return _chosen("dense", settings.dense or PROFILES[settings.profile].dense, DENSE)(settings)


def load_sparse(settings: Settings) -> tuple[SparseEncoder, ...]:
    """Return the sparse legs: identifiers always, SPLADE where it is on."""
    splade = settings.splade or PROFILES[settings.profile].splade
    if splade == "off":
        return (_identifiers(),)
    return (_identifiers(), _splade(settings, "" if splade == "on" else splade))


def load_reranker(settings: Settings) -> Reranker | None:
    """Return the reranker that the settings name, None for ``off``."""
    return _chosen("rerank", settings.rerank or PROFILES[settings.profile].rerank, RERANKERS)(settings)


def _chosen(setting: str, name: str, table: Mapping[str, T]) -> T:
    try:
        return table[name]
    except KeyError:
        raise SettingError(f"{setting}={name!r}: expected one of {', '.join(sorted(table))}") from None


def _once(make: Callable[..., T], **options: str | int) -> T:
    """Return one model for each set of options: stages of a run share it, and the second costs neither time nor memory."""
    made: T = _made(make, **options)
    return made


@cache
def _made(make: Callable[..., Any], **options: str | int) -> Any:  # noqa: ANN401 - a cache forgets types
    return make(**options)


def _off(settings: Settings) -> None:
    return None


def _minilm(settings: Settings) -> DenseEncoder:
    from legacylens_assets.encoders.minilm import MiniLM

    return _once(MiniLM, threads=settings.encode_threads)


def _hash(settings: Settings) -> DenseEncoder:
    from legacylens_assets.encoders.hashing import HashEncoder

    return HashEncoder()


def _voyage(settings: Settings) -> DenseEncoder:
    from legacylens_assets.encoders.voyage import VoyageEncoder

    return VoyageEncoder.from_settings(settings)


def _hub_dense(settings: Settings) -> DenseEncoder:
    from legacylens_assets.encoders.hub import HubDense

    return _once(HubDense, model=settings.hub_dense_model, threads=settings.encode_threads, batch=settings.encode_batch)


def _identifiers() -> SparseEncoder:
    from legacylens_assets.encoders.identifier_bm25 import IdentifierEncoder

    return IdentifierEncoder()


def _splade(settings: Settings, folder: str) -> SparseEncoder:
    from legacylens_assets.encoders.splade import Splade

    return _once(Splade, model=settings.hub_splade_model, folder=folder, threads=settings.encode_threads, batch=settings.encode_batch)


def _onnx_rerank(settings: Settings) -> Reranker:
    from legacylens_assets.encoders.hub import OnnxReranker

    return _once(OnnxReranker, model=settings.hub_rerank_model, threads=settings.encode_threads)


def _hub_rerank(settings: Settings) -> Reranker:
    from legacylens_assets.encoders.hub import HubReranker

    return _once(HubReranker, model=settings.hub_rerank_model)


DENSE: Mapping[str, Callable[[Settings], DenseEncoder | None]] = MappingProxyType(
    {"minilm": _minilm, "voyage": _voyage, "hub": _hub_dense, "hash": _hash, "off": _off}
)
RERANKERS: Mapping[str, Callable[[Settings], Reranker | None]] = MappingProxyType({"off": _off, "onnx": _onnx_rerank, "hub": _hub_rerank})
