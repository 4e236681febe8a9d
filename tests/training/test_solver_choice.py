"""Which solver `auto` takes, and what it gives as the reason."""

import pytest

from andornot.base.choices import Solver
from andornot.training import Settings
from andornot.training.solver_choice import choose_solver


@pytest.mark.parametrize(
    ("settings", "words", "tokens", "solver", "reason"),
    [
        (Settings(), 10_000, 1_990_000, "sampled", "199 tokens"),
        (Settings(), 10_000, 2_000_000, "exact", "200 tokens"),
        (Settings(), 60_000, 10**9, "exact", "60,000 words"),
        (Settings(), 60_001, 10**9, "sampled", "60,001 words"),
        (Settings(), 10_000, None, "exact", "counts"),
        (Settings(dim=50), 40, None, "exact", "counts"),
        (Settings(model="glove", dim=50), 40, None, "sampled", "40 words"),
        (Settings(dim=50), 40, 10**6, "sampled", "40 words"),
        (Settings(window="line"), 60_001, 10**5, "exact", "line"),
        (Settings(model="glove"), 60_001, 10**5, "exact", "scores higher"),
        (Settings(model="glove", rate=0.05), 10_000, 10**7, "sampled", "rate"),
        (Settings(solver="exact"), 60_001, 10**5, "exact", "as asked"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_the_solver_and_its_reason(settings, words, tokens, solver, reason):
    choice = choose_solver(settings, words, tokens)
    assert choice.solver == Solver(solver)
    assert reason in choice.reason
