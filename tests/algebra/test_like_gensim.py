"""The habits of gensim: with no post-processing the results are those of gensim itself."""

import numpy as np
import pytest
from errors import raises

import andornot
from andornot import Space
from andornot.base.errors import AndornotError, UnknownWordError, UsageError

keyedvectors = pytest.importorskip("gensim.models", reason="needs the extra bench (gensim)")

WORDS = [f"w{number}" for number in range(400)]
MATRIX = np.random.default_rng(3).normal(size=(len(WORDS), 20)) + 0.3
SPACE = Space.from_arrays(WORDS, MATRIX)


@pytest.fixture(scope="module")
def theirs():
    return andornot.to_gensim(SPACE)


@pytest.fixture(scope="module")
def ours():
    return andornot.Logic(SPACE, postprocess="none")


@pytest.mark.parametrize(
    "arguments",
    [
        {"positive": "w1"},
        {"positive": ["w1"]},
        {"positive": ["w1", "w2"]},
        {"positive": ["w1", "w1", "w2"]},
        {"positive": ["w1", "w2"], "negative": "w3"},
        {"positive": ["w1"], "negative": ["w2", "w3"], "topn": 3},
        {"positive": ["w9", "w2", "w7"], "negative": ["w3", "w30"], "topn": 390},
        {"positive": ["w1"], "topn": 1},
    ],
    ids=str,
)
def test_most_similar(ours, theirs, arguments):
    expected = theirs.most_similar(**arguments)
    found = ours.most_similar(**arguments)
    assert [word for word, _ in found] == [word for word, _ in expected]
    assert len(found) == len(expected)
    np.testing.assert_allclose([hit[1] for hit in found], [hit[1] for hit in expected], atol=1e-5)
    assert dict(found).keys() == dict(expected).keys()


def test_most_similar_is_the_analogy_of_the_query_language(logic):
    """On the default model, with its centring."""
    found = logic.most_similar(positive=["king", "woman"], negative=["man"])
    assert found.hits == logic.ask("king - man + woman").hits
    assert found.words[0] == "queen"


def test_similarity(ours, theirs):
    for first, second in (("w1", "w2"), ("w3", "w3"), ("w200", "w7")):
        expected = theirs.similarity(first, second)
        assert ours.similarity(first, second) == pytest.approx(expected, abs=1e-6)


def test_doesnt_match(ours, theirs):
    rng = np.random.default_rng(1)
    for _ in range(50):
        words = rng.choice(WORDS, size=rng.integers(3, 7), replace=False).tolist()
        assert ours.doesnt_match(words) == theirs.doesnt_match(words)


def test_vectors(theirs):
    assert np.array_equal(SPACE["w7"], theirs["w7"])
    assert np.array_equal(SPACE[["w7", "w2"]], theirs[["w7", "w2"]])
    assert SPACE[[]].shape == (0, 20)
    assert list(SPACE) == list(theirs.index_to_key)
    assert "w7" in SPACE
    assert "v7" not in SPACE


def test_post_processing_comes_first():
    centred = MATRIX - MATRIX.mean(axis=0)
    unit = centred / np.linalg.norm(centred, axis=1, keepdims=True)
    logic = andornot.Logic(SPACE)  # without frequencies: centred uniformly
    assert logic.similarity("w1", "w2") == pytest.approx(unit[1] @ unit[2], abs=1e-6)
    nearest = np.argsort(-(unit @ (unit[1] - unit[2])))
    assert (
        logic.most_similar("w1", "w2").words
        == tuple(WORDS[i] for i in nearest if i not in (1, 2))[:10]
    )


@pytest.mark.parametrize(
    ("use", "kind", "named"),
    [
        (lambda logic: logic.most_similar("v1"), UnknownWordError, ["'v1'", "did you mean 'w1'"]),
        (lambda logic: logic.most_similar(["w1"], ["v1"]), UnknownWordError, ["'v1'"]),
        (lambda logic: logic.most_similar([]), UsageError, ["positive", "at least one"]),
        (lambda logic: logic.most_similar(["w1", 3]), UsageError, ["positive[1]", "3 (int)"]),
        (lambda logic: logic.most_similar("w1", [None]), UsageError, ["negative[0]", "None"]),
        (lambda logic: logic.most_similar("w1", topn=0), UsageError, ["k", 0]),
        (lambda logic: logic.most_similar(["w1"], ["w1"]), AndornotError, ["zero", "direction"]),
        (lambda logic: logic.similarity("w1", "v1"), UnknownWordError, ["'v1'"]),
        (lambda logic: logic.doesnt_match("w1 w2"), UsageError, ["words", "'w1 w2'"]),
        (lambda logic: logic.doesnt_match(["w1"]), UsageError, ["words", "two"]),
        (lambda logic: logic.doesnt_match(["w1", "v1"]), UnknownWordError, ["'v1'"]),
        (lambda logic: SPACE["v1"], UnknownWordError, ["'v1'"]),
        (lambda logic: SPACE[3], TypeError, ["3"]),
    ],
)
def test_what_is_refused(ours, use, kind, named):
    with raises(kind, *named):
        use(ours)
