"""AND of words: triples, their ranks, and what centring changes."""

from dataclasses import replace

import numpy as np
import pytest
from errors import assert_names
from random_spaces import made_space

from andornot import Space
from andornot.experiments import Lab, words
from andornot.experiments.centring import METHODS
from andornot.experiments.crowding import by_band
from andornot.experiments.frequent import sizes_of
from andornot.experiments.intervals import Interval
from andornot.experiments.report import Verdict
from andornot.experiments.triples import RELATIONS, reciprocal_ranks, triples
from andornot.experiments.variants import GLOVE_AUTO
from andornot.experiments.words import ScoreAmong, TripleScores, by_frequency


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


def mrr(space, method, asked):
    found = reciprocal_ranks(space, method, asked)
    assert {len(each) for each in found.values()} == {len(asked)}
    return {way: each.mean() for way, each in found.items()}


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
    for each in found:
        assert each.change.value == pytest.approx(each.freq - each.orig)
        assert each.change_fixed.value == pytest.approx(each.fixed - each.orig)
    assert found[-1].fixed == found[-1].freq  # all words have one mean
    moved = space.target - space.probability @ space.target
    few = [t for t in range(43) if t < 3 or t >= 33]  # the words of the triple, and the last ten
    cosines = moved[few] @ (moved[1] + moved[2]) / np.linalg.norm(moved[few], axis=1)
    assert found[0].fixed == pytest.approx(1 / np.sum(cosines >= cosines[0] - 1e-6))


def test_intervals_draw_relations():
    rng = np.random.default_rng(4)
    found = found_with(rng, 0.1, freq=0.01)
    apart = np.repeat([0.2, -0.18], 150)  # one relation rises, the other one falls
    shared = {"orig": found.reciprocal["orig"]}
    shared["freq"] = {"all words": shared["orig"]["all words"] + apart}
    alone = found._replace(reciprocal=shared)
    related = alone._replace(relations=["E01"] * 150 + ["E02"] * 150)
    assert alone.change().value == related.change().value == pytest.approx(0.01)
    assert related.change().high > alone.change().high + 0.1
    row = words._relations_table({"SGNS": related}).rows[0]
    assert row[1:3] == (pytest.approx(0.2), pytest.approx(-0.18))
    assert set(row[3:]) == {None}


def row(words, orig, freq, width=0.02):
    change = freq - orig
    around = Interval(change, change - width, change + width)
    return ScoreAmong(words, orig, freq, around, freq, around)


def test_verdicts_speak_of_intervals_that_exclude_0():
    said = words.verdict(
        {
            "SGNS": [row(5, 0.1, 0.15), row(9, 0.1, 0.2)],
            "GloVe": [row(5, 0.1, 0.2), row(6, 0.1, 0.11), row(9, 0.2, 0.1)],
            "BERT": [row(5, 0.1, 0.2), row(9, 0.1, 0.11)],
        }
    )
    up, chance, down, paper, depends = said
    assert_names(up, "raises", "SGNS")
    assert_names(chance, "No change", "BERT", "0")
    assert_names(down, "lowers", "GloVe")
    assert_names(paper, "paper", "raises")
    assert_names(depends, "GloVe and BERT")
    assert "SGNS" not in depends


def found_with(rng, orig, **changes):
    """Ranks of 300 triples: 1/rank of about `orig`, changed by so much for each method."""
    base = orig + 0.02 * rng.normal(size=300)
    methods = dict.fromkeys(METHODS, base)
    for name, change in changes.items():
        methods[name] = base + change + 0.02 * rng.normal(size=300)
    reciprocal = {name: {"all words": values} for name, values in methods.items()}
    change = Interval(0.0, 0.0, 0.0)
    last = ScoreAmong(9, orig, orig + changes["freq"], change, orig, change)
    bands = by_band(made_space([f"w{i}" for i in range(30)], rng, dim=5), [(0, 1)])
    relations = [str(n) for n in range(300)]
    return TripleScores(relations, reciprocal, [last], bands)


