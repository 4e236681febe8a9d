"""Split a text into blocks: every n-th block is held out, the others are for training."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from andornot.base.errors import UsageError
from andornot.base.remedies import option
from andornot.corpus.token_table import END_OF_SENTENCE

BLOCK = 10_000
"""Tokens per block: long enough to cut few windows, short enough for a mixed sample."""

_EVERY = 20  # one of so many blocks is held out
_MOST = 1_000_000  # tokens held out of a long text
_END = np.array([END_OF_SENTENCE], dtype=np.int32)


class TextPart(NamedTuple):
    """The held-out blocks of a text, every n-th, or all other blocks."""

    every: int
    held_out: bool

    def take(self, tokens: npt.NDArray[np.int32], first: int) -> npt.NDArray[np.int32]:
        """Return the tokens of this part, from a section of the text that begins at `first`.

        A block of the other part becomes one sentence end, so that no window crosses it.

        >>> tokens = np.arange(3 * BLOCK, dtype=np.int32)
        >>> TextPart(2, held_out=True).take(tokens, 0)[:3].tolist()
        [-1, 10000, 10001]
        >>> TextPart(2, held_out=False).take(tokens, 0)[BLOCK - 1 :][:3].tolist()
        [9999, -1, 20000]
        """
        pieces = [np.empty(0, dtype=np.int32)]
        start, end = first, first + len(tokens)
        while start < end:
            block = start // BLOCK
            stop = min((block + 1) * BLOCK, end)
            if (block % self.every == self.every - 1) == self.held_out:
                pieces.append(tokens[start - first : stop - first])
            elif start == block * BLOCK:
                pieces.append(_END)
            start = stop
        return np.concatenate(pieces)


def default_every(tokens: int) -> int:
    """Return n, so that every n-th block is held out; 0 holds out nothing of a short text.

    >>> default_every(100_000), default_every(5_000_000), default_every(2_000_000_000)
    (0, 20, 2000)
    """
    every = max(_EVERY, tokens // _MOST)
    return every if tokens >= every * BLOCK else 0


def check_every(every: int | None) -> None:
    """Raise UsageError unless `every` is None, 0 or at least 2.

    >>> check_every(20)
    """
    if every is not None and (not isinstance(every, int) or every < 0 or every == 1):
        raise UsageError(
            f"{option('held_out')} must be 0, or a whole number of at least 2 (one block in so "
            f"many is held out), got {every}"
        )


def check_held_out(tokens: int, every: int) -> None:
    """Raise UsageError if a text of this many tokens is too short to hold out a block.

    >>> check_held_out(200_000, 20)
    """
    check_every(every)
    if tokens < every * BLOCK:
        raise UsageError(
            f"holding out one of {every} blocks of {BLOCK:,} tokens needs a text of "
            f"{every * BLOCK:,} tokens, including sentence ends, and this one has {tokens:,}; "
            f"leave out {option('held_out')}, or choose a smaller number"
        )
