"""A trained space names the first files of its corpus, so that its header stays small."""

from pathlib import Path

import pytest
from errors import raises

from andornot.base.errors import FileError
from andornot.base.tensors import header_bytes
from andornot.corpus import open_corpus
from andornot.training import Settings, corpus_names, train


@pytest.mark.parametrize("model", ["sgns", "glove"])
@pytest.mark.parametrize("solver", ["sampled", "exact"])
def test_only_the_first_files_are_named(tmp_path, monkeypatch, model, solver):
    files = [tmp_path / f"{i}.txt" for i in range(3)]
    for file in files:
        file.write_text("the king saw the queen and the queen saw the king\n" * 5)
    monkeypatch.setattr(corpus_names, "MOST_NAMES", 2)
    corpus = open_corpus(files)
    settings = Settings(model=model, solver=solver, dim=3, epochs=2, sample=1.0, window=2)
    stored = train(corpus, settings, min_count=1, threads=1).provenance.settings
    assert stored["corpus"] == [str(file) for file in files[:2]]
    assert stored["corpus_files"] == 3
    assert stored["corpus_key"] == corpus.key


def test_the_names_of_a_large_corpus_fit_in_a_header():
    names = [f"/data/corpus/{i:0>4000}.txt" for i in range(20_000)]  # the longest paths of Linux
    path = Path("a.safetensors")
    with raises(FileError, path, "header"):
        header_bytes({"corpus": names}, path)
    stored = corpus_names.corpus_settings(names, "1f")
    assert len(header_bytes(stored, path)) > 4_000_000
    assert stored["corpus_files"] == 20_000
