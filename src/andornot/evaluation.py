"""Evaluate vectors by word similarity, sentence similarity and analogies."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from andornot.base.moments import unit_rows
from andornot.base.progress import track
from andornot.datasets import Question, WordPair
from andornot.datasets.sentence_pairs import SentencePair
from andornot.space import Space

_BLOCK = 1 << 25  # scores per block of analogies


@dataclass(frozen=True)
class SimilarityScore:
    """Spearman's rank correlation with the ratings, over the pairs of known words.

    NaN if too few pairs are known.
    """

    spearman: float
    pairs: int
    covered: int


@dataclass(frozen=True)
class AnalogyScore:
    """The number of correct answers to questions of known words, also by section."""

    correct: int
    questions: int
    covered: int
    sections: dict[str, tuple[int, int]]

    @property
    def accuracy(self) -> float:
        """The fraction of correct answers among the covered questions; NaN if none is covered."""
        return self.correct / self.covered if self.covered else math.nan


def similarity(space: Space, pairs: Sequence[WordPair]) -> SimilarityScore:
    """Compare the cosines of word pairs with human ratings.

    A word that is not in the vocabulary is looked up in lower case. Pairs with
    an unknown word are ignored, and their number is reported.

    >>> from andornot import Vocabulary
    >>> vectors = np.array([[1, 0], [0.9, 0.1], [0, 1]], dtype=np.float32)
    >>> space = Space(Vocabulary(["cat", "dog", "law"]), vectors)
    >>> ratings = [("cat", "dog", 9.0), ("cat", "law", 1.0), ("dog", "law", 2.0), ("cow", "cat", 8)]
    >>> similarity(space, [WordPair(*rating) for rating in ratings])
    SimilarityScore(spearman=1.0, pairs=4, covered=3)
    """
    from scipy.stats import spearmanr

    known = _lookup(space, [word for pair in pairs for word in pair[:2]])
    covered = [
        (known[pair.first], known[pair.second], pair.rating)
        for pair in pairs
        if pair.first in known and pair.second in known
    ]
    if not covered:
        return SimilarityScore(math.nan, len(pairs), 0)
    ids = np.array([row[:2] for row in covered])
    first, second = unit_rows(space.target[ids[:, 0]]), unit_rows(space.target[ids[:, 1]])
    cosines = np.einsum("ij,ij->i", first, second)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the correlation of equal values is NaN
        correlation = float(spearmanr(cosines, [row[2] for row in covered]).statistic)
    return SimilarityScore(correlation, len(pairs), len(covered))


@dataclass(frozen=True)
class SentenceScore:
    """Pearson's correlation with the ratings: the mean over datasets, and over all pairs."""

    mean: float
    pooled: float


def sentence_similarity(
    encode: Callable[[list[str]], npt.NDArray[Any]], sets: Mapping[str, Sequence[SentencePair]]
) -> SentenceScore:
    """Compare the cosines of sentence vectors with people's ratings, on the datasets of a year.

    >>> rows = {"a": [1.0, 0.0], "b": [1.0, 1.0], "c": [0.0, 1.0]}
    >>> pairs = [SentencePair("a", "a", 5), SentencePair("a", "b", 4), SentencePair("a", "c", 0)]
    >>> encode = lambda texts: np.array([rows[text] for text in texts])
    >>> round(sentence_similarity(encode, {"set": pairs}).mean, 3)
    0.995
    """
    return correlate(sentence_cosines(encode, sets), ratings_of(sets))


