"""The models of a thorough lab, from the text to their tables; scores of a BERT beside PMI."""

import lzma
import math
from functools import partial

import numpy as np
import pytest
from errors import assert_names, raises
from random_spaces import made_space
from tiny_models import TEXT, write_bert, write_sts

from andornot import AndornotError
from andornot.base.choices import Scale
from andornot.cooccurrence import count
from andornot.experiments import Lab, bert, bert_pmi, masked_lm, sts_final
from andornot.experiments.bert_pmi import (
    SCORES,
    PmiCorrelation,
    PmiPairs,
    PmiScores,
    PmiStudy,
    correlation,
    correlations,
    draw_pairs,
    leads,
    scores_of,
    without_frequencies,
)
from andornot.experiments.intervals import Interval
from andornot.experiments.report import Verdict
from andornot.experiments.sts_scores import YearScores

NAMES = ["BERT (1 layer, masked LM)", "BERT (3 layers, masked LM)"]


def test_the_pairs_and_their_pmi_by_brute_force(corpus, monkeypatch):
    monkeypatch.setattr(bert_pmi, "_CONTEXTS", 3)
    counts = count(corpus, min_count=5, weights="flat")
    rng = np.random.default_rng(2)
    space = made_space([f"w{i}" for i in range(20)][::-1], rng)  # the last ten are unknown to it
    second = made_space([f"w{i}" for i in range(1, 25)], rng)  # w0 is unknown to this one
    pairs, same = draw_pairs(counts, [space, second], seed=1)
    tokens = [corpus.vocabulary.word(number) for number in corpus.tokens if number >= 0]
    met = {}
    for i, word in enumerate(tokens):
        for other in [*tokens[max(0, i - 5) : i], *tokens[i + 1 : i + 6]]:
            met[word, other] = met.get((word, other), 0) + 1
    total = sum(met.values())
    sums = {word: sum(n for (a, _), n in met.items() if a == word) for word in set(tokens)}
    word_of = space.vocabulary.word
    names = [(word_of(c), word_of(w)) for c, w in zip(*pairs[:2], strict=True)]
    in_second = second.vocabulary.word
    assert names == [(in_second(c), in_second(w)) for c, w in zip(*same[:2], strict=True)]
    expected = [math.log(met[pair] * total / (sums[pair[0]] * sums[pair[1]])) for pair in names]
    np.testing.assert_allclose(pairs.pmi, expected, atol=1e-6)
    for column, which in (("log_contexts", 0), ("log_words", 1)):
        shares = [math.log(sums[pair[which]] / total) for pair in names]
        np.testing.assert_allclose(getattr(pairs, column), shares, atol=1e-6)
    contexts = {c for c, _ in names}
    assert len(contexts) == 3
    known = set(space.vocabulary.words) & set(second.vocabulary.words)
    assert set(names) == {
        p for p, n in met.items() if n > 1 and p[0] in contexts and p[1] in known - {p[0]}
    }
    monkeypatch.setattr(bert_pmi, "_FEWEST", 10**9)
    with raises(AndornotError, "neighbours", "more text"):
        draw_pairs(counts, [space], seed=1)


def test_correlations_by_their_definition(corpus):
    counts = count(corpus, min_count=5, weights="flat")
    space = made_space(list(counts.vocabulary.words), np.random.default_rng(3))
    (pairs,) = draw_pairs(counts, [space], seed=1)
    scores = scores_of(space, pairs, 2 * pairs.pmi + 1)
    found, chance = correlations(pairs, scores)
    p = space.probability
    for score, shift in (("v.u", 0), ("v.u, centred", 1)):
        v = space.target - shift * (p @ space.target)
        u = space.context - shift * (p @ space.context)
        dots = np.array([v[c] @ u[w] for c, w in zip(*pairs[:2], strict=True)])
        expected = np.corrcoef(dots, pairs.pmi)[0, 1]
        assert found[score].plain.value == pytest.approx(expected, abs=1e-4)
        assert found[score].plain.low < found[score].plain.value < found[score].plain.high
        # with both frequencies held fixed: residuals of a regression on them
        from sklearn.linear_model import LinearRegression
        from sklearn.preprocessing import PolynomialFeatures

        known = np.stack([pairs.log_contexts, pairs.log_words], axis=1)
        known = PolynomialFeatures(2).fit_transform(known)
        both = np.stack([dots, pairs.pmi], axis=1)
        rest = both - LinearRegression().fit(known, both).predict(known)
        expected = np.corrcoef(rest.T)[0, 1]
        assert found[score].partial.value == pytest.approx(expected, abs=1e-4)
    assert found["the model's PMI"].plain.value == pytest.approx(1)
    assert found["the model's PMI"].partial.value == pytest.approx(1)
    assert chance.value == pytest.approx(-np.corrcoef(pairs.log_words, pairs.pmi)[0, 1])


