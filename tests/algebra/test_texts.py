"""Texts as operands: the AND of their words by SIF weights, against NumPy and by hand."""

import json
import re

import numpy as np
import pytest
from commands import run
from errors import raises
from planted import LOGICS, SPACE, WORDS, assert_same_concept, every_logic
from tiny_models import train_tokenizer

import andornot
from andornot import Logic, Space, Vocabulary
from andornot.algebra import explain, parse
from andornot.algebra.expression import Term
from andornot.algebra.facts import facts_of
from andornot.algebra.nodes import Lifted, Mix, Sum, Union, WeightedSum, Word, every_node
from andornot.algebra.texts import most_words, read_texts
from andornot.base.errors import AndornotError, UnknownTextError, UnknownWordError
from andornot.words.pieces import Pieces
from andornot.words.stop_words import STOP_WORDS

LOGIC = LOGICS["first-order"]


def sif(*ids, p=SPACE.probability):
    weights = 1e-3 / (1e-3 + p[list(ids)])
    return len(ids) * weights / weights.sum()


def space_of(words, counts=None):
    rows = np.random.default_rng(3).normal(size=(len(words), 6))
    vocabulary = Vocabulary(words)
    return Space(vocabulary if counts is None else vocabulary.with_counts(counts), rows)


# --- vectors -----------------------------------------------------------------------------------


def test_a_text_is_the_weighted_sum_of_its_words():
    v = SPACE.target - SPACE.probability @ SPACE.target
    found = LOGIC.concept('"w2 w7 w11"')
    np.testing.assert_allclose(found.vector, sif(2, 7, 11) @ v[[2, 7, 11]], atol=1e-6)
    assert np.isnan(found.probability)
    nested = LOGIC.concept('"w2 w7" & w3')
    np.testing.assert_allclose(nested.vector, sif(2, 7) @ v[[2, 7]] + v[3], atol=1e-6)
    either = LOGIC.concept('0.2*"w2 w7" | 0.8*w3')
    expected = 0.2 * sif(2, 7) @ v[[2, 7]] + 0.8 * v[3]
    np.testing.assert_allclose(either.vector, expected, atol=1e-6)


@every_logic
def test_a_text_of_one_known_word_is_that_word(logic):
    for text, word in (
        ('"the w4"', "w4"),
        ('"W4 zzz" & w2', "w4 & w2"),
        ('w4 | "a w6"', "w4 | w6"),
        ('"the w4" @ {w4, w5}', "w4 @ {w4, w5}"),
        ('!("the w4" | w6) @ {w4, w5, w6}', "!(w4 | w6) @ {w4, w5, w6}"),
        ('!"the w4"', "!w4"),
    ):
        assert_same_concept(logic.concept(text), logic.concept(word))
        assert logic.ask(text).words == logic.ask(word).words


def test_words_of_one_frequency_are_a_plain_and():
    words = ["red", "wine", "beer", "bread"]
    for counts in (None, dict.fromkeys(words, 7)):
        logic = Logic(space_of(words, counts))
        np.testing.assert_allclose(
            logic["red wine"].vector, (logic["red"] & logic["wine"]).vector, atol=1e-6
        )


def test_without_frequencies_words_weigh_alike_and_a_note_says_so():
    (note,) = Logic(space_of(["red", "wine", "beer"])).concept('"red wine"').notes
    assert "no frequencies" in note
    assert Logic(space_of(["red", "wine"], {"red": 2, "wine": 1})).concept('"red wine"').notes == ()


def test_weights_are_of_the_counts_where_a_training_left_another_marginal():
    marginal = np.linspace(1, 2, len(SPACE))
    flat = Space(SPACE.vocabulary, SPACE.target, SPACE.context, marginal=marginal)
    node = Logic(flat).concept('"w2 w7"').node
    np.testing.assert_allclose(node.factors, sif(2, 7, p=SPACE.counts / SPACE.counts.sum()))


