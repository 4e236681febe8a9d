"""OR words of WordNet."""

import numpy as np
import pytest
from errors import assert_names
from random_spaces import made_space

from andornot.experiments.or_actual import (
    Cosines,
    above_claim,
    cosines,
    same_claim,
)
from andornot.experiments.or_tuples import OrWord, or_words
from andornot.experiments.report import Verdict


@pytest.mark.usefixtures("small_wordnet")
def test_or_words_of_wordnet():
    rng = np.random.default_rng(2)
    space = made_space(["animal", "dog", "cat", "poodle", "law"], rng)
    assert [
        (space.vocabulary.word(w), [space.vocabulary.word(k) for k in kinds])
        for w, kinds in or_words(space, "n")
    ] == [("animal", ["dog", "cat"])]
    rare = made_space(["animal", "dog", "cat"], rng, counts={"animal": 999, "dog": 99, "cat": 100})
    assert or_words(rare, "n") == []
    p = space.probability
    expected = (p[1] * space.target[1] + p[2] * space.target[2]) / (p[1] + p[2])
    own, _ = cosines(space, "none", or_words(space, "n"), seed=1).means
    lengths = np.linalg.norm(expected) * np.linalg.norm(space.target[0])
    assert own == pytest.approx(expected @ space.target[0] / lengths, abs=1e-5)


def test_random_words_are_those_of_the_set():
    rng = np.random.default_rng(3)
    space = made_space([f"w{i}" for i in range(20)], rng)
    asked = [OrWord(i, (i + 5, i + 10)) for i in range(5)]
    found = cosines(space, "frequency", asked, seed=4)
    drawn = [OrWord(asked[i].whole, ()) for i in np.random.default_rng(4).permutation(5)]
    again = [OrWord(w.whole, pair.kinds) for w, pair in zip(drawn, asked, strict=True)]
    np.testing.assert_allclose(found.random, cosines(space, "frequency", again, seed=4).own)


def test_the_verdicts_follow_from_the_intervals():
    rng = np.random.default_rng(6)
    noise = rng.normal(0, 0.1, size=200)
    higher, level = Cosines(noise + 0.4, noise[::-1] + 0.2), Cosines(noise, noise[::-1])
    names = ("WordNet (noun)", "WordNet (verb)")
    for pair, verdict in (
        ((higher, higher), Verdict.REPRODUCED),
        ((higher, level), Verdict.IN_PART),
        ((level, level), Verdict.NOT),
    ):
        sets = {name: {"orig": each} for name, each in zip(names, pair, strict=True)}
        claim = above_claim("SGNS", sets)
        assert claim.verdict == verdict
        assert_names(claim.what, "SGNS", "0.394 (0.199)")
        assert str(pair[1].lead) in claim.figure
    smaller = {name: {"orig": Cosines(noise + 0.05, noise)} for name in names}
    claim = above_claim("SGNS", smaller)
    assert claim.verdict == Verdict.IN_PART
    assert_names(claim.figure, "2 of 2", "noun", "0.195")


def test_the_claim_that_centring_changes_nothing():
    noise = np.random.default_rng(7).normal(0, 0.1, size=200)
    orig = Cosines(noise, noise)
    for shift, verdict in ((0.0, Verdict.REPRODUCED), (0.1, Verdict.NOT)):
        moved = Cosines(noise + shift, noise)
        methods = {"orig": orig, "unif": orig, "freq": moved}
        claim = same_claim({"SGNS": {"WordNet (noun)": methods}})
        assert claim.verdict == verdict
        assert_names(claim.figure, "SGNS, WordNet (noun)", f"{shift:.3f} [")
