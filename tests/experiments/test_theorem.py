"""The theorem, and the error terms of a text."""

import numpy as np
import pytest

from andornot.cooccurrence import count
from andornot.experiments import Lab, theorem


@pytest.mark.usefixtures("empty_cache")
def test_the_theorem_holds():
    result = theorem.run(Lab())
    assert max(result.numbers["identity"].values()) < 1e-11
    assert result.numbers["slope"] == pytest.approx(2, abs=0.02)
    delta, mean = result.numbers["delta"], result.numbers["mean"]
    assert mean[0] / delta[0] ** 2 == pytest.approx(mean[3] / delta[3] ** 2, rel=0.02)
    # a closed form: to second order eps_bar is half the variance of PMI under p x p
    table = np.random.default_rng(3).gamma(1.0, size=(20, 20))
    table = (table + table.T) / (2 * table.sum())
    pmi, p = theorem._pmi(table)
    table = np.outer(p, p) * np.exp(1e-3 * pmi)
    pmi, p = theorem._pmi(table / table.sum())
    half = np.outer(p, p).ravel() @ pmi.ravel() ** 2 / 2
    small = np.random.default_rng(3).gamma(1.0, size=(20, 20))
    small = (small + small.T) / (2 * small.sum())
    assert theorem._order(small, 1e-3)[1] == pytest.approx(half, rel=0.01)
    assert [claim.verdict for claim in result.claims] == ["reproduced"] * 5
    assert list(result.numbers["orders of the formulas"].values()) == pytest.approx(
        [2] * 3, abs=0.03
    )
    assert result.numbers["Delta of the text"] == {}  # there is none


def test_claims_fail_where_the_figures_do():
    good, bad = {"SGNS": 1e-14, "GloVe": 1e-13}, {"SGNS": 1e-14, "GloVe": 1e-5}
    verdicts = [
        [claim.verdict for claim in theorem._claims(identity, slope, {"SGNS": 9.0})]
        for identity, slope in ((good, 2.01), (bad, 2.0), (good, 1.5))
    ]
    assert verdicts == [
        ["reproduced"] * 2,
        ["not reproduced", "reproduced"],
        ["reproduced", "not reproduced"],
    ]


def test_delta_of_a_text(text8):
    lab = Lab(cache=text8)
    found = theorem.largest_of_text(lab)
    for name, weights in (("SGNS", "linear"), ("GloVe", "harmonic")):
        joint = count(lab.text8.corpus, min_count=20, weights=weights).matrix().toarray()
        joint = joint.astype(float) / joint.sum()
        p = joint.sum(0)
        pmi = np.log(joint[joint > 0] / np.outer(p, p)[joint > 0])
        assert found[name] == pytest.approx(np.abs(pmi).max(), rel=1e-5)


def test_error_terms_of_a_text_are_finite_and_those_of_its_parts(text8):
    lab = Lab(cache=text8)
    terms = theorem.error_terms(lab)
    models = {"SGNS": ("no prior", "prior 10"), "GloVe": ("no prior", "prior 1")}
    own = [f"{name}, {prior}, the model's own" for name in models for prior in models[name]]
    assert set(own) < set(terms)
    for name in models:
        assert {f"the counts of {name}, {added} added" for added in ("1", "0.1")} < set(terms)
    counts = count(lab.text8.corpus, min_count=20, weights="harmonic").matrix().toarray() + 0.1
    joint = counts / counts.sum()
    p = joint.sum(0)
    eps = -(np.log(joint / np.outer(p, p)) @ p)
    found = terms["the counts of GloVe, 0.1 added"]
    expected = [eps.mean(), eps.min(), eps.max(), p @ eps]
    assert list(found.values()) == pytest.approx(expected, rel=1e-4)
    assert all(np.isfinite(list(each.values())).all() for each in terms.values())
    # GloVe's own: v.u + a + b is log N, so PMI has the total of its counts, and no other
    space = lab.trained(lab.text8_training("glove", "exact"))
    total = counts.sum() - 0.1 * counts.size
    biases = space.target_bias[:, None] + space.context_bias
    p = space.probability
    pmi = space.target @ space.context.T + biases - np.log(total) - np.log(np.outer(p, p))
    own = terms["GloVe, no prior, the model's own"]
    assert own["under p"] == pytest.approx(-(p @ pmi @ p), abs=1e-3)
    assert own["mean"] == pytest.approx(-(pmi @ p).mean(), abs=1e-3)