def test_leads_against_draws_one_by_one():
    rng = np.random.default_rng(4)
    pmi = rng.normal(size=400)
    contexts = np.repeat(np.arange(40), 10)
    pairs = PmiPairs(contexts, contexts, pmi, rng.normal(size=400), rng.normal(size=400))
    first, second = (
        {name: pmi + noise * rng.normal(size=400) for name in SCORES} for noise in (0.5, 1.0)
    )
    found = leads(pairs, first, second)["v.u, centred"]
    rest, one, other = (
        without_frequencies(pairs, each)
        for each in (pmi, first["v.u, centred"], second["v.u, centred"])
    )
    slow = []
    for _ in range(2000):
        drawn = rng.integers(40, size=40)
        ids = (drawn[:, None] * 10 + np.arange(10)).ravel()
        slow.append(
            np.corrcoef(one[ids], rest[ids])[0, 1] - np.corrcoef(other[ids], rest[ids])[0, 1]
        )
    low, high = np.quantile(slow, (0.025, 0.975))
    assert found.low == pytest.approx(low, abs=0.2 * (high - low))
    assert found.high == pytest.approx(high, abs=0.2 * (high - low))


def test_groups_are_drawn_together():
    """One group alone goes the other way: without it the correlation is 1."""
    groups = np.repeat(np.arange(4), 5)
    x = np.tile(np.arange(5.0), 4)
    found = correlation(groups, x, np.where(groups == 3, -x, x))
    assert found.low < 0 < found.value < 1 <= found.high
    assert math.isnan(correlation(groups, x * 0, x).value)


# --- with the packages ---------------------------------------------------------------------


