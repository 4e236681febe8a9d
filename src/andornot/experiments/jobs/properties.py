"""Job 3: a class with a property, and without it: "animal & flies", "animal & !flies".

The concepts of McRae and others are ranked. The relevant ones are the members of the class for
which people named the property, or for which they did not. The norms are not exhaustive, so a
member that counts as lacking a property may have it.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from andornot.base.moments import unit_rows
from andornot.base.progress import track
from andornot.datasets.feature_norms import Feature, read_feature_norms
from andornot.datasets.locating import locate
from andornot.experiments.jobs.comparison import Comparison, of_method
from andornot.experiments.jobs.exclusions import (
    IGNORING,
    OURS,
    Neighbourhood,
    by_scores,
    by_vectors,
)
from andornot.experiments.jobs.first_words import FIRST, Ids, vocabularies
from andornot.experiments.jobs.frames import Rows, frame
from andornot.experiments.jobs.job import ANY, NAIVE, Bar, JobResult, above, at_least
from andornot.experiments.jobs.measures import (
    average_precision,
    percentiles,
    standardised,
)
from andornot.experiments.lab import Lab
from andornot.experiments.not_categories import area_under_curve
from andornot.experiments.report import Cell, Table
from andornot.space import Space
from andornot.words.stop_words import STOP_WORDS

FRAMES = ("raw", "freq", "white", "[v;u] part.5", "[v;u] white")
LEAST = 5  # members of a class with a property, and without it
NEAREST = 100  # words of a neighbourhood
SIZES = (30, 100)  # concepts that are re-ranked
ONLY_A, ONLY_B = "A only", "!B only"
_SKIPPED = STOP_WORDS | {"beh", "inbeh", "made", "eaten", "worn", "grows", "different"}
Mask = npt.NDArray[np.bool_]


class PropertyQuestion(NamedTuple):
    """A class and a property: the ids of their words, and the concepts that have each."""

    name: str
    class_words: tuple[int, ...]
    property_words: tuple[int, ...]
    in_class: Mask
    has_property: Mask


def datasets() -> list[str]:
    """Return the norms."""
    return ["feature-norms"]


def questions(
    features: Iterable[Feature], space: Space, known: Ids
) -> tuple[Ids, list[PropertyQuestion]]:
    """Return the ids of the concepts, and all questions on them with known words.

    A concept is one known word without a sense label. A class is a taxonomic feature; a property is
    any other feature. At least five members of the class must have it, and five must lack it.
    """
    ids = {space.vocabulary.word(int(i)): int(i) for i in known}
    concepts: dict[str, int] = {}
    classes, properties = defaultdict[str, set[str]](set), defaultdict[str, set[str]](set)
    for each in features:
        if each.concept in ids:
            concepts[each.concept] = ids[each.concept]
            group = classes if each.kind == "taxonomic" else properties
            group[each.feature].add(each.concept)
    asked = []
    for class_name, inside in classes.items():
        for name, having in properties.items():
            words = _content(class_name, ids), _content(name, ids)
            if min(len(inside & having), len(inside - having)) >= LEAST and all(words):
                masks = [
                    np.array([each in group for each in concepts]) for group in (inside, having)
                ]
                asked.append(PropertyQuestion(name, *words, *masks))
    return np.array(list(concepts.values()), dtype=np.int64), asked


def _content(feature: str, ids: dict[str, int]) -> tuple[int, ...]:
    """Return the ids of a feature's content words, or none if one of them is unknown."""
    words = [word for word in re.findall("[a-z]+", feature.lower()) if word not in _SKIPPED]
    return tuple(ids[word] for word in words) if set(words) <= ids.keys() else ()


def scores_with(of_a: npt.NDArray[Any], of_b: npt.NDArray[Any]) -> dict[str, npt.NDArray[Any]]:
    """Return scores for "A and B" from the similarities to each, by method."""
    a, b = standardised(of_a), standardised(of_b)
    return {
        ONLY_A: of_a,
        "the paper's A + B": of_a + of_b,
        "A + B/2": of_a + of_b / 2,
        "min of percentiles": np.minimum(percentiles(of_a), percentiles(of_b)),
        "product of percentiles": percentiles(of_a) * percentiles(of_b),
        "z(A) + .2 z(B)": a + 0.2 * b,
        "z(A) + .6 z(B)": a + 0.6 * b,
    }


class PropertyFigures(NamedTuple):
    """The figures of all questions; the name of a setting is "frame: method"."""

    having: Comparison  # average precision of A & B
    lacking: Comparison  # average precision of A & !B
    area: Comparison  # area under the curve of A & !B, among the members of A


def ask(
    space: Space, known: Ids, features: list[Feature], frames: dict[str, Rows]
) -> PropertyFigures:
    """Ask every question by every method.

    Args:
        space: The vectors and their vocabulary.
        known: The ids of the known words.
        features: The norms.
        frames: Unit rows of all words by name.
    """
    concepts, asked = questions(features, space, known)
    having, lacking, areas = (defaultdict[str, list[float]](list) for _ in range(3))
    for name, rows in track(frames.items(), "classes and properties"):
        items = rows[concepts]
        classes = {each.class_words: _direction(rows, each.class_words) for each in asked}
        nearest = {words: _nearest(rows @ a, known) for words, a in classes.items()}
        for each in asked:
            a, b = classes[each.class_words], _direction(rows, each.property_words)
            near = [i for i in nearest[each.class_words] if i not in each.property_words]
            around = Neighbourhood(rows[near], space.probability[near])
            both, rest = each.in_class & each.has_property, each.in_class & ~each.has_property
            for way, scores in scores_with(items @ a, items @ b).items():
                having[f"{name}: {way}"].append(average_precision(scores, both))
            ways = by_vectors(items, a, b, around) | by_scores(items @ a, items @ b, SIZES)
            for way, scores in ways.items():
                lacking[f"{name}: {way}"].append(average_precision(scores, rest))
                areas[f"{name}: {way}"].append(_area(scores, rest, both))
            areas[f"{name}: {ONLY_B}"].append(_area(-(items @ b), rest, both))
    keys = [each.name for each in asked]
    return PropertyFigures(*(Comparison(keys, each, keys) for each in (having, lacking, areas)))


