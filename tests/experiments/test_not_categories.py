"""NOT in the categories of WordNet."""

from dataclasses import replace

import numpy as np
import pytest
from random_spaces import made_space
from small_wordnet import LICENCE, forget_wordnet, written

from andornot import Logic
from andornot.datasets.locating import MissingSetError
from andornot.experiments import Lab, negation, not_categories
from andornot.experiments.not_categories import (
    FRAMES,
    NOT,
    SplitCategory,
    area_under_curve,
    negate_categories,
    questions,
    scores,
)

KINDS = {"fish": [f"f{i}" for i in range(10)], "bird": [f"b{i}" for i in range(8)]}


@pytest.fixture
def fish_and_birds(tmp_path, monkeypatch):
    """WordNet with two children of animal, a word below both, and a child with too few words."""
    below = KINDS | {"worm": ["w0", "w1"]}
    synsets = {"animal": _line("animal", below)}
    for name, words in below.items():
        synsets[name] = _line(name, words)
        synsets |= {word: _line(word, []) for word in words}
    synsets["b8"] = "03 n 01 f0 0 000 | f0 again"  # f0 is a bird too
    synsets["bird"] = _line("bird", [*KINDS["bird"], "b8"])
    folder = tmp_path / "wordnet-3.0"
    folder.mkdir()
    data, index = written(synsets)
    for part in ("noun", "verb", "adj", "adv"):
        (folder / f"data.{part}").write_text(data if part == "noun" else LICENCE)
        (folder / f"index.{part}").write_text(index if part == "noun" else LICENCE)
    monkeypatch.setenv("ANDORNOT_DATA", str(tmp_path))
    forget_wordnet()
    yield
    forget_wordnet()


def _line(name, below):
    links = "".join(f" ~ {{{each}:08}} n 0000" for each in below)
    return f"03 n 01 {name} 0 {len(below):03}{links} | a gloss"


@pytest.fixture
def space():
    rng = np.random.default_rng(3)
    words = ["animal", *KINDS, "worm", "w0", "w1", *KINDS["fish"], *KINDS["bird"], "law"]
    return made_space(words, rng)


@pytest.mark.usefixtures("fish_and_birds")
def test_the_halves_of_a_category(space):
    asked = questions(space, seed=1)
    names = [
        [{space.vocabulary.word(i) for i in ids} for ids in question[1:]] for question in asked
    ]
    # f0 is below both, worm and its kinds are too few to be negated
    fish, bird = {"fish", *KINDS["fish"][1:]}, {"bird", *KINDS["bird"]}
    worm = {"worm", "w0", "w1"}
    assert len(asked) == 2
    assert len({question.synset for question in asked}) == 1
    for (negated, others, held_negated, held_others), child, rest in zip(
        names, (fish, bird), (bird | worm, fish | worm), strict=True
    ):
        assert negated | held_negated == child
        assert others | held_others == rest
        assert not negated & held_negated
        assert not others & held_others
        assert abs(len(negated) - len(held_negated)) <= 1
        assert abs(len(others) - len(held_others)) <= 1
    again, other = questions(space, seed=1), questions(space, seed=2)
    assert all(np.array_equal(a.negated, b.negated) for a, b in zip(asked, again, strict=True))
    assert not all(np.array_equal(a.negated, b.negated) for a, b in zip(asked, other, strict=True))
    few = questions(space, 1, asks=lambda *words: not words[0].startswith("b"))
    assert few == []  # no bird, and of the worms too few


@pytest.mark.usefixtures("fish_and_birds")
def test_planted_children_are_told_apart(space):
    rng = np.random.default_rng(4)
    target = np.array(space.target)
    far = 9 * rng.normal(size=8)
    for number, kind in enumerate(KINDS):
        ids = [space.vocabulary.index(word) for word in (kind, *KINDS[kind])]
        target[ids] += (2 * number - 1) * far
    planted = negate_categories(replace(space, target=target.astype(np.float32)), seed=1)
    for frame in FRAMES:
        assert planted.interval(frame, NOT).value == 1
    assert planted.sizes == [22, 22]
    assert planted.largest_share[0] > planted.largest_share[1]
    random = negate_categories(space, seed=1)
    assert random.interval("as trained", NOT).value < 0.8
    lead = random.lead("as trained", "nearest centroid")
    areas = random.areas["as trained"]
    assert lead.value == pytest.approx(np.mean(areas[NOT] - areas["nearest centroid"]))


