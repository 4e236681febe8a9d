"""Explanations: every number in them is the one that was computed with."""

import io
import json
import re

import numpy as np
import pytest
from errors import assert_names
from hypothesis import given, settings
from hypothesis import strategies as st
from planted import LOGICS, SPACE, PaperLogic
from rich.console import Console
from scipy.sparse import csr_matrix

from andornot import Logic, Space, Vocabulary
from andornot.algebra import explain
from andornot.algebra.compute import row_of
from andornot.base.errors import AndornotError
from andornot.cooccurrence import Cooccurrence
from andornot.cooccurrence.row_blocks import ArrayEntries
from andornot.postprocessing import postprocess


def test_explanations_carry_the_numbers():
    logic = LOGICS["first-order"]
    found = explain(logic.concept("w1 & (w2 | w3)"))
    p = SPACE.probability
    by_formula = {part.formula: part for part in found.parts}
    assert by_formula["w2"].weight == pytest.approx(p[2] / (p[2] + p[3]))
    assert by_formula["w2 | w3"].probability == pytest.approx(p[2] + p[3])
    assert found.probability == pytest.approx(p[1] * (p[2] + p[3]))
    assert found.residual > 0
    exact = LOGICS["exact"].concept("w1 & (w2 | w3)").vector
    first = logic.concept("w1 & (w2 | w3)").vector
    assert found.cosine == pytest.approx(
        exact @ first / np.linalg.norm(exact) / np.linalg.norm(first), abs=1e-5
    )
    rms = np.sqrt(p @ (SPACE.context @ (exact - first)) ** 2)
    assert found.rms == pytest.approx(rms, rel=1e-3)
    assert "weight" in found.text()
    negated = explain(logic.concept("!w1 @ {w1, w2, w3}"))
    (category,) = negated.categories
    assert category.words == ("w1", "w2", "w3")
    assert category.probability == pytest.approx(p[1:4].sum())
    assert category.weights == pytest.approx(p[1:4] / p[1:4].sum())
    pi = p[1] / p[1:4].sum()
    assert f"v = -{pi / (1 - pi):.3g} (v(w1) - v(A))" in negated.text()
    assert f"p = 1 - p(w1) / p(A) = 1 - {p[1]:.3g} / {p[1:4].sum():.3g} = {1 - pi:.3g}" in (
        negated.text()
    )
    assert "written out" in negated.text()


@pytest.mark.parametrize("logic", ["first-order", "exact", "uniform-weights"])
@pytest.mark.parametrize(
    ("query", "vector", "exact"),
    [
        ("w5 @ {w5, w6}", "v(w5) - v(A)", "t(w5) - t(A)"),
        ("!(!w5 @ {w5, w6, w7})", "v(w5) - v(A)", "t(w5) - t(A)"),
        ("(w1 & w2) @ {w5, w6}", "v(w1 & w2) - v(A)", "t(w1 & w2) - t(A)"),
        (
            "w1 & !w5 @ {w5, w6}",
            "v(w1) + [v(!w5 @ A) + v(A)]",
            "t(w1) + [t(!w5 @ A) + t(A)] - t(PMI = 0)",
        ),
        ("w1 & w2 & w3", "v(w1) + v(w2) + v(w3)", "t(w1) + t(w2) + t(w3) - 2 t(PMI = 0)"),
        ("1*w1 | 3*w2", "0.25 v(w1) + 0.75 v(w2)", "log(0.25 exp t(w1) + 0.75 exp t(w2))"),
    ],
)
def test_every_operation_is_written_out(logic, query, vector, exact):
    found = explain(LOGICS[logic].concept(query))
    assert found.parts[0].vector == (exact if logic == "exact" else vector)
    lines = found.text(60).splitlines()
    assert max(map(len, lines)) <= 60
    assert found.categories == () or found.categories[0].name == "A"


def test_uniform_weights_are_those_of_the_numbers():
    logic = LOGICS["uniform-weights"]
    found = explain(logic.concept("!w1 @ {w1, w2, w3}"))
    assert found.categories[0].weights == pytest.approx([1 / 3] * 3)
    assert "v = -0.5 (v(w1) - v(A))" in found.text()
    v = SPACE.target - SPACE.target.mean(0)
    expected = -0.5 * (v[1] - v[1:4].mean(0))
    np.testing.assert_allclose(logic.concept("!w1 @ {w1, w2, w3}").vector, expected, atol=1e-6)


def test_an_explanation_as_a_table():
    console = Console(width=80, file=io.StringIO())
    console.print(explain(LOGICS["first-order"].concept("!w1 @ {w1, w2, w3} & (w4 | w5)")))
    shown = console.file.getvalue()
    for part in ("!w1 @ A & (w4 | w5)", "weight", "A: written out", "residual", "validity"):
        assert part in shown
    assert max(map(len, shown.splitlines())) <= 80


