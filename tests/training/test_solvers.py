"""The trainers' arithmetic against brute force, closed forms and least squares."""

from dataclasses import replace

import numpy as np
import pytest
from errors import raises
from random_counts import EXPONENT, K, random_counts, sgns_by_hand
from scipy.special import expit

from andornot import Space, Vocabulary
from andornot.base.errors import UsageError
from andornot.training import Settings, glove_loss, sgns_loss, train
from andornot.training.arithmetic import exp_negative, sigmoid, softplus
from andornot.training.balancing import balance, scores_beyond
from andornot.training.drawing import alias_table, draw_alias, generator, shuffle
from andornot.training.glove_kernels import Factors, Pairs, train_rows
from andornot.training.glove_row_kernels import Facing, Precision, solve_rows
from andornot.training.sgns_gradient import Loss
from andornot.training.sgns_kernels import Grouping, train_stretch
from andornot.words.counts import Counts, CountsOrigin


@pytest.fixture
def counts():
    return random_counts()


@pytest.fixture
def factors():
    rng = np.random.default_rng(4)
    v, u = rng.normal(size=(2, 23, 7)).astype(np.float32)
    a, b = rng.normal(size=(2, 23)).astype(np.float32)
    return Factors(v, u, a, b)


def test_functions_of_the_logistic():
    x = np.linspace(-39, 39, 4001).astype(np.float32)
    exact = x.astype(float)
    assert [exp_negative(-abs(value)) for value in x] == pytest.approx(
        np.exp(-abs(exact)), rel=3e-6
    )
    assert [sigmoid(value) for value in x] == pytest.approx(expit(exact), rel=3e-6)
    assert [softplus(value) for value in x] == pytest.approx(np.logaddexp(0, exact), rel=5e-6)
    for far in (-1e30, 1e30, -np.inf, np.inf):
        assert sigmoid(np.float32(far)) == pytest.approx(expit(far), abs=1e-16)
    assert np.isnan(sigmoid(np.float32(np.nan)))


def test_draws_follow_their_weights():
    weights = np.random.default_rng(1).random(50) ** 4
    state = generator(9)
    tables = alias_table(weights)
    drawn = np.bincount([draw_alias(state, *tables) for _ in range(200_000)], minlength=50)
    expected = 200_000 * weights / weights.sum()
    assert ((drawn - expected) ** 2 / np.maximum(expected, 1)).sum() < 100  # 49 expected


def test_a_shuffle_is_a_permutation_and_has_no_favourites():
    seen = np.zeros((5, 5))
    state = generator(3)
    for _ in range(20_000):
        items = np.arange(5, dtype=np.int32)
        shuffle(state, items)
        seen[items, np.arange(5)] += 1
    assert (seen.sum(axis=0) == 20_000).all()
    np.testing.assert_allclose(seen / 20_000, 0.2, atol=0.015)


@pytest.mark.parametrize("threads", [1, 2])
def test_sgns_loss_and_gradient(counts, factors, threads):
    v, u, *_ = factors
    expected, by_v, by_u = sgns_by_hand(counts, v, u)
    loss = Loss(counts, K, EXPONENT, threads, head=100)
    of_v, value = loss.gradient(loss.target, v, u)
    assert value == pytest.approx(expected, rel=1e-5)
    np.testing.assert_allclose(of_v * loss.target.share[:, None], by_v, atol=1e-6)
    of_u, value = loss.gradient(loss.context, u, v)
    assert value == pytest.approx(expected, rel=1e-5)
    np.testing.assert_allclose(of_u * loss.context.share[:, None], by_u, atol=1e-6)


def test_words_without_neighbours_stay_put_and_break_nothing(counts, factors):
    """One that was never seen (count 0), and one that was, alone in its sentences."""
    v, u, *_ = factors
    vocabulary = counts.vocabulary
    words = Vocabulary([*vocabulary.words, "alone", "unseen"])
    values = np.append(vocabulary.counts.values, [4.0, 0.0])
    wider = replace(
        counts,
        vocabulary=words.with_counts(Counts(values, CountsOrigin.TRAINING, "a test")),
        row_starts=np.append(counts.row_starts, [counts.row_starts[-1]] * 2),
        marginal=np.append(counts.marginal, [0.0, 0.0]),
    )
    v, u = (np.vstack([side, np.zeros((2, 7), dtype=np.float32)]) for side in (v, u))
    expected, by_v, by_u = sgns_by_hand(wider, v, u)
    loss = Loss(wider, K, EXPONENT, 1, head=100)
    of_v, value = loss.gradient(loss.target, v, u)
    of_u, _ = loss.gradient(loss.context, u, v)
    assert value == pytest.approx(expected, rel=1e-5)
    np.testing.assert_allclose(of_v * loss.target.share[:, None], by_v, atol=1e-6)
    np.testing.assert_allclose((of_u * loss.context.share[:, None])[:-2], by_u[:-2], atol=1e-6)
    assert (of_v[-2:] == 0).all()
    assert (of_u[-2:] == 0).all()
    for model in ("sgns", "glove"):
        space = train(wider, Settings(model=model, solver="exact", dim=4, epochs=5), threads=1)
        assert np.isfinite(space.target).all()
        assert np.isfinite(space.context).all()
    space = train(wider, Settings(dim=4, epochs=5), threads=1)
    assert (space.target[-2:] == 0).all()


