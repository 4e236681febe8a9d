"""The examples of the paper."""

import numpy as np
import pytest

from andornot import default as andornot_default
from andornot.experiments import Lab, examples

figures = pytest.importorskip("matplotlib.figure")


def test_examples_have_the_papers_words_beside_ours():
    result = examples.run(Lab())
    assert result.numbers["SGNS: royal & woman"]["places"]["queen"] <= 10
    daughter = "SGNS: !mother @ {mother, grandmother, daughter, granddaughter}"
    assert result.numbers[daughter]["places"]["daughter"] == 1
    places = [
        (query, place)
        for query, found in result.numbers.items()
        for place in found.get("places", {}).values()
    ]
    right = sum(place <= (1 if "!" in query else 10) for query, place in places)
    named = sum(map(len, examples.QUERIES.values()))
    assert f"Of the {named} words that the paper names, SGNS has {right} " in result.agreement
    figure = figures.Figure()
    examples._draw(figure, {"SGNS": {"queen": 1, "king": 7}, "GloVe": {}})  # one that knows none
    sgns, glove = figure.axes[0].lines[:2]
    assert (list(sgns.get_xdata()), list(sgns.get_ydata())) == ([1, 7], [0, 1])
    assert len(glove.get_xdata()) == 0
    left, right = (andornot_default().vector(word) for word in ("love", "hate"))
    cosine = left @ right / np.linalg.norm(left) / np.linalg.norm(right)
    assert result.numbers["SGNS: love, hate"]["cosine"] == pytest.approx(cosine, abs=1e-5)
