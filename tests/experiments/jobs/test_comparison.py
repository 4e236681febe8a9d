"""Choices among settings: means and gains, item by item."""

import numpy as np
import pytest

from andornot.experiments.jobs.comparison import Comparison, of_method
from andornot.experiments.jobs.halves import is_reported
from andornot.experiments.jobs.job import ANY, mean_of

KEYS = [f"item {i}" for i in range(30)]
CLUSTERS = [str(i // 3) for i in range(30)]
RNG = np.random.default_rng(8)
FIGURES = {name: RNG.normal(size=30).tolist() for name in ("raw: a", "raw: b", "white: a")}
COMPARISON = Comparison(KEYS, FIGURES, CLUSTERS)


def chosen_by_hand(wanted):
    found = []
    for item, key in enumerate(KEYS):
        other = [i for i, each in enumerate(KEYS) if is_reported(each) != is_reported(key)]
        best = max(wanted, key=lambda name: sum(FIGURES[name][i] for i in other))
        found.append((best, FIGURES[best][item]))
    return found


@pytest.mark.parametrize("wanted", [list(FIGURES), ["raw: a", "raw: b"], ["white: a"]])
def test_means_and_gains_are_of_the_chosen_settings(wanted):
    choice = COMPARISON.choose(lambda setting: setting in wanted)
    by_hand = chosen_by_hand(wanted)
    values = [value for _, value in by_hand]
    assert COMPARISON.mean(choice) == mean_of(values, CLUSTERS)
    first = COMPARISON.choose(lambda setting: setting == "raw: a")
    gains = np.array(values) - FIGURES["raw: a"]
    assert COMPARISON.gain(choice, first) == mean_of(gains, CLUSTERS)
    same = {"raw: a": "raw: b", "raw: b": "raw: b", "white: a": "white: a"}
    gains = [value - FIGURES[same[name]][i] for i, (name, value) in enumerate(by_hand)]
    np.testing.assert_allclose(COMPARISON.gain(choice, same.get), mean_of(gains, CLUSTERS))


def test_the_means_of_all_settings():
    assert COMPARISON.means == pytest.approx({n: np.mean(v) for n, v in FIGURES.items()})


def test_the_settings_of_a_method():
    names = ["raw: a", "raw: b, 1", "raw: b, 2", "white: b, 1"]
    assert Comparison(KEYS, dict.fromkeys(names, FIGURES["raw: a"])).methods == ["a", "b"]
    assert list(filter(of_method("b"), names)) == names[1:]
    assert list(filter(of_method("b", "raw"), names)) == names[1:3]
    assert list(filter(of_method(ANY), names)) == names
    assert list(filter(of_method(ANY, "white"), names)) == names[3:]
