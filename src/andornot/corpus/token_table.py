"""Compiled hash table of tokens: converts text to token ids."""

from __future__ import annotations

from typing import TypeVar

import numpy as np
import numpy.typing as npt

from andornot.base.kernels import kernel

Bytes = npt.NDArray[np.uint8]
Scalar = TypeVar("Scalar", bound=np.generic)
_SPACE, _TAB, _RETURN, _NEWLINE = ord(" "), ord("\t"), ord("\r"), ord("\n")

END_OF_SENTENCE = -1
"""The id between two sentences in a stream of token ids."""


@kernel
def _find_or_add(
    buffer: Bytes,
    start: int,
    stop: int,
    slots: npt.NDArray[np.int32],
    hashes: npt.NDArray[np.uint64],
    offsets: npt.NDArray[np.int64],
    pool: Bytes,
    size: int,
    is_fixed: bool,
) -> int:
    """Return the id of the token buffer[start:stop], or `size` if it is new.

    A new token is added, unless the table is fixed.
    """
    state = np.uint64(14695981039346656037)
    for i in range(start, stop):
        state = (state ^ np.uint64(buffer[i])) * np.uint64(1099511628211)
    state ^= state >> np.uint64(29)
    mask = len(slots) - 1
    slot = np.int64(state) & mask
    while slots[slot] >= 0:
        found = slots[slot]
        if hashes[found] == state and offsets[found + 1] - offsets[found] == stop - start:
            same = True
            begin = offsets[found]
            for i in range(stop - start):
                if pool[begin + i] != buffer[start + i]:
                    same = False
                    break
            if same:
                return int(found)
        slot = (slot + 1) & mask
    if is_fixed:
        return size
    slots[slot] = size
    hashes[size] = state
    begin = offsets[size]
    for i in range(stop - start):
        pool[begin + i] = buffer[start + i]
    offsets[size + 1] = begin + stop - start
    return size


@kernel
def _number_tokens(
    buffer: Bytes,
    slots: npt.NDArray[np.int32],
    hashes: npt.NDArray[np.uint64],
    offsets: npt.NDArray[np.int64],
    pool: Bytes,
    counts: npt.NDArray[np.int64],
    size: int,
    is_fixed: bool,
    out: npt.NDArray[np.int32],
) -> tuple[int, int]:
    """Write all token ids to `out`, -1 for line ends; return the sizes of the table and of out."""
    written = 0
    i = 0
    end = len(buffer)
    while i < end:
        byte = buffer[i]
        if byte == _NEWLINE:
            out[written] = END_OF_SENTENCE
            written += 1
            i += 1
        elif byte in (_SPACE, _TAB, _RETURN):
            i += 1
        else:
            start = i
            while i < end and buffer[i] not in (_SPACE, _NEWLINE, _TAB, _RETURN):
                i += 1
            number = _find_or_add(buffer, start, i, slots, hashes, offsets, pool, size, is_fixed)
            if not is_fixed:
                size += number == size
                counts[number] += 1
            out[written] = number
            written += 1
    return size, written


@kernel
def _number_items(
    buffer: Bytes,
    separator: Bytes,
    slots: npt.NDArray[np.int32],
    hashes: npt.NDArray[np.uint64],
    offsets: npt.NDArray[np.int64],
    pool: Bytes,
    counts: npt.NDArray[np.int64],
    size: int,
    is_fixed: bool,
    out: npt.NDArray[np.int32],
) -> tuple[int, int]:
    """Like `_number_tokens`, for items between separators, which may contain white space."""
    written = 0
    start = 0
    i = 0
    end = len(buffer)
    while i < end:
        width = 0
        if buffer[i] == _NEWLINE:
            width = 1
        elif i + len(separator) <= end:
            width = len(separator)
            for j in range(len(separator)):
                if buffer[i + j] != separator[j]:
                    width = 0
                    break
        if not width:
            i += 1
            continue
        first, last = start, i
        while first < last and buffer[first] in (_SPACE, _TAB, _RETURN):
            first += 1
        while first < last and buffer[last - 1] in (_SPACE, _TAB, _RETURN):
            last -= 1
        if first < last:
            number = _find_or_add(buffer, first, last, slots, hashes, offsets, pool, size, is_fixed)
            if not is_fixed:
                size += number == size
                counts[number] += 1
            out[written] = number
            written += 1
        if buffer[i] == _NEWLINE:
            out[written] = END_OF_SENTENCE
            written += 1
        i += width
        start = i
    return size, written


@kernel
def _add_all(
    other_pool: Bytes,
    other_offsets: npt.NDArray[np.int64],
    slots: npt.NDArray[np.int32],
    hashes: npt.NDArray[np.uint64],
    offsets: npt.NDArray[np.int64],
    pool: Bytes,
    size: int,
    numbers: npt.NDArray[np.int32],
) -> int:
    for token in range(len(other_offsets) - 1):
        start, stop = other_offsets[token], other_offsets[token + 1]
        number = _find_or_add(other_pool, start, stop, slots, hashes, offsets, pool, size, False)
        if number == size:
            size += 1
        numbers[token] = number
    return size