@pytest.mark.parametrize("method", ["frequency", "zipfian-whitening"])
def test_the_default_model_ranks_as_numpy_does(method):
    space = andornot.default()
    logic = Logic(space, postprocess=method)
    p, rows = space.probability, space.target.astype(np.float64)
    rows = rows - p @ rows
    if method == "zipfian-whitening":
        sizes, axes = np.linalg.eigh(rows.T @ (p[:, None] * rows))
        rows = rows @ (axes / np.sqrt(sizes)) @ axes.T
    lengths = np.linalg.norm(rows, axis=1)
    shares = space.counts / space.counts.sum()
    for text in (
        "a person who studies stars",
        "A large bird, which cannot fly.",
        "the feeling of having lost someone you loved very much",
        "to cut wood",
        "red wine wine",
    ):
        words = dict.fromkeys(re.findall("[a-z]+", text.lower()))
        ids = [space.vocabulary.index(word) for word in words if word not in STOP_WORDS]
        vector = (1e-3 / (1e-3 + shares[ids])) @ rows[ids]
        scores = rows @ vector / lengths / np.linalg.norm(vector)
        scores[[space.vocabulary.index(word) for word in words]] = -2
        best = np.argsort(-scores)[:10]
        answer = logic.ask(f'"{text}"', k=10)
        np.testing.assert_allclose([hit.score for hit in answer.hits], scores[best], atol=1e-4)
        assert set(answer.words) == {space.words[i] for i in best}
        assert answer.notes == ()


# --- its words ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "words", "unknown"),
    [
        ("a water bird", ("water", "bird"), ()),
        ("Water, and BIRDS!", ("water",), ("birds",)),
        ("bird water bird", ("bird", "water"), ()),
        ("the bird's water", ("bird", "water"), ()),
        ("a long-legged bird", ("long", "bird"), ()),
        ("Paris in water", ("Paris", "water"), ()),
        ("someone's bird", ("bird",), ()),
        ("bird , & water", ("bird", "water"), ()),
    ],
)
def test_the_words_of_a_text(text, words, unknown):
    space = space_of(["water", "bird", "long", "Paris", "the", "and", ",", "&", "new york"])
    read = read_texts(Term(text), space)
    assert (read.text, read.words, read.unknown) == (text, words, unknown)
    assert set(read.stop_words) == {"the", "and"} & set(re.findall("[a-z]+", text.lower()))


def test_a_word_of_the_vocabulary_is_not_a_text():
    space = space_of(["new york", "card_game", "card", "game", "new", "york"])
    for written, word in (
        ("new york", "new york"),
        ("card game", "card_game"),
        ("Card  Game", "card_game"),
        (" game ", "game"),
        ("cardgame", "cardgame"),
    ):
        assert read_texts(Term(written), space) == Term(word)
    assert Logic(space).ask('"card game"').concept.formula == Term("card_game")
    with raises(UnknownWordError, "'cardgame'", "'card_game'"):
        Logic(space).ask('"cardgame"')


def test_unknown_words_are_named_and_left_out():
    answer = LOGIC.ask('"w3 foo w5 bar" & w1')
    assert answer.notes == ('not in the space, and left out of "w3 foo w5 bar": foo, bar',)
    same = LOGIC.ask('"w3 w5" & w1')
    assert answer.hits == same.hits
    assert not {"w1", "w3", "w5"} & set(answer.words)
    assert {"w1", "w3", "w5"} & set(LOGIC.ask('"w3 w5" & w1', keep_operands=True).words)


def test_an_unknown_item_with_spaces_suggests_items_of_similar_spelling():
    logic = Logic(space_of(["red wine", "white wine", "Côte d'Or"]))
    for query, meant in (('"rde wine"', "'red wine'"), ('"côte d\'or"', "Côte d'Or")):
        with raises(UnknownTextError, "did you mean", meant):
            logic.ask(query)


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("foo bar", ["'foo bar'", "known", "other words"]),
        ("to be or not to be", ["stop words", "add"]),
        ("the foo", ["'the foo'", "known"]),
        (", ;", ["', ;'", "stop words"]),
    ],
)
def test_a_text_without_a_known_word(text, named):
    with raises(UnknownTextError, *named):
        LOGIC.ask(f'w1 & "{text}"')
    with raises(UnknownTextError, *named):
        LOGIC[text]


@pytest.mark.parametrize(
    "query", ['"w3 foo"', '!"w3 foo"', '!"w3 foo" @ {w3, w4}', 'w1 - "w3 foo"']
)
def test_unknown_words_are_named_wherever_a_text_stands(query):
    left_out = 'not in the space, and left out of "w3 foo": foo'
    assert LOGIC.ask(query).notes.count(left_out) == 1


