"""The scores of a model on phrases: accuracies, the gain by centring, and what it depends on."""

from __future__ import annotations

from typing import NamedTuple

from andornot.base.errors import AndornotError
from andornot.experiments.centring import METHODS, centred
from andornot.experiments.crowding import CrowdingBand, by_band, first_places, share_of_rare
from andornot.experiments.frequent import most_frequent, sizes_of
from andornot.experiments.intervals import Interval
from andornot.experiments.lab import Lab
from andornot.experiments.phrase_ranks import (
    Gain,
    Ranks,
    gain,
    is_known,
    operands_of,
    phrase_ids,
    phrase_ranks,
    words_of,
)
from andornot.experiments.report import Cell
from andornot.space import Space

PAPERS_GAINS = {"SGNS": (10, 1.7), "GloVe": (100, 3.5)}
"""The n of the paper's top-n accuracy, and its ratio of freq to orig."""

FREQUENT = 100  # least count of a phrase with a reliable vector
RARE = 20  # words below this count have the noisiest vectors


class GainAmong(NamedTuple):
    """The gain by centring among the most frequent words."""

    words: int
    gain: Gain


class PhraseScores(NamedTuple):
    """The figures of a model; `n` is that of the paper's top-n accuracy."""

    n: int
    phrases: list[str]
    ranks: Ranks
    without: Ranks
    gain: Gain
    frequent: Gain | None
    frequent_phrases: int
    rare_share: dict[str, Cell]
    by_words: list[GainAmong]
    bands: list[CrowdingBand]

    def difference(self, since: str) -> Interval:
        """Return the accuracy of freq minus that of another method."""
        return gain(self.ranks, self.n, since=since).difference

    def of(self, phrases: list[str]) -> Ranks:
        """Return the ranks of some phrases."""
        ids = [self.phrases.index(phrase) for phrase in phrases]
        return {name: each[ids] for name, each in self.ranks.items()}


def ask(space: Space, model: str, phrases: list[str], lab: Lab) -> PhraseScores:
    """Ask a model for every phrase that it knows.

    Args:
        space: The model.
        model: Its name.
        phrases: All phrases.
        lab: Says which questions are asked.
    """
    known = [each for each in phrases if is_known(each, space) and lab.asks(*words_of(each))]
    if not known:
        raise AndornotError(
            f"none of the {len(phrases)} phrases is frequent enough in the text; use more text"
        )
    n = next(n for name, (n, _) in PAPERS_GAINS.items() if model.startswith(name))
    found = phrase_ranks(space, known)
    often = space.counts[phrase_ids(space, known)] >= FREQUENT
    operands = operands_of(space, known)
    rare_share: dict[str, Cell] = dict.fromkeys(("orig", "freq"), "none known")
    if space.counts.min() < RARE:
        for name in rare_share:
            places = first_places(centred(space, METHODS[name]).target, operands)
            rare_share[name] = share_of_rare(places, space.counts, RARE)
    return PhraseScores(
        n,
        known,
        found,
        phrase_ranks(space, known, operands=False),
        gain(found, n),
        gain({name: each[often] for name, each in found.items()}, n) if often.any() else None,
        int(often.sum()),
        rare_share,
        by_frequency(space, known, n),
        by_band(space, operands),
    )


def by_frequency(space: Space, phrases: list[str], n: int) -> list[GainAmong]:
    """Return the gain by centring for growing sets of the most frequent words, up to all words."""
    needed = {word for phrase in phrases for word in words_of(phrase)}
    found = []
    for size in sizes_of(space):
        part = most_frequent(space, size, needed)
        ranks = phrase_ranks(part, phrases, ("orig", "freq"))
        found.append(GainAmong(len(part), gain(ranks, n)))
    return found
