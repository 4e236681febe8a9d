"""The appendix: sentences by addition of the vectors of BERT's final layer, on STS 2012 to 2016.

All tokens of a sentence except the special ones are added. The frequency-weighted mean is over the
occurrences of tokens in lines of Wikipedia; the uniform mean is over the mean vectors of the types.
A thorough lab adds models that are trained here by masked LM only, and correlates the scores of the
one-layer model with PMI.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from andornot.base.choices import Scale
from andornot.base.progress import track
from andornot.datasets.locating import locate
from andornot.datasets.sentence_pairs import SentencePair, read_sts
from andornot.encoders.final_layer import FinalLayer, centred_sums
from andornot.encoders.sampling import sample_lines
from andornot.encoders.token_moments import TokenMoments
from andornot.evaluation import sentence_cosines
from andornot.experiments.bert import (
    TRAINED_HERE,
    bert_models,
    find_bert,
    judged,
    said_of_models,
)
from andornot.experiments.bert_pmi import (
    CENTRED,
    LEFT_OVER,
    SCORES,
    PmiStudy,
    pmi_of_models,
    pmi_table,
)
from andornot.experiments.lab import WIKIPEDIA, Lab, Training
from andornot.experiments.report import (
    Cell,
    Claim,
    Finding,
    Result,
    Table,
    Verdict,
    legend_below,
    listed,
    panels_of,
)
from andornot.experiments.sts_scores import (
    Years,
    changes,
    count_changes,
    datasets_table,
    is_best,
    leads_table,
    numbers_of,
    score_year,
)
from andornot.experiments.verdicts import SUBSTANTIAL, combined
from andornot.formats.model_folder import ModelFolder

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
_BEST = sum(freq == max(each) for freq, *each in zip(PAPER["freq"], *PAPER.values(), strict=True))
_LINES = {Scale.QUICK: 200, Scale.HERE: 5000, Scale.PAPER: 50_000}  # of Wikipedia
_STEP = 5  # the quick scale uses every fifth pair
MEAN_SHARE = "share of the mean vector in the mean squared length"
Sets = dict[str, list[SentencePair]]


class ModelScores(NamedTuple):
    """The scores of one model by year, and the moments of its token vectors."""

    years: Years
    moments: TokenMoments

    @property
    def mean_share(self) -> float:
        """The share of the mean vector in the mean squared length of the vectors."""
        mean = float((self.moments.mean**2).sum())
        return mean / (mean + float(np.trace(self.moments.covariance)))


def datasets(lab: Lab) -> list[str]:
    """Return the sentence pairs, and the text for the means."""
    return [*(f"sts{year}" for year in YEARS), WIKIPEDIA[lab.scale].name]


def trainings(lab: Lab) -> dict[str, Training]:
    """Return no trainings: the models are pre-trained."""
    return {}


def run(lab: Lab) -> Result:
    """Measure Pearson's correlation by year and centring."""
    step = _STEP if lab.scale == Scale.QUICK else 1
    years = {}
    for number in YEARS:
        every = read_sts(locate(f"sts{number}"))
        years[f"STS{number}"] = {name: pairs[::step] for name, pairs in every.items()}
    models = bert_models(lab)
    if not models:
        find_bert()  # raises an error that says what is missing
    lines = sample_lines([lab.wiki_text()], _LINES[lab.scale], seed=lab.seed)
    found = {name: scores(FinalLayer(model), lines, years) for name, model in models.items()}
    by_year = {name: each.years for name, each in found.items()}
    pmi = _pmi(lab, models)
    return Result(
        name="sts-final",
        title="Word-to-sentence compositionality, final layer of BERT",
        corpus="; ".join(_note(*each) for each in zip(found.items(), models.values(), strict=True))
        + f"; {len(lines):,} lines of {WIKIPEDIA[lab.scale].name}"
        f"{f'; every {step}th pair' if step > 1 else ''}",
        agreement=listed(
            [*(_agreement(name, each) for name, each in found.items()), _said_of_pmi(pmi)]
        ),
        tables=(
            *(_table(name, each.years) for name, each in found.items()),
            leads_table(by_year),
            datasets_table(by_year),
            Table(
                f"The {MEAN_SHARE}",
                ("", "share"),
                tuple((name, each.mean_share) for name, each in found.items()),
            ),
            *([] if pmi is None else [pmi_table(pmi)]),
        ),
        numbers={
            **numbers_of(by_year),
            "tokens": {name: each.moments.tokens for name, each in found.items()},
            "types": {name: each.moments.types for name, each in found.items()},
            MEAN_SHARE: {name: each.mean_share for name, each in found.items()},
            "correlation with PMI": {}
            if pmi is None
            else {
                **{name: each._asdict() for name, each in pmi.models.items()},
                " minus ".join(pmi.models): pmi.leads,
            },
        },
        findings=tuple(
            Finding(
                f"{model}, final layer, {year}, {name}", row.score[name][0], PAPER[name][column]
            )
            for model, each in found.items()
            for column, (year, row) in enumerate(each.years.items())
            for name in PAPER
        ),
        summary=_summary(found),
        draw=lambda figure: _draw(figure, found),
        claims=(_claim(found), _pmi_claim(pmi)),
    )


