"""Ways of "A and not B", beside their definitions written out."""

import numpy as np
import pytest

from andornot.base.moments import unit_rows
from andornot.experiments.jobs.exclusions import (
    ANGLES,
    IGNORING,
    PAPER,
    TURNED,
    VECTORS,
    Neighbourhood,
    by_scores,
    by_vectors,
    way_of,
)

RNG = np.random.default_rng(3)
ITEMS = unit_rows(RNG.normal(size=(50, 6)))
A, B = unit_rows(RNG.normal(size=(2, 6)))
NEAR = Neighbourhood(unit_rows(RNG.normal(size=(40, 6))), RNG.random(40))


def cosine(x, y):
    return float(x @ y / np.linalg.norm(x) / np.linalg.norm(y))


def test_vectors_are_what_their_names_say():
    found = by_vectors(ITEMS, A, B, NEAR)
    assert found.keys() == VECTORS.keys()
    np.testing.assert_allclose(found[IGNORING], [cosine(A, item) for item in ITEMS])
    np.testing.assert_allclose(found["2A - B"], 2 * (ITEMS @ A) - ITEMS @ B)
    np.testing.assert_allclose(found["A - B"], ITEMS @ A - ITEMS @ B)
    rest = sum(NEAR.probabilities[i] * NEAR.rows[i] for i in range(20))
    expected = ITEMS @ (A + rest / NEAR.probabilities[:20].sum())
    np.testing.assert_allclose(found[PAPER], expected)
    left = VECTORS["orthogonal"](A, B, NEAR)
    assert left @ B == pytest.approx(0)
    assert cosine(left, A) == pytest.approx(np.sqrt(1 - (A @ B) ** 2))


@pytest.mark.parametrize("angle", ANGLES)
def test_a_turn_goes_away_from_b_and_not_too_far(angle):
    near_b = unit_rows((B + 0.5 * A)[None])[0]
    turned = VECTORS[f"{TURNED}, {angle:g}"](near_b, B, NEAR)
    assert cosine(turned, near_b) == pytest.approx(np.cos(angle))
    assert cosine(turned, B) < cosine(near_b, B)
    plane = np.linalg.matrix_rank(np.stack([turned, near_b, B]), tol=1e-6)
    assert plane == 2


@pytest.mark.parametrize(("size", "weight"), [(10, 0.2), (30, 1.0)])
def test_re_ranking_moves_only_the_best_of_a(size, weight):
    of_a, of_b = ITEMS @ A, ITEMS @ B
    order = sorted(range(50), key=lambda i: -of_a[i])
    best = order[:size]
    z = [(s[best] - s[best].mean()) / s[best].std() for s in (of_a, of_b)]
    again = dict(zip(best, z[0] - weight * z[1], strict=True))
    expected = sorted(best, key=lambda i: -again[i]) + order[size:]
    found = by_scores(of_a, of_b, [size])[f"re-ranking, {size}, {weight:g}"]
    assert np.argsort(-found).tolist() == expected


def test_b_beyond_a_is_not_correlated_with_a():
    of_a, of_b = ITEMS @ A, ITEMS @ (A + B)
    found = by_scores(of_a, of_b, [10])
    a = (of_a - of_a.mean()) / of_a.std()
    beyond = a - found["z(A) - z(B beyond A), 1"]
    assert np.corrcoef(beyond, of_a)[0, 1] == pytest.approx(0, abs=1e-9)
    assert beyond.std() == pytest.approx(1)
    slope, start = np.polyfit(of_a, of_b, 1)
    assert np.corrcoef(beyond, of_b - slope * of_a - start)[0, 1] == pytest.approx(1)


def test_settings_of_one_way_have_its_name():
    names = by_scores(ITEMS @ A, ITEMS @ B, [10, 20])
    assert len(names) == 12
    assert {way_of(name) for name in names} == {
        "re-ranking",
        "z(A) - z(B)",
        "z(A) - z(B beyond A)",
    }
