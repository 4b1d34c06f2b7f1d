"""`GET /source/{codebase}/{file_id}`: indexed lines of a file. Never a path on disk: only what the current generation holds is served."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query

from legacylens_assets.errors import UsageError
from query_api.services import Services

MOST_LINES = 2000


def router(services: Services) -> APIRouter:
    """Return the route."""
    routes = APIRouter()

    @routes.get("/source/{codebase}/{file_id}")
    def source(codebase: str, file_id: str, start: Annotated[int, Query(ge=1)] = 1, end: Annotated[int | None, Query(ge=1)] = None) -> dict[str, Any]:
        generation = services.catalog.generation(codebase)
        file = generation.file(file_id)
        total = len(file.lines)
        last = min(end if end is not None else start + MOST_LINES - 1, total, start + MOST_LINES - 1)
        if start > max(total, 1) or (end is not None and end < start):
            raise UsageError(f"lines {start}-{end}: {file.path} has {total} lines; expected 1 <= start <= end <= {total}")
        return {
            "codebase": codebase,
            "file_id": file_id,
            "path": file.path,
            "language": file.language,
            "encoding": file.encoding,
            "sha256": file.sha256,
            "generation": generation.generation,
            "start_line": start,
            "end_line": last,
            "total_lines": total,
            "lines": [{"number": number, "text": file.lines[number - 1]} for number in range(start, last + 1)],
        }

    return routes