def claims_on(models):
    """The claims, by a part of their text."""
    claims = words.judge(words._numbers(models))
    rise, best = ([c for c in claims if part in c.what] for part in ("rises from", "is the best"))
    return {c.what.split(", ")[1].split(":")[0]: c for c in rise}, best, claims[-1]


def test_claims_follow_the_intervals():
    rng = np.random.default_rng(1)
    model = {
        "as much": found_with(rng, 0.067, freq=0.012),
        "less": found_with(rng, 0.067, freq=0.006),
        "nothing": found_with(rng, 0.067, freq=0.0, unif=0.01),
        "down": found_with(rng, 0.067, freq=-0.01),
    }
    claims = {name: claims_on({"GloVe": each}) for name, each in model.items()}
    rises = {name: rise["GloVe"] for name, (rise, _, _) in claims.items()}
    assert {name: claim.verdict for name, claim in rises.items()} == {
        "as much": Verdict.REPRODUCED,
        "less": Verdict.IN_PART,
        "nothing": Verdict.NOT,
        "down": Verdict.NOT,
    }
    assert rises["as much"].cause == ""
    assert str(model["down"].change()) in rises["down"].figure
    assert claims["down"][0]["BERT"].verdict == Verdict.NOT_TESTED
    best, second = (claims[name][1][0] for name in ("as much", "nothing"))
    assert best.verdict == Verdict.REPRODUCED
    assert_names(second.figure, "(unif)")
    assert second.verdict == Verdict.NOT


def test_several_berts_have_one_claim():
    rng = np.random.default_rng(5)
    models = {"BERT (a)": found_with(rng, 0.04, freq=0.03)}
    rise, (_, best), _ = claims_on(models)
    assert rise["BERT"].verdict == best.verdict == Verdict.ELSEWHERE
    models["BERT (b)"] = found_with(rng, 0.04, freq=-0.03)
    rise, (_, best), _ = claims_on(models)
    assert rise["BERT"].verdict == best.verdict == Verdict.IN_PART
    assert_names(rise["BERT"].figure, "rises for 1 of 2", "falls for 1", "of BERT (a)")
    assert_names(best.figure, "the best for 1 of 2", "of BERT (a)")


def test_causes_name_relations_and_vocabularies():
    rng = np.random.default_rng(6)
    found = found_with(rng, 0.067, freq=-0.01)
    found = found._replace(relations=["E01"] * 150 + ["E02"] * 150)
    found.reciprocal["freq"]["all words"][:150] += 0.05
    rise, _, _ = claims_on({"GloVe": found})
    by_relation = found.by_relation()
    assert_names(rise["GloVe"].cause, f"{by_relation['capital']:.3f} (capital)", "(language)")
    numbers = words._numbers({"GloVe": found})
    del numbers["freq - orig by relation"], numbers["freq / orig"]  # of older results
    assert words.judge(numbers)[1].cause == "Not known."


def test_the_model_with_the_papers_minimal_count_is_judged():
    rng = np.random.default_rng(7)
    models = {"SGNS": found_with(rng, 0.1, freq=0.05), "GloVe": found_with(rng, 0.1, freq=0.05)}
    models["SGNS, minimal count of 5"] = found_with(rng, 0.1, freq=0.02)
    rise, _, uniform = claims_on(models)
    assert_names(rise["SGNS"].figure, "minimal count of 5", "by 0.02")
    assert rise["SGNS"].verdict == Verdict.IN_PART
    assert "minimal" not in rise["GloVe"].figure
    assert_names(uniform.figure, models["SGNS, minimal count of 5"].change(since="unif"))
    assert "Rare words" not in rise["SGNS"].cause  # they lower the ratio
    models["SGNS, minimal count of 2"] = rare = found_with(rng, 0.1, freq=0.15)
    cause = claims_on(models)[0]["SGNS"].cause
    assert_names(cause, "a minimal count of 2", rare.ratio(), models["SGNS"].ratio(), "2.5")


