"""The real gensim: it opens what we write, and its models become spaces."""

import numpy as np
import pytest
from comparing import assert_same_space
from errors import assert_names, raises

import andornot
from andornot import AndornotError, Space
from andornot.words.counts import CountsOrigin

gensim_models = pytest.importorskip("gensim.models", reason="needs the extra bench (gensim)")
KeyedVectors = gensim_models.KeyedVectors

SENTENCES = [
    ["the", "king", "and", "the", "queen"],
    ["the", "man", "and", "the", "woman"],
    ["the", "naïve", "王"],
] * 20


@pytest.fixture(scope="module")
def word2vec():
    return gensim_models.Word2Vec(
        SENTENCES, vector_size=6, sg=1, negative=7, window=4, min_count=1, epochs=3, seed=1
    )


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("v.txt", {}),
        ("v.vec", {}),
        ("v.bin", {"binary": True}),
        ("v.txt.gz", {}),
        ("v.bin.gz", {"binary": True}),
    ],
)
def test_gensim_opens_what_we_write(tmp_path, word2vec, name, options):
    space = andornot.from_gensim(word2vec)
    andornot.save(space, tmp_path / name)
    keyed = KeyedVectors.load_word2vec_format(str(tmp_path / name), **options)
    assert keyed.index_to_key == list(space.words)
    assert np.array_equal(keyed.vectors, space.target)


def test_gensim_opens_our_glove_text(tmp_path, word2vec):
    space = andornot.from_gensim(word2vec)
    andornot.save(space, tmp_path / "glove.txt", format="glove")
    keyed = KeyedVectors.load_word2vec_format(str(tmp_path / "glove.txt"), no_header=True)
    assert np.array_equal(keyed.vectors, space.target)


def test_gensim_takes_our_counts_file(tmp_path, word2vec):
    from andornot.words.counts import write_counts_file

    space = andornot.from_gensim(word2vec)
    andornot.save(space, tmp_path / "v.txt")
    write_counts_file(space.words, space.counts, tmp_path / "v.counts")
    keyed = KeyedVectors.load_word2vec_format(str(tmp_path / "v.txt"), str(tmp_path / "v.counts"))
    assert keyed.get_vecattr("the", "count") == 100


@pytest.mark.parametrize("binary", [False, True])
def test_we_open_what_gensim_writes(tmp_path, word2vec, binary):
    path, vocab = tmp_path / "v.dat", tmp_path / "vocab.txt"
    word2vec.wv.save_word2vec_format(str(path), fvocab=str(vocab), binary=binary)
    space = andornot.load(path).with_counts(vocab)
    assert space.words == tuple(word2vec.wv.index_to_key)
    assert np.array_equal(space.target, word2vec.wv.vectors)
    assert space.counts[space.vocabulary.index("the")] == 100


def test_a_model_gives_contexts_true_counts_and_its_settings(word2vec):
    space = andornot.from_gensim(word2vec)
    assert np.array_equal(space.target, word2vec.wv.vectors)
    assert np.array_equal(space.context, word2vec.syn1neg)
    assert dict(zip(space.words, space.counts, strict=True))["king"] == 20
    assert space.vocabulary.counts.origin == CountsOrigin.TRAINING
    record = space.provenance
    assert (record.model, record.window, record.weighting) == ("sgns", 4, "linear")
    assert (record.negatives, record.negative_exponent, record.epochs) == (7, 0.75, 3)
    assert not np.shares_memory(space.target, word2vec.wv.vectors)  # training on changes nothing


def test_hierarchical_softmax_has_no_contexts_for_words():
    model = gensim_models.Word2Vec(SENTENCES, vector_size=4, hs=1, negative=0, sg=1, min_count=1)
    space = andornot.from_gensim(model)
    assert space.context is None
    assert space.provenance.negatives is None


def test_invented_counts_are_refused(tmp_path, word2vec):
    path = tmp_path / "v.txt"
    word2vec.wv.save_word2vec_format(str(path))
    keyed = KeyedVectors.load_word2vec_format(str(path))
    assert keyed.get_vecattr(keyed.index_to_key[0], "count") == len(keyed)  # an invention
    space = andornot.from_gensim(keyed)
    assert space.vocabulary.counts is None
    assert_names(space.provenance.history[0], "invented", "counts")


def test_invented_counts_are_refused_in_a_selection_too(tmp_path):
    vectors = KeyedVectors(2)
    vectors.add_vectors([f"w{i}" for i in range(3000)], np.ones((3000, 2)))
    vectors.save_word2vec_format(str(tmp_path / "v.txt"))
    keyed = KeyedVectors.load_word2vec_format(str(tmp_path / "v.txt"))
    part = keyed.vectors_for_all([f"w{i}" for i in range(1, 3000, 2)], copy_vecattrs=True)
    assert andornot.from_gensim(part).vocabulary.counts is None
    single = KeyedVectors(2)
    single.add_vectors(["a"], np.ones((1, 2)))
    single.set_vecattr("a", "count", 55)
    assert andornot.from_gensim(single).counts.tolist() == [55]


def test_counts_given_to_gensim_are_kept(tmp_path, word2vec):
    path, vocab = tmp_path / "v.txt", tmp_path / "vocab.txt"
    word2vec.wv.save_word2vec_format(str(path), fvocab=str(vocab))
    space = andornot.from_gensim(KeyedVectors.load_word2vec_format(str(path), str(vocab)))
    assert space.counts[0] == 100


def test_vectors_without_counts():
    keyed = KeyedVectors(2)
    keyed.add_vectors(["a", "b"], np.eye(2))
    assert andornot.from_gensim(keyed).vocabulary.counts is None


def test_fasttext_models_compose_unknown_words():
    model = gensim_models.FastText(SENTENCES, vector_size=5, min_count=1, bucket=300, sg=1)
    space = andornot.from_gensim(model)
    assert np.allclose(space.vector("king"), model.wv["king"])
    for unknown in ("kings", "womanly", "naïveté"):
        assert unknown not in space
        assert np.allclose(space.vector(unknown), model.wv[unknown], atol=1e-6)


def test_back_to_gensim(word2vec):
    space = andornot.from_gensim(word2vec)
    keyed = andornot.to_gensim(space)
    assert keyed.most_similar("king", topn=3) == word2vec.wv.most_similar("king", topn=3)
    assert keyed.get_vecattr("king", "count") == 20
    back = andornot.from_gensim(keyed)
    assert np.array_equal(back.target, space.target)
    assert back.counts.tolist() == space.counts.tolist()
    bare = andornot.to_gensim(Space(andornot.Vocabulary(["a"]), np.ones((1, 2), np.float32)))
    assert "count" not in bare.expandos


def test_a_model_survives_the_native_format(tmp_path, word2vec):
    space = andornot.from_gensim(word2vec)
    andornot.save(space, tmp_path / "s.safetensors")
    again = andornot.load(tmp_path / "s.safetensors")
    assert_same_space(again, space)
    assert again.provenance == space.provenance


def test_what_is_no_model():
    with raises(AndornotError, "dict", "Word2Vec", "KeyedVectors"):
        andornot.from_gensim({})
