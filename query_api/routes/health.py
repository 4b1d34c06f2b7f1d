"""`GET /healthz` and `GET /codebases`: is it up, and what can be asked."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter

from legacylens_assets.errors import IndexError_, NoIndex
from query_api.services import Services


def router(services: Services) -> APIRouter:
    """Return the routes."""
    routes = APIRouter()

    @routes.get("/healthz")
    def healthz() -> dict[str, Any]:
        try:
            snapshot = services.reader.snapshot()
        except NoIndex:
            return {"status": "empty", "generation": "", "codebases": 0, "profile": services.settings.profile}
        return {"status": "ok", "generation": snapshot.id, "codebases": len(snapshot.generations), "profile": services.settings.profile}

    @routes.get("/codebases")
    def codebases() -> dict[str, Any]:
        return {"codebases": list_codebases(services)}

    return routes


def list_codebases(services: Services) -> list[dict[str, Any]]:
    """Return one record for each codebase that is indexed or in the registry, indexed ones first."""
    try:
        generations = dict(services.reader.snapshot().generations)
    except NoIndex:
        generations = {}
    registry = services.registry()
    known = dict(registry.codebases) if registry is not None else {}
    found = []
    for key in sorted({*generations, *known}, key=lambda key: (key not in generations, key)):
        entry = known.get(key)
        info = None
        if key in generations:
            try:
                info = services.reader.info(key)
            except IndexError_:
                info = None
        extra = info.extra if info else {}
        found.append(
            {
                "codebase": key,
                "title": (entry.title if entry else "") or str(extra.get("title", "")) or key,
                "role": entry.role if entry else str(extra.get("role", "")),
                "indexed": info is not None,
                "generation": info.generation if info else "",
                "chunks": info.points if info else 0,
                "built_at": info.built_at if info else "",
                "version": str(extra.get("version", "")),
                "origin": str(extra.get("origin", "")),
                "languages": languages_of(services, key) if info else [],
            }
        )
    return found


def languages_of(services: Services, codebase: str) -> list[str]:
    """Return the languages of a codebase's indexed files."""
    from legacylens_assets.retrieval.catalog import Catalog

    catalog: Catalog = services.catalog
    return sorted({record["language"] for record in catalog.generation(codebase).files()})
