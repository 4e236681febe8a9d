"""The laws of AND, OR and NOT, in both arithmetics, and the theory on a planted factorisation."""

from concurrent.futures import ThreadPoolExecutor
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from planted import DIM, LOGICS, SIZE, SPACE, WORDS, every_logic

import andornot
from andornot import Provenance, Space, Vocabulary
from andornot.algebra import Logic, explain
from andornot.algebra.expression import And, Not, Or, Term
from andornot.base.errors import AndornotError, UnknownWordError
from andornot.postprocessing import postprocess
from andornot.words.counts import Counts, CountsOrigin

some_words = st.lists(st.sampled_from(WORDS), min_size=2, max_size=5, unique=True)


def same(left, right):
    np.testing.assert_allclose(left.vector, right.vector, atol=2e-4)
    assert left.probability == pytest.approx(right.probability)
    assert left.frame == right.frame


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


# --- laws --------------------------------------------------------------------------------------


@every_logic
@settings(max_examples=15, deadline=None)
@given(words=some_words)
def test_and_commutes_and_associates(logic, words):
    first, *others = (logic[word] for word in words)
    forward = first
    for other in others:
        forward = forward & other
    backward = others[-1]
    for other in [*others[-2::-1], first]:
        backward = other & backward
    same(forward, backward)
    np.testing.assert_allclose(
        (first & first).vector, 2 * first.vector, atol=2e-4
    )  # not idempotent


@every_logic
@settings(max_examples=15, deadline=None)
@given(words=some_words)
def test_or_is_over_a_set(logic, words):
    concepts = [logic[word] for word in words]
    whole = concepts[0]
    for other in concepts[1:]:
        whole = whole | other
    turned = concepts[-1]
    for other in concepts[-2::-1]:
        turned = other | turned
    same(whole, turned)
    same(whole, whole | whole)
    same(whole, whole | concepts[0])
    same(concepts[0], concepts[0] | concepts[0])


@every_logic
@settings(max_examples=15, deadline=None)
@given(words=some_words)
def test_not_not_is_nothing(logic, words):
    category = sorted({*words, "w20", "w21"})
    inside = logic[words[0]].given(category)
    same(~~inside, inside)
    rest = [word for word in category if word != words[0]]
    long_way = logic.concept(f"({' | '.join(rest)}) @ {{{', '.join(category)}}}")
    same(~inside, long_way)


@pytest.mark.parametrize("method", ["none", "frequency"])
def test_or_moves_with_the_origin(method):
    shift = np.arange(DIM, dtype=np.float32)
    moved = Space(SPACE.vocabulary, SPACE.target + shift, SPACE.context)
    before, after = Logic(SPACE, postprocess=method), Logic(moved, postprocess=method)
    expected = shift if method == "none" else 0
    difference = after.concept("w1 | w5 | w9").vector - before.concept("w1 | w5 | w9").vector
    np.testing.assert_allclose(difference, expected + np.zeros(DIM), atol=1e-5)


def test_the_or_of_everything_is_the_centre():
    everything = " | ".join(WORDS)
    whole = LOGICS["first-order"].concept(everything)
    np.testing.assert_allclose(whole.vector, 0, atol=1e-6)
    assert whole.probability == pytest.approx(1)


def test_given_everything_is_frequency_centring():
    logic = Logic(SPACE, postprocess="none")
    centred = postprocess(SPACE, "frequency")
    for word in ("w0", "w11"):
        np.testing.assert_allclose(logic[word].given(WORDS).vector, centred.vector(word), atol=1e-5)


def test_frames_that_differ_meet_outside():
    logic = LOGICS["first-order"]
    here, there = ["w1", "w2", "w3"], ["w4", "w5", "w6"]
    a, b = ~logic["w1"].given(here), ~logic["w4"].given(there)
    np.testing.assert_allclose(
        (a & b).vector, a.in_global_frame.vector + b.in_global_frame.vector, atol=1e-6
    )
    assert (a & b).frame is None
    c = ~logic["w2"].given([*here[::-1]])
    assert (a & c).frame == a.frame
    np.testing.assert_allclose((a & c).vector, a.vector + c.vector, atol=1e-6)


