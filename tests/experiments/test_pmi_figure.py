"""The verdicts and the figure of the PMI experiment."""

import json

import numpy as np
import pytest

from andornot.experiments import Lab
from andornot.experiments.intervals import Interval
from andornot.experiments.pmi_claims import claims_of
from andornot.experiments.pmi_errors import EDGES, METHODS, WEIGHTINGS, Errors
from andornot.experiments.pmi_figure import OTHERS, _draw, _verdict, run, trainings

BELOW, NEAR, ABOVE = Interval(-2, -3, -1), Interval(0, -1, 1), Interval(2, 1, 3)
ONCE, _ = WEIGHTINGS
PAPERS = {"SGNS": "SGNS, 5 sampled epochs", "GloVe": "GloVe, 25 sampled epochs"}


def made_errors():
    keys = [(method, weighting) for method in METHODS for weighting in WEIGHTINGS]
    rng = np.random.default_rng(1)
    return Errors(
        {weighting: np.ones(4) for weighting in WEIGHTINGS},
        {key: rng.random(4) for key in keys},
        {key: rng.random(4) for key in keys},
        {key: rng.random(len(EDGES) - 1) for key in keys},
        {"2 or 3 times": {"part of the pairs": 0.5, "part of the counts": 0.1, "mean error": 0.2}},
    )


def made_differences(sgns, glove):
    return {
        name: {weighting: dict.fromkeys(OTHERS, each) for weighting in WEIGHTINGS}
        for name, each in zip(PAPERS.values(), (sgns, glove), strict=True)
    }


@pytest.mark.parametrize(
    ("sgns", "glove", "nearest", "apart"),
    [
        (BELOW, BELOW, "reproduced", "reproduced"),
        (NEAR, BELOW, "in part", "in part"),
        (ABOVE, ABOVE, "not reproduced", "reproduced"),
        (NEAR, NEAR, "not reproduced", "not reproduced"),
    ],
)
def test_claims_follow_the_intervals(sgns, glove, nearest, apart):
    errors = {name: made_errors() for name in PAPERS.values()}
    terms, gap, first, second = claims_of(errors, made_differences(sgns, glove), PAPERS)
    assert gap.verdict == ("in part" if BELOW in (sgns, glove) else "not reproduced")
    assert (terms.verdict == "reproduced") == (sgns == glove == BELOW)
    assert [first.verdict, second.verdict] == [nearest, apart]
    for claim in (first, second):
        number = {"reproduced": 4, "in part": 2, "not reproduced": 0}[claim.verdict]
        assert f"in {number} of 4 cases" in claim.figure
    assert ("freq - unif is 0.000 [" in second.figure) == (NEAR in (sgns, glove))
    assert ("5.2.3" in second.cause) == (sgns == NEAR)


def test_other_trainings_are_named_as_a_cause():
    errors = {name: made_errors() for name in (*PAPERS.values(), "SGNS, exact")}
    differences = made_differences(NEAR, BELOW)
    differences["SGNS, exact"] = {
        weighting: dict.fromkeys(OTHERS, BELOW) for weighting in WEIGHTINGS
    }
    _, _, first, second = claims_of(errors, differences, PAPERS)
    for claim in (first, second):
        assert f"With {ONCE}, it holds for SGNS, exact." in claim.cause


def test_the_verdict_counts_trainings_by_their_intervals():
    said = _verdict(made_differences(BELOW, NEAR))
    every, none = (", ".join(f"{other} in {n}" for other in OTHERS) for n in (1, 0))
    assert [line.split(",")[0] for line in said[:-1]] == ["SGNS", "SGNS", "GloVe", "GloVe"]
    assert all(f"than {every}, and a larger one than {none} (" in line for line in said[:2])
    assert all(f"than {none}, and a larger one than {none} (" in line for line in said[2:4])


def test_thorough_trainings_have_the_papers_epochs(text8):
    plain, thorough = (trainings(Lab("here", cache=text8, thorough=t)) for t in (False, True))
    added = set(thorough) - set(plain)
    assert added == {"SGNS, 100 sampled epochs", "GloVe, 100 sampled epochs"}
    assert {thorough[name].settings.epochs for name in added} == {100}
    assert all(thorough[name].name == each.name for name, each in plain.items())
    assert len({each.name for each in thorough.values()}) == 8
    paper = trainings(Lab("paper", cache=text8, thorough=True))
    assert len(paper) == 6


@pytest.mark.parametrize("ways", [3, 4])
def test_panels_stay_as_wide_with_more_trainings(ways):
    matplotlib = pytest.importorskip("matplotlib.figure")
    figure = matplotlib.Figure(layout="constrained")
    _draw(figure, {f"{m}, {i}": made_errors() for m in ("SGNS", "GloVe") for i in range(ways)})
    figure.draw_without_rendering()
    assert len(figure.axes) == 4 * ways
    assert figure.get_size_inches()[0] == 7.2
    sizes = [panel.get_window_extent() for panel in figure.axes]
    assert min(each.width for each in sizes) / figure.dpi > 2.5  # inches
    assert min(each.height for each in sizes) / figure.dpi > 0.8
    assert [panel.get_title() for panel in figure.axes[:2]] == [
        f"SGNS, 0, {weighting}" for weighting in WEIGHTINGS
    ]


@pytest.mark.usefixtures("small_models")
def test_the_whole_experiment_on_a_small_text(text8):
    lab = Lab(cache=text8)
    result = run(lab)
    result.write(text8 / "result")
    kept = json.loads((text8 / "result" / "result.json").read_text())
    assert len(kept["claims"]) == 4
    assert len(result.tables) == len(trainings(lab)) + 1
    for name, errors in kept["numbers"]["errors"].items():
        for weighting, found in errors.items():
            for other in OTHERS:
                value = kept["numbers"]["freq less others"][name][weighting][other][0]
                expected = found["freq"]["rms"] - found[other]["rms"]
                assert value == pytest.approx(expected, abs=1e-9)
