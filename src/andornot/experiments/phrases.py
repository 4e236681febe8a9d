"""Word-to-phrase compositionality: the rank of card_game for card + game.

Noun compounds that people find compositional are merged into single tokens before training. The
rank counts all words whose cosine is at least that of the phrase, the two words included, as in the
paper; without them beside it. Whether the gain depends on how many rare words there are to be taken
for the phrase is measured too: it is shown among the most frequent words alone.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from andornot.base.errors import AndornotError
from andornot.base.progress import track
from andornot.datasets.compounds import compositional_phrases
from andornot.experiments.centring import METHODS, centred
from andornot.experiments.frequent import most_frequent, sizes_of
from andornot.experiments.lab import Lab, Training
from andornot.experiments.ranks import ranks, unit_rows
from andornot.experiments.report import Cell, Finding, Result, Table, legend_below
from andornot.space import Space

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SHOWN = (1, 10, 100, 1000)
PAPERS_GAINS = {"SGNS": (10, 1.7), "GloVe": (100, 3.5)}
"""At which n the paper states how many times as good freq is as orig."""

Ranks = dict[str, npt.NDArray[np.int64]]


def datasets(lab: Lab) -> list[str]:
    """The text of the models, and the phrases."""
    return lab.phrase_datasets


def trainings(lab: Lab) -> dict[str, Training]:
    """Both models on Wikipedia with phrases merged."""
    return lab.phrase_trainings()


def run(lab: Lab) -> Result:
    """Top-n accuracy by model and post-processing."""
    phrases = compositional_phrases()
    found: dict[str, Ranks] = {}
    without: dict[str, Ranks] = {}
    by_words: dict[str, list[tuple[Cell, ...]]] = {}
    known: list[str] = []
    for model, space in lab.phrase_spaces().items():
        known = [
            phrase for phrase in phrases if is_known(phrase, space) and lab.asks(*_words_of(phrase))
        ]
        if not known:
            raise AndornotError(
                f"none of the {len(phrases)} phrases is frequent enough in the text"
            )
        found[model] = phrase_ranks(space, known)
        without[model] = phrase_ranks(space, known, operands=False)
        n, _ = PAPERS_GAINS[model]
        by_words[model] = []
        needed = {word for phrase in known for word in _words_of(phrase)}
        for size in sizes_of(space):
            part = most_frequent(space, size, needed)
            some = phrase_ranks(part, known, ("orig", "freq"))
            cells = [_accuracy(each, n) for each in some.values()]
            by_words[model].append((f"{model}, top-{n}", len(part), *cells, _gain(some, n)))
    gains = {model: _gain(each, PAPERS_GAINS[model][0]) for model, each in found.items()}
    return Result(
        name="phrases",
        title="Word-to-phrase compositionality",
        corpus=f"{lab.phrase_corpus.name}; {len(known)} of {len(phrases)} phrases are frequent "
        "enough",
        agreement=f"{_verdict(gains)} {_growth(by_words)}",
        tables=(
            _table("Top-n accuracy, all words counted", found),
            _table("Top-n accuracy, without the two words", without),
            Table(
                "Top-n accuracy among the most frequent words",
                ("", "words", "orig", "freq", "freq / orig"),
                tuple(row for rows in by_words.values() for row in rows),
            ),
        ),
        numbers={
            "phrases": len(known),
            "gains": gains,
            "ranks": {m: {k: r.tolist() for k, r in each.items()} for m, each in found.items()},
        },
        findings=tuple(
            Finding(f"{model}: times as many in the first {n}, freq against orig", gain, paper)
            for model, gain in gains.items()
            for n, paper in [PAPERS_GAINS[model]]
            if gain is not None
        ),
        draw=lambda figure: _draw(figure, found),
    )


def _verdict(gains: dict[str, float | None]) -> str:
    """What centring gains, and for which models as much as in the paper."""
    said = "; ".join(
        f"{model} {_times(gain)} as many in the first {PAPERS_GAINS[model][0]} (paper: "
        f"{PAPERS_GAINS[model][1]} times)"
        for model, gain in gains.items()
    )
    known = {model: gain for model, gain in gains.items() if gain is not None}
    short = [model for model, gain in known.items() if gain < PAPERS_GAINS[model][1]]
    enough = [model for model in known if model not in short]
    told = [f"With centring by frequency, against none: {said}."]
    if short:
        told.append(f"The paper's gain is not reached for {' and '.join(short)}.")
    if enough:
        told.append(f"It is reached for {' and '.join(enough)}.")
    return " ".join(told)


def _growth(by_words: dict[str, list[tuple[Cell, ...]]]) -> str:
    """The gain of each model among the fewest words and among all."""
    said = "; ".join(
        f"{model} {_times(rows[0][-1])} among {rows[0][1]:,} words, {_times(rows[-1][-1])} among "
        f"all {rows[-1][1]:,}"
        for model, rows in by_words.items()
    )
    return f"With fewer words to choose from: {said}."


def _times(gain: Cell) -> str:
    return f"{gain:.2f} times" if isinstance(gain, float) else "some where there were none,"


def is_known(phrase: str, space: Space) -> bool:
    """Whether a space has a phrase and both of its words."""
    return all(word in space for word in _words_of(phrase))


def _words_of(phrase: str) -> tuple[str, ...]:
    """The words of a phrase, and the phrase as a token."""
    return (*phrase.split(), phrase.replace(" ", "_"))


def phrase_ranks(
    space: Space,
    phrases: list[str],
    methods: Collection[str] = METHODS,
    operands: bool = True,
) -> Ranks:
    """The rank of each phrase for the sum of its words, by post-processing."""
    index = space.vocabulary.index
    parts = [tuple(index(word) for word in phrase.split()) for phrase in phrases]
    goals = [index(phrase.replace(" ", "_")) for phrase in phrases]
    found = {}
    for name in track(methods, "ranking phrases"):
        rows = centred(space, METHODS[name]).target
        queries = np.array([rows[list(each)].sum(axis=0) for each in parts])
        found[name] = ranks(unit_rows(rows), queries, goals, None if operands else parts)
    return found


def _accuracy(found: npt.NDArray[np.int64], n: int) -> float:
    return float(np.mean(found <= n))


def _gain(found: Ranks, n: int) -> float | None:
    """How many times as many freq finds as orig; None where that finds nothing."""
    orig = _accuracy(found["orig"], n)
    return _accuracy(found["freq"], n) / orig if orig else None


def _table(title: str, found: dict[str, Ranks]) -> Table:
    rows: list[tuple[Cell, ...]] = [
        (f"{model}, top-{n}", *(_accuracy(each[name], n) for name in METHODS))
        for model, each in found.items()
        for n in SHOWN
    ]
    return Table(title, ("", *METHODS), tuple(rows))


def _draw(figure: Figure, found: dict[str, Ranks]) -> None:
    panels = figure.subplots(1, len(found), squeeze=False, sharey=True)[0]
    depths = np.unique(np.geomspace(1, 10_000, 60).astype(int))
    for panel, (model, each) in zip(panels, found.items(), strict=True):
        for name in METHODS:
            panel.plot(depths, [_accuracy(each[name], n) for n in depths], label=name)
        panel.set_xscale("log")
        panel.set_xlabel("n")
        panel.set_ylabel("top-n accuracy")
        panel.set_title(model)
    legend_below(figure, panels[0])
