"""Vector files of other programs, in their real layout."""

import struct

import numpy as np

ROW = np.array([0.5, -1.5], "<f4").tobytes()


def fasttext(
    settings=(2, 5, 1, 1, 5, 1, 2, 2, 0, 0, 0, 0), words=(b"a",), rows=None, count=3
) -> bytes:
    """A small fastText model in its real layout, with this count of each word.

    `rows` is what it says of its matrices; they have a row for each word and for each n-gram.
    """
    written = len(words) + settings[8]
    rows = written if rows is None else rows
    head = struct.pack("<ii12id", 793712314, 12, *settings, 1e-4)
    head += struct.pack("<3i2q", len(words), len(words), 0, 9, -1)
    for word in words:
        head += word + b"\0" + struct.pack("<qb", count, 0)
    matrix = struct.pack("<2q", rows, settings[0]) + ROW * written
    return head + b"\0" + matrix + b"\0" + matrix
