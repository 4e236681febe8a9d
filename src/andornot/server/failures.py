"""What goes wrong with a request: a status, a kind, one line, and where in the query."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from starlette.responses import Response

from andornot.algebra import QuerySyntaxError
from andornot.algebra.facts import error_facts
from andornot.errors import AndornotError, UnknownWordError
from andornot.server.costs import LimitError

_ENCODER = json.JSONEncoder(allow_nan=False)


class ServiceError(Exception):
    """A request that isn't answered; `facts` go into the JSON beside the message.

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
        """The answer that says so."""
        body = {"error": str(self), "kind": self.kind} | self.facts
        return as_json(body, self.status, self.headers)


def of_query(query: str, error: AndornotError) -> ServiceError:
    """The failure of a query: its kind, its column, the spellings that may have been meant.

    >>> of_query("a", AndornotError("the vector of a is zero")).kind
    'query'
    """
    return ServiceError(422, kind_of(error), str(error), facts=error_facts(query, error))


def kind_of(error: AndornotError) -> str:
    """What kind of error a query has.

    >>> kind_of(QuerySyntaxError("a &", 3, "a word is missing"))
    'syntax'
    """
    if isinstance(error, QuerySyntaxError):
        return "syntax"
    if isinstance(error, LimitError):
        return "limit"
    return "unknown-word" if isinstance(error, UnknownWordError) else "query"


def as_json(facts: object, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """JSON that any client can read: plain ASCII, no NaN.

    >>> as_json({"word": "king"}).body
    b'{"word": "king"}'
    """
    return json_response(dumped(facts), status, headers)


def json_response(
    body: bytes, status: int = 200, headers: Mapping[str, str] | None = None
) -> Response:
    """What is JSON already, as an answer.

    >>> json_response(b"[]").status_code
    200
    """
    return Response(body, status, headers, "application/json")


def listed(name: str, parts: Iterable[bytes], **facts: object) -> bytes:
    """A list of parts that are JSON already, beside other facts.

    A long list written at once would keep the interpreter from everybody else.

    >>> listed("words", [b'"king"', b'"queen"'], count=2)
    b'{"count": 2, "words": ["king", "queen"]}'
    """
    before = dumped(facts)[:-1] + (b", " if facts else b"")
    return before + dumped(name) + b": [" + b", ".join(parts) + b"]}"


def dumped(facts: object) -> bytes:
    """The JSON alone.

    >>> dumped(["king"])
    b'["king"]'
    """
    return _ENCODER.encode(facts).encode()
