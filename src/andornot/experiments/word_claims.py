"""The paper's claims on sums of two words, judged by the numbers of result.json.

The page of all results judges them anew, so a new wording needs no new run.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from andornot.experiments.bert import judged, papers_name
from andornot.experiments.intervals import Interval
from andornot.experiments.report import Claim, Verdict
from andornot.experiments.variants import (
    PAPERS_MIN_COUNT,
    base_of,
    described,
    papers_own,
    with_min_count,
)
from andornot.experiments.verdicts import (
    SUBSTANTIAL,
    combined,
    untested,
    verdict_on_rise,
    verdict_on_same,
)

PAPER = {
    "SGNS": {"orig": 0.028, "unif": 0.072, "ABTT": 0.074, "freq": 0.071},
    "GloVe": {"orig": 0.067, "unif": 0.065, "ABTT": 0.057, "freq": 0.078},
    "BERT": {"orig": 0.036, "unif": 0.044, "freq": 0.062},
}
BEST = ("GloVe", "BERT")
"""The models for which centring by frequency is the best in the paper."""

WAY = "all words"
"""The ranks of the paper: all words are counted, also x and y."""

BY_RELATION = "freq - orig by relation"
RATIOS = "freq / orig"
"""The names of these figures among the numbers; older results don't have them."""


def judge(numbers: Mapping[str, Any]) -> tuple[Claim, ...]:
    """Judge the claims on the MRR of each model of the paper.

    Args:
        numbers: The numbers of the result.
    """
    models = {
        name: [
            papers_own(each, numbers["mrr"]) for each in numbers["mrr"] if papers_name(each) == name
        ]
        for name in PAPER
    }
    return (
        *(_claim_of_rise(name, models[name], numbers) for name in PAPER),
        *(_claim_of_best(name, models[name], numbers) for name in BEST),
        _claim_on_uniform(numbers),
    )


def _claim_of_rise(name: str, models: Sequence[str], numbers: Mapping[str, Any]) -> Claim:
    theirs = PAPER[name]
    what = (
        f"MRR of x + y = z, {name}: it rises from {theirs['orig']:.3f} to {theirs['freq']:.3f} "
        "with centring by frequency"
    )
    if not models:
        return untested(what)
    rise = theirs["freq"] - theirs["orig"]
    changes = {model: _lead(numbers, model, "orig") for model in models}
    verdicts = [
        judged(model, verdict_on_rise(change, reaches=change.high >= rise))
        for model, change in changes.items()
    ]
    most = _largest(changes)
    orig, freq = (_mrr(numbers, most, method) for method in ("orig", "freq"))
    is_variant = most == with_min_count(name, PAPERS_MIN_COUNT)
    subject = f"With the paper's {described(most)[2:]}, it" if is_variant else "It"
    figure = f"{subject} changes from {orig:.3f} to {freq:.3f}, by {changes[most]}."
    if len(models) > 1:
        figure = f"{_counted(changes)} The largest change is {changes[most]}, of {most}."
    verdict = combined(verdicts)
    return Claim(what, verdict, figure, _cause(most, verdict, numbers))


def _claim_of_best(name: str, models: Sequence[str], numbers: Mapping[str, Any]) -> Claim:
    what = f"MRR of x + y = z, {name}: centring by frequency is the best"
    if not models:
        return untested(what)
    rivals = {
        model: max(
            (method for method in PAPER[name] if method != "freq"),
            key=lambda method: _mrr(numbers, model, method),
        )
        for model in models
    }
    leads = {model: _lead(numbers, model, rival) for model, rival in rivals.items()}
    most = _largest(leads)
    rival = f"the best other method of the paper ({rivals[most]})"
    figure = f"Its lead over {rival} is {leads[most]}."
    if len(models) > 1:
        ahead = sum(lead.sign > 0 for lead in leads.values())
        figure = (
            f"It is the best for {ahead} of {len(models)} models. The largest lead over {rival} is "
            f"{leads[most]}, of {most}."
        )
    verdict = combined(
        [judged(model, verdict_on_rise(lead, reaches=True)) for model, lead in leads.items()]
    )
    return Claim(what, verdict, figure)


