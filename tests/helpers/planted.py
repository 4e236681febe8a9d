"""A small space with planted vectors, and every kind of logic over it."""

from functools import partial

import numpy as np
import pytest

from andornot import Provenance, Space, Vocabulary
from andornot.algebra import Logic
from andornot.words.counts import Counts, CountsOrigin

SIZE, DIM = 24, 5
WORDS = [f"w{i}" for i in range(SIZE)]


def make_space(glove=False):
    rng = np.random.default_rng(12)
    counts = Counts(1000.0 / np.arange(1, SIZE + 1), CountsOrigin.TRAINING, "a test")
    v, u = rng.normal(size=(2, SIZE, DIM)) * 0.4 + rng.normal(size=(2, 1, DIM)) * 0.3
    biases = rng.normal(size=(2, SIZE)) if glove else (None, None)
    record = Provenance("a test", model="sgns", negatives=5, negative_exponent=0.75)
    return Space(Vocabulary(WORDS, counts), v, u, *biases, provenance=record)


SPACE = make_space()
PaperLogic = partial(Logic, weights="frequency")
LOGICS = {
    "first-order": PaperLogic(SPACE),
    "exact": PaperLogic(SPACE, exact=True),
    "exact-glove": PaperLogic(make_space(glove=True), exact=True),
    "uniform-weights": Logic(SPACE),
    "whitened": PaperLogic(SPACE, postprocess="zipfian-whitening"),
    "whitened-exact": PaperLogic(SPACE, postprocess="zipfian-whitening", exact=True),
    "untouched": PaperLogic(SPACE, postprocess="none", exact=True),
}
every_logic = pytest.mark.parametrize("logic", LOGICS.values(), ids=LOGICS)


def assert_same_concept(left, right):
    """The same vector, probability and frame."""
    np.testing.assert_allclose(left.vector, right.vector, atol=2e-4)
    assert left.probability == pytest.approx(right.probability)
    assert left.frame == right.frame
