"""Serving the API with uvicorn, on loopback unless told otherwise."""

from __future__ import annotations

from legacylens_assets.errors import MissingExtra
from legacylens_assets.settings import Settings


def serve(settings: Settings) -> None:
    """Serve until interrupted; raises MissingExtra when the extra `api` is not installed."""
    try:
        import uvicorn
    except ImportError as error:
        raise MissingExtra("serving needs uvicorn and fastapi: pip install 'legacylens[api]'") from error
    from query_api.app import create_app

    uvicorn.run(
        create_app(settings),
        host=settings.host,
        port=settings.api_port,
        log_level="warning",
        access_log=False,
        timeout_graceful_shutdown=5,
        timeout_keep_alive=75,  # longer than clients keep theirs: a connection closed under a request reads as an error
        server_header=False,
    )
