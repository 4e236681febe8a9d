"""Blocks of a text: most are trained on, and every n-th is held out."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from andornot.base.errors import UsageError
from andornot.corpus.token_table import END_OF_SENTENCE

BLOCK = 10_000
"""Tokens in a block: long enough that few windows are cut, short enough for a mixed sample."""

EVERY = 20
"""Of how many blocks one is held out, unless another number is given."""


class TextPart(NamedTuple):
    """The blocks of a text that are held out, every n-th, or those that are not."""

    every: int
    held_out: bool

    def take(self, tokens: npt.NDArray[np.int32], first: int) -> npt.NDArray[np.int32]:
        """Return the tokens of this part, from a stretch of the text that begins at `first`.

        A block of the other part becomes one sentence end: no window reaches across it.

        >>> tokens = np.arange(3 * BLOCK, dtype=np.int32)
        >>> TextPart(2, held_out=True).take(tokens, 0)[:3].tolist()
        [-1, 10000, 10001]
        >>> TextPart(2, held_out=False).take(tokens, 0)[BLOCK - 1 :][:3].tolist()
        [9999, -1, 20000]
        """
        positions = np.arange(first, first + len(tokens))
        block, offset = np.divmod(positions, BLOCK)
        wanted = (block % self.every == self.every - 1) == self.held_out
        kept = np.where(wanted, tokens, np.int32(END_OF_SENTENCE))
        taken: npt.NDArray[np.int32] = kept[wanted | (offset == 0)]
        return taken


def check_held_out(tokens: int, every: int) -> None:
    """Raise UsageError unless a text of so many tokens has a block to hold out.

    >>> check_held_out(200_000, 20)
    """
    if every < 2:
        raise UsageError(f"held_out must be at least 2, got {every}: one block in how many")
    if not can_hold_out(tokens, every):
        raise UsageError(
            f"one of {every} blocks of {BLOCK:,} tokens takes a text of {every * BLOCK:,} tokens, "
            f"and this one has {tokens:,}; leave off --held-out, or hold out a larger part"
        )


def can_hold_out(tokens: int, every: int = EVERY) -> bool:
    """Whether a text is long enough to hold out one of so many blocks."""
    return tokens >= every * BLOCK