def counted():
    """Counts N(w,c) = N p(w) p(c) exp(PMI), and a space of full dimension that has this PMI."""
    rng = np.random.default_rng(5)
    table = rng.gamma(2.0, size=(8, 8))
    table = ((table + table.T) * 1000).astype(np.float32)
    table[0, 3] = table[3, 0] = 0  # a pair that was never met
    p = table.sum(1, dtype=np.float64) / table.sum(dtype=np.float64)
    words = Vocabulary([f"w{i}" for i in range(8)]).with_counts(
        {f"w{i}": 1000 * p[i] for i in range(8)}
    )
    sparse = csr_matrix(table)
    counts = Cooccurrence(
        words,
        sparse.indptr.astype(np.int64),
        ArrayEntries(sparse.indices, sparse.data),
        table.sum(1, dtype=np.float64),
        {},
    )
    with np.errstate(divide="ignore"):
        pmi = np.log(table / table.sum(dtype=np.float64) / np.outer(p, p))
    pmi[~np.isfinite(pmi)] = 0
    return counts, Space(words, pmi, np.eye(8)), pmi, p


def test_measured_pmi_against_counts():
    counts, space, pmi, p = counted()
    logic = PaperLogic(space, postprocess="none", exact=True)
    word = explain(logic.concept("w1"), counts).measured
    assert word.rms == pytest.approx(0, abs=1e-5)
    assert word.share == pytest.approx(1)
    other = explain(logic.concept("w0"), counts).measured
    assert other.share == pytest.approx(1 - p[3])
    # an OR and a NOT in exact mode have the PMI of counts that were added up
    for query in ("w1 | w2", "!w1 @ {w1, w2, w4}", "w2 @ {w1, w2}"):
        assert explain(logic.concept(query), counts).measured.rms == pytest.approx(0, abs=1e-4)
    first = explain(PaperLogic(space, postprocess="none").concept("w1 | w2"), counts).measured
    mixed = np.log((p[1] * np.exp(pmi[1]) + p[2] * np.exp(pmi[2])) / (p[1] + p[2]))
    linear = (p[1] * pmi[1] + p[2] * pmi[2]) / (p[1] + p[2])
    assert first.rms == pytest.approx(np.sqrt(p @ (linear - mixed) ** 2), rel=1e-4)
    for query in ("w1 & w2", "1*w1 | 2*w2"):
        assert_names(explain(logic.concept(query), counts).measured, "words", "unions")
    assert f"{other.share:.0%}" in explain(logic.concept("w0"), counts).text()


def test_explanations_show_the_weights_that_were_used():
    logic = LOGICS["first-order"]
    p = SPACE.probability
    parts = explain(logic.concept("w1 | w1 | w5")).parts
    assert [part.formula for part in parts[1:]] == ["w1", "w5"]
    assert parts[1].weight == pytest.approx(p[1] / (p[1] + p[5]))
    parts = explain(logic.concept("(!w1 @ {w1, w2}) | (w5 & w6)")).parts
    assert parts[1].weight == pytest.approx(p[2] / (p[2] + p[5] * p[6]))


@pytest.mark.parametrize("method", ["uniform", "frequency", "all-but-the-top"])
def test_validity_under_every_post_processing(method):
    plain, exact = (PaperLogic(SPACE, postprocess=method, exact=way) for way in (False, True))
    query = "w1 | w4 | w9"
    found = explain(plain.concept(query))
    left, right = exact.concept(query).vector, plain.concept(query).vector
    lengths = np.linalg.norm(left) * np.linalg.norm(right)
    assert found.cosine == pytest.approx(left @ right / lengths, abs=1e-5)
    assert found.rms == pytest.approx(explain(LOGICS["first-order"].concept(query)).rms, rel=1e-3)


def test_explanations_say_where_there_is_nothing_to_say():
    without_shift = Space(SPACE.vocabulary, SPACE.target, SPACE.context)
    found = explain(PaperLogic(without_shift).concept("w1 & w2"))
    assert found.residual is found.cosine is found.rms is found.correction is None
    assert found.text().count("not applicable") == 2
    assert explain(LOGICS["first-order"].concept("w1")).residual is None
    bare = Space(SPACE.vocabulary, SPACE.target)
    assert explain(PaperLogic(bare).concept("w1 | w2")).cosine is None
    assert found.to_dict()["formula"] == "w1 & w2"


# --- the numbers give the vector ---------------------------------------------------------------

FEW = [f"w{i}" for i in range(1, 9)]
sets = st.lists(st.sampled_from(FEW), min_size=2, max_size=4, unique=True)