def _claim_on_uniform(numbers: Mapping[str, Any]) -> Claim:
    """Judge the claim that both centrings are the same for SGNS; the paper's differ by .001."""
    what = (
        "MRR of x + y = z, SGNS: centring uniformly (0.072) and by frequency (0.071) do not differ "
        "significantly"
    )
    model = papers_own("SGNS", numbers["mrr"])
    if model not in numbers["mrr"]:
        return untested(what)
    lead = _lead(numbers, model, "unif")
    verdict = verdict_on_same([(lead, _mrr(numbers, model, "freq"))])
    cause = ""
    if verdict == Verdict.IN_PART:
        cause = f"No difference is shown, but the interval allows one above {SUBSTANTIAL:.0%}."
    return Claim(what, verdict, f"freq - unif is {lead}.", cause)


def _cause(model: str, verdict: Verdict, numbers: Mapping[str, Any]) -> str:
    """Say where a gap is seen: by the number of words to choose from, and by relation."""
    if verdict in (Verdict.REPRODUCED, Verdict.ELSEWHERE):
        return ""
    if rare := _by_rare_words(base_of(model), numbers):
        return rare
    seen = [_by_vocabulary(numbers["by vocabulary"][model])]
    changes = numbers.get(BY_RELATION, {}).get(model, {})
    known = {name: change for name, change in changes.items() if change is not None}
    if known:
        low, high = (pick(known, key=lambda name: known[name]) for pick in (min, max))
        seen.append(
            f"By relation, freq - orig is {known[low]:.3f} ({low}) to {known[high]:.3f} ({high})."
        )
    return " ".join(filter(None, ["Not known.", *seen]))


def _by_rare_words(model: str, numbers: Mapping[str, Any]) -> str:
    """Say whether freq / orig depends on rare words: the intervals of two trainings are apart."""
    ratios = {
        name: Interval(*ratio)
        for name, ratio in numbers.get(RATIOS, {}).items()
        if name.startswith(f"{model}, minimal count")
    }
    if not ratios:
        return ""
    most = max(ratios, key=lambda name: ratios[name].value)
    without = Interval(*numbers[RATIOS][model])
    if ratios[most].low <= without.high:
        return ""
    paper = PAPER[model]["freq"] / PAPER[model]["orig"]
    return (
        f"Rare words: freq / orig is {ratios[most]} with {described(most)}, and {without} with a "
        f"higher one (paper: {paper:.1f})."
    )


def _by_vocabulary(rows: Sequence[Mapping[str, Any]]) -> str:
    """Say whether the sign of the change depends on the number of words to choose from.

    >>> few = {"words": 5000, "change": (0.0, -0.1, 0.1)}
    >>> _by_vocabulary([few, {"words": 9000, "change": (0.2, 0.1, 0.3)}])
    'A rise is shown among all 9,000 words, but not among the most frequent 5,000.'
    """
    signs = {row["words"]: Interval(*row["change"]).sign for row in rows}
    *fewer, every = signs
    others = [words for words in fewer if signs[words] != signs[every]]
    if not others:
        return ""
    said = {1: "A rise is shown", 0: "No change is shown", -1: "A fall is shown"}[signs[every]]
    return f"{said} among all {every:,} words, but not among the most frequent {others[-1]:,}."


def _counted(changes: Mapping[str, Interval]) -> str:
    """Say for how many models the MRR rises or falls.

    >>> _counted({"a": Interval(0.2, 0.1, 0.3), "b": Interval(0.0, -0.1, 0.1)})
    'It rises for 1 of 2 models and falls for 0.'
    """
    signs = [change.sign for change in changes.values()]
    return f"It rises for {signs.count(1)} of {len(signs)} models and falls for {signs.count(-1)}."


def _largest(changes: Mapping[str, Interval]) -> str:
    """Return the model with the largest change."""
    return max(changes, key=lambda model: changes[model].value)


def _lead(numbers: Mapping[str, Any], model: str, method: str) -> Interval:
    """Return the MRR of freq minus that of a method."""
    return Interval(*numbers["freq - others"][model][method])


def _mrr(numbers: Mapping[str, Any], model: str, method: str) -> float:
    return float(numbers["mrr"][model][method][WAY])
