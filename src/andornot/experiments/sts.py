"""Word-to-sentence compositionality: sentence vectors by addition, on STS 2012 to 2016.

The score is Pearson's correlation between the cosine of two sentence vectors and human ratings. The
paper doesn't say how the datasets of a year are combined. The mean over them is compared with the
paper, and the tables also show the correlation over all pairs of the year ("pooled").
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from andornot.base.progress import track
from andornot.datasets.locating import locate
from andornot.datasets.sentence_pairs import SentencePair, read_sts
from andornot.evaluation import sentence_cosines
from andornot.experiments.bert import bert_note, bert_spaces, papers_name
from andornot.experiments.centring import TEXT_FREQUENCY, TEXT_P, centred
from andornot.experiments.glove_6b import glove_6b_note, glove_6b_spaces
from andornot.experiments.lab import Lab, Training
from andornot.experiments.report import (
    Cell,
    Finding,
    Result,
    Table,
    legend_below,
    listed,
    panels_of,
)
from andornot.experiments.sts_claims import PAPER, judge
from andornot.experiments.sts_scores import (
    Cosines,
    Years,
    YearScores,
    changes,
    count_changes,
    datasets_table,
    is_best,
    leads_table,
    numbers_of,
    score_year,
)
from andornot.postprocessing.sentences import encode
from andornot.space import Space

if TYPE_CHECKING:
    from matplotlib.figure import Figure

YEARS = (12, 13, 14, 15, 16)
METHODS = {  # post-processing, and the weights of the words in a sentence
    "orig": ("none", "sum"),
    "unif": ("uniform", "sum"),
    "ABTT": ("all-but-the-top", "sum"),
    "freq": ("frequency", "sum"),
    TEXT_P: (TEXT_FREQUENCY, "sum"),
    "whitened": ("zipfian-whitening", "sum"),
    "freq, SIF": ("frequency", "sif"),
}


def datasets(lab: Lab) -> list[str]:
    """Return the sentence pairs, and the text of the models."""
    return [*(f"sts{year}" for year in YEARS), *lab.wiki_datasets]


def trainings(lab: Lab) -> dict[str, Training]:
    """Return both models on Wikipedia."""
    return lab.wiki_trainings()


def run(lab: Lab) -> Result:
    """Measure Pearson's correlation by year, model and post-processing."""
    years = {f"STS{year}": read_sts(locate(f"sts{year}")) for year in YEARS}
    spaces = lab.wiki_spaces() | glove_6b_spaces(lab) | bert_spaces(lab)
    found = {model: scores(space, years) for model, space in spaces.items()}
    numbers = numbers_of(found)
    return Result(
        name="sts",
        title="Word-to-sentence compositionality",
        corpus=lab.wiki_corpus + glove_6b_note(spaces) + bert_note(spaces),
        agreement=_agreement(found),
        tables=(
            *(_table(model, each) for model, each in found.items()),
            leads_table(found),
            datasets_table(found),
        ),
        numbers=numbers,
        findings=tuple(
            Finding(f"{model}, {year}, {name}", row.score[name][0], paper(model, name, column))
            for model, each in found.items()
            for column, (year, row) in enumerate(each.items())
            for name in ("orig", "freq")
        ),
        summary=summary_of(found),
        claims=judge(numbers),
        draw=lambda figure: _draw(figure, found),
    )


def scores(space: Space, years: dict[str, dict[str, list[SentencePair]]]) -> Years:
    """Return Pearson's correlation for each year and method, and the change by centring."""
    cosines: dict[str, Cosines] = {year: {} for year in years}
    for name, (method, weights) in track(METHODS.items(), "comparing sentences"):
        processed = centred(space, method)
        for year, sets in years.items():
            encoder = partial(encode, processed, weights=weights)
            cosines[year][name] = sentence_cosines(encoder, sets)
    return {year: score_year(cosines[year], sets) for year, sets in years.items()}