def test_unions_within_a_frame_are_unions_of_members():
    logic = LOGICS["first-order"]
    category = "{w1, w2, w3, w4}"
    left = logic.concept(f"(!w1 @ {category}) | (!w2 @ {category})")
    assert left.probability == pytest.approx(1)
    np.testing.assert_allclose(left.vector, 0, atol=1e-6)
    same(
        logic.concept(f"!(w1 | w2) @ {category}"),
        logic.concept(f"(w3 | w4) @ {category}"),
    )


def test_weights_change_the_vector_and_not_the_probability():
    logic = LOGICS["first-order"]
    a, b = logic["w3"], logic["w8"]
    weighted = 0.75 * a | 0.25 * b
    np.testing.assert_allclose(weighted.vector, 0.75 * a.vector + 0.25 * b.vector, atol=1e-6)
    assert weighted.probability == (a | b).probability
    same(weighted, logic.concept("0.75*w3 | 0.25*w8"))
    three = 0.5 * a | 0.25 * b | 0.25 * logic["w9"]
    same(three, logic.concept("2*w3 | 1*w8 | 1*w9"))
    even = LOGICS["uniform-weights"].concept("w3 | w8")
    np.testing.assert_allclose(even.vector, (a.vector + b.vector) / 2, atol=1e-6)


def test_a_faint_operand_is_reported():
    concept = LOGICS["first-order"].concept("(w1 & w2 & w3) | w0")
    (note,) = concept.notes
    assert "w1 & w2 & w3 carries" in note
    assert "1*(w1 & w2 & w3) | 1*(w0)" in note
    assert concept.is_bound
    retold = LOGICS["first-order"].concept("1*(w1 & w2 & w3) | 1*(w0)")
    assert retold.notes == ()


def test_faint_words_are_reported_too():
    counts = Counts(np.array([1e6, 10.0, 5.0]), CountsOrigin.TRAINING, "a test")
    space = Space(Vocabulary(["the", "elephant", "giraffe"], counts), np.eye(3))
    (note,) = Logic(space).concept("the | elephant | giraffe").notes
    assert note.startswith("elephant and giraffe carry under 1 %")


def test_words_of_frequency_zero():
    counts = Counts(np.array([10.0, 5.0, 0.0, 0.0]), CountsOrigin.FILE, "a test")
    logic = Logic(Space(Vocabulary(["a", "b", "c", "d"], counts), np.eye(4)))
    for query in ("c", "a & c", "c @ {a, c}", "!a @ {a, c, b}", "1*c | 1*a", "1*(c & d) | 1*a"):
        assert logic.concept(query).vector.shape == (4,)
    nothing = logic.concept("!(c | d) @ {a, c, d}")  # what is left is all of it
    np.testing.assert_array_equal(nothing.vector, 0)
    assert "nan" not in explain(nothing).text()
    for query in ("c | d", "c @ {c, d}"):
        with pytest.raises(AndornotError, match="frequency 0"):
            logic.ask(query)


@pytest.mark.parametrize("exact", [False, True])
def test_not_that_leaves_words_of_frequency_zero(exact):
    counts = Counts(np.array([10.0, 0.0, 5.0]), CountsOrigin.FILE, "a test")
    rows = np.random.default_rng(1).normal(size=(2, 3, 4))
    logic = Logic(Space(Vocabulary(["king", "queen", "man"], counts), *rows), exact=exact)
    negated, man = logic.answer_all(["!king @ {king, queen}", "man"])
    assert negated.words == ("queen",)
    assert man.words
    expected = logic["queen"].vector - logic["king"].vector  # v(A) is v(king)
    np.testing.assert_allclose(negated.concept.vector, expected, atol=1e-5)
    sign = "t(A without king) - t(A)" if exact else "v(queen) - v(A)"
    assert explain(negated).parts[0].vector == sign