def scores(layer: FinalLayer, lines: list[str], years: dict[str, Sets]) -> ModelScores:
    """Return Pearson's correlation for each year and centring, and the change by centring."""
    moments = layer.moments(lines)
    found = {}
    for year, sets in track(years.items(), "comparing sentences"):
        texts = list({text: None for pairs in sets.values() for p in pairs for text in p[:2]})
        sums, lengths = layer.sums(texts)
        cosines = {}
        for name, method in METHODS.items():
            rows = centred_sums(sums, lengths, moments.fit(method))
            cosines[name] = sentence_cosines(_lookup(texts, rows), sets)
        found[year] = score_year(cosines, sets)
    return ModelScores(found, moments)


def _lookup(
    texts: list[str], rows: npt.NDArray[np.float32]
) -> Callable[[list[str]], npt.NDArray[np.float32]]:
    """Return an encoder that looks up the vectors of these texts."""
    rows_of = {text: column for column, text in enumerate(texts)}
    return lambda asked: rows[[rows_of[text] for text in asked]]


def _pmi(lab: Lab, models: dict[str, ModelFolder]) -> PmiStudy | None:
    """Return the correlations of the one-layer model's scores with PMI, if it was trained."""
    name = next(name for name, layers in TRAINED_HERE.items() if layers == 1)
    return pmi_of_models(lab, name, models[name]) if name in models else None


def _note(found: tuple[str, ModelScores], model: ModelFolder) -> str:
    """Describe a model and the text of its means."""
    name, each = found
    paper = "" if name in TRAINED_HERE else " (in the paper: bert-base-uncased)"
    return (
        f"the final layer of {model.name}{paper}, means of {each.moments.tokens:,} tokens of "
        f"{each.moments.types:,} types"
    )


def _agreement(model: str, found: ModelScores) -> str:
    """Say in how many years centring changes the correlation, and by how much at most."""
    change = max(abs(row.change.value) for row in found.years.values())
    papers = max(abs(a - b) for a, b in zip(PAPER["freq"], PAPER["orig"], strict=True))
    return (
        f"{model}: from orig to freq, {count_changes(changes(found.years))}. The largest change is "
        f"{change:.3f}; in the paper it is {papers:.3f}."
    )


def _said_of_pmi(found: PmiStudy | None) -> str:
    """Compare the one-layer BERT with SGNS by the correlation of v.u with PMI."""
    if found is None:
        return ""
    shown = " and ".join(f"{m} {each.scores[CENTRED].partial}" for m, each in found.models.items())
    return f"Correlation of {CENTRED} with the counted PMI, frequencies held fixed: {shown}."