@kernel
def _fill_slots(hashes: npt.NDArray[np.uint64], slots: npt.NDArray[np.int32]) -> None:
    mask = len(slots) - 1
    for number in range(len(hashes)):
        slot = np.int64(hashes[number]) & mask
        while slots[slot] >= 0:
            slot = (slot + 1) & mask
        slots[slot] = number


class TokenTable:
    r"""Assigns ids to tokens in order of first appearance, and counts them.

    Tokens are separated by white space, or by the bytes of `separator`.

    >>> table = TokenTable()
    >>> table.number(np.frombuffer(b"to be or not to be\n", dtype=np.uint8)).tolist()
    [0, 1, 2, 3, 0, 1, -1]
    >>> table.counts.tolist(), table.offsets.tolist(), table.utf8.tobytes()
    ([2, 2, 1, 1], [0, 2, 4, 6, 9], b'tobeornot')
    >>> table = TokenTable(b",")
    >>> table.number(np.frombuffer(b"sku 12, milk,,sku 12\n", dtype=np.uint8)).tolist()
    [0, 1, 0, -1]
    """

    def __init__(self, separator: bytes = b"") -> None:
        self.is_fixed = False
        self._separator = np.frombuffer(separator, dtype=np.uint8)
        self._size = 0
        self._slots = np.full(1 << 16, -1, dtype=np.int32)
        self._hashes: npt.NDArray[np.uint64] = np.empty(0, dtype=np.uint64)
        self._counts: npt.NDArray[np.int64] = np.zeros(0, dtype=np.int64)
        self._offsets: npt.NDArray[np.int64] = np.zeros(1, dtype=np.int64)
        self._pool: Bytes = np.empty(0, dtype=np.uint8)

    def __len__(self) -> int:
        return self._size

    @property
    def counts(self) -> npt.NDArray[np.int64]:
        """The count of each token."""
        return self._counts[: self._size]

    @property
    def offsets(self) -> npt.NDArray[np.int64]:
        """The offset of each token in `utf8`, and the end of the last token."""
        return self._offsets[: self._size + 1]

    @property
    def utf8(self) -> Bytes:
        """The concatenated bytes of the tokens."""
        return self._pool[: self._offsets[self._size]]

    def number(self, text: Bytes) -> npt.NDArray[np.int32]:
        """Return the ids of the tokens of a text that ends with white space, or a separator."""
        if not self.is_fixed:
            self._make_room(len(text) // 2 + 1, len(text))
        out = np.empty(len(text), dtype=np.int32)
        arrays = (self._slots, self._hashes, self._offsets, self._pool, self._counts)
        table = (*arrays, self._size, self.is_fixed)
        if len(self._separator):
            self._size, written = _number_items(text, self._separator, *table, out)
        else:
            self._size, written = _number_tokens(text, *table, out)
        return out[:written].copy()

    def add(self, utf8: Bytes, offsets: npt.NDArray[np.int64]) -> npt.NDArray[np.int32]:
        """Add tokens without counting them, and return their ids.

        >>> table = TokenTable()
        >>> table.add(np.frombuffer(b"tobeto", dtype=np.uint8), np.array([0, 2, 4, 6])).tolist()
        [0, 1, 0]
        """
        self._make_room(len(offsets) - 1, len(utf8))
        numbers = np.empty(len(offsets) - 1, dtype=np.int32)
        table = (self._slots, self._hashes, self._offsets, self._pool, self._size)
        self._size = _add_all(utf8, offsets, *table, numbers)
        return numbers

    def fix(self) -> None:
        r"""Add no more tokens: from now on `number` gives new ones the id len(table).

        >>> table = TokenTable()
        >>> _ = table.add(np.frombuffer(b"tobe", dtype=np.uint8), np.array([0, 2, 4]))
        >>> table.fix()
        >>> table.number(np.frombuffer(b"to be or not\n", dtype=np.uint8)).tolist()
        [0, 1, 2, 2, -1]
        """
        self.is_fixed = True

    def absorb(self, other: TokenTable) -> npt.NDArray[np.int32]:
        """Add the tokens of another table with their counts, and return the ids they have here."""
        numbers = self.add(other.utf8, other.offsets)
        self._counts[numbers] += other.counts
        return numbers

    def _make_room(self, tokens: int, size: int) -> None:
        """Allocate space for more tokens and bytes, which compiled code can't do."""
        needed = self._size + tokens
        if needed > len(self._hashes):
            room = max(needed, len(self._hashes) * 3 // 2)
            self._hashes = _grown(self._hashes, room)
            self._counts = _grown(self._counts, room)
            self._offsets = _grown(self._offsets, room + 1)
        used = int(self._offsets[self._size])
        if used + size > len(self._pool):
            self._pool = _grown(self._pool, max(used + size, len(self._pool) * 3 // 2))
        if 2 * needed > len(self._slots):
            slots = np.full(1 << (2 * needed - 1).bit_length(), -1, dtype=np.int32)
            _fill_slots(self._hashes[: self._size], slots)
            self._slots = slots


def _grown(array: npt.NDArray[Scalar], room: int) -> npt.NDArray[Scalar]:
    larger = np.zeros(room, dtype=array.dtype)
    larger[: len(array)] = array
    return larger