def test_not_of_nearly_everything_keeps_its_digits():
    counts = Counts(np.array([1e9, 1.0, 2.0]), CountsOrigin.FILE, "a test")
    v = np.random.default_rng(1).normal(size=(3, 4))
    logic = Logic(Space(Vocabulary(["a", "b", "c"], counts), v), postprocess="none")
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
    exact, plain = Logic(space, postprocess="none", exact=True), Logic(space, postprocess="none")
    for ids in ([0, 1], [2, 5, 7], [1, 3, 4, 8]):
        query = " | ".join(f"w{i}" for i in ids)
        truth = np.log(joint[ids].sum(axis=0) / (p[ids].sum() * p))
        found = space.context @ exact.concept(query).vector + rest
        np.testing.assert_allclose(found, truth, atol=2e-5)
        rough = space.context @ plain.concept(query).vector + rest
        assert np.abs(rough - truth).max() > 1e-3


def test_the_exact_not_is_the_pmi_of_the_rest(planted):
    space, joint, p, _ = planted
    logic = Logic(space, exact=True)
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
        logic = Logic(space, exact=True)
        for query in ("w1 | w2", "!w1 @ {w1, w2, w3}", "0.5*(w1 & w2) | 0.5*w3"):
            found.setdefault(query, []).append(logic.concept(query).vector)
        # PMI of w1 less that of w1 | w2: what all words share falls out, and so does a constant
        difference = space.context @ (logic["w1"].vector - logic.concept("w1 | w2").vector)
        union = np.log(joint[[1, 2]].sum(axis=0) / (p[[1, 2]].sum() * p))
        expected = np.log(joint[1] / (p[1] * p)) - union
        np.testing.assert_allclose(difference - p @ difference, expected - p @ expected, atol=1e-4)
    for first, second in found.values():
        np.testing.assert_allclose(first, second, atol=2e-4)


def test_exact_and_of_words_is_the_sum():
    for name in ("exact", "whitened-exact"):
        exact = LOGICS[name]
        plain = LOGICS["first-order" if name == "exact" else "whitened"]
        query = "w1 & w5 & w9"
        np.testing.assert_allclose(
            exact.concept(query).vector, plain.concept(query).vector, atol=2e-4
        )


def test_a_centred_space_gives_what_the_trained_one_gives():
    centred = Logic(postprocess(SPACE, "frequency"), exact=True)
    for query in ("w1 | w5", "!w1 @ {w1, w2, w3}", "w1 & (w2 | w3)"):
        np.testing.assert_allclose(
            centred.concept(query).vector, LOGICS["exact"].concept(query).vector, atol=2e-4
        )


# --- asking ------------------------------------------------------------------------------------


@every_logic
def test_answers_are_those_of_brute_force(logic):
    queries = ["w1 & w5", "w2 | w3", "w7", "w1 & (w2 | !w3 @ {w3, w4, w5})"]
    mapped = logic.target(logic.space.target).astype(float)
    unit = mapped / np.linalg.norm(mapped, axis=1, keepdims=True)
    for query, answer in zip(queries, logic.ask_many(queries, k=5), strict=True):
        concept = logic.concept(query)
        scores = unit @ concept.vector / np.linalg.norm(concept.vector)
        spoken = {word for word in WORDS if word in query.replace("{w3, w4, w5}", "").split()}
        spoken |= {word.strip("()!") for word in query.split("@")[0].split()}
        order = [WORDS[i] for i in np.argsort(-scores) if WORDS[i] not in spoken][:5]
        assert answer.words == tuple(order)
        assert answer.hits[0].score == pytest.approx(scores[WORDS.index(order[0])], abs=1e-5)
        assert logic.ask(query, k=5).words == answer.words


def test_not_ranks_the_members_of_its_category():
    logic = LOGICS["first-order"]
    category = ["w1", "w4", "w6", "w9"]
    answer = logic.ask("!w4 @ {w1, w4, w6, w9}")
    assert set(answer.words) == {"w1", "w6", "w9"}
    p, v = SPACE.probability, SPACE.target - SPACE.probability @ SPACE.target
    ids = [WORDS.index(word) for word in category]
    centre = p[ids] @ v[ids] / p[ids].sum()
    goal = -(v[4] - centre)
    scores = {
        word: float((v[i] - centre) @ goal / np.linalg.norm(v[i] - centre) / np.linalg.norm(goal))
        for word, i in zip(category, ids, strict=True)
    }
    assert answer.words == tuple(sorted(answer.words, key=lambda word: -scores[word]))
    assert answer.hits[0].score == pytest.approx(scores[answer.words[0]], abs=1e-5)
    everywhere = logic.ask("!w4 @ {w1, w4, w6, w9}", everywhere=True, k=30)
    assert everywhere.among is None
    assert len(everywhere.hits) == SIZE - 1


