"""The experiments: their parts against brute force and planted answers."""

import lzma
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from andornot import Space, Vocabulary
from andornot import default as andornot_default
from andornot.base.errors import AndornotError
from andornot.cooccurrence import count
from andornot.corpus import open_corpus
from andornot.corpus.edits import add_or_words
from andornot.datasets.sentence_pairs import SentencePair
from andornot.experiments import (
    Finding,
    Lab,
    Result,
    Training,
    antonyms,
    bert,
    centring,
    examples,
    negation,
    phrases,
    sts,
    theorem,
    words,
)
from andornot.experiments.estimate import beginning, estimate, readable_time
from andornot.experiments.frequent import most_frequent, sizes_of
from andornot.experiments.or_actual import cosines, or_words
from andornot.experiments.or_artificial import PartOfPairs, _said_of_texts, compared
from andornot.experiments.pmi_figure import _errors
from andornot.experiments.ranks import ranks, unit_rows
from andornot.experiments.summary import write_summary
from andornot.experiments.trend import trend
from andornot.experiments.words import RELATIONS, AmongFrequent, by_frequency, mrr, triples
from andornot.training import Settings
from andornot.training import settings as settings_module

figures = pytest.importorskip("matplotlib.figure")


def made_space(words, rng, dim=8, counts=None):
    counts = counts or {word: 200 + 7 * i for i, word in enumerate(words)}
    return Space(
        Vocabulary(words).with_counts(counts),
        rng.normal(size=(len(words), dim)),
        rng.normal(size=(len(words), dim)),
    )


# --- ranks -------------------------------------------------------------------------------------


def test_ranks_are_those_of_the_definition(monkeypatch):
    rng = np.random.default_rng(0)
    rows, queries = rng.normal(size=(50, 6)), rng.normal(size=(9, 6))
    goals = rng.integers(50, size=9).tolist()
    left_out = [(int(a), int(b)) for a, b in rng.integers(50, size=(9, 2)) if a != b]
    left_out += [()] * (9 - len(left_out))
    left_out = [tuple(w for w in each if w != g) for each, g in zip(left_out, goals, strict=True)]
    monkeypatch.setattr("andornot.experiments.ranks._BLOCK", 120)

    def cosine(a, b):
        return a @ b / np.linalg.norm(a) / np.linalg.norm(b)

    for leave, out in ((None, [()] * 9), (left_out, left_out)):
        found = ranks(unit_rows(rows), queries, goals, leave)
        for number, query in enumerate(queries):
            least = cosine(rows[goals[number]], query) - 1e-6
            words = [w for w in range(50) if w not in out[number]]
            assert found[number] == sum(cosine(rows[w], query) >= least for w in words)


# --- experiments -------------------------------------------------------------------------------


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


def test_error_terms_of_a_text_are_finite_and_those_of_its_parts(text8):
    lab = Lab(cache=text8)
    terms = theorem.error_terms(lab)
    assert list(terms) == [
        "SGNS, the model's own",
        "the counts of SGNS, 1 added",
        "the counts of SGNS, 0.1 added",
        "GloVe, the model's own",
        "GloVe, the model's own, normalised over all pairs",
        "the counts of GloVe, 1 added",
        "the counts of GloVe, 0.1 added",
    ]
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
    own = terms["GloVe, the model's own"]
    assert own["under p"] == pytest.approx(-(p @ pmi @ p), abs=1e-3)
    assert own["mean"] == pytest.approx(-(pmi @ p).mean(), abs=1e-3)


