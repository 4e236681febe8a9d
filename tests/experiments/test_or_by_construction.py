"""Rows of counts that are added up, and the vectors that are solved for them."""

from dataclasses import replace

import numpy as np
import pytest
from errors import raises
from random_counts import EXPONENT, K, glove_by_hand, random_counts, sgns_by_hand

from andornot import AndornotError, Provenance, Space
from andornot.base.errors import MissingContextError
from andornot.cooccurrence.row_blocks import ArrayEntries
from andornot.experiments.or_by_construction import RowSolver, merged_rows
from andornot.experiments.or_compared import compared

DIM = 4


def made_model(counts, model, prior=0.0):
    rng = np.random.default_rng(5)
    v, u = 0.3 * rng.normal(size=(2, len(counts.vocabulary), DIM))
    biases = 0.1 * rng.normal(size=(2, len(counts.vocabulary)))
    settings = {"prior": prior, "x_max": 20.0, "alpha": 0.75}
    if model == "glove":
        record = Provenance("a test", model="glove", settings=settings)
        return Space(counts.vocabulary, v, u, *biases, marginal=counts.marginal, provenance=record)
    record = Provenance(
        "a test", model="sgns", negatives=K, negative_exponent=EXPONENT, settings=settings
    )
    return Space(counts.vocabulary, v, u, marginal=counts.marginal, provenance=record)


def row_of(counts, word):
    return counts.matrix()[word].toarray().ravel().astype(float)


@pytest.mark.parametrize("prior", [0.0, 3.0])
def test_the_gradient_of_a_row_of_sgns_is_zero(prior):
    counts = random_counts()
    space = made_model(counts, "sgns", prior)
    solver = RowSolver(space)
    target = space.target.astype(float)
    before = sgns_by_hand(counts, target, space.context)[1] * counts.total + prior * target
    for word in range(len(target)):
        row = solver.solve(row_of(counts, word), target[word])
        assert row.slope < 1e-7
        far = solver.solve(row_of(counts, word), target[word] + 20)
        np.testing.assert_allclose(far.vector, row.vector, atol=1e-4)  # wherever it begins
        target[word] = row.vector
    after = sgns_by_hand(counts, target, space.context)[1] * counts.total + prior * target
    assert np.abs(before).max() > 1
    assert np.abs(after).max() < 1e-4


@pytest.mark.parametrize("prior", [0.0, 3.0])
def test_a_row_of_glove_is_that_of_the_normal_equations(prior):
    counts = random_counts(60)  # every word has more contexts than unknowns
    space = made_model(counts, "glove", prior)
    solver = RowSolver(space)
    target, bias = space.target.astype(float), space.target_bias.astype(float)
    for word in range(len(target)):
        n = row_of(counts, word)
        seen = n > 0
        weights = np.minimum(1, n[seen] / 20.0) ** 0.75
        design = np.column_stack([space.context[seen].astype(float), np.ones(seen.sum())])
        matrix = design.T @ (weights[:, None] * design) + prior * np.diag([1.0] * DIM + [0.0])
        wanted = np.log(n[seen]) - space.context_bias[seen]
        expected = np.linalg.solve(matrix, design.T @ (weights * wanted))
        row = solver.solve(n, target[word])
        np.testing.assert_allclose(row.vector, expected[:-1], rtol=1e-6, atol=1e-8)
        assert row.slope < 1e-9
        target[word], bias[word] = row.vector, expected[-1]
    by_hand = glove_by_hand(counts, target, space.context, bias, space.context_bias, 20.0)
    assert np.abs(by_hand[1] + prior * target).max() < 1e-5


def test_a_row_of_glove_with_few_contexts_is_the_shortest_that_fits():
    space = made_model(random_counts(), "glove")
    n = np.zeros(len(space))
    n[[3, 8, 11]] = [5.0, 2.0, 9.0]  # three equations, five unknowns
    row = RowSolver(space).solve(n, np.zeros(DIM))
    design = np.column_stack([space.context[[3, 8, 11]].astype(float), np.ones(3)])
    wanted = np.log(n[[3, 8, 11]]) - space.context_bias[[3, 8, 11]]
    np.testing.assert_allclose(row.vector, (np.linalg.pinv(design) @ wanted)[:-1], atol=1e-6)


@pytest.mark.parametrize("model", ["sgns", "glove"])
def test_merged_rows_are_those_of_added_counts(model):
    counts = random_counts()
    space = made_model(counts, model)
    merged = merged_rows(space, counts, [(0, 3), (5, 5)])
    solver = RowSolver(space)
    for row, (a, b) in zip(merged.vectors, [(0, 3), (5, 5)], strict=True):
        expected = solver.solve(row_of(counts, a) + row_of(counts, b), np.zeros(DIM)).vector
        np.testing.assert_allclose(row, expected, atol=1e-4)
    assert merged.slope < 1e-7
    if model == "sgns":  # twice the counts of one word have the minimum of that word
        own = solver.solve(row_of(counts, 5), np.zeros(DIM)).vector
        np.testing.assert_allclose(merged.vectors[1], own, atol=1e-4)


def test_merged_rows_are_found_by_the_formula_where_pmi_is_small():
    """Theorem 3: with |PMI| << 1 the merged row is the weighted mean of the two."""
    rng = np.random.default_rng(8)
    counts = random_counts(30)
    p = rng.dirichlet(np.full(30, 5.0))
    pattern = 0.1 * rng.normal(size=(30, 30))
    table = 1e6 * np.outer(p, p) * np.exp((pattern + pattern.T) / 2)
    rows, columns = np.indices(table.shape).reshape(2, -1)
    dense = replace(
        counts,
        row_starts=np.arange(31) * 30,
        entries=ArrayEntries(columns.astype(np.int32), table[rows, columns].astype(np.float32)),
        marginal=table.sum(axis=1),
    )
    space = made_model(dense, "sgns")
    solver = RowSolver(space)
    solved = np.array(
        [solver.solve(row_of(dense, word), np.zeros(DIM)).vector for word in range(30)]
    )
    space = replace(space, target=solved.astype(np.float32))
    pairs = [(0, 1), (2, 3), (4, 5)]
    merged = merged_rows(space, dense, pairs)
    names = [(f"w{a}", f"w{b}") for a, b in pairs]
    for exact in (False, True):
        found = compared(space, "none", exact, names, merged.vectors)
        assert found.cosines.min() > 0.999
        assert found.ranks.tolist() == [1, 1, 1]
    shuffled = compared(space, "none", False, names, merged.vectors[::-1])
    assert shuffled.cosines[0] < found.cosines[0]


def test_rows_need_contexts_and_the_settings_of_the_model():
    space = made_model(random_counts(), "sgns")
    with raises(MissingContextError, "row"):
        RowSolver(replace(space, context=None))
    with raises(AndornotError, "k", "exponent"):
        RowSolver(replace(space, provenance=Provenance("a test")))
