"""Job 3: a class with a property, and without it: "animal & flies", "animal & !flies".

The concepts of McRae and others are ranked. Relevant are the members of the class that people say
have the property, or those of which they don't say it. The norms are not exhaustive, so a member
that counts as being without a property may have it.
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
from andornot.experiments.intervals import Interval
from andornot.experiments.jobs.exclusions import (
    IGNORING,
    OURS,
    Neighbourhood,
    by_scores,
    by_vectors,
    way_of,
)
from andornot.experiments.jobs.first_words import FIRST, Ids, vocabularies
from andornot.experiments.jobs.frames import Rows, frame
from andornot.experiments.jobs.halves import Choice, choose
from andornot.experiments.jobs.job import JobResult, above, at_least, mean_of
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

FRAMES = ("raw", "freq", "white", "[v;u] white")
LEAST = 5  # members of a class with a property, and without
NEAREST = 100  # words of a neighbourhood
SIZES = (30, 100)  # concepts that are re-ranked
ONLY_A, ONLY_B, ANY = "A only", "!B only", "any of these"
_SKIPPED = STOP_WORDS | {"beh", "inbeh", "made", "eaten", "worn", "grows", "different"}
Mask = npt.NDArray[np.bool_]


class Question(NamedTuple):
    """A class and a property: the ids of their words, and which concepts belong to them."""

    name: str
    class_words: tuple[int, ...]
    property_words: tuple[int, ...]
    in_class: Mask
    has_property: Mask


def datasets() -> list[str]:
    """The norms."""
    return ["feature-norms"]


def questions(features: Iterable[Feature], space: Space, known: Ids) -> tuple[Ids, list[Question]]:
    """Return the ids of the concepts, and every question on them whose words are known.

    A concept is one known word without a mark of its sense. A class is a taxonomic feature, and a
    property any other; at least five members of the class must have it, and five not.
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
                asked.append(Question(name, *words, *masks))
    return np.array(list(concepts.values()), dtype=np.int64), asked


def _content(feature: str, ids: dict[str, int]) -> tuple[int, ...]:
    """Return the content words of a feature, or none if one of them is unknown."""
    words = [word for word in re.findall("[a-z]+", feature.lower()) if word not in _SKIPPED]
    return tuple(ids[word] for word in words) if set(words) <= ids.keys() else ()


def scores_with(of_a: npt.NDArray[Any], of_b: npt.NDArray[Any]) -> dict[str, npt.NDArray[Any]]:
    """Return scores for "A and B" from the similarities to each, by every way."""
    a, b = standardised(of_a), standardised(of_b)
    return {
        ONLY_A: of_a,
        "A + B, the paper's": of_a + of_b,
        "A + B/2": of_a + of_b / 2,
        "min of percentiles": np.minimum(percentiles(of_a), percentiles(of_b)),
        "product of percentiles": percentiles(of_a) * percentiles(of_b),
        "z(A) + .2 z(B)": a + 0.2 * b,
        "z(A) + .6 z(B)": a + 0.6 * b,
    }


class Found(NamedTuple):
    """Figures of every question by setting, which is a frame, a colon and a way."""

    keys: list[str]  # of each question
    with_property: dict[str, list[float]]  # average precision of A & B
    without: dict[str, list[float]]  # and of A & !B
    area: dict[str, list[float]]  # under the curve, among the members of A


def ask(space: Space, known: Ids, features: list[Feature], frames: dict[str, Rows]) -> Found:
    """Ask every question in every way.

    Args:
        space: Where the words are from.
        known: The ids of the words that are known.
        features: The norms.
        frames: Unit rows of all words by name.
    """
    concepts, asked = questions(features, space, known)
    with_property, without, areas = (defaultdict[str, list[float]](list) for _ in range(3))
    for name, rows in track(frames.items(), "classes and properties"):
        items = rows[concepts]
        classes = {each.class_words: _direction(rows, each.class_words) for each in asked}
        nearest = {words: _nearest(rows @ a, known) for words, a in classes.items()}
        for each in asked:
            a, b = classes[each.class_words], _direction(rows, each.property_words)
            near = [i for i in nearest[each.class_words] if i not in each.property_words]
            around = Neighbourhood(rows[near], space.probability[near])
            inside, having = each.in_class, each.has_property
            for way, scores in scores_with(items @ a, items @ b).items():
                precision = average_precision(scores, inside & having)
                with_property[f"{name}: {way}"].append(precision)
            ways = by_vectors(items, a, b, around) | by_scores(items @ a, items @ b, SIZES)
            for way, scores in ways.items():
                without[f"{name}: {way}"].append(average_precision(scores, inside & ~having))
                area = _area(scores, inside & ~having, inside & having)
                areas[f"{name}: {way}"].append(area)
            area = _area(-(items @ b), inside & ~having, inside & having)
            areas[f"{name}: {ONLY_B}"].append(area)
    return Found([each.name for each in asked], with_property, without, areas)


