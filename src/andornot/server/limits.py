"""The limits of a request, and of all requests together."""

from __future__ import annotations

from dataclasses import dataclass, fields

from andornot.base.errors import UsageError


@dataclass(frozen=True)
class Limits:
    """The limits of a service.

    Attributes:
        body: Bytes of a request.
        depth: Nested operations of a query.
        words: Words of a query outside of its categories.
        k: Words of an answer, of a proposed category, or of a completion.
        batch: Queries, sentences, words of categories or other words of a request.
        waiting: Requests that wait or are worked on.
        seconds: The time that a request may take.
        hits: Words of all answers of a batch.
        searches: NOTs of a query without a category.
        exact_members: Words of categories if exact numbers are computed.
        examples: Examples and counter-examples of a word list; the time of a fit grows with the
            third power of their number.

    >>> Limits().k
    1000
    """

    body: int = 1_000_000
    depth: int = 32
    words: int = 64
    k: int = 1_000
    batch: int = 1_000
    waiting: int = 256
    seconds: float = 30.0
    hits: int = 100_000
    searches: int = 8
    exact_members: int = 200
    examples: int = 500

    def __post_init__(self) -> None:
        for field in fields(self):
            if not getattr(self, field.name) > 0:
                raise UsageError(f"the limit {field.name} must be above 0")
