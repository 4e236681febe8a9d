"""Scores for descriptions, beside the same computed word by word from whole matrices."""

from dataclasses import replace

import numpy as np
import pytest

from andornot import Space, Vocabulary
from andornot.postprocessing import postprocess
from andornot.search.description_scores import LEAST_KINSHIP, Adjustments, DescriptionScores

BASES = [f"wor{letter}" for letter in "abcdfghklm"]
WORDS = [*BASES, *(f"{word}s" for word in BASES[:6]), "worbing", "worxs", "string", "zzz"]
FORMS = {"worbing": "worb", **{f"{word}s": word for word in BASES[:6]}}
PLAIN = Adjustments(forms=0, inflected=0, rarity=0)


def planted(seed=3, dim=5):
    """A space in which forms are near their words, but for one, and `worxs` has no word."""
    rng = np.random.default_rng(seed)
    index = {word: i for i, word in enumerate(WORDS)}
    target, context = rng.normal(size=(2, len(WORDS), dim))
    for form, word in FORMS.items():
        for rows in (target, context):
            rows[index[form]] = rows[index[word]] + 0.3 * rng.normal(size=dim)
    for rows in (target, context):  # it is spelled like a form, and means something else
        rows[index["worcs"]] = -rows[index["worc"]]
    counts = dict(zip(WORDS, rng.integers(5, 900, len(WORDS)).tolist(), strict=True))
    return Space(Vocabulary(WORDS).with_counts(counts), target, context)


def by_hand(space, ids, weights, how, *, whiten=True):
    """The scores by definition; which words are forms is what was planted."""
    p = np.ones(len(space)) / len(space)
    if space.has_frequencies:
        p = space.probability
    sides = []
    for rows in (space.target, space.context):
        if rows is None:
            continue
        rows = rows.astype(float)
        if whiten:
            rows = rows - p @ rows
            values, directions = np.linalg.eigh((rows * p[:, None]).T @ rows)
            rows = rows @ directions / np.sqrt(values)
        sides.append(rows / np.sqrt(p @ (rows**2).sum(axis=1)))
    both = np.hstack(sides)
    both /= np.linalg.norm(both, axis=1, keepdims=True)
    query = sum(weight * both[i] for i, weight in zip(ids, weights, strict=True))
    query /= np.linalg.norm(query)
    words = list(space.words)
    form_of = {
        form: word
        for form, word in FORMS.items()
        if both[words.index(form)] @ both[words.index(word)] >= LEAST_KINSHIP
    }
    own = {form_of.get(words[i], words[i]) for i in ids}
    scores = []
    for number, word in enumerate(words):
        vector = both[number].copy()
        for form, base in form_of.items():
            if base == word:
                vector += how.forms * both[words.index(form)]
        score = vector @ query / np.linalg.norm(vector)
        score -= how.inflected * (word in form_of)
        if space.has_frequencies:
            log = np.log(space.counts / space.counts.sum())
            score -= how.rarity * max(log[list(ids)].mean() - log[number], 0) ** 2
        scores.append(-np.inf if form_of.get(word, word) in own else score)
    return scores


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("how", [PLAIN, Adjustments(), Adjustments(0.5, 0.2, 0.1)])
def test_scores_are_those_of_the_definition(seed, how):
    space = planted(seed)
    rng = np.random.default_rng(seed)
    ids = rng.choice(len(WORDS) - 1, 3, replace=False).tolist()
    weights = rng.uniform(0.2, 1, 3)
    found = DescriptionScores(space).scores(ids, weights, how)
    np.testing.assert_allclose(found, by_hand(space, ids, weights, how), atol=2e-5)


def test_a_space_without_contexts_counts_or_either():
    space = planted()
    bare = Vocabulary(WORDS)
    for each in (
        replace(space, context=None),
        replace(space, vocabulary=bare),
        replace(space, vocabulary=bare, context=None),
    ):
        found = DescriptionScores(each).scores([0, 4], [1.0, 0.5])
        expected = by_hand(each, [0, 4], [1.0, 0.5], Adjustments())
        np.testing.assert_allclose(found, expected, atol=2e-5)


def test_vectors_that_were_post_processed_stay_as_they_are():
    space = postprocess(planted(), "frequency")
    found = DescriptionScores(space).scores([0, 4], [1.0, 0.5])
    expected = by_hand(space, [0, 4], [1.0, 0.5], Adjustments(), whiten=False)
    np.testing.assert_allclose(found, expected, atol=2e-5)


def test_forms_of_the_words_are_left_out_whichever_is_named():
    space = planted()
    described = DescriptionScores(space)
    for named in ("worb", "worbs", "worbing"):
        scores = described.scores([space.vocabulary.index(named)], [1.0])
        missing = {WORDS[i] for i in np.flatnonzero(scores == -np.inf)}
        assert missing == {"worb", "worbs", "worbing"}
    scores = described.scores([space.vocabulary.index("worc")], [1.0])
    assert scores[space.vocabulary.index("worcs")] > -np.inf


def test_a_form_of_a_form_belongs_to_its_word():
    words = ["style", "styling", "stylings", "other", "more"]
    rows = np.random.default_rng(0).normal(size=(5, 3))
    rows[1:3] = rows[0] + 0.05 * rows[1:3]
    scores = DescriptionScores(Space(Vocabulary(words), rows)).scores([2], [1.0])
    assert (scores == -np.inf).tolist() == [True, True, True, False, False]


def test_words_without_a_direction_are_not_found():
    zeros = replace(postprocess(planted(), "frequency"), context=None)
    rows = zeros.target.copy()
    rows[7] = 0
    scores = DescriptionScores(replace(zeros, target=rows)).scores([0], [1.0])
    assert scores[7] == -np.inf
    assert np.isfinite(scores[[1, 2, 3]]).all()


def test_the_space_is_not_copied():
    rng = np.random.default_rng(1)
    words = [f"w{i}{'s' * (i % 2)}" for i in range(3000)]
    space = Space(Vocabulary(words), rng.normal(size=(3000, 64)), rng.normal(size=(3000, 64)))
    kept = [
        each for each in vars(DescriptionScores(space)).values() if isinstance(each, np.ndarray)
    ]
    assert kept
    assert sum(each.nbytes for each in kept) < space.target.nbytes / 4
