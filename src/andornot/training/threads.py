"""The number of BLAS threads, so that they and those of the trainers share the cores."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

from andornot.base.errors import AndornotWarning
from andornot.base.parallel import thread_count
from andornot.base.remedies import option

_VARIABLES = {
    "openblas": "OPENBLAS_NUM_THREADS",
    "mkl": "MKL_NUM_THREADS",
    "blis": "BLIS_NUM_THREADS",
    "flexiblas": "FLEXIBLAS_NUM_THREADS",
}


@contextmanager
def blas_threads(wanted: int) -> Iterator[None]:
    """Let BLAS use `wanted` threads in the block; warn if that is impossible.

    >>> with blas_threads(1):
    ...     pass
    """
    from threadpoolctl import threadpool_info, threadpool_limits

    with threadpool_limits(wanted, user_api="blas"):
        for library in threadpool_info():
            if library["user_api"] == "blas" and library["num_threads"] > wanted:
                variable = _VARIABLES.get(library["internal_api"], "OMP_NUM_THREADS")
                warnings.warn(
                    f"{library['internal_api']} runs {library['num_threads']} threads inside each "
                    f"of andornot's: set {variable}={wanted} before starting",
                    AndornotWarning,
                    stacklevel=4,
                )
        yield


def warn_of_too_many(threads: int) -> None:
    """Warn where there are more threads than cores, or where BLAS is set to more than there are."""
    cores = thread_count(None)
    if threads > cores:
        warnings.warn(
            f"{threads} threads on {cores} cores slow each other down: set "
            f"{option('threads', cores)}",
            AndornotWarning,
            stacklevel=4,
        )
    for variable in (*_VARIABLES.values(), "OMP_NUM_THREADS"):
        value = os.environ.get(variable, "")
        if value.isdigit() and int(value) > cores:
            warnings.warn(
                f"{variable} is {value} on {cores} cores, and BLAS and numba threads would fight "
                f"for them: set {variable}={cores}",
                AndornotWarning,
                stacklevel=4,
            )
