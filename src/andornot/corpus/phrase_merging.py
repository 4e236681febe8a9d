"""Phrases of several tokens that become one token in a stream of token ids."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
import numpy.typing as npt

from andornot.base.errors import AndornotError
from andornot.base.kernels import kernel
from andornot.corpus.white_space import split_at_white_space

JOINT = "_"
"""The character between the words of a merged phrase."""

Ids = npt.NDArray[np.int32]


def split_phrases(phrases: Iterable[str]) -> list[tuple[str, ...]]:
    """Return the words of each phrase, sorted and without repetitions.

    >>> split_phrases(["new york", "card game", "new  york"])
    [('card', 'game'), ('new', 'york')]
    """
    split = sorted({tuple(split_at_white_space(phrase)) for phrase in phrases})
    short = [phrase for phrase in split if len(phrase) < 2]
    if short or not split:
        raise AndornotError(
            f"a phrase must have at least two words, got {' '.join(short[0]) if short else ''!r}"
        )
    return split


@kernel
def _merge_block(
    tokens: npt.NDArray[np.int32],
    stop: int,
    first_phrase: npt.NDArray[np.int64],
    phrase_starts: npt.NDArray[np.int64],
    phrase_words: npt.NDArray[np.int32],
    phrase_numbers: npt.NDArray[np.int32],
    seen: npt.NDArray[np.bool_],
    out: npt.NDArray[np.int32],
) -> tuple[int, int]:
    """Replace phrases that begin before `stop`; return the sizes of the output and of the input.

    The phrases that are replaced are marked in `seen`.
    """
    written = 0
    i = 0
    while i < stop:
        token = tokens[i]
        length = 1
        if 0 <= token < len(first_phrase) - 1:
            # the phrases that begin with this word, the longest first
            for phrase in range(first_phrase[token], first_phrase[token + 1]):
                words = phrase_words[phrase_starts[phrase] : phrase_starts[phrase + 1]]
                if i + len(words) > len(tokens):
                    continue
                same = True
                for j in range(1, len(words)):
                    if tokens[i + j] != words[j]:
                        same = False
                        break
                if same:
                    token = phrase_numbers[phrase]
                    seen[phrase] = True
                    length = len(words)
                    break
        out[written] = token
        written += 1
        i += length
    return written, i


class PhraseMerger:
    """Replaces phrases in a stream of ids: from left to right, the longest phrase first.

    Args:
        phrases: The ids of the words of each phrase.
        numbers: The id of each phrase as one token.
        size: The words of phrases have ids below this. -1 ends a sentence, and no phrase reaches
            across it.

    >>> merger = PhraseMerger([(0, 1), (0, 1, 2)], np.array([7, 8], dtype=np.int32), 3)
    >>> pieces = [np.array(piece, dtype=np.int32) for piece in ([0, 1, 0], [1, 2, 0, -1, 1])]
    >>> np.concatenate(list(merger.merged(pieces))).tolist()
    [7, 8, 0, -1, 1]
    >>> merger.found.tolist()
    [0, 1]
    """

    def __init__(self, phrases: Sequence[tuple[int, ...]], numbers: Ids, size: int) -> None:
        order = sorted(
            range(len(phrases)), key=lambda i: (phrases[i][0], -len(phrases[i]), phrases[i])
        )
        ordered = [phrases[i] for i in order]
        firsts = np.array([words[0] for words in ordered], dtype=np.int64)
        self._table = (
            np.searchsorted(firsts, np.arange(size + 1)).astype(np.int64),
            np.concatenate([[0], np.cumsum([len(words) for words in ordered])]).astype(np.int64),
            np.array([word for words in ordered for word in words], dtype=np.int32),
            numbers[order],
        )
        self._longest = max((len(words) for words in ordered), default=2)
        self._order = np.array(order, dtype=np.int64)
        self._seen = np.zeros(len(ordered), dtype=np.bool_)

    @property
    def found(self) -> npt.NDArray[np.int64]:
        """The indices of the phrases that have been merged so far."""
        return np.sort(self._order[self._seen])

    def merged(self, pieces: Iterable[Ids]) -> Iterator[Ids]:
        """Yield the stream with its phrases merged.

        A phrase may begin in one piece of the stream and end in the next.
        """
        tail: Ids = np.empty(0, dtype=np.int32)
        for piece in pieces:
            part = np.concatenate([tail, piece])
            done, used = self._merge(part, max(0, len(part) - self._longest))
            tail = part[used:]
            yield done
        yield self._merge(tail, len(tail))[0]

    def _merge(self, part: Ids, stop: int) -> tuple[Ids, int]:
        out = np.empty(stop, dtype=np.int32)
        written, used = _merge_block(part, stop, *self._table, self._seen, out)
        return out[:written], used
