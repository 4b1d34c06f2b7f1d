"""`GET /metrics`: what was asked, how it went, how long it took."""

from __future__ import annotations

from fastapi import APIRouter, Response

from query_api.services import Services


def router(services: Services) -> APIRouter:
    """Return the route that Prometheus scrapes."""
    routes = APIRouter()

    @routes.get("/metrics", include_in_schema=False)
    def metrics() -> Response:
        return Response(services.metrics.text(), media_type="text/plain; version=0.0.4; charset=utf-8")

    return routes
