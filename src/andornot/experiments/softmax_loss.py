"""Cross-entropy over many classes, computed with its gradient a few rows at a time.

`torch.nn.functional.cross_entropy` passes several times over a matrix of all rows and classes,
which is larger than the caches. Here each block of rows stays in the cache until the gradient of
its scores, softmax(scores) - one-hot(target), has replaced the scores.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import torch

_ROWS = 16  # of 30,000 scores in single precision: 2 MB


def softmax_loss(
    hidden: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor, targets: torch.Tensor
) -> torch.Tensor:
    """Return the mean cross-entropy of the scores `hidden @ weight.T + bias`.

    The products are taken in the type of the arguments, the softmax in single precision.

    Args:
        hidden: Inputs, shape (n, d).
        weight: Weights of the classes, shape (classes, d).
        bias: Biases of the classes.
        targets: The right class of each row.
    """
    loss: torch.Tensor = _function().apply(hidden, weight, bias, targets)
    return loss


@functools.cache
def _function() -> Any:
    import torch

    class SoftmaxLoss(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, *given: torch.Tensor) -> torch.Tensor:
            hidden, weight, bias, targets = given
            scores = torch.addmm(bias, hidden, weight.t())
            loss = torch.zeros((), dtype=torch.float64)
            for start in range(0, len(targets), _ROWS):
                block, right = scores[start : start + _ROWS], targets[start : start + _ROWS, None]
                log_p = block.float().log_softmax(dim=1)
                loss -= log_p.gather(1, right).sum()
                gradient = log_p.exp_()
                gradient.scatter_add_(1, right, torch.full(right.shape, -1.0))
                block.copy_(gradient.mul_(1 / len(targets)))
            ctx.save_for_backward(hidden, weight, scores)  # now the gradient of the scores
            return (loss / len(targets)).float()

        @staticmethod
        def backward(ctx: Any, *upstream: Any) -> tuple[torch.Tensor | None, ...]:
            hidden, weight, gradient = ctx.saved_tensors
            (up,) = upstream
            return (
                up * (gradient @ weight),
                up * (gradient.t() @ hidden),
                up * gradient.sum(0),
                None,
            )

    return SoftmaxLoss
