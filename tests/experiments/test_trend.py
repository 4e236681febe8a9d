"""An experiment on parts of a text."""

from types import SimpleNamespace

import pytest
from errors import raises

from andornot import Vocabulary
from andornot.base.errors import UsageError
from andornot.experiments import Finding, Lab, Result
from andornot.experiments.summary import write_summary
from andornot.experiments.trend import trend

matplotlib = pytest.importorskip("matplotlib")


def test_the_trend_of_an_experiment(monkeypatch, tmp_path):
    def made(name, lab):
        assert lab.always_train  # the default model is no part of a text
        assert lab.asks("king", "queen")
        assert not lab.asks("king", "duke")  # one of the models doesn't know it yet
        findings = (
            Finding("MRR", 0.1 * lab.part, 0.2),
            Finding("size", lab.part),
            Finding("rise", -lab.part, 0.5),
        )
        return Result(name, "T", f"{lab.part:.0%} of a text", "It is.", (), {}, findings)

    def needed(name, lab):
        assert (name, lab.part) == ("words", 0.25)  # what the first part knows is asked of all
        vocabularies = [["king", "queen", "duke"], ["queen", "king"]]
        return [SimpleNamespace(vocabulary=Vocabulary(words)) for words in vocabularies]

    monkeypatch.setattr("andornot.experiments.trend.run", made)
    monkeypatch.setattr("andornot.experiments.trend.trainings", needed)
    result = trend("words", Lab())
    assert result.tables[0].rows == (
        ("MRR", 0.025, 0.05, 0.1, 0.2),
        ("size", 0.25, 0.5, 1.0, None),
        ("rise", -0.25, -0.5, -1.0, 0.5),
    )
    assert "no intervals" in result.agreement
    result.write(tmp_path / "words-trend")
    assert (tmp_path / "words-trend" / "figure.png").stat().st_size > 1000
    write_summary(tmp_path)
    assert "| MRR | 0.025 | 0.050 | 0.100 | 0.200 |" in (tmp_path / "README.md").read_text()


def test_without_a_training_there_is_no_trend():
    with raises(UsageError, "people", "leave --trend off"):
        trend("people", Lab())
