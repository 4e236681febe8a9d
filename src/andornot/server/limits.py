"""How much a request may ask for, and how much may be under way."""

from __future__ import annotations

from dataclasses import dataclass, fields

from andornot.errors import UsageError


@dataclass(frozen=True)
class Limits:
    """What a service allows, for each request and altogether.

    `body` is in bytes; `depth` is of operations within each other; `k` are words of an answer, of a
    category or of a completion; `batch` are queries, sentences or words of one request; `waiting`
    are requests that wait or are worked on; `seconds` is the time that one may take.

    >>> Limits().k
    1000
    """

    body: int = 1_000_000
    depth: int = 32
    k: int = 1_000
    batch: int = 1_000
    waiting: int = 256
    seconds: float = 30.0

    def __post_init__(self) -> None:
        for field in fields(self):
            if not getattr(self, field.name) > 0:
                raise UsageError(f"the limit of {field.name} is above 0")
