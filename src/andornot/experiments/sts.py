"""Word-to-sentence compositionality: sentence vectors by addition, on STS 2012 to 2016.

Pearson's correlation between the cosine of two sentence vectors and people's ratings. The paper
doesn't say how the sets of a year are combined: the mean over them is compared with it, and the
correlation over all pairs of the year stands beside.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from andornot.base.progress import track
from andornot.datasets.locating import locate
from andornot.datasets.sentence_pairs import SentencePair, read_sts
from andornot.evaluation import sentence_similarity
from andornot.experiments.bert import TRAINED_HERE, bert_note, bert_spaces
from andornot.experiments.centring import TEXT_FREQUENCY, centred
from andornot.experiments.lab import Lab, Training
from andornot.experiments.report import Cell, Finding, Result, Table, legend_below
from andornot.postprocessing.sentences import encode
from andornot.space import Space

if TYPE_CHECKING:
    from matplotlib.figure import Figure

YEARS = (12, 13, 14, 15, 16)
METHODS = {  # post-processing, and how the words of a sentence weigh
    "orig": ("none", "sum"),
    "unif": ("uniform", "sum"),
    "ABTT": ("all-but-the-top", "sum"),
    "freq": ("frequency", "sum"),
    "freq, text's p": (TEXT_FREQUENCY, "sum"),
    "whitened": ("zipfian-whitening", "sum"),
    "freq, SIF": ("frequency", "sif"),
}
PAPER = {
    "SGNS": {
        "orig": (0.53, 0.59, 0.60, 0.62, 0.55),
        "unif": (0.53, 0.59, 0.60, 0.62, 0.55),
        "ABTT": (0.52, 0.57, 0.59, 0.60, 0.53),
        "freq": (0.55, 0.64, 0.68, 0.70, 0.65),
    },
    "GloVe": {
        "orig": (0.32, 0.37, 0.38, 0.44, 0.33),
        "unif": (0.32, 0.37, 0.38, 0.44, 0.33),
        "ABTT": (0.35, 0.43, 0.44, 0.48, 0.38),
        "freq": (0.37, 0.48, 0.52, 0.55, 0.51),
    },
    "BERT": {
        "orig": (0.52, 0.49, 0.57, 0.60, 0.60),
        "unif": (0.49, 0.47, 0.54, 0.57, 0.57),
        "freq": (0.53, 0.52, 0.62, 0.68, 0.69),
    },
}
PAPER |= dict.fromkeys(TRAINED_HERE, PAPER["BERT"])  # beside them stands its one BERT
Scores = dict[str, dict[str, tuple[float, float]]]  # by year and method: mean over sets, pooled


def datasets(lab: Lab) -> list[str]:
    """The pairs of sentences, and the text of the models."""
    return [*(f"sts{year}" for year in YEARS), *lab.wiki_datasets]


def trainings(lab: Lab) -> dict[str, Training]:
    """Both models on Wikipedia."""
    return lab.wiki_trainings()


def run(lab: Lab) -> Result:
    """Pearson by year, model and post-processing."""
    years = {f"STS{year}": read_sts(locate(f"sts{year}")) for year in YEARS}
    spaces = lab.wiki_spaces() | bert_spaces(lab)
    found = {model: scores(space, years) for model, space in spaces.items()}
    first = sum(
        round(row["freq"][0], 2) == max(round(row[name][0], 2) for name in PAPER[model])
        for model, each in found.items()
        for row in each.values()
    )
    rows = sum(len(each) for each in found.values())
    return Result(
        name="sts",
        title="Word-to-sentence compositionality",
        corpus=lab.wiki_corpus + bert_note(spaces),
        agreement="Frequency-weighted centring is first or tied, to two digits, among those that "
        f"the paper has for the model in {first} of {rows} rows; in the paper it is first in every "
        "row.",
        tables=tuple(_table(model, each) for model, each in found.items()),
        numbers={"pearson": found},
        findings=tuple(
            Finding(f"{model}, {year}, {name}", row[name][0], PAPER[model][name][column])
            for model, each in found.items()
            for column, (year, row) in enumerate(each.items())
            for name in ("orig", "freq")
        ),
        draw=lambda figure: _draw(figure, found),
    )


def scores(space: Space, years: dict[str, dict[str, list[SentencePair]]]) -> Scores:
    """Pearson's correlation for each year and method: the mean over its sets, and pooled."""
    found: Scores = {year: {} for year in years}
    for name, (method, weights) in track(METHODS.items(), "comparing sentences"):
        processed = centred(space, method)
        for year, sets in years.items():
            score = sentence_similarity(partial(encode, processed, weights=weights), sets)
            found[year][name] = (score.mean, score.pooled)
    return found


def _table(model: str, found: Scores) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for column, (year, row) in enumerate(found.items()):
        rows.append((f"{year}, ours", *(row[name][0] for name in METHODS)))
        rows.append((f"{year}, ours, pooled", *(row[name][1] for name in METHODS)))
        theirs = [PAPER[model][name][column] if name in PAPER[model] else None for name in METHODS]
        rows.append((f"{year}, paper", *theirs))
    return Table(f"{model}: Pearson", ("", *METHODS), tuple(rows), digits=2)


def _draw(figure: Figure, found: dict[str, Scores]) -> None:
    panels = figure.subplots(1, len(found), squeeze=False, sharey=True)[0]
    for panel, (model, each) in zip(panels, found.items(), strict=True):
        for name in METHODS:
            panel.plot(YEARS, [row[name][0] for row in each.values()], "o-", label=name)
        for name, colour in (("orig", "grey"), ("freq", "black")):
            panel.plot(YEARS, PAPER[model][name], ":", color=colour, label=f"{name}, paper")
        panel.set_title(model)
        panel.set_xlabel("STS of 20..")
        panel.set_ylabel("Pearson")
    legend_below(figure, panels[0])
