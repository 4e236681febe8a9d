"""Words with two meanings: in "a & !b", words of the meaning without b should come first.

A word is ambiguous if its two most frequent noun senses occur in WordNet's tagged texts and have
different topics (animals, artefacts and so on). The words of a sense are the members of its synset
and of the synsets directly above and below it; words of both senses are left out. Each sense is
negated in turn: b is another member of its synset, or else the first noun of its definition. The
area under the curve (AUC) is the share of pairs in which a word of the other sense ranks above one
of the negated sense. It can be high for answers that are unrelated to a, so the reciprocal rank of
the first word of the other sense among all words is also reported.
"""

from __future__ import annotations

import re
from collections import defaultdict
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from andornot.base.moments import unit_rows
from andornot.base.progress import track
from andornot.datasets.wordnet import Synset, WordNet, wordnet
from andornot.experiments.jobs.comparison import Comparison, of_method
from andornot.experiments.jobs.exclusions import (
    IGNORING,
    TURNED,
    Neighbourhood,
    by_vectors,
)
from andornot.experiments.jobs.first_words import FIRST, Ids, vocabularies
from andornot.experiments.jobs.frames import Rows, frame
from andornot.experiments.jobs.job import JobResult, above, at_least
from andornot.experiments.lab import Lab
from andornot.experiments.not_categories import area_under_curve
from andornot.experiments.report import Cell, Table
from andornot.space import Space
from andornot.words.stop_words import STOP_WORDS

FRAMES = ("freq", "white")
LEAST = 3  # known words of each sense
NEAREST = 100  # words of a neighbourhood
ORTHOGONAL = "orthogonal"
_SHORTEST = 3  # letters


class SenseQuestion(NamedTuple):
    """An ambiguous word a, a word b of one sense, and the ids of the words of both senses."""

    name: str
    word: int
    negated: int
    wanted: Ids
    unwanted: Ids


def datasets() -> list[str]:
    """Return WordNet."""
    return ["wordnet-3.0"]


def questions(space: Space, known: Ids) -> list[SenseQuestion]:
    """Return two questions for each ambiguous word with enough known words of both senses."""
    net = wordnet("n")
    ids = {space.vocabulary.word(int(i)): int(i) for i in known}
    asked = []
    for name in track(list(ids), "ambiguous words"):
        if not (name.isascii() and name.isalpha() and name.islower() and len(name) >= _SHORTEST):
            continue
        senses = net.attested(name)[:2]
        if len(senses) < 2 or senses[0].topic == senses[1].topic:
            continue
        first, second = (_words_of(net, sense, ids) - {name} for sense in senses)
        for sense, unwanted, wanted in ((senses[0], first, second), (senses[1], second, first)):
            negated = _negated(net, sense, name, wanted, ids)
            both = [
                sorted(ids[word] for word in each)
                for each in (wanted - unwanted, unwanted - wanted - {negated})
            ]
            if negated is not None and min(map(len, both)) >= LEAST:
                asked.append(SenseQuestion(name, ids[name], ids[negated], *map(np.array, both)))
    return asked


def _words_of(net: WordNet, sense: Synset, ids: dict[str, int]) -> set[str]:
    """Return the known words of a sense: those of its synset and of the adjacent synsets."""
    near = [sense, *(net.synset(offset) for offset in (*sense.above, *sense.below))]
    return {lemma.lower() for each in near for lemma in each.lemmas} & ids.keys()


def _negated(
    net: WordNet, sense: Synset, name: str, others: set[str], ids: dict[str, int]
) -> str | None:
    """Return a member of a sense other than the word, or the first known noun of its gloss."""
    members = [lemma.lower() for lemma in sense.lemmas]
    nouns = [word for word in re.findall("[a-z]{3,}", sense.gloss.lower()) if net.of(word)]
    left_out = STOP_WORDS | others | {name}
    return next((word for word in [*members, *nouns] if word in ids and word not in left_out), None)


