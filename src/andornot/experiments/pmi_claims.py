"""The paper's claims on the error of PMI = v.u, and our verdicts.

The verdicts are on the trainings that are nearest to the paper's, under both weightings. Other
trainings of a model that differ from them are named as a possible cause.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from andornot.experiments.intervals import Interval
from andornot.experiments.pmi_errors import KNOWN, WEIGHTINGS, Errors
from andornot.experiments.report import Claim, Verdict
from andornot.experiments.verdicts import SUBSTANTIAL

Differences = dict[str, dict[str, dict[str, Interval]]]
"""The rms of freq minus that of another method, by training, weighting and other method."""

Case = tuple[str, str]
"""A training and a weighting."""


def claims_of(
    errors: Mapping[str, Errors], differences: Differences, papers: Mapping[str, str]
) -> tuple[Claim, ...]:
    """Judge the claims of figure 2, and two claims of the text that it illustrates.

    Args:
        errors: The errors of each training.
        differences: The differences of their rms.
        papers: For each model, the training that is nearest to the paper's.
    """
    cases = [(name, weighting) for name in papers.values() for weighting in WEIGHTINGS]
    every = [(name, weighting) for name in errors for weighting in WEIGHTINGS]
    return (
        _claim_on_terms(errors, differences, cases),
        _claim_on_gap(errors, differences, cases),
        _claim_on_nearest(differences, cases, every),
        _claim_on_uniform(errors, differences, cases, every),
    )


def _claim_on_terms(
    errors: Mapping[str, Errors], differences: Differences, cases: list[Case]
) -> Claim:
    """Judge by the part of the error that centring removes, relative to PMI."""
    removed = {case: _gap(differences, case, "orig") for case in cases}
    holds = {
        case: gap.sign < 0 and -gap.value > SUBSTANTIAL * _rms(errors, case, "PMI")
        for case, gap in removed.items()
    }
    shares = [_rms(errors, case, "orig") / _rms(errors, case, "PMI") for case in cases]
    return Claim(
        "Without centring, the error terms of PMI = v.u are not negligible (3.1)",
        _how_far(holds),
        f"Without centring, the rms of the error is {min(shares):.2f} to {max(shares):.2f} times "
        "that of PMI.",
    )


def _claim_on_gap(
    errors: Mapping[str, Errors], differences: Differences, cases: list[Case]
) -> Claim:
    """Judge by the part of PMI that is left: reproduced up to `SUBSTANTIAL`, else in part."""
    left, least = (
        [_rms(errors, case, method) / _rms(errors, case, "PMI") for case in cases]
        for method in ("freq", KNOWN)
    )
    smaller = any(_gap(differences, case, "orig").sign < 0 for case in cases)
    verdict = Verdict.IN_PART if smaller else Verdict.NOT
    if max(left) <= SUBSTANTIAL:
        verdict = Verdict.REPRODUCED
    return Claim(
        "The gap to PMI = v.u almost disappears after centring by frequency (contribution i)",
        verdict,
        f"With freq, the rms of the error is {min(left):.2f} to {max(left):.2f} times that of PMI.",
        ""
        if verdict == Verdict.REPRODUCED
        else "A part of the gap is the model's fit. With the "
        f"{KNOWN}, which the loss implies, it is {min(least):.2f} to {max(least):.2f} times.",
    )


def _claim_on_nearest(differences: Differences, cases: list[Case], every: list[Case]) -> Claim:
    """Judge by the rms of freq against those of orig and unif."""

    def is_nearest(case: Case) -> bool:
        return all(_gap(differences, case, other).sign < 0 for other in ("orig", "unif"))

    holds = {case: is_nearest(case) for case in cases}
    figure = f"Its rms is the least of orig, unif and freq in {_counted(holds)}."
    if worst := _worst(differences, holds, ("orig", "unif")):
        case, other = worst
        gap = _gap(differences, case, other)
        figure += f" In {', '.join(case)}, freq - {other} is {gap}."
    return Claim(
        "The error of PMI = v.u is nearest to 0 after centring by frequency, for SGNS and GloVe "
        "(figure 2)",
        _how_far(holds),
        figure,
        _where_it_holds(is_nearest, holds, every),
    )


def _claim_on_uniform(
    errors: Mapping[str, Errors], differences: Differences, cases: list[Case], every: list[Case]
) -> Claim:
    """Judge by the rms of freq - unif: it should exclude 0 and be substantial."""

    def is_apart(case: Case) -> bool:
        gap = _gap(differences, case, "unif")
        return gap.sign != 0 and abs(gap.value) > SUBSTANTIAL * _rms(errors, case, "freq")

    holds = {case: is_apart(case) for case in cases}
    figure = f"The rms differs by more than {SUBSTANTIAL:.0%} in {_counted(holds)}."
    cause = _where_it_holds(is_apart, holds, every)
    if failed := [case for case, held in holds.items() if not held]:
        gap = _gap(differences, failed[0], "unif")
        figure += f" In {', '.join(failed[0])}, freq - unif is {gap}."
    if any(name.startswith("SGNS") for name, _ in failed):
        cause += " The paper says both for SGNS: section 5.2.3 finds no significant difference."
    return Claim(
        "Centring uniformly and by frequency give substantially different errors (figure 2)",
        _how_far(holds),
        figure,
        cause.strip(),
    )


def _rms(errors: Mapping[str, Errors], case: Case, method: str) -> float:
    name, weighting = case
    return errors[name].rms(method, weighting)


def _gap(differences: Differences, case: Case, other: str) -> Interval:
    """Return the rms of freq minus that of another method."""
    name, weighting = case
    return differences[name][weighting][other]


def _worst(
    differences: Differences, holds: Mapping[Case, bool], others: tuple[str, ...]
) -> tuple[Case, str] | None:
    """Return the case that fails by most, and the method that freq is compared with."""
    failed = [(case, other) for case, held in holds.items() if not held for other in others]
    if not failed:
        return None
    return max(failed, key=lambda each: _gap(differences, *each).value)


def _counted(holds: Mapping[Case, bool]) -> str:
    return f"{sum(holds.values())} of {len(holds)} cases (models and weightings)"


def _where_it_holds(
    check: Callable[[Case], bool], holds: Mapping[Case, bool], every: list[Case]
) -> str:
    """Name other trainings of a model for which a claim holds where it fails for the paper's."""
    said = []
    for case, held in holds.items():
        model, weighting = case[0].split(",")[0], case[1]
        others = [each for each in every if each[0].startswith(model) and each[1] == weighting]
        if not held and (found := [name for name, _ in filter(check, others)]):
            said.append(f"With {weighting}, it holds for {'; '.join(found)}.")
    return " ".join(said)


def _how_far(holds: Mapping[Case, bool]) -> Verdict:
    """Return the verdict on a claim from the cases in which it holds.

    >>> print(_how_far({("SGNS", "each pair once"): True, ("GloVe", "each pair once"): False}))
    in part
    """
    if all(holds.values()):
        return Verdict.REPRODUCED
    return Verdict.IN_PART if any(holds.values()) else Verdict.NOT
