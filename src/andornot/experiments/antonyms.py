"""Antonyms within a category: the rank of the antonym for NOT, by category and method.

The formula suits a category whose main variation is the opposition. Antonyms are near neighbours,
so the result depends on the category and the axis. The categories are the nearest words; the
siblings in WordNet; the adjectives of the same attribute, as hot and cold are of temperature;
and both poles of an adjective, which are the words similar to it and to its opposites. WordNet
gives the pole of each word, and also lists many of the pairs.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from andornot.algebra import Logic
from andornot.base.moments import unit_rows
from andornot.base.progress import track
from andornot.datasets.locating import locate
from andornot.datasets.relations import read_oppositions, read_relation, relation_files
from andornot.datasets.wordnet import (
    attribute_in_wordnet,
    beside_in_wordnet,
    poles_in_wordnet,
)
from andornot.experiments.intervals import Interval, mean_interval
from andornot.experiments.lab import Asks, asks_all
from andornot.postprocessing import postprocess
from andornot.space import Space
from andornot.training.threads import blas_threads

Rows = npt.NDArray[np.float64]
NEIGHBOURS = 10
POLES = "both poles in WordNet"


def antonyms(space: Space, most: int, seed: int, asks: Asks = asks_all) -> list[tuple[str, str]]:
    """Return the known pairs of antonyms of AntSynNET and of BATS L09 and L10, or a sample."""
    pairs = [
        (a, b)
        for part in ("train", "val")
        for a, b, opposite in read_oppositions(locate(f"antonyms-{part}"))
        if opposite
    ]
    files = relation_files(locate("bats"))
    for code in ("L09", "L10"):
        pairs += [(word, answers[0]) for word, answers in read_relation(files[code])]
    known = [
        pair for pair in dict.fromkeys(pairs) if all(word in space for word in pair) and asks(*pair)
    ]
    order = np.random.default_rng(seed).permutation(len(known))[:most]
    return [known[i] for i in sorted(order)]


class NegationCategory(NamedTuple):
    """The words of a category, the negated one first, and which are at its pole (if known)."""

    words: list[str]
    alike: npt.NDArray[np.bool_] | None = None


def _nearest(logic: Logic, word: str) -> NegationCategory:
    return NegationCategory([word, *logic.ask(logic[word], k=NEIGHBOURS).words])


def _beside(logic: Logic, word: str) -> NegationCategory:
    return NegationCategory([word, *_known(logic, beside_in_wordnet(word) - {word})])


def _attribute(logic: Logic, word: str) -> NegationCategory:
    return NegationCategory([word, *_known(logic, attribute_in_wordnet(word) - {word})])


def _poles(logic: Logic, word: str) -> NegationCategory:
    near, far = (_known(logic, pole - {word}) for pole in poles_in_wordnet(word))
    return NegationCategory([word, *near, *far], np.arange(1 + len(near) + len(far)) <= len(near))


def _known(logic: Logic, words: frozenset[str]) -> list[str]:
    return [word for word in sorted(words) if word in logic.space]


CATEGORIES: dict[str, Callable[[Logic, str], NegationCategory]] = {
    f"{NEIGHBOURS} nearest words": _nearest,
    "beside it in WordNet": _beside,
    "its attribute in WordNet": _attribute,
    POLES: _poles,
}


def ways(rows: Rows, weights: Rows) -> dict[str, Rows]:
    """Return scores of the members of a category for NOT of the first, by method."""
    word, others = rows[0], rows[1:]
    centre, even = weights @ rows / weights.sum(), rows.mean(0)
    axis = _main_axis(rows - even)
    rest = centre - (centre @ word) / (word @ word) * word
    return {
        "NOT": unit_rows(others - centre) @ (centre - word),
        "NOT, uniform": unit_rows(others - even) @ (even - word),
        "main axis": -np.sign((word - even) @ axis) * ((others - even) @ axis),
        "mirrored in the main axis": unit_rows(others) @ _mirrored(word, even, axis),
        "-v": unit_rows(others) @ -word,
        "orthogonal": unit_rows(others) @ rest,
        "cosine": unit_rows(others) @ word,
        "most frequent": weights[1:],
    }


def ways_of_poles(rows: Rows, weights: Rows, alike: npt.NDArray[np.bool_]) -> dict[str, Rows]:
    """Return scores that use the poles: NOT of the whole pole, and the axis between the poles.

    Others use only the poles: they rank the words of the other pole by cosine or by frequency.
    """
    word, others = rows[0], rows[1:]
    centre, pole = (w @ rows / w.sum() for w in (weights, weights * alike))
    near, far = rows[alike].mean(0), rows[~alike].mean(0)
    middle, axis = (near + far) / 2, (near - far) / np.linalg.norm(near - far)
    beyond = (others - middle) @ axis < 0
    cosines = unit_rows(others) @ word / np.linalg.norm(word)
    return {
        "NOT of its pole": unit_rows(others - centre) @ (centre - pole),
        "NOT of its pole, uniform": unit_rows(others - rows.mean(0)) @ (rows.mean(0) - near),
        "mirrored in the axis of the poles": unit_rows(others) @ _mirrored(word, middle, axis),
        "other side, by cosine": cosines + 2 * beyond,  # a cosine is at most 1
        "known to be far, by cosine": cosines + 2 * ~alike[1:],
        "known to be far, most frequent": weights[1:] / weights.sum() + ~alike[1:],
    }


def _main_axis(centred: Rows) -> Rows:
    """Return the first principal axis of a few rows, from their Gram matrix."""
    axis = np.linalg.eigh(centred @ centred.T)[1][:, -1] @ centred
    return np.asarray(axis / np.linalg.norm(axis), dtype=np.float64)


def _chance(count: int) -> float:
    """Return the mean reciprocal rank of a word among `count` words in random order."""
    return float(np.mean(1 / np.arange(1, count + 1)))


def _mirrored(word: Rows, middle: Rows, axis: Rows) -> Rows:
    """Return a vector reflected along an axis."""
    return np.asarray(word - 2 * ((word - middle) @ axis) * axis, dtype=np.float64)


class Retrieval(NamedTuple):
    """The MRR of the antonym by method and by chance.

    Attributes:
        mrr: MRR by method.
        pairs: Number of pairs.
        lead: NOT minus plain cosine; pairs of one word are drawn together.
        above_chance: NOT minus chance, likewise.
    """

    mrr: dict[str, float]
    pairs: int
    lead: Interval | None
    above_chance: Interval | None


def retrieval(
    space: Space,
    pairs: list[tuple[str, str]],
    category: Callable[[Logic, str], NegationCategory],
) -> Retrieval:
    """Measure the rank of the antonym in the categories that contain both words of a pair."""
    logic = Logic(space, weights="frequency")
    target, p = postprocess(space, "frequency").target, space.probability
    found: dict[str, list[float]] = {}
    asked = []
    with blas_threads(1):  # more threads would only wait on such small matrices
        for word, antonym in track(pairs, "finding antonyms"):
            words, alike = category(logic, word)
            one_sided = alike is not None and bool(alike.all())
            if antonym not in words or len(words) < 3 or one_sided:
                continue
            ids = [space.vocabulary.index(each) for each in words]
            rows, index = target[ids].astype(np.float64), words.index(antonym) - 1
            scores = ways(rows, p[ids])
            if alike is not None:
                scores |= ways_of_poles(rows, p[ids], alike)
            for name, each in scores.items():
                found.setdefault(name, []).append(1 / float(np.sum(each >= each[index])))
            found.setdefault("chance", []).append(_chance(len(words) - 1))
            if alike is not None:
                far = _chance(int(np.sum(~alike)))
                found.setdefault("known to be far, chance", []).append(far)
            asked.append(word)
    mrr = {name: float(np.mean(values)) for name, values in found.items()}
    if not asked:
        return Retrieval(mrr, 0, None, None)
    lead, above_chance = (
        mean_interval(np.subtract(found["NOT"], found[other]), clusters=asked)
        for other in ("cosine", "chance")
    )
    return Retrieval(mrr, len(asked), lead, above_chance)
