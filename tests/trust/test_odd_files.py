"""Files that are valid in form and odd in size: other byte orders, nothing in them, very much."""

import json
import struct

import numpy as np
import pytest
from errors import raises
from fuzz_folders import stopped_training
from texts import corpus_of, random_lines
from tiny_models import train_tokenizer, write_model

import andornot
from andornot import AndornotError
from andornot.base.errors import FileError
from andornot.base.tensors import header_bytes
from andornot.cooccurrence import count, load_counts
from andornot.corpus.corpus import load_corpus
from andornot.training import Settings, train

METADATA = {"format": "andornot space", "version": "1", "provenance": "{}"}


def native(path, shapes: dict[str, tuple[str, list[int]]], body: dict[str, bytes], size=None):
    """A native file with tensors of these types and shapes; what isn't in `body` is a hole."""
    entries, at = {}, 0
    widths = {"F32": 4, "F64": 8, "I64": 8, "U8": 1, "I8": 1, "F16": 2}
    for name, (dtype, shape) in shapes.items():
        length = int(np.prod(shape, dtype=object)) * widths[dtype]
        entries[name] = {"dtype": dtype, "shape": shape, "data_offsets": [at, at + length]}
        at += length
    head = header_bytes({"__metadata__": METADATA, **entries}, path)
    with path.open("wb") as file:
        file.write(head)
        for name, data in body.items():
            file.seek(len(head) + entries[name]["data_offsets"][0])
            file.write(data)
        file.truncate(len(head) + at)
    return path


@pytest.mark.slow
def test_more_than_two_to_the_31_values(tmp_path):
    size, dim = 1_100_000, 2_000  # 2.2e9 values in a file with holes
    offsets = 7 * np.arange(size + 1, dtype="<i8")
    words = "".join(f"{number:07}" for number in range(size)).encode()
    shapes = {
        "word_offsets": ("I64", [size + 1]),
        "target": ("F32", [size, dim]),
        "words": ("U8", [len(words)]),
    }
    body = {"word_offsets": offsets.tobytes(), "words": words}
    path = native(tmp_path / "large.safetensors", shapes, body)
    with path.open("r+b") as file:  # the last row
        file.seek(path.stat().st_size - len(words) - 4 * dim)
        file.write(np.arange(dim, dtype="<f4").tobytes())
    assert path.stat().st_size > 4 * 2**31
    space = andornot.load(path)
    assert space.target.size > 2**31
    assert space.vector("1099999").tolist() == list(range(dim))
    assert not space.vector("1099998").any()


def test_a_mapped_fasttext_model_of_more_than_two_to_the_31_values(tmp_path):
    """Only the rows of some n-grams are written; the rest is holes."""
    buckets, dim = 2**29, 8
    head = struct.pack("<ii12id", 793712314, 12, dim, 5, 1, 1, 5, 1, 2, 2, buckets, 3, 3, 0, 1e-4)
    head += struct.pack("<3i2q", 1, 1, 0, 9, -1) + b"a\0" + struct.pack("<qb", 3, 0) + b"\0"
    head += struct.pack("<2q", 1 + buckets, dim)
    end = len(head) + 4 * dim * (1 + buckets)
    path = tmp_path / "large.bin"
    rows = []
    with path.open("wb") as file:
        file.write(head)
        for number, gram in enumerate((b"<ki", b"kin", b"ing", b"ng>"), start=1):
            code = 2166136261
            for byte in gram:
                code = (code ^ byte) * 16777619 % 2**32
            rows.append(code % buckets)
            file.seek(len(head) + 4 * dim * (1 + rows[-1]))
            file.write(np.full(dim, number, "<f4").tobytes())
        file.seek(end)
        file.write(b"\0" + struct.pack("<2q", 1, dim) + np.ones(dim, "<f4").tobytes())
    assert max(rows) * dim > 2**31
    space = andornot.load(path)
    assert space.subwords.matrix.size > 2**31
    assert space.vector("king").tolist() == [2.5] * dim


@pytest.mark.slow
def test_counts_of_more_than_two_to_the_31_pairs(tmp_path):
    output = tmp_path / "counts"
    count(corpus_of(tmp_path, random_lines(3)), min_count=1, output=output)
    record = json.loads((output / "record.json").read_text())
    pairs = 2**31 + 10
    for name in ("columns", "values"):
        with (output / f"{name}.bin").open("r+b") as file:
            file.truncate(4 * pairs)
        record["arrays"][name]["length"] = pairs
    starts = np.fromfile(output / "row_starts.bin", dtype="<i8")
    starts[-1] = pairs
    starts.tofile(output / "row_starts.bin")
    (output / "record.json").write_text(json.dumps(record))
    with raises(FileError, output, "more than the", "make the counts again"):
        load_counts(output)  # before gigabytes are read for the last row


@pytest.mark.parametrize("name", ["columns", "values", "row_starts", "marginal", "word_counts"])
def test_counts_in_another_byte_order(tmp_path, name):
    output = tmp_path / "counts"
    count(corpus_of(tmp_path, random_lines(3)), min_count=1, output=output)
    record = json.loads((output / "record.json").read_text())
    dtype = np.dtype(record["arrays"][name]["dtype"])
    array = np.fromfile(output / f"{name}.bin", dtype=dtype)
    array.astype(dtype.newbyteorder(">")).tofile(output / f"{name}.bin")
    with raises(FileError, output):  # the record doesn't say so
        load_counts(output)
    record["arrays"][name]["dtype"] = dtype.newbyteorder(">").str
    (output / "record.json").write_text(json.dumps(record))
    with raises(FileError, output / f"{name}.bin"):
        load_counts(output)


