"""The header of a safetensors file: what is wrong with its length, and what is never written."""

import struct

import numpy as np
import pytest
from errors import raises

from andornot.base.errors import FileError
from andornot.base.tensors import (
    LONGEST_HEADER,
    find_tensor,
    header_bytes,
    read_header,
    write_tensors,
)


@pytest.mark.parametrize(
    ("data", "named"),
    [
        (b"", ["takes 8 bytes", "has 0"]),
        (b"\x02\x00\x00", ["takes 8 bytes", "has 3"]),
        (struct.pack("<Q", 0) + b"{}", ["the header has 0 bytes"]),
        (struct.pack("<Q", 3) + b"{}", ["header of 3 bytes exceeds the file of 10 bytes"]),
    ],
)
def test_an_impossible_length_of_the_header_is_named(tmp_path, data, named):
    path = tmp_path / "model.safetensors"
    path.write_bytes(data)
    with raises(FileError, path, *named, "make it again"):
        read_header(path)


def test_a_header_may_not_be_too_long(tmp_path):
    path = tmp_path / "model.safetensors"
    with path.open("wb") as file:
        file.write(struct.pack("<Q", LONGEST_HEADER + 1))
        file.truncate(LONGEST_HEADER + 9)  # a hole, which takes no room
    with raises(FileError, path, "64,000,001 bytes", "at most 64,000,000"):
        read_header(path)


def test_the_longest_header_is_written_and_read(tmp_path, monkeypatch):
    path = tmp_path / "model.safetensors"
    monkeypatch.setattr("andornot.base.tensors.LONGEST_HEADER", 1000)
    path.write_bytes(header_bytes({"a": "x" * 991}, path))
    assert read_header(path)[1:] == (1008, 1008)
    with raises(FileError, path, "1,008 bytes", "at most 1,000", "shorten"):
        header_bytes({"a": "x" * 992}, path)


def test_a_file_whose_header_is_too_long_is_not_written(tmp_path, monkeypatch):
    path = tmp_path / "model.safetensors"
    path.write_text("old")
    monkeypatch.setattr("andornot.base.tensors.LONGEST_HEADER", 1000)
    with raises(FileError, path, "at most 1,000"):
        write_tensors({"a": np.ones(3)}, path, {"text": "x" * 1000})
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("axes", [9, 100_000])
def test_a_tensor_has_at_most_8_axes(tmp_path, axes):
    entry = {"dtype": "F32", "shape": [10**9] * axes, "data_offsets": [0, 4]}
    with raises(FileError, "at most 8 axes", f"has {axes:,}"):
        find_tensor(tmp_path / "a", "a", entry, 8, 12)
    entry["shape"] = [1] * 8
    assert find_tensor(tmp_path / "a", "a", entry, 8, 12).shape == (1,) * 8
