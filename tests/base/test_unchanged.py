"""Inputs that another program replaces while they are read: never parts of the old and the new."""

import os
import zipfile

import numpy as np
import pytest
from errors import raises
from texts import corpus_of, random_lines

import andornot
from andornot.base.errors import FileError
from andornot.base.regular_files import unchanged
from andornot.base.tensors import find_tensor
from andornot.cooccurrence import count, load_counts, store
from andornot.formats import native

REPLACED = "while it was read"


def save(path, size, value):
    words = andornot.Vocabulary([f"w{i}" for i in range(size)])
    andornot.save(andornot.Space(words, np.full((size, 4), value, np.float32)), path)
    return path


@pytest.mark.parametrize("size", [9, 3, 90], ids=["as large", "smaller", "larger"])
def test_a_space_that_is_replaced(tmp_path, monkeypatch, size):
    path = save(tmp_path / "a.safetensors", 9, 1.0)
    new = save(tmp_path / "new.safetensors", size, 2.0)

    def replaced_before(*arguments):
        if new.exists():
            os.replace(new, path)
        return find_tensor(*arguments)

    monkeypatch.setattr(native, "find_tensor", replaced_before)
    with raises(FileError, path, REPLACED, "try again"):
        andornot.load(path)
    assert andornot.load(path).target[0, 0] == 2


def test_counts_that_are_replaced(tmp_path, monkeypatch):
    corpus = corpus_of(tmp_path, random_lines(3))
    path, new = tmp_path / "counts", tmp_path / "new"
    for output, window in ((path, 2), (new, 3)):
        count(corpus, window=window, min_count=1, output=output)
    read_words = store.read_words

    def replaced_after(*arguments):
        words = read_words(*arguments)
        if new.exists():
            path.rename(tmp_path / "old")
            new.rename(path)
        return words

    monkeypatch.setattr(store, "read_words", replaced_after)
    with raises(FileError, path, REPLACED, "try again"):
        load_counts(path)
    assert load_counts(path).settings["window"] == 3


def test_what_is_not_replaced(tmp_path):
    path = save(tmp_path / "a.safetensors", 3, 1.0)
    with unchanged(tmp_path), unchanged(path), unchanged("hf:a/model"):
        (tmp_path / "another").touch()
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr("a.vec", "king 1 2\nqueen 3 4\n")
    assert len(andornot.load(tmp_path / "a.zip" / "a.vec")) == 2
    with raises(FileError, "not valid JSON"), unchanged(path):
        raise FileError(path, "the header is not valid JSON", "make it again")


def interrupted(path):
    with unchanged(path):
        path.touch()
        raise KeyboardInterrupt


def test_an_interruption_stays_one(tmp_path):
    with pytest.raises(KeyboardInterrupt):
        interrupted(save(tmp_path / "a.safetensors", 3, 1.0))
