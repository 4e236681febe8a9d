"""WordNet with four synsets, in files like its own."""

import pytest

from andornot.datasets.wordnet import (
    attribute_in_wordnet,
    beside_in_wordnet,
    poles_in_wordnet,
    wordnet,
)

LICENCE = "  1 a licence\n"
SYNSETS = {  # each refers to others by the place of their line
    "animal": "03 n 01 animal 0 002 ~ {dog:08} n 0000 ~ {cat:08} n 0000 | a living thing",
    "dog": "03 n 02 dog 0 domestic_dog 0 002 @ {animal:08} n 0000 ~ {poodle:08} n 0000 | it barks",
    "cat": "03 n 01 cat 0 001 @ {animal:08} n 0000 | it does not",
    "poodle": "03 n 01 Poodle 0 001 @ {dog:08} n 0000 | a curly one",
}


def written(synsets) -> tuple[str, str]:
    """The files of data and index, with true places."""
    places = dict.fromkeys(synsets, 0)
    place = len(LICENCE)
    for name, line in synsets.items():
        places[name] = place
        place += len(f"{0:08} {line.format(**dict.fromkeys(synsets, 0))}\n")
    data = LICENCE
    for name, line in synsets.items():
        data += f"{places[name]:08} {line.format(**places)}\n"
    index = LICENCE
    for name in sorted(synsets):
        index += f"{name} n 1 1 @ 1 1 {places[name]:08}  \n"
    return data, index


DATA, INDEX = written(SYNSETS)


def forget_wordnet() -> None:
    """What was read of WordNet is read again: it may be another one, or none."""
    for each in (wordnet, beside_in_wordnet, attribute_in_wordnet, poles_in_wordnet):
        each.cache_clear()


@pytest.fixture
def small_wordnet(tmp_path, monkeypatch):
    folder = tmp_path / "wordnet-3.0"
    folder.mkdir()
    for part in ("noun", "verb", "adj", "adv"):
        (folder / f"data.{part}").write_text(DATA if part == "noun" else "")
        (folder / f"index.{part}").write_text(INDEX if part == "noun" else "")
    monkeypatch.setenv("ANDORNOT_DATA", str(tmp_path))
    forget_wordnet()
    yield folder
    forget_wordnet()