@st.composite
def within(draw):
    """Something seen within a category."""
    members = draw(sets)
    some = draw(st.lists(st.sampled_from(members), min_size=1, max_size=len(members) - 1))
    sign = draw(st.sampled_from(["", "!", "!!"]))
    return f"{sign}({' | '.join(some)}) @ {{{', '.join(members)}}}"


weights = st.sampled_from([0.5, 1, 3])


@st.composite
def weighted_within(draw):
    """Words with weights, seen within a category."""
    members = draw(sets)
    a, b = draw(weights), draw(weights)
    return f"({a}*{members[0]} | {b}*{members[1]}) @ {{{', '.join(members)}}}"


leaves = st.sampled_from(FEW) | within() | weighted_within()
queries = st.recursive(
    leaves,
    lambda inner: st.one_of(
        st.tuples(inner, inner).map(lambda two: f"({two[0]} & {two[1]})"),
        st.lists(inner, min_size=2, max_size=3).map(lambda some: f"({' | '.join(some)})"),
        st.tuples(weights, inner, weights, inner).map(
            lambda four: "({}*({}) | {}*({}))".format(*four)
        ),
    ),
    max_leaves=4,
)


def row_of_concept(concept):
    """The vector of a concept, or in exact mode its scores."""
    return row_of(concept.node, concept.logic.arithmetic)


def rows_of(part, logic, categories):
    """An equation with a name for each v(...) or t(...), and the rows of the names."""
    text, rows, insides = part.vector, {}, []
    while found := re.search(rf"\b{part.symbol}\(", text):
        depth, end = 1, found.end()
        while depth:
            depth += {"(": 1, ")": -1}.get(text[end], 0)
            end += 1
        inside = text[found.end() : end - 1]
        name = f"_{len(rows)}"
        if inside == "PMI = 0":
            rows[name] = logic.arithmetic.zero
        else:
            insides.append(inside)
            rows[name] = row_of_concept(logic.concept(written_out(inside, categories)))
        text = f"{text[: found.start()]} {name} {text[end:]}"
    text = re.sub(r"exp\s+(_\d+|\(.*?\))", r"exp(\1)", text.replace("[", "(").replace("]", ")"))
    return re.sub(r"(\d|\))\s+(_|\(|exp)", r"\1 * \2", text), rows, insides


def written_out(formula, categories):
    """A formula with the words of its categories."""
    letter, _, left_out = formula.partition(" without ")
    if letter in categories:
        words = [word for word in categories[letter] if word not in left_out.split(" | ")]
        return " | ".join(words)
    for letter, words in categories.items():
        formula = re.sub(rf"@ {letter}\b", f"@ {{{', '.join(words)}}}", formula)
    return formula


@settings(deadline=None, max_examples=100)
@given(
    query=queries,
    kind=st.sampled_from(["first-order", "uniform-weights", "exact", "exact-glove"]),
)
def test_every_equation_gives_the_vector_and_the_probability(query, kind):
    logic = LOGICS[kind]
    try:
        concept = logic.concept(query)
        concept.node  # noqa: B018 - it may be refused
    except AndornotError as error:
        assert "weight" in str(error) or "one category" in str(error)
        return
    found = explain(concept)
    categories = {group.name: group.words for group in found.categories}
    for number, part in enumerate(found.parts):
        expected = logic.concept(written_out(part.formula, categories))
        if part.kind == "lift":
            expected = expected.in_global_frame
        text, rows, insides = rows_of(part, logic, categories)
        computed = eval(text, {"log": np.log, "exp": np.exp}, rows)
        size = max(np.linalg.norm(row) for row in rows.values())
        np.testing.assert_allclose(computed, row_of_concept(expected), atol=0.02 * size)
        below = {other.formula for other in found.parts[number + 1 :]}
        for inside in insides if part.kind != "word" else ():  # every step is written out
            assert not set("&|!@") & set(inside.partition(" without ")[0]) or inside in below
        assert part.probability == pytest.approx(expected.probability)
        *ways, last = part.probability_formula.removesuffix(", capped at 1").split(" = ")
        for way in ways:
            if "p(" not in way:
                assert eval(way.replace(" x ", "*")) == pytest.approx(
                    float(last), rel=0.02, abs=0.01
                )
        assert min(1, float(last)) == pytest.approx(part.probability, rel=0.01)
        assert part.sign == ("<=" if expected.is_bound else "=")
        assert part.symbol == ("t" if logic.exact else "v")
        inside = None if expected.frame is None else set(expected.frame.words)
        assert (None if part.category is None else set(categories[part.category])) == inside
        assert part.origin == (None if inside is None else "written out")


