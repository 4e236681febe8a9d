"""Co-occurrence counts of token ids, in bounded memory, and the PMI that follows from them."""

from andornot.cooccurrence.counting import count
from andornot.cooccurrence.loading import load_counts
from andornot.cooccurrence.store import Cooccurrence

__all__ = ["Cooccurrence", "count", "load_counts"]
