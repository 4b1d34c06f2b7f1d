"""Small points and the back ends they are tried on."""

from __future__ import annotations

import os
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from legacylens_assets.encoders.hashing import HashEncoder
from legacylens_assets.encoders.identifier_bm25 import IdentifierEncoder
from legacylens_assets.store.layout import Layout
from legacylens_assets.store.protocol import DENSE, IDENTIFIERS, Leg, Point
from legacylens_assets.store.reader import IndexReader
from legacylens_assets.store.writer import IndexWriter

DENSE_ENCODER = HashEncoder(dimension=32)
SPARSE_ENCODER = IdentifierEncoder()
FINGERPRINTS = {DENSE: DENSE_ENCODER.fingerprint, IDENTIFIERS: SPARSE_ENCODER.fingerprint}
META = {"fingerprints": FINGERPRINTS}


def chunk_id(name: str) -> str:
    return str(uuid.uuid5(uuid.NAMESPACE_URL, name))


def point(name: str, text: str, codebase: str = "bank", language: str = "cobol", **payload: Any) -> Point:
    dense = DENSE_ENCODER.encode_documents([text])[0]
    sparse = SPARSE_ENCODER.encode_documents([text])[0]
    return Point(chunk_id(name), dense, {IDENTIFIERS: sparse}, {"codebase": codebase, "language": language, "text": text, "path": name, **payload})


def question(text: str, limit: int = 10, weights: tuple[float, float] = (1.0, 1.0)) -> list[Leg]:
    return [
        Leg(DENSE, DENSE_ENCODER.encode_query(text), limit, weights[0]),
        Leg(IDENTIFIERS, SPARSE_ENCODER.encode_query(text), limit, weights[1]),
    ]


BANK = [
    point("post", "post the payment to the ledger"),
    point("balance", "compute the closing balance of an account"),
    point("statement", "print the monthly statement of an account", language="jcl"),
    point("interest", "accrue interest on savings"),
]
SHOP = [
    point("cart", "add an item to the cart", codebase="shop", language="c"),
    point("refund", "refund a payment to the card", codebase="shop", language="c"),
]


@dataclass
class Store:
    """A back end at a place of its own."""

    name: str
    root: Path
    make_writer: Callable[..., IndexWriter]
    make_reader: Callable[[], IndexReader]

    def writer(self, **options: Any) -> IndexWriter:
        return self.make_writer(**options)

    def reader(self) -> IndexReader:
        return self.make_reader()


def open_store(back_end: str, root: Path) -> Iterator[Store]:
    if back_end == "edge":
        from legacylens_assets.store.edge import EdgeBuilder, edge_reader
        from legacylens_assets.store.edge_build import build

        builder = EdgeBuilder(Layout(root), run=lambda order, batches, lock: build(order, batches))
        yield Store(back_end, root, lambda **options: IndexWriter(root, builder, **options), lambda: edge_reader(root))
        return
    from qdrant_client import QdrantClient

    from legacylens_assets.store.server import ServerOptions, server_reader, server_writer
    from legacylens_assets.store.server_client import Server

    url = os.environ.get("QDRANT_URL", "")
    if back_end == "server" and not url:
        pytest.skip("QDRANT_URL is not set: no real server to try")
    client = QdrantClient(":memory:") if back_end == "memory" else QdrantClient(url=url, timeout=60, check_compatibility=False)
    options = ServerOptions(prefix=f"test_{uuid.uuid4().hex[:8]}")
    server = Server(client)
    yield Store(back_end, root, lambda **more: server_writer(root, server, options, **more), lambda: server_reader(root, server, options.prefix))
    for collection in client.get_collections().collections:
        if collection.name.startswith(options.prefix):
            client.delete_collection(collection.name)
    client.close()
