"""The Qdrant index, embedded or on a server, behind one protocol."""

from __future__ import annotations

from pathlib import Path

from legacylens_assets.settings import Settings
from legacylens_assets.store.protocol import DENSE, Filter, GenerationInfo, Leg, Point, Reader, Scored, Snapshot, Writer

__all__ = ["DENSE", "Filter", "GenerationInfo", "Leg", "Point", "Reader", "Scored", "Snapshot", "Writer", "index_root", "open_reader", "open_writer"]


def index_root(settings: Settings) -> Path:
    """Return the folder of the index."""
    return settings.data / "index"


def open_reader(settings: Settings) -> Reader:
    """Return a reader of the index that the settings name: embedded, or on a server when ``qdrant_url`` is set."""
    from legacylens_assets.store.edge_reader import EdgeReader

    return EdgeReader(index_root(settings))


def open_writer(settings: Settings) -> Writer:
    """Return a writer to the index that the settings name."""
    from legacylens_assets.store.edge_writer import EdgeWriter

    return EdgeWriter(index_root(settings), keep=settings.keep_generations, lock_timeout=settings.lock_timeout)