def test_a_category_is_proposed_and_said():
    answer = LOGICS["first-order"].ask("!w4")
    assert answer.among is not None
    assert answer.among.words[0] == "w4"
    assert len(answer.among.words) == 11
    assert answer.notes[0].startswith("no category was named (@ {...}); proposed: {w4, ")
    both = LOGICS["first-order"].ask("!(w4 | w5)")
    assert both.among.words[:2] == ("w4", "w5")
    assert not {"w4", "w5"} & set(both.words)


def test_named_categories():
    logic = Logic(SPACE, categories={"family": ["w1", "w2", "w3", "unknown"]})
    answer = logic.ask("!w1 @ family")
    assert set(answer.words) == {"w2", "w3"}
    assert answer.notes == ("not in the space, and left out of named family: unknown",)
    with pytest.raises(AndornotError, match=r"unknown category 'famly'; did you mean family\?"):
        logic.ask("!w1 @ famly")


def test_pmi_is_the_product_with_the_contexts():
    logic = LOGICS["first-order"]
    centred = postprocess(SPACE, "frequency")
    answer = logic.ask("w1 & w5", measure="pmi", k=3)
    scores = centred.context @ (centred.vector("w1") + centred.vector("w5"))
    order = [i for i in np.argsort(-scores) if i not in (1, 5)][:3]
    assert answer.words == tuple(WORDS[i] for i in order)
    assert answer.hits[0].score == pytest.approx(scores[order[0]], abs=1e-4)


def test_operands_can_be_kept():
    assert "w1" not in LOGICS["first-order"].ask("w1", k=SIZE).words
    assert LOGICS["first-order"].ask("w1", k=1, keep_operands=True).words == ("w1",)


# --- what is refused ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("query", "part"),
    [
        ("!w1 @ {w2, w3}", "'w1' is not in {w2, w3}"),
        ("w1 @ {w1}", "a category of 1 word "),
        ("!(w1 | w2) @ {w1, w2}", "nothing of {w1, w2} is left"),
        ("!(w1 & w2) @ {w1, w2, w3}", "NOT takes a word"),
        ("!(w1 & w2)", "NOT takes a word"),
        ("w1 @ nowhere", "unknown category 'nowhere'"),
        ("0*w1 | 0*w2", "add up to zero"),
    ],
)
@every_logic
def test_what_makes_no_sense(logic, query, part):
    with pytest.raises(AndornotError) as caught:
        logic.ask(query)
    assert part in str(caught.value)
    assert "\n" not in str(caught.value)


def test_an_unknown_word_has_suggestions():
    with pytest.raises(UnknownWordError, match="did you mean"):
        LOGICS["first-order"].ask("w1 & w100")
    with pytest.raises(UnknownWordError):
        LOGICS["first-order"]["w100"]


def test_vectors_of_zero_have_no_direction():
    flat = Space(SPACE.vocabulary, np.ones((SIZE, DIM)))
    with pytest.raises(AndornotError, match="no direction"):
        Logic(flat).ask("w1 & w2")


def test_what_cancels_has_no_direction():
    logic = LOGICS["first-order"]
    for query in (
        "(w1 | w2 | w3) @ {w3, w1, w2}",
        "(!w1 @ {w1, w2, w3}) | (!w2 @ {w3, w2, w1})",
        " | ".join(WORDS),
    ):
        with pytest.raises(AndornotError, match="no direction"):
            logic.ask(query, keep_operands=True)
    assert explain(logic.concept("(w1 | w2) @ {w1, w2}")).cosine is None


