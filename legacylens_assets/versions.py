"""What the output of each stage depends on besides its input: the code versions that Dagster compares.

Cheap to compute: no model is loaded. A version changes exactly when the stage's output may change, so that what is out of date shows before it runs.
"""

from __future__ import annotations

from collections.abc import Mapping

from legacylens_assets.chunking import CHUNKER_VERSION
from legacylens_assets.encoders import PROFILES
from legacylens_assets.graph import GRAPH_VERSION
from legacylens_assets.headers import HEADER_FORMAT
from legacylens_assets.parsers import PARSER_VERSIONS
from legacylens_assets.settings import Settings
from legacylens_assets.workspace import digest, file_digest

MANIFEST_VERSION = "1"
"""Raise it when detection of language or encoding, or the manifest's columns, change."""

MINILM_POOLING = "mean:single"
"""How the embedded model's token states become one vector: the end of its fingerprint (a test holds the two together)."""

POINT_VERSION = "1"
"""Raise it when the layout of points, payloads or sidecar files changes."""


def code_versions(settings: Settings) -> dict[str, str]:
    """Return asset -> version of what makes it, for the assets raw_repo … vector_index."""
    dense, sparse = dense_version(settings), sparse_version(settings)
    return {
        "raw_repo": f"manifest-{MANIFEST_VERSION}",
        "parsed_chunks": parse_version(PARSER_VERSIONS, CHUNKER_VERSION),
        "code_graph": f"graph-{GRAPH_VERSION}",
        "chunk_texts": f"headers-{HEADER_FORMAT}" + (f"-without-{settings.levers.replace(' ', '')}" if settings.levers else ""),
        "dense_vectors": dense,
        "sparse_vectors": sparse,
        "vector_index": f"points-{POINT_VERSION}-{digest(dense, sparse)[:8]}",
    }


def parse_version(parsers: Mapping[str, str], chunker: str) -> str:
    """Return one readable version of all parsers and the chunker.

    >>> parse_version({"c": "1", "jcl": "2"}, "3")
    'chunker-3-c-1-jcl-2'
    """
    return "-".join([f"chunker-{chunker}", *(f"{name}-{version}" for name, version in sorted(parsers.items()))])


def dense_version(settings: Settings) -> str:
    """Return the version of the dense leg: its name, and a hash of what its vectors depend on."""
    name = settings.dense or PROFILES[settings.profile].dense
    if name == "minilm":
        from legacylens_assets.encoders import minilm

        files = [file_digest(minilm.MODEL_FOLDER / part) for part in ("SHA256SUMS", "config.json")]
        return f"minilm-{digest(*files, MINILM_POOLING)[:12]}"
    if name == "voyage":
        return f"{settings.voyage_model}-{settings.voyage_dimension}"
    return f"hub-{settings.hub_dense_model}" if name == "hub" else str(name)


def sparse_version(settings: Settings) -> str:
    """Return the version of the sparse legs: the identifier leg's fingerprint, and SPLADE's model where that is on."""
    from legacylens_assets.encoders.identifier_bm25 import IdentifierEncoder

    splade = settings.splade or PROFILES[settings.profile].splade
    own = f"identifiers-{digest(IdentifierEncoder().fingerprint)[:12]}"
    return own if splade == "off" else f"{own}-splade-{digest(settings.hub_splade_model, splade)[:8]}"
