"""The frames that jobs compare: matrices of a space's vectors after post-processing."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import numpy.typing as npt

from andornot.base.choices import Postprocess
from andornot.base.errors import MissingContextError, UsageError
from andornot.base.moments import second_moment, weighted_mean
from andornot.postprocessing.affine import Affine, fit, whitening
from andornot.space import Space

Rows = npt.NDArray[np.float32]
BOTH = "[v;u] "
_METHODS = {
    "raw": Postprocess.NONE,
    "freq": Postprocess.FREQUENCY,
    "abtt": Postprocess.ALL_BUT_THE_TOP,
    "white": Postprocess.ZIPFIAN_WHITENING,
}


def frame(space: Space, name: str) -> Rows:
    """Return the vectors of all words in a frame, one row for each word.

    Args:
        space: The space as trained, with frequencies.
        name: "raw"; "freq", centred under p(w); "abtt", all-but-the-top; "white", whitened under
            p(w); "part.25" and the like, partly whitened by C^(-.25/2). The prefix "[v;u] "
            concatenates target and context vectors, each in that frame with rms length 1.

    Raises:
        UsageError: If no frame has this name.
        MissingContextError: If the frame needs context vectors and the space has none.

    For example `frame(andornot.default(), "[v;u] white").shape` is `(66000, 400)`.
    """
    if not name.startswith(BOTH):
        return _mapped(space.target, name, space)
    if space.context is None:
        raise MissingContextError(f"the frame {name}")
    width = space.dim
    both = np.empty((len(space), 2 * width), dtype=np.float32)
    for half, rows in enumerate((space.target, space.context)):
        side = both[:, half * width : (half + 1) * width]
        side[:] = _mapped(rows, name.removeprefix(BOTH), space)
        side /= np.sqrt(np.einsum("ij,ij->", side, side, dtype=np.float64) / len(side))
    return both


def _mapped(rows: npt.NDArray[Any], name: str, space: Space) -> Rows:
    return np.asarray(_map_of(rows, name, space)(rows), dtype=np.float32)


def _map_of(rows: npt.NDArray[Any], name: str, space: Space) -> Affine:
    if name in _METHODS:
        method = _METHODS[name]
        weights = np.ones(len(space)) if name == "abtt" else space.probability
        return fit(method, rows, weights)
    if not re.fullmatch(r"part\.\d+", name):
        raise UsageError(f"unknown frame {name!r}; choose one of {', '.join(_METHODS)}, part.5")
    mean = weighted_mean(rows, space.probability)
    covariance = second_moment(rows, space.probability, mean)
    return Affine(mean, whitening(covariance, float(name.removeprefix("part"))))
