"""A query is resolved once: what the nodes say, and how often anything is searched for."""

import asyncio
import dataclasses
import re
import sys

import numpy as np
import pytest
from errors import raises
from planted import LOGICS, SPACE, WORDS, PaperLogic, assert_same_concept, every_logic
from queries import generated

import andornot
from andornot import Logic, Space, Vocabulary
from andornot.algebra import explain, parse
from andornot.algebra.literals import count_searches
from andornot.algebra.nodes import (
    Away,
    Complement,
    Lifted,
    Mix,
    Sum,
    Union,
    Within,
    Word,
    every_node,
    lift,
)
from andornot.algebra.resolve import resolve
from andornot.base.errors import AndornotError
from andornot.search import Search
from andornot.words.counts import Counts, CountsOrigin

LOGIC = LOGICS["first-order"]
QUERIES = generated(300, WORDS[1:9], depth=3)


def resolved(query):
    """The nodes of a query, and the words that a category was proposed for, call by call."""
    proposed = []

    def propose(words):
        proposed.append(list(words))
        return LOGIC.propose_category(words)

    p = SPACE.probability
    node = resolve(parse(query), SPACE.vocabulary, p, "frequency", LOGIC.category, propose)
    return node, proposed


# --- the nodes ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("query", "kinds"),
    [
        ("w1", [Word]),
        ("w1 & w2", [Sum, Word, Word]),
        ("w1 | w2", [Union, Word, Word]),
        ("w1 | w1", [Union, Word]),
        ("1*w1 | 3*w2", [Mix, Word, Word]),
        ("(w1 & w2) | w3", [Mix, Sum, Word, Word, Word]),
        ("w1 @ {w1, w2}", [Within, Word]),
        ("!w1 @ {w1, w2, w3}", [Complement, Union]),
        ("!!w1 @ {w1, w2, w3}", [Within, Union]),
        ("w4 & !w1 @ {w1, w2}", [Sum, Word, Lifted, Complement, Union]),
        ("!w1", [Lifted, Complement, Union]),
        ("w1 & !w2", [Away, Word, Word]),
        ("!w2 & w1 & !(w3 | w4) & !w2", [Away, Word, Word, Word, Word]),
        ("w1 & w2 & !(w3 & w4)", [Away, Sum, Word, Word, Sum, Word, Word]),
        ("w1 & !(w2 | !w3)", [Away, Sum, Word, Word, Word]),
        ("(w1 & !w2) | w3", [Mix, Away, Word, Word, Word]),
        ("w1 | !w2", [Union, Word, Lifted, Complement, Union]),
        ("w1 @ {w1, w2} & !w3", [Away, Lifted, Within, Word, Word]),
        ("w1 @ {w1, w2} & w2 @ {w2, w1}", [Sum, Within, Word, Within, Word]),
        ("w1 @ {w1, w2} | w3 @ {w3, w4}", [Union, Lifted, Within, Word, Lifted, Within, Word]),
    ],
)
def test_the_nodes_of_a_query(query, kinds):
    node, _ = resolved(query)
    assert [type(each) for each in every_node(node)] == kinds


def test_a_node_carries_what_was_decided():
    p = SPACE.probability
    union, _ = resolved("w2 | w5 | w2")
    assert union.ids.tolist() == [2, 5]
    np.testing.assert_array_equal(union.weights, p[[2, 5]])
    assert union.probability == pytest.approx(p[2] + p[5])
    assert union.shares == pytest.approx([p[2] / (p[2] + p[5]), p[5] / (p[2] + p[5])])
    negated, _ = resolved("!w2 @ {w2, w5, w7}")
    assert negated.ids.tolist() == [5, 7]
    assert negated.left_out.ids.tolist() == [2]
    assert negated.share == pytest.approx(p[2] / p[[2, 5, 7]].sum())
    assert negated.category.words == ("w2", "w5", "w7")
    assert negated.frame.probability == pytest.approx(p[[2, 5, 7]].sum())
    lifted = lift(negated)
    assert lifted.frame is None
    assert lifted.probability == pytest.approx(p[[5, 7]].sum())
    bound, _ = resolved("(w1 & w2) | w3")
    assert (bound.is_bound, bound.ids) == (True, None)
    mixed, _ = resolved("(1*w1 | 3*w2) @ {w1, w2, w3}")
    assert (mixed.ids.tolist(), mixed.weights) == ([1, 2], None)
    assert mixed.part.shares.tolist() == [0.25, 0.75]


def test_nodes_are_immutable():
    for query in QUERIES[:60]:
        for node in every_node(resolved(query)[0]):
            with pytest.raises(dataclasses.FrozenInstanceError):
                node.probability = 0.5
            holders = [node] if node.frame is None else [node, node.frame, node.category]
            values = [value for holder in holders for value in vars(holder).values()]
            arrays = [value for value in values if isinstance(value, np.ndarray)]
            assert not any(array.flags.writeable for array in arrays)


