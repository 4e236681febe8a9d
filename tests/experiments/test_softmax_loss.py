"""The loss over many classes has the value and the gradients of torch's own."""

import pytest

torch = pytest.importorskip("torch", reason="needs the extra bert")

from andornot.experiments.softmax_loss import softmax_loss  # noqa: E402


@pytest.mark.parametrize("rows", [1, 16, 37])
def test_value_and_gradients_are_those_of_torch(rows):
    made = torch.Generator().manual_seed(rows)
    ours = [torch.randn(shape, generator=made) for shape in [(rows, 8), (50, 8), (50,)]]
    theirs = [each.clone() for each in ours]
    for each in [*ours, *theirs]:
        each.requires_grad_()
    targets = torch.randint(50, (rows,), generator=made)
    loss = 3 * softmax_loss(*ours, targets)
    expected = 3 * torch.nn.functional.cross_entropy(theirs[0] @ theirs[1].T + theirs[2], targets)
    loss.backward()
    expected.backward()
    assert loss.item() == pytest.approx(expected.item(), rel=1e-5)
    for mine, other in zip(ours, theirs, strict=True):
        torch.testing.assert_close(mine.grad, other.grad, rtol=1e-4, atol=1e-6)