def test_operands_that_overlap_count_once():
    logic = LOGICS["first-order"]
    p = SPACE.probability
    inside = "{w1, w2, w3}"
    found = explain(logic.concept(f"(!w1 @ {inside}) | (w2 @ {inside})"))
    assert found.parts[0].vector == "v(w2 | w3) - v(A)"
    assert found.probability == pytest.approx((p[2] + p[3]) / p[1:4].sum())
    assert all(part.weight is None for part in found.parts)
    whole = logic.concept(f"(!w1 @ {inside}) | (!w2 @ {inside})")
    assert whole.probability == 1
    assert not whole.vector.any()


def test_bounds_are_said():
    found = explain(LOGICS["first-order"].concept("(w1 | w20) @ {w1, w2}"))
    p = SPACE.probability
    assert found.is_bound
    assert found.probability == pytest.approx(min(1, (p[1] + p[20]) / (p[1] + p[2])))
    assert "p <= p(w1 | w20) / p(A) = " in found.text()
    found = explain(LOGICS["first-order"].concept("(w1 | w2 | w3 | w4) @ {w1, w5}"))
    assert found.probability == 1
    assert "capped at 1" in found.text()
    assert "<= " in explain(LOGICS["first-order"].concept("(w1 & w2) | w3")).text()


def test_where_the_exact_mode_cannot_be_built_the_rest_is_explained():
    whitened = PaperLogic(postprocess(SPACE, "zipfian-whitening"), postprocess="none")
    found = explain(whitened.concept("w1 | w2"))
    assert_names(found.inapplicable, "exact", "zipfian-whitening")
    assert "not applicable: the exact mode" in found.text()
    bare = Space(Vocabulary(list(SPACE.words)), SPACE.target, SPACE.context)
    found = explain(Logic(bare, postprocess="uniform", weights="uniform").concept("w1 | w2"))
    assert_names(found.inapplicable, "frequencies", "with_counts")
    json.dumps(found.to_dict(), allow_nan=False)


def test_what_is_ranked_everywhere_is_what_is_explained():
    logic = LOGICS["first-order"]
    p = SPACE.probability
    for options in ({"everywhere": True}, {"measure": "pmi"}):
        answer = logic.ask("!w1 @ {w1, w2, w3}", **options)
        assert answer.concept.frame is None
        assert answer.concept.probability == pytest.approx(p[2] + p[3])
        found = explain(answer.concept)
        assert [part.kind for part in found.parts] == ["lift", "NOT"]
        assert found.parts[0].vector == "v(!w1 @ A) + v(A)"
        assert found.parts[0].probability == pytest.approx(p[2] + p[3])
        assert found.parts[1].probability == pytest.approx((p[2] + p[3]) / p[1:4].sum())
    exact = LOGICS["exact"].concept("!w1 @ {w1, w2, w3}").in_global_frame
    first = logic.concept("!w1 @ {w1, w2, w3}").in_global_frame
    cosine = exact.vector @ first.vector
    cosine /= np.linalg.norm(exact.vector) * np.linalg.norm(first.vector)
    assert explain(first).cosine == pytest.approx(cosine, abs=1e-5)


def test_long_explanations_stay_readable():
    query = "w1"
    for _ in range(40):
        query = f"({query} | w2) & w3"
    found = explain(LOGICS["first-order"].concept(query))
    lines = found.text().splitlines()
    assert len(lines) < 500
    assert max(map(len, lines)) <= 80
    assert "more, which JSON has" in found.text()
    words = ", ".join(SPACE.words)
    found = explain(LOGICS["first-order"].concept(f"!w1 @ {{{words}}}"))
    assert "v = -" in found.text()


def test_counts_in_another_order_and_words_they_lack():
    counts, space, _, _ = counted()
    order = np.array([5, 2, 7, 0, 1, 6, 3, 4])
    turned = Space(space.vocabulary.take(order), space.target[order], space.context[order])
    for query in ("w1 | w4", "!w1 @ {w1, w2, w4}"):
        plain, other = (
            explain(PaperLogic(each, postprocess="none").concept(query), counts).measured
            for each in (space, turned)
        )
        assert other.rms == pytest.approx(plain.rms, rel=1e-5)
        assert other.share == pytest.approx(plain.share)
    more = Space(
        Vocabulary(["new", *space.words]).with_counts({"new": 5, **dict.fromkeys(space.words, 9)}),
        np.vstack([np.ones(8), space.target]),
        np.vstack([np.ones(8), space.context]),
    )
    found = explain(PaperLogic(more).concept("new | w1"), counts)
    assert_names(found.measured, "counts", "new")
    assert f"not applicable: {found.measured}" in found.text()
