"""The centrings that experiments compare, and the effect of the origin on the cosines of OR."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from andornot.postprocessing import postprocess
from andornot.space import Space

TEXT_FREQUENCY = "text frequency"
"""Centring by the word frequencies of the text, which is the paper's definition of p.

"frequency" uses the frequencies that the trainer used; subsampling makes most of the difference.
"""

TEXT_P = "freq, text's p"
"""Its name in tables."""

METHODS = {
    "orig": "none",
    "unif": "uniform",
    "ABTT": "all-but-the-top",
    "freq": "frequency",
    TEXT_P: TEXT_FREQUENCY,
    "whitened": "zipfian-whitening",
}
"""The methods of the experiments with AND, by the names of the paper."""

ORIGINS = {"orig": "none", "unif": "uniform", "freq": "frequency"}
"""The methods of the experiments with OR and PMI, which differ only in the origin."""


SAME_CAUSE = (
    "The vector of OR moves with the origin as the words do, but cosines depend on the origin."
)
"""The cause of the differences between the centrings of `ORIGINS`."""


def centred(space: Space, method: str) -> Space:
    """Return a space centred by one of the methods.

    For example `centred(andornot.default(), TEXT_FREQUENCY)`.
    """
    if method == TEXT_FREQUENCY:
        counts = space.vocabulary.counts
        assert counts is not None  # all spaces that are trained here have counts
        return postprocess(space.with_counts(counts), "frequency")
    return postprocess(space, method)


def same_for_all_three(cosines: Mapping[str, Sequence[float]]) -> str:
    """Compare cosines of OR among the three centrings, which are the same according to the paper.

    >>> print(same_for_all_three({"SGNS": [0.9, 0.8, 0.85], "GloVe": [0.95, 0.95, 0.949]}))
    The paper ... of the three differ by 0.001 (GloVe) to 0.100 (SGNS).
    """
    widths = {name: max(each) - min(each) for name, each in cosines.items()}
    least, most = (pick(widths, key=lambda name: widths[name]) for pick in (min, max))
    return (
        'The paper has "the same for all three" centrings. A shift of all vectors shifts that of '
        "OR equally, but cosines depend on the origin. The mean cosines of the three differ by "
        f"{widths[least]:.3f} ({least}) to {widths[most]:.3f} ({most})."
    )