def _area(scores: npt.NDArray[Any], above: Mask, below: Mask) -> float:
    """Return the share of pairs in which an item of the first mask has the higher score."""
    return area_under_curve(np.concatenate([scores[above], scores[below]]), int(above.sum()))


def _direction(rows: Rows, ids: tuple[int, ...]) -> npt.NDArray[np.float32]:
    """Return the sum of the words' unit vectors, scaled to length 1."""
    return np.asarray(unit_rows(rows[list(ids)].sum(axis=0, keepdims=True))[0])


def _nearest(similarities: npt.NDArray[np.float32], known: Ids) -> list[int]:
    order = np.argsort(-similarities[known], kind="stable")[:NEAREST]
    return [int(i) for i in known[order]]


def run(space: Space, lab: Lab) -> JobResult:
    """Compare the methods for A & B and for A & !B in every frame."""
    features = read_feature_norms(locate("feature-norms"))
    frames = {name: unit_rows(frame(space, name)) for name in FRAMES}
    found = {
        name: ask(space, known, features, frames) for name, known in vocabularies(space).items()
    }
    lacking, area = found[FIRST].lacking, found[FIRST].area
    only_b = area.mean(area.choose(of_method(ONLY_B)))
    return JobResult(
        name="properties",
        title="A class with a property, and without it",
        items=", ".join(
            f"{len(each.having.keys)} questions in {name}" for name, each in found.items()
        )
        + " (McRae and others 2005)",
        tables=(_table_lacking(found), _table_having(found)),
        bars=(
            *(bar for way in OURS for bar in _bars(way, lacking)),
            at_least(f"{ONLY_B}, area under the curve among the members of A", 0.65, only_b),
        ),
        shown_as="A class without a property: MAP",
        shown={way: lacking.mean(lacking.choose(of_method(way))) for way in lacking.methods},
        numbers={
            name: {
                "questions": len(each.having.keys),
                "A & B": each.having.means,
                "A & !B": each.lacking.means,
                "area": each.area.means,
            }
            for name, each in found.items()
        },
    )


def _bars(way: str, lacking: Comparison) -> tuple[Bar, ...]:
    choice = lacking.choose(of_method(way))
    same, raw = lacking.gain(choice, _ignoring), lacking.gain(choice, _ignoring_raw)
    what = f"A & !B, {way} - {IGNORING}"
    return (
        at_least(f"{what}, same frame", 0, same),
        above(f"{what}, same frame", same, 0.01),
        above(f"{what}, raw", raw, 0.05),
    )


def _ignoring(setting: str) -> str:
    return f"{setting.partition(': ')[0]}: {IGNORING}"


def _ignoring_raw(setting: str) -> str:
    return f"raw: {IGNORING}"


def _table_lacking(found: dict[str, PropertyFigures]) -> Table:
    """Return the table of A & !B: two naive methods, then each in the other half's best frame."""
    first = found[FIRST].lacking
    fixed = {f"{way}, raw{NAIVE}": f"raw: {way}".__eq__ for way in (IGNORING, "A - B")}
    rows: list[tuple[Cell, ...]] = []
    for name, wanted in (fixed | {way: of_method(way) for way in (*first.methods, ANY)}).items():
        choices = [each.lacking.choose(wanted) for each in found.values()]
        cells = []
        for each, choice in zip(found.values(), choices, strict=True):
            cells += [str(each.lacking.mean(choice)), str(each.lacking.gain(choice, _ignoring))]
        area = float(choices[0].of(found[FIRST].area.figures).mean())
        raw = str(first.gain(choices[0], _ignoring_raw))
        rows.append((name, *cells, raw, area, str(choices[0])))
    columns = [each for name in found for each in (f"MAP, {name}", f"- {IGNORING}, same frame")]
    last = (f"- {IGNORING}, raw", "AUC within A", "chosen")
    return Table("A & !B: a class without a property", ("", *columns, *last), tuple(rows))


def _table_having(found: dict[str, PropertyFigures]) -> Table:
    """Return the table of A & B: each method in the best frame of the other half."""
    first = found[FIRST].having
    rows: list[tuple[Cell, ...]] = []
    for way in (*first.methods, ANY):
        cells = []
        for each in (one.having for one in found.values()):
            choice, only_a = each.choose(of_method(way)), each.choose(of_method(ONLY_A))
            cells += [str(each.mean(choice)), str(each.gain(choice, only_a))]
        rows.append((way, *cells, str(first.choose(of_method(way)))))
    columns = [each for name in found for each in (f"MAP, {name}", f"- {ONLY_A}")]
    return Table("A & B: a class with a property", ("", *columns, "chosen"), tuple(rows))