def test_words_that_exist_in_lower_case_only():
    space = space_of(["paris", "u.s.", "Rome", "polish", "Polish", "new york", "card_game"])
    for text, words in (
        ("PARIS U.S.", ("paris", "u.s.")),
        ("Rome Paris", ("Rome", "paris")),
        ("Polish POLISH", ("Polish", "polish")),
    ):
        answer = Logic(space).ask(f'"{text}"', keep_operands=True)
        assert answer.concept.formula.words == words
        assert not any("read" in note for note in answer.notes)  # a sentence starts with a capital
    for text, word, notes in (
        ("New York", "new york", ("New York was read as new york",)),
        ("Card  Game", "card_game", ("Card Game was read as card_game",)),
        ("card game", "card_game", ()),
    ):
        concept = Logic(space).concept(f'"{text}"')
        assert (concept.formula, concept.notes) == (Term(word), notes)


def test_a_model_with_a_tokenizer_cuts_words_into_pieces():
    source = train_tokenizer("wordpiece")
    pieces = Pieces(source.to_str().encode())
    words = list(pieces.words.values())
    rows = np.random.default_rng(5).normal(size=(len(words), 6))
    space = Space(Vocabulary(words), rows, pieces=pieces)
    cut = space.pieces_of("unhappiness")
    assert len(cut) > 1
    found = Logic(space).concept('"The unhappiness of, KING, the king"')
    assert found.formula.words == (*cut, "king")
    np.testing.assert_allclose(
        found.vector, Logic(space).concept("unhappiness & king").vector, atol=1e-5
    )


def test_most_words_bounds_the_words_of_a_text():
    for text in ("a b", "a,b c_d", "don't x", "one-two three", "3.14 x"):
        cut = [word for word in re.split(r"[\s,_'.-]+", text) if word]
        space = space_of(list(dict.fromkeys(["z", *cut])))
        read = read_texts(Term(text), space)
        assert len(read.words) <= most_words(text)
    assert most_words("don't") == most_words("&") == 1


# --- nesting -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("query", "kinds"),
    [
        ('"w1 w2"', [WeightedSum, Word, Word]),
        ('"the w1"', [Word]),
        ('"w1 w2" & w3', [Sum, WeightedSum, Word, Word, Word]),
        ('"w1 w2" | w3', [Mix, WeightedSum, Word, Word, Word]),
        ('"the w1" | w3', [Union, Word, Word]),
        ('"w1 w2" | "w2 the w1"', [Mix, WeightedSum, Word, Word]),
        ('w3 @ {w3, w4} & "w1 w2"', None),
    ],
)
def test_the_nodes_of_a_query_with_a_text(query, kinds):
    node = LOGIC.concept(query).node
    found = [type(each) for each in every_node(node)]
    assert found == kinds if kinds else Lifted in found and WeightedSum in found
    again = LOGIC.concept(str(node.formula)).node
    assert [type(each) for each in every_node(again)] == found


def test_an_or_with_a_text_weighs_alike():
    mixed = LOGIC.concept('"w1 w2" | w9')
    assert mixed.node.shares.tolist() == [0.5, 0.5]
    (note,) = mixed.notes
    assert '"w1 w2"' in note
    assert "alike" in note
    assert np.isnan(mixed.probability)
    assert LOGICS["uniform-weights"].concept('"w1 w2" | w9').notes == ()
    assert LOGIC.concept('1*"w1 w2" | 1*w9').notes == ()
    np.testing.assert_allclose(mixed.vector, LOGIC.concept('1*"w1 w2" | 1*w9').vector)


@every_logic
def test_an_analogy_takes_a_text_of_one_word(logic):
    answer, plain = logic.ask('"the w3" - w1 + "A W2"'), logic.ask("w3 - w1 + w2")
    np.testing.assert_array_equal(answer.concept.vector, plain.concept.vector)
    assert answer.words == plain.words
    offset, *words = explain(answer).parts
    assert offset.formula == '"the w3" - w1 + "A W2"'
    assert [word.kind for word in words] == ["text", "word", "text"]


@pytest.mark.parametrize("query", ['"w1 w2" - w3', 'w3 - "w1 w2"', 'w3 + w4 - "the w1 w2"'])
def test_an_analogy_takes_no_text_of_several_words(query):
    with raises(AndornotError, r"+ and - join words", "in the place of", 'w1 w2"'):
        LOGIC.ask(query)


