"""Other trainings on the text of the models, which test why a figure differs from the paper's.

The paper has no figures for them. At the quick scale, and on a part of the text, there are none.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from andornot.base.choices import Scale
from andornot.experiments.intervals import mean_interval
from andornot.experiments.lab import Lab, Training

GLOVE_AUTO = "GloVe, x_max auto"
MIN_COUNTS = (5, 2)


def glove_auto(lab: Lab) -> dict[str, Training]:
    """GloVe with x_max in proportion to the text: 100 on less text weighs pairs otherwise."""
    if not _has_variants(lab):
        return {}
    glove = lab.phrase_trainings()["GloVe"]
    return {GLOVE_AUTO: replace(glove, settings=replace(glove.settings, x_max=None))}


def sgns_with_rare_words(lab: Lab) -> dict[str, Training]:
    """SGNS with rarer words: the default minimal count of word2vec is 5. Only if thorough."""
    if not _has_variants(lab) or not lab.thorough:
        return {}
    sgns = lab.phrase_trainings()["SGNS"]
    return {
        f"SGNS, minimal count {least}": replace(sgns, min_count=least)
        for least in MIN_COUNTS
        if least < sgns.min_count
    }


def base_of(model: str) -> str:
    """The model that a variant is of.

    >>> base_of("SGNS, minimal count 5"), base_of("GloVe")
    ('SGNS', 'GloVe')
    """
    return model.split(",")[0]


def what_x_max_changes(given: npt.NDArray[np.float64], auto: npt.NDArray[np.float64]) -> str:
    """Say whether x_max in proportion to the text changes what centring adds.

    Args:
        given: freq - orig of each item with the paper's x_max.
        auto: The same of the same items with x_max in proportion to the text.

    >>> what_x_max_changes(np.zeros(9), np.ones(9)).split(": ")[1]
    'so x_max accounts for a part of the difference from the paper.'
    """
    change = mean_interval(auto - given)
    told = {
        1: "so x_max accounts for a part of the difference from the paper",
        0: "so an effect of x_max is not shown",
        -1: "so x_max does not account for the difference from the paper",
    }[change.sign]
    return (
        f"With x_max in proportion to the text, freq - orig of GloVe is {mean_interval(auto)} "
        f"instead of {mean_interval(given)}, {change} more: {told}."
    )


def _has_variants(lab: Lab) -> bool:
    return lab.scale != Scale.QUICK and lab.part == 1