def test_one_bad_query_spoils_no_other():
    good, bad, other = LOGICS["exact"].answer_all(["w1 & w2", "w1 &", "!w1 @ {w1, w2}"])
    assert good.words
    assert "missing" in str(bad)
    assert other.words == ("w2",)
    with pytest.raises(AndornotError, match="missing"):
        LOGICS["exact"].ask_many(["w1", "w1 &"])
    with pytest.raises(AndornotError, match="k must be at least 1, got 0"):
        LOGICS["exact"].ask("!w1 @ {w1, w2}", k=0)


def test_outside_of_its_category_a_concept_is_final():
    outside = (~LOGICS["first-order"]["w1"].given(["w1", "w2", "w3"])).in_global_frame
    with pytest.raises(AndornotError, match="combine first"):
        outside & LOGICS["first-order"]["w2"]
    found = explain(outside)
    p = SPACE.probability
    assert found.probability == pytest.approx(p[2] + p[3])
    assert found.parts[0].kind == "lift"
    assert "v = v(!w1 @ A) + v(A)" in found.text()


def test_exact_needs_contexts_and_trained_vectors():
    bare = Space(SPACE.vocabulary, SPACE.target)
    with pytest.raises(AndornotError, match="context vectors"):
        Logic(bare, exact=True)
    whitened = postprocess(SPACE, "zipfian-whitening")
    with pytest.raises(AndornotError, match="as they were trained"):
        Logic(whitened, postprocess="zipfian-whitening", exact=True)
    with pytest.raises(AndornotError, match="has had zipfian-whitening already"):
        Logic(whitened, postprocess="frequency")


def test_concepts_of_different_logics_do_not_mix():
    with pytest.raises(AndornotError, match="same logic"):
        LOGICS["first-order"]["w1"] & LOGICS["exact"]["w1"]
    with pytest.raises(AndornotError, match="weight belongs"):
        (0.5 * LOGICS["first-order"]["w1"]) & LOGICS["first-order"]["w2"]
    with pytest.raises(AndornotError, match="a weight must be a number of at least 0"):
        -1 * LOGICS["first-order"]["w1"]
    with pytest.raises(AndornotError, match="needs word frequencies"):
        Logic(Space(Vocabulary(["a", "b"]), np.eye(2)), postprocess="frequency")


def test_without_frequencies():
    bare = Space(Vocabulary(["a", "b", "c"]), np.array([[1.0, 0.2], [0.3, 1.0], [-1.0, 0.1]]))
    logic = Logic(bare, postprocess="uniform", weights="uniform")
    centred = bare.target - bare.target.mean(0)
    either = logic.concept("a | b")
    np.testing.assert_allclose(either.vector, centred[:2].mean(0), atol=1e-6)
    for query in ("a", "a & b", "a | b", "(a & b) | c", "!a @ {a, b}", "(a & b) @ {b, c}"):
        concept = logic.concept(query)
        assert np.isnan(concept.probability)
        assert np.isfinite(concept.vector).all()
        found = explain(concept)
        assert "p = unknown" in found.text()
        assert found.to_dict()["probability"] is None
    assert logic.ask("!a @ {a, b, c}").words
    weighing = Logic(bare, postprocess="none", weights="frequency")
    assert weighing.ask("a & b").words == ("c",)
    for query in ("a | b", "(a & b) | c", "!a @ {a, b}"):
        with pytest.raises(AndornotError, match="weighing by frequency needs word frequencies"):
            weighing.ask(query)


def test_uniform_weights_need_no_frequency():
    words = Vocabulary(["a", "b", "c"]).with_counts({"a": 0, "b": 0, "c": 5})
    logic = Logic(Space(words, np.eye(3)), weights="uniform", postprocess="none")
    answer = logic.ask("!a @ {a, b}")
    assert answer.words == ("b",)
    assert np.isnan(answer.concept.probability)


def test_not_says_where_one_word_is_nearly_all_that_is_left():
    counts = {"rare": 1, "common": 1000, "other": 2, "last": 3}
    words = Vocabulary(list(counts)).with_counts(counts)
    logic = Logic(Space(words, np.random.default_rng(0).normal(size=(4, 3))))
    answer = logic.ask("!rare @ {rare, common, other, last}")
    assert "common is 100% of what is left of the category" in answer.notes[0]
    assert logic.ask("!common @ {rare, common, other}").notes == ()
    assert logic.ask("!rare @ {rare, common}").notes == ()  # there is no other