def outline(node):
    """A node without its notes, to be compared."""
    ids, weights = (None if each is None else each.tolist() for each in (node.ids, node.weights))
    words = None if node.frame is None else sorted(node.category.words)
    is_union = isinstance(node, Word | Union)  # one word is either
    kind = "union" if is_union else type(node).__name__
    return [kind, str(node.formula), node.probability, ids, weights, words, node.is_bound]


def test_a_resolved_formula_resolves_to_itself_without_a_search():
    for query in QUERIES[::2]:
        for node in every_node(resolved(query)[0]):
            again, proposed = resolved(str(node.formula))
            assert proposed == []
            expected = node.part if isinstance(node, Lifted) else node
            assert outline(again) == outline(expected), query


# --- frequencies and bounds --------------------------------------------------------------------


def test_words_of_frequency_zero():
    counts = Counts(np.array([10.0, 5.0, 0.0, 0.0]), CountsOrigin.FILE, "a test")
    logic = PaperLogic(Space(Vocabulary(["a", "b", "c", "d"], counts), np.eye(4)))
    for query in ("c", "a & c", "c @ {a, c}", "!a @ {a, c, b}", "1*c | 1*a", "1*(c & d) | 1*a"):
        assert logic.concept(query).vector.shape == (4,)
    nothing = logic.concept("!(c | d) @ {a, c, d}")  # what is left is all of it
    np.testing.assert_array_equal(nothing.vector, 0)
    assert "nan" not in explain(nothing).text()
    for query in ("c | d", "c @ {c, d}"):
        with raises(AndornotError, "frequency 0", "weights='uniform'"):
            logic.ask(query)


@pytest.mark.parametrize("exact", [False, True])
def test_not_that_leaves_words_of_frequency_zero(exact):
    counts = Counts(np.array([10.0, 0.0, 5.0]), CountsOrigin.FILE, "a test")
    rows = np.random.default_rng(1).normal(size=(2, 3, 4))
    logic = PaperLogic(Space(Vocabulary(["king", "queen", "man"], counts), *rows), exact=exact)
    negated, man = logic.answer_all(["!king @ {king, queen}", "man"])
    assert negated.words == ("queen",)
    assert man.words
    expected = logic["queen"].vector - logic["king"].vector  # v(A) is v(king)
    np.testing.assert_allclose(negated.concept.vector, expected, atol=1e-5)
    sign = "t(A without king) - t(A)" if exact else "v(queen) - v(A)"
    assert explain(negated).parts[0].vector == sign


def test_uniform_weights_need_no_frequency():
    words = Vocabulary(["a", "b", "c"]).with_counts({"a": 0, "b": 0, "c": 5})
    logic = Logic(Space(words, np.eye(3)), weights="uniform", postprocess="none")
    answer = logic.ask("!a @ {a, b}")
    assert answer.words == ("b",)
    assert np.isnan(answer.concept.probability)


def test_probabilities_of_composites_are_bounds():
    logic = LOGICS["first-order"]
    assert logic.concept("(w1 & w2) | w3").is_bound
    assert logic.concept("((w1 & w2) | w3) & w4").is_bound
    assert not logic.concept("w1 & w4").is_bound


# --- what is refused ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("query", "named"),
    [
        ("!w1 @ {w2, w3}", ["NOT", "'w1'", "{w2, w3}"]),
        ("!(w1 | w2) @ {w1, w2}", ["{w1, w2}", "leave a word out"]),
        ("!(w1 & w2) @ {w1, w2, w3}", ["NOT", "|", "w1 & w2"]),
        ("!(w1 & w2)", ["NOT", "|", "w1 & w2"]),
        ("!!(w1 & w2)", ["NOT", "|", "w1 & w2"]),
        ("(w1 @ {w1, w2} | w2 @ {w1, w2}) @ {w1, w3}", ["one category", "remove"]),
    ],
)
@every_logic
def test_what_makes_no_sense(logic, query, named):
    with raises(AndornotError, *named):
        logic.ask(query)


def test_two_negations_are_those_of_brackets():
    assert_same_concept(LOGIC.concept("!!w1"), LOGIC.concept("!(!w1)"))
    assert_same_concept(LOGIC.concept("!!w1"), LOGIC.concept("w1"))


# --- how often anything is searched for --------------------------------------------------------


