"""Nearest words against brute force."""

import numpy as np
import pytest
from errors import raises

from andornot import Space, Vocabulary
from andornot.base.choices import Measure, Postprocess
from andornot.base.errors import MissingContextError, UsageError
from andornot.postprocessing import postprocess
from andornot.postprocessing.spaces import fit_context, fit_target
from andornot.search import Search, largest


@pytest.fixture(params=["few", "many"], autouse=True)
def way(request, monkeypatch):
    """Both ways through the rows."""
    monkeypatch.setattr(
        "andornot.search.nearest._MANY", 1 if request.param == "many" else 1_000_000
    )
    monkeypatch.setattr("andornot.search.nearest._SAMPLED", 50)


@pytest.fixture
def space():
    rng = np.random.default_rng(6)
    size = 3000
    words = Vocabulary([f"w{i}" for i in range(size)]).with_counts("rank")
    return Space(words, rng.normal(size=(size, 12)) + 1, rng.normal(size=(size, 12)) + 1)


@pytest.fixture
def queries():
    return np.random.default_rng(7).normal(size=(17, 12)).astype(np.float32)


def brute_force(rows, query, k, leave_out=(), among=None, cosine=True):
    rows, query = rows.astype(float), query.astype(float)
    scores = rows @ query
    if cosine:
        scores /= np.linalg.norm(rows, axis=1) * np.linalg.norm(query)
    allowed = range(len(rows)) if among is None else among
    order = sorted((i for i in allowed if i not in leave_out), key=lambda i: -scores[i])[:k]
    return order, scores[order]


@pytest.mark.parametrize("method", list(Postprocess))
@pytest.mark.parametrize("measure", ["cosine", "pmi"])
def test_the_nearest_are_those_of_brute_force(method, measure, space, queries):
    target = fit_target(space, method)
    search = Search(space, target, lambda: fit_context(space, method, None, target), threads=2)
    found = search.nearest(queries, 9, measure=measure)
    mapped = postprocess(space, method)
    rows = mapped.target if measure == "cosine" else mapped.context
    for number, query in enumerate(queries):
        ids, scores = brute_force(rows, query, 9, cosine=measure == "cosine")
        assert found.scores[number] == pytest.approx(scores, abs=2e-4, rel=1e-4)
        assert len(set(found.ids[number]) & set(ids)) >= 8  # ties may change places


def test_words_left_out_and_candidates(space, queries):
    leave_out = [[i, i + 5, i + 100] for i in range(17)]
    among = np.arange(0, 400, 2)
    search = Search(space)
    found = search.nearest(queries, 5, leave_out=leave_out)
    inside = search.nearest(queries, 5, leave_out=leave_out, among=among)
    for number, query in enumerate(queries):
        ids, _ = brute_force(space.target, query, 5, leave_out[number])
        assert found.ids[number].tolist() == ids
        ids, _ = brute_force(space.target, query, 5, leave_out[number], among)
        assert inside.ids[number].tolist() == ids


@pytest.mark.parametrize("many", [1, 100])
@pytest.mark.parametrize("measure", ["cosine", "pmi"])
def test_many_candidates_are_searched_in_place(space, queries, monkeypatch, many, measure):
    monkeypatch.setattr("andornot.search.nearest._MANY", many)
    leave_out = [[i, i + 2, i + 100] for i in range(17)]
    among = np.random.default_rng(2).permutation(400)[:150]
    search = Search(space, threads=2)
    copied = search.nearest(queries, 151, leave_out=leave_out, among=among, measure=measure)
    monkeypatch.setattr("andornot.search.nearest._COPIED", 149)
    in_place = search.nearest(queries, 151, leave_out=leave_out, among=among, measure=measure)
    assert in_place.ids.shape == (17, 150)
    np.testing.assert_allclose(in_place.scores, copied.scores, atol=1e-5)
    rows = space.target if measure == "cosine" else space.context
    for number, query in enumerate(queries):
        ids, _ = brute_force(rows, query, 151, leave_out[number], among, measure == "cosine")
        assert in_place.ids[number][: len(ids)].tolist() == ids
        assert (in_place.ids[number][len(ids) :] == -1).all()


def test_many_queries_in_small_blocks_are_as_one_by_one(space, queries, monkeypatch):
    monkeypatch.setattr("andornot.search.nearest._BLOCK", 1)
    monkeypatch.setattr("andornot.search.nearest._QUERIES", 5)
    monkeypatch.setattr("andornot.search.nearest._ROWS", 700)
    monkeypatch.setattr("andornot.search.nearest._MANY", 10)
    search = Search(space, threads=2)
    together = search.nearest(queries, 4)
    for number, query in enumerate(queries):
        alone = search.nearest(query[None], 4)
        assert alone.ids[0].tolist() == together.ids[number].tolist()


def test_equal_scores_keep_the_order_of_the_words():
    space = Space(Vocabulary(["a", "b", "c", "d"]), np.array([[1, 0], [2, 0], [0, 1], [1, 0]]))
    found = Search(space).nearest(np.array([[1.0, 0.0]]), 3)
    assert found.ids.tolist() == [[0, 1, 3]]


def test_a_long_list_is_sorted_with_equal_scores_in_order():
    rng = np.random.default_rng(3)
    rows = np.stack([rng.integers(-2, 3, size=2000), np.ones(2000)], axis=1)
    space = Space(Vocabulary([f"w{i}" for i in range(2000)]), rows)
    query = np.array([1.0, 0.0])
    for k in (1, 7, 1500, 2000):
        found = Search(space).nearest(query[None], k)
        scores = rows[:, 0] / np.hypot(*rows.T)
        assert found.ids[0].tolist() == np.argsort(-scores, kind="stable")[:k].tolist()


@pytest.mark.parametrize("size", [0, 1, 7, 200])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_the_largest_scores_are_the_first_of_a_stable_sort(size, dtype):
    rng = np.random.default_rng(size)
    for values in (rng.integers(4, size=size), np.zeros(size), rng.normal(size=size)):
        scores = values.astype(dtype)  # most have ties
        scores[: size // 3] = -np.inf
        order = np.argsort(-scores, kind="stable")
        for k in (1, 2, 5, 100, 200, 500):
            assert largest(scores, k).tolist() == order[:k].tolist()


def test_vectors_without_a_direction_are_never_found():
    space = Space(Vocabulary(["a", "zero", "c"]), np.array([[-1, 0], [0, 0], [0, 1]]))
    found = Search(space).nearest(np.array([[1.0, 0.0]]), 3)
    assert found.ids.tolist() == [[2, 0, -1]]


def test_what_is_refused(space, queries):
    with raises(UsageError, "k ", "at least 1", "got 0"):
        Search(space).nearest(queries, 0)
    with raises(UsageError, "1 lists", "17 queries"):
        Search(space).nearest(queries, 3, leave_out=[[1]])
    for wrong in (queries[0], queries[:, :5]):
        with raises(UsageError, wrong.shape, 12):
            Search(space).nearest(wrong, 3)
    with raises(UsageError, "'euclid'", *Measure):
        Search(space).nearest(queries, measure="euclid")
    bare = Space(space.vocabulary, space.target)
    with raises(MissingContextError, "PMI", "native"):
        Search(bare).nearest(queries, measure="pmi")
