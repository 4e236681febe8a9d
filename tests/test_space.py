import numpy as np
import pytest
from errors import assert_names, raises
from hypothesis import given
from hypothesis import strategies as st

from andornot import AndornotError, Space, Vocabulary
from andornot.base.errors import MissingCountsError, UnknownWordError, UsageError
from andornot.words.counts import Counts, CountsOrigin
from andornot.words.subwords import Subwords


def space_of(words, counts=None, dim=3, **parts):
    given_counts = None if counts is None else Counts(np.array(counts, float), CountsOrigin.GIVEN)
    target = np.arange(len(words) * dim, dtype=np.float32).reshape(-1, dim)
    return Space(Vocabulary(words, given_counts), target, **parts)


def test_words_and_vectors():
    space = space_of(["a", "b"])
    assert len(space) == 2
    assert space.dim == 3
    assert "a" in space
    assert "c" not in space
    assert space.vector("b").tolist() == [3, 4, 5]
    with raises(UnknownWordError, "'zebra'"):
        space.vector("zebra")


def test_everything_is_read_only(full_space):
    for name in ("target", "context", "target_bias", "context_bias", "marginal", "probability"):
        with pytest.raises(ValueError, match="read-only"):
            getattr(full_space, name)[0] = 0
    with pytest.raises(AttributeError):
        full_space.target = None


def test_probability_is_of_the_marginal_where_known_else_of_the_counts(full_space):
    assert np.allclose(full_space.probability, full_space.marginal / full_space.marginal.sum())
    assert space_of(["a", "b"], [3, 1]).probability.tolist() == [0.75, 0.25]


def test_without_counts_the_error_names_the_ways_to_supply_them():
    space = space_of(["a", "b"])
    for use in (lambda: space.probability, lambda: space.top(1), lambda: space.counts):
        with raises(MissingCountsError, "space.with_counts(source)", "wordfreq", "rank"):
            use()


def test_with_counts_records_where_they_came_from(full_space):
    space = full_space.with_counts("rank")
    assert space.vocabulary.counts.origin == CountsOrigin.RANK
    assert_names(space.provenance.history[-1], "counts", "rank")
    assert space.marginal is None  # p follows the new counts
    assert np.allclose(space.probability, 1 / np.arange(1, 10) / (1 / np.arange(1, 10)).sum())
    assert full_space.vocabulary.counts.origin == CountsOrigin.TRAINING  # unchanged


@given(st.lists(st.integers(0, 5), min_size=1, max_size=30).filter(any), st.integers(1, 40))
def test_top_agrees_with_sorting(counts, n):
    words = [f"w{i}" for i in range(len(counts))]
    space = space_of(words, counts).top(n)
    order = sorted(range(len(words)), key=lambda i: (-counts[i], i))[:n]
    assert space.words == tuple(words[i] for i in order)
    assert space.counts.tolist() == [counts[i] for i in order]
    assert space.target[:, 0].tolist() == [3 * i for i in order]


def test_top_takes_every_part_along(full_space):
    space = full_space.with_counts({"king": 5, "the": 1}).top(1)
    assert space.words == ("king",)
    for name in ("target", "context", "target_bias", "context_bias"):
        assert np.array_equal(getattr(space, name)[0], getattr(full_space, name)[1])
    assert_names(space.provenance.history[-1], 1, 9, "most frequent")


def test_top_shares_memory_where_the_words_already_lead(full_space):
    assert np.shares_memory(full_space.top(4).target, full_space.target)


def test_top_of_nothing():
    with raises(UsageError, "at least 1", "got 0"):
        space_of(["a"], [1]).top(0)


@pytest.mark.parametrize(
    ("parts", "named"),
    [
        ({"target": np.zeros((3, 2))}, ["target", (3, 2), "2 words"]),
        ({"target": np.zeros((2, 0))}, ["target", (2, 0), "2 words"]),
        ({"context": np.zeros((2, 4))}, ["context", (2, 4), (2, 2)]),
        ({"target_bias": np.zeros(3)}, ["target_bias", (3,), (2,)]),
        ({"marginal": np.zeros((2, 2))}, ["marginal", (2, 2), (2,)]),
        ({"subwords": Subwords(np.zeros((4, 9), np.float32), 3, 6)}, ["subwords", 9, 2]),
        ({"vocabulary": Vocabulary([])}, ["at least one word"]),
    ],
)
def test_parts_that_do_not_fit(parts, named):
    whole = {"vocabulary": Vocabulary(["a", "b"]), "target": np.zeros((2, 2))}
    with raises(AndornotError, *named):
        Space(**(whole | parts))


