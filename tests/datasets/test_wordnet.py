"""WordNet's files: a small one made on the spot, and the real one where it is."""

import os

import numpy as np
import pytest
from errors import raises
from small_wordnet import DATA, INDEX, LICENCE, written

from andornot import Logic, Space, Vocabulary
from andornot.base.errors import AndornotError, FileError
from andornot.datasets.locating import MissingSetError
from andornot.datasets.wordnet import (
    attribute_in_wordnet,
    named_synset,
    poles_in_wordnet,
    wordnet,
    wordnet_folder,
)


def test_synsets_and_what_is_below_and_beside(small_wordnet):
    net = wordnet("n")
    (dog,) = net.of("Dog")
    assert dog.lemmas == ("dog", "domestic_dog")
    (animal,) = net.of("animal")
    assert [each.lemmas[0] for each in net.all_below(animal)] == ["dog", "cat", "Poodle"]
    assert net.beside("dog") == ["dog", "cat"]
    assert net.beside("unicorn") == []
    for word in ("", "do", "og", "dog\ncat", "dog n"):
        assert net.of(word) == []
    assert named_synset("dog.n.01")[1] == dog


def test_synsets_are_categories(small_wordnet):
    words = Vocabulary(["dog", "cat", "poodle", "law"]).with_counts("rank")
    logic = Logic(Space(words, np.random.default_rng(0).normal(size=(4, 3))))
    answer = logic.ask("!dog @ animal.n.01")
    assert set(answer.words) == {"cat", "poodle"}
    assert answer.among.origin == "what WordNet has below animal.n.01"
    proposed = logic.propose_category("dog")
    assert set(proposed) == {"dog", "cat", "poodle", "law"}  # too few stand beside it
    assert proposed.origin == "nearest words of dog"
    for name, *named in [
        ("dog.n.02", "1 meaning of 'dog'", "from 01 to 01"),
        ("unicorn.n.01", "no 'unicorn'", "spelling"),
    ]:
        with raises(AndornotError, *named):
            logic.ask(f"dog @ {name}")


def test_what_stands_beside_a_word_is_proposed(small_wordnet):
    animals = ["dog", "cat", "horse", "cow", "sheep"]
    lines = "".join(f" ~ {{{kind}:08}} n 0000" for kind in animals)
    synsets = {"animal": f"03 n 01 animal 0 005{lines} | a living thing"}
    synsets |= {kind: f"03 n 01 {kind} 0 001 @ {{animal:08}} n 0000 | one" for kind in animals}
    for path, text in zip(("data.noun", "index.noun"), written(synsets), strict=True):
        (small_wordnet / path).write_text(text)
    rng = np.random.default_rng(0)
    words = Vocabulary(["law", *animals]).with_counts("rank")
    logic = Logic(Space(words, np.ones(3) + 0.1 * rng.normal(size=(6, 3))), postprocess="none")
    proposed = logic.propose_category("dog")
    assert set(proposed) == set(animals)
    assert proposed.origin == "neighbours of dog that are beside it in WordNet"


def test_adjectives_of_the_same_attribute(small_wordnet):
    noun = f"{len(LICENCE):08}"
    adjectives = {
        "hot": f"00 a 01 hot 0 002 = {noun} n 0000 & {{torrid:08}} s 0000 | not cold",
        "cold": f"00 a 01 cold 0 001 = {noun} n 0000 | not hot",
        "torrid": "00 s 02 torrid 0 very_hot 0 001 & {hot:08} a 0000 | very hot",
        "late": "00 a 01 late 0 000 | not early",
    }
    data, index = written(adjectives)
    (small_wordnet / "data.adj").write_text(data)
    (small_wordnet / "index.adj").write_text(index)
    hot, cold = (f"{data.index(f' 00 a 01 {word}') - 8:08}" for word in ("hot", "cold"))
    line = f"07 n 01 temperature 0 002 = {hot} a 0000 = {cold} a 0000 | how hot it is"
    for path, text in zip(("data.noun", "index.noun"), written({"t": line}), strict=True):
        (small_wordnet / path).write_text(text)
    assert attribute_in_wordnet("cold") == {"hot", "cold", "torrid"}
    assert attribute_in_wordnet("torrid") == {"hot", "cold", "torrid"}  # by what it is like
    assert attribute_in_wordnet("late") == frozenset()


def test_a_damaged_file_names_the_line(small_wordnet):
    (small_wordnet / "data.noun").write_text(DATA.replace("03 n 01 cat", "03 n xx cat"))
    with raises(FileError, small_wordnet / "data.noun", "WordNet's data") as caught:
        wordnet("n").of("cat")
    assert caught.value.line == 4
    (small_wordnet / "data.noun").write_text(DATA[:-200])
    wordnet.cache_clear()
    with raises(FileError, small_wordnet / "data.noun", "WordNet's data") as caught:
        wordnet("n").of("poodle")
    assert caught.value.line is not None
    (small_wordnet / "index.noun").write_text(INDEX.replace("dog n 1", "dog n many"))
    wordnet.cache_clear()
    with raises(FileError, small_wordnet / "index.noun", "WordNet's index") as caught:
        wordnet("n").of("dog")
    assert caught.value.line == 4
    (small_wordnet / "index.noun").unlink()
    wordnet.cache_clear()
    with raises(FileError, small_wordnet / "index.noun", "no such file"):
        wordnet("n")


@pytest.mark.usefixtures("empty_cache")
def test_without_wordnet():
    with raises(MissingSetError, "WordNet 3.0", "ANDORNOT_DATA", "data fetch wordnet-3.0"):
        named_synset("dog.n.01")


def test_one_that_was_fetched(small_wordnet, monkeypatch):
    monkeypatch.delenv("ANDORNOT_DATA")
    assert wordnet_folder() is None
    cache = small_wordnet.parent / "cache"
    (cache / "data").mkdir(parents=True)
    small_wordnet.rename(cache / "data" / "wordnet-3.0")
    monkeypatch.setenv("ANDORNOT_CACHE", str(cache))
    assert wordnet("n").of("dog")[0].lemmas == ("dog", "domestic_dog")


@pytest.mark.skipif(not os.environ.get("ANDORNOT_DATA"), reason="ANDORNOT_DATA isn't set")
def test_the_real_one():
    wordnet.cache_clear()
    nouns, adjectives = wordnet("n"), wordnet("a")
    (entity,) = nouns.of("entity")
    assert len(nouns.all_below(entity)) == 82115 - 1
    assert nouns.of("dog")[0].lemmas == ("dog", "domestic_dog", "Canis_familiaris")
    assert {"father", "mother"} <= set(nouns.beside("mother"))
    assert "cold" in adjectives.beside("hot")
    near, far = poles_in_wordnet("hot")
    assert {"hot", "torrid"} <= near
    assert {"cold", "frigid"} <= far
    assert "warm" in poles_in_wordnet("cool")[1]
    assert "cool" in poles_in_wordnet("cool")[0]
    below = {name for each in nouns.all_below(nouns.of("dog")[0]) for name in each.lemmas}
    assert {"poodle", "dalmatian"} <= below