def test_examples_have_the_papers_words_beside_ours():
    result = examples.run(Lab())
    assert result.numbers["SGNS: royal & woman"]["places"]["queen"] <= 10
    daughter = "SGNS: !mother @ {mother, grandmother, daughter, granddaughter}"
    assert result.numbers[daughter]["places"]["daughter"] == 1
    places = [
        (query, place)
        for query, found in result.numbers.items()
        for place in found.get("places", {}).values()
    ]
    right = sum(place <= (1 if "!" in query else 10) for query, place in places)
    named = sum(map(len, examples.QUERIES.values()))
    assert f"Of the {named} words that the paper names, SGNS has {right} " in result.agreement
    figure = figures.Figure()
    examples._draw(figure, {"SGNS": {"queen": 1, "king": 7}, "GloVe": {}})  # one that knows none
    sgns, glove = figure.axes[0].lines[:2]
    assert (list(sgns.get_xdata()), list(sgns.get_ydata())) == ([1, 7], [0, 1])
    assert len(glove.get_xdata()) == 0
    left, right = (andornot_default().vector(word) for word in ("love", "hate"))
    cosine = left @ right / np.linalg.norm(left) / np.linalg.norm(right)
    assert result.numbers["SGNS: love, hate"]["cosine"] == pytest.approx(cosine, abs=1e-5)


@pytest.fixture
def bats(tmp_path, monkeypatch):
    folder = tmp_path / "bats" / "3_encyclopedic_semantics"
    folder.mkdir(parents=True)
    for relation in RELATIONS:
        (folder / f"{relation} [x - y].txt").write_text("")
    (folder / "E01 [x - y].txt").write_text("bangkok\tthailand\nparis\tfrance\n")
    (folder / "E07 [x - y].txt").write_text("dog\tunknown/bark\ncat\tmeow/purr\r\n")
    monkeypatch.setenv("ANDORNOT_DATA", str(tmp_path))
    return folder


def test_triples_and_their_ranks(bats):
    words = ["bangkok", "thailand", "capital", "paris", "france", "cat", "meow", "purr", "sound"]
    rng = np.random.default_rng(1)
    space = made_space([*words, *(f"w{i}" for i in range(40))], rng, dim=30)
    target = np.array(space.target)
    index = space.vocabulary.index
    target[index("bangkok")] = target[index("thailand")] + target[index("capital")]
    target[index("purr")] = target[index("cat")] + target[index("sound")]
    space = Space(space.vocabulary, target)
    found = triples(space)
    named = [tuple(space.vocabulary.word(i) for i in (t.x, t.y, t.z)) for t in found]
    assert named == [
        ("thailand", "capital", "bangkok"),
        ("france", "capital", "paris"),
        ("cat", "sound", "meow"),
    ]
    assert [space.vocabulary.word(i) for i in found[2].others] == ["meow", "purr"]
    asks = Lab(words=frozenset(words) - {"paris"}).asks
    assert triples(space, asks) == [found[0], found[2]]
    scores = mrr(space, "none", [found[0], found[2]])
    first = mrr(space, "none", [found[0]])
    assert first == {"all words": 1.0, "without operands": 1.0, "best answer": 1.0}
    assert scores["best answer"] == 1.0
    assert scores["all words"] < 1


def test_what_centring_changes_among_frequent_words(bats, monkeypatch):
    monkeypatch.setattr("andornot.experiments.frequent.SIZES", (10, 20, 500))
    rng = np.random.default_rng(1)
    words = ["bangkok", "thailand", "capital", *(f"w{i}" for i in range(40))]
    space = made_space(words, rng, dim=30)  # the last words are the most frequent ones
    target = np.array(space.target)
    target[3:20] = target[1] + target[2] + 0.01 * target[3:20]  # rare ones stand in the way
    target[0] = target[1] + target[2] + 0.1 * target[0]
    space = replace(space, target=target.astype(np.float32))
    assert sizes_of(space) == [10, 20, 43]
    found = by_frequency(space, triples(space), Lab())
    assert [each.words for each in found] == [13, 23, 43]
    assert [each.orig for each in found[:2]] == [1, 1]
    assert found[-1].orig == mrr(space, "none", triples(space))["all words"] < 1
    assert found[-1].freq == mrr(space, "frequency", triples(space))["all words"]


