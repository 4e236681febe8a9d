"""Actual OR words: a word should be near the OR of its kinds.

Each synset of WordNet gives one tuple: w is its first lemma, and w_i are the first lemmas of its
direct hyponyms. All are single words that occur at least 100 times; at least two w_i are needed,
and w is not one of them. The handwritten tuples of Dasgupta et al. are added if their file is
installed. The paper reports the mean cosine; the rank among all words is beyond the paper
(or_ranks).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from andornot.base.errors import AndornotError
from andornot.base.moments import unit_rows
from andornot.datasets.locating import dataset_named
from andornot.experiments import or_ranks
from andornot.experiments.centring import ORIGINS, SAME_CAUSE, same_for_all_three
from andornot.experiments.intervals import Interval, mean_interval
from andornot.experiments.lab import Lab, Training
from andornot.experiments.or_ranks import (
    MOST,
    Floats,
    Reciprocals,
    draw_tuples,
    reciprocal_ranks,
    senses_of,
)
from andornot.experiments.or_tuples import OrWord, or_words, unions, written_or_words
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
from andornot.experiments.verdicts import (
    combined,
    largest_gap,
    verdict_on_rise,
    verdict_on_same,
)
from andornot.postprocessing import postprocess
from andornot.space import Space

if TYPE_CHECKING:
    from matplotlib.figure import Figure

PARTS = {"WordNet (noun)": "n", "WordNet (verb)": "v"}
DASGUPTA = "Dasgupta et al."
PAPER = {  # the cosine, and that of a random w
    "SGNS": {
        "WordNet (noun)": (0.394, 0.199),
        "WordNet (verb)": (0.356, 0.234),
        DASGUPTA: (0.444, 0.273),
    },
    "GloVe": {
        "WordNet (noun)": (0.315, 0.148),
        "WordNet (verb)": (0.322, 0.214),
        DASGUPTA: (0.439, 0.288),
    },
}
PAPER_SIZES = {"WordNet (noun)": 985, "WordNet (verb)": 530, DASGUPTA: 22}


class Cosines(NamedTuple):
    """The cosine of each OR with its w, and with a w drawn from the same dataset."""

    own: Floats
    random: Floats

    @property
    def means(self) -> tuple[float, float]:
        """The means of both."""
        return float(self.own.mean()), float(self.random.mean())

    @property
    def lead(self) -> Interval:
        """The mean difference between the cosines with its own w and with the drawn one."""
        return mean_interval(self.own - self.random)


Found = dict[str, dict[str, dict[str, Cosines]]]  # by model, dataset and centring


def datasets(lab: Lab) -> list[str]:
    """Return WordNet, and the text of the models."""
    return ["wordnet-3.0", *lab.wiki_datasets]


def trainings(lab: Lab) -> dict[str, Training]:
    """Return both models on Wikipedia."""
    return lab.wiki_trainings()


def run(lab: Lab) -> Result:
    """Measure the cosine of words and of random words with the OR of their kinds, and the rank."""
    found: Found = {}
    by_rank: dict[str, dict[str, Reciprocals]] = {}
    sizes: dict[str, int] = {}
    for model, space in lab.wiki_spaces().items():
        sets = {name: or_words(space, part, lab.asks) for name, part in PARTS.items()}
        if not all(sets.values()):
            raise AndornotError(f"{model} knows too few words of every synset; use more words")
        if written := written_or_words(space):
            sets[DASGUPTA] = written
        sizes = {name: len(asked) for name, asked in sets.items()}
        found[model] = {
            name: {m: cosines(space, process, asked, lab.seed) for m, process in ORIGINS.items()}
            for name, asked in sets.items()
        }
        by_rank[model] = {}
        for name, asked in sets.items():
            drawn = draw_tuples(asked, MOST[lab.scale], lab.seed)
            each = reciprocal_ranks(space, drawn, name)
            if part := PARTS.get(name):
                each = each._replace(senses=senses_of(space, drawn, part))
            by_rank[model][name] = each
    said = [_above(found), _same_for_all_three(found)]
    if DASGUPTA not in sizes:
        tuples = dataset_named("or-tuples")
        said.append(f"The tuples of {DASGUPTA} ({tuples.home}) are used if {tuples.file} exists.")
    means = {
        model: {name: {m: each.means for m, each in methods.items()} for name, methods in s.items()}
        for model, s in found.items()
    }
    return Result(
        name="or-actual",
        title="Actual OR words",
        corpus=lab.wiki_corpus,
        agreement=listed([*said, *or_ranks.said_of(by_rank)]),
        tables=(
            *(_table(model, sets, sizes) for model, sets in found.items()),
            *(or_ranks.table_of(model, sets) for model, sets in by_rank.items()),
            or_ranks.senses_table(by_rank),
        ),
        numbers={
            "sizes": sizes,
            "cosines": means,
            "above a random w": {
                model: {
                    name: {m: each.lead for m, each in methods.items()}
                    for name, methods in sets.items()
                }
                for model, sets in found.items()
            },
            "mrr": {
                model: {
                    name: {way: each.interval(way) for way in each.ways}
                    for name, each in sets.items()
                }
                for model, sets in by_rank.items()
            },
        },
        findings=(
            *(
                Finding(f"{model}, {name}, {what}", ours, paper)
                for model, sets in means.items()
                for name, methods in sets.items()
                for what, ours, paper in zip(
                    ("cosine", "cosine of a random w"),
                    methods["orig"],
                    PAPER[model][name],
                    strict=True,
                )
            ),
            *(
                Finding(f"{model}, {name}, MRR, {way}", each.interval(way).value)
                for model, sets in by_rank.items()
                for name, each in sets.items()
                for way in each.ways
            ),
        ),
        summary=_summary(means),
        draw=lambda figure: _draw(figure, means),
        claims=(
            *(above_claim(model, sets) for model, sets in found.items()),
            same_claim(found),
            *([] if DASGUPTA in sizes else [_untested_tuples()]),
        ),
    )


def cosines(space: Space, method: str, asked: list[OrWord], seed: int) -> Cosines:
    """Return the cosine of each OR with its w, and with a w drawn from the same dataset."""
    rows = postprocess(space, method).target
    either = unit_rows(unions(rows, space.probability, asked))
    own = unit_rows(rows[[whole for whole, _ in asked]])
    drawn = np.random.default_rng(seed).permutation(len(asked))
    with_own, with_drawn = ((each * either).sum(1) for each in (own, own[drawn]))
    return Cosines(with_own.astype(np.float64), with_drawn.astype(np.float64))


def above_claim(model: str, sets: dict[str, dict[str, Cosines]]) -> Claim:
    """Judge the claim that a model's cosines are significantly above those of a random w."""
    paper = ", ".join(f"{name} {_shown(PAPER[model][name])}" for name in sets)
    leads = {name: methods["orig"].lead for name, methods in sets.items()}
    theirs = {name: float(np.subtract(*PAPER[model][name])) for name in sets}
    verdict = combined(
        [verdict_on_rise(lead, reaches=lead.high >= theirs[name]) for name, lead in leads.items()]
    )
    least = min(leads, key=lambda name: leads[name].high - theirs[name])
    figure = (
        f"The difference is above 0 for {sum(lead.sign > 0 for lead in leads.values())} of "
        f"{len(leads)} datasets. For {least} it is {leads[least]} (paper: {theirs[least]:.3f})."
    )
    cause = "" if verdict == Verdict.REPRODUCED else "Not known. The tuples are not the paper's."
    return Claim(
        f"{model}: the cosine of w with the OR of its kinds is significantly above that of a "
        f"random w: {paper}",
        verdict,
        figure,
        cause,
    )