def test_formulas_made_in_python_are_not_too_deep():
    logic = LOGICS["first-order"]
    deep = Term("w1")
    for _ in range(200):
        deep = Not(deep)
    with pytest.raises(AndornotError, match="nested more than 200 deep"):
        logic.concept(deep)
    nested = logic["w1"]
    for number in range(60):
        nested = (nested | logic[f"w{number % 20}"]) & logic["w2"]
    assert np.isfinite(nested.vector).all()


def test_two_negations_are_refused_like_one():
    with pytest.raises(AndornotError, match="NOT takes a word"):
        LOGICS["first-order"].ask("!!(w1 & w2)")
    same(LOGICS["first-order"].concept("!!w1"), LOGICS["first-order"].concept("!(!w1)"))
    assert "w1" in LOGICS["first-order"].concept("!!w1").frame.words


def test_order_of_operands_never_matters_to_answers():
    logic = LOGICS["exact"]
    answers = {
        logic.ask(" | ".join(words), k=5).words for words in permutations(["w1", "w2", "w3"])
    }
    assert len(answers) == 1


def test_the_example(example):
    space = andornot.load(example).with_counts(example.with_suffix(".counts"))
    assert Logic(space).ask("royal & woman", k=1).words == ("queen",)


# --- what a user may do with it ----------------------------------------------------------------


@every_logic
def test_nobody_changes_a_logic_through_its_vectors(logic):
    before = logic.ask("w1 & w2").words
    with pytest.raises(ValueError, match="read-only"):
        logic["w1"].vector[:] = 0
    with pytest.raises(ValueError, match="read-only"):
        logic.concept("w1 @ {w1, w2}").computed.origin[:] = 0
    assert logic.ask("w1 & w2").words == before


def test_a_proposed_category_is_one_to_be_given():
    logic = LOGICS["first-order"]
    proposed = logic.propose_category("w3")
    assert len(proposed) == 11
    assert "w3" in proposed
    same(~logic["w3"].given(proposed), logic.concept("!w3"))
    with pytest.raises(AndornotError, match="proposed for a word"):
        logic.propose_category([])


def test_the_words_to_be_ranked():
    logic = Logic(SPACE, categories={"few": ["w4", "w5", "w6"]})
    everything = logic.ask("w1 & w2", k=SIZE)
    for among in (["w4", "w6", "w5"], "few"):
        answer = logic.ask("w1 & w2", among=among)
        assert list(answer.words) == [w for w in everything.words if w in ("w4", "w5", "w6")]
    inside = logic.ask("!w1 @ {w1, w2, w3}", among=["w7", "w8", "w9"])
    v_a = logic.concept("w1 | w2 | w3").vector
    goal = logic.concept("!w1 @ {w1, w2, w3}").vector

    def angle(word):
        row = logic[word].vector - v_a
        return row @ goal / np.linalg.norm(row) / np.linalg.norm(goal)

    for hit in inside.hits:
        assert hit.score == pytest.approx(angle(hit.word), abs=1e-5)
    scores = [hit.score for hit in inside.hits]
    assert scores == sorted(scores, reverse=True)
    assert logic.ask("w1", among="w4").words == ("w4",)
    with pytest.raises(UnknownWordError):
        logic.ask("w1", among=["nothing"])
    with pytest.raises(AndornotError, match="no words to be ranked"):
        logic.ask("w1", among=[])


def test_an_answer_without_words_says_why():
    answer = LOGICS["first-order"].ask("w1 @ {w1, w2} & w2 @ {w1, w2}")
    assert answer.words == ()
    assert "no word is left to be found" in answer.notes[-1]


def test_weights_of_equal_operands_add_up_and_may_be_huge():
    logic = LOGICS["first-order"]
    same(logic.concept("1*w1 | 1*w1 | 2*w2"), logic.concept("1*w1 | 1*w2"))
    same(logic.concept("1e308*w1 | 1e308*w2"), logic.concept("1*w1 | 1*w2"))
    same(logic.concept("1e308*w1 | 1e308*w1 | 1e308*w2"), logic.concept("2*w1 | 1*w2"))