@pytest.fixture
def thorough(tmp_path, monkeypatch):
    """A thorough lab with a small text, small models and few steps; said: what it said."""
    for package in ("tokenizers", "transformers", "torch"):
        pytest.importorskip(package, reason="needs the extra bert")
    data = tmp_path / "data"
    write_sts(data)
    (data / "corpora").mkdir()
    text = ("\n".join(TEXT * 10) + "\n").encode()
    (data / "corpora" / "enwiki-sample.txt.xz").write_bytes(lzma.compress(text))
    monkeypatch.setenv("ANDORNOT_DATA", str(data))
    monkeypatch.setenv("ANDORNOT_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(bert_pmi, "_FEWEST", 10)
    monkeypatch.setitem(masked_lm.STEPS, Scale.HERE, 3)
    small = partial(masked_lm.MaskedLmSettings, dim=8, heads=2, words=80, length=32, batch=4)
    monkeypatch.setattr(masked_lm, "MaskedLmSettings", small)
    said = []
    lab = Lab(Scale.HERE, thorough=True, cache=tmp_path / "lab", say=said.append)
    return lab, said


@pytest.mark.slow
def test_the_models_are_trained_once_and_named_for_what_they_are(thorough, tmp_path, monkeypatch):
    lab, said = thorough
    monkeypatch.setenv("ANDORNOT_BERT", str(write_bert(tmp_path / "model")))
    spaces = bert.bert_spaces(lab)
    assert list(spaces) == ["BERT (model)", *NAMES]
    assert len(said) == 2
    again = bert.bert_spaces(lab)
    assert len(said) == 2
    for name in NAMES:
        np.testing.assert_array_equal(again[name].target, spaces[name].target)
        assert spaces[name].counts.sum() > 0
    assert_names(bert.bert_note(spaces), *NAMES, "masked LM only", "3 steps", "held-out loss")
    not_thorough = Lab(Scale.HERE, cache=lab.cache)
    assert list(bert.bert_spaces(not_thorough)) == ["BERT (model)"]


@pytest.mark.slow
def test_the_final_layers_of_a_thorough_lab(thorough, monkeypatch):
    import torch
    from transformers import BertForMaskedLM

    lab, said = thorough
    monkeypatch.delenv("ANDORNOT_BERT", raising=False)
    monkeypatch.setattr(bert, "_PACKAGE", "no_such_package")
    result = sts_final.run(lab)
    assert_names(said[0], "leaving out", "BERT")
    assert list(result.numbers["pearson"]) == NAMES
    assert [table.title for table in result.tables[:2]] == [
        f"{n}, final layer: Pearson" for n in NAMES
    ]
    assert_names(result.corpus, "1 layer ", "3 layers", "masked LM only", "held-out loss")
    found = result.numbers["correlation with PMI"]
    assert list(found) == [NAMES[0], "SGNS", f"{NAMES[0]} minus SGNS"]
    assert list(found[f"{NAMES[0]} minus SGNS"]) == list(SCORES)
    models = [found[name] for name in (NAMES[0], "SGNS")]
    assert all(list(each["scores"]) == list(SCORES) for each in models)
    chances = [each["chance"].value for each in models]
    assert chances[0] == pytest.approx(chances[1])  # both score the same pairs
    result.write(lab.home / "results")
    assert len(result.claims) == 2
    # the model's own PMI, one pair at a time
    folder = masked_lm.masked_lm(lab, 1)
    space = bert.first_layer(lab, folder)
    model = BertForMaskedLM.from_pretrained(folder.path).eval()
    rng = np.random.default_rng(1)
    contexts, words = rng.integers(len(space), size=(2, 70))
    words = np.where(space.counts[words] > 0, words, space.vocabulary.index("the"))
    got = bert_pmi.masked_pmi(folder, space, PmiPairs(contexts, words, *np.zeros((3, 70))))
    number = {token: n for n, token in space.pieces.tokens.items()}
    for value, context, word in zip(got, contexts, words, strict=True):
        c, w = (number[space.vocabulary.word(i)] for i in (context, word))
        chances = []
        for row, place in (([2, c, 4, 3], 2), ([2, 4, c, 3], 1)):
            with torch.inference_mode():
                scores = model(input_ids=torch.tensor([row])).logits[0, place]
            chances.append(torch.softmax(scores.double(), dim=0)[w].item())
        expected = math.log(np.mean(chances)) - math.log(space.probability[word])
        assert value == pytest.approx(expected, abs=1e-4)


def test_verdicts_follow_the_intervals():
    def made(signs):
        ends = {1: (0.1, 0.3), 0: (-0.1, 0.1), -1: (-0.3, -0.1)}
        years = {
            str(n): YearScores({}, dict.fromkeys(("orig", "unif"), Interval(0, *ends[s])), {}, {})
            for n, s in enumerate(signs)
        }
        moments = sts_final.TokenMoments(1)
        moments.add(np.array([1, 1]), np.array([[1.0], [3.0]]))
        return sts_final.ModelScores(years, moments)

    for signs, verdict in {
        (1, 1, 1, 1, -1): Verdict.REPRODUCED,
        (1, 1, 0, 0, -1): Verdict.IN_PART,
        (1, 0, 0, 0, -1): Verdict.NOT,
        (0, 0, 0, 0, -1): Verdict.NOT,
    }.items():
        claim = sts_final._claim({"BERT (bert-base-uncased)": made(signs)})
        assert claim.verdict == verdict
        another = sts_final._claim({"BERT (another)": made(signs)})
        assert another.verdict == {Verdict.REPRODUCED: Verdict.ELSEWHERE}.get(verdict, verdict)
        assert another.cause == claim.cause
        assert ("80 %" in claim.cause.replace("%", " %")) == (verdict != Verdict.REPRODUCED)
        said = sts_final._agreement("BERT", made(signs))
        assert_names(said, f"rises in {signs.count(1)} of 5", f"falls in {signs.count(-1)}")
    assert sts_final._pmi_claim(None).verdict == Verdict.NOT_TESTED

    def scored(low, high):
        each = Interval((low + high) / 2, low, high)
        plain = Interval(0.9, 0.8, 1.0)
        return PmiScores(dict.fromkeys(SCORES, PmiCorrelation(plain, each)), plain)

    for ours, lead, verdict in (
        ((0.5, 0.6), (0.0, 0.2), Verdict.REPRODUCED),
        ((0.4, 0.5), (-0.01, 0.01), Verdict.REPRODUCED),
        ((0.3, 0.4), (-0.2, 0.1), Verdict.IN_PART),  # it could be much lower
        ((0.1, 0.2), (-0.4, -0.2), Verdict.IN_PART),
        ((-0.1, 0.5), (-0.5, 0.1), Verdict.NOT),
        ((0.01, 0.03), (-0.4, -0.3), Verdict.NOT),
    ):
        models = {NAMES[0]: scored(*ours), "SGNS": scored(0.4, 0.5)}
        paired = dict.fromkeys(SCORES, Interval(sum(lead) / 2, *lead))
        claim = sts_final._pmi_claim(PmiStudy(models, paired))
        assert claim.verdict == verdict
        assert_names(claim.figure, "SGNS", models[NAMES[0]].scores[bert_pmi.CENTRED].partial)