def change_from_orig(methods: dict[str, Cosines], method: str) -> Interval:
    """Return the mean cosine with one centring minus that of orig."""
    return mean_interval(methods[method].own - methods["orig"].own)


def same_claim(found: Found) -> Claim:
    """Judge the claim that the cosines are the same for the three centrings."""
    gaps = {
        f"{model}, {name}, {method}": (
            change_from_orig(methods, method),
            methods["orig"].means[0],
        )
        for model, sets in found.items()
        for name, methods in sets.items()
        for method in ORIGINS
        if method != "orig"
    }
    verdict = verdict_on_same(gaps.values())
    most = largest_gap(gaps)
    return Claim(
        "Actual OR words: the same cosines for orig, unif and freq (said of artificial OR words)",
        verdict,
        f"The largest change from orig is {gaps[most][0]}, for {most}.",
        "" if verdict == Verdict.REPRODUCED else SAME_CAUSE,
    )


def _untested_tuples() -> Claim:
    paper = ", ".join(f"{model} {_shown(found[DASGUPTA])}" for model, found in PAPER.items())
    return Claim(
        f"OR of the {PAPER_SIZES[DASGUPTA]} tuples of {DASGUPTA}: {paper}",
        Verdict.NOT_TESTED,
        cause=f"The tuples are missing. Put them in {dataset_named('or-tuples').file}.",
    )


