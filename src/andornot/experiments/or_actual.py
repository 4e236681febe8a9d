"""Actual OR words: whether a word is near the OR of its kinds.

One tuple for each synset of WordNet: w is its first lemma, w_i are the first lemmas of its direct
hyponyms; single words that come at least 100 times, two w_i at least, w not among them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from andornot.datasets.wordnet import wordnet
from andornot.experiments.lab import Lab
from andornot.experiments.ranks import unit_rows
from andornot.experiments.report import Result, Table
from andornot.postprocessing import postprocess
from andornot.space import Space

if TYPE_CHECKING:
    from matplotlib.figure import Figure

LEAST_COUNT = 100
PARTS = {"WordNet (noun)": "n", "WordNet (verb)": "v"}
METHODS = {"orig": "none", "unif": "uniform", "freq": "frequency"}
PAPER = {  # cosine, that of a random w, and how many tuples
    "SGNS": {"WordNet (noun)": (0.394, 0.199), "WordNet (verb)": (0.356, 0.234)},
    "GloVe": {"WordNet (noun)": (0.315, 0.148), "WordNet (verb)": (0.322, 0.214)},
}
PAPER_SIZES = {"WordNet (noun)": 985, "WordNet (verb)": 530}


class OrWord(NamedTuple):
    """A word, and those it is the OR of, by their numbers."""

    whole: int
    kinds: tuple[int, ...]


def or_words(space: Space, part: str) -> list[OrWord]:
    """The tuples of WordNet that a space knows well enough."""
    net = wordnet(part)
    words, counts = space.vocabulary, space.counts

    def known(lemma: str) -> bool:
        return lemma in words and counts[words.index(lemma)] >= LEAST_COUNT

    found = []
    for synset in net:
        whole = synset.lemmas[0]
        kinds = dict.fromkeys(net.synset(place).lemmas[0] for place in synset.below)
        enough = [kind for kind in kinds if known(kind)]
        if known(whole) and len(enough) >= 2 and whole not in enough:
            found.append(OrWord(words.index(whole), tuple(map(words.index, enough))))
    return found


def run(lab: Lab) -> Result:
    """The mean cosine between a word and the OR of its kinds, and of a random word of the set."""
    numbers: dict[str, dict[str, dict[str, tuple[float, float]]]] = {}
    sizes: dict[str, int] = {}
    for model, space in lab.wiki_spaces().items():
        numbers[model] = {}
        for name, part in PARTS.items():
            asked = or_words(space, part)
            sizes[name] = len(asked)
            numbers[model][name] = {
                method: cosines(space, process, asked, lab.seed)
                for method, process in METHODS.items()
            }
    clear = all(
        own > 1.2 * random
        for found in numbers.values()
        for methods in found.values()
        for own, random in [methods["freq"]]
    )
    return Result(
        name="or-actual",
        title="Actual OR words",
        scale=lab.scale,
        corpus=lab.wiki_corpus,
        agreement="Centred by frequency, the cosines are "
        + (
            "clearly above those of random words everywhere."
            if clear
            else "not clearly above chance."
        ),
        tables=tuple(_table(model, found, sizes) for model, found in numbers.items()),
        numbers={"sizes": sizes, "cosines": numbers},
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


def _table(
    model: str, found: dict[str, dict[str, tuple[float, float]]], sizes: dict[str, int]
) -> Table:
    rows = []
    for name, methods in found.items():
        cells = [f"{own:.3f} ({random:.3f})" for own, random in methods.values()]
        rows.append((f"{name}, ours", *cells, f"{sizes[name]:,}"))
        own, random = PAPER[model][name]
        paper = f"{own:.3f} ({random:.3f})"
        rows.append((f"{name}, paper", "", "", paper, f"{PAPER_SIZES[name]:,}"))
    return Table(f"{model}: mean cosine (of a random w)", ("", *METHODS, "tuples"), tuple(rows))


def _draw(figure: Figure, numbers: dict[str, dict[str, dict[str, tuple[float, float]]]]) -> None:
    axes = figure.subplots(1, len(numbers), squeeze=False)[0]
    for panel, (model, found) in zip(axes, numbers.items(), strict=True):
        places = np.arange(len(found))
        panel.bar(places - 0.3, [m["freq"][0] for m in found.values()], 0.2, label="ours")
        panel.bar(places - 0.1, [m["freq"][1] for m in found.values()], 0.2, label="ours, random w")
        panel.bar(places + 0.1, [PAPER[model][name][0] for name in found], 0.2, label="paper")
        theirs = [PAPER[model][name][1] for name in found]
        panel.bar(places + 0.3, theirs, 0.2, label="paper, random w")
        panel.set_xticks(places, list(found))
        panel.set_title(f"{model}, centred by frequency")
        panel.set_ylabel("mean cosine")
        panel.legend()