def test_a_corpus_in_another_byte_order(tmp_path):
    corpus = corpus_of(tmp_path, random_lines(3))
    tokens = np.array(corpus.tokens)
    tokens.astype(">i4").tofile(corpus.path / "tokens.bin")
    with raises(FileError, corpus.path, "damaged"):
        load_corpus(corpus.path)


def test_vectors_in_another_byte_order(tmp_path):
    values = np.random.default_rng(1).normal(size=(50, 8)).astype(">f4")
    words = b"".join(b"w%d " % i + row.tobytes() + b"\n" for i, row in enumerate(values))
    path = tmp_path / "a.bin"
    path.write_bytes(b"50 8\n" + words)
    try:
        space = andornot.load(path)
    except AndornotError:
        return
    assert np.isfinite(space.target).all()  # odd numbers, which no format can tell from others


def test_a_glove_binary_in_another_byte_order(tmp_path):
    values = np.random.default_rng(1).normal(size=(2 * 3, 4)).astype(">f8")
    (tmp_path / "vocab.txt").write_text("the 12\nof 10\nking 3\n")
    path = tmp_path / "vectors.bin"
    path.write_bytes(values.tobytes())
    try:
        space = andornot.load(path)
    except AndornotError as error:
        assert str(path) in str(error)
        return
    assert np.isfinite(space.target).all()


def test_a_checkpoint_in_another_byte_order(tmp_path):
    corpus = corpus_of(tmp_path, [["a", "b", "c", "d", "e"] * 20] * 12)
    settings = Settings(model="glove", solver="exact", dim=3, epochs=3)
    output = tmp_path / "out.safetensors"
    checkpoint = tmp_path / "out.safetensors.checkpoint"
    stopped_training(corpus, settings, tmp_path, checkpoint)
    record = json.loads((checkpoint / "record.json").read_text())
    name = next(name for name, entry in record["arrays"].items() if entry["dtype"][0] == "<")
    dtype = np.dtype(record["arrays"][name]["dtype"])
    array = np.fromfile(checkpoint / f"{name}.bin", dtype=dtype)
    array.astype(dtype.newbyteorder(">")).tofile(checkpoint / f"{name}.bin")
    record["arrays"][name]["dtype"] = dtype.newbyteorder(">").str
    (checkpoint / "record.json").write_text(json.dumps(record))
    with raises(FileError, checkpoint / f"{name}.bin"):
        train(corpus, settings, min_count=1, threads=1, output=output, resume=True)


def test_a_fasttext_model_in_another_byte_order(tmp_path):
    (tmp_path / "a.bin").write_bytes(struct.pack(">ii12id", 793712314, 12, *range(12), 1e-4) * 9)
    with pytest.raises(AndornotError):
        andornot.load(tmp_path / "a.bin")


@pytest.mark.parametrize(
    ("shape", "words"),
    [([0, 5], 0), ([2, 0], 2), ([2], 2), ([], 2), ([2, 5, 1], 2), ([0], 0)],
)
def test_native_files_with_nothing_in_them(tmp_path, shape, words):
    offsets = np.arange(words + 1, dtype="<i8").tobytes()
    shapes = {
        "word_offsets": ("I64", [words + 1]),
        "target": ("F32", shape),
        "words": ("U8", [words]),
    }
    path = native(
        tmp_path / "a.safetensors", shapes, {"word_offsets": offsets, "words": b"ab"[:words]}
    )
    with pytest.raises(AndornotError):
        andornot.load(path)


@pytest.mark.parametrize(
    "codes",
    [
        {"codes": ("I8", [2, 0]), "scale": ("F32", [2]), "offset": ("F32", [0])},
        {"codes": ("I8", [2, 0]), "scale": ("F32", [2])},
        {
            "codes": ("U8", [2, 0]),
            "scale": ("F16", [2]),
            "offset": ("F32", [0]),
            "levels": ("F32", [0, 16]),
        },
    ],
)
def test_rounded_vectors_of_dimension_0(tmp_path, codes):
    shapes = {"word_offsets": ("I64", [3])}
    shapes |= {f"target_{name}": shape for name, shape in codes.items()}
    body = {"word_offsets": np.arange(3, dtype="<i8").tobytes(), "words": b"ab"}
    path = native(tmp_path / "a.safetensors", shapes | {"words": ("U8", [2])}, body)
    with raises(FileError, path):
        andornot.load(path)


def test_a_first_layer_of_dimension_0(tmp_path):
    tokenizer = train_tokenizer("wordpiece")
    rows = np.zeros((tokenizer.get_vocab_size(), 0), np.float32)
    folder = write_model(tmp_path / "model", tokenizer, {"embeddings": rows})
    with raises(FileError, folder / "model.safetensors", "one row for each word"):
        andornot.load(folder)


@pytest.mark.parametrize("text", ["0 5\n", "2 0\na\nb\n", "0 0\n", "a\nb\n", "\n"])
@pytest.mark.parametrize("name", ["a.vec", "a.txt", "a.bin"])
def test_text_files_with_nothing_in_them(tmp_path, name, text):
    (tmp_path / name).write_text(text)
    with pytest.raises(AndornotError):
        andornot.load(tmp_path / name)


@pytest.mark.parametrize("name", ["columns", "values", "row_starts", "marginal", "words"])
def test_empty_arrays_of_counts(tmp_path, name):
    output = tmp_path / "counts"
    count(corpus_of(tmp_path, random_lines(3)), min_count=1, output=output)
    (output / f"{name}.bin").write_bytes(b"")
    record = json.loads((output / "record.json").read_text())
    record["arrays"][name]["length"] = 0
    (output / "record.json").write_text(json.dumps(record))
    with raises(FileError, output):
        load_counts(output)
