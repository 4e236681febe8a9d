"""Hypernyms of words: of a small WordNet by hand, and of the real one by walking through it."""

import os
from itertools import pairwise

import numpy as np
import pytest
from commands import run_code
from errors import raises
from small_wordnet import forget_wordnet, written

from andornot.base.errors import FileError
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


def test_a_long_chain_of_hypernyms(small_wordnet):
    names = [f"w{number}" for number in range(3000)]
    synsets = {"w2999": "03 n 01 w2999 0 000 | top"}
    for below, above in pairwise(names):
        synsets[below] = f"03 n 01 {below} 0 001 @ {{{above}:08}} n 0000 | g"
    data, index = written(synsets)
    (small_wordnet / "data.noun").write_text(data)
    (small_wordnet / "index.noun").write_text(index)
    forget_wordnet()
    rows = hypernym_rows(["w0", "w2000", "w2999"])
    assert rows.shape[1] == 3000
    assert (rows.getrow(1) != 0).sum() == 999  # all but the one that is above all words


@pytest.mark.parametrize("name", ["data.noun", "index.noun", "noun.exc"])
def test_a_pipe_or_a_folder_in_place_of_a_file(small_wordnet, name):
    path = small_wordnet / name
    path.unlink(missing_ok=True)
    path.mkdir()
    with raises(FileError, path, "folder"):
        hypernym_rows(["dog"])
    path.rmdir()
    os.mkfifo(path)
    forget_wordnet()
    code = "import sys; from andornot.datasets.hypernyms import *; hypernym_rows(['dog'])"
    done = run_code(code, timeout=60)
    assert f"{path}: this is a pipe or a device" in done.stderr
