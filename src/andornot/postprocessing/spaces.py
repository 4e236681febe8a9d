"""Post-processing, Space to Space: the means that were subtracted stay with it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from andornot.base import defaults
from andornot.base.choices import Postprocess
from andornot.base.errors import AndornotError
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

    `none`; `uniform` centring; `frequency`, the paper's centring with the mean under p(w);
    `all-but-the-top`, uniform centring and without the `components` leading directions (by default
    a hundredth of the dimension, at least one); `zipfian-whitening`, centring and whitening under
    p(w), where contexts are mapped inversely, so that v.u is that of `frequency`.
    A space that was post-processed already is refused unless `again` is said.

    >>> import andornot
    >>> space = andornot.load("examples/royal.vec").with_counts("examples/royal.counts")
    >>> centred = postprocess(space, "frequency")
    >>> bool(np.allclose(centred.probability @ centred.target, 0, atol=1e-6))
    True
    >>> np.allclose(centred.target + centred.target_mean, space.target)
    True
    """
    check_once(space, method, again)
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
        # a composed vector is the mean of its subwords: mapping them maps it
        subwords=subwords and replace(subwords, matrix=target(subwords.matrix)),
        provenance=record,
    )


def only_centred(chain: str) -> bool:
    """Whether post-processing has done nothing but subtract means, so that they can be added again.

    >>> only_centred("uniform + frequency"), only_centred("zipfian-whitening + uniform")
    (True, False)
    """
    return set(chain.split(" + ")) <= {Postprocess.UNIFORM, Postprocess.FREQUENCY}


def _sum(
    mean: npt.NDArray[np.float64], before: npt.NDArray[np.float64] | None
) -> npt.NDArray[np.float64]:
    return mean if before is None else mean + before


def check_once(space: Space, method: str, again: bool = False) -> None:
    """Refuse to post-process twice."""
    done = space.provenance.postprocess
    if done and method != Postprocess.NONE and not again:
        raise AndornotError(
            f"this space has had {done} already; take the vectors as they were trained, or none "
            "for the post-processing (to do both all the same: postprocess(..., again=True))"
        )


def fit_target(space: Space, method: str, components: int | None = None) -> Affine:
    """The map for the target vectors."""
    return fit(method, space.target, _frequencies(space, method), components)


def fit_context(space: Space, method: str, components: int | None, target: Affine) -> Affine | None:
    """The map for the context vectors, where there are any."""
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
    """The weights of the words: p(w), or all alike, as Mu and Viswanath have them."""
    weighted = method in (Postprocess.FREQUENCY, Postprocess.ZIPFIAN_WHITENING)
    return space.probability if weighted else np.ones(len(space))
