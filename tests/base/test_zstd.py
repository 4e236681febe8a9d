"""zstd files are read whole, or refused."""

import numpy as np
import pytest
from errors import raises

from andornot.base.errors import FileError
from andornot.base.files import Source

zstandard = pytest.importorskip("zstandard", reason="needs the extra zstd")
CONTENT = np.random.default_rng(1).integers(97, 105, 300_000, dtype=np.uint8).tobytes()


def read_all(path):
    with Source(path) as source:
        return source.read()


@pytest.mark.parametrize(
    "parts", [[CONTENT], [CONTENT[:1000], CONTENT[1000:]], [b"", CONTENT, b""], [b"a" * 50_000_000]]
)
def test_all_frames_are_read(tmp_path, parts):
    path = tmp_path / "text.zst"
    path.write_bytes(b"".join(zstandard.ZstdCompressor().compress(part) for part in parts))
    assert read_all(path) == b"".join(parts)
    with Source(path) as source:
        buffer = memoryview(bytearray(70_000))
        assert source.read_into(buffer) == 70_000
        assert bytes(buffer) == b"".join(parts)[:70_000]


def test_a_file_that_was_cut_off_is_refused(tmp_path):
    whole = zstandard.ZstdCompressor().compress(CONTENT)
    path = tmp_path / "text.zst"
    for size in (5, 20, len(whole) // 2, len(whole) - 1):
        path.write_bytes(whole[:size])
        with raises(FileError, "text.zst", "damaged"):
            read_all(path)


def test_damage_is_an_error_of_one_line(tmp_path):
    path = tmp_path / "text.zst"
    whole = bytearray(zstandard.ZstdCompressor(write_checksum=True).compress(CONTENT))
    whole[len(whole) // 2] ^= 255
    for data in (bytes(whole), b"\x28\xb5\x2f\xfd" + b"\xff" * 100, bytes(whole[:20]) + whole):
        path.write_bytes(data)
        with raises(FileError, "text.zst", "damaged"):
            read_all(path)
    big_window = zstandard.ZstdCompressionParameters(window_log=30)
    packer = zstandard.ZstdCompressor(compression_params=big_window).compressobj()
    path.write_bytes(packer.compress(CONTENT) + packer.flush())  # claims a window of 1 GB
    with raises(FileError, "text.zst"):
        read_all(path)
