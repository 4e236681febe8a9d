"""What a trained space says of its corpus, which may have more files than a header can name."""

import pytest

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
    names = [f"/data/corpus/{i:0>200}.txt" for i in range(130_000)]
    stored = corpus_names.corpus_settings(names, "1f")
    assert stored == {"corpus": names[:1000], "corpus_files": 130_000, "corpus_key": "1f"}
