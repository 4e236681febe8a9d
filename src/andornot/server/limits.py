"""How much a request may ask for, and how much may be under way."""

from __future__ import annotations

from dataclasses import dataclass, fields

from andornot.errors import UsageError

DEEPEST = 50  # what is nested deeper isn't read


@dataclass(frozen=True)
class Limits:
    """What a service allows, for each request and altogether.

    `body` is in bytes; `depth` is of operations within each other; `words` are those of a query,
    its categories left aside; `k` are words of an answer, of a category or of a completion; `batch`
    are queries, sentences, words of categories or other words of one request; `waiting` are
    requests that wait or are worked on; `seconds` is the time that one may take. `hits` are the
    words of all answers of a batch, `searches` the NOTs of a query that have no category, and
    `exact_members` the words of categories where exact numbers are computed.

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

    def __post_init__(self) -> None:
        for field in fields(self):
            if not getattr(self, field.name) > 0:
                raise UsageError(f"the limit of {field.name} is above 0")