def paper(model: str, name: str, column: int) -> float | None:
    """Return the paper's figure for a model, a method and a year, or None.

    >>> paper("SGNS", "freq", 0), paper("GloVe 6B", "freq", 0)
    (0.55, None)
    """
    theirs = PAPER.get(papers_name(model), {}).get(name)
    return None if theirs is None else theirs[column]


def _agreement(found: dict[str, Years]) -> str:
    """Say in how many years centring changes the scores, and compare it with other methods."""
    compared = {model: each for model, each in found.items() if papers_name(model) in PAPER}
    first = sum(_is_best(row, m) for m, each in compared.items() for row in each.values())
    rows = sum(map(len, compared.values()))
    said = [
        f"{model}: from orig to freq, {count_changes(changes(each))}; over all pairs of a year, "
        f"{count_changes(row.pooled_leads['orig'] for row in each.values())}."
        for model, each in found.items()
    ]
    return listed(
        [
            "Centring by frequency is above all other methods that the paper reports for the "
            f"model in {first} of {rows} rows; in the paper, it is the best in every row.",
            *said,
            "The paper doesn't say how the datasets of a year are combined. Figures are means over "
            "the datasets, unless all pairs of a year are named.",
            "STS13 lacks one dataset of the paper, SMT, which is not free.",
            "The paper defines p by the text; freq has the trainer's p. By 95 % intervals, the "
            f"trainer's p is above the text's in {_count(found, TEXT_P, 1)} rows and below it in "
            f"{_count(found, TEXT_P, -1)}.",
            "Zipfian whitening, which the paper doesn't have, is above centring by frequency in "
            f"{_count(found, 'whitened', -1)} of {sum(map(len, found.values()))} rows, and below "
            f"it in {_count(found, 'whitened', 1)}.",
        ]
    )


def _count(found: dict[str, Years], method: str, sign: int) -> int:
    """Return the number of rows in which freq minus a method has this sign."""
    return sum(row.leads[method].sign == sign for each in found.values() for row in each.values())


def summary_of(found: dict[str, Years]) -> Table:
    """Return a table of orig and freq by year, with the paper's figures."""
    rows: list[tuple[Cell, ...]] = []
    for model, each in found.items():
        for name in ("orig", "freq"):
            rows.append((f"{model}, {name}", *(row.score[name][0] for row in each.values())))
            if theirs := PAPER.get(papers_name(model)):
                rows.append((f"{model}, {name}, paper", *theirs[name]))
    years = next(iter(found.values()))
    return Table("", ("Pearson", *years), tuple(rows))


def _is_best(row: YearScores, model: str) -> bool:
    """Return True if freq is above the other methods that the paper has for a model."""
    return is_best(row, PAPER[papers_name(model)])


def _table(model: str, found: Years) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for column, (year, row) in enumerate(found.items()):
        rows.append((f"{year}, ours", *(row.score[name][0] for name in METHODS)))
        rows.append((f"{year}, ours, pooled", *(row.score[name][1] for name in METHODS)))
        if papers_name(model) in PAPER:
            rows.append((f"{year}, paper", *(paper(model, name, column) for name in METHODS)))
    return Table(f"{model}: Pearson", ("", *METHODS), tuple(rows), digits=2)


def _draw(figure: Figure, found: dict[str, Years]) -> None:
    panels = panels_of(figure, found, sharey=True)
    for panel, (model, each) in zip(panels, found.items(), strict=True):
        for name in METHODS:
            scores = [row.score[name][0] for row in each.values()]
            panel.plot(YEARS, scores, "x--" if name == TEXT_P else "o-", label=name)
        for name, colour in (("orig", "grey"), ("freq", "black")):
            if theirs := PAPER.get(papers_name(model)):
                panel.plot(YEARS, theirs[name], ":", color=colour, label=f"{name}, paper")
        panel.set_xlabel("STS year (20..)")
        panel.set_ylabel("Pearson")
    legend_below(figure, panels[0])