def test_counts_are_checked(full_space):
    with raises(AndornotError, "-1.0", "number 1"):
        full_space.with_counts(Counts(np.array([-1.0] * 9), CountsOrigin.GIVEN))


def test_lists_and_doubles_become_float32():
    assert Space(Vocabulary(["a"]), [[1, 2]]).vector("a").dtype == np.float32
    space = Space(Vocabulary(["a"]), np.ones((1, 2)))
    assert space.target.dtype == np.float32


def test_repr_is_short(full_space):
    assert repr(full_space) == "Space(9 words x 5, counts: training, context vectors: yes)"


def test_any_matrix_is_a_space():
    matrix = np.random.default_rng(1).normal(size=(3, 4))
    space = Space.from_arrays(["a", "new york", "東京"], matrix, [1, 0, 3], matrix[::-1])
    assert space.words == ("a", "new york", "東京")
    assert np.array_equal(space.target, matrix.astype(np.float32))
    assert np.array_equal(space.context, matrix[::-1].astype(np.float32))
    assert space.probability.tolist() == [0.25, 0, 0.75]
    assert space.vocabulary.counts.origin == CountsOrigin.GIVEN
    named = Space.from_arrays(iter(space.words), matrix.tolist(), {"a": 1, "東京": 3, "other": 9})
    assert named.probability.tolist() == [0.25, 0, 0.75]
    assert not Space.from_arrays(["a"], [[1, 2]]).has_frequencies


NAMES, MATRIX = ["a", "b"], [[1.0, 2.0], [3.0, 4.0]]


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (("ab", MATRIX), ["names", "'ab'"]),
        ((None, MATRIX), ["names", "None"]),
        ((["a", None], MATRIX), ["names[1]", "None"]),
        (([b"a", "b"], MATRIX), ["names[0]", "bytes"]),
        (([1, 2], MATRIX), ["names[0]", "1 (int)"]),
        ((["a", "a"], MATRIX), ["names[1]", "names[0]", "'a'"]),
        ((["a", ""], MATRIX), ["names[1]", "empty"]),
        ((["a", "\ud800"], MATRIX), ["names[1]", "Unicode"]),
        (([], MATRIX), ["names", "empty"]),
        ((["a", "b", "c"], MATRIX), ["matrix", "3 names", "got 2"]),
        ((NAMES, [[1, 2], [3, float("nan")]]), ["matrix[1]", "nan"]),
        ((NAMES, [[1, float("-inf")], [3, 4]]), ["matrix[0]", "-inf"]),
        ((NAMES, [[1, 2], [3, 1e300]]), ["matrix[1]", "inf"]),
        ((NAMES, [[float("inf"), float("-inf")], [3, 4]]), ["matrix[0]", "inf"]),
        ((NAMES, [1, 2]), ["matrix", "(2,)"]),
        ((NAMES, [[], []]), ["matrix", "(2, 0)"]),
        ((NAMES, [[1], [1, 2]]), ["matrix", "different lengths"]),
        ((NAMES, None), ["matrix", "None"]),
        ((NAMES, [["a"], ["b"]]), ["matrix", "numbers"]),
        ((NAMES, MATRIX, [1]), ["counts", "2 names", "(1,)"]),
        ((NAMES, MATRIX, [1, float("nan")]), ["counts[1]", "nan"]),
        ((NAMES, MATRIX, [-1, 2]), ["counts[0]", "-1"]),
        ((NAMES, MATRIX, None, [[1, 2]]), ["context", "2 names", "got 1"]),
        ((NAMES, MATRIX, None, [[1, 2], [float("nan"), 1]]), ["context[1]", "nan"]),
    ],
    ids=str,
)
def test_arrays_that_are_wrong_are_named(arguments, named):
    with raises(UsageError, *named):
        Space.from_arrays(*arguments)


def test_sparse_matrices_are_refused():
    from scipy.sparse import eye

    with raises(UsageError, "matrix", "numbers"):
        Space.from_arrays(NAMES, eye(2).tocsr())


def test_a_list_of_words_is_no_vocabulary():
    with raises(TypeError, "vocabulary", "list", "Space.from_arrays(names, matrix)"):
        Space(NAMES, MATRIX)
