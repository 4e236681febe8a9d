"""What a training takes."""

import numpy as np
import pytest

from andornot.base.formatting import readable_time
from andornot.experiments import Training
from andornot.experiments.estimate import beginning, estimate
from andornot.training import Settings


@pytest.mark.parametrize(
    ("model", "solver"),
    [("sgns", "sampled"), ("sgns", "exact"), ("glove", "sampled"), ("glove", "exact")],
)
def test_estimates_of_what_a_training_takes(corpus, model, solver, monkeypatch):
    monkeypatch.setattr("andornot.experiments.estimate.TRIAL_TOKENS", 3000)
    monkeypatch.setattr("andornot.experiments.estimate.TRIAL_SECONDS", 0.01)
    settings = Settings(model=model, solver=solver, dim=4, epochs=50)
    found = estimate(Training(corpus, settings, 5))
    assert 0 < found.seconds < 60
    words = len(corpus.choose(5))
    vectors = 4 * 2 * words * 4
    assert vectors <= found.memory <= 3 * vectors + 12 * words**2


def test_the_beginning_of_a_corpus(corpus):
    part = beginning(corpus, 100)
    assert part.size == 100
    np.testing.assert_array_equal(part.tokens, corpus.tokens[:100])
    assert part.key != corpus.key
    assert beginning(corpus, 10**9) is corpus
    assert [readable_time(s) for s in (3, 60, 7200)] == ["3 s", "1.0 min", "2.0 h"]