def test_a_category_is_proposed_once_per_bare_not():
    several = 0
    for each in QUERIES:
        assert len(resolved(each)[1]) <= count_searches(parse(each)) <= each.count("!")
        if "*" in each:  # a weighted OR can't be nested
            continue
        query = each.replace("&", "|")  # in an AND a NOT needs no category
        _, proposed = resolved(query)
        bare = re.findall(r"!(w\d)", query)  # every other NOT is !(...) @ {...}
        if len(set(bare)) == len(bare):  # equal operands of an OR are one
            assert sorted(proposed) == sorted([word] for word in bare), query
            several += len(bare) > 1
    assert several > 20
    assert resolved("!w1 | !w1")[1] == [["w1"]]
    assert resolved("!!w1")[1] == []
    assert resolved("!!!w1")[1] == [["w1"]]
    assert resolved("!w1 & !w2")[1] == [["w1", "w2"]]
    assert resolved("w1 & !w2 & !(w3 | w4)")[1] == []
    assert resolved("w1 & (w2 | !w3)")[1] == [["w3"]]
    assert resolved("!(!w1 | w2)")[1] == [["w1", "w2"]]


@pytest.fixture
def counted(monkeypatch):
    """How often categories were proposed, the rows searched, and queries parsed and resolved."""
    calls = {}

    def count(owner, name, label):
        original = getattr(owner, name)

        def counting(*args, **kwargs):
            calls[label] = calls.get(label, 0) + 1
            return original(*args, **kwargs)

        monkeypatch.setattr(owner, name, counting)

    count(Logic, "propose_category", "proposals")
    count(Search, "nearest", "searches")
    count(Logic, "resolve", "resolutions")
    count(sys.modules["andornot.algebra.logic"], "parse", "parses")
    return calls


@pytest.mark.parametrize("exact", [False, True])
def test_two_bare_nots_are_two_searches_whatever_the_flags(counted, exact):
    logic = PaperLogic(SPACE, exact=exact)
    once = {"parses": 1, "resolutions": 1, "proposals": 2, "searches": 3}
    answer = logic.ask("!w1 | !w2")
    assert counted == once
    explain(answer.concept)
    explain(answer.concept).text()
    assert counted == once  # an explanation decides nothing
    counted.clear()
    for number in range(20):  # more than any cache could hold
        logic.ask(f"w{number} | w3")
    counted.clear()
    explain(logic.ask("!w1 | !w2", everywhere=True).concept)
    assert counted == once


def test_a_query_within_a_category_needs_no_search(counted):
    logic = PaperLogic(SPACE)
    explain(logic.ask("!w1 @ {w1, w2, w3}").concept)
    assert counted == {"parses": 1, "resolutions": 1}


@pytest.mark.parametrize(
    ("path", "body", "searches"),
    [
        ("ask", {"query": "!w1 | !w2"}, 3),
        ("ask", {"query": "!w1 | !w2", "exact": True}, 3),
        ("ask/batch", {"queries": ["!w1 | !w2"]}, 3),
        ("explain", {"query": "!w1 | !w2"}, 3),
        ("explain", {"query": "!w1 | !w2", "everywhere": True, "exact": True}, 3),
        ("picture", {"query": "!w1 | !w2"}, 3),
    ],
)
def test_a_request_is_parsed_priced_and_resolved_once(counted, monkeypatch, path, body, searches):
    from serving import need_server

    need_server()
    import httpx

    from andornot.server import costs
    from andornot.server.app import create_app

    for name in ("parse", "check_depth"):
        original = getattr(costs, name)

        def counting(*args, original=original, name=name):
            counted[f"service {name}"] = counted.get(f"service {name}", 0) + 1
            return original(*args)

        monkeypatch.setattr(costs, name, counting)
    app = create_app({"default": SPACE})

    async def ask():
        transport = httpx.ASGITransport(app=app)
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
            return await client.post(f"/v1/{path}", json=body, timeout=60)

    assert asyncio.run(ask()).status_code == 200
    assert counted == {
        "service parse": 1,
        "service check_depth": 1,
        "resolutions": 1,
        "proposals": 2,
        "searches": searches,
    }


# --- the path of a query -----------------------------------------------------------------------


def test_a_command_runs_each_step_once_and_in_order(monkeypatch, tmp_path, capsys):
    """Parse, resolve, compute, rank, explain, print: each in its own file or folder."""
    from andornot.cli.ask import ask

    path = tmp_path / "space.safetensors"
    andornot.save(SPACE, path)
    steps = {
        ("parser.py", "parse"): "parse",
        ("resolve.py", "resolve"): "resolve",
        ("compute.py", "compute"): "compute",
        ("ranking.py", "rank"): "rank",
        ("explanation", "explain"): "explain",
        ("rendering.py", "as_text"): "print",
    }
    seen = []

    def watch(frame, event, _):
        folder, _, place = frame.f_code.co_filename.rpartition("algebra/")
        if event == "call" and folder:
            seen.append((place.partition("/")[0], frame.f_code.co_qualname))

    sys.setprofile(watch)
    try:
        ask(["w1 & !w2 @ {w2, w3, w4}"], space=path, explain=True)
    finally:
        sys.setprofile(None)
    assert "NOT    !w2 @ A" in capsys.readouterr().out
    assert [steps[each] for each in seen if each in steps] == list(steps.values())
