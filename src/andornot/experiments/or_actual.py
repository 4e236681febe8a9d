"""Actual OR words: whether a word is near the OR of its kinds.

One tuple for each synset of WordNet: w is its first lemma, w_i are the first lemmas of its direct
hyponyms; single words that come at least 100 times, two w_i at least, w not among them. And the
tuples that Dasgupta et al. wrote by hand, where their file is here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from andornot.base.errors import AndornotError
from andornot.datasets.locating import dataset_named, find
from andornot.datasets.tuples import read_tuples
from andornot.datasets.wordnet import wordnet
from andornot.experiments.centring import ORIGINS, same_for_all_three
from andornot.experiments.lab import Asks, Lab, Training, asks_all
from andornot.experiments.ranks import unit_rows
from andornot.experiments.report import Cell, Finding, Result, Table, legend_below
from andornot.postprocessing import postprocess
from andornot.space import Space

if TYPE_CHECKING:
    from matplotlib.figure import Figure

LEAST_COUNT = 100
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


class OrWord(NamedTuple):
    """A word, and those it is the OR of, by their numbers."""

    whole: int
    kinds: tuple[int, ...]


def or_words(space: Space, part: str, asks: Asks = asks_all) -> list[OrWord]:
    """The tuples of WordNet that a space knows well enough, and that are to be asked."""
    net = wordnet(part)
    words, counts = space.vocabulary, space.counts

    def known(lemma: str) -> bool:
        single = "_" not in lemma  # a phrase may be one token of the text
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
    """The tuples of Dasgupta et al. whose words a space knows, where their file is here."""
    path = find("or-tuples")
    words = space.vocabulary
    return [
        OrWord(words.index(whole), tuple(map(words.index, kinds)))
        for whole, kinds in ([] if path is None else read_tuples(path))
        if all(word in words for word in (whole, *kinds))
    ]


def datasets(lab: Lab) -> list[str]:
    """WordNet, and the text of the models."""
    return ["wordnet-3.0", *lab.wiki_datasets]


def trainings(lab: Lab) -> dict[str, Training]:
    """Both models on Wikipedia."""
    return lab.wiki_trainings()


def run(lab: Lab) -> Result:
    """The mean cosine between a word and the OR of its kinds, and of a random word of the set."""
    numbers: dict[str, dict[str, dict[str, tuple[float, float]]]] = {}
    sizes: dict[str, int] = {}
    for model, space in lab.wiki_spaces().items():
        sets = {name: or_words(space, part, lab.asks) for name, part in PARTS.items()}
        if not all(sets.values()):
            raise AndornotError(f"no synset of WordNet has words enough in the vectors of {model}")
        if written := written_or_words(space):
            sets[DASGUPTA] = written
        sizes = {name: len(asked) for name, asked in sets.items()}
        numbers[model] = {
            name: {m: cosines(space, process, asked, lab.seed) for m, process in ORIGINS.items()}
            for name, asked in sets.items()
        }
    said = ""
    if DASGUPTA not in sizes:
        tuples = dataset_named("or-tuples")
        said = f" Tuples of {DASGUPTA} ({tuples.home}) are read from {tuples.file}."
    return Result(
        name="or-actual",
        title="Actual OR words",
        corpus=lab.wiki_corpus,
        agreement=f"{_above(numbers)} {_same_for_all_three(numbers)}{said}",
        tables=tuple(_table(model, found, sizes) for model, found in numbers.items()),
        numbers={"sizes": sizes, "cosines": numbers},
        findings=tuple(
            Finding(f"{model}, {name}, {what}", ours, paper)
            for model, found in numbers.items()
            for name, methods in found.items()
            for what, ours, paper in zip(
                ("cosine", "cosine of a random w"), methods["orig"], PAPER[model][name], strict=True
            )
        ),
        draw=lambda figure: _draw(figure, numbers),
    )


def cosines(space: Space, method: str, asked: list[OrWord], seed: int) -> tuple[float, float]:
    """The mean cosine with w, and with a w that was drawn from the set."""
    rows, p = postprocess(space, method).target, space.probability
    unions = np.array(
        [p[list(kinds)] @ rows[list(kinds)] / p[list(kinds)].sum() for _, kinds in asked]
    )
    own = unit_rows(rows[[whole for whole, _ in asked]])
    drawn = np.random.default_rng(seed).permutation(len(asked))
    unions = unit_rows(unions)
    return float((own * unions).sum(1).mean()), float((own[drawn] * unions).sum(1).mean())


def _above(numbers: dict[str, dict[str, dict[str, tuple[float, float]]]]) -> str:
    """By how much the cosines are above those of random words, as trained and in the paper."""
    ours = [
        own - random
        for found in numbers.values()
        for methods in found.values()
        for own, random in methods.values()
    ]
    theirs = [own - random for found in PAPER.values() for own, random in found.values()]
    return (
        f"Whatever the centring, cosines are {min(ours):.2f} to {max(ours):.2f} above those of "
        f"random words; in the paper {min(theirs):.2f} to {max(theirs):.2f}."
    )


def _same_for_all_three(numbers: dict[str, dict[str, dict[str, tuple[float, float]]]]) -> str:
    """How far the paper's statement holds that the three centrings give the same."""
    return same_for_all_three(
        {
            f"{model}, {name}": [own for own, _ in methods.values()]
            for model, found in numbers.items()
            for name, methods in found.items()
        }
    )


def _table(
    model: str, found: dict[str, dict[str, tuple[float, float]]], sizes: dict[str, int]
) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for name, methods in found.items():
        cells = [f"{own:.3f} ({random:.3f})" for own, random in methods.values()]
        paper = "{:.3f} ({:.3f})".format(*PAPER[model][name])
        rows.append((name, *cells, paper, sizes[name], PAPER_SIZES[name]))
    header = ("", *ORIGINS, "paper", "tuples", "paper's tuples")
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