def test_weighted_unions_within_a_category():
    logic = LOGICS["first-order"]
    left = logic.concept("(1*w1 | 3*w2) @ {w1, w2, w3}")
    right = logic.concept("1*(w1 @ {w1, w2, w3}) | 3*(w2 @ {w1, w2, w3})")
    same(left, right)
    assert left.is_bound is right.is_bound is False
    same(left | left, left)
    inside = "{w1, w2, w3}"
    one, other = (
        logic.concept(f"({a}*w1 | {b}*w2) @ {inside} | w5") for a, b in ((0.9, 0.1), (0.1, 0.9))
    )
    assert np.linalg.norm(one.vector - other.vector) > 0.1
    assert one.probability == pytest.approx(other.probability)
    for query in ("!(1*w1 | 3*w2) @ {w1, w2, w3}", "!(1*(w1 @ {w1, w2}) | 3*(w2 @ {w1, w2}))"):
        with pytest.raises(AndornotError, match="can't have weights"):
            logic.ask(query)


def test_probabilities_of_composites_are_bounds():
    logic = LOGICS["first-order"]
    assert logic.concept("(w1 & w2) | w3").is_bound
    assert logic.concept("((w1 & w2) | w3) & w4").is_bound
    assert not logic.concept("w1 & w4").is_bound


def test_something_is_seen_within_one_category():
    with pytest.raises(AndornotError, match="within one category"):
        LOGICS["first-order"].ask("(w1 @ {w1, w2} | w2 @ {w1, w2}) @ {w1, w3}")
    outside = LOGICS["first-order"].concept("w1 @ {w1, w2}").in_global_frame
    with pytest.raises(AndornotError, match="combine first"):
        LOGICS["first-order"]["w1"] | outside


def test_weights_multiply():
    a, b = LOGICS["first-order"]["w1"], LOGICS["first-order"]["w2"]
    assert (2 * (3 * a)).weight == 6.0
    assert str((2 * (3 * a) | 1 * b).formula) == "6*w1 | 1*w2"


def test_the_same_query_has_the_same_vector_again():
    logic = Logic(SPACE)
    before = {(a, b): logic.concept(f"{a} | {b}").vector for a in WORDS[:9] for b in WORDS[9:18]}
    for (a, b), vector in before.items():
        np.testing.assert_array_equal(logic.concept(f"{a} | {b}").vector, vector)


@pytest.mark.parametrize(
    ("make", "problem"),
    [
        (
            lambda: Or((Term("w1"), Term("w2")), (-1.0, 2.0)),
            "a weight must be a number of at least 0",
        ),
        (
            lambda: Or((Term("w1"), Term("w2")), (np.nan, 2.0)),
            "a weight must be a number of at least 0",
        ),
        (lambda: Or((Term("w1"), Term("w2")), (0.0, 0.0)), "add up to zero"),
        (lambda: Or((Term("w1"), Term("w2")), (1.0,)), "have a weight, or none"),
        (lambda: Or(()), "an OR needs at least one"),
        (lambda: And(()), "an AND needs at least one"),
        (lambda: LOGICS["first-order"].ask(None), "a query is a text"),
        (lambda: LOGICS["first-order"].ask_many("w1"), "several queries are a list"),
        (lambda: LOGICS["first-order"].ask("w1", k=1.5), "k must be a whole number"),
        (lambda: LOGICS["first-order"].ask("!w1 @ {w1, w2}", k="2"), "k must be a whole number"),
        (lambda: LOGICS["first-order"].ask("!w1 @ {w1, w2}", k=0), "k must be at least 1"),
        (lambda: LOGICS["first-order"]["w1"] and LOGICS["first-order"]["w2"], "not by `and`"),
        (lambda: not LOGICS["first-order"]["w1"], "not by `and`"),
        (lambda: "x" * LOGICS["first-order"]["w1"], "a weight must be a number of at least 0"),
        (lambda: LOGICS["first-order"]["w1"] * LOGICS["first-order"]["w2"], "a weight must be"),
        (lambda: LOGICS["first-order"]["w1"].given(None), "a category is the name of one"),
        (lambda: LOGICS["first-order"]["w1"].given(["w1", 3]), "words of a category are texts"),
        (lambda: LOGICS["first-order"]["w1"].given([]), "a category without words"),
        (lambda: LOGICS["first-order"]["w1"].given(""), "a category without words"),
        (lambda: LOGICS["first-order"].ask(0.5 * LOGICS["first-order"]["w1"]), "weight belongs"),
        (lambda: Logic("x.safetensors"), "a logic is over a Space"),
        (lambda: Logic(SPACE, categories={"few": 3}), "must be a list of words"),
        (lambda: LOGICS["first-order"].ask(LOGICS["exact"]["w1"]), "logic that it belongs to"),
        (lambda: Logic(SPACE, categories={"few": "w1"}), "must be a list of words"),
        (
            lambda: Logic(SPACE, categories={"few": ["w1", "x", "y"]}).ask("w1 @ few"),
            "'few' has 1 words of the vocabulary, and needs two; not in the space: x, y",
        ),
    ],
)
def test_misuse_is_said_in_one_line(make, problem):
    with pytest.raises(AndornotError, match=problem) as error:
        make()
    assert "\n" not in str(error.value)


