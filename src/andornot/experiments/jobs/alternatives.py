"""Job 4: alternatives to a negated noun: "it is not a dog, it is a wolf", rated by people.

The similarity of a vector for "not X" to Y is compared with people's plausibility ratings of Y. The
method is chosen on the authors' train and dev parts and reported on their test part.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from andornot.algebra import Logic
from andornot.base.errors import AndornotError
from andornot.base.moments import unit_rows
from andornot.base.progress import track
from andornot.datasets.locating import locate
from andornot.datasets.negated_nouns import RatedAlternative, read_alternatives
from andornot.experiments.intervals import Interval, interval
from andornot.experiments.jobs.first_words import FIRST, Ids, vocabularies
from andornot.experiments.jobs.frames import frame
from andornot.experiments.jobs.job import NAIVE, SEED, JobResult, at_least
from andornot.experiments.lab import Lab
from andornot.experiments.report import Cell, Table
from andornot.space import Space

FRAMES = ("raw", "freq", "abtt", "part.5", "white", "[v;u] freq")
CENTRED = "cosine(X, Y), freq"
OURS, PAPER = "!X, outside its category", "the paper's !X, seen from its category"
BARE = "!X, outside the category that `ask` proposes"
SIZES = (20, 100)  # numbers of nearest words that form the category of X
Scores = npt.NDArray[np.float64]


class RatedPairs(NamedTuple):
    """The pairs of known words: their ids, and the nearest words of each X."""

    rated: list[RatedAlternative]
    negated: Ids
    alternative: Ids
    nearest: dict[int, list[int]]

    @property
    def ratings(self) -> Scores:
        """The plausibility ratings."""
        return np.array([each.rating for each in self.rated])

    @property
    def tested(self) -> npt.NDArray[np.bool_]:
        """True for each pair of the authors' test part."""
        return np.array([each.part == "test" for each in self.rated])


def datasets() -> list[str]:
    """Return the ratings."""
    return ["alternatives"]


def run(space: Space, lab: Lab) -> JobResult:
    """Correlate every method with the ratings."""
    rated = read_alternatives(locate("alternatives"))
    logic = Logic(space, postprocess="frequency", weights="frequency")
    found = {}
    for name, known in vocabularies(space).items():
        pairs = known_pairs(rated, logic, known)
        found[name] = pairs, dict(scores(logic, pairs))
    pairs, first = found[FIRST]
    return JobResult(
        name="alternatives",
        title="Alternatives to a negated noun",
        items=", ".join(
            f"{len(each.rated)} pairs in {name} ({each.tested.sum()} of the test part)"
            for name, (each, _) in found.items()
        )
        + " (Kruszewski and others 2016)",
        tables=(_table(found),),
        bars=tuple(
            at_least(f"Spearman, {method}", 0.70, correlation(pairs, first[method]))
            for method in (f"{OURS}, {SIZES[0]}", BARE)
        ),
        shown_as="Alternatives: Spearman",
        shown={method: correlation(pairs, values) for method, values in first.items()},
        numbers={
            name: {
                "pairs": len(each.rated),
                "spearman": {
                    method: {
                        part: spearman(values[mask], each.ratings[mask])
                        for part, mask in (("train and dev", ~each.tested), ("test", each.tested))
                    }
                    for method, values in methods.items()
                },
            }
            for name, (each, methods) in found.items()
        },
    )


def known_pairs(rated: list[RatedAlternative], logic: Logic, known: Ids) -> RatedPairs:
    """Return the pairs of known words, with the words nearest to each negated word."""
    ids = {logic.space.vocabulary.word(int(i)): int(i) for i in known}
    pairs = [each for each in rated if each.negated in ids and each.alternative in ids]
    if not any(each.part == "test" for each in pairs) or len(pairs) < 2:
        raise AndornotError("no pair of the test part has known words; use a space with more words")
    negated, alternative = (
        np.array([ids[getattr(each, name)] for each in pairs], dtype=np.int64)
        for name in ("negated", "alternative")
    )
    nouns = np.unique(negated)
    rows = logic.target.of_block(logic.space.target[nouns])
    near = logic.search.nearest(
        rows, max(SIZES), leave_out=[[int(i)] for i in nouns], among=known
    ).ids
    return RatedPairs(
        pairs,
        negated,
        alternative,
        {int(noun): [int(i) for i in row if i >= 0] for noun, row in zip(nouns, near, strict=True)},
    )