def test_what_is_said_of_words():
    def rows(*figures):
        return [AmongFrequent(n, a, b) for n, (a, b) in enumerate(figures, start=5)]

    said = words._verdict(
        {
            "SGNS": rows((0.1, 0.1), (0.1, 0.2)),
            "GloVe": rows((0.1, 0.2), (0.2, 0.1), (0.2, 0.1)),
            "BERT": rows((0.1, 0.05), (0.1002, 0.1)),
        }
    )
    assert said.startswith(
        "It rises for SGNS, as in the paper. It stays for BERT, which contradicts the paper. It "
        "falls for GloVe, which contradicts the paper. "
    )
    assert "For SGNS that begins with 6 words to choose from; among 5, " in said
    assert "For GloVe that begins with 6 words to choose from; among 5, " in said
    assert "it is 0.100 to 0.200." in said
    assert "For BERT that begins with 6 words" in said


def test_sentences_against_brute_force():
    rng = np.random.default_rng(7)
    words = [f"w{i}" for i in range(20)]
    space = made_space(words, rng)

    def sentence():
        return " ".join(rng.choice([*words, "unknown"], size=5))

    pairs = [SentencePair(sentence(), sentence(), float(rng.uniform(0, 5))) for _ in range(30)]
    pairs.append(SentencePair("unknown", "w1", 1.0))
    sets = {"STS12": {"one": pairs[:12], "two": pairs[12:]}}
    found = sts.scores(space, sets)["STS12"]

    def cosine(pair, v):
        left, right = (
            sum((v[int(word[1:])] for word in side.split() if word != "unknown"), np.zeros(8))
            for side in pair[:2]
        )
        lengths = np.linalg.norm(left) * np.linalg.norm(right)
        return left @ right / lengths if lengths else 0.0

    for name, v in {
        "orig": space.target,
        "freq": space.target - space.probability @ space.target,
    }.items():
        each = [
            np.corrcoef([cosine(p, v) for p in some], [p.rating for p in some])[0, 1]
            for some in (pairs[:12], pairs[12:], pairs)
        ]
        assert found[name] == pytest.approx((np.mean(each[:2]), each[2]), abs=1e-5)


def test_phrases_that_are_planted():
    rng = np.random.default_rng(8)
    words = ["card", "game", "card_game", "hot", "dog", "hot_dog", *(f"w{i}" for i in range(40))]
    space = made_space(words, rng, dim=30)
    target = np.array(space.target)
    target[2] = target[0] + target[1]
    space = replace(space, target=target.astype(np.float32))
    assert [phrases.is_known(p, space) for p in ("card game", "hot dog", "hot game")] == [
        True,
        True,
        False,
    ]
    with_operands = phrases.phrase_ranks(space, ["card game", "hot dog"])
    without = phrases.phrase_ranks(space, ["card game", "hot dog"], operands=False)
    assert with_operands["orig"][0] == 1
    query = target[3] + target[4]
    cosines = target @ query / np.linalg.norm(target, axis=1)
    assert with_operands["orig"][1] == np.sum(cosines >= cosines[5] - 1e-6)
    assert without["orig"][1] == with_operands["orig"][1] - 2  # hot and dog are nearer
    assert with_operands.keys() == centring.METHODS.keys()
    trained = replace(space, marginal=np.ones(len(words)))  # met as often as each other
    p = space.probability
    moved = centring.centred(trained, centring.TEXT_FREQUENCY).target
    np.testing.assert_allclose(moved, space.target - p @ space.target, atol=1e-5)
    even = centring.centred(trained, "frequency").target
    np.testing.assert_allclose(even, space.target - space.target.mean(0), atol=1e-5)
    assert phrases._gain({"orig": np.array([20, 30]), "freq": np.array([1, 2])}, 10) is None
    assert "GloVe some where there were none, as many" in phrases._verdict({"GloVe": None})
    assert "reached" not in phrases._verdict({"GloVe": None})
    said = phrases._verdict({"SGNS": 1.8, "GloVe": 2.0})
    assert "SGNS 1.80 times as many in the first 10 (paper: 1.7 times)" in said
    assert said.endswith("The paper's gain is not reached for GloVe. It is reached for SGNS.")
    assert phrases._gain({"orig": np.array([2, 30]), "freq": np.array([1, 2])}, 10) == 2
    named = ["card", "game", "card_game"]
    few = most_frequent(space, 5, named)  # the last five come most often
    assert set(few.words) == {"card", "game", "card_game", *(f"w{i}" for i in range(35, 40))}
    assert phrases.phrase_ranks(few, ["card game"], ["orig"]).keys() == {"orig"}


