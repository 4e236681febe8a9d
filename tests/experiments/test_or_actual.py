"""OR words of WordNet."""

import numpy as np
import pytest
from random_spaces import made_space

from andornot.experiments.or_actual import cosines, or_words


@pytest.mark.usefixtures("small_wordnet")
def test_or_words_of_wordnet():
    rng = np.random.default_rng(2)
    space = made_space(["animal", "dog", "cat", "poodle", "law"], rng)
    assert [
        (space.vocabulary.word(w), [space.vocabulary.word(k) for k in kinds])
        for w, kinds in or_words(space, "n")
    ] == [("animal", ["dog", "cat"])]
    rare = made_space(["animal", "dog", "cat"], rng, counts={"animal": 999, "dog": 99, "cat": 100})
    assert or_words(rare, "n") == []
    p = space.probability
    expected = (p[1] * space.target[1] + p[2] * space.target[2]) / (p[1] + p[2])
    own, _ = cosines(space, "none", or_words(space, "n"), seed=1)
    lengths = np.linalg.norm(expected) * np.linalg.norm(space.target[0])
    assert own == pytest.approx(expected @ space.target[0] / lengths, abs=1e-5)
