"""Find the closest spellings of a word in a vocabulary, by edit distance."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

LONGEST_WORD = 40  # longer words are rarely typing errors and get no suggestions


def closest_spellings(word: str, words: Sequence[str], limit: int = 3) -> list[str]:
    """Return up to `limit` of `words` within two edits of `word`, the nearest first.

    An edit inserts, deletes or replaces a letter, or swaps two adjacent letters. Words of up to
    four letters allow one edit, single letters none. Case is ignored; if some words differ only
    in case, only these are returned. Ties are broken by the same first letter, which is rarely
    mistyped, then by the order of `words`.

    >>> closest_spellings("Qeen", ["been", "seen", "queen", "king"])
    ['queen', 'been', 'seen']
    """
    if not word or len(word) > LONGEST_WORD:
        return []
    allowed = min(len(word) - 1, 1 if len(word) <= 4 else 2)
    near = [i for i, other in enumerate(words) if abs(len(other) - len(word)) <= allowed]
    if not near:
        return []
    folded = word.casefold()
    others = [words[i].casefold() for i in near]
    distances = edit_distances(folded, others)
    if (distances == 0).any():  # equal except for case
        allowed = 0
    other_start = np.array([other[:1] != folded[0] for other in others])
    order = np.lexsort((other_start, distances))  # stable: keeps the order of `words`
    return [words[near[i]] for i in order[:limit] if distances[i] <= allowed]


def edit_distances(word: str, words: Sequence[str]) -> npt.NDArray[np.int16]:
    """Return the optimal string alignment distance from `word` to each of `words`.

    The tables of all words are filled together: row i, column j has the distance between the
    first i letters of `word` and the first j letters of each other word.

    >>> edit_distances("form", ["from", "for", "farm"]).tolist()
    [1, 1, 1]
    """
    letters = np.array(words, dtype=np.str_)
    width = letters.dtype.itemsize // 4
    codes = letters.view(np.uint32).reshape(len(words), width)
    lengths = np.array([len(other) for other in words])
    before: npt.NDArray[np.int16] | None = None
    above = np.tile(np.arange(width + 1, dtype=np.int16), (len(words), 1))
    for i, letter in enumerate(word):
        row = np.empty_like(above)
        row[:, 0] = i + 1
        for j in range(width):
            differs = (codes[:, j] != ord(letter)).astype(np.int16)
            best = np.minimum(above[:, j] + differs, above[:, j + 1] + 1)
            np.minimum(best, row[:, j] + 1, out=best)
            if before is not None and j > 0:
                swapped = (codes[:, j] == ord(word[i - 1])) & (codes[:, j - 1] == ord(letter))
                np.minimum(best, np.where(swapped, before[:, j - 1] + 1, best), out=best)
            row[:, j + 1] = best
        before, above = above, row
    last: npt.NDArray[np.int16] = above[np.arange(len(words)), lengths]
    return last
