"""Vectors of concepts: the paper's formulas, and the exact mode on a planted factorisation."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from errors import raises
from planted import LOGICS, SIZE, SPACE, WORDS, PaperLogic

from andornot import Provenance, Space, Vocabulary
from andornot.algebra import explain
from andornot.algebra.compute import row_of
from andornot.base.errors import AndornotError, MissingContextError
from andornot.postprocessing import postprocess
from andornot.words.counts import Counts, CountsOrigin

# --- the paper's formulas ----------------------------------------------------------------------


def test_and_is_a_sum_and_or_a_frequency_weighted_mean():
    logic = LOGICS["first-order"]
    p = SPACE.probability
    v = SPACE.target - p @ SPACE.target
    both = logic["w2"] & logic["w7"]
    np.testing.assert_allclose(both.vector, v[2] + v[7], atol=1e-6)
    assert both.probability == pytest.approx(p[2] * p[7])
    either = logic["w2"] | logic["w7"]
    np.testing.assert_allclose(
        either.vector, (p[2] * v[2] + p[7] * v[7]) / (p[2] + p[7]), atol=1e-6
    )
    assert either.probability == pytest.approx(p[2] + p[7])


def test_given_and_not():
    logic = LOGICS["first-order"]
    p = SPACE.probability
    v = SPACE.target - p @ SPACE.target
    ids = [1, 4, 6, 9]
    category = [WORDS[i] for i in ids]
    centre = p[ids] @ v[ids] / p[ids].sum()
    share = p[4] / p[ids].sum()
    inside = logic["w4"].given(category)
    np.testing.assert_allclose(inside.vector, v[4] - centre, atol=1e-6)
    assert inside.probability == pytest.approx(share)
    negated = ~logic["w4"].given(category)
    np.testing.assert_allclose(negated.vector, -share / (1 - share) * (v[4] - centre), atol=1e-6)
    assert negated.probability == pytest.approx(1 - share)
    outside = negated.in_global_frame
    rest = [1, 6, 9]
    np.testing.assert_allclose(outside.vector, p[rest] @ v[rest] / p[rest].sum(), atol=1e-6)
    assert outside.probability == pytest.approx(p[rest].sum())
    assert outside.frame is None


def test_not_of_nearly_everything_keeps_its_digits():
    counts = Counts(np.array([1e9, 1.0, 2.0]), CountsOrigin.FILE, "a test")
    v = np.random.default_rng(1).normal(size=(3, 4))
    logic = PaperLogic(Space(Vocabulary(["a", "b", "c"], counts), v), postprocess="none")
    v_a = counts.values @ v / counts.values.sum()
    expected = (v[1] + 2 * v[2]) / 3 - v_a
    np.testing.assert_allclose(logic.concept("!a @ {a, b, c}").vector, expected, atol=1e-6)


# --- the exact mode ----------------------------------------------------------------------------


@pytest.fixture(scope="module")
def planted():
    """A joint table and the factorisation v.u = PMI - log(kq/p), exact in as many dimensions."""
    rng = np.random.default_rng(4)
    size, k = 9, 5
    joint = rng.random((size, size)) + 0.05
    joint = (joint + joint.T) / (joint + joint.T).sum()
    p = joint.sum(axis=0)
    pmi = np.log(joint / np.outer(p, p))
    q = p**0.75 / (p**0.75).sum()
    left, values, right = np.linalg.svd(pmi - np.log(k * q / p))
    root = np.sqrt(values)
    counts = Counts(p * 1e6, CountsOrigin.TRAINING, "a test")
    record = Provenance("a test", model="sgns", negatives=k, negative_exponent=0.75)
    words = [f"w{i}" for i in range(size)]
    space = Space(
        Vocabulary(words, counts), left * root, right.T * root, marginal=p, provenance=record
    )
    return space, joint, p, np.log(k * q / p)


def test_the_exact_or_is_the_pmi_of_the_union(planted):
    space, joint, p, rest = planted
    exact, plain = (
        PaperLogic(space, postprocess="none", exact=True),
        PaperLogic(space, postprocess="none"),
    )
    for ids in ([0, 1], [2, 5, 7], [1, 3, 4, 8]):
        query = " | ".join(f"w{i}" for i in ids)
        truth = np.log(joint[ids].sum(axis=0) / (p[ids].sum() * p))
        found = space.context @ exact.concept(query).vector + rest
        np.testing.assert_allclose(found, truth, atol=2e-5)
        rough = space.context @ plain.concept(query).vector + rest
        assert np.abs(rough - truth).max() > 1e-3


def test_the_exact_not_is_the_pmi_of_the_rest(planted):
    space, joint, p, _ = planted
    logic = PaperLogic(space, exact=True)
    ids, rest = [1, 2, 4, 6], [1, 4, 6]
    of_all = np.log(joint[ids].sum(axis=0) / (p[ids].sum() * p))
    of_rest = np.log(joint[rest].sum(axis=0) / (p[rest].sum() * p))
    found = logic.concept("!w2 @ {w1, w2, w4, w6}")
    np.testing.assert_allclose(space.context @ found.vector, of_rest - of_all, atol=2e-5)
    inside = logic.concept("w2 @ {w1, w2, w4, w6}")
    of_word = np.log(joint[2] / (p[2] * p))
    np.testing.assert_allclose(space.context @ inside.vector, of_word - of_all, atol=2e-5)
    assert explain(found).residual < 1e-5


def test_glove_is_exact_in_any_gauge():
    """A constant may move from the biases of one side to the other: the model is the same."""
    rng = np.random.default_rng(2)
    size = 8
    joint = rng.random((size, size)) + 0.05
    joint = (joint + joint.T) / (joint + joint.T).sum()
    p = joint.sum(axis=0)
    a, b = rng.normal(size=(2, size))
    left, values, right = np.linalg.svd(np.log(1e6 * joint) - a[:, None] - b)
    root = np.sqrt(values)
    words = Vocabulary([f"w{i}" for i in range(size)], Counts(p, CountsOrigin.TRAINING, "-"))
    found = {}
    for shift in (0.0, -8.0):
        record = Provenance("a test", model="glove")
        space = Space(
            words, left * root, right.T * root, a + shift, b - shift, marginal=p, provenance=record
        )
        logic = PaperLogic(space, exact=True)
        for query in ("w1 | w2", "!w1 @ {w1, w2, w3}", "0.5*(w1 & w2) | 0.5*w3"):
            found.setdefault(query, []).append(logic.concept(query).vector)
        # PMI of w1 less that of w1 | w2: what all words share falls out, and so does a constant
        difference = space.context @ (logic["w1"].vector - logic.concept("w1 | w2").vector)
        union = np.log(joint[[1, 2]].sum(axis=0) / (p[[1, 2]].sum() * p))
        expected = np.log(joint[1] / (p[1] * p)) - union
        np.testing.assert_allclose(difference - p @ difference, expected - p @ expected, atol=1e-4)
    for first, second in found.values():
        np.testing.assert_allclose(first, second, atol=2e-4)


def planted_glove():
    """A joint table and the factorisation v.u + a + b = log N, exact in as many dimensions."""
    rng = np.random.default_rng(7)
    joint = rng.random((9, 9)) + 0.05
    joint = (joint + joint.T) / (joint + joint.T).sum()
    p = joint.sum(axis=0)
    a, b = rng.normal(size=(2, 9))
    left, values, right = np.linalg.svd(np.log(1e6 * joint) - a[:, None] - b)
    root = np.sqrt(values)
    words = Vocabulary([f"w{i}" for i in range(9)], Counts(p, CountsOrigin.TRAINING, "-"))
    record = Provenance("a test", model="glove")
    space = Space(words, left * root, right.T * root, a, b, marginal=1e6 * p, provenance=record)
    return space, joint, p


@pytest.mark.parametrize("method", ["none", "uniform", "frequency"])
def test_the_exact_and_adds_pmi(planted, method):
    """With the known shift of SGNS nothing is left of the error eps_c that centring leaves."""
    space, joint, p, rest = planted
    pmi = np.log(joint / np.outer(p, p))
    exact = PaperLogic(space, postprocess=method, exact=True)
    found = exact.concept("w1 & w4 & w6")
    scores = space.context @ (found.vector + exact.target.mean) + rest
    np.testing.assert_allclose(scores, pmi[1] + pmi[4] + pmi[6], atol=2e-5)
    either = exact.concept("0.3*(w1 & w4) | 0.7*w6")
    scores = space.context @ (either.vector + exact.target.mean) + rest
    mixed = np.log(0.3 * np.exp(pmi[1] + pmi[4]) + 0.7 * np.exp(pmi[6]))
    np.testing.assert_allclose(scores, mixed, atol=2e-5)


@pytest.mark.parametrize("method", ["none", "frequency"])
def test_the_exact_text_adds_pmi_by_the_weights_of_its_words(planted, method):
    space, joint, p, rest = planted
    pmi = np.log(joint / np.outer(p, p))
    exact = PaperLogic(space, postprocess=method, exact=True)
    weights = 1e-3 / (1e-3 + p[[1, 4, 6]])
    weighed = 3 * weights @ pmi[[1, 4, 6]] / weights.sum()
    for query, expected in (('"w1 w4 w6"', weighed), ('"w1 w4 w6" & w2', weighed + pmi[2])):
        scores = space.context @ (exact.concept(query).vector + exact.target.mean) + rest
        np.testing.assert_allclose(scores, expected, atol=2e-5)


def test_the_exact_text_of_glove_adds_pmi_by_the_weights_of_its_words():
    space, joint, p = planted_glove()
    pmi = np.log(joint / np.outer(p, p))
    logic = PaperLogic(space, exact=True)
    row = row_of(logic.concept('"w1 w4"').node, logic.exact_arithmetic)
    weights = 1e-3 / (1e-3 + p[[1, 4]])
    expected = 2 * weights @ pmi[[1, 4]] / weights.sum()
    np.testing.assert_allclose(row - logic.exact_arithmetic.zero, expected, atol=2e-5)


def test_centring_leaves_the_error_eps_c(planted):
    space, joint, p, rest = planted
    pmi = np.log(joint / np.outer(p, p))
    bare = Space(space.vocabulary, space.target, space.context, marginal=space.marginal)
    logic = PaperLogic(bare, exact=True)
    assert not logic.exact_arithmetic.zero_is_known
    scores = space.context @ (logic.concept("w1 & w4").vector + logic.target.mean) + rest
    eps_c = -(p @ pmi)
    np.testing.assert_allclose(scores, pmi[1] + pmi[4] + eps_c, atol=2e-5)


def test_the_exact_and_of_glove_adds_pmi_up_to_a_constant():
    space, joint, p = planted_glove()
    pmi = np.log(joint / np.outer(p, p))
    logic = PaperLogic(space, exact=True)
    row = row_of(logic.concept("w1 & w4").node, logic.exact_arithmetic)
    np.testing.assert_allclose(row - logic.exact_arithmetic.zero, pmi[1] + pmi[4], atol=2e-5)
    # the bias of the AND takes the constant
    found = space.context @ logic.concept("w1 & w4").vector
    plain = space.context @ (logic["w1"].vector + logic["w4"].vector)
    eps_c = -(p @ pmi)
    difference = found - plain
    np.testing.assert_allclose(difference - p @ difference, -(eps_c - p @ eps_c), atol=1e-4)


def test_without_the_total_the_and_of_glove_is_the_same():
    space, _, p = planted_glove()
    counts = Counts(p, CountsOrigin.TRAINING, "-")
    words = Vocabulary(space.vocabulary.words, counts)
    biases = (space.target_bias, space.context_bias)
    bare = Space(words, space.target, space.context, *biases, provenance=space.provenance)
    first, second = (PaperLogic(each, exact=True).concept("w1 & w4") for each in (space, bare))
    np.testing.assert_allclose(first.vector, second.vector, atol=1e-5)
    factors = [explain(each).correction.factor for each in (first, second)]
    assert factors[1] == pytest.approx(factors[0], rel=1e-4)


def test_the_probability_of_an_and_has_a_correction(planted):
    """If p(w|c) is a product in every context, p(w) is its mean under p(c)."""
    space, joint, p, _ = planted
    given_context = joint / p  # p(w|c)
    truth = float(p @ (given_context[1] * given_context[4]))
    concept = PaperLogic(space).concept("w1 & w4")
    found = explain(concept)
    assert concept.probability * found.correction.factor == pytest.approx(truth, rel=1e-4)
    terms = p * given_context[1] * given_context[4]
    assert found.correction.context == f"w{terms.argmax()}"
    assert found.correction.share == pytest.approx(terms.max() / terms.sum(), rel=1e-4)
    assert "times the product" in found.text()
    assert explain(PaperLogic(space).concept("w1 | w4")).correction is None


def test_exact_and_of_words_is_the_sum_where_the_shift_is_not_known():
    bare = Space(SPACE.vocabulary, SPACE.target, SPACE.context)
    for method in ("frequency", "zipfian-whitening"):
        query = "w1 & w5 & w9"
        exact, plain = (PaperLogic(bare, postprocess=method, exact=each) for each in (True, False))
        np.testing.assert_allclose(
            exact.concept(query).vector, plain.concept(query).vector, atol=2e-4
        )


def test_a_centred_space_gives_what_the_trained_one_gives():
    centred = PaperLogic(postprocess(SPACE, "frequency"), exact=True)
    for query in ("w1 | w5", "!w1 @ {w1, w2, w3}", "w1 & (w2 | w3)"):
        np.testing.assert_allclose(
            centred.concept(query).vector, LOGICS["exact"].concept(query).vector, atol=2e-4
        )


def test_exact_needs_contexts_and_trained_vectors():
    bare = Space(SPACE.vocabulary, SPACE.target)
    with raises(MissingContextError, "exact", "native"):
        PaperLogic(bare, exact=True)
    whitened = postprocess(SPACE, "zipfian-whitening")
    with raises(AndornotError, "exact", "trained", "zipfian-whitening"):
        PaperLogic(whitened, postprocess="zipfian-whitening", exact=True)


# --- what the exact mode remembers -------------------------------------------------------------


def test_the_exact_mode_remembers_its_latest_unions(monkeypatch):
    logic = PaperLogic(SPACE, exact=True)
    arithmetic = logic.arithmetic
    computed = []
    mix = arithmetic._mix_words
    monkeypatch.setattr(
        arithmetic, "_mix_words", lambda ids, w: computed.append(ids.tolist()) or mix(ids, w)
    )
    category = "{w1, w2, w3, w4}"
    explain(logic.ask(f"!w1 @ {category}"))
    assert sorted(computed) == [[1, 2, 3, 4], [2, 3, 4]]  # the explanation computes nothing again
    logic.ask(f"!w2 @ {category}")
    assert computed[2:] == [[1, 3, 4]]  # nor does another query the origin
    for number in range(30):
        logic.concept(f"w{number % 20} | w{20 + number % 4}").vector  # noqa: B018
    assert len(arithmetic._remembered) == 16
    logic.ask(f"!w1 @ {category}")
    assert computed[-2:] == [[1, 2, 3, 4], [2, 3, 4]]  # they were forgotten
    monkeypatch.setattr("andornot.algebra.exact_mode._REMEMBERED_BYTES", 3 * SIZE * 8)
    logic.concept("w5 | w6").vector  # noqa: B018
    assert len(arithmetic._remembered) == 3


def test_threads_share_what_the_exact_mode_remembers():
    logic = PaperLogic(SPACE, exact=True)
    queries = [f"!w{i % 5} @ {{w{i % 5}, w5, w{6 + i % 15}}}" for i in range(300)]
    alone = [PaperLogic(SPACE, exact=True).concept(query).vector for query in queries]
    with ThreadPoolExecutor(8) as pool:
        together = list(pool.map(lambda query: logic.concept(query).vector, queries))
    np.testing.assert_array_equal(together, alone)


def test_an_exact_or_of_many_words_computes_one_row(monkeypatch):
    logic = PaperLogic(SPACE, exact=True)
    calls = []
    mix = logic.arithmetic.mix_words
    monkeypatch.setattr(
        logic.arithmetic, "mix_words", lambda ids, w: calls.append(len(ids)) or mix(ids, w)
    )
    assert np.isfinite(logic.concept(" | ".join(WORDS[:20])).vector).all()
    assert calls == [20]
