"""The plane of the numbers."""

import numpy as np
import pytest

from andornot import Space, Vocabulary
from andornot.experiments import negation
from andornot.experiments.antonyms import Retrieval
from andornot.experiments.intervals import Interval
from andornot.experiments.report import Verdict


def test_the_plane_of_planted_numbers():
    rng = np.random.default_rng(9)
    sizes = np.array(negation.NUMBERS)
    sign, size = np.sign(sizes), np.abs(sizes)
    axes = np.linalg.qr(rng.normal(size=(12, 2)))[0].T
    rows = np.outer(3 * sign, axes[0]) + np.outer((size - 5) / 4, axes[1]) + rng.normal(size=12)
    _, points, origins, cosines = negation.plane(negation.NUMBERS, rows)
    assert cosines["1 and 9, seen from the positive numbers"] == pytest.approx(-1)
    assert cosines["1 and 9, seen from all"] > 0
    assert cosines["positive and negative, seen from all"] < -0.5
    assert np.abs(points[:, 0]) == pytest.approx(3)  # the sign is the first axis
    np.testing.assert_allclose(origins[0], 0, atol=1e-9)
    np.testing.assert_allclose(np.abs(origins[1:]), [[3, 0], [3, 0]], atol=1e-9)
    known = [str(n) for n in negation.NUMBERS if n != -9]
    space = Space(Vocabulary(known), rows[1:].astype(np.float32))
    plane = negation.plane_of(space)
    assert plane.numbers == negation.NUMBERS[1:]
    assert plane.as_in_the_paper
    assert {each.verdict for each in negation.claims_of({"a": plane})} == {Verdict.REPRODUCED}
    for some in (known[:9], known[8:]):  # no 9, no negative ones
        ids = [known.index(word) for word in some]
        assert negation.plane_of(Space(Vocabulary(some), space.target[ids])) is None


def test_claims_hold_in_all_planes_in_some_or_in_none():
    rng = np.random.default_rng(13)
    size = np.abs(negation.NUMBERS)
    line = np.outer(size - 5.0, rng.normal(size=6)) + 0.1 * rng.normal(size=(18, 6))
    unsigned = negation.plane(negation.NUMBERS, line)  # -1 is like 1: only the first claim holds
    signed = negation.plane(negation.NUMBERS, line + 20 * np.sign(negation.NUMBERS)[:, None])
    assert not unsigned.as_in_the_paper
    assert signed.as_in_the_paper
    verdicts = [claim.verdict for claim in negation.claims_of({"a": unsigned, "b": signed})]
    assert verdicts == [Verdict.REPRODUCED, Verdict.IN_PART, Verdict.IN_PART]
    verdicts = [claim.verdict for claim in negation.claims_of({"a": unsigned})]
    assert verdicts == [Verdict.REPRODUCED, Verdict.NOT, Verdict.NOT]
    assert {claim.verdict for claim in negation.claims_of({})} == {Verdict.NOT_TESTED}


def test_the_claim_on_antonyms_needs_more_than_chance_and_no_less_than_cosine():
    def found(above_chance, lead):
        return Retrieval({}, 9, *(Interval(x, x - 0.1, x + 0.1) for x in (lead, above_chance)))

    for each, verdict in (
        ([found(0.2, 0.2), found(0.2, 0)], Verdict.REPRODUCED),
        ([found(0.2, 0.2), found(0.2, -0.2)], Verdict.IN_PART),
        ([found(0, 0.2), found(-0.2, 0.2)], Verdict.NOT),
        ([Retrieval({}, 0, None, None)], Verdict.NOT_TESTED),
    ):
        claim = negation._claim_on_antonyms({str(n): some for n, some in enumerate(each)})
        assert claim.verdict == verdict


def test_any_two_members_of_a_simplex_have_the_cosine_of_its_corners():
    corners = np.eye(5) - 1 / 5
    assert negation._any_two(corners) == pytest.approx(-1 / 4)
