"""Errors as clients see them: `{"error": {"code", "message", "retryable"}}`. The text of an unexpected exception never leaves the server."""

from __future__ import annotations

import logging
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from legacylens_assets.errors import FingerprintMismatch, GenerationGone, LegacyLensError, NoIndex, UsageError

log = logging.getLogger(__name__)

STATUS: tuple[tuple[type[LegacyLensError], int], ...] = ((UsageError, 400), (NoIndex, 503), (FingerprintMismatch, 409), (GenerationGone, 410))
"""HTTP status of each error; the rest are 503 when they may pass and 500 when not."""


def install(app: FastAPI) -> None:
    """Register the mapping of errors to answers."""
    app.add_exception_handler(LegacyLensError, _known)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _http)
    app.add_exception_handler(Exception, _unexpected)


def body(code: str, message: str, retryable: bool = False) -> dict[str, Any]:
    """Return the error object."""
    return {"error": {"code": code, "message": message, "retryable": retryable}}


def status_of(error: LegacyLensError) -> int:
    """Return the HTTP status of an error that LegacyLens raised on purpose."""
    if error.code in ("needs_provider", "not_found"):
        return 400 if error.code == "needs_provider" else 404
    return next((status for kind, status in STATUS if isinstance(error, kind)), 503 if error.retryable else 500)


async def _known(request: Request, error: Exception) -> JSONResponse:
    if not isinstance(error, LegacyLensError):
        raise error
    return JSONResponse(body(error.code, str(error), error.retryable), status_of(error))


async def _invalid(request: Request, error: Exception) -> JSONResponse:
    if not isinstance(error, RequestValidationError):
        raise error
    told = "; ".join(f"{'.'.join(str(part) for part in item['loc'][1:]) or 'body'}: {item['msg']}" for item in error.errors()[:5])
    return JSONResponse(body("bad_request", told), 422)


async def _http(request: Request, error: Exception) -> JSONResponse:
    if not isinstance(error, HTTPException):
        raise error
    code = {404: "not_found", 405: "method_not_allowed", 429: "rate_limited"}.get(error.status_code, "bad_request")
    return JSONResponse(body(code, str(error.detail), error.status_code == 429), error.status_code, headers=dict(error.headers or {}))


async def _unexpected(request: Request, error: Exception) -> JSONResponse:
    log.error("unexpected error in %s %s", request.method, request.url.path, exc_info=error)
    return JSONResponse(body("internal", "The server failed; its log has the details.", True), 500)
