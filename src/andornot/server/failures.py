"""Errors of requests as JSON: a status, a kind, one line, and the column in the query."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from starlette.responses import Response

from andornot.algebra import QuerySyntaxError
from andornot.algebra.facts import error_facts
from andornot.base.errors import AndornotError, UnknownWordError
from andornot.server.costs import LimitError

_ENCODER = json.JSONEncoder(allow_nan=False)


class ServiceError(Exception):
    """A request fails; `facts` are added to the JSON of its message.

    >>> print(ServiceError(404, "not-found", "there is no space 'x'"))
    there is no space 'x'
    """

    def __init__(
        self,
        status: int,
        kind: str,
        message: str,
        headers: Mapping[str, str] | None = None,
        facts: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.kind = kind
        self.headers = dict(headers or {})
        self.facts = dict(facts or {})

    def response(self) -> Response:
        """Return the response that reports it."""
        body = {"error": str(self), "kind": self.kind} | self.facts
        return as_json(body, self.status, self.headers)


def empty_body() -> ServiceError:
    """Return the failure of a request without a body.

    >>> empty_body().status
    400
    """
    return ServiceError(400, "request", "the body is empty; send JSON")


def query_error(query: str, error: AndornotError) -> ServiceError:
    """Return the failure of a query: its kind, its column, and possible spellings.

    >>> query_error("a", AndornotError("the vector of a is zero")).kind
    'query'
    """
    return ServiceError(422, error_kind(error), str(error), facts=error_facts(query, error))


def error_kind(error: AndornotError) -> str:
    """Return the kind of a query's error.

    >>> error_kind(QuerySyntaxError("a &", 3, "a word is missing"))
    'syntax'
    """
    if isinstance(error, QuerySyntaxError):
        return "syntax"
    if isinstance(error, LimitError):
        return "limit"
    return "unknown-word" if isinstance(error, UnknownWordError) else "query"


def as_json(facts: object, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """Return a response of JSON, in plain ASCII and without NaN.

    >>> as_json({"word": "king"}).body
    b'{"word": "king"}'
    """
    return json_response(encode_json(facts), status, headers)


def json_response(
    body: bytes, status: int = 200, headers: Mapping[str, str] | None = None
) -> Response:
    """Return a response of what is JSON already.

    >>> json_response(b"[]").status_code
    200
    """
    return Response(body, status, headers, "application/json")


def encode_json_list(name: str, parts: Iterable[bytes], **facts: object) -> bytes:
    """Encode a list whose items are JSON already, beside other facts.

    Encoding a long list at once would keep the interpreter from other requests.

    >>> encode_json_list("words", [b'"king"', b'"queen"'], count=2)
    b'{"count": 2, "words": ["king", "queen"]}'
    """
    before = encode_json(facts)[:-1] + (b", " if facts else b"")
    return before + encode_json(name) + b": [" + b", ".join(parts) + b"]}"


def encode_json(facts: object) -> bytes:
    """Encode facts as JSON.

    >>> encode_json(["king"])
    b'["king"]'
    """
    return _ENCODER.encode(facts).encode()