def _summary(found: dict[str, ModelScores]) -> Table:
    """Return a table of orig and freq by year, with the paper's figures."""
    rows: list[tuple[Cell, ...]] = [
        (f"{model}, {name}", *(row.score[name][0] for row in each.years.values()))
        for model, each in found.items()
        for name in ("orig", "freq")
    ]
    rows += [(f"paper, {name}", *PAPER[name]) for name in ("orig", "freq")]
    years = next(iter(found.values())).years
    return Table("", ("Pearson", *years), tuple(rows))


def _claim(found: dict[str, ModelScores]) -> Claim:
    """Judge the paper's claim by the intervals: in part for a model with more rises than falls."""
    best = {m: sum(is_best(row, PAPER) for row in each.years.values()) for m, each in found.items()}
    verdicts = []
    for model, each in found.items():
        signs = [change.sign for change in changes(each.years)]
        verdict = Verdict.IN_PART if signs.count(1) > signs.count(-1) else Verdict.NOT
        verdicts.append(judged(model, Verdict.REPRODUCED) if best[model] >= _BEST else verdict)
    counts = {m: f"{n} of {len(found[m].years)} years" for m, n in best.items()}
    model, year = max(
        ((model, year) for model, each in found.items() for year in each.years),
        key=lambda each: found[each[0]].years[each[1]].change.value,
    )
    of_model = f" for {model}" if len(found) > 1 else ""
    shares = {m: f"{each.mean_share:.0%}" for m, each in found.items() if best[m] < _BEST}
    return Claim(
        f"STS, final layer of BERT: centring by frequency is the best in {_BEST} of {len(YEARS)} "
        "years",
        combined(verdicts),
        f"It is the best in {said_of_models(counts)}. The largest change from orig is "
        f"{found[model].years[year].change}, in {year}{of_model}.",
        "Centring changes little where the mean vector is short. Its share of the mean squared "
        f"length is {said_of_models(shares)}."
        if shares
        else "",
    )


def _pmi_claim(found: PmiStudy | None) -> Claim:
    """Judge the claim that v.u of a one-layer BERT correlates with PMI as that of SGNS does."""
    what = "A BERT of one layer, pre-trained by masked LM only, is like skip-gram: v.u follows PMI"
    if found is None:
        return Claim(what, Verdict.NOT_TESTED, cause="Add --thorough to train such a model.")
    bert, sgns = (each.scores for each in found.models.values())
    margin = SUBSTANTIAL * sgns[CENTRED].partial.value
    verdict = Verdict.REPRODUCED if found.leads[CENTRED].low >= -margin else Verdict.IN_PART
    if bert[CENTRED].partial.low <= LEFT_OVER:
        verdict = Verdict.NOT
    return Claim(
        what,
        verdict,
        f"The partial correlation of {CENTRED} with PMI is {bert[CENTRED].partial}. That of SGNS "
        f"is {sgns[CENTRED].partial.value:.3f}.",
        ""
        if verdict == Verdict.REPRODUCED
        else "v.u leaves out positions and the head's transform. With them the correlation is "
        f"{bert[SCORES[2]].partial.value:.3f}.",
    )


def _table(model: str, found: Years) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for column, (year, row) in enumerate(found.items()):
        rows.append((f"{year}, ours", *(row.score[name][0] for name in METHODS)))
        rows.append((f"{year}, ours, pooled", *(row.score[name][1] for name in METHODS)))
        theirs = [PAPER[name][column] if name in PAPER else None for name in METHODS]
        rows.append((f"{year}, paper", *theirs))
    return Table(f"{model}, final layer: Pearson", ("", *METHODS), tuple(rows))


def _draw(figure: Figure, found: dict[str, ModelScores]) -> None:
    panels = panels_of(figure, found, sharey=True)
    for panel, each in zip(panels, found.values(), strict=True):
        for name in METHODS:
            panel.plot(YEARS, [row.score[name][0] for row in each.years.values()], "o-", label=name)
        for name, colour in (("orig", "grey"), ("freq", "black")):
            panel.plot(YEARS, PAPER[name], ":", color=colour, label=f"{name}, paper")
        panel.set_xlabel("STS year (20..)")
        panel.set_ylabel("Pearson")
    legend_below(figure, panels[0])