def test_columns_in_turn_add_up_to_the_whole(counts, factors):
    v, u, *_ = factors
    expected, by_v, _ = sgns_by_hand(counts, v, u)
    loss = Loss(counts, K, EXPONENT, 1, head=6)
    assert loss.stride > 3
    turns = [loss.gradient(loss.target, v, u, turn) for turn in range(loss.stride)]
    assert np.mean([value for _, value in turns]) == pytest.approx(expected, rel=1e-5)
    mean = np.mean([gradient for gradient, _ in turns], axis=0)
    np.testing.assert_allclose(mean * loss.target.share[:, None], by_v, atol=1e-6)
    assert abs(turns[0][1] - expected) > 1e-4  # each alone is an estimate


@pytest.mark.parametrize("head", [4, 9, 100])
def test_the_loss_of_the_most_frequent_words(counts, factors, head):
    """Weights of the whole, and no term or gradient of other words."""
    v, u, *_ = factors
    words = 9
    loss = Loss(counts, K, EXPONENT, 1, head, words=words)
    inside = (np.arange(len(v)) < words)[:, None]
    expected, by_v, by_u = sgns_by_hand(counts, v, u, inside @ inside.T)
    for side, rows, others, by_rows in ((loss.target, v, u, by_v), (loss.context, u, v, by_u)):
        turns = [loss.gradient(side, rows, others, turn) for turn in range(loss.stride)]
        assert np.mean([value for _, value in turns]) == pytest.approx(expected, rel=1e-5)
        mean = np.mean([gradient for gradient, _ in turns], axis=0)
        np.testing.assert_allclose(mean * side.share[:, None], by_rows, atol=1e-6)


def test_losses_of_a_space(counts, factors):
    v, u, a, b = factors
    space = Space(counts.vocabulary, v, u, a, b)
    by_hand = sgns_by_hand(counts, v, u)[0]
    assert sgns_loss(space, counts, negative=K, exponent=EXPONENT) == pytest.approx(by_hand)
    n = counts.matrix().toarray().astype(float)
    seen = n > 0
    errors = (v @ u.T + a[:, None] + b - np.log(np.where(seen, n, 1)))[seen]
    weights = np.minimum(1, n[seen] / 10) ** 0.75
    by_hand = (weights * errors**2).mean() / 2
    assert glove_loss(space, counts, x_max=10) == pytest.approx(by_hand, rel=1e-5)


@pytest.mark.parametrize("value", [0, -1, float("nan")])
@pytest.mark.parametrize("name", ["negative", "x_max", "alpha"])
def test_settings_of_a_loss_are_above_0(counts, factors, name, value):
    """And 0 is not taken for "as in the training"."""
    space = Space(counts.vocabulary, *factors)
    loss = sgns_loss if name == "negative" else glove_loss
    others = {"exponent": EXPONENT} if name == "negative" else {}
    with raises(UsageError, name, f"got {float(value) if others == {} else value}"):
        loss(space, counts, **others, **{name: value})


def test_balancing_keeps_the_products(factors):
    v, u = factors.target * 3, factors.context
    p = np.arange(1.0, 24) / np.arange(1.0, 24).sum()
    left, right = v.copy(), u.copy()
    balance(left, right, p)
    np.testing.assert_allclose(left @ right.T, v @ u.T, atol=1e-4)
    moments = [(side.T * p) @ side for side in (left, right)]
    np.testing.assert_allclose(*moments, atol=1e-4)
    np.testing.assert_allclose(moments[0], np.diag(np.diag(moments[0])), atol=1e-4)


@pytest.mark.parametrize("height", [4, 1000])
def test_words_whose_products_are_beyond_a_limit(factors, height, monkeypatch):
    monkeypatch.setattr("andornot.training.balancing._ROWS", height)
    monkeypatch.setattr("andornot.training.balancing._CONTEXTS", height - 1)
    v, u = factors.target, factors.context
    largest = (v @ u.T).max(axis=1)
    limit = float(np.sort(largest)[-4])  # three words are beyond it
    ids, highest = scores_beyond(v, u, limit)
    assert ids.tolist() == np.flatnonzero(largest > limit).tolist()
    np.testing.assert_allclose(highest, largest[ids], rtol=1e-6)


