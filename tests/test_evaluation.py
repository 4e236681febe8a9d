"""Scores against ranks and answers computed by hand."""

from itertools import combinations

import numpy as np
import pytest
from scipy.stats import spearmanr

from andornot import Space, Vocabulary
from andornot.datasets import Question, WordPair
from andornot.evaluation import analogies, similarity

WORDS = [f"w{number}" for number in range(40)]


@pytest.fixture
def space():
    return Space(Vocabulary(WORDS), np.random.default_rng(1).normal(size=(40, 6)))


def test_similarity_is_spearmans_rho_of_the_cosines(space):
    rng = np.random.default_rng(2)
    every = list(combinations(WORDS, 2))
    chosen = rng.choice(len(every), size=30, replace=False)
    pairs = [WordPair(*every[i], rating=float(rng.integers(10))) for i in chosen]
    v = {word: space.vector(word).astype(float) for word in WORDS}
    cosines = [v[a] @ v[b] / np.linalg.norm(v[a]) / np.linalg.norm(v[b]) for a, b, _ in pairs]
    score = similarity(space, [*pairs, WordPair("w1", "unknown", 3.0)])
    expected = spearmanr(cosines, [pair.rating for pair in pairs]).statistic
    assert score.spearman == pytest.approx(expected)
    assert (score.pairs, score.covered) == (31, 30)


def test_words_are_found_in_lower_case_too(space):
    pairs = [WordPair("W1", "w2", 1.0), WordPair("w3", "W4", 2.0), WordPair("w5", "w6", 0.0)]
    assert similarity(space, pairs).covered == 3


def test_similarity_of_too_few_pairs_is_undefined(space):
    score = similarity(space, [WordPair("a", "b", 1.0), WordPair("c", "d", 2.0)])
    assert np.isnan(score.spearman)
    assert (score.pairs, score.covered) == (2, 0)
    alike = similarity(space, [WordPair("w1", "w2", 1.0), WordPair("w3", "w2", 1.0)])
    assert np.isnan(alike.spearman)
    assert alike.covered == 2


def test_analogies_are_answered_as_by_brute_force(space):
    rng = np.random.default_rng(3)
    unit = space.target / np.linalg.norm(space.target, axis=1, keepdims=True)
    questions, right = [], 0
    for number in range(60):
        a, b, c = rng.choice(40, size=3, replace=False)
        goal = unit[b] - unit[a] + unit[c]
        best = max((i for i in range(40) if i not in (a, b, c)), key=lambda i: unit[i] @ goal)
        answer = best if number % 3 else (best + 1) % 40
        right += answer == best
        questions.append(Question(f"s{number % 2}", *(WORDS[i] for i in (a, b, c, answer))))
    score = analogies(space, [*questions, Question("s0", "w1", "w2", "w3", "unknown")])
    assert (score.correct, score.covered, score.questions) == (right, 60, 61)
    assert sum(asked for _, asked in score.sections.values()) == 60
    assert score.accuracy == right / 60


def test_analogies_without_a_known_word(space):
    score = analogies(space, [Question("", "a", "b", "c", "d")])
    assert score.covered == 0
    assert np.isnan(score.accuracy)
