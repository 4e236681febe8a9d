"""An index of the vectors as they were given: its query vector, and the order of its candidates."""

import numpy as np
import pytest
from errors import raises
from planted import LOGICS, SPACE, every_logic

from andornot import Logic, Space
from andornot.base.errors import AndornotError, UnknownWordError, UsageError

WORDS = [f"item {number}" for number in range(2_000)]
RNG = np.random.default_rng(5)
COUNTS = RNG.uniform(1, 9, size=2_000)
LARGE = Space.from_arrays(WORDS, RNG.normal(size=(2_000, 24)) + 0.2, counts=COUNTS)
QUERIES = ['"item 3" & "item 77"', '"item 5" | "item 6" | "item 900"', '"item 1999"']
METHODS = ["none", "uniform", "frequency", "all-but-the-top", "zipfian-whitening"]


@every_logic
@pytest.mark.parametrize("query", ["w1 & w5", "w2 | w3", "w7", "!w3 @ {w3, w4, w5}"])
def test_a_product_with_a_given_row_is_the_cosine_by_its_length(logic, query):
    vector = logic.query_vector(query)
    found = logic.ask(query, k=len(SPACE), everywhere=True, keep_operands=True)
    scores = np.array([dict(found)[word] for word in SPACE.words])
    lengths = np.linalg.norm(logic.target(np.asarray(SPACE.target, float)), axis=1)
    rest = SPACE.target @ vector - scores * lengths
    np.testing.assert_allclose(rest, rest.mean(), atol=1e-4)  # the same constant for each word


@pytest.mark.parametrize("method", METHODS)
def test_an_index_of_inner_products_and_a_new_order(method):
    usearch = pytest.importorskip("usearch.index", reason="needs the extra bench (usearch)")
    logic = Logic(LARGE, postprocess=method)
    index = usearch.Index(ndim=24, metric="ip", dtype="f32")
    index.add(np.arange(len(WORDS)), LARGE.target)
    for query in QUERIES:
        vector = logic.query_vector(query)
        keys = index.search(vector, 200, exact=True).keys.tolist()
        products = LARGE.target @ vector
        assert keys[0] == products.argmax()
        expected = logic.ask(query).words
        ranked = logic.rerank(query, [WORDS[key] for key in keys], k=10)
        kept = [word for word in expected if WORDS.index(word) in keys]
        assert len(kept) >= 9
        assert list(ranked.words)[: len(kept)] == kept


@pytest.mark.parametrize("method", METHODS)
def test_an_index_of_cosines(method):
    faiss = pytest.importorskip("faiss", reason="needs the extra bench (faiss-cpu)")
    logic = Logic(LARGE, postprocess=method)
    rows = np.array(LARGE.target)
    faiss.normalize_L2(rows)
    index = faiss.IndexFlatIP(24)
    index.add(rows)
    vectors = np.stack([logic.query_vector(query) for query in QUERIES])
    _, found = index.search(vectors, 100)
    for query, row in zip(QUERIES, found, strict=True):
        ranked = logic.rerank(query, [WORDS[i] for i in row], k=10)
        shared = set(ranked.words) & set(logic.ask(query).words)
        assert len(shared) >= 9
        if method == "none":  # then the index has the very same order
            assert ranked.words == logic.ask(query).words


def test_all_words_as_candidates_are_the_answer():
    logic = LOGICS["first-order"]
    for query in ("w1 & w5", "!w3 @ {w3, w4, w5}", "w2 | w3"):
        everything = logic.rerank(query, reversed(SPACE.words))
        whole = logic.ask(query, k=len(SPACE), everywhere="@" not in query, among=SPACE.words)
        assert everything.words == whole.words
        assert [h.score for h in everything] == pytest.approx([h.score for h in whole], abs=1e-6)
    assert logic.rerank("w1", ["w2", "w2", "w3"]).words == logic.rerank("w1", ["w3", "w2"]).words


def test_what_is_refused():
    logic = LOGICS["first-order"]
    with raises(UsageError, "names", "at least one"):
        logic.rerank("w1", [])
    with raises(UsageError, "names[1]", "7 (int)"):
        logic.rerank("w1", ["w2", 7])
    with raises(UnknownWordError, "'v2'"):
        logic.rerank("w1", ["w2", "v2"])
    with raises(AndornotError, "zero", "direction"):
        logic.query_vector("w1 - w1")