@pytest.mark.usefixtures("small_wordnet")
def test_or_words_of_wordnet():
    rng = np.random.default_rng(2)
    space = made_space(["animal", "dog", "cat", "poodle", "law"], rng)
    assert [
        (space.vocabulary.word(w), [space.vocabulary.word(k) for k in kinds])
        for w, kinds in or_words(space, "n")
    ] == [("animal", ["dog", "cat"])]
    rare = made_space(["animal", "dog", "cat"], rng, counts={"animal": 999, "dog": 99, "cat": 100})
    assert or_words(rare, "n") == []
    p = space.probability
    expected = (p[1] * space.target[1] + p[2] * space.target[2]) / (p[1] + p[2])
    own, _ = cosines(space, "none", or_words(space, "n"), seed=1)
    lengths = np.linalg.norm(expected) * np.linalg.norm(space.target[0])
    assert own == pytest.approx(expected @ space.target[0] / lengths, abs=1e-5)


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
    for some in (known[:9], known[8:]):  # no 9, no negative ones
        ids = [known.index(word) for word in some]
        assert negation.plane_of(Space(Vocabulary(some), space.target[ids])) is None


def test_ways_to_negate_against_their_definitions():
    rng = np.random.default_rng(10)
    rows, weights = rng.normal(size=(5, 4)), rng.uniform(1, 2, size=5)
    found = antonyms.ways(rows, weights)
    centre = weights @ rows / weights.sum()
    for place, row in enumerate(rows[1:]):
        goal = centre - rows[0]
        away = row - centre
        assert found["NOT"][place] == pytest.approx(away @ goal / np.linalg.norm(away), abs=1e-5)
        cosine = row @ rows[0] / np.linalg.norm(row)
        assert found["cosine"][place] == pytest.approx(cosine, abs=1e-5)
        assert found["-v"][place] == pytest.approx(-cosine, abs=1e-5)
    # the opposite along the main axis of a line is its other end
    line = np.outer([-2.0, -1.0, 0.5, 3.0], [1.0, 2.0, 0.0])
    assert antonyms.ways(line, np.ones(4))["main axis"].argmax() == 2


def test_ways_of_poles_against_their_definitions():
    rng = np.random.default_rng(12)
    axis = rng.normal(size=6)
    kinds = rng.normal(size=(3, 6))  # each kind has a word at either end of the axis
    rows = np.concatenate([5 * kinds + axis, 5 * kinds - axis])
    alike = np.arange(6) < 3
    weights = rng.uniform(1, 2, size=6)
    found = antonyms.ways_of_poles(rows, weights, alike)
    # on the other side the word of the same kind is the nearest, and so it is in the mirror
    for way in (
        "other side, by cosine",
        "mirrored in the axis of the poles",
        "known to be far, by cosine",
    ):
        assert found[way].argmax() == 2
    assert found["known to be far, most frequent"].argmax() == 2 + weights[3:].argmax()
    centre = weights @ rows / weights.sum()
    rest = weights[3:] @ rows[3:] / weights[3:].sum()
    for place, row in enumerate(rows[1:]):  # NOT of the pole is the OR of the rest, seen from A
        away, goal = row - centre, rest - centre
        share = weights[:3].sum() / weights[3:].sum()
        score = away @ goal / np.linalg.norm(away) / share
        assert found["NOT of its pole"][place] == pytest.approx(score, rel=1e-5)