def test_the_ratio_against_its_definition():
    rng = np.random.default_rng(8)
    found = found_with(rng, 0.1, freq=0.1)
    orig, freq = (found.reciprocal[name]["all words"] for name in ("orig", "freq"))
    ratio = found.ratio()
    assert ratio.value == pytest.approx(freq.mean() / orig.mean())
    draws = rng.integers(300, size=(1000, 300))
    low, high = np.quantile(freq[draws].mean(1) / orig[draws].mean(1), (0.025, 0.975))
    assert (ratio.low, ratio.high) == pytest.approx((low, high), abs=0.15 * (high - low))


def test_variants_are_compared_on_the_triples_of_both():
    rng = np.random.default_rng(9)
    names = [(f"x{n}", "y", f"z{n}") for n in range(300)]
    base = found_with(rng, 0.1, freq=0.0)._replace(names=names)
    varied = found_with(rng, 0.1, freq=0.1)._replace(names=names)
    rows = [*range(200), *range(250, 300)]
    same = base.differences()[rows]
    said = words._what_changes("SGNS, minimal count of 5", base, varied)
    assert_names(said, base.change(), varied.change(), "accounts for")
    fewer = base._replace(names=names[:200] + [("other",)] * 50 + names[250:])
    said = words._what_changes("SGNS, minimal count of 5", fewer, varied)
    assert_names(said, f"{same.mean():.3f} [", f"{varied.differences()[rows].mean():.3f} [")


def test_the_claim_on_uniform_centring():
    rng = np.random.default_rng(2)
    for unif, verdict in ((0.03, Verdict.NOT), (0.01, Verdict.REPRODUCED), (0.0, Verdict.NOT)):
        found = found_with(rng, 0.1, freq=0.01, unif=unif)
        _, _, claim = claims_on({"SGNS": found})
        assert claim.verdict == verdict
        assert_names(claim.figure, found.change(since="unif"))
    found = found_with(rng, 0.02, freq=0.0, unif=0.0)
    assert claims_on({"SGNS": found})[2].verdict == Verdict.IN_PART  # an interval above 5 %
    assert claims_on({"GloVe": found})[2].verdict == Verdict.NOT_TESTED


def test_the_experiment_with_another_x_max(bats, monkeypatch, tmp_path):
    """The whole way, with planted spaces in place of trained ones."""
    rng = np.random.default_rng(3)
    names = ["bangkok", "thailand", "capital", "paris", "france", *(f"w{i}" for i in range(40))]
    spaces = {name: made_space(names, rng, dim=10) for name in ("SGNS", "GloVe")}
    monkeypatch.setattr(Lab, "wiki_spaces", lambda lab: spaces)
    monkeypatch.setattr(Lab, "wiki_corpus", "a made-up text")
    monkeypatch.setattr(Lab, "trained", lambda lab, training: spaces["SGNS"])
    monkeypatch.setattr(words, "glove_auto", lambda lab: {GLOVE_AUTO: None})
    for name in ("bert_spaces", "glove_6b_spaces"):
        monkeypatch.setattr(words, name, lambda lab: {})
    result = words.run(Lab())
    assert result.numbers["triples"] == {"SGNS": 2, "GloVe": 2, GLOVE_AUTO: 2}
    first = [row[0] for row in result.tables[0].rows]
    both = [f"{model}, {whose}" for model in spaces for whose in ("ours", "paper")]
    assert first == [*both, f"{GLOVE_AUTO}, ours"]
    assert len(result.tables[-2].rows) == 15  # five bands for each
    assert_names(result.agreement.splitlines()[-1], "With x_max in proportion to the text")
    assert [claim.verdict for claim in result.claims].count(Verdict.NOT_TESTED) == 2  # of BERT
    result.write(tmp_path / "out")  # JSON, and a figure
    papers = {each.what for each in result.findings if each.paper is not None}
    assert not any(GLOVE_AUTO in what for what in papers)
