"""Hypernyms of words: of a small WordNet by hand, and of the real one by walking through it."""

import numpy as np
import pytest
from errors import raises

from andornot.datasets.hypernyms import hypernym_rows
from andornot.datasets.locating import MissingSetError
from andornot.datasets.wordnet import wordnet, wordnet_folder


def test_rows_of_a_small_wordnet(small_wordnet):
    words = ["Dog", "cats", "poodle", "law", "geese"]
    (small_wordnet / "noun.exc").write_text("geese cat\n")
    rows = hypernym_rows(words).toarray()
    # synsets: dog, animal, cat, poodle; animal is above 4 of the 5 words
    animal, dog, cat, poodle = np.log(5 / 4), np.log(5 / 2), np.log(5 / 2), np.log(5 / 1)
    lengths = [
        np.hypot(animal, dog),
        np.hypot(animal, cat),
        np.sqrt(animal**2 + dog**2 + poodle**2),
    ]
    np.testing.assert_allclose(np.linalg.norm(rows, axis=1), [1, 1, 1, 0, 1], atol=1e-6)
    products = rows @ rows.T
    assert products[0, 1] == pytest.approx(animal**2 / (lengths[0] * lengths[1]), abs=1e-6)
    assert products[0, 2] == pytest.approx(
        (animal**2 + dog**2) / (lengths[0] * lengths[2]), abs=1e-6
    )
    assert products[1, 4] == pytest.approx(1, abs=1e-6)  # an irregular plural


def test_without_wordnet_an_error_says_how_to_get_it(tmp_path, monkeypatch):
    from small_wordnet import forget_wordnet

    monkeypatch.setenv("ANDORNOT_DATA", str(tmp_path))
    monkeypatch.setattr("andornot.datasets.locating.fetched_folder", lambda: tmp_path)
    forget_wordnet()
    with raises(MissingSetError, "wordnet"):
        hypernym_rows(["dog"])
    forget_wordnet()


@pytest.mark.skipif(wordnet_folder() is None, reason="WordNet is not here")
def test_one_pass_over_the_real_files_finds_what_single_lookups_find():
    net = wordnet("n")
    for lemma in ("violin", "dog", "entity", "paris", "bank"):
        offsets = net.meanings[lemma]
        synsets = net.of(lemma)
        assert [net.synset(offset) for offset in offsets] == synsets
        assert [net.all_above[offset] for offset in offsets] == [each.above for each in synsets]
