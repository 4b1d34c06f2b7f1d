"""What the routes share: retriever, catalog, answerer, counters. Made on first use, so that the API is healthy before models are loaded."""

from __future__ import annotations

import asyncio
import logging
import threading
from typing import TYPE_CHECKING, Any

from legacylens_assets.errors import LegacyLensError
from legacylens_assets.settings import Settings
from query_api.counters import Counters

if TYPE_CHECKING:
    from legacylens_assets.answer.answerer import Answerer
    from legacylens_assets.registry import Registry
    from legacylens_assets.retrieval.catalog import Catalog
    from legacylens_assets.retrieval.retriever import Retriever
    from legacylens_assets.store.protocol import Reader

log = logging.getLogger(__name__)


class Services:
    """Everything a route may need. Each part is made once, under a lock, when first asked for."""

    def __init__(self, settings: Settings, reader: Reader | None = None, encoders: Any = None, providers: Any = None) -> None:  # noqa: ANN401
        self.settings = settings
        self.metrics = Counters()
        self._lock = threading.RLock()
        self._reader = reader
        self._encoders = encoders
        self._providers = providers
        self._catalog: Catalog | None = None
        self._retriever: Retriever | None = None
        self._answerer: Answerer | None = None

    @property
    def reader(self) -> Reader:
        """Return the store's reader; raises an IndexError_ when the store cannot be opened."""
        with self._lock:
            if self._reader is None:
                from legacylens_assets.store import open_reader

                self._reader = open_reader(self.settings)
            return self._reader

    @property
    def retriever(self) -> Retriever:
        """Return the retriever; loads the encoders on first use."""
        with self._lock:
            if self._retriever is None:
                from legacylens_assets.retrieval import Retriever

                if self._encoders is None:
                    from legacylens_assets.encoders import load_encoders

                    self._encoders = load_encoders(self.settings)
                self._retriever = Retriever(self.reader, self._encoders, self.settings, self.catalog)
            return self._retriever

    @property
    def catalog(self) -> Catalog:
        """Return the sidecar files of the current generations; needs no encoder."""
        with self._lock:
            if self._catalog is None:
                from legacylens_assets.retrieval import Catalog

                self._catalog = Catalog(self.reader)
            return self._catalog

    @property
    def answerer(self) -> Answerer:
        """Return the answerer with the configured providers."""
        with self._lock:
            if self._answerer is None:
                from legacylens_assets.answer import Answerer, load_providers

                providers = load_providers(self.settings) if self._providers is None else self._providers
                self._answerer = Answerer(self.retriever, self.catalog, self.settings, providers)
            return self._answerer

    def warm(self) -> None:
        """Load models in a background thread; a failure shows when a question is asked."""
        threading.Thread(target=self._warm, name="warm", daemon=True).start()

    def _warm(self) -> None:
        try:
            answerer = self.answerer
            for codebase in sorted(answerer.catalog.codebases()):
                answerer.catalog.generation(codebase).names()
            for provider in answerer.providers:
                problem = asyncio.run(provider.check())
                if problem:
                    self.metrics.add("legacylens_warnings_total", {"code": "provider_check"})
                    log.warning("%s; answers fall back to the next", problem)
        except (LegacyLensError, ImportError, OSError) as error:
            log.warning("not warmed up: %s", error)

    async def close(self) -> None:
        """Let go of what is held open."""
        close = getattr(self._reader, "close", None)
        if callable(close):
            close()

    def registry(self) -> Registry | None:
        """Return the registry of codebases, None when there is no registry file."""
        from legacylens_assets.registry import load_registry

        try:
            return load_registry(self.settings.registry_path)
        except LegacyLensError as error:
            log.warning("registry: %s", error)
            return None
