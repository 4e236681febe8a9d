"""Growing lists of people's categories: which are asked, and figures by hand."""

import os

import numpy as np
import pytest
from planted_groups import planted

from andornot import WordList, default
from andornot.datasets import locate
from andornot.datasets.category_norms import Member, read_category_norms
from andornot.experiments.jobs import list_growing
from andornot.experiments.jobs.first_words import first_ids
from andornot.growing import Grower

SIZE = 140


@pytest.fixture(scope="module")
def space():
    return planted(SIZE)


def norms(group, size):
    """Members of a planted group; two were named by equally many people."""
    words = [f"w{i}" for i in range(group, SIZE, 7) if i > 4][:size]
    named = [9, 8, 8, *range(7, 7 - len(words) + 3, -1)]
    return [
        Member(f"group {group}", word, named_by, 2.0 if place == 1 else 1.0)
        for place, (word, named_by) in enumerate(zip(words, named, strict=True))
    ]


def test_the_three_that_most_people_named_are_seeds(space):
    found = norms(1, 9)
    others = [
        Member("group 1", "two words", 99, 1.0),
        Member("group 1", "nosuchword", 99, 1.0),
        *norms(2, 7),
    ]
    (only,) = list_growing.categories([*others, *found], space, np.arange(SIZE))
    words = [each.member for each in found]
    assert [space.words[i] for i in only.seeds] == [words[0], words[2], words[1]]
    assert [space.words[i] for i in only.members] == words[3:]
    (drawn,) = list_growing.categories(found, space, np.arange(SIZE), drawn=True)
    assert {*drawn.seeds, *drawn.members} == {*only.seeds, *only.members}


def test_figures_of_a_ranking_by_hand():
    figures = list_growing.ListFigures.empty()
    known = np.array([0, 1, 2, 3, 5, 6])
    each = list_growing.ListToGrow("x", (0, 5), np.array([2, 6]))
    scores = np.array([9.0, 4.0, 3.0, 2.0, 99.0, 9.0, 1.0])  # of the known ones: 1, 2, 3, 6
    list_growing.add_first(figures, "m", scores, known, each, np.array([0, 2, 3, 5, 6]))
    assert figures.precision["m"] == [pytest.approx((1 / 2 + 2 / 4) / 2)]
    assert figures.recall["m"] == [1.0]
    assert figures.pool["m"] == [pytest.approx((1 + 2 / 3) / 2)]  # among 2, 3, 6


def test_rounds_accept_members_and_reject_others(monkeypatch):
    monkeypatch.setattr(list_growing, "SHOWN", 2)
    known = np.arange(1, 12)
    each = list_growing.ListToGrow("x", (1, 2, 3), np.array([5, 7, 11]))
    asked = []

    def score(yes, no):
        asked.append((list(yes), list(no)))
        return -np.arange(12.0)

    figures = list_growing.ListFigures.empty()
    list_growing.add_rounds(figures, "m", score, known, each)
    assert asked == [([1, 2, 3], []), ([1, 2, 3, 5], [4]), ([1, 2, 3, 5, 7], [4, 6])]
    assert figures.found["m"] == [pytest.approx(2 / 3)]  # shown: 4 5, 6 7, 8 9


def test_ours_are_the_scores_of_the_shipped_list(space):
    lists = list_growing.categories([*norms(1, 9), *norms(3, 9)], space, np.arange(SIZE))
    figures = list_growing.ListFigures.empty()
    setting = list_growing.ListSetting(0.0)
    pool = np.arange(SIZE)
    list_growing.add_ours(figures, space, lists, np.arange(SIZE), pool, (setting,))
    grower = Grower(space, wordnet=False)
    for number, each in enumerate(lists):
        words = WordList(grower, [space.words[i] for i in each.seeds])
        found = [p.word for p in words.propose(SIZE)]
        places = sorted(found.index(space.words[i]) + 1 for i in each.members)
        expected = np.mean([(n + 1) / place for n, place in enumerate(places)])
        assert figures.precision[str(setting)][number] == pytest.approx(expected)
        members = {space.words[i] for i in each.members}
        for _ in range(list_growing.ROUNDS):
            for proposal in words.propose(list_growing.SHOWN):
                words.decide(proposal.word, "yes" if proposal.word in members else "no")
        share = len(members & set(words.words)) / len(members)
        assert figures.found[str(setting)][number] == pytest.approx(share)


@pytest.mark.skipif("ANDORNOT_DATA" not in os.environ, reason="the norms are not here")
def test_the_sizes_of_the_protocol():
    space = default()
    found = list_growing.categories(
        read_category_norms(locate("category-norms")), space, first_ids(space)
    )
    assert len(found) == 91
    assert len({i for each in found for i in (*each.seeds, *each.members)}) == 1269
