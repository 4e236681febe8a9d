"""WordNet's files: a small one made on the spot, and the real one where it is."""

import os

import numpy as np
import pytest

from andornot import Logic, Space, Vocabulary
from andornot.datasets.wordnet import beside_in_wordnet, named_synset, wordnet
from andornot.errors import AndornotError

DATA = """  1 a licence
00000001 03 n 01 animal 0 002 ~ 00000002 n 0000 ~ 00000003 n 0000 | a living thing
00000002 03 n 02 dog 0 domestic_dog 0 002 @ 00000001 n 0000 ~ 00000004 n 0000 | it barks
00000003 03 n 01 cat 0 001 @ 00000001 n 0000 | it does not
00000004 03 n 01 Poodle 0 001 @ 00000002 n 0000 | a curly one
"""
INDEX = """  1 a licence
animal n 1 1 ~ 1 1 00000001
cat n 1 1 @ 1 1 00000003
dog n 1 2 @ ~ 1 1 00000002
poodle n 1 1 @ 1 0 00000004
"""


@pytest.fixture
def small(tmp_path, monkeypatch):
    folder = tmp_path / "wordnet-3.0"
    folder.mkdir()
    for part in ("noun", "verb", "adj", "adv"):
        (folder / f"data.{part}").write_text(DATA if part == "noun" else "")
        (folder / f"index.{part}").write_text(INDEX if part == "noun" else "")
    monkeypatch.setenv("ANDORNOT_DATA", str(tmp_path))
    wordnet.cache_clear()
    beside_in_wordnet.cache_clear()
    yield folder
    wordnet.cache_clear()
    beside_in_wordnet.cache_clear()


def test_synsets_and_what_is_below_and_beside(small):
    net = wordnet("n")
    (dog,) = net.of("Dog")
    assert dog.lemmas == ("dog", "domestic_dog")
    (animal,) = net.of("animal")
    assert [each.lemmas[0] for each in net.all_below(animal)] == ["dog", "cat", "Poodle"]
    assert net.beside("dog") == ["dog", "cat"]
    assert net.beside("unicorn") == []
    assert named_synset("dog.n.01")[1] == dog


def test_synsets_are_categories(small):
    words = Vocabulary(["dog", "cat", "poodle", "law"]).with_counts("rank")
    logic = Logic(Space(words, np.random.default_rng(0).normal(size=(4, 3))))
    answer = logic.ask("!dog @ animal.n.01")
    assert set(answer.words) == {"cat", "poodle"}
    assert answer.among.origin == "what WordNet has below animal.n.01"
    for name, part in [("dog.n.02", "1 meanings of 'dog'"), ("unicorn.n.01", "0 meanings")]:
        with pytest.raises(AndornotError, match=part):
            logic.ask(f"dog @ {name}")


def test_a_damaged_file_names_the_line(small):
    (small / "data.noun").write_text(DATA + "nonsense\n")
    with pytest.raises(AndornotError, match=r"data\.noun, line 6"):
        wordnet("n")


def test_without_wordnet(monkeypatch):
    monkeypatch.delenv("ANDORNOT_DATA", raising=False)
    wordnet.cache_clear()
    with pytest.raises(AndornotError, match="WordNet isn't here: set ANDORNOT_DATA"):
        named_synset("dog.n.01")


@pytest.mark.skipif(not os.environ.get("ANDORNOT_DATA"), reason="ANDORNOT_DATA isn't set")
def test_the_real_one():
    wordnet.cache_clear()
    nouns, verbs, adjectives = wordnet("n"), wordnet("v"), wordnet("a")
    assert len(nouns.synsets) == 82115
    assert len(verbs.synsets) == 13767
    assert nouns.of("dog")[0].lemmas == ("dog", "domestic_dog", "Canis_familiaris")
    assert {"father", "mother"} <= set(nouns.beside("mother"))
    assert "cold" in adjectives.beside("hot")
    below = {name for each in nouns.all_below(nouns.of("dog")[0]) for name in each.lemmas}
    assert {"poodle", "dalmatian"} <= below
