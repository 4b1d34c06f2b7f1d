"""Dense, sparse and rerank models behind small protocols, and the one table that names them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TypeVar

from legacylens_assets.encoders.protocol import DenseEncoder, Reranker, SparseEncoder, SparseVector, Vector
from legacylens_assets.errors import SettingError
from legacylens_assets.settings import Settings

T = TypeVar("T")

__all__ = ["DENSE", "PROFILES", "RERANKERS", "DenseEncoder", "Encoders", "Reranker", "SparseEncoder", "SparseVector", "Vector", "load_encoders"]


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
    profile = PROFILES[settings.profile]
    dense = _chosen("dense", settings.dense or profile.dense, DENSE)
    rerank = _chosen("rerank", settings.rerank or profile.rerank, RERANKERS)
    splade = settings.splade or profile.splade
    sparse: list[SparseEncoder] = [_identifiers()]
    if splade != "off":
        sparse.append(_splade(settings, "" if splade == "on" else splade))
    return Encoders(dense(settings), tuple(sparse), rerank(settings))


def _chosen(setting: str, name: str, table: Mapping[str, T]) -> T:
    try:
        return table[name]
    except KeyError:
        raise SettingError(f"{setting}={name!r}: expected one of {', '.join(sorted(table))}") from None


def _off(settings: Settings) -> None:
    return None


def _minilm(settings: Settings) -> DenseEncoder:
    from legacylens_assets.encoders.minilm import MiniLM

    return MiniLM(threads=settings.encode_threads, batch=settings.encode_batch)


def _hash(settings: Settings) -> DenseEncoder:
    from legacylens_assets.encoders.hashing import HashEncoder

    return HashEncoder()


def _voyage(settings: Settings) -> DenseEncoder:
    from legacylens_assets.encoders.voyage import VoyageEncoder

    return VoyageEncoder.from_settings(settings)


def _hub_dense(settings: Settings) -> DenseEncoder:
    from legacylens_assets.encoders.hub import HubDense

    return HubDense(settings.hub_dense_model, threads=settings.encode_threads, batch=settings.encode_batch)


def _identifiers() -> SparseEncoder:
    from legacylens_assets.encoders.identifier_bm25 import IdentifierEncoder

    return IdentifierEncoder()


def _splade(settings: Settings, folder: str) -> SparseEncoder:
    from legacylens_assets.encoders.splade import Splade

    return Splade(settings.hub_splade_model, folder=folder, threads=settings.encode_threads, batch=settings.encode_batch)


def _hub_rerank(settings: Settings) -> Reranker:
    from legacylens_assets.encoders.hub import HubReranker

    return HubReranker(settings.hub_rerank_model)


DENSE: Mapping[str, Callable[[Settings], DenseEncoder | None]] = MappingProxyType(
    {"minilm": _minilm, "voyage": _voyage, "hub": _hub_dense, "hash": _hash, "off": _off}
)
RERANKERS: Mapping[str, Callable[[Settings], Reranker | None]] = MappingProxyType({"off": _off, "hub": _hub_rerank})
