"""The paper's claims on sentences with word vectors, judged by the numbers of result.json.

The page of all results judges them anew, so a new wording needs no new run.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from andornot.experiments.bert import judged, papers_name, said_of_models
from andornot.experiments.intervals import Interval
from andornot.experiments.report import Claim, Verdict
from andornot.experiments.sts_scores import count_signs
from andornot.experiments.verdicts import combined, untested

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


class Lead(NamedTuple):
    """Centring by frequency minus another method of the paper, for a model in a year."""

    model: str
    year: str
    method: str
    lead: Interval


def judge(numbers: Mapping[str, Any]) -> tuple[Claim, ...]:
    """Judge for each model of the paper that centring by frequency is the best in every year.

    Args:
        numbers: The numbers of the result (`sts_scores.numbers_of`).
    """
    models = list(numbers["freq - others"])
    return tuple(
        _claim(name, [each for each in models if papers_name(each) == name], numbers)
        for name in PAPER
    )


def _claim(name: str, models: Sequence[str], numbers: Mapping[str, Any]) -> Claim:
    what = f"STS 2012 to 2016, {name}: centring by frequency is the best in every year"
    if not models:
        return untested(what)
    leads = [
        Lead(model, year, method, Interval(*each[method]))
        for model in models
        for year, each in numbers["freq - others"][model].items()
        for method in PAPER[name]
        if method != "freq"
    ]
    worst = min(leads, key=lambda each: (each.lead.sign > 0, each.lead.value))
    found = {model: [each for each in leads if each.model == model] for model in models}
    counts = {model: _years_of_the_best(each) for model, each in found.items()}
    figure = f"It is the best in {said_of_models(counts)}."
    cause = ""
    if worst.lead.sign <= 0:
        of_model = f" for {worst.model}" if len(models) > 1 else ""
        least = f"freq - {worst.method} in {worst.year}{of_model}: {worst.lead}"
        figure += f" The least difference is {least}."
        cause = _by_dataset(worst, numbers)
    verdict = combined([judged(model, _verdict(each)) for model, each in found.items()])
    return Claim(what, verdict, figure, cause)


def _verdict(leads: Sequence[Lead]) -> Verdict:
    """Judge one model: in part if it rises from orig in a year."""
    if all(each.lead.sign > 0 for each in leads):
        return Verdict.REPRODUCED
    rises = any(each.method == "orig" and each.lead.sign > 0 for each in leads)
    return Verdict.IN_PART if rises else Verdict.NOT


def _years_of_the_best(leads: Sequence[Lead]) -> str:
    years = dict.fromkeys(each.year for each in leads)
    below = {each.year for each in leads if each.lead.sign <= 0}
    return f"{len(years) - len(below)} of {len(years)} years"


def _by_dataset(worst: Lead, numbers: Mapping[str, Any]) -> str:
    """Say in which datasets of the worst year centring raises or lowers the correlation."""
    found = numbers["freq - orig by dataset"][worst.model][worst.year]
    changes = {name: Interval(*each) for name, each in found.items()}
    return f"Not known. From orig to freq, it {count_signs(changes)} of {worst.year}."
