"""Compiled reading and writing of rows of decimal numbers.

Reading agrees bit by bit with np.float32(float(text)): rows with a number that the fast method
can't decide are left to Python. Writing gives the shortest of 6 to 9 digits that reads back as
the same float32.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from andornot.base.kernels import kernel

Bytes = npt.NDArray[np.uint8]

_SPACE, _TAB, _RETURN, _NEWLINE = ord(" "), ord("\t"), ord("\r"), ord("\n")
_PLUS, _MINUS, _POINT, _ZERO, _NINE = ord("+"), ord("-"), ord("."), ord("0"), ord("9")
_BIG_E, _SMALL_E = ord("E"), ord("e")
_NAN_OR_INF = (ord("n"), ord("N"), ord("i"), ord("I"))
_POWERS = 10.0 ** np.arange(23)  # powers of ten that are exact doubles
_EXACT = np.uint64(1 << 53)

UNSURE = -1
"""Marks the end of a word whose row must be parsed in Python."""


@kernel
def _is_end(byte: int) -> bool:
    return byte in (_SPACE, _NEWLINE, _TAB, _RETURN)


@kernel
def _read_number(buffer: Bytes, i: int) -> tuple[float, int]:
    """Return the number that begins at `i`, and its end; the end is -1 if the number is unsure.

    A mantissa below 2^53 times or over a power of ten up to 22 is rounded once, correctly
    (Clinger 1990). A longer mantissa is rounded twice: then the double is within two units of its
    last place, and the nearest float32 is certain unless a boundary between two lies there.
    """
    negative = buffer[i] == _MINUS
    if negative or buffer[i] == _PLUS:
        i += 1
    mantissa = np.uint64(0)
    digits = 0
    seen = False
    exponent = 0
    while _ZERO <= buffer[i] <= _NINE:
        mantissa = mantissa * np.uint64(10) + np.uint64(buffer[i] - _ZERO)
        digits += mantissa != 0
        seen = True
        i += 1
    if buffer[i] == _POINT:
        i += 1
        while _ZERO <= buffer[i] <= _NINE:
            mantissa = mantissa * np.uint64(10) + np.uint64(buffer[i] - _ZERO)
            digits += mantissa != 0
            seen = True
            exponent -= 1
            i += 1
    if not seen or digits > 19:
        return 0.0, -1
    if buffer[i] == _SMALL_E or buffer[i] == _BIG_E:
        i += 1
        below = buffer[i] == _MINUS
        if below or buffer[i] == _PLUS:
            i += 1
        shift = 0
        first = i
        while _ZERO <= buffer[i] <= _NINE:
            shift = min(shift * 10 + (buffer[i] - _ZERO), 9999)
            i += 1
        if i == first:
            return 0.0, -1
        exponent += -shift if below else shift
    if not _is_end(buffer[i]):
        return 0.0, -1
    value = float(mantissa)
    if mantissa != 0:
        if exponent < -22 or exponent > 22:
            return 0.0, -1
        value = value / _POWERS[-exponent] if exponent < 0 else value * _POWERS[exponent]
        if mantissa >= _EXACT and np.float32(value * (1 - 1e-15)) != np.float32(
            value * (1 + 1e-15)
        ):
            return 0.0, -1
        if value > 3.4e38:
            return 0.0, -1
    return -value if negative else value, i


@kernel
def _read_values(buffer: Bytes, i: int, values: npt.NDArray[np.float32]) -> bool:
    """Return True if exactly len(values) numbers follow from `i` to the end of the line."""
    count = 0
    while True:
        while buffer[i] == _SPACE or buffer[i] == _TAB or buffer[i] == _RETURN:
            i += 1
        if buffer[i] == _NEWLINE:
            return count == len(values)
        if count == len(values):
            return False
        value, i = _read_number(buffer, i)
        if i < 0:
            return False
        values[count] = value
        count += 1


@kernel
def _end_of_spaced_word(buffer: Bytes, start: int, end: int, dim: int) -> int:
    """Return the end of the word if the last `dim` fields are its values; else UNSURE.

    A word whose last part begins like a number is left to Python: it may be a value too many.
    """
    i = end
    for _ in range(dim):
        while i > start and _is_end(buffer[i - 1]):
            i -= 1
        while i > start and not _is_end(buffer[i - 1]):
            i -= 1
    while i > start and _is_end(buffer[i - 1]):
        i -= 1
    piece = i
    while piece > start and not _is_end(buffer[piece - 1]):
        piece -= 1
    first = buffer[piece]
    numeric = _PLUS <= first <= _NINE or first in _NAN_OR_INF  # + , - . / and digits
    if i == start or _is_end(buffer[start]) or numeric:
        return UNSURE
    return i


@kernel
def read_rows(
    buffer: Bytes,
    position: int,
    values: npt.NDArray[np.float32],
    starts: npt.NDArray[np.int64],
    ends: npt.NDArray[np.int64],
) -> None:
    r"""Read len(values) lines from `position`, each a word and its numbers.

    The word of row r is at starts[r] to ends[r]; ends[r] is UNSURE if Python must parse the row.
    Every line must end with a newline.

    >>> buffer = np.frombuffer(b"king 0.5 1e-2\nat x.com 1 2\n", dtype=np.uint8)
    >>> values = np.zeros((2, 2), dtype=np.float32)
    >>> starts, ends = np.zeros(2, dtype=np.int64), np.zeros(2, dtype=np.int64)
    >>> read_rows(buffer, 0, values, starts, ends)
    >>> starts.tolist(), ends.tolist()
    ([0, 14], [4, 22])
    """
    for row in range(len(values)):
        starts[row] = position
        i = position
        while not _is_end(buffer[i]):
            i += 1
        ends[row] = i
        if i == position or not _read_values(buffer, i, values[row]):
            while buffer[i] != _NEWLINE:
                i += 1
            ends[row] = _end_of_spaced_word(buffer, position, i, values.shape[1])
            if ends[row] != UNSURE and not _read_values(buffer, ends[row], values[row]):
                ends[row] = UNSURE
        while buffer[i] != _NEWLINE:
            i += 1
        position = i + 1


@kernel
def gather_words(
    buffer: Bytes, starts: npt.NDArray[np.int64], ends: npt.NDArray[np.int64], out: Bytes
) -> None:
    """Copy the bytes from starts[i] to ends[i], for every i, one after the other to `out`.

    >>> out = np.zeros(4, dtype=np.uint8)
    >>> buffer = np.frombuffer(b"ab-cd", dtype=np.uint8)
    >>> gather_words(buffer, np.array([0, 3]), np.array([2, 5]), out)
    >>> out.tobytes()
    b'abcd'
    """
    position = 0
    for i in range(len(starts)):
        for j in range(starts[i], ends[i]):
            out[position] = buffer[j]
            position += 1


@kernel
def _write_digits(digits: int, count: int, point: int, out: Bytes, i: int) -> int:
    """Write `count` decimal digits with the point after the first `point` of them."""
    for k in range(count + 1 if point < count else count):
        position = count - k if point < count else count - 1 - k
        if point < count and position == point:
            out[i + position] = _POINT
            continue
        out[i + position] = _ZERO + digits % 10
        digits //= 10
    return i + count + 1 if point < count else i + count


@kernel
def _write_number(value: float, out: Bytes, i: int) -> int:
    """Write a float32 as text from out[i] on; return its end, or -1 if Python must write it."""
    if value < 0 or (value == 0 and np.copysign(1.0, value) < 0):
        out[i] = _MINUS
        i += 1
        value = -value
    if value == 0:
        out[i], out[i + 1], out[i + 2] = _ZERO, _POINT, _ZERO
        return i + 3
    exponent = int(np.floor(np.log10(value)))
    if exponent < -12 or exponent > 12:
        return -1
    wanted = np.float32(value)
    count = 6
    while True:
        shift = count - 1 - exponent
        scaled = value * _POWERS[shift] if shift >= 0 else value / _POWERS[-shift]
        digits = int(np.rint(scaled))
        again = digits / _POWERS[shift] if shift >= 0 else digits * _POWERS[-shift]
        if np.float32(again) == wanted:
            break
        if count == 9:
            return -1
        count += 1
    while digits % 10 == 0:
        digits //= 10
        shift -= 1
    count = 0
    rest = digits
    while rest:
        rest //= 10
        count += 1
    # the value is digits x 10^-shift
    if shift <= 0:  # a whole number: its digits, zeros, and .0
        i = _write_digits(digits, count, count, out, i)
        for _ in range(-shift):
            out[i] = _ZERO
            i += 1
        out[i], out[i + 1] = _POINT, _ZERO
        return i + 2
    if count > shift:
        return _write_digits(digits, count, count - shift, out, i)
    if shift - count < 4:  # 0.000ddd
        out[i], out[i + 1] = _ZERO, _POINT
        i += 2
        for _ in range(shift - count):
            out[i] = _ZERO
            i += 1
        return _write_digits(digits, count, count, out, i)
    tens = shift - count + 1  # d.ddde-tens
    i = _write_digits(digits, count, 1, out, i)
    out[i], out[i + 1] = _SMALL_E, _MINUS
    return _write_digits(tens, 2 if tens > 9 else 1, 9, out, i + 2)


LONGEST_NUMBER = 24
"""An upper limit of the bytes of a number, including the space before it."""


@kernel
def write_rows(
    utf8: Bytes,
    offsets: npt.NDArray[np.int64],
    values: npt.NDArray[np.float32],
    out: Bytes,
    rows: npt.NDArray[np.int64],
) -> int:
    r"""Write a line for each row of `values`, the word and its numbers; return the bytes written.

    Row r of the text begins at rows[r]; if rows[r] is negative, Python must write that line,
    which is omitted here, at -rows[r] - 1. `out` must have LONGEST_NUMBER bytes for
    each number.

    >>> word, out = np.frombuffer(b"king", dtype=np.uint8), np.zeros(100, dtype=np.uint8)
    >>> row = np.array([[0.1, -2.0]], dtype=np.float32)
    >>> end = write_rows(word, np.array([0, 4]), row, out, np.zeros(1, dtype=np.int64))
    >>> out[:end].tobytes()
    b'king 0.1 -2.0\n'
    """
    i = 0
    for row in range(len(values)):
        begin = i
        rows[row] = begin
        for j in range(offsets[row], offsets[row + 1]):
            out[i] = utf8[j]
            i += 1
        for value in values[row]:
            out[i] = _SPACE
            i = _write_number(float(value), out, i + 1)
            if i < 0:
                break
        if i < 0:
            rows[row] = -begin - 1
            i = begin
            continue
        out[i] = _NEWLINE
        i += 1
    return i
