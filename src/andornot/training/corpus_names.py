"""Names of the corpus files that a trained space stores."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

MOST_NAMES = 1000


def corpus_settings(files: Sequence[str], key: str) -> dict[str, Any]:
    """Return the settings of a provenance that name the corpus.

    Only the first `MOST_NAMES` files are named, because all the names of a large corpus would not
    fit in the header of a file.

    >>> corpus_settings(["a.txt", "b.txt"], "1f")
    {'corpus': ['a.txt', 'b.txt'], 'corpus_files': 2, 'corpus_key': '1f'}
    """
    return {
        "corpus": list(files[:MOST_NAMES]),
        "corpus_files": len(files),
        "corpus_key": key,
    }
