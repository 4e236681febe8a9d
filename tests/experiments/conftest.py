"""A small text for the trainings of experiments."""

import numpy as np
import pytest

from andornot.corpus import open_corpus


@pytest.fixture
def corpus(tmp_path):
    rng = np.random.default_rng(4)
    words = [f"w{i}" for i in range(30)]
    p = 1 / np.arange(1, 31)
    text = tmp_path / "text.txt"
    text.write_text(" ".join(rng.choice(words, size=6000, p=p / p.sum())))
    return open_corpus([text], cache=tmp_path / "cache")
