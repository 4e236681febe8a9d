"""The candidates of the jobs: the words of the first default model, or all words."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt

from andornot.datasets.lines import text_lines
from andornot.space import Space

PATH = Path(__file__).parent / "first_words.txt.xz"
FIRST = "38,000 words"
Ids = npt.NDArray[np.int64]


def first_words() -> list[str]:
    """Return the 38,000 words of the first default model, sorted.

    >>> len(first_words()), "violin" in first_words()
    (38000, True)
    """
    return text_lines(PATH)


def first_ids(space: Space) -> Ids:
    """Return the ids of the first default model's words in a space, in the order of the space.

    The default model has all except 34, which are markup.

    For example `first_ids(andornot.default())`.
    """
    index = space.vocabulary.index
    return np.array(sorted(index(word) for word in first_words() if word in space), dtype=np.int64)


def vocabularies(space: Space) -> dict[str, Ids]:
    """Return the ids of the two vocabularies by name; the bars apply to the first.

    For example `list(vocabularies(andornot.default()))` is `["38,000 words", "66,000 words"]`.
    """
    return {FIRST: first_ids(space), f"{len(space):,} words": np.arange(len(space))}
