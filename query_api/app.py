"""The application factory: `create_app(settings)`. Importing has no effect; routers are a list that others add to."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager

from fastapi import APIRouter, FastAPI

from legacylens_assets.settings import Settings
from query_api import guard, metrics, problems
from query_api.routes import ask, evaluation, graph, health, openai, page, search, source
from query_api.services import Services

MakeRouter = Callable[[Services], APIRouter]

ROUTERS: tuple[MakeRouter, ...] = (
    health.router,
    search.router,
    source.router,
    ask.router,
    graph.router,
    openai.router,
    metrics.router,
    evaluation.router,
    page.router,
)
"""Every part of the API, each made from the services it uses. A new part is one entry here."""


def create_app(settings: Settings, services: Services | None = None, routers: Sequence[MakeRouter] = ROUTERS) -> FastAPI:
    """Return the API over the index of ``settings``. Models load in the background after start; until then questions wait for them.

    ``services`` can be given by tests; ``routers`` replaces the parts.
    """
    held = services or Services(settings)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        held.warm()
        yield
        await held.close()

    app = FastAPI(title="LegacyLens", docs_url=None, redoc_url=None, openapi_url="/openapi.json", lifespan=lifespan)
    app.state.services = held
    problems.install(app)
    guard.install(app, settings, held.metrics)
    for make in routers:
        app.include_router(make(held))
    return app
