"""Scores of words for a list: against scikit-learn on rows that are written out."""

from dataclasses import replace

import numpy as np
import pytest
from errors import raises
from planted_groups import planted

from andornot.base.errors import AndornotError
from andornot.datasets.hypernyms import hypernym_rows
from andornot.growing import Grower
from andornot.growing.grower import BACKGROUND, STRENGTH, WORDNET_WEIGHT
from andornot.search.both_sides import BothSides


@pytest.mark.parametrize("context", [True, False])
@pytest.mark.parametrize("wordnet", [True, False])
def test_scores_are_those_of_scikit_learn(small_wordnet, context, wordnet):
    from sklearn.linear_model import LogisticRegression

    space = planted(context=context)
    grower = Grower(space, wordnet=wordnet)
    yes, no = [0, 7, 14], [1, 2]
    rows = BothSides(space, STRENGTH).unit_rows(np.arange(len(space))).astype(float)
    if wordnet:
        hypernyms = hypernym_rows(space.words).toarray()
        rows = np.hstack([rows, np.sqrt(WORDNET_WEIGHT) * hypernyms])
    drawn = np.random.default_rng(0).choice(len(space), BACKGROUND, replace=False)
    others = np.setdiff1d(drawn, [*yes, *no])
    ids = np.concatenate([yes, no, others])
    labels = np.arange(len(ids)) < len(yes)
    fitted = LogisticRegression(C=2.0, tol=1e-10, max_iter=10_000).fit(rows[ids], labels)
    expected = fitted.decision_function(rows)
    found = grower.scores(yes, no, c=2.0, prior=0.0)
    np.testing.assert_allclose(found, expected, atol=2e-3)
    logs = np.log(space.probability)
    assert grower.uses_wordnet == wordnet
    np.testing.assert_allclose(
        grower.scores(yes, no, c=2.0, prior=0.1) - found, 0.1 * (logs - logs.mean()), atol=1e-4
    )


def test_members_of_the_planted_group_lead():
    space = planted()
    scores = Grower(space, wordnet=False).scores([5, 12, 19])
    best = np.argsort(-scores)[:100]
    assert (best % 7 == 5).mean() > 0.9


def test_what_is_rejected_falls():
    space = planted()
    grower = Grower(space, wordnet=False)
    before = grower.scores([5, 12, 6])  # two groups
    after = grower.scores([5, 12, 6], [13, 20, 27, 34, 41])
    assert np.median((after - before)[48::7]) < np.median((after - before)[47::7])  # groups 6, 5


def test_without_counts_there_is_no_prior():
    grower = Grower(planted(counts=False), wordnet=False)
    np.testing.assert_array_equal(grower.scores([1], prior=0.0), grower.scores([1], prior=1.0))


def test_a_word_without_a_direction_is_never_proposed():
    space = planted(context=False)
    rows = space.target.copy()
    rows[9] = 0
    record = replace(space.provenance, postprocess="frequency")
    grower = Grower(replace(space, target=rows, provenance=record), wordnet=False)
    assert grower.scores([1])[9] == -np.inf


def test_a_list_needs_an_example():
    with raises(AndornotError, "at least one word"):
        Grower(planted(), wordnet=False).scores([])


def test_the_nearest_seed_has_the_largest_cosine():
    space = planted()
    grower = Grower(space, wordnet=False)
    rows = BothSides(space, STRENGTH).unit_rows(np.arange(len(space)))
    seeds, words = np.array([3, 8, 11]), np.arange(20, 60)
    assert (
        grower.nearest(words, seeds).tolist()
        == seeds[(rows[words] @ rows[seeds].T).argmax(axis=1)].tolist()
    )
