"""Sentence similarity against brute force."""

import numpy as np
import pytest
from errors import assert_names
from random_spaces import made_space

from andornot.datasets.sentence_pairs import SentencePair
from andornot.experiments import sts
from andornot.experiments.intervals import Interval
from andornot.experiments.report import Verdict
from andornot.experiments.sts_scores import YearScores, datasets_table, numbers_of


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
    assert found.change.value == pytest.approx(found.score["freq"][0] - found.score["orig"][0])

    def cosine(pair, v):
        left, right = (
            sum((v[int(word[1:])] for word in side.split() if word != "unknown"), np.zeros(8))
            for side in pair[:2]
        )
        lengths = np.linalg.norm(left) * np.linalg.norm(right)
        return left @ right / lengths if lengths else 0.0

    own = {}
    for name, v in {
        "orig": space.target,
        "freq": space.target - space.probability @ space.target,
    }.items():
        each = [
            np.corrcoef([cosine(p, v) for p in some], [p.rating for p in some])[0, 1]
            for some in (pairs[:12], pairs[12:], pairs)
        ]
        assert found.score[name] == pytest.approx((np.mean(each[:2]), each[2]), abs=1e-5)
        own[name] = each
    for number, change in enumerate(found.datasets.values()):
        assert change.value == pytest.approx(own["freq"][number] - own["orig"][number], abs=1e-5)
    table = datasets_table({"SGNS": {"STS12": found}})
    rows = [(f"STS12, {name}", str(found.datasets[name])) for name in ("one", "two")]
    assert list(table.rows) == rows


def years(*changes, rival=0.1):
    """Years with these changes to orig and unif, and a difference to a rival."""

    def about(value):
        return Interval(value, value - 0.01, value + 0.01)

    found = {}
    for number, value in enumerate(changes, start=12):
        leads = {name: about(value) for name in ("orig", "unif", "whitened")}
        leads |= {"ABTT": about(rival), "freq, text's p": about(0.02)}
        pooled = {"orig": about(-value)}
        scores = dict.fromkeys(sts.METHODS, (0.5, 0.5))
        datasets = {"MSRvid": about(value), "MSRpar": about(-0.1)}
        found[f"STS{number}"] = YearScores(scores, leads, pooled, datasets)
    return found


def test_verdicts_follow_the_intervals():
    claims = {
        name: sts.judge(numbers_of({"SGNS": each}))[0]
        for name, each in {
            "all": years(0.1, 0.1),
            "within": years(0.1, 0.005),
            "second": years(0.1, 0.1, rival=0.0),
            "none": years(0.005, -0.1),
        }.items()
    }
    assert {name: claim.verdict for name, claim in claims.items()} == {
        "all": Verdict.REPRODUCED,
        "within": Verdict.IN_PART,
        "second": Verdict.IN_PART,
        "none": Verdict.NOT,
    }
    assert claims["all"].figure == "It is the best in 2 of 2 years."
    assert_names(claims["within"].figure, "1 of 2", "orig in STS13: 0.005 [-0.005, 0.015]")
    assert_names(claims["within"].cause, "STS13", "rises in 0 of 2 datasets", "falls in 1 (MSRpar)")
    assert_names(claims["second"].figure, "0 of 2", "freq - ABTT in STS12")
    missing = sts.judge(numbers_of({"SGNS": years(0.1)}))[1:]
    assert {claim.verdict for claim in missing} == {Verdict.NOT_TESTED}


def test_several_berts_have_one_claim():
    found = {"BERT (a)": years(0.1, 0.1), "BERT (b)": years(0.1, 0.005)}
    claim = sts.judge(numbers_of(found))[2]
    assert claim.verdict == Verdict.IN_PART
    assert_names(claim.figure, "2 of 2 years for BERT (a)", "1 of 2 years for BERT (b)")
    assert_names(claim.figure, "in STS13 for BERT (b)")
    both = sts.judge(numbers_of({name: years(0.1) for name in found}))[2]
    assert both.verdict == Verdict.ELSEWHERE


def test_what_is_said_of_years():
    said = sts._agreement({"SGNS": years(0.1, 0.005, -0.1), "GloVe 6B": years(0.1)})
    counted = "it rises in 1 of 3 years, falls in 1, and no change is shown in 1"
    assert f"SGNS: from orig to freq, {counted}; over all pairs of a year, " in said
    assert "in 1 of 3 rows" in said  # not those that the paper lacks
