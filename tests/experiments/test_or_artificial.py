"""OR words that are put into a text."""

import json
from dataclasses import replace

import numpy as np
import pytest
from errors import assert_names
from random_spaces import made_space

from andornot.base.choices import Model, Scale
from andornot.experiments import Lab
from andornot.experiments.or_artificial import (
    DRAWS,
    PartOfPairs,
    _papers_own,
    _said_of_construction,
    _said_of_texts,
    cases,
    datasets,
    drawn,
    run,
)
from andornot.experiments.or_claims import (
    EXACT_EFFECT,
    FIRST,
    PRIOR_EFFECT,
    claims_of,
    difference_by_construction,
    effects_of,
)
from andornot.experiments.or_compared import Compared, compared, together


def made(cosines, ranks=None):
    ranks = np.ones(len(cosines)) if ranks is None else ranks
    return Compared(np.array(cosines), np.array(ranks), np.zeros(len(cosines), int))


def test_artificial_or_words_that_are_planted():
    rng = np.random.default_rng(5)
    words = ["a", "b", "c", "d", "a_OR_b", "c_OR_d", *(f"w{i}" for i in range(30))]
    space = made_space(words, rng)
    p, target = space.probability, np.array(space.target)
    target[4] = (p[0] * target[0] + p[1] * target[1]) / (p[0] + p[1])
    target[5] = (p[2] * target[2] + p[3] * target[3]) / (p[2] + p[3])
    planted = replace(space, target=target.astype(np.float32))
    pairs = [("a", "b"), ("c", "d")]
    for method in ("none", "uniform", "frequency"):
        found = compared(planted, method, False, pairs)
        assert found.cosines == pytest.approx([1, 1], abs=1e-5)
        assert found.ranks.tolist() == [1, 1]
        # the same vectors beside the words of the space instead of among them
        beside = compared(space, method, False, pairs, target[4:6].astype(float))
        np.testing.assert_allclose(beside.cosines, found.cosines, atol=1e-5)
        assert beside.ranks.tolist() == [1, 1]
    found = compared(space, "none", False, pairs)
    assert found.cosines.mean() < 0.9
    assert found.ranks.mean() > 1


def test_or_words_of_the_same_text_are_drawn_together():
    good, bad = made([0.9, 0.9, 0.9]), made([0.5, 0.5, 0.5])
    both = together([good, bad])
    assert both.texts.tolist() == [0, 0, 0, 1, 1, 1]
    alone = made([0.9, 0.9, 0.9, 0.5, 0.5, 0.5])
    assert both.cosine.value == alone.cosine.value == pytest.approx(0.7)
    widths = [each.cosine.high - each.cosine.low for each in (both, alone)]
    assert widths[0] > 2 * widths[1]  # two texts say less than six OR words


def test_what_is_said_of_several_texts():
    parts = [PartOfPairs(0.01, "by", 0.97, 1.0), PartOfPairs(0.04, "a", 0.8, 2.5)]
    said = _said_of_texts("SGNS", made([0.97, 0.8], [1, 2.5]), parts)
    assert_names(
        said,
        "SGNS",
        "2 texts",
        "0.885 (1.750)",
        "the mean rank is 1.000 in 1 of them",
        "worst is 0.800 (2.500)",
    )
    assert_names(said, "'a'", "4.0%")
    assert "worst" not in _said_of_texts("SGNS", made([0.97]), parts[:1])


COPY, BUILT, PAPERS = "SGNS, exact, 3 at once", "SGNS, exact, 3 by construction", "SGNS, sampled"


def claimed(found):
    words = dict.fromkeys(found, 9000)
    return claims_of(found, dict.fromkeys(found, Model.SGNS), {Model.SGNS: PAPERS}, words)


def found_with(own, built, own_ranks=None, shift=0.0, shift_ranks=0.0):
    """Cosines of the paper's case, and of a copy that is no better than it against one by rows."""
    first = made(own, own_ranks)
    moved = Compared(first.cosines + shift, first.ranks + shift_ranks, first.texts)
    centred = {"unif, first order": moved, "freq, first order": moved}
    return {
        PAPERS: {FIRST: first, **centred},
        COPY: {FIRST: made([0.5, 0.51, 0.52])},
        BUILT: {FIRST: made(built)},
    }


@pytest.mark.parametrize(
    ("own", "built", "verdict"),
    [
        ([0.95, 0.94, 0.96], [0.5, 0.5, 0.5], "reproduced"),  # above the paper
        ([0.92, 0.93, 0.96], [0.5, 0.5, 0.5], "reproduced"),  # within the interval
        ([0.8, 0.81, 0.82], [0.97, 0.96, 0.98], "in part"),
        ([0.8, 0.81, 0.82], [0.6, 0.61, 0.62], "not reproduced"),
    ],
)
def test_the_claim_of_the_cosine(own, built, verdict):
    found = found_with(own, built)
    cosine, rank, _ = claimed(found)
    assert cosine.verdict == verdict
    assert f"{np.mean(own):.3f} [" in cosine.figure
    reaches = verdict != "reproduced" and np.mean(built) > 0.936
    assert ("1 of 2 other trainings" in cosine.cause) == reaches
    gap = difference_by_construction(found, BUILT)
    assert gap.value == pytest.approx(np.mean(built) - 0.51)
    expected = verdict != "reproduced" and gap.sign > 0
    assert (str(gap) in cosine.cause) == expected
    assert rank.verdict == "reproduced"


