"""Read zstd files; unlike zstandard's own reader, notice a file that was cut off."""

from __future__ import annotations

import io
from typing import IO, Any, BinaryIO, cast

from andornot.base.errors import AndornotError

_AT_A_TIME = 1024  # bytes to decompress: they give at most 32 MB, if each block repeats one byte


class _ZstdStream(io.RawIOBase):
    """The content of one or more frames."""

    def __init__(self, raw: BinaryIO, library: Any) -> None:
        self._raw, self._library = raw, library
        self._decompressor = library.ZstdDecompressor()
        self._frame: Any = None
        self._packed = b""
        self._content = memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        """Fill the buffer with what is ready, and return the number of bytes; 0 at the end."""
        while not self._content:
            self._packed = self._packed or self._raw.read(_AT_A_TIME)
            if not self._packed:
                if self._frame is not None:
                    raise EOFError("the last frame has no end")
                return 0
            self._content = memoryview(self._decompress())
        size = min(len(buffer), len(self._content))
        buffer[:size] = self._content[:size]
        self._content = self._content[size:]
        return size

    def _decompress(self) -> bytes:
        if self._frame is None:
            self._frame = self._decompressor.decompressobj()
        try:
            content: bytes = self._frame.decompress(self._packed)
        except self._library.ZstdError as error:
            raise RuntimeError(str(error)) from error  # as the other formats report damage
        self._packed = b""
        if self._frame.eof:
            self._packed, self._frame = self._frame.unused_data, None
        return content


def open_zstd(raw: BinaryIO) -> IO[bytes]:
    """Return a stream of the decompressed bytes of an open file.

    Its `read` raises EOFError if the file ends within a frame, and RuntimeError if it is damaged.
    """
    try:
        import zstandard
    except ImportError as error:
        raise AndornotError(
            "the package zstandard is needed for .zst files; pip install 'andornot[zstd]'"
        ) from error
    return cast(IO[bytes], io.BufferedReader(_ZstdStream(raw, zstandard), 1 << 17))
