"""A small text for the trainings of experiments, and small models of it."""

from dataclasses import replace

import numpy as np
import pytest

from andornot.base.choices import Model, Scale
from andornot.corpus import open_corpus
from andornot.experiments import lab


@pytest.fixture
def corpus(tmp_path):
    rng = np.random.default_rng(4)
    words = [f"w{i}" for i in range(30)]
    p = 1 / np.arange(1, 31)
    text = tmp_path / "text.txt"
    text.write_text(" ".join(rng.choice(words, size=6000, p=p / p.sum())))
    return open_corpus([text], cache=tmp_path / "cache")


@pytest.fixture
def small_models(monkeypatch):
    """Trainings on text8 that take a moment: few dimensions, one epoch."""
    small = replace(lab.TEXT8[Scale.QUICK], dim=6)
    monkeypatch.setitem(lab.TEXT8, Scale.QUICK, small)
    for model in Model:
        monkeypatch.setitem(lab.EPOCHS, model, 1)
