"""The options of a query: how many words, which ones, and how they are ranked."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from andornot.algebra.concept import Concept
from andornot.algebra.filters import WordFilter
from andornot.base import defaults
from andornot.base.choices import Measure
from andornot.base.errors import UsageError
from andornot.search import check_k


@dataclass(frozen=True)
class AskOptions:
    """The options of a query.

    Attributes:
        k: Number of words; fewer are returned if fewer are left.
        measure: "cosine", or "pmi" (needs context vectors).
        everywhere: Rank the whole vocabulary for a query given a category.
        keep_operands: Keep query words in the results.
        among: The words to rank, or the name of a category; default: the vocabulary, or the
            category of the query.
        pattern: The spelling of the words to rank; * matches any characters, ? matches one.
        length: The number of characters, N or "N-M".
        frequency: "common", "rare" or "any"; see `WordFilter`.
    """

    k: int = defaults.K
    measure: str = defaults.MEASURE
    everywhere: bool = False
    keep_operands: bool = False
    among: Iterable[str] | str | None = None
    pattern: str | None = None
    length: int | str | None = None
    frequency: str = defaults.FREQUENCY

    def __post_init__(self) -> None:
        check_k(self.k)
        _ = self.filter
        if self.measure not in tuple(Measure):
            raise UsageError(
                f"unknown measure {self.measure!r}; choose one of {', '.join(Measure)}"
            )
        if isinstance(self.among, str) or self.among is None:
            return
        if not isinstance(self.among, Iterable):
            raise UsageError("among must be a list of words or the name of a category; pass one")
        object.__setattr__(self, "among", tuple(self.among))

    @property
    def filter(self) -> WordFilter | None:
        """The filter on the words to rank, or None if every word passes."""
        length = None if self.length is None else str(self.length)
        found = WordFilter(self.pattern, length, self.frequency)
        return None if found.is_open else found

    def ranked(self, concept: Concept) -> Concept:
        """Return the concept to rank, lifted out of its category if `everywhere` is set."""
        if self.everywhere or self.measure != Measure.COSINE:
            return concept.in_global_frame
        return concept