def test_antonyms_are_retrieved_in_their_category(monkeypatch):
    rng = np.random.default_rng(11)
    space = made_space(["hot", "cold", "warm", "cool", *(f"w{i}" for i in range(30))], rng)
    target = np.array(space.target)
    axis = rng.normal(size=8)
    target[:4] = 5 + np.outer([2.0, -2.0, 1.0, -1.0], axis)
    space = replace(space, target=target.astype(np.float32))

    def category(logic, word):
        words = ["hot", "warm", "cool", "cold"]
        return antonyms.NegationCategory(words, np.array([True, True, False, False]))

    scores, count = antonyms.retrieval(space, [("hot", "cold"), ("hot", "w1")], category)
    assert count == 1
    assert scores["NOT of its pole"] == 1
    assert scores["main axis"] == 1
    assert scores["chance"] == pytest.approx((1 + 1 / 2 + 1 / 3) / 3)
    assert scores["cosine"] == pytest.approx(1 / 3)


@pytest.fixture
def corpus(tmp_path):
    rng = np.random.default_rng(4)
    words = [f"w{i}" for i in range(30)]
    p = 1 / np.arange(1, 31)
    text = tmp_path / "text.txt"
    text.write_text(" ".join(rng.choice(words, size=6000, p=p / p.sum())))
    return open_corpus([text], cache=tmp_path / "cache")


def test_errors_of_pmi_against_brute_force(corpus):
    flat, counts = (count(corpus, min_count=5, weights=w) for w in ("flat", "linear"))
    np.testing.assert_array_equal(flat.columns, counts.columns)
    met = flat.values > 1
    rng = np.random.default_rng(3)
    space = made_space(list(counts.vocabulary), rng)
    space = replace(space, vocabulary=counts.vocabulary)
    found = _errors(space, counts, met)
    dense, often = counts.matrix().toarray(), flat.matrix().toarray()
    p = dense.sum(0) / dense.sum()
    expected = {"PMI": [], "orig": [], "freq": []}
    own = space.probability
    v, u = space.target, space.context
    centred, contexts = v - own @ v, u - own @ u
    for a, b in np.argwhere(often > 1):
        value = np.log(dense[a, b] / dense.sum() / p[a] / p[b])
        expected["PMI"].append(value)
        expected["orig"].append(value - v[a] @ u[b])
        expected["freq"].append(value - centred[a] @ contexts[b])
    for name, values in expected.items():
        np.testing.assert_allclose(found[name], values, atol=1e-3)


def test_artificial_or_words_that_are_planted():
    rng = np.random.default_rng(5)
    words = ["a", "b", "c", "d", "a_OR_b", "c_OR_d", *(f"w{i}" for i in range(30))]
    space = made_space(words, rng)
    p, target = space.probability, np.array(space.target)
    target[4] = (p[0] * target[0] + p[1] * target[1]) / (p[0] + p[1])
    target[5] = (p[2] * target[2] + p[3] * target[3]) / (p[2] + p[3])
    planted = replace(space, target=target.astype(np.float32))
    pairs = [("a", "b"), ("c", "d")]
    for method in ("none", "uniform", "frequency"):
        cosine, rank = compared(planted, method, False, pairs)
        assert cosine == pytest.approx(1, abs=1e-5)
        assert rank == 1
    cosine, rank = compared(space, "none", False, pairs)
    assert cosine < 0.9
    assert rank > 1


