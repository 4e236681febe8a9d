"""Alternatives to a negated noun: the methods, written out, and the real pairs."""

import os

import numpy as np
import pytest
from scipy.stats import spearmanr

from andornot import Logic, Space, Vocabulary, default
from andornot.datasets import locate
from andornot.datasets.negated_nouns import RatedAlternative, read_alternatives
from andornot.experiments import Lab
from andornot.experiments.jobs import alternatives
from andornot.experiments.jobs.first_words import first_ids, first_words

WORDS = [word for word in first_words() if word.isalpha() and len(word) > 4][:150]
PARTS = ("train", "dev", "test")


@pytest.fixture(scope="module")
def space():
    rng = np.random.default_rng(7)
    counts = {word: 1000 // (i + 1) + 5 for i, word in enumerate(WORDS)}
    v, u = rng.normal(size=(2, len(WORDS), 6)) + rng.normal(size=(2, 1, 6))
    return Space(Vocabulary(WORDS).with_counts(counts), v, u)


@pytest.fixture(scope="module")
def rated(space):
    """Ratings that are the cosines after centring, in another scale."""
    rng = np.random.default_rng(1)
    rows = space.target - space.probability @ space.target
    found = []
    for i, j in rng.integers(0, len(WORDS), size=(90, 2)):
        if i != j:
            cosine = rows[i] @ rows[j] / np.linalg.norm(rows[i]) / np.linalg.norm(rows[j])
            part = PARTS[len(found) % 3]
            found.append(RatedAlternative(WORDS[i], WORDS[j], float(3 + 2 * cosine), part))
    return [*found, RatedAlternative("qqqq", WORDS[0], 3.0, "test")]


def test_scores_are_what_their_names_say(space, rated):
    logic = Logic(space, postprocess="frequency", weights="frequency")
    pairs = alternatives.known_pairs(rated, logic, np.arange(len(space)))
    assert len(pairs.rated) == len(rated) - 1
    found = dict(alternatives.scores(logic, pairs))
    p = space.probability
    rows = space.target - p @ space.target
    units = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    for number, (x, y) in enumerate(zip(pairs.negated, pairs.alternative, strict=True)):
        order = [i for i in np.argsort(-(units @ units[x])) if i != x]
        for size in (20, 100):
            near = order[:size]
            rest = p[near] @ rows[near] / p[near].sum()
            category = p[[x, *near]] @ rows[[x, *near]] / p[[x, *near]].sum()
            expected = {
                f"{alternatives.OURS}, {size}": (rest, rows[y]),
                f"{alternatives.PAPER}, {size}": (rest - category, rows[y] - category),
                f"X + mean of its nearest, {size}": (rows[x] + rows[near].mean(axis=0), rows[y]),
            }
            for name, (left, right) in expected.items():
                cosine = left @ right / np.linalg.norm(left) / np.linalg.norm(right)
                assert found[name][number] == pytest.approx(cosine, abs=1e-4), name


@pytest.mark.parametrize("seed", range(5))
def test_spearman_is_that_of_scipy(seed):
    rng = np.random.default_rng(seed)
    x, y = rng.integers(0, 9, 40).astype(float), rng.normal(size=40)
    assert alternatives.spearman(x, y) == pytest.approx(spearmanr(x, y).statistic)
    assert np.isnan(alternatives.spearman(np.ones(3), np.arange(3.0)))


def test_what_is_planted_is_found(space, rated, tmp_path, monkeypatch):
    path = tmp_path / "negation" / "kruszewski2016" / "it_ratings.txt"
    path.parent.mkdir(parents=True)
    lines = ["\t".join([x, y, "r", str(rating), part]) for x, y, rating, part in rated]
    path.write_text("\n".join(["heading", *lines]))
    monkeypatch.setenv("ANDORNOT_DATA", str(tmp_path))
    found = alternatives.run(space, Lab())
    table = found.tables[0]
    best = [row for row in table.rows if row[-1] == "chosen"]
    assert [row[0] for row in best] == ["cosine(X, Y), freq"]
    assert best[0][1] == pytest.approx(1.0)
    assert best[0][2].startswith("1.000")
    numbers = found.numbers["150 words"]["spearman"]
    assert numbers["cosine(X, Y), freq"]["test"] == pytest.approx(1.0)
    assert len(found.bars) == 2


@pytest.mark.slow
@pytest.mark.skipif(not os.environ.get("ANDORNOT_DATA"), reason="ANDORNOT_DATA isn't set")
def test_the_pairs_of_the_protocol():
    logic = Logic(default(), postprocess="frequency")
    rated = read_alternatives(locate("alternatives"))
    pairs = alternatives.known_pairs(rated, logic, first_ids(default()))
    assert (len(pairs.rated), int(pairs.tested.sum())) == (941, 367)
    _, cosines = next(alternatives.scores(logic, pairs))
    test = pairs.tested
    expected = spearmanr(cosines[test], pairs.ratings[test]).statistic
    assert alternatives.correlation(pairs, cosines).value == pytest.approx(expected)