class SenseFigures(NamedTuple):
    """The figures of all questions; the name of a setting is "frame: method"."""

    area: Comparison
    first: Comparison  # reciprocal rank of the first word of the other sense


def ask(space: Space, known: Ids, frames: dict[str, Rows]) -> SenseFigures:
    """Ask every question by every method.

    Args:
        space: The vectors and their vocabulary.
        known: The ids of the known words, which are ranked.
        frames: Unit rows of all words by name.
    """
    asked = questions(space, known)
    areas, firsts = (defaultdict[str, list[float]](list) for _ in range(2))
    index = np.full(len(space), -1)
    index[known] = np.arange(len(known))
    for name, rows in frames.items():
        items = rows[known]
        for each in track(asked, f"senses, {name}"):
            own = index[[each.word, each.negated]]
            a, b = items[own]
            near = _nearest(items @ a, own)
            around = Neighbourhood(items[near], space.probability[known[near]])
            wanted, unwanted = index[each.wanted], index[each.unwanted]
            for way, scores in by_vectors(items, a, b, around).items():
                setting = f"{name}: {way}"
                both = np.concatenate([scores[wanted], scores[unwanted]])
                areas[setting].append(area_under_curve(both, len(wanted)))
                firsts[setting].append(_reciprocal_rank(scores, wanted, own))
    keys = [each.name for each in asked]
    return SenseFigures(Comparison(keys, areas, keys), Comparison(keys, firsts, keys))


def _nearest(similarities: npt.NDArray[Any], own: Ids) -> Ids:
    similarities[own] = -np.inf
    return np.argpartition(-similarities, NEAREST)[:NEAREST]


def _reciprocal_rank(scores: npt.NDArray[Any], wanted: Ids, own: Ids) -> float:
    """Return 1/rank of the best of the wanted words; the query's own words are not ranked."""
    best = scores[wanted].max()
    return 1 / (1 + int((scores > best).sum()) - int((scores[own] > best).sum()))


def run(space: Space, lab: Lab) -> JobResult:
    """Compare the methods for a & !b on the senses of a."""
    frames = {name: unit_rows(frame(space, name)) for name in FRAMES}
    known = vocabularies(space)[FIRST]
    found = ask(space, known, frames)
    area = found.area
    ours = area.choose(of_method(TURNED, "freq"))
    orthogonal = area.choose(of_method(ORTHOGONAL, "freq"))
    return JobResult(
        name="senses",
        title="Words with two meanings, without one of them",
        items=f"{len(area.keys)} questions on {len(set(area.keys))} words (WordNet 3.0)",
        tables=tuple(_table(found, name) for name in FRAMES),
        bars=(
            above(f"a & !b, {TURNED} - {IGNORING}", area.gain(ours, _other("freq", IGNORING))),
            at_least(f"a & !b, {TURNED} - {ORTHOGONAL}", 0, area.gain(ours, orthogonal)),
        ),
        shown_as="Words with two meanings: area under the curve",
        shown={way: area.mean(area.choose(of_method(way, "freq"))) for way in area.methods},
        numbers={"area": area.means, "first": found.first.means},
    )


def _other(name: str, way: str) -> Any:
    return lambda setting: f"{name}: {way}"


def _table(found: SenseFigures, name: str) -> Table:
    rows: list[tuple[Cell, ...]] = []
    ignoring = _other(name, IGNORING)
    for way in found.area.methods:
        choice = found.area.choose(of_method(way, name))
        rows.append(
            (
                way,
                str(found.area.mean(choice)),
                str(found.area.gain(choice, ignoring)),
                str(found.first.mean(choice)),
                str(found.first.gain(choice, ignoring)),
                choice.named(lambda setting: setting.partition(", ")[2]),
            )
        )
    header = ("", "AUC", f"- {IGNORING}", "MRR", f"- {IGNORING}", "angle")
    return Table(f"Words with two meanings, {name}", header, tuple(rows))