def test_the_exact_mode_remembers_its_latest_unions(monkeypatch):
    logic = Logic(SPACE, exact=True)
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
    monkeypatch.setattr("andornot.algebra.compute._REMEMBERED_BYTES", 3 * SIZE * 8)
    logic.concept("w5 | w6").vector  # noqa: B018
    assert len(arithmetic._remembered) == 3


def test_threads_share_what_the_exact_mode_remembers():
    logic = Logic(SPACE, exact=True)
    queries = [f"!w{i % 5} @ {{w{i % 5}, w5, w{6 + i % 15}}}" for i in range(300)]
    alone = [Logic(SPACE, exact=True).concept(query).vector for query in queries]
    with ThreadPoolExecutor(8) as pool:
        together = list(pool.map(lambda query: logic.concept(query).vector, queries))
    np.testing.assert_array_equal(together, alone)


def test_words_of_any_case_are_found_where_the_tokenizer_lowers_them(monkeypatch):
    def pieces_of(space, word):
        if word in space.vocabulary:
            return None
        return (word.lower(),) if word.lower() in space.vocabulary else ("w1", "w2")

    monkeypatch.setattr(Space, "pieces_of", pieces_of)
    logic = Logic(SPACE, categories={"few": ["W1", "w2", "W3", "several pieces"]})
    expected = logic.ask("!w1 @ {w1, w2, w3}").words
    assert logic.ask("!w1 @ {W1, w2, W3}").words == expected
    named = logic.ask("!w1 @ few")
    assert named.words == expected
    assert named.notes == ("not in the space, and left out of named few: several pieces",)
    assert logic.ask("w5", among=["W1", "W2"]).words == logic.ask("w5", among=["w1", "w2"]).words
    assert logic.propose_category("W3") == logic.propose_category("w3")
    with pytest.raises(AndornotError, match="'x' is cut into w1 w2"):
        logic.ask("!w1 @ {w1, x}")


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"k": 0}, "k must be at least 1"),
        ({"measure": "dot"}, "unknown measure 'dot'; choose one of cosine, pmi"),
        ({"among": 5}, "among must be a list of words"),
        ({"among": ["w1", "nothing"]}, "nothing"),
    ],
)
def test_options_are_checked_before_anything_is_computed(monkeypatch, options, problem):
    monkeypatch.setattr(Logic, "resolve", None)
    with pytest.raises(AndornotError, match=problem):
        LOGICS["first-order"].ask("w1 | w2", **options)


def test_an_exact_or_of_many_words_computes_one_row(monkeypatch):
    logic = Logic(SPACE, exact=True)
    calls = []
    mix = logic.arithmetic.mix_words
    monkeypatch.setattr(
        logic.arithmetic, "mix_words", lambda ids, w: calls.append(len(ids)) or mix(ids, w)
    )
    assert np.isfinite(logic.concept(" | ".join(WORDS[:20])).vector).all()
    assert calls == [20]
