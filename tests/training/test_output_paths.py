"""Where a training can put what it makes."""

import numpy as np
import pytest

from andornot.base.errors import AndornotError
from andornot.corpus import open_corpus
from andornot.training import Settings, train


@pytest.fixture
def corpus(tmp_path_factory):
    folder = tmp_path_factory.mktemp("text")
    numbers = np.random.default_rng(5).integers(9, size=200)
    (folder / "text.txt").write_text(" ".join(f"w{number}" for number in numbers))
    return open_corpus([folder / "text.txt"], cache=folder / "cache")


def test_output_that_could_not_be_written(corpus, tmp_path):
    for place in (tmp_path, "/", ".", "/dev/null", tmp_path / ("x" * 300)):
        with pytest.raises(AndornotError):
            train(corpus, Settings(dim=4), output=place, force=True)
    for name, part in [("v.txt", "no room"), ("none/v.safetensors", "folder doesn't exist")]:
        with pytest.raises(AndornotError, match=part):
            train(corpus, Settings(dim=4), output=tmp_path / name)
    (tmp_path / "old.safetensors").write_text("mine")
    with pytest.raises(AndornotError, match="exists already"):
        train(corpus, Settings(dim=4), output=tmp_path / "old.safetensors")
    assert (tmp_path / "old.safetensors").read_text() == "mine"
