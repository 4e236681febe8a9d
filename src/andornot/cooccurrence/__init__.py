"""Token numbers to co-occurrence counts, in bounded memory, and what follows from them: PMI."""

from andornot.cooccurrence.counting import count
from andornot.cooccurrence.store import Cooccurrence, load_counts

__all__ = ["Cooccurrence", "count", "load_counts"]
