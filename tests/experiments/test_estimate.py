"""What a training takes."""

import pytest

from andornot.base.formatting import readable_time
from andornot.cooccurrence import count
from andornot.experiments import Training
from andornot.experiments.estimate import estimate
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


def test_the_estimate_grows_with_the_text(corpus, monkeypatch):
    """The trial counts less than the whole text, and the half of the trial less than the trial."""
    sizes = []

    def counted(text, **settings):
        found = count(text, **settings)
        sizes.append(found.total)
        return found

    monkeypatch.setattr("andornot.experiments.estimate.count", counted)
    monkeypatch.setattr("andornot.experiments.estimate.TRIAL_TOKENS", 3000)
    monkeypatch.setattr("andornot.experiments.estimate.TRIAL_SECONDS", 0.01)
    estimate(Training(corpus, Settings(model="glove", solver="exact", dim=4, epochs=2), 5))
    trial, half = sizes
    whole = count(corpus, min_count=5, weights="harmonic").total
    assert 0.3 * trial < half < 0.7 * trial
    assert trial == pytest.approx(whole * 3000 / corpus.size, rel=0.2)


def test_readable_times():
    assert [readable_time(s) for s in (3, 60, 7200)] == ["3 s", "1.0 min", "2.0 h"]
