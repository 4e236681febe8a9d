"""Both ways of AND on a planted table: centring leaves eps_c, the known shift nothing."""

import numpy as np
import pytest
from factorisations import planted

from andornot import Space
from andornot.experiments.exact_and import exact_and, exact_and_table
from andornot.experiments.triples import Triple

ASKED = [Triple("E01", 1, 2, 3, (3,)), Triple("E02", 4, 5, 6, (6,))]


def test_errors_and_ranks_against_the_planted_pmi():
    space, pmi = planted("sgns")
    found = exact_and(space, ASKED)
    p = space.probability
    eps_c = -(p @ pmi)
    assert found.error_by_centring == pytest.approx(np.sqrt(p @ eps_c**2), rel=1e-3)
    # the vectors are of a lower rank than the table, so that no vector has the known scores
    q = p**0.75 / (p**0.75).sum()
    zero = -np.log(7 * q / p)
    root = np.sqrt(p)
    best = np.linalg.lstsq(root[:, None] * space.context, root * zero, rcond=1e-5)[0]
    rms = np.sqrt(p @ (space.context @ best - zero) ** 2)
    assert found.error_with_shift == pytest.approx(rms, rel=1e-2)
    assert found.error_with_shift < found.error_by_centring / 2
    v = space.target - p @ space.target
    unit = v / np.linalg.norm(v, axis=1, keepdims=True)
    expected = []
    for triple in ASKED:
        scores = unit @ (v[triple.x] + v[triple.y])
        expected.append(1 / np.count_nonzero(scores >= scores[triple.z]))
    assert found.by_centring == pytest.approx(np.mean(expected))
    assert found.change.value == pytest.approx(found.with_shift - found.by_centring)
    assert str(found.change) in exact_and_table({"SGNS": found}).markdown()


def test_a_space_that_does_not_know_its_shift_is_left_out():
    space, _ = planted("sgns")
    bare = Space(space.vocabulary, space.target)
    assert exact_and(bare, ASKED) is None
    unknown = Space(space.vocabulary, space.target, space.context)
    assert exact_and(unknown, ASKED) is None
