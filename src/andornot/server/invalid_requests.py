"""Errors of requests whose fields have invalid values, in sentences with a remedy."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from andornot.server.failures import ServiceError, empty_body

_LONGEST_SHOWN = 40  # characters of a name or a value in an error

_EXPECTED = {
    "string_type": "must be a string",
    "int_type": "must be an integer",
    "int_parsing": "must be an integer",
    "bool_type": "must be true or false",
    "list_type": "must be a list",
    "model_type": "must be a JSON object",
    "model_attributes_type": "must be a JSON object",
    "enum": "must be {expected}",
    "greater_than_equal": "must be at least {ge}",
    "too_short": "must be a list with at least {min_length} item",
    "string_too_short": "must have at least {min_length} character",
    "string_too_long": "must have at most {max_length:,} characters",
}
"""Requirements by pydantic's type of error, with the names of its context."""


def invalid_request(error: Mapping[str, Any]) -> ServiceError:
    """Return the failure of a request for pydantic's record of its first error.

    >>> record = {"type": "int_type", "loc": ("body", "k"), "input": "3", "msg": "wrong"}
    >>> print(invalid_request(record))
    k must be an integer, got "3"; correct it
    """
    kind, (where, *fields) = error["type"], error["loc"]
    if kind == "json_invalid":
        return ServiceError(400, "request", f"the body must be JSON: {_json_problem(error)}")
    if kind == "missing" and not fields:
        return empty_body()
    place = "the body" if where == "body" else "the address"
    return ServiceError(422, "request", _sentence(error, _named(fields) or place, place))


def _sentence(error: Mapping[str, Any], name: str, place: str) -> str:
    """Say what was expected, what was given, and what to do."""
    kind, message = error["type"], str(error["msg"])
    if kind == "missing":
        return f"{name} is required, and {place} has none; add it"
    if kind == "extra_forbidden":
        return f"{name} is not a field of this request; remove it, or see /v1/openapi.json"
    if kind == "value_error":
        return message.removeprefix("Value error, ")
    if kind not in _EXPECTED:
        return f"{name}: {message}; correct it"
    expected = _EXPECTED[kind].format_map(error.get("ctx", {}))
    return f"{name} {expected}, got {_shown(error['input'])}; correct it"


def _json_problem(error: Mapping[str, Any]) -> str:
    """Return the problem that the reader of JSON found, with its place."""
    problem = str(error.get("ctx", {}).get("error", error["msg"]))
    at = f" at character {error['loc'][1] + 1:,}" if len(error["loc"]) > 1 else ""
    return f"{problem}{at}; correct it"


def _named(fields: list[str | int]) -> str:
    """Return the name of a field, with the index of an item from 0."""
    parts = [f"[{each}]" if isinstance(each, int) else f".{each}" for each in fields]
    name = "".join(parts).removeprefix(".")
    return f"{name[:_LONGEST_SHOWN]}..." if len(name) > _LONGEST_SHOWN else name


def _shown(value: object) -> str:
    """Return a value as JSON, shortened.

    >>> _shown(["a"]), _shown({}), _shown("king"), _shown("a" * 99)[-6:]
    ('a list of length 1', 'an object', '"king"', 'aa..."')
    """
    if isinstance(value, list):
        return f"a list of length {len(value):,}"
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, str) and len(value) > _LONGEST_SHOWN:
        value = f"{value[:_LONGEST_SHOWN]}..."
    return json.dumps(value)
