"""Files made by the programs themselves: fastText, word2vec.c; and GloVe's documented layout."""

import gzip
import random
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from comparing import assert_same_space
from errors import raises

import andornot
from andornot.base.errors import FileError, UnknownWordError
from andornot.words.counts import CountsOrigin


@pytest.fixture(scope="module")
def corpus(tmp_path_factory) -> Path:
    rng = random.Random(3)
    words = [f"word{i}" for i in range(40)] + ["naïve", "東京", "x"]
    lines = (" ".join(rng.choices(words, k=12)) for _ in range(400))
    path = tmp_path_factory.mktemp("corpus") / "text.txt"
    path.write_text("\n".join(lines) + "\n")
    return path


# --- fastText ------------------------------------------------------------------------------

UNKNOWN = ["words", "unheard-of", "naïveté", "京都", "w"]


def fasttext_model(corpus, path, **options):
    fasttext = pytest.importorskip("fasttext", reason="needs the extra bench (fasttext-wheel)")
    settings = {"dim": 8, "epoch": 1, "minCount": 1, "bucket": 500, "thread": 1, "verbose": 0}
    model = fasttext.train_unsupervised(str(corpus), **(settings | options))
    model.save_model(str(path))
    return model


@pytest.mark.parametrize("lengths", [(3, 6), (1, 2), (2, 20), (0, 3)])
def test_fasttext_skipgram(tmp_path, corpus, lengths):
    path = tmp_path / "model.bin"
    shortest, longest = lengths
    model = fasttext_model(corpus, path, model="skipgram", minn=shortest, maxn=longest, neg=4)
    space = andornot.load(path)
    words, counts = model.get_words(include_freq=True)
    assert space.words == tuple(words)
    assert space.counts.tolist() == counts.tolist()
    assert space.vocabulary.counts.origin == CountsOrigin.TRAINING
    expected = np.array([model.get_word_vector(word) for word in words])
    assert np.allclose(space.target, expected, atol=1e-6)
    assert np.array_equal(space.context, model.get_output_matrix())
    for word in UNKNOWN:
        if len(model.get_subwords(word)[0]):
            assert np.allclose(space.vector(word), model.get_word_vector(word), atol=1e-6), word
    record = space.provenance
    assert (record.model, record.negatives, record.negative_exponent) == (
        "fasttext skipgram",
        4,
        0.5,
    )

    packed = tmp_path / "model.bin.gz"
    packed.write_bytes(gzip.compress(path.read_bytes()))
    assert_same_space(andornot.load(packed), space)

    andornot.save(space, tmp_path / "s.safetensors")
    again = andornot.load(tmp_path / "s.safetensors")
    assert_same_space(again, space)
    assert np.array_equal(again.vector("unheard-of"), space.vector("unheard-of"))


def test_fasttext_without_subwords(tmp_path, corpus):
    path = tmp_path / "model.bin"
    model = fasttext_model(corpus, path, model="cbow", maxn=0)
    space = andornot.load(path)
    assert space.subwords is None
    assert np.array_equal(space.vector("word3"), model.get_word_vector("word3"))
    with raises(UnknownWordError, "'nave'", "'naïve'"):
        space.vector("nave")


def test_fasttext_hierarchical_softmax_has_no_contexts_for_words(tmp_path, corpus):
    path = tmp_path / "model.bin"
    fasttext_model(corpus, path, loss="hs")
    space = andornot.load(path)
    assert space.context is None
    assert space.provenance.negatives is None


def test_fasttext_supervised(tmp_path, corpus):
    fasttext = pytest.importorskip("fasttext", reason="needs the extra bench (fasttext-wheel)")
    labelled = tmp_path / "labelled.txt"
    lines = corpus.read_text().splitlines()
    labelled.write_text("".join(f"__label__{i % 3} {line}\n" for i, line in enumerate(lines)))
    model = fasttext.train_supervised(
        str(labelled), dim=6, minn=2, maxn=3, bucket=400, epoch=1, thread=1, verbose=0
    )
    model.save_model(str(tmp_path / "model.bin"))
    space = andornot.load(tmp_path / "model.bin")
    assert space.words == tuple(model.get_words())
    assert space.context is None
    assert np.allclose(space.vector("word1"), model.get_word_vector("word1"), atol=1e-6)
    model.quantize(str(labelled))
    model.save_model(str(tmp_path / "model.ftz"))
    with raises(FileError, ".ftz", ".bin"):
        andornot.load(tmp_path / "model.ftz")


# --- word2vec.c ----------------------------------------------------------------------------


