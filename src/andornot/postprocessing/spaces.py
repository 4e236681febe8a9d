"""Post-process a Space; the new space keeps the subtracted means."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from andornot.base import defaults
from andornot.base.choices import Postprocess
from andornot.base.errors import AndornotError, MissingCountsError, UsageError
from andornot.base.remedies import remedy
from andornot.postprocessing.affine import Affine, fit
from andornot.space import Space


def postprocess(
    space: Space,
    method: str = defaults.POSTPROCESS,
    *,
    components: int | None = None,
    again: bool = False,
) -> Space:
    """Post-process target and context vectors.

    Args:
        space: The space.
        method: "none"; "uniform": subtract the mean; "frequency": subtract the mean under p(w), as
            in the paper; "all-but-the-top": subtract the mean and remove the leading directions;
            "zipfian-whitening": centre and whiten under p(w), with contexts mapped inversely, so
            that v.u equals that of "frequency".
        components: The number of directions that "all-but-the-top" removes. Default: a hundredth
            of the dimension, at least one.
        again: Allow a space that was post-processed already.

    Raises:
        AndornotError: If the space was post-processed already, or lacks frequencies that the
            method needs.
        UsageError: If the method is unknown, or has no use for `components`.

    >>> import andornot
    >>> space = andornot.load("examples/royal.vec").with_counts("examples/royal.counts")
    >>> centred = postprocess(space, "frequency")
    >>> bool(np.allclose(centred.probability @ centred.target, 0, atol=1e-6))
    True
    >>> np.allclose(centred.target + centred.target_mean, space.target)
    True
    """
    check_once(space, method, again)
    without_components = set(Postprocess) - {Postprocess.ALL_BUT_THE_TOP}
    if components is not None and method in without_components:
        raise UsageError(
            f"only {Postprocess.ALL_BUT_THE_TOP} removes components, got components={components} "
            f"for {method}; leave it out"
        )
    if method == Postprocess.NONE:
        return space
    target = fit_target(space, method, components)
    context = fit_context(space, method, components, target)
    subwords = space.subwords
    name = f"{method} ({components} components)" if components is not None else str(method)
    before = space.provenance.postprocess
    chain = f"{before} + {method}" if before else str(method)
    record = replace(space.provenance.then(f"post-processing: {name}"), postprocess=chain)
    is_centred = only_centred(chain)
    context_mean = None
    if context is not None:
        context_mean = _sum(context.mean, space.context_mean if is_centred else None)
    return replace(
        space,
        target=target(space.target),
        context=None if space.context is None or context is None else context(space.context),
        target_mean=_sum(target.mean, space.target_mean if is_centred else None),
        context_mean=context_mean,
        # a composed vector is the mean of its subwords, so these are mapped too
        subwords=subwords and replace(subwords, matrix=target(subwords.matrix)),
        provenance=record,
    )


def only_centred(chain: str) -> bool:
    """Return True if post-processing only subtracted means, so that it can be undone.

    >>> only_centred("uniform + frequency"), only_centred("zipfian-whitening + uniform")
    (True, False)
    """
    return set(chain.split(" + ")) <= {Postprocess.UNIFORM, Postprocess.FREQUENCY}


def _sum(
    mean: npt.NDArray[np.float64], before: npt.NDArray[np.float64] | None
) -> npt.NDArray[np.float64]:
    return mean if before is None else mean + before


def check_once(space: Space, method: str, again: bool = False) -> None:
    """Raise AndornotError if the space was post-processed already."""
    done = space.provenance.postprocess
    if done and method != Postprocess.NONE and not again:
        both = remedy(python=", or apply both by postprocess(..., again=True)", command="")
        raise AndornotError(
            f"this space had the post-processing {done} already; use the original vectors, or none "
            f"as the post-processing{both}"
        )


def fit_target(space: Space, method: str, components: int | None = None) -> Affine:
    """Fit the map of the target vectors."""
    return fit(method, space.target, _frequencies(space, method), components)


def fit_context(space: Space, method: str, components: int | None, target: Affine) -> Affine | None:
    """Return the map of the context vectors, or None."""
    if space.context is None:
        return None
    p = _frequencies(space, method)
    if method != Postprocess.ZIPFIAN_WHITENING:
        return fit(method, space.context, p, components)
    mean = fit(Postprocess.FREQUENCY, space.context, p).mean
    assert target.matrix is not None
    return Affine(
        mean,
        np.asarray(np.linalg.pinv(target.matrix, rcond=1e-8, hermitian=True), dtype=np.float64),
    )


def _frequencies(space: Space, method: str) -> npt.NDArray[np.float64]:
    """Return the weights of the words: p(w), or uniform, as in Mu and Viswanath."""
    weighted = method in (Postprocess.FREQUENCY, Postprocess.ZIPFIAN_WHITENING)
    if weighted and not space.has_frequencies:
        has_tokenizer = space.pieces is not None
        raise MissingCountsError(f"the post-processing {method}", has_tokenizer=has_tokenizer)
    return space.probability if weighted else np.ones(len(space))
