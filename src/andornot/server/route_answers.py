"""The answers that every route can have, for the OpenAPI description."""

from __future__ import annotations

from typing import Any

from andornot.server import schemas


def route_answers(model: Any) -> dict[int | str, dict[str, Any]]:
    """Return the answers that a route can have, for the description."""
    known = {
        400: "The body is not JSON.",
        401: "The token is missing or wrong.",
        404: "The space does not exist.",
        408: "The body did not arrive in time.",
        413: "The body or the batch is too large.",
        415: "The Content-Type is not application/json.",
        421: "The Host header does not name this machine.",
        422: "The query or a value is invalid: the kind, the column, spellings.",
        503: "Too many requests, or no answer in time; Retry-After says when to try again.",
    }
    return {
        200: {"model": model},
        **{code: {"model": schemas.Error, "description": text} for code, text in known.items()},
    }
