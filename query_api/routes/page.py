"""`GET /`: one page to ask from. Its files are served from here; it loads nothing from elsewhere."""

from __future__ import annotations

from importlib import resources

from fastapi import APIRouter, HTTPException, Response

from query_api.services import Services

TYPES = {"html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8", "svg": "image/svg+xml"}


def router(services: Services) -> APIRouter:
    """Return the routes of the page and of its files."""
    routes = APIRouter(include_in_schema=False)

    @routes.get("/")
    def index() -> Response:
        return static_file("index.html")

    @routes.get("/static/{name}")
    def static(name: str) -> Response:
        return static_file(name)

    return routes


def static_file(name: str) -> Response:
    """Return a file of the page; 404 for anything that is not one, paths included."""
    folder = resources.files("query_api").joinpath("static")
    known = {entry.name for entry in folder.iterdir() if entry.is_file()}
    kind = name.rpartition(".")[2]
    if name not in known or kind not in TYPES:
        raise HTTPException(404, f"{name}: no such file")
    return Response(folder.joinpath(name).read_bytes(), media_type=TYPES[kind], headers={"cache-control": "no-cache"})