@every_logic
def test_an_answer_to_a_text_ranks_what_passes(logic):
    query = '"w2 the w7 foo" & W3'
    everything = logic.ask(query, k=len(SPACE))
    answer = logic.ask(query, k=len(SPACE), pattern="W1*", length="2-3")
    expected = [h for h in everything.hits if h.word.startswith("w1") and len(h.word) <= 3]
    assert answer.words == tuple(hit.word for hit in expected)
    facts = facts_of(query, answer)
    assert facts["filter"] == {"pattern": "W1*", "length": "2-3", "frequency": "any"}
    assert (facts["probability"], facts["formula"]) == (None, '"w2 the w7 foo" & w3')
    assert "W3 was read as w3" in facts["notes"]
    assert 'not in the space, and left out of "w2 the w7 foo": foo' in facts["notes"]


def test_concepts_of_texts_combine():
    left = (LOGIC["w1 w2"] & LOGIC["w3"]) | LOGIC["w4"]
    assert str(left.formula) == '"w1 w2" & w3 | w4'
    asked = LOGIC.concept('"w1 w2" & w3 | w4')
    np.testing.assert_array_equal(left.vector, asked.vector)


@pytest.mark.parametrize(
    "query", ['!"w1 w2" @ {w1, w2, w3}', '!"w1 w2"', '!"w1 w2" @ {w3, w4}', '!!"w1 w2"']
)
def test_not_takes_no_text_of_several_words(query):
    with raises(AndornotError, "NOT takes a word", '"w1 w2"'):
        LOGIC.ask(query)


def test_a_text_can_be_seen_within_a_category():
    found = LOGIC.concept('"w1 w2" @ {w3, w4, w5}')
    expected = LOGIC.concept('"w1 w2"').vector - LOGIC.concept("w3 | w4 | w5").vector
    np.testing.assert_allclose(found.vector, expected, atol=1e-6)
    assert "not a union" in found.notes[0]


def test_a_text_is_as_the_query_was_written():
    assert parse('"w1 w2" & w3').parts[0] == Term("w1 w2")
    assert str(LOGIC.concept(r'"w1 \"w2\" foo"').formula) == r'"w1 \"w2\" foo"'


# --- explanations and JSON ---------------------------------------------------------------------


def test_an_explanation_names_the_words_with_their_weights():
    first, second = sif(2, 7)
    found = explain(LOGIC.ask('"w2 the w7" & w3'))
    whole, text, *words, other = found.parts
    assert whole.vector == 'v("w2 the w7") + v(w3)'
    assert (text.kind, text.probability) == ("text", None)
    assert text.vector == f"{first:.3g} v(w2) + {second:.3g} v(w7)"
    assert [(word.formula, word.weight) for word in words] == [
        ("w2", pytest.approx(first)),
        ("w7", pytest.approx(second)),
    ]
    assert (other.formula, other.weight) == ("w3", None)
    assert found.correction is None
    assert "p = unknown" in found.text()
    exact = explain(LOGICS["exact"].concept('"w2 w7 w9"'))
    assert exact.parts[0].vector.endswith("t(w9) - 2 t(PMI = 0)")
    single = explain(LOGIC.concept('"the w2"')).parts[0]
    assert (single.kind, single.vector) == ("text", "v(w2)")


def test_first_order_is_exact_for_texts_where_the_shift_is_not_known():
    bare = Space(SPACE.vocabulary, SPACE.target, SPACE.context)
    exact, plain = (Logic(bare, exact=each) for each in (True, False))
    query = '"w1 w5" & w9'
    np.testing.assert_allclose(exact.concept(query).vector, plain.concept(query).vector, atol=2e-4)
    assert "same in both modes" in explain(plain.concept(query)).inapplicable


def test_the_command_answers_a_text(tmp_path):
    path = tmp_path / "space.safetensors"
    andornot.save(SPACE, path)
    done = run("ask", '"w3 w5 foo" & w1', '"foo bar"', "-s", path, "--json")
    assert done.returncode == 1
    answer, failed = json.loads(done.stdout)
    assert [hit["word"] for hit in answer["hits"]] == list(LOGIC.ask('"w3 w5" & w1').words)
    assert answer["probability"] is None
    assert answer["formula"] == '"w3 w5 foo" & w1'
    assert "foo" in answer["notes"][0]
    assert (failed["word"], failed["column"]) == ("foo bar", 1)


def test_the_service_prices_the_words_of_a_text():
    from andornot.server.costs import Cost, LimitError, priced
    from andornot.server.limits import Limits

    assert Cost.of(parse('"a person who studies stars" & w1')).words == 6
    text = " ".join(WORDS[:20])
    assert priced(f'"{text}"', Limits(words=20))[1].words == 20
    with raises(LimitError, "21 words", "--max-words"):
        priced(f'"{text}" & w1', Limits(words=20))
