"""The appendix: sentences by addition of the vectors of BERT's final layer, on STS 2012 to 2016.

Every token of a sentence is added but the special ones. The frequency-weighted mean is that over
the occurrences of tokens in lines of Wikipedia, the uniform one that over types of their means.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from andornot.base.choices import Scale
from andornot.datasets.locating import locate
from andornot.datasets.sentence_pairs import SentencePair, read_sts
from andornot.encoders.final_layer import FinalLayer, centred_sums
from andornot.encoders.sampling import sample_lines
from andornot.encoders.token_moments import TokenMoments
from andornot.evaluation import sentence_cosines
from andornot.experiments.bert import find_bert
from andornot.experiments.lab import WIKIPEDIA, Lab, Training
from andornot.experiments.report import (
    Cell,
    Claim,
    Finding,
    Result,
    Table,
    Verdict,
    legend_below,
)
from andornot.experiments.sts_scores import Years, change_table, count_changes, score_year

if TYPE_CHECKING:
    from matplotlib.figure import Figure

YEARS = (12, 13, 14, 15, 16)
METHODS = {
    "orig": "none",
    "unif": "uniform",
    "freq": "frequency",
    "whitened": "zipfian-whitening",
}
PAPER = {
    "orig": (0.350, 0.254, 0.377, 0.457, 0.446),
    "unif": (0.335, 0.277, 0.391, 0.486, 0.455),
    "freq": (0.334, 0.280, 0.402, 0.493, 0.472),
}
_PAPERS_RISES = sum(freq > orig for freq, orig in zip(PAPER["freq"], PAPER["orig"], strict=True))
_LINES = {Scale.QUICK: 200, Scale.HERE: 5000, Scale.PAPER: 50_000}  # of Wikipedia, for the means
_STEP = 5  # at the quick scale every so many pairs


def datasets(lab: Lab) -> list[str]:
    """The pairs of sentences, and the text that gives the means."""
    return [*(f"sts{year}" for year in YEARS), WIKIPEDIA[lab.scale].name]


def trainings(lab: Lab) -> dict[str, Training]:
    """None: the model is trained already."""
    return {}


def run(lab: Lab) -> Result:
    """Pearson by year and centring."""
    step = _STEP if lab.scale == Scale.QUICK else 1
    years = {}
    for number in YEARS:
        every = read_sts(locate(f"sts{number}"))
        years[f"STS{number}"] = {name: pairs[::step] for name, pairs in every.items()}
    layer = FinalLayer(find_bert())
    lines = sample_lines([lab.wiki_text()], _LINES[lab.scale], seed=lab.seed)
    moments = layer.moments(lines)
    found = scores(layer, moments, years)
    change = max(abs(row.change.value) for row in found.values())
    papers = max(abs(a - b) for a, b in zip(PAPER["freq"], PAPER["orig"], strict=True))
    return Result(
        name="sts-final",
        title="Word-to-sentence compositionality, final layer of BERT",
        corpus=f"the final layer of {layer.folder.name} (in the paper: bert-base-uncased), means "
        f"of {moments.tokens:,} tokens of {moments.types:,} types in {len(lines):,} lines of "
        f"{WIKIPEDIA[lab.scale].name}{f'; every {step}th pair' if step > 1 else ''}",
        agreement=f"From orig to freq, by 95 % intervals: {count_changes(found)}; in the paper it "
        f"rises in {_PAPERS_RISES} of {len(YEARS)}. It changes a correlation by {change:.3f} at "
        f"most, in the paper by {papers:.3f}.",
        tables=(_table(found), change_table("freq - orig, Pearson", {"BERT, final layer": found})),
        numbers={
            "pearson": {year: row.score for year, row in found.items()},
            "freq - orig": {year: row.change for year, row in found.items()},
            "tokens": moments.tokens,
            "types": moments.types,
        },
        findings=tuple(
            Finding(f"final layer, {year}, {name}", row.score[name][0], PAPER[name][column])
            for column, (year, row) in enumerate(found.items())
            for name in PAPER
        ),
        claims=(_claim(found),),
        draw=lambda figure: _draw(figure, found),
    )


def scores(
    layer: FinalLayer,
    moments: TokenMoments,
    years: dict[str, dict[str, list[SentencePair]]],
) -> Years:
    """Pearson's correlation for each year and centring, and what centring changes."""
    found = {}
    for year, sets in years.items():
        texts = list({text: None for pairs in sets.values() for p in pairs for text in p[:2]})
        sums, lengths = layer.sums(texts)
        cosines = {}
        for name, method in METHODS.items():
            rows = centred_sums(sums, lengths, moments.fit(method))
            cosines[name] = sentence_cosines(_lookup(texts, rows), sets)
        found[year] = score_year(cosines, sets)
    return found


def _claim(found: Years) -> Claim:
    """The paper's claim: centring raises the correlation, a little, in four of five years."""
    above = sum(row.change.sign > 0 for row in found.values())
    below = sum(row.change.sign < 0 for row in found.values())
    if above >= _PAPERS_RISES:
        verdict = Verdict.REPRODUCED
    else:
        verdict = Verdict.IN_PART if above > below else Verdict.NOT
    return Claim(
        f"STS, final layer of BERT: freq is above orig in {_PAPERS_RISES} of {len(YEARS)} years",
        verdict,
        count_changes(found),
    )


def _lookup(
    texts: list[str], rows: npt.NDArray[np.float32]
) -> Callable[[list[str]], npt.NDArray[np.float32]]:
    """An encoder that knows these texts."""
    rows_of = {text: column for column, text in enumerate(texts)}
    return lambda asked: rows[[rows_of[text] for text in asked]]


def _table(found: Years) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for column, (year, row) in enumerate(found.items()):
        rows.append((f"{year}, ours", *(row.score[name][0] for name in METHODS)))
        rows.append((f"{year}, ours, pooled", *(row.score[name][1] for name in METHODS)))
        theirs = [PAPER[name][column] if name in PAPER else None for name in METHODS]
        rows.append((f"{year}, paper", *theirs))
    return Table("BERT, final layer: Pearson", ("", *METHODS), tuple(rows))


def _draw(figure: Figure, found: Years) -> None:
    panel = figure.subplots()
    for name in METHODS:
        panel.plot(list(found), [row.score[name][0] for row in found.values()], "o-", label=name)
    for name, colour in (("orig", "grey"), ("freq", "black")):
        panel.plot(list(found), PAPER[name], ":", color=colour, label=f"{name}, paper")
    panel.set_ylabel("Pearson")
    legend_below(figure, panel)
