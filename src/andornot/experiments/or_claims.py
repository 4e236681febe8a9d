"""The paper's claims on artificial OR words, and our verdicts.

A figure of the paper is reached if the 95 % interval over pairs includes it or is better: a larger
cosine, a smaller rank. The verdict is on the case that is trained as in the paper. Other trainings
and constructions that reach the figure are listed as well.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

from andornot.base.choices import Model
from andornot.experiments.centring import ORIGINS, SAME_CAUSE
from andornot.experiments.intervals import Interval
from andornot.experiments.or_compared import Found
from andornot.experiments.report import Claim, Verdict
from andornot.experiments.verdicts import largest_gap, verdict_on_same

PAPER = {Model.SGNS: (0.936, 1.012), Model.GLOVE: (0.907, 1.000)}
"""Mean cosine and mean rank."""

FIRST = "orig, first order"
"""The paper's setting: vectors as trained, OR to first order."""

AT_ONCE, BY_CONSTRUCTION = "at once", "by construction"
"""Endings of the names of cases: OR words in a copy of the text, and added rows of counts."""

EXACT_EFFECT, PRIOR_EFFECT = "exact minus first order", "prior minus no prior, first order"
"""Differences of mean cosines."""


def claims_of(
    found: Found, models: Mapping[str, Model], papers: Mapping[Model, str], words: Mapping[str, int]
) -> tuple[Claim, ...]:
    """Return the claims on cosine, rank and centring.

    Args:
        found: The comparisons of all cases.
        models: The model of each case.
        papers: For each model, the case that is trained as in the paper.
        words: The number of words that each case ranks.
    """
    claims = []
    for model, own in papers.items():
        each = {name: found[name][FIRST] for name, kind in models.items() if kind == model}
        label = "SGNS" if model == Model.SGNS else "GloVe"
        cosine, rank = PAPER[model]
        cosines = {name: compared.cosine for name, compared in each.items()}
        ranks = {name: compared.rank for name, compared in each.items()}
        claims += [
            _claim(
                f"Artificial OR words, {label}: mean cosine {cosine:.3f} with the OR formula",
                f"The mean cosine is {cosines[own]}.",
                own,
                {name: value.high >= cosine for name, value in cosines.items()},
                _cause(found, models, model),
                max(cosines.items(), key=lambda item: item[1].value),
            ),
            _claim(
                f"Artificial OR words, {label}: mean rank {rank:.3f} (of 2 million words; here of "
                f"{words[own]:,})",
                f"The mean rank is {ranks[own]}. The median is {np.median(each[own].ranks):g}.",
                own,
                {name: value.low <= rank for name, value in ranks.items()},
                "",
                min(ranks.items(), key=lambda item: item[1].value),
            ),
        ]
    return (*claims, _same_for_all(found, list(papers.values())))


def difference_by_construction(found: Found, name: str) -> Interval | None:
    """Return the cosines by construction minus those of the same pairs in a copy of the text."""
    copy = found.get(name.replace(BY_CONSTRUCTION, AT_ONCE))
    if copy is None or not name.endswith(BY_CONSTRUCTION):
        return None
    return copy[FIRST].mean(found[name][FIRST].cosines - copy[FIRST].cosines)


def effects_of(found: Found, bare: Mapping[str, str]) -> dict[str, dict[str, Interval]]:
    """Return the effects of the exact OR and of a prior on the mean cosine, pair by pair.

    Args:
        found: The comparisons of all cases.
        bare: For each case with a prior, the same case without it.
    """
    effects = {}
    for name, each in found.items():
        first = each[FIRST]
        own = {EXACT_EFFECT: first.mean(each["orig, exact"].cosines - first.cosines)}
        if name in bare:
            own[PRIOR_EFFECT] = first.mean(first.cosines - found[bare[name]][FIRST].cosines)
        effects[name] = own
    return effects


def _claim(
    what: str,
    figure: str,
    own: str,
    reached: Mapping[str, bool],
    cause: str,
    best: tuple[str, Interval],
) -> Claim:
    """Judge a figure in the paper's own case; in part if only other cases reach it.

    Args:
        what: The claim.
        figure: The figure of the paper's own case, as a sentence.
        own: The name of this case.
        reached: Whether each case reaches the paper's figure.
        cause: The cause of a gap, as a sentence.
        best: The case with the best figure, and its figure.
    """
    if reached[own]:
        return Claim(what, Verdict.REPRODUCED, figure)
    others = sum(reached.values())
    name, value = best
    said = f"{others} of {len(reached) - 1} other trainings reach the paper's figure"
    if others:
        said += f"; the best is {value} ({name})"
    verdict = Verdict.IN_PART if others else Verdict.NOT
    return Claim(what, verdict, figure, f"{cause} {said}.".strip())


def _cause(found: Found, models: Mapping[str, Model], model: Model) -> str:
    """State by how much the replaced contexts lower the cosines, if the interval excludes 0."""
    gaps = [
        gap
        for name, kind in models.items()
        if kind == model and (gap := difference_by_construction(found, name)) is not None
    ]
    if not gaps or (most := max(gaps)).sign <= 0:
        return ""
    return f"Replaced contexts lower the cosine, by {most} with the exact solver."


def differences_of_centrings(found: Found, names: Iterable[str]) -> dict[str, dict[str, Interval]]:
    """Return the mean cosine and the mean rank of unif and freq minus those of orig.

    Args:
        found: The comparisons of all cases.
        names: The names of the cases.
    """
    gaps: dict[str, dict[str, Interval]] = {}
    for name in names:
        first = found[name][FIRST]
        for method in ORIGINS:
            if method != "orig":
                other = found[name][f"{method}, first order"]
                gaps[f"{name}, {method}"] = {
                    "mean cosine": first.mean(other.cosines - first.cosines),
                    "mean rank": first.mean(other.ranks - first.ranks),
                }
    return gaps


def _same_for_all(found: Found, papers: list[str]) -> Claim:
    """Judge the claim that cosines and ranks are the same for the three centrings."""
    gaps: dict[str, tuple[Interval, float]] = {}
    for name in papers:
        first = found[name][FIRST]
        figures = {"mean cosine": first.cosine.value, "mean rank": first.rank.value}
        for case, each in differences_of_centrings(found, [name]).items():
            gaps |= {f"the {what} of {case}": (each[what], figures[what]) for what in figures}
    verdict = verdict_on_same(gaps.values())
    most = largest_gap(gaps)
    return Claim(
        "Artificial OR words: the same result for orig, unif and freq",
        verdict,
        f"The largest change from orig is {gaps[most][0]}, in {most}.",
        "" if verdict == Verdict.REPRODUCED else SAME_CAUSE,
    )
