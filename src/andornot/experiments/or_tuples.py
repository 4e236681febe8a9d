"""The tuples of actual OR words: a word, and the words whose OR it should be."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from andornot.datasets.locating import find
from andornot.datasets.tuples import read_tuples
from andornot.datasets.wordnet import wordnet
from andornot.experiments.lab import Asks, asks_all
from andornot.space import Space

LEAST_COUNT = 100


class OrWord(NamedTuple):
    """The ids of a word and of its kinds, whose OR it should be."""

    whole: int
    kinds: tuple[int, ...]


def or_words(space: Space, part: str, asks: Asks = asks_all) -> list[OrWord]:
    """Return the tuples of WordNet with frequent enough words that `asks` admits."""
    net = wordnet(part)
    words, counts = space.vocabulary, space.counts

    def known(lemma: str) -> bool:
        single = "_" not in lemma  # phrases may be merged into one token
        return single and lemma in words and counts[words.index(lemma)] >= LEAST_COUNT

    found = []
    for synset in net:
        whole = synset.lemmas[0]
        kinds = dict.fromkeys(net.synset(offset).lemmas[0] for offset in synset.below)
        enough = [kind for kind in kinds if known(kind)]
        enough_known = known(whole) and len(enough) >= 2 and whole not in enough
        if enough_known and asks(whole, *enough):
            found.append(OrWord(words.index(whole), tuple(map(words.index, enough))))
    return found


def written_or_words(space: Space) -> list[OrWord]:
    """Return the tuples of Dasgupta et al. whose words a space knows, if their file exists."""
    path = find("or-tuples")
    words = space.vocabulary
    return [
        OrWord(words.index(whole), tuple(map(words.index, kinds)))
        for whole, kinds in ([] if path is None else read_tuples(path))
        if all(word in words for word in (whole, *kinds))
    ]


def unions(
    rows: npt.NDArray[np.float32],
    p: npt.NDArray[np.float64],
    asked: list[OrWord],
    power: float = 1.0,
) -> npt.NDArray[np.float64]:
    """Return the OR of the kinds of each tuple, to first order, with weights p^power.

    >>> rows, p, asked = np.eye(2, dtype=np.float32), np.array([0.1, 0.9]), [OrWord(0, (0, 1))]
    >>> unions(rows, p, asked).round(3).tolist(), unions(rows, p, asked, 0.5).round(3).tolist()
    ([[0.1, 0.9]], [[0.25, 0.75]])
    """
    found = np.empty((len(asked), rows.shape[1]))
    for number, (_, kinds) in enumerate(asked):
        ids = list(kinds)
        weights = p[ids] ** power
        found[number] = weights @ rows[ids] / weights.sum()
    return found
