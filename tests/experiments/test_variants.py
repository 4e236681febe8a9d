"""Trainings that test why a figure differs from the paper's."""

from dataclasses import replace

import numpy as np
import pytest
from errors import assert_names

from andornot.experiments import Lab, Training, phrases, words
from andornot.experiments.intervals import mean_interval
from andornot.experiments.variants import GLOVE_AUTO, what_changes
from andornot.training import Settings

GLOVE = Training(None, Settings("glove", "sampled"), 20)
SGNS = Training(None, Settings("sgns", "sampled"), 20)


@pytest.fixture(autouse=True)
def both(monkeypatch):
    monkeypatch.setattr(Lab, "phrase_trainings", lambda lab: {"SGNS": SGNS, "GloVe": GLOVE})


def test_words_and_phrases_train_another_x_max_beyond_the_quick_scale():
    assert words.trainings(Lab()) == {}
    assert list(phrases.trainings(Lab())) == ["SGNS", "GloVe"]
    for experiment in (words, phrases):
        here = experiment.trainings(Lab("here"))
        assert list(here) == ["SGNS", "GloVe", GLOVE_AUTO]
        assert here["GloVe"].settings.x_max == 100
        assert here[GLOVE_AUTO] == replace(GLOVE, settings=replace(GLOVE.settings, x_max=None))
        assert list(experiment.trainings(Lab("here", part=0.5))) == ["SGNS", "GloVe"]


@pytest.mark.parametrize("experiment", [phrases, words])
def test_a_thorough_run_trains_rarer_words(experiment):
    found = experiment.trainings(Lab("here", thorough=True))
    assert list(found)[3:] == ["SGNS, minimal count of 5", "SGNS, minimal count of 2"]
    assert [each.min_count for each in list(found.values())[3:]] == [5, 2]
    assert {each.settings for each in list(found.values())[3:]} == {SGNS.settings}


def test_what_x_max_accounts_for():
    rng = np.random.default_rng(2)
    fall, rise = (change + 0.02 * rng.normal(size=300) for change in (-0.01, 0.01))
    said = what_changes(GLOVE_AUTO, fall, rise)
    assert_names(said, "accounts for", mean_interval(fall), mean_interval(rise))
    assert_names(what_changes(GLOVE_AUTO, rise, fall), "does not account")
    assert_names(what_changes(GLOVE_AUTO, fall, fall), "not shown")
