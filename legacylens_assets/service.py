"""The query side put together once: reader, encoders, retriever, catalog and answerer. API, CLI, MCP and evaluation all use this."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from legacylens_assets.settings import Settings

if TYPE_CHECKING:
    from legacylens_assets.answer.answerer import Answerer
    from legacylens_assets.retrieval.catalog import Catalog
    from legacylens_assets.retrieval.retriever import Retriever
    from legacylens_assets.store.protocol import Reader


@dataclass(frozen=True, slots=True)
class Service:
    """Everything that answering a question needs."""

    settings: Settings
    reader: Reader
    catalog: Catalog
    retriever: Retriever
    answerer: Answerer


def open_service(settings: Settings) -> Service:
    """Return the query side for ``settings``; models load on first use."""
    from legacylens_assets.answer.answerer import Answerer
    from legacylens_assets.answer.providers import load_providers
    from legacylens_assets.encoders import load_encoders
    from legacylens_assets.retrieval.catalog import Catalog
    from legacylens_assets.retrieval.retriever import Retriever
    from legacylens_assets.store import open_reader

    reader = open_reader(settings)
    catalog = Catalog(reader)
    retriever = Retriever(reader, load_encoders(settings), settings, catalog)
    return Service(settings, reader, catalog, retriever, Answerer(retriever, catalog, settings, load_providers(settings)))