def test_the_claim_of_the_rank():
    found = found_with([0.95] * 3, [0.9] * 3, own_ranks=[2, 2, 3])
    _, rank, _ = claimed(found)
    assert rank.verdict == "in part"
    assert "here of 9,000" in rank.what
    assert "2 of 2 other trainings" in rank.cause
    assert "The median is 2." in rank.figure
    assert "2.333 [" in rank.figure


@pytest.mark.parametrize(
    ("shift", "shift_ranks", "verdict"),
    [(0.0, 0, "reproduced"), (0.1, 0, "not reproduced"), (0.0, 2, "not reproduced")],
)
def test_the_claim_that_centring_changes_nothing(shift, shift_ranks, verdict):
    found = found_with([0.8] * 3, [0.9] * 3, shift=shift, shift_ranks=shift_ranks)
    *_, same = claimed(found)
    assert same.verdict == verdict
    assert bool(same.cause) == (verdict != "reproduced")


def test_effects_are_differences_of_the_same_pairs():
    bare, prior = ({FIRST: made(own)} for own in ([0.8, 0.7, 0.9], [0.9, 0.75, 0.9]))
    for each, more in ((bare, 0.1), (prior, -0.05)):
        first = each[FIRST]
        each["orig, exact"] = Compared(first.cosines + more, first.ranks, first.texts)
    found = effects_of({"bare": bare, "prior": prior}, {"prior": "bare"})
    assert list(found["bare"]) == [EXACT_EFFECT]
    assert found["bare"][EXACT_EFFECT].value == pytest.approx(0.1)
    assert found["bare"][EXACT_EFFECT].low == pytest.approx(0.1)  # the same for each pair
    assert found["prior"][EXACT_EFFECT].value == pytest.approx(-0.05)
    assert found["prior"][PRIOR_EFFECT].value == pytest.approx(0.05)


def test_what_is_said_of_rows_by_construction():
    found = found_with([0.8] * 3, [0.9] * 3)
    said, slope = _said_of_construction(found, {BUILT: 1e-8})
    assert_names(said, BUILT, "higher than in a copy")
    assert_names(slope, "1e-08")
    said, _ = _said_of_construction(found_with([0.8] * 3, [0.5, 0.51, 0.52]), {BUILT: 1e-8})
    assert_names(said, BUILT, "not distinguishable")
    assert _said_of_construction(found, {}) == []


def test_cases_by_scale(text8):
    here, thorough, paper = (
        Lab(scale, thorough=t, cache=text8)
        for scale, t in ((Scale.HERE, False), (Scale.HERE, True), (Scale.PAPER, False))
    )
    assert not any(case.wikipedia for case in cases(here).values())
    added = {name: cases(thorough)[name] for name in set(cases(thorough)) - set(cases(here))}
    assert {case.model for case in added.values()} == {Model.SGNS, Model.GLOVE}
    assert all(case.wikipedia and case.pairs == 500 for case in added.values())
    assert set(_papers_own(thorough).values()) == set(added)
    assert set(_papers_own(paper).values()) == {"SGNS", "GloVe"}
    assert datasets(here) == ["text8-prefix"]
    assert datasets(thorough)[:2] == ["text8-prefix", "enwiki-sample"]
    assert "text8" not in datasets(paper)


def test_the_same_pairs_are_replaced_and_added_up(text8):
    lab = Lab(Scale.QUICK, cache=text8)
    every = cases(lab)
    copies = [name for name in every if name.endswith("at once")]
    built = [name for name in every if name.endswith("by construction")]
    assert (len(copies), len(built)) == (6, 4)
    texts = {name: drawn(lab, every[name])[0] for name in every}
    assert len({tuple(pairs) for _, pairs in texts.values()}) == 1
    sampled = [drawn(lab, case) for case in every.values() if case.solver == "sampled"]
    assert [len(each) for each in sampled] == [DRAWS, DRAWS]
    assert len({tuple(pairs) for _, pairs in sampled[0]}) == DRAWS
    for name in built:
        training, pairs = texts[name]
        assert training.corpus.key == lab.text8.corpus.key
        assert not any("_OR_" in word for word in training.vocabulary.words)
        copy, _ = texts[name.replace("by construction", "at once")]
        assert copy.settings == training.settings
        assert sum("_OR_" in word for word in copy.vocabulary.words) == len(pairs)


@pytest.mark.usefixtures("small_models")
def test_the_whole_experiment_on_a_small_text(text8):
    lab = Lab(Scale.QUICK, cache=text8)
    result = run(lab)
    result.write(text8 / "result")
    kept = json.loads((text8 / "result" / "result.json").read_text())
    assert len(kept["claims"]) == 5
    assert {row[0] for row in result.tables[1].rows} == set(cases(lab))
    rows = {row[0]: row for row in result.tables[0].rows}
    assert len(rows) == 2 * len(cases(lab))
    for name, case in cases(lab).items():
        value, low, high = kept["numbers"][name][FIRST]["cosine"]
        assert low <= value <= high
        assert value <= 1
        mean, _ = rows[f"{name}, first order"][1].split(" ")
        assert float(mean) == pytest.approx(value, abs=1e-3)
        if case.merges_rows:
            slope = kept["numbers"]["largest slope of a row by construction"][name]
            assert slope < 1e-6