def test_the_area_under_the_curve_by_brute_force():
    rng = np.random.default_rng(5)
    for _ in range(20):
        positives, others = rng.integers(1, 9, size=2)
        found = rng.integers(0, 6, size=positives + others).astype(float)  # many are equal
        pairs = [(a > b) + (a == b) / 2 for a in found[:positives] for b in found[positives:]]
        assert area_under_curve(found, int(positives)) == pytest.approx(np.mean(pairs))


def test_the_scores_are_those_of_the_library_and_the_theorem():
    """NOT of B within A has the direction v_A - v_B, and that of the rest seen from A."""
    rng = np.random.default_rng(6)
    space = made_space([f"w{i}" for i in range(14)], rng)
    ids = rng.permutation(12)
    question = SplitCategory(0, ids[:3], ids[3:6], ids[6:9], ids[9:])
    names = [[space.vocabulary.word(i) for i in each] for each in question[1:]]
    members = f"{{{', '.join(names[0] + names[1])}}}"
    for weights, method in (("uniform", NOT), ("frequency", "NOT with weights p")):
        logic = Logic(space, weights=weights)
        concept = logic.concept(f"!({' | '.join(names[0])}) @ {members}")
        direction, origin, _ = concept.computed
        w = space.probability if weights == "frequency" else np.ones(len(space))
        rows = logic.target(space.target).astype(np.float64)
        means = [np.average(rows[each], axis=0, weights=w[each]) for each in (ids[:3], ids[:6])]
        factor = w[ids[:3]].sum() / w[ids[3:6]].sum()  # pi / (1 - pi)
        np.testing.assert_allclose(direction, factor * (means[1] - means[0]), atol=1e-5)
        found = scores(rows, space.probability, question)[method]
        held_out = np.concatenate([ids[9:], ids[6:9]])
        for score, word in zip(found, held_out, strict=True):
            away = rows[word] - origin
            cosine = away @ direction / np.linalg.norm(away)
            assert score * factor == pytest.approx(cosine, abs=1e-4)


def test_other_methods_against_their_definitions():
    rng = np.random.default_rng(7)
    rows = rng.normal(size=(12, 5))
    ids = np.arange(12)
    found = scores(rows, np.ones(12), SplitCategory(0, ids[:3], ids[3:6], ids[6:9], ids[9:]))
    negated, others, category = (rows[part].mean(0) for part in (ids[:3], ids[3:6], ids[:6]))

    def cosine(a, b):
        return a @ b / np.linalg.norm(a) / np.linalg.norm(b)

    rest = category - cosine(category, negated) * np.linalg.norm(category) * negated / (
        np.linalg.norm(negated)
    )
    assert rest @ negated == pytest.approx(0)
    for place, word in enumerate([9, 10, 11, 6, 7, 8]):
        row = rows[word]
        centroid = cosine(row, others) - cosine(row, negated)
        assert found["nearest centroid"][place] == pytest.approx(centroid, abs=1e-5)
        orthogonal = cosine(row, rest) * np.linalg.norm(rest)
        assert found["orthogonal negation"][place] == pytest.approx(orthogonal, abs=1e-5)


def test_without_wordnet_the_part_is_left_out(space, tmp_path, monkeypatch):
    monkeypatch.setenv("ANDORNOT_DATA", str(tmp_path / "none"))
    monkeypatch.setenv("ANDORNOT_CACHE", str(tmp_path / "cache"))
    forget_wordnet()
    with pytest.raises(MissingSetError):
        negate_categories(space, seed=1)
    told = []
    found, said = negation._categories(Lab(say=told.append), space)
    assert found is None
    assert "wordnet-3.0" in said[0]
    assert "wordnet-3.0" in told[0]


@pytest.mark.usefixtures("fish_and_birds")
def test_what_is_said_has_the_differences_of_the_table(space):
    found = negate_categories(space, seed=1)
    said, table = " ".join(not_categories.said_of(found)), not_categories.table_of(found)
    assert str(found.interval("frequency-centred", NOT)) in said
    for row in table.rows[1:]:
        assert row[0] in said
        assert [row[2], row[4]] == [str(found.lead(frame, row[0])) for frame in FRAMES]
    assert not_categories.numbers_of(found)["synsets"] == 1
