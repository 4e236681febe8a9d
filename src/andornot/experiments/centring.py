"""The centrings that experiments compare, and what the origin changes in those with OR."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from andornot.postprocessing import postprocess
from andornot.space import Space

TEXT_FREQUENCY = "text frequency"
"""Centring by how often words come in the text, as the paper defines p, where "frequency" takes
how often the trainer met them; subsampling makes most of the difference."""

METHODS = {
    "orig": "none",
    "unif": "uniform",
    "ABTT": "all-but-the-top",
    "freq": "frequency",
    "freq, text's p": TEXT_FREQUENCY,
    "whitened": "zipfian-whitening",
}
"""Those of the experiments with AND, by the names of the paper."""

ORIGINS = {"orig": "none", "unif": "uniform", "freq": "frequency"}
"""Those of the experiments with OR and PMI, whose only difference is the origin."""


def centred(space: Space, method: str) -> Space:
    """A space centred by one of the methods.

    For example `centred(andornot.default(), TEXT_FREQUENCY)`.
    """
    if method == TEXT_FREQUENCY:
        counts = space.vocabulary.counts
        assert counts is not None  # everything that is trained here has them
        return postprocess(space.with_counts(counts), "frequency")
    return postprocess(space, method)


def same_for_all_three(cosines: Mapping[str, Sequence[float]]) -> str:
    """How far the paper's statement holds that OR gives the same with all three centrings.

    >>> print(same_for_all_three({"SGNS": [0.9, 0.8, 0.85], "GloVe": [0.95, 0.95, 0.949]}))
    Shifting all vectors ... its cosines, which differ by 0.001 (GloVe) to 0.100 (SGNS).
    """
    widths = {name: max(each) - min(each) for name, each in cosines.items()}
    least, most = (pick(widths, key=lambda name: widths[name]) for pick in (min, max))
    return (
        "Shifting all vectors shifts that of OR alike, but a cosine depends on the origin: the "
        'paper\'s "the same for all three" holds for the vector, not for its cosines, which differ '
        f"by {widths[least]:.3f} ({least}) to {widths[most]:.3f} ({most})."
    )
