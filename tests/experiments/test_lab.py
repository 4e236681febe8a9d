"""What a lab trains and keeps, and on how much of a text."""

import lzma
from dataclasses import replace

import numpy as np
import pytest
from errors import raises

from andornot import Vocabulary
from andornot.corpus.edits import add_or_words
from andornot.experiments import Lab, Training
from andornot.training import Settings
from andornot.training import settings as settings_module
from andornot.training.running import DivergedTrainingError


def test_a_space_is_trained_once(corpus, tmp_path):
    said = []
    lab = Lab(cache=tmp_path / "kept", say=said.append)
    doubled, _ = add_or_words(corpus, 3, 20, 1)
    settings = Settings(model="sgns", solver="exact", dim=4, epochs=2)
    training = Training(doubled, settings, 20)
    space = lab.trained(training)
    assert len(said) == 1
    again = lab.trained(training)
    assert len(said) == 1
    np.testing.assert_array_equal(space.target, again.target)
    lab.trained(replace(training, settings=replace(settings, dim=5)))
    assert len(said) == 2
    some = lab.trained(replace(training, words=Vocabulary(doubled.choose(20).words[:9])))
    assert (len(said), len(some)) == (3, 9)


def test_parts_of_a_text(text8):
    whole, half = (Lab("here", part=part, cache=text8).text8 for part in (1.0, 0.5))
    assert whole.corpus.size == 60_000
    assert half.corpus.size == pytest.approx(30_000, abs=200)
    text = [w.corpus.vocabulary.word(n) for w in (whole, half) for n in w.corpus.tokens[:20]]
    assert text[:20] == text[20:]
    assert whole.name == "text8, its first 74 % (60,000 words)"
    assert half.name.startswith("the beginning of text8, its first 74 % (29,")


def test_a_text_of_another_content_is_another_text(text8, monkeypatch):
    words = Lab(cache=text8).text8.corpus.vocabulary.words
    other = text8 / "other" / "corpora"
    other.mkdir(parents=True)
    (other / "text8-prefix.txt.xz").write_bytes(lzma.compress(b"quite another text " * 3000))
    monkeypatch.setenv("ANDORNOT_DATA", str(text8 / "other"))
    assert set(Lab(cache=text8).text8.corpus.vocabulary.words) == {"quite", "another", "text"}
    assert "quite" not in words


def test_what_is_trained_depends_on_every_setting(text8, monkeypatch):
    lab = Lab("here", cache=text8)
    names = {
        each.text8_training(model, solver).name
        for each in (lab, replace(lab, seed=2), replace(lab, part=0.5))
        for model in ("sgns", "glove")
        for solver in ("exact", "sampled")
    }
    assert len(names) == 12
    before = lab.text8_training("sgns", "exact").name
    monkeypatch.setitem(settings_module.RATES, ("sgns", "exact"), 0.7)
    assert lab.text8_training("sgns", "exact").name != before


def test_a_training_that_fails_leaves_no_space(corpus, tmp_path, monkeypatch):
    def diverges(*arguments, output, **options):
        output.write_bytes(b"the last good state")
        raise DivergedTrainingError("the run diverged: lower --rate", True)

    monkeypatch.setattr("andornot.experiments.lab.train", diverges)
    training = Training(corpus, Settings(solver="exact", dim=4), 5)
    lab = Lab(cache=tmp_path / "kept")
    with raises(DivergedTrainingError, "lower --rate"):
        lab.trained(training)
    assert not (lab.home / training.name).exists()


def test_the_whole_of_text8_serves_for_its_beginning(text8, monkeypatch):
    (text8 / "data" / "corpora" / "text8-prefix.txt.xz").unlink()
    monkeypatch.setattr("andornot.experiments.lab._PREFIX_BYTES", 100_000)
    lab = Lab("here", cache=text8 / "kept")
    assert lab.has_text8
    assert lab.text8.name.startswith("text8, its first 74 % (2")
    whole = Lab("paper", cache=text8 / "kept").text8.corpus
    size = lab.text8.corpus.size
    some, every = (
        [each.vocabulary.word(n) for n in each.tokens[:size]] for each in (lab.text8.corpus, whole)
    )
    assert some == every
    assert whole.size == 60_000


def test_a_training_is_named_by_the_version_of_its_solver(corpus, monkeypatch):
    training = Training(corpus, Settings(solver="exact", dim=4), 5)
    before = training.name
    assert training.name == before
    monkeypatch.setitem(settings_module.VERSIONS, ("sgns", "exact"), 99)
    assert training.name != before
