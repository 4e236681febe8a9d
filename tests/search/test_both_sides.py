"""[v; u], whitened, without a copy: against the same computed with whole matrices."""

from dataclasses import replace

import numpy as np
import pytest
from errors import raises

from andornot.base.errors import UsageError
from andornot.search.both_sides import BothSides
from andornot.space import Space
from andornot.words.provenance import Provenance
from andornot.words.vocabulary import Vocabulary

SIZE, DIM = 60, 5


def a_space(*, context=True, counts=True, seed=0):
    rng = np.random.default_rng(seed)
    words = Vocabulary([f"w{i}" for i in range(SIZE)])
    if counts:
        words = words.with_counts({f"w{i}": 1 + i for i in range(SIZE)})
    v, u = (rng.normal(size=(SIZE, DIM)) @ rng.normal(size=(DIM, DIM)) + 1 for _ in range(2))
    return Space(words, v.astype(np.float32), u.astype(np.float32) if context else None)


def by_definition(rows, p, strength):
    """Centre, multiply by C^(-strength/2), and scale to a root mean square length of 1."""
    centred = rows.astype(float) - p @ rows
    variances, directions = np.linalg.eigh((centred * p[:, None]).T @ centred)
    mapped = centred @ (directions * variances ** (-strength / 2)) @ directions.T
    return mapped / np.sqrt(p @ (mapped**2).sum(axis=1))


@pytest.mark.parametrize("strength", [0.0, 0.5, 1.0])
@pytest.mark.parametrize("context", [True, False])
@pytest.mark.parametrize("counts", [True, False])
def test_rows_and_products_are_those_of_whole_matrices(strength, context, counts):
    space = a_space(context=context, counts=counts)
    p = space.probability if counts else np.full(SIZE, 1 / SIZE)
    sides = [space.target] + ([space.context] if context else [])
    rows = np.hstack([by_definition(side, p, strength) for side in sides])
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    found = BothSides(space, strength)
    assert found.width == DIM * len(sides)
    np.testing.assert_allclose(found.unit_rows(np.arange(SIZE)), rows, atol=1e-5)
    query = np.random.default_rng(1).normal(size=found.width)
    np.testing.assert_allclose(found.products(query), rows @ query, atol=1e-4)


def test_vectors_that_were_post_processed_stay_as_they_are():
    space = replace(a_space(context=False), provenance=Provenance(postprocess="frequency"))
    rows = space.target / np.linalg.norm(space.target, axis=1, keepdims=True)
    np.testing.assert_allclose(BothSides(space).unit_rows(np.arange(SIZE)), rows, atol=1e-6)


def test_a_word_without_a_direction_has_the_product_zero():
    rows = a_space(context=False).target.copy()
    rows[3] = 0
    space = replace(a_space(context=False), target=rows, provenance=Provenance(postprocess="none"))
    sides = BothSides(space)
    assert sides.has_direction.tolist() == [i != 3 for i in range(SIZE)]
    products = sides.products(np.ones(DIM))
    assert products[3] == 0
    assert np.isfinite(products).all()
    assert not sides.unit_rows([3]).any()


def test_a_strength_outside_of_0_to_1_is_refused():
    with raises(UsageError, "1.5", "between 0 and 1"):
        BothSides(a_space(), 1.5)