@pytest.mark.parametrize("binary", ["0", "1"])
def test_word2vec_c(tmp_path, corpus, binary):
    pytest.importorskip("word2vec", reason="needs the extra bench (word2vec)")
    program = shutil.which("word2vec") or str(Path(sys.executable).parent / "word2vec")
    vectors, vocab = tmp_path / "vectors.dat", tmp_path / "vocab.dat"
    command = [program, "-train", corpus, "-output", vectors, "-save-vocab", vocab]
    command += ["-size", "7", "-min-count", "1", "-iter", "1", "-binary", binary, "-threads", "1"]
    subprocess.run([str(part) for part in command], check=True, capture_output=True)
    space = andornot.load(vectors).with_counts(vocab)
    assert len(space) == 44  # 43 words and </s>
    assert space.dim == 7
    assert space.words[0] == "</s>"
    text = corpus.read_text().split()
    assert space.counts[space.vocabulary.index("東京")] == text.count("東京")
    assert space.vocabulary.counts.origin == CountsOrigin.FILE
    # the same run as text has the same numbers, to its six digits
    if binary == "1":
        command[command.index("-binary") + 1] = "0"
        command[command.index("-output") + 1] = tmp_path / "vectors.txt"
        subprocess.run([str(part) for part in command], check=True, capture_output=True)
        text_space = andornot.load(tmp_path / "vectors.txt")
        assert text_space.words == space.words
        assert np.allclose(text_space.target, space.target, atol=1e-6)


# --- GloVe ---------------------------------------------------------------------------------


@pytest.fixture
def glove(tmp_path):
    """W as GloVe's C program holds it: v and a for each word, then u and b; saved as it does."""
    rng = np.random.default_rng(5)
    table = rng.normal(size=(2 * 4, 3 + 1))
    (tmp_path / "vocab.txt").write_text("the 50\nking 9\nqueen 8\nnaïve 1\n")
    table.astype("<f8").tofile(tmp_path / "vectors.bin")
    words = ["the", "king", "queen", "naïve"]
    lines = (
        f"{word} " + " ".join(f"{x:f}" for x in [*table[i], *table[4 + i]])
        for i, word in enumerate(words)
    )
    (tmp_path / "vectors.txt").write_text("\n".join(lines) + "\n")
    return tmp_path, table


def test_glove_binary_has_both_vectors_and_both_biases(glove):
    folder, table = glove
    for space in (
        andornot.load(folder / "vectors.bin"),
        andornot.load(folder / "vectors.bin", vocabulary=folder / "vocab.txt"),
    ):
        assert space.words == ("the", "king", "queen", "naïve")
        assert np.allclose(space.target, table[:4, :3])
        assert np.allclose(space.context, table[4:, :3])
        assert np.allclose(space.target_bias, table[:4, 3])
        assert np.allclose(space.context_bias, table[4:, 3])
        assert space.counts.tolist() == [50, 9, 8, 1]
        assert (space.provenance.model, space.provenance.weighting) == ("glove", "harmonic")
    packed = folder / "packed.bin.gz"
    packed.write_bytes(gzip.compress((folder / "vectors.bin").read_bytes()))
    assert_same_space(andornot.load(packed), andornot.load(folder / "vectors.bin"))


def test_glove_text_of_model_0(glove):
    folder, _ = glove
    space = andornot.load(folder / "vectors.txt", format="glove-all")
    binary = andornot.load(folder / "vectors.bin")
    for name in ("target", "context", "target_bias", "context_bias"):
        assert np.allclose(getattr(space, name), getattr(binary, name), atol=1e-6), name


def test_glove_binary_errors(glove):
    folder, table = glove
    data = (folder / "vectors.bin").read_bytes()
    for content, named in [
        (data[:-8], ["248 bytes", "4 words", folder / "vocab.txt"]),
        (table.astype("<f8").tobytes()[:-8] + np.array([np.nan]).tobytes(), ["'naïve'", "nan"]),
    ]:
        (folder / "vectors.bin").write_bytes(content)
        with raises(FileError, folder / "vectors.bin", *named):
            andornot.load(folder / "vectors.bin", format="glove-binary")
    (folder / "vocab.txt").unlink()
    with raises(FileError, folder / "vocab.txt", "vocabulary=FILE", "vocabulary=FILE"):
        andornot.load(folder / "vectors.bin", format="glove-binary")
    (folder / "vectors.txt").write_text("a 1 2 3\n")
    with raises(FileError, "3 values", "plain GloVe"):
        andornot.load(folder / "vectors.txt", format="glove-all")