def scores(logic: Logic, pairs: RatedPairs) -> Iterator[tuple[str, Scores]]:
    """Yield the name of each method and its scores of all pairs."""
    space, x, y = logic.space, pairs.negated, pairs.alternative
    for name in FRAMES:
        rows = frame(space, name)
        yield f"cosine(X, Y), {name}", cosines(rows[x], rows[y])
    assert space.context is not None  # [v;u] needs it
    assert logic.context is not None
    nouns, alternatives = (logic.target.of_block(space.target[ids]) for ids in (x, y))
    contexts = [logic.context.of_block(space.context[ids]) for ids in (y, x)]
    yield "PMI, v_X.u_Y", (nouns * contexts[0]).sum(axis=1)
    yield "PMI, both ways", (nouns * contexts[0] + alternatives * contexts[1]).sum(axis=1)
    for size in SIZES:
        near = {noun: ids[:size] for noun, ids in pairs.nearest.items()}
        seen, outside, means = (np.empty_like(alternatives) for _ in range(3))
        origins = np.empty_like(alternatives)
        for noun, ids in near.items():
            here = x == noun
            words = [space.vocabulary.word(i) for i in (noun, *ids)]
            negated = ~logic[words[0]].given(words)
            seen[here], origins[here] = negated.computed.vector, negated.computed.origin
            outside[here] = negated.in_global_frame.vector
            means[here] = logic.target.of_block(space.target[ids]).mean(axis=0)
        yield f"{PAPER}, {size}", cosines(seen, alternatives - origins)
        yield f"{OURS}, {size}", cosines(outside, alternatives)
        yield f"X + mean of its nearest, {size}", cosines(nouns + means, alternatives)
    bare = {int(i): ~logic[space.vocabulary.word(int(i))] for i in np.unique(x)}
    asked = np.stack([bare[int(i)].in_global_frame.vector for i in x])
    yield BARE, cosines(asked, alternatives)


def cosines(left: npt.NDArray[Any], right: npt.NDArray[Any]) -> Scores:
    """Return the cosine of each row with the same row of the other matrix.

    >>> cosines(np.array([[2.0, 0.0]]), np.array([[1.0, 1.0]])).round(3).tolist()
    [0.707]
    """
    return np.asarray((unit_rows(left) * unit_rows(right)).sum(axis=1), dtype=np.float64)


def spearman(x: npt.NDArray[Any], y: npt.NDArray[Any]) -> float:
    """Return Spearman's correlation, or NaN if all values of one side are equal.

    >>> round(spearman(np.array([1.0, 2.0, 9.0]), np.array([1.0, 3.0, 3.0])), 3)
    0.866
    """
    return _correlation_of_codes(*(np.unique(each, return_inverse=True)[1] for each in (x, y)))


def _correlation_of_codes(x: Ids, y: Ids) -> float:
    """Return Spearman's correlation of integer codes, by counting instead of sorting."""
    ranks = []
    for codes in (x, y):
        counts = np.bincount(codes)
        middle = np.cumsum(counts) - (counts - 1) / 2
        ranks.append(middle[codes] - (len(codes) + 1) / 2)
    left, right = ranks
    spread = np.sqrt((left @ left) * (right @ right))
    return float(left @ right / spread) if spread > 0 else float("nan")


def correlation(pairs: RatedPairs, values: Scores, before: Scores | None = None) -> Interval:
    """Return the correlation with the ratings on the test part, or its gain over `before`."""
    test = np.flatnonzero(pairs.tested)
    ratings, after = (
        np.unique(each[test], return_inverse=True)[1] for each in (pairs.ratings, values)
    )
    earlier = None if before is None else np.unique(before[test], return_inverse=True)[1]

    def gain(ids: Ids) -> float:
        less = 0.0 if earlier is None else _correlation_of_codes(earlier[ids], ratings[ids])
        return _correlation_of_codes(after[ids], ratings[ids]) - less

    return interval(gain, len(test), clusters=pairs.negated[test].tolist(), seed=SEED)


def _table(found: dict[str, tuple[RatedPairs, dict[str, Scores]]]) -> Table:
    """Return a table of all methods, with a mark at the best on the train and dev parts."""
    rows: list[tuple[Cell, ...]] = []
    for method in track(found[FIRST][1], "alternatives to negated nouns"):
        row: list[Cell] = [method + NAIVE * (method == "cosine(X, Y), raw")]
        for pairs, methods in found.values():
            tuning = ~pairs.tested
            row += [
                spearman(methods[method][tuning], pairs.ratings[tuning]),
                str(correlation(pairs, methods[method])),
                str(correlation(pairs, methods[method], methods[CENTRED])),
            ]
        rows.append((*row, "chosen" if method == best_by_tuning(*found[FIRST]) else ""))
    columns = [
        column
        for name in found
        for column in (f"train and dev, {name}", "test", f"test, - {CENTRED}")
    ]
    title = "Alternatives to a negated noun: Spearman with the ratings"
    return Table(title, ("", *columns, "by train and dev"), tuple(rows))


def best_by_tuning(pairs: RatedPairs, methods: dict[str, Scores]) -> str:
    """Return the method with the highest correlation on the authors' train and dev parts."""
    tuning = ~pairs.tested
    return max(methods, key=lambda name: spearman(methods[name][tuning], pairs.ratings[tuning]))