def sentence_cosines(
    encode: Callable[[list[str]], npt.NDArray[Any]], sets: Mapping[str, Sequence[SentencePair]]
) -> list[npt.NDArray[np.float64]]:
    """Return the cosines of the sentence pairs of each dataset.

    The cosine with the vector 0 is 0.

    >>> encode = lambda texts: np.array([[float(text), 1.0] for text in texts])
    >>> cosines = sentence_cosines(encode, {"set": [SentencePair("1", "-1", 5)]})
    >>> [each.tolist() for each in cosines]
    [[0.0]]
    """
    texts = list(dict.fromkeys(text for pairs in sets.values() for p in pairs for text in p[:2]))
    unit = unit_rows(np.asarray(encode(texts), dtype=np.float64))
    rows = {text: row for row, text in enumerate(texts)}
    cosines = []
    for pairs in sets.values():
        first = unit[[rows[pair.first] for pair in pairs]]
        second = unit[[rows[pair.second] for pair in pairs]]
        cosines.append(np.einsum("ij,ij->i", first, second))
    return cosines


def ratings_of(sets: Mapping[str, Sequence[SentencePair]]) -> list[npt.NDArray[np.float64]]:
    """Return people's ratings of the pairs of each dataset.

    >>> [each.tolist() for each in ratings_of({"set": [SentencePair("a", "b", 4)]})]
    [[4.0]]
    """
    return [np.array([pair.rating for pair in pairs], dtype=np.float64) for pairs in sets.values()]


def correlate(
    cosines: Sequence[npt.NDArray[np.float64]], ratings: Sequence[npt.NDArray[np.float64]]
) -> SentenceScore:
    """Correlate the cosines of each dataset with its ratings.

    >>> a, b = np.array([0.1, 0.2, 0.3]), np.array([1.0, 2.0, 3.0])
    >>> round(correlate([a, a], [b, -b]).mean, 3)
    0.0
    """
    each = [np.corrcoef(a, b)[0, 1] for a, b in zip(cosines, ratings, strict=True)]
    pooled = np.corrcoef(np.concatenate(cosines), np.concatenate(ratings))[0, 1]
    return SentenceScore(float(np.mean(each)), float(pooled))


def analogies(space: Space, questions: Sequence[Question]) -> AnalogyScore:
    """Answer "a is to b as c is to ?" with the word nearest to b - a + c (3CosAdd).

    The vectors are normalised to unit length, and a, b and c are excluded from the answers. Every
    other word is a candidate; words are looked up as in `similarity`.

    >>> from andornot import Vocabulary
    >>> vectors = np.array([[1, 0, 1], [1, 1, 0], [2, 0, 1], [2, 1, 0], [0, 0, 1]])
    >>> space = Space(Vocabulary(["man", "woman", "king", "queen", "tree"]), vectors)
    >>> analogies(space, [Question("royal", "man", "woman", "king", "queen")]).accuracy
    1.0
    """
    known = _lookup(space, [word for question in questions for word in question[1:]])
    covered = [q for q in questions if all(word in known for word in q[1:])]
    if not covered:
        return AnalogyScore(0, len(questions), 0, {})
    unit = unit_rows(space.target)
    ids = np.array([[known[word] for word in question[1:]] for question in covered])
    right = np.empty(len(covered), dtype=bool)
    step = max(1, _BLOCK // len(unit))
    for start in track(range(0, len(covered), step), "answering analogies"):
        a, b, c, answer = ids[start : start + step].T
        scores = unit_rows(unit[b] - unit[a] + unit[c]) @ unit.T
        rows = np.arange(len(a))
        for given in (a, b, c):
            scores[rows, given] = -np.inf
        right[start : start + step] = scores.argmax(axis=1) == answer
    sections: dict[str, tuple[int, int]] = {}
    for question, correct in zip(covered, right, strict=True):
        before, asked = sections.get(question.section, (0, 0))
        sections[question.section] = (before + int(correct), asked + 1)
    return AnalogyScore(int(right.sum()), len(questions), len(covered), sections)


def _lookup(space: Space, words: Sequence[str]) -> dict[str, int]:
    """Return the ids of known words, looked up as they are or in lower case."""
    found = {}
    for word in dict.fromkeys(words):
        spelling = space.vocabulary.spelling(word)
        if spelling is not None:
            found[word] = space.vocabulary.index(spelling)
    return found