def test_what_is_said_of_several_texts():
    parts = [PartOfPairs(0.01, "by", 0.97, 1.0), PartOfPairs(0.04, "a", 0.8, 2.5)]
    said = _said_of_texts("SGNS", (0.885, 1.75), parts)
    assert "0.885 (1.750); 1 of them have a mean rank of 1.000, the worst is 0.800 (2.500)" in said
    assert "'a' was replaced and with it 4.0% of the text" in said
    assert "worst" not in _said_of_texts("SGNS", (0.97, 1.0), parts[:1])


def test_a_space_is_trained_once(corpus, tmp_path):
    said = []
    lab = Lab(cache=tmp_path / "kept", say=said.append)
    doubled, _ = add_or_words(corpus, 3, 20, 1)
    settings = Settings(model="sgns", solver="exact", dim=4, epochs=2)
    training = Training(doubled, settings, 20)
    space = lab.trained(training)
    assert len(said) == 1
    again = lab.trained(training)
    assert len(said) == 1
    np.testing.assert_array_equal(space.target, again.target)
    lab.trained(replace(training, settings=replace(settings, dim=5)))
    assert len(said) == 2
    some = lab.trained(replace(training, words=Vocabulary(doubled.choose(20).words[:9])))
    assert (len(said), len(some)) == (3, 9)


@pytest.mark.parametrize(
    ("model", "solver"),
    [("sgns", "sampled"), ("sgns", "exact"), ("glove", "sampled"), ("glove", "exact")],
)
def test_estimates_of_what_a_training_takes(corpus, model, solver, monkeypatch):
    monkeypatch.setattr("andornot.experiments.estimate.TRIAL_TOKENS", 3000)
    monkeypatch.setattr("andornot.experiments.estimate.TRIAL_SECONDS", 0.01)
    settings = Settings(model=model, solver=solver, dim=4, epochs=50)
    found = estimate(Training(corpus, settings, 5))
    assert 0 < found.seconds < 60
    words = len(corpus.choose(5))
    vectors = 4 * 2 * words * 4
    assert vectors <= found.memory <= 3 * vectors + 12 * words**2


def test_the_beginning_of_a_corpus(corpus):
    part = beginning(corpus, 100)
    assert part.size == 100
    np.testing.assert_array_equal(part.tokens, corpus.tokens[:100])
    assert part.key != corpus.key
    assert beginning(corpus, 10**9) is corpus
    assert [readable_time(s) for s in (3, 60, 7200)] == ["3 s", "1.0 min", "2.0 h"]


# --- the texts and how much of them ------------------------------------------------------------


def test_parts_of_a_text(text8):
    whole, half = (Lab("here", part=part, cache=text8).text8 for part in (1.0, 0.5))
    assert whole.corpus.size == 60_000
    assert half.corpus.size == pytest.approx(30_000, abs=200)
    text = [w.corpus.vocabulary.word(n) for w in (whole, half) for n in w.corpus.tokens[:20]]
    assert text[:20] == text[20:]
    assert whole.name == "text8, its first 74 % (60,000 words)"
    assert half.name.startswith("the beginning of text8, its first 74 % (29,")


def test_a_text_of_another_content_is_another_text(text8, monkeypatch):
    words = Lab(cache=text8).text8.corpus.vocabulary.words
    other = text8 / "other" / "corpora"
    other.mkdir(parents=True)
    (other / "text8-prefix.txt.xz").write_bytes(lzma.compress(b"quite another text " * 3000))
    monkeypatch.setenv("ANDORNOT_DATA", str(text8 / "other"))
    assert set(Lab(cache=text8).text8.corpus.vocabulary.words) == {"quite", "another", "text"}
    assert "quite" not in words


def test_what_is_trained_depends_on_every_setting(text8, monkeypatch):
    lab = Lab("here", cache=text8)
    names = {
        each.text8_training(model, solver).name
        for each in (lab, replace(lab, seed=2), replace(lab, part=0.5))
        for model in ("sgns", "glove")
        for solver in ("exact", "sampled")
    }
    assert len(names) == 12
    before = lab.text8_training("sgns", "exact").name
    monkeypatch.setitem(settings_module.RATES, ("sgns", "exact"), 0.7)
    assert lab.text8_training("sgns", "exact").name != before


