"""What experiments say that they need is what they need."""

import pytest

from andornot.datasets import DATASETS
from andornot.datasets.locating import MissingSetError
from andornot.experiments import EXPERIMENTS, Lab, Scale, datasets, run, trainings

EVERY = [(name, scale) for name in EXPERIMENTS for scale in Scale]


@pytest.fixture
def nothing_here(tmp_path, monkeypatch):
    """No set at all."""
    monkeypatch.setenv("ANDORNOT_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("ANDORNOT_CACHE", str(tmp_path / "cache"))


@pytest.mark.parametrize(("name", "scale"), EVERY)
def test_the_first_missing_set_is_named_before_any_work(nothing_here, name, scale):
    lab = Lab(scale)
    needed = datasets(name, lab)
    assert set(needed) <= set(DATASETS)
    if needed:
        with pytest.raises(MissingSetError) as caught:
            run(name, lab)
        assert caught.value.name == needed[0]


@pytest.mark.parametrize(("name", "scale"), EVERY)
def test_trainings_read_declared_sets_alone(nothing_here, monkeypatch, name, scale):
    asked = []

    def locate(key):
        asked.append(key)
        raise MissingSetError(key, f"{key} isn't here")

    for module in ("lab", "triples", "sts", "sts_final", "antonyms"):
        monkeypatch.setattr(f"andornot.experiments.{module}.locate", locate)
    monkeypatch.setattr("andornot.datasets.compounds.locate", locate)
    lab = Lab(scale)
    try:
        trainings(name, lab)
    except MissingSetError:
        assert asked[0] in datasets(name, lab)
    else:
        assert asked == []
