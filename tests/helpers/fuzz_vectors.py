"""Targets of the fuzzer that read vectors: files in every format, and folders of models."""

from __future__ import annotations

import importlib.util
import io
import random
import shutil
import struct
import zipfile
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import numpy as np
from fuzz_inputs import Input, Target, made, naming, one_damaged
from mutations import changed_header

import andornot
from andornot.base.errors import UnknownWordError
from andornot.words.subwords import Subwords


def spaces(folder: Path) -> Target:
    """Files of vectors in every format: loaded, and asked for neighbours."""
    seeds = list(_space_files(folder / "seeds"))
    home = folder / "case"

    def draw(rng: random.Random) -> Input:
        files = rng.choice(seeds)
        name = next(iter(files))
        if name.endswith(".safetensors") and rng.random() < 0.3:
            return Input(name, {name: changed_header(rng, files[name])})
        return Input(name, one_damaged(rng, files))

    def take(given: Input) -> object:
        shutil.rmtree(home, ignore_errors=True)
        written = given.write(home)
        with naming(written):  # the file, or its list of words
            space = andornot.load(written / given.choice)
        return _asked(space)

    return Target(draw, take)


def _asked(space: andornot.Space) -> object:
    """Compose the vector of an unknown word, and ask for the neighbours of one from the middle."""
    from andornot.algebra.notation import quoted

    with suppress(UnknownWordError):
        space.vector("kingly")
    word = space.words[len(space) // 2]
    return andornot.Logic(space).ask(quoted(word), k=3) if space.dim and word else space


def _space_files(folder: Path) -> Iterator[dict[str, bytes]]:
    folder.mkdir(parents=True)
    rng = np.random.default_rng(1)
    words = [f"word{i}" for i in range(12)] + ["naïve", "東京", "o'clock"]
    vectors = [rng.normal(size=(len(words), 6)).astype(np.float32) for _ in range(2)]
    counts = andornot.Vocabulary(words).with_counts(
        {word: 100.0 / (i + 1) for i, word in enumerate(words)}
    )
    whole = andornot.Space(counts, *vectors, marginal=np.arange(1.0, len(words) + 1))
    for name, options in {
        "a.safetensors": {},
        "8.safetensors": {"bits": 8},
        "4.safetensors": {"bits": 4},
        "a.vec": {},
        "a.txt": {},
        "a.bin": {},
        "a.vec.gz": {},
        "a.txt.bz2": {},
        "b.vec.xz": {},
    }.items():
        andornot.save(whole, folder / name, **options)
        yield {name: (folder / name).read_bytes()}
    yield {"glove.txt": b"the 0.1 0.2 0.3\nof -1 2e-3 .5\nking 1 1 1\n"}
    yield {"fasttext.bin": _fasttext()}
    yield from _packed()
    for name, space in _composing(folder):
        for bits in (None, 8, 4):
            path = folder / f"{name}-{bits}.safetensors"
            andornot.save(space, path, bits=bits)
            yield {path.name: path.read_bytes()}
    doubles = rng.normal(size=(2 * 3, 4)).astype("<f8").tobytes()
    yield {"vectors.bin": doubles, "vocab.txt": b"the 12\nof 10\nking 3\n"}


def _packed() -> Iterator[dict[str, bytes]]:
    """Yield vectors in archives of every kind but LZMA.

    LZMA takes as much address space as a header says, but no memory before there is something to
    put there; the limit of the fuzzer can't tell the two apart.
    """
    vectors = b"3 2\na 1 2\nb 3 4\nc 5 6\n"
    for method in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2):
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w", method) as archive:
            archive.writestr("a.vec", vectors)
        yield {f"{method}.zip": packed.getvalue()}
    if importlib.util.find_spec("zstandard") is not None:
        import zstandard

        yield {"a.vec.zst": zstandard.compress(vectors)}


def _composing(folder: Path) -> Iterator[tuple[str, andornot.Space]]:
    """Yield spaces with all their parts, which compose unknown words of n-grams or of pieces."""
    rng = np.random.default_rng(3)

    def full(space: andornot.Space) -> andornot.Space:
        size = len(space)
        return replace(
            space.with_counts("rank"),
            context=rng.normal(size=(size, 4)).astype(np.float32),
            target_bias=rng.normal(size=size).astype(np.float32),
            context_bias=rng.normal(size=size).astype(np.float32),
            marginal=np.arange(1.0, size + 1),
            target_mean=np.ones(4),
            context_mean=np.zeros(4),
        )

    grams = Subwords(rng.normal(size=(7, 4)).astype(np.float32), 3, 6)
    vectors = rng.normal(size=(3, 4)).astype(np.float32)
    words = andornot.Vocabulary(["king", "queen", "naïve"])
    yield "subwords", full(andornot.Space(words, vectors, subwords=grams))
    if importlib.util.find_spec("tokenizers") is not None:
        yield "tokenizer", full(andornot.load(_static_model(folder / "static")))


def _static_model(folder: Path) -> Path:
    """Write a model of input embeddings alone."""
    from tiny_models import train_tokenizer, write_model

    tokenizer = train_tokenizer("wordpiece")
    rows = np.random.default_rng(4).normal(size=(tokenizer.get_vocab_size(), 4))
    return write_model(folder, tokenizer, {"embeddings": rows.astype(np.float32)})


def _fasttext() -> bytes:
    """Return a small fastText model in its real layout, with n-grams."""
    words, buckets, dim = (b"king", b"queen"), 7, 3
    head = struct.pack("<ii12id", 793712314, 12, dim, 5, 1, 1, 5, 1, 2, 2, buckets, 3, 6, 0, 1e-4)
    head += struct.pack("<3i2q", len(words), len(words), 0, 9, -1)
    for word in words:
        head += word + b"\0" + struct.pack("<qb", 3, 0)
    rng = np.random.default_rng(2)
    for rows in (len(words) + buckets, len(words)):
        matrix = rng.normal(size=(rows, dim)).astype("<f4")
        head += b"\0" + struct.pack("<2q", *matrix.shape) + matrix.tobytes()
    return head


def models(folder: Path) -> Target:
    """Folders of models, BERT-like and static: their first layer, and words of several pieces."""
    from tiny_models import bert_config, bert_tensors, train_tokenizer, write_model

    tokenizer = train_tokenizer("wordpiece")
    rows = tokenizer.get_vocab_size()
    tensors = bert_tensors(rows, dim=4, layers=0)
    saved = andornot.Space(andornot.Vocabulary(["a", "b", "c"]), np.eye(3, dtype=np.float32))
    andornot.save(saved, made(folder) / "model2vec", format="model2vec")
    seeds = {
        "bert": write_model(folder / "bert", tokenizer, tensors, bert_config(rows, 4, 0)),
        "static": _static_model(folder / "static"),
        "model2vec": folder / "model2vec",
    }
    home = folder / "case"

    def draw(rng: random.Random) -> Input:
        choice = rng.choice(sorted(seeds))
        whole = {path.name: path.read_bytes() for path in seeds[choice].iterdir()}
        damaged = one_damaged(rng, whole)
        return Input(
            choice, {name: damaged[name] for name in whole if damaged[name] != whole[name]}
        )

    def take(given: Input) -> object:
        shutil.rmtree(home, ignore_errors=True)
        shutil.copytree(seeds[given.choice], home)
        with naming(given.write(home)):
            space = andornot.load(home)
        return _asked(space)

    return Target(draw, take)
