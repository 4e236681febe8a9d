"""Compressed files: sparse vectors are read, and a small file can't fill the memory."""

import gzip
import lzma
import struct
import time
import tracemalloc

import numpy as np
import pytest
from commands import EXAMPLES, run, run_code
from errors import raises
from vector_files import ROW, fasttext

import andornot
from andornot.base import files
from andornot.base.errors import FileError
from andornot.datasets.definitions import read_definitions
from andornot.datasets.lines import text_lines
from andornot.words.counts import read_counts_file

WORDS, DIM = 60, 20_000
WIDE = (DIM, 5, 1, 1, 5, 1, 2, 2, WORDS - 1, 3, 6, 0)  # the settings of a fastText model


def last_count(path):
    for _, count in read_counts_file(path):
        last = count
    return last


def many(row):
    return b"".join(b"w%d" % i + row for i in range(WORDS))


def text():
    return b"%d %d\n" % (WORDS, DIM) + many(b" 0" * DIM + b"\n")


def binary():
    return b"%d %d\n" % (WORDS, DIM) + many(b" " + bytes(4 * DIM) + b"\n")


def long_words():
    return b"6 1\n" + b"".join(b"%d" % i + b"x" * 1_000_000 + b" 1\n" for i in range(6))


def long_words_of_word2vec():
    return b"99 1\n" + b"".join(b"%02d" % i + b"x" * 65_000 + b" \0\0\0\0\n" for i in range(99))


def model():
    whole = fasttext(WIDE)
    to_rows = len(whole) - 2 * WORDS * len(ROW) - 1 - 16
    return whole[:to_rows] + bytes(4 * DIM * WORDS)


def long_words_of_fasttext():
    return fasttext(words=[b"%02d" % i + b"x" * 65_000 for i in range(99)])


BOMBS = {
    "v.vec": text,
    "v.bin": binary,
    "words.vec": long_words,
    "words.bin": long_words_of_word2vec,
    "f.bin": model,
    "names.bin": long_words_of_fasttext,
    "glove.bin": lambda: bytes(2 * 8 * 6 * 100_000),
}


@pytest.mark.parametrize("name", BOMBS)
def test_a_small_file_may_not_unpack_to_much(tmp_path, monkeypatch, name):
    monkeypatch.setattr(files, "_ANY_FILE", 1 << 20)
    options = {}
    if name == "glove.bin":
        (tmp_path / "vocab.txt").write_text("".join(f"w{i} 1\n" for i in range(6)))
        options["format"] = "glove-binary"
    data = BOMBS[name]()
    path = tmp_path / f"{name}.xz"
    path.write_bytes(lzma.compress(data))
    assert len(data) > 1000 * path.stat().st_size
    most = max(1 << 20, 1000 * path.stat().st_size)
    with raises(FileError, path, f"unpack to more than {most:,} bytes", "unpack it first"):
        andornot.load(path, **options)
    whole = path.with_suffix("")
    whole.write_bytes(data if name != "f.bin" else data + b"\0" + struct.pack("<2q", 0, DIM))
    assert len(andornot.load(whole, **options)) > 0


@pytest.mark.parametrize("read", [text_lines, read_definitions, last_count])
def test_a_small_list_may_not_unpack_to_much(tmp_path, monkeypatch, read):
    """The limit is kept while the file is read, not only when all of it is in memory."""
    monkeypatch.setattr(files, "_ANY_FILE", 1 << 20)
    path = tmp_path / "list.txt.gz"
    with gzip.open(path, "wb") as file:
        for _ in range(30):
            file.write(b"w 1\n" * 250_000)
    monkeypatch.setattr(files, "_MOST_RATIO", 10)
    tracemalloc.start()
    with raises(FileError, path, "unpack to more than", "unpack it first"):
        read(path)
    assert tracemalloc.get_traced_memory()[1] < 20e6
    tracemalloc.stop()


def read_with_phrases(path):
    done = run("count", EXAMPLES / "nursery.txt", "-o", path.parent / "k", "--phrases", path)
    raise FileError(path, done.stderr, "see above") if done.returncode == 1 else AssertionError


@pytest.mark.parametrize("read", [text_lines, read_definitions, read_with_phrases])
@pytest.mark.parametrize("suffix", ["txt", "txt.gz"])
def test_a_list_has_a_largest_size(tmp_path, monkeypatch, read, suffix):
    """Its lines take more memory than its bytes."""
    monkeypatch.setattr(files, "_LARGEST_LIST", 1_000_000)
    path = tmp_path / f"list.{suffix}"
    content = b"a b\n" * 250_001
    path.write_bytes(gzip.compress(content) if suffix.endswith("gz") else content)
    with pytest.raises(FileError, match="at most 1,000,000 bytes"):
        read(path)


def test_a_list_of_the_largest_size_is_read(tmp_path, monkeypatch):
    monkeypatch.setattr(files, "_LARGEST_LIST", 1_000_000)
    path = tmp_path / "list.txt"
    path.write_bytes(b"a b\n" * 250_000)
    assert text_lines(path) == ["a b"] * 250_000


def test_sparse_vectors_are_no_bomb(tmp_path, monkeypatch):
    monkeypatch.setattr(files, "_ANY_FILE", 1 << 20)
    rng = np.random.default_rng(1)
    rows = (rng.random((400, 5000)) < 0.001) * rng.integers(1, 4, (400, 5000))
    lines = [f"w{i} {' '.join(map(str, row))}\n" for i, row in enumerate(rows.tolist())]
    data = f"400 5000\n{''.join(lines)}".encode()
    path = tmp_path / "counts.vec.gz"
    path.write_bytes(gzip.compress(data))
    assert len(data) > 200 * path.stat().st_size
    assert np.array_equal(andornot.load(path).target, rows)


@pytest.mark.parametrize("dim", [(1 << 20) + 1, 2**31 - 1])
def test_a_fasttext_row_has_a_largest_size(tmp_path, dim):
    path = tmp_path / "f.bin.gz"
    path.write_bytes(gzip.compress(fasttext((dim, *WIDE[1:]))))
    with raises(FileError, path, f"a dimension of {dim:,}", "from 1 to 1,048,576"):
        andornot.load(path)


def test_a_pruned_fasttext_dictionary_is_not_read(tmp_path):
    """Its size would be 8 bytes for each of as many n-grams as the file says."""
    data = bytearray(fasttext())
    at = 8 + 48 + 8 + 12 + 8
    assert struct.unpack_from("<q", data, at) == (-1,)
    struct.pack_into("<q", data, at, 2**60)
    path = tmp_path / "f.bin.gz"
    path.write_bytes(gzip.compress(bytes(data) + bytes(200_000_000)))
    began = time.perf_counter()
    with raises(FileError, path, "quantised", "full .bin"):
        andornot.load(path)
    assert time.perf_counter() - began < 5


def test_a_glove_binary_takes_no_memory_for_bytes_that_it_does_not_have(tmp_path):
    """With 100,000 words it may have 26 GB; here the process has 4 GB of address space."""
    (tmp_path / "vocab.txt").write_text("".join(f"w{i} 1\n" for i in range(100_000)))
    path = tmp_path / "v.bin.gz"
    path.write_bytes(gzip.compress(bytes(1000)))
    script = (
        "import resource, sys, andornot\n"
        "resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))\n"
        "try:\n"
        "    andornot.load(sys.argv[1], format='glove-binary')\n"
        "except Exception as error:\n"
        "    print(type(error).__name__, error)\n"
    )
    done = run_code(script, path)
    assert "FileError" in done.stdout, done.stdout + done.stderr
    assert "its 1,000 bytes are not two vectors" in done.stdout
