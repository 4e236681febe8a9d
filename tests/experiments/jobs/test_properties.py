"""Classes and properties: which questions are asked, and a planted answer."""

import os

import numpy as np
import pytest

from andornot import Space, Vocabulary, default
from andornot.datasets import locate
from andornot.datasets.feature_norms import Feature, read_feature_norms
from andornot.experiments import Lab
from andornot.experiments.jobs import properties
from andornot.experiments.jobs.first_words import first_ids

BIRDS = ["eagle", "owl", "duck", "crow", "swan", "hawk"]
BEASTS = ["dog", "cat", "horse", "cow", "pig", "sheep"]
TOOLS = ["hammer", "saw", "knife", "axe", "drill", "spoon"]
NAMES = ["animal", "wings", "large"]
HEADING = "Concept\tFeature\tBR_Label\tProd_Freq\n"


def planted_features():
    """Animals of which half have wings, and which half of each are large."""
    found = []
    for animals in (BIRDS, BEASTS):
        for number, animal in enumerate(animals):
            found.append(Feature(animal, "an_animal", "taxonomic", 20))
            if animals is BIRDS:
                found.append(Feature(animal, "has_wings", "visual", 20))
            if number % 2:
                found.append(Feature(animal, "is_large", "visual", 20))
    found += [Feature(tool, "a_tool", "taxonomic", 20) for tool in TOOLS]
    return [*found, Feature("bat_(animal)", "has_wings", "visual", 9)]


def planted_space():
    """Vectors that are the sums of what their words mean, with a little noise."""
    rng = np.random.default_rng(5)
    axes = {name: np.eye(4)[i] for i, name in enumerate([*NAMES, "tool"])}
    rows = [axes["animal"], axes["wings"], axes["large"], axes["tool"]]
    for animals in (BIRDS, BEASTS):
        for number in range(len(animals)):
            row = axes["animal"] + 0.8 * axes["wings"] * (animals is BIRDS)
            rows.append(row + 0.8 * axes["large"] * (number % 2))
    rows += [axes["tool"]] * len(TOOLS)
    words = [*NAMES, "tool", *BIRDS, *BEASTS, *TOOLS]
    counts = {word: 100 + i for i, word in enumerate(words)}
    vectors = np.array(rows) + 0.01 * rng.normal(size=(len(words), 4))
    return Space(Vocabulary(words).with_counts(counts), vectors, vectors)


def test_questions_have_enough_members_on_both_sides():
    space = planted_space()
    concepts, asked = properties.questions(planted_features(), space, np.arange(len(space)))
    assert [space.words[i] for i in concepts] == [*BIRDS, *BEASTS, *TOOLS]
    assert [each.name for each in asked] == ["has_wings", "is_large"]
    wings = asked[0]
    assert [space.words[i] for i in (*wings.class_words, *wings.property_words)] == [
        "animal",
        "wings",
    ]
    assert wings.in_class.sum() == 12
    assert [space.words[i] for i in concepts[wings.has_property]] == BIRDS
    known = np.array([i for i, word in enumerate(space.words) if word != "wings"])
    _, fewer = properties.questions(planted_features(), space, known)
    assert [each.name for each in fewer] == ["is_large"]


@pytest.fixture
def planted_norms(tmp_path, monkeypatch):
    path = tmp_path / "feature-norms" / "mcrae2005" / "CONCS_FEATS_concstats_brm.txt"
    path.parent.mkdir(parents=True)
    lines = ["\t".join(map(str, each)) + "\n" for each in planted_features()]
    path.write_text(HEADING + "".join(lines))
    monkeypatch.setenv("ANDORNOT_DATA", str(tmp_path))


@pytest.mark.usefixtures("planted_norms")
def test_what_is_planted_is_found():
    found = properties.run(planted_space(), Lab())
    figures = found.numbers["22 words"]
    assert figures["questions"] == 2
    assert figures["A & !B"]["raw: A - B"] == 1.0
    assert figures["area"]["raw: !B only"] == 1.0
    assert figures["A & B"]["raw: the paper's A + B"] == 1.0
    assert figures["A & !B"]["raw: ignoring B"] < 0.95
    assert figures["A & B"]["raw: A only"] < 0.95
    assert found.numbers["38,000 words"] == figures
    assert [len(table.rows[0]) for table in found.tables] == [8, 6]
    last = found.bars[-1]
    assert (last.found.value, last.reached) == (1.0, True)


@pytest.mark.skipif(not os.environ.get("ANDORNOT_DATA"), reason="ANDORNOT_DATA isn't set")
def test_the_questions_of_the_protocol():
    features = read_feature_norms(locate("feature-norms"))
    concepts, asked = properties.questions(features, default(), first_ids(default()))
    assert (len(concepts), len(asked)) == (403, 141)
    assert len({each.class_words for each in asked}) == 9
    assert len({each.name for each in asked}) == 94