def test_a_sampled_step_is_the_gradient_in_expectation():
    """train_stretch over many seeds, against the sum over windows, distances and all words."""
    rng = np.random.default_rng(11)
    size, dim, window, rate = 12, 4, 3, 1e-4
    tokens = rng.integers(size, size=70).astype(np.int32)
    tokens[[20, 21, 44]] = -1
    noise = rng.random(size) + 0.2
    v, u = (rng.normal(size=(size, dim)).astype(np.float32) * 0.5 for _ in range(2))
    by_v, by_u = np.zeros((size, dim)), np.zeros((size, dim))
    pairs = np.zeros(size)
    q = noise / noise.sum()
    for centre, word in enumerate(tokens):
        for step in (-1, 1):
            for distance in range(1, window + 1):
                place = centre + step * distance
                if word < 0 or not 0 <= place < len(tokens) or tokens[place] < 0:
                    break
                weight = (window + 1 - distance) / window
                context = tokens[place]
                pull = weight * expit(-v[word] @ u[context])
                push = weight * K * q * expit(u @ v[word])
                by_v[word] += pull * u[context] - push @ u
                by_u[context] += pull * v[word]
                by_u -= np.outer(push, v[word])
                pairs[word] += weight
    tables = alias_table(noise)
    for places, passes in [(16, 1), (5, 4)]:
        moved_v, moved_u, mass = np.zeros_like(by_v), np.zeros_like(by_u), np.zeros(size)
        runs = 3000
        for seed in range(runs):
            target, context = v.copy(), u.copy()
            state = generator(seed)
            middle = 33
            for start, stop in [(0, middle), (middle, len(tokens))]:
                train_stretch(
                    *(tokens, start, stop, target, context, *tables, window, K),
                    *(Grouping(places, passes), rate, rate, state, mass),
                )
            moved_v += target - v
            moved_u += context - u
        np.testing.assert_allclose(mass / runs, pairs, rtol=0.03)
        for moved, expected in [(moved_v, by_v), (moved_u, by_u)]:
            error = np.linalg.norm(moved / runs / rate - expected) / np.linalg.norm(expected)
            assert error < 0.03


def test_adagrad_takes_gloves_steps(counts, factors):
    """One row, so that the order of the pairs is known: that of its columns."""
    rate, row = 0.05, 7
    sums = Factors(*(np.ones_like(part) for part in factors))
    v, u, a, b = (part.astype(float) for part in factors)
    gv, gu, ga, gb = (part.astype(float) for part in sums)
    loss = 0.0
    begin, end = counts.row_starts[row : row + 2]
    for c, x in zip(counts.columns[begin:end], counts.values[begin:end], strict=True):
        error = v[row] @ u[c] + a[row] + b[c] - np.log(x)
        push = min(1, x / 10) ** 0.75 * error
        loss += push * error / 2
        push *= rate
        to_v, to_u = push * u[c], push * v[row]
        v[row] -= to_v / np.sqrt(gv[row])
        u[c] -= to_u / np.sqrt(gu[c])
        a[row] -= push / np.sqrt(ga[row])
        b[c] -= push / np.sqrt(gb[c])
        gv[row] += to_v**2
        gu[c] += to_u**2
        ga[row] += push**2
        gb[c] += push**2
    pairs = Pairs(*counts.rows(2, 23), 10.0, 0.75, one_in=0)
    rows = np.array([row], dtype=np.int32)
    value, trained = train_rows(rows, pairs, factors, sums, rate, generator(1))
    assert trained == end - begin
    assert value == pytest.approx(loss, rel=1e-5)
    for ours, theirs in zip((*factors, *sums), (v, u, a, b, gv, gu, ga, gb), strict=True):
        np.testing.assert_allclose(ours, theirs, atol=2e-5)


@pytest.mark.parametrize("ridge", [0.0, 0.7])
def test_the_row_solver_reaches_least_squares(counts, factors, ridge):
    """In the coordinates of the other side as they are, without a rotation."""
    u, b = factors.context.astype(float), factors.context_bias.astype(float)
    pairs = Pairs(*counts.rows(3, 23), 10.0, 0.75, one_in=0)
    facing = Facing(factors.context, factors.context_bias, np.ones(7, dtype=np.float32))
    rows, bias = factors.target[3:].copy(), factors.target_bias[3:].copy()
    solve_rows(pairs, facing, rows, bias, Precision(ridge, 1e-6, 60), 0.0)
    penalty = np.sqrt(ridge) * np.eye(7, 8)  # of the vector, not of the bias
    for row in range(3, 23):
        begin, end = counts.row_starts[row : row + 2]
        columns, x = counts.columns[begin:end], counts.values[begin:end].astype(float)
        root = np.sqrt(np.minimum(1, x / 10) ** 0.75)
        system = np.column_stack([u[columns], np.ones(len(x))]) * root[:, None]
        system = np.vstack([system, penalty])
        wanted = np.append((np.log(x) - b[columns]) * root, np.zeros(7))
        best = ((system @ np.linalg.lstsq(system, wanted)[0] - wanted) ** 2).sum()
        found = np.append(rows[row - 3], bias[row - 3])
        assert ((system @ found - wanted) ** 2).sum() == pytest.approx(best, rel=1e-3, abs=1e-4)