def test_a_training_that_fails_leaves_no_space(corpus, tmp_path, monkeypatch):
    def diverges(*arguments, output, **options):
        output.write_bytes(b"the last good state")
        raise AndornotError("the run diverged")

    monkeypatch.setattr("andornot.experiments.lab.train", diverges)
    training = Training(corpus, Settings(solver="exact", dim=4), 5)
    lab = Lab(cache=tmp_path / "kept")
    with pytest.raises(AndornotError, match="diverged"):
        lab.trained(training)
    assert not (lab.home / training.name).exists()


def test_the_trend_of_an_experiment(monkeypatch, tmp_path):
    def made(name, lab):
        assert lab.always_train  # the default model is no part of a text
        assert lab.asks("king", "queen")
        assert not lab.asks("king", "duke")  # one of the models doesn't know it yet
        findings = (
            Finding("MRR", 0.1 * lab.part, 0.2),
            Finding("size", lab.part),
            Finding("rise", -lab.part, 0.5),
        )
        return Result(name, "T", f"{lab.part:.0%} of a text", "It is.", (), {}, findings)

    def needed(name, lab):
        assert (name, lab.part) == ("words", 0.25)  # what the first part knows is asked of all
        vocabularies = [["king", "queen", "duke"], ["queen", "king"]]
        return [SimpleNamespace(vocabulary=Vocabulary(words)) for words in vocabularies]

    monkeypatch.setattr("andornot.experiments.trend.run", made)
    monkeypatch.setattr("andornot.experiments.trend.trainings", needed)
    result = trend("words", Lab())
    assert result.tables[0].rows == (
        ("MRR", 0.025, 0.05, 0.1, 0.2),
        ("size", 0.25, 0.5, 1.0, None),
        ("rise", -0.25, -0.5, -1.0, 0.5),
    )
    assert "1 of 2 figures come nearer" in result.agreement
    assert "for rise (from -0.250 to -1.000, paper 0.500)." in result.agreement
    result.write(tmp_path / "words-trend")
    assert (tmp_path / "words-trend" / "figure.png").stat().st_size > 1000
    write_summary(tmp_path)
    assert "| MRR | 0.025 | 0.050 | 0.100 | 0.200 |" in (tmp_path / "README.md").read_text()


def test_the_whole_of_text8_serves_for_its_beginning(text8, monkeypatch):
    (text8 / "data" / "corpora" / "text8-prefix.txt.xz").unlink()
    monkeypatch.setattr("andornot.experiments.lab._PREFIX_BYTES", 100_000)
    lab = Lab("here", cache=text8 / "kept")
    assert lab.has_text8
    assert lab.text8.name.startswith("text8, its first 74 % (2")
    whole = Lab("paper", cache=text8 / "kept").text8.corpus
    size = lab.text8.corpus.size
    some, every = (
        [each.vocabulary.word(n) for n in each.tokens[:size]] for each in (lab.text8.corpus, whole)
    )
    assert some == every
    assert whole.size == 60_000


def test_a_model_that_is_named_must_be_there(tmp_path, monkeypatch):
    said = []
    monkeypatch.setenv("ANDORNOT_DATA", str(tmp_path))
    monkeypatch.setenv("ANDORNOT_BERT", str(tmp_path / "nowhere"))
    with pytest.raises(AndornotError, match="nowhere"):
        bert.bert_spaces(Lab(say=said.append))
    monkeypatch.delenv("ANDORNOT_BERT")
    assert bert.bert_spaces(Lab(say=said.append)) == {}  # no text to count
    assert said[0].startswith("without the column of BERT: ")
    assert "BERT is left out" in bert.bert_note({})
