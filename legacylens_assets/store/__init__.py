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
    if settings.qdrant_url:
        from legacylens_assets.store.server import reader_from_settings

        return reader_from_settings(settings, index_root(settings))
    from legacylens_assets.store.edge import edge_reader

    return edge_reader(index_root(settings))


def open_writer(settings: Settings) -> Writer:
    """Return a writer to the index that the settings name."""
    if settings.qdrant_url:
        from legacylens_assets.store.server import writer_from_settings

        return writer_from_settings(settings, index_root(settings))
    from legacylens_assets.store.edge import edge_writer

    return edge_writer(index_root(settings), keep=settings.keep_generations, lock_timeout=settings.lock_timeout)
