"""Frames of a space: their moments in closed form, and rows computed one by one."""

import numpy as np
import pytest
from errors import raises
from random_spaces import made_space

from andornot import Space, Vocabulary
from andornot.base.errors import MissingContextError, UsageError
from andornot.experiments.jobs.frames import frame

SPACE = made_space([f"w{i}" for i in range(300)], np.random.default_rng(5), dim=6)
P = SPACE.probability


def covariance(rows):
    rows = rows.astype(float) - P @ rows.astype(float)
    return (rows * P[:, None]).T @ rows


def test_raw_and_centred_vectors():
    assert np.array_equal(frame(SPACE, "raw"), SPACE.target)
    np.testing.assert_allclose(frame(SPACE, "freq"), SPACE.target - P @ SPACE.target, atol=1e-6)


@pytest.mark.parametrize("strength", [0.25, 0.5, 0.75, 1.0])
def test_whitening_in_part_leaves_a_power_of_the_covariance(strength):
    name = "white" if strength == 1 else f"part{strength:g}".replace("0.", ".")
    before = covariance(SPACE.target)
    values, directions = np.linalg.eigh(before)
    expected = (directions * values ** (1 - strength)) @ directions.T
    found = frame(SPACE, name)
    assert found.dtype == np.float32
    np.testing.assert_allclose(covariance(found), expected, atol=1e-5)
    np.testing.assert_allclose(P @ found, 0, atol=1e-6)


def test_all_but_the_top_has_lost_a_direction():
    uniform = SPACE.target - SPACE.target.mean(axis=0)
    top = np.linalg.svd(uniform)[2][0]
    expected = uniform - np.outer(uniform @ top, top)
    np.testing.assert_allclose(frame(SPACE, "abtt"), expected, atol=1e-5)


@pytest.mark.parametrize("name", ["raw", "freq", "white", "part.5"])
def test_both_sides_are_mapped_by_themselves_and_have_the_same_size(name):
    both = frame(SPACE, f"[v;u] {name}")
    turned = Space(SPACE.vocabulary, SPACE.context, SPACE.target)
    for side, rows in ((both[:, :6], frame(SPACE, name)), (both[:, 6:], frame(turned, name))):
        size = np.sqrt((rows.astype(float) ** 2).sum(axis=1).mean())
        np.testing.assert_allclose(side, rows / size, atol=1e-6)


@pytest.mark.parametrize("name", ["whit", "part5", "part.", "[v;u]white", ""])
def test_an_unknown_frame_is_named(name):
    with raises(UsageError, repr(name), "white"):
        frame(SPACE, name)


def test_a_space_without_contexts_has_no_frame_of_both():
    alone = Space(Vocabulary(["a"]).with_counts({"a": 1}), np.ones((1, 2)))
    with raises(MissingContextError, "[v;u] white"):
        frame(alone, "[v;u] white")
