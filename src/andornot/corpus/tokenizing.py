"""Tokenise text: `whitespace` splits at white space, `words` finds lower-case words.

Rules of `words`:

- A word is a run of letters, marks and digits, in any script (Unicode categories L, M and N).
- An apostrophe between two of them is part of the word (don't, l'eau; U+2019 becomes '), and so is
  a hyphen (well-known, covid-19; U+2010 and U+2011 become -).
- A point or a comma between two digits is part of the number (3.14, 1,000).
- A minus sign before a digit belongs to the number when it follows white space, an opening bracket
  or the beginning of the line: the token -3. U+2212 is a minus sign. In 5-3 it is a hyphen.
- Everything else separates words. Letters are lower-cased one by one (Unicode simple mapping).
"""

from __future__ import annotations

import unicodedata
from functools import cache

import numpy as np
import numpy.typing as npt

from andornot.base.kernels import kernel

Bytes = npt.NDArray[np.uint8]

_OTHER, _LETTER, _DIGIT, _APOSTROPHE, _HYPHEN, _MINUS, _POINT, _OPENING, _BLANK, _NEWLINE = range(
    10
)
_UNICODE_END = 0x110000
_SPACE_BYTE, _NEWLINE_BYTE = ord(" "), ord("\n")


@cache
def _tables() -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.int32]]:
    """Return the kind and the lower case of every character."""
    kinds = np.zeros(_UNICODE_END, dtype=np.uint8)
    lower = np.arange(_UNICODE_END, dtype=np.int32)
    for code in range(_UNICODE_END):
        if 0xD800 <= code < 0xE000:
            continue
        character = chr(code)
        category = unicodedata.category(character)
        if category[0] in "LM":
            kinds[code] = _LETTER
        elif category[0] == "N":
            kinds[code] = _DIGIT
        elif category in ("Ps", "Pi"):
            kinds[code] = _OPENING
        elif character.isspace():
            kinds[code] = _BLANK
        if category in ("Lu", "Lt", "Nl", "So"):
            lowered = character.lower()
            if len(lowered) == 1:
                lower[code] = ord(lowered)
    kinds[ord("\n")] = _NEWLINE
    for apostrophe in "'’":
        kinds[ord(apostrophe)] = _APOSTROPHE
        lower[ord(apostrophe)] = ord("'")
    for hyphen in "-‐‑":
        kinds[ord(hyphen)] = _HYPHEN
        lower[ord(hyphen)] = ord("-")
    kinds[0x2212] = _MINUS
    lower[0x2212] = ord("-")
    kinds[ord(".")] = kinds[ord(",")] = _POINT
    return kinds, lower


@kernel
def _decode(text: Bytes, i: int) -> tuple[int, int]:
    """Return the character at `i` and its length in bytes; -1 and 1 for invalid UTF-8."""
    first = text[i]
    if first < 0x80:
        return int(first), 1
    if first < 0xC2 or first > 0xF4:
        return -1, 1
    length = 2 if first < 0xE0 else 3 if first < 0xF0 else 4
    if i + length > len(text):
        return -1, 1
    code = int(first) & (0x7F >> length)
    for j in range(1, length):
        byte = text[i + j]
        if (byte & 0xC0) != 0x80:
            return -1, 1
        code = (code << 6) | (int(byte) & 0x3F)
    if (length == 3 and (code < 0x800 or 0xD800 <= code < 0xE000)) or (
        length == 4 and (code < 0x10000 or code > 0x10FFFF)
    ):
        return -1, 1
    return code, length


@kernel
def _encode(code: int, out: Bytes, i: int) -> int:
    """Write a character in UTF-8 at out[i] and return the index after it."""
    if code < 0x80:
        out[i] = code
        return i + 1
    if code < 0x800:
        out[i] = 0xC0 | (code >> 6)
        out[i + 1] = 0x80 | (code & 0x3F)
        return i + 2
    if code < 0x10000:
        out[i] = 0xE0 | (code >> 12)
        out[i + 1] = 0x80 | ((code >> 6) & 0x3F)
        out[i + 2] = 0x80 | (code & 0x3F)
        return i + 3
    out[i] = 0xF0 | (code >> 18)
    out[i + 1] = 0x80 | ((code >> 12) & 0x3F)
    out[i + 2] = 0x80 | ((code >> 6) & 0x3F)
    out[i + 3] = 0x80 | (code & 0x3F)
    return i + 4


@kernel
def _find_words(
    text: Bytes,
    kinds: npt.NDArray[np.uint8],
    lower: npt.NDArray[np.int32],
    out: Bytes,
) -> tuple[int, int]:
    """Write the words of `text`, a space after each; return the bytes written and invalid bytes."""
    written = 0
    broken = 0
    inside = False  # a word is being written
    before = _NEWLINE  # the kind of the character before this one
    i = 0
    while i < len(text):
        code, length = _decode(text, i)
        kind = _OTHER
        if code < 0:
            broken += 1
        else:
            kind = kinds[code]
        following = _OTHER
        if kind in (_APOSTROPHE, _HYPHEN, _MINUS, _POINT) and i + length < len(text):
            ahead, _ = _decode(text, i + length)
            if ahead >= 0:
                following = kinds[ahead]
        keep = kind in (_LETTER, _DIGIT)
        if kind in (_APOSTROPHE, _HYPHEN, _MINUS) and inside:
            keep = following in (_LETTER, _DIGIT) and before in (_LETTER, _DIGIT)
        elif kind == _POINT and inside:
            keep = following == _DIGIT and before == _DIGIT
        elif kind in (_HYPHEN, _MINUS):
            keep = following == _DIGIT and before in (_BLANK, _NEWLINE, _OPENING)
        if keep:
            written = _encode(lower[code], out, written)
            inside = True
        else:
            if inside:
                out[written] = _SPACE_BYTE
                written += 1
                inside = False
            if kind == _NEWLINE:
                out[written] = _NEWLINE_BYTE
                written += 1
        before = kind
        i += length
    if inside:
        out[written] = _SPACE_BYTE
        written += 1
    return written, broken


def find_words(text: Bytes) -> tuple[Bytes, int]:
    """Return the words of a text, a space after each, lines kept, and the number of invalid bytes.

    >>> text = "Don't panic: it is −3 (or 5-3)…"
    >>> find_words(np.frombuffer(text.encode(), dtype=np.uint8))[0].tobytes()
    b"don't panic it is -3 or 5-3 "
    """
    kinds, lower = _tables()
    # lower case needs at most one byte more than upper case, and each word one space
    out = np.empty(2 * len(text) + 2, dtype=np.uint8)
    written, broken = _find_words(text, kinds, lower, out)
    return out[:written], int(broken)