def _area(scores: npt.NDArray[Any], above: Mask, below: Mask) -> float:
    """Return how often one of the first is above one of the second."""
    return area_under_curve(np.concatenate([scores[above], scores[below]]), int(above.sum()))


def _direction(rows: Rows, ids: tuple[int, ...]) -> npt.NDArray[np.float32]:
    """Return the sum of the words' unit vectors, of length 1."""
    return np.asarray(unit_rows(rows[list(ids)].sum(axis=0, keepdims=True))[0])


def _nearest(similarities: npt.NDArray[np.float32], known: Ids) -> list[int]:
    order = np.argsort(-similarities[known], kind="stable")[:NEAREST]
    return [int(i) for i in known[order]]


def run(space: Space, lab: Lab) -> JobResult:
    """Compare the ways of A & B and of A & !B in every frame, chosen on one half at a time."""
    features = read_feature_norms(locate("feature-norms"))
    frames = {name: unit_rows(frame(space, name)) for name in FRAMES}
    found = {
        name: ask(space, known, features, frames) for name, known in vocabularies(space).items()
    }
    first = found[FIRST]
    ours, area = _chosen(first.without, OURS, first), _chosen(first.area, ONLY_B, first)
    return JobResult(
        name="properties",
        title="A class with a property, and without it",
        items=", ".join(f"{len(each.keys)} questions in {name}" for name, each in found.items())
        + " (McRae and others 2005)",
        tables=(_table_without(found), _table_with(found)),
        bars=(
            at_least(f"A & !B by {OURS} - ignoring B, same frame", 0.0, _gain(first, ours, None)),
            above(f"A & !B by {OURS} - ignoring B, same frame", _gain(first, ours, None), 0.01),
            above(f"A & !B by {OURS} - ignoring B, raw", _gain(first, ours, "raw"), 0.05),
            at_least(
                f"area under the curve of {ONLY_B} among the members of A",
                0.65,
                mean_of(area.of(first.area), first.keys),
            ),
        ),
        numbers={
            name: {
                "questions": len(each.keys),
                **{
                    figure: {setting: float(np.mean(values)) for setting, values in every.items()}
                    for figure, every in zip(("A & B", "A & !B", "area"), each[1:], strict=True)
                },
            }
            for name, each in found.items()
        },
    )


def _chosen(figures: dict[str, list[float]], way: str, found: Found) -> Choice:
    """Choose the frame and the numbers of a way, or of any way."""
    return choose(
        {name: each for name, each in figures.items() if way in (ANY, _way(name))}, found.keys
    )


def _way(setting: str) -> str:
    return way_of(setting.partition(": ")[2])


def _gain(found: Found, choice: Choice, before: str | None) -> Interval:
    """What the chosen setting of A & !B adds to ignoring B in a frame, or in its own."""
    ignored = {
        name: found.without[f"{before or name.partition(': ')[0]}: {IGNORING}"]
        for name in found.without
    }
    return mean_of(choice.of(found.without) - choice.of(ignored), found.keys)


def _table_without(found: dict[str, Found]) -> Table:
    """A & !B: each way with the frame that is the best on the other half."""
    rows: list[tuple[Cell, ...]] = []
    first = found[FIRST]
    for way in [*dict.fromkeys(map(_way, first.without)), ANY]:
        row: list[Cell] = [way]
        for name, each in found.items():
            choice = _chosen(each.without, way, each)
            row += [
                str(mean_of(choice.of(each.without), each.keys)),
                str(_gain(each, choice, None)),
            ]
            if name == FIRST:
                row += [
                    str(_gain(each, choice, "raw")),
                    float(choice.of(each.area).mean()),
                    str(choice),
                ]
        rows.append(tuple(row))
    columns = [
        f"{FIRST}, MAP",
        "- ignoring B, same frame",
        "- ignoring B, raw",
        "AUC within A",
        "chosen",
    ]
    others = [name for name in found if name != FIRST]
    columns += [each for name in others for each in (f"{name}, MAP", "- ignoring B, same frame")]
    return Table("A & !B", ("", *columns), tuple(rows))


def _table_with(found: dict[str, Found]) -> Table:
    """A & B: each way with the frame that is the best on the other half."""
    rows: list[tuple[Cell, ...]] = []
    for way in [*dict.fromkeys(map(_way, found[FIRST].with_property)), ANY]:
        row: list[Cell] = [way]
        for each in found.values():
            scores = each.with_property
            choice, only_a = (_chosen(scores, one, each) for one in (way, ONLY_A))
            row += [
                str(mean_of(choice.of(scores), each.keys)),
                str(mean_of(choice.of(scores) - only_a.of(scores), each.keys)),
            ]
        rows.append((*row, str(_chosen(found[FIRST].with_property, way, found[FIRST]))))
    columns = [each for name in found for each in (f"{name}, MAP", f"- {ONLY_A}")]
    return Table("A & B", ("", *columns, "chosen"), tuple(rows))
