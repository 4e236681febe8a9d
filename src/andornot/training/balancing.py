"""The two sides of a factorisation: made equal in size, and their products kept in bounds."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from andornot.base.moments import parts, second_moment

Matrix = npt.NDArray[np.float32]
_ROWS, _CONTEXTS = 1024, 4096  # of a block of products


def balance(target: Matrix, context: Matrix, p: npt.NDArray[np.float64]) -> None:
    """Make the two sides equal in size, in place, and keep their products v.u.

    V'PV = U'PU, diagonal, largest first, with P = diag(p): a loss of v.u alone leaves the two sides
    free up to a linear map, and this settles it. With equal p it is the map with the least
    |V|^2 + |U|^2.

    >>> target, context = np.ones((3, 1)), 4 * np.ones((3, 1))
    >>> balance(target, context, np.ones(3) / 3)
    >>> target.round(3).T.tolist(), context.round(3).T.tolist()
    ([[2.0, 2.0, 2.0]], [[2.0, 2.0, 2.0]])
    """
    for rows, matrix in zip((target, context), balancing_maps(target, context, p), strict=True):
        turn_rows(rows, matrix)


def balancing_maps(
    target: Matrix, context: Matrix, p: npt.NDArray[np.float64]
) -> tuple[Matrix, Matrix]:
    """Return the matrices that `balance` multiplies the rows of the two sides by."""
    # P^1/2 V = Q L and P^1/2 U = O R with orthonormal Q, O; L R' = A S B'.
    # Q A S^1/2 = P^1/2 V R' B S^-1/2 is the balanced left side, the right one likewise.
    left, right = _triangle(target, p), _triangle(context, p)
    turn, size, other = np.linalg.svd(left @ right.T)
    root = np.maximum(np.sqrt(size), 1e-12)
    return (
        (right.T @ other.T / root).astype(np.float32),
        (left.T @ turn / root).astype(np.float32),
    )


def turn_rows(rows: Matrix, matrix: Matrix) -> None:
    """Multiply the rows by a matrix, in place."""
    for part in parts(rows):
        rows[part] = rows[part] @ matrix


def _triangle(rows: Matrix, p: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Return R of a factorisation P^1/2 rows = Q R with orthonormal Q."""
    gram = second_moment(rows, p)
    gram += 1e-9 * np.trace(gram) * np.eye(len(gram))
    return np.asarray(np.linalg.cholesky(gram).T, dtype=np.float64)


def scores_beyond(
    target: Matrix, context: Matrix, limit: float
) -> tuple[npt.NDArray[np.int64], Matrix]:
    """Return the words whose largest product with a context exceeds a limit, and that product.

    Most pairs are passed over, because the product of their lengths is within the limit: words and
    contexts are taken in the order of their lengths, so that each block of words meets only the
    first contexts.

    >>> target = np.array([[1.0, 0.0], [9.0, 0.0]], dtype=np.float32)
    >>> ids, highest = scores_beyond(target, np.eye(2, dtype=np.float32), 3.0)
    >>> ids.tolist(), highest.tolist()
    ([1], [9.0])
    """
    lengths, others = (np.linalg.norm(rows, axis=1) for rows in (target, context))
    ids = np.flatnonzero(lengths * others.max() > limit)
    ids = ids[np.argsort(-lengths[ids], kind="stable")]
    facing = np.flatnonzero(lengths.max() * others > limit)
    facing = facing[np.argsort(-others[facing], kind="stable")]
    highest = np.full(len(ids), -np.inf, dtype=np.float32)
    for part in parts(ids, height=_ROWS):
        words = target[ids[part]]
        near = facing[lengths[ids[part.start]] * others[facing] > limit]
        for block in parts(near, height=_CONTEXTS):
            products = words @ context[near[block]].T
            np.maximum(highest[part], products.max(axis=1), out=highest[part])
    beyond = np.flatnonzero(highest > limit)
    beyond = beyond[np.argsort(ids[beyond])]
    return ids[beyond], highest[beyond]
