"""Variants of the trainings, which test possible causes of differences from the paper.

The paper has no figures for them. They are left out at the quick scale and on parts of the text.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from andornot.base.choices import Scale
from andornot.experiments.intervals import mean_interval
from andornot.experiments.lab import Lab, Training

GLOVE_AUTO = "GloVe, x_max auto"
PAPERS_MIN_COUNT = 5
"""The default of word2vec, which the paper keeps."""

MIN_COUNTS = (PAPERS_MIN_COUNT, 2)


def glove_auto(lab: Lab) -> dict[str, Training]:
    """Return GloVe with x_max in proportion to the text instead of a fixed 100."""
    if not _has_variants(lab):
        return {}
    glove = lab.phrase_trainings()["GloVe"]
    return {GLOVE_AUTO: replace(glove, settings=replace(glove.settings, x_max=None))}


def sgns_with_rare_words(lab: Lab) -> dict[str, Training]:
    """Return SGNS with lower minimal counts, if thorough; word2vec's default is 5."""
    if not _has_variants(lab) or not lab.thorough:
        return {}
    sgns = lab.phrase_trainings()["SGNS"]
    return {
        with_min_count("SGNS", least): replace(sgns, min_count=least)
        for least in MIN_COUNTS
        if least < sgns.min_count
    }


def with_min_count(model: str, least: int) -> str:
    """Return the name of a variant with another minimal count.

    >>> with_min_count("SGNS", 5)
    'SGNS, minimal count of 5'
    """
    return f"{model}, minimal count of {least}"


def papers_own(model: str, trained: Collection[str]) -> str:
    """Return the name of the model with the paper's minimal count, if it was trained.

    >>> papers_own("SGNS", ["SGNS", "SGNS, minimal count of 5"]), papers_own("SGNS", ["SGNS"])
    ('SGNS, minimal count of 5', 'SGNS')
    """
    own = with_min_count(model, PAPERS_MIN_COUNT)
    return own if own in trained else model


def base_of(model: str) -> str:
    """Return the base model of a variant.

    >>> base_of("SGNS, minimal count 5"), base_of("GloVe")
    ('SGNS', 'GloVe')
    """
    return model.split(",")[0]


def described(variant: str) -> str:
    """Describe what a variant changes.

    >>> described(GLOVE_AUTO), described("SGNS, minimal count of 5")
    ('x_max in proportion to the text', 'a minimal count of 5')
    """
    if variant == GLOVE_AUTO:
        return "x_max in proportion to the text"
    return f"a {variant.partition(', ')[2]}"


def accounted(sign: int) -> str:
    """Say whether a variant accounts for a gap to the paper, by the sign of its effect.

    >>> accounted(0)
    'an effect is not shown (the interval includes 0)'
    """
    return {
        1: "this accounts for a part of the difference from the paper",
        0: "an effect is not shown (the interval includes 0)",
        -1: "this does not account for the difference from the paper",
    }[sign]


def what_changes(
    variant: str,
    given: npt.NDArray[np.float64],
    varied: npt.NDArray[np.float64],
    clusters: Sequence[str] | None = None,
) -> str:
    """Say whether a variant changes the gain by centring.

    Args:
        variant: The name of the variant.
        given: freq - orig of each item with the paper's settings.
        varied: freq - orig of the same items with the variant.
        clusters: The cluster of each item (`mean_interval`).

    >>> what_changes(GLOVE_AUTO, np.zeros(9), np.ones(9)).split(": ")[1]
    'this accounts for a part of the difference from the paper.'
    """
    before, after, change = (
        mean_interval(each, clusters=clusters) for each in (given, varied, varied - given)
    )
    return (
        f"With {described(variant)}, freq - orig of {base_of(variant)} is {after} instead of "
        f"{before}, a difference of {change}: {accounted(change.sign)}."
    )


def _has_variants(lab: Lab) -> bool:
    return lab.scale != Scale.QUICK and lab.part == 1
