"""The rank of a word for the OR of its kinds."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from random_spaces import made_space

from andornot import Logic
from andornot.experiments.or_ranks import (
    AS_TRAINED,
    BY_P,
    EXACT,
    POWERS,
    UNIFORM,
    WAYS,
    draw_tuples,
    reciprocal_ranks,
    said_of,
    senses_of,
    senses_table,
    table_of,
)
from andornot.experiments.or_tuples import OrWord

ASKED = [OrWord(0, (3, 4)), OrWord(1, (5, 6, 7)), OrWord(2, (8, 29))]


@pytest.fixture
def space():
    """Words whose frequencies differ a hundredfold, so that weights matter."""
    words = [f"w{i}" for i in range(40)]
    counts = {word: 10 + 300 * (i % 7) for i, word in enumerate(words)}
    return made_space(words, np.random.default_rng(1), counts=counts)


def test_ranks_against_a_brute_force_ranking(space):
    p, rows = space.probability, space.target.astype(np.float64)
    frames = {"": rows - p @ rows, AS_TRAINED: rows}
    found = reciprocal_ranks(space, ASKED)
    exact = Logic(space, postprocess="frequency", exact=True)
    for number, (whole, kinds) in enumerate(ASKED):
        queries = {
            f"{way}{frame}": np.average(each[list(kinds)], axis=0, weights=p[list(kinds)] ** power)
            for way, power in POWERS.items()
            for frame, each in frames.items()
        }
        queries[EXACT] = exact.concept(" | ".join(f"w{kind}" for kind in kinds)).vector
        assert queries.keys() == set(WAYS)
        for way, query in queries.items():
            similar = {
                word: row @ query / np.linalg.norm(row)
                for word, row in enumerate(frames[AS_TRAINED if way.endswith(AS_TRAINED) else ""])
                if word not in kinds
            }
            order = sorted(similar, key=lambda word: -similar[word])
            assert found.ways[way][number] == pytest.approx(1 / (order.index(whole) + 1))
    assert found.tuples == 3
    assert len({tuple(each) for each in found.ways.values()}) > 1  # weights make a difference


@pytest.mark.parametrize("way", list(POWERS))
def test_a_planted_or_is_found_first_by_its_own_weights(space, way):
    p, target = space.probability, np.array(space.target)
    for whole, kinds in ASKED:
        weights = p[list(kinds)] ** POWERS[way]
        target[whole] = weights @ target[list(kinds)] / weights.sum()
    planted = reciprocal_ranks(replace(space, target=target.astype(np.float32)), ASKED)
    assert planted.interval(way) == (1, 1, 1)


def test_a_planted_union_of_exponentials_is_found_first_by_the_exact_mode(space):
    # as many dimensions as contexts: every union of exponentials has a vector
    rng = np.random.default_rng(2)
    context = rng.normal(size=(40, 40))
    scores = rng.normal(size=(40, 40))
    p = space.probability
    for whole, kinds in ASKED:
        weights = p[list(kinds)] / p[list(kinds)].sum()
        scores[whole] = np.log(weights @ np.exp(scores[list(kinds)]))
    target = np.linalg.solve(context, scores.T).T
    planted = replace(space, target=target, context=context)
    found = reciprocal_ranks(planted, ASKED)
    assert found.interval(EXACT) == (1, 1, 1)


def test_differences_are_to_weights_p_tuple_by_tuple(space):
    found = reciprocal_ranks(space, ASKED)
    lead = found.lead("uniform weights")
    assert lead.value == pytest.approx(
        found.interval("uniform weights").value - found.interval(BY_P).value
    )
    assert found.lead(BY_P) == (0, 0, 0)
    table = table_of("SGNS", {"WordNet (noun)": found})
    assert [row[0] for row in table.rows] == [*WAYS, "tuples"]
    trained = found.lead(f"uniform weights{AS_TRAINED}")
    assert trained.value == pytest.approx(
        found.interval(f"uniform weights{AS_TRAINED}").value
        - found.interval(f"{BY_P}{AS_TRAINED}").value
    )
    assert table.rows[2][2] == str(lead)
    assert table.rows[-1][1] == 3
    said = " ".join(said_of({"SGNS": {"WordNet (noun)": found}}))
    assert all(way.lower() in said.lower() for way in (*POWERS, EXACT))


def test_leads_by_the_senses_of_the_heaviest_kind(space, monkeypatch):
    meanings = {f"w{i}": tuple(range(i)) for i in range(40)}
    monkeypatch.setattr(
        "andornot.experiments.or_ranks.wordnet", lambda part: SimpleNamespace(meanings=meanings)
    )
    senses = senses_of(space, ASKED, "n")
    heaviest = [max(kinds, key=lambda kind: space.probability[kind]) for _, kinds in ASKED]
    assert senses.tolist() == heaviest  # w7 has seven senses
    found = reciprocal_ranks(space, ASKED)
    assert found.lead_by_senses(UNIFORM, 1, 9) is None
    known = found._replace(senses=np.array([1, 3, 3]))
    gaps = known.ways[UNIFORM] - known.ways[BY_P]
    assert known.lead_by_senses(UNIFORM, 2, 4).value == pytest.approx(gaps[1:].mean())
    (row,) = senses_table({"SGNS": {"nouns": known, "others": found}}).rows
    assert row[0] == "SGNS, nouns"
    assert row[3] == ""  # no tuple has five senses


def test_some_tuples_are_drawn_in_their_order():
    many = [OrWord(i, (i + 1, i + 2)) for i in range(50)]
    some = draw_tuples(many, 10, seed=1)
    assert len(some) == 10
    assert some == sorted(some)
    assert some != draw_tuples(many, 10, seed=2)
    assert draw_tuples(many, 99, seed=1) == many