def _shown(means: tuple[float, float]) -> str:
    own, random = means
    return f"{own:.3f} ({random:.3f})"


def _above(found: Found) -> str:
    """Say how far the cosines are above those of random words, and in how many cases."""
    ours = [
        each.lead
        for sets in found.values()
        for methods in sets.values()
        for each in methods.values()
    ]
    theirs = [own - random for found in PAPER.values() for own, random in found.values()]
    values = [each.value for each in ours]
    sure = sum(each.sign > 0 for each in ours)
    return (
        f"Cosines are {min(values):.2f} to {max(values):.2f} above those of random words, by "
        f"model, dataset and centring; the interval is above 0 in {sure} of {len(ours)} cases. "
        f"In the paper, they are {min(theirs):.2f} to {max(theirs):.2f} above."
    )


def _same_for_all_three(found: Found) -> str:
    """Compare the cosines of the three centrings, which are the same according to the paper."""
    return same_for_all_three(
        {
            f"{model}, {name}": [float(each.own.mean()) for each in methods.values()]
            for model, sets in found.items()
            for name, methods in sets.items()
        }
    )


def _summary(means: dict[str, dict[str, dict[str, tuple[float, float]]]]) -> Table:
    """Return a table of the mean cosines as trained, beside the paper's."""
    rows = tuple(
        (f"{model}, {name}", _shown(methods["orig"]), _shown(PAPER[model][name]))
        for model, sets in means.items()
        for name, methods in sets.items()
    )
    return Table("", ("mean cosine (of a random w)", "ours", "paper"), rows)


def _table(model: str, found: dict[str, dict[str, Cosines]], sizes: dict[str, int]) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for name, methods in found.items():
        cells = [_shown(each.means) for each in methods.values()]
        paper, lead = _shown(PAPER[model][name]), str(methods["orig"].lead)
        others = [method for method in ORIGINS if method != "orig"]
        moved = [str(change_from_orig(methods, method)) for method in others]
        rows.append((name, *cells, paper, lead, *moved, sizes[name], PAPER_SIZES[name]))
    changes = [f"{method} - orig" for method in others]
    header = ("", *ORIGINS, "paper", "orig above random", *changes, "tuples", "paper's tuples")
    return Table(f"{model}: mean cosine (of a random w)", header, tuple(rows))


def _draw(figure: Figure, numbers: dict[str, dict[str, dict[str, tuple[float, float]]]]) -> None:
    axes = figure.subplots(1, len(numbers), squeeze=False)[0]
    for panel, (model, found) in zip(axes, numbers.items(), strict=True):
        positions = np.arange(len(found))
        ours = [methods["orig"] for methods in found.values()]
        theirs = [PAPER[model][name] for name in found]
        bars = (
            ("ours", ours, "tab:blue", "lightsteelblue"),
            ("paper", theirs, "tab:grey", "lightgrey"),
        )
        for side, (who, pairs, colour, light) in zip((-0.2, 0.2), bars, strict=True):
            own, random = zip(*pairs, strict=True)
            panel.bar(positions + side - 0.1, own, 0.2, label=who, color=colour)
            panel.bar(positions + side + 0.1, random, 0.2, label=f"{who}, random w", color=light)
        panel.set_xticks(positions, list(found))
        panel.set_title(f"{model}, as trained")
        panel.set_ylabel("mean cosine")
    legend_below(figure, axes[0])
