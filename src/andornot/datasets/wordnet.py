"""WordNet's database files: synsets, what stands below them, and what stands beside a word."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

from andornot.datasets.lines import text_lines
from andornot.errors import AndornotError, FileError

_FILES = {"n": "noun", "v": "verb", "a": "adj", "r": "adv"}
_NAME = re.compile(r"(.+)\.([nvasr])\.(\d+)")
_DOWN, _UP = ("~", "~i"), ("@", "@i")
_SIMILAR, _ANTONYM = "&", "!"


@dataclass(frozen=True)
class Synset:
    """A meaning: its lemmas, the first the usual one, and the places of related synsets."""

    lemmas: tuple[str, ...]
    below: tuple[int, ...]
    above: tuple[int, ...]
    similar: tuple[int, ...]
    opposite: tuple[int, ...]


class WordNet:
    """The synsets of one part of speech: by the place in the file, and by lemma in order of use.

    For example `wordnet("n").of("dog")[0].lemmas` is `("dog", "domestic_dog", "Canis_familiaris")`.
    """

    def __init__(self, folder: Path, part: str) -> None:
        name = _FILES["a" if part == "s" else part]
        self.synsets = _read_data(folder / f"data.{name}")
        self._index = _read_index(folder / f"index.{name}")

    def of(self, lemma: str) -> list[Synset]:
        """The synsets of a lemma, the most usual first."""
        places = self._index.get(lemma.lower().replace(" ", "_"), ())
        return [self.synsets[place] for place in places]

    def all_below(self, synset: Synset) -> list[Synset]:
        """Every synset that stands below another, near ones first."""
        found: dict[int, Synset] = {}
        waiting = list(synset.below)
        for place in waiting:  # grows while it is walked through
            if place not in found:
                found[place] = self.synsets[place]
                waiting += found[place].below
        return list(found.values())

    def beside(self, lemma: str) -> list[str]:
        """Lemmas that share the next higher meaning of some meaning of this one, or its likeness.

        For nouns and verbs these are co-hyponyms; for adjectives, opposites and what is like
        either. One word each, those of the most usual meaning first.
        """
        names: list[str] = []
        for synset in self.of(lemma):
            near: list[int] = []
            for place in synset.above:
                near += self.synsets[place].below
            for place in (*synset.opposite, *synset.similar):
                near += [place, *self.synsets[place].similar]
            names += synset.lemmas
            names += [name for place in near for name in self.synsets[place].lemmas]
        return [name for name in dict.fromkeys(names) if "_" not in name]


@cache
def wordnet(part: str) -> WordNet:
    """The nouns (n), verbs (v), adjectives (a) or adverbs (r) of WordNet under ANDORNOT_DATA."""
    folder = wordnet_folder()
    if folder is None:
        raise AndornotError(
            "WordNet isn't here: set ANDORNOT_DATA to a folder that holds wordnet-3.0/data.noun "
            "(from https://wordnet.princeton.edu)"
        )
    return WordNet(folder, part)


def wordnet_folder() -> Path | None:
    """Where WordNet is, or None."""
    folder = Path(os.environ.get("ANDORNOT_DATA", "")) / "wordnet-3.0"
    here = bool(os.environ.get("ANDORNOT_DATA")) and (folder / "data.noun").is_file()
    return folder if here else None


@lru_cache(maxsize=64)
def beside_in_wordnet(word: str) -> frozenset[str]:
    """Words, in lower case, that stand beside one as noun, adjective or verb, where WordNet is."""
    if wordnet_folder() is None:
        return frozenset()
    return frozenset(name.lower() for part in "nav" for name in wordnet(part).beside(word))


def named_synset(name: str) -> tuple[WordNet, Synset]:
    """A synset by a name like dog.n.01: lemma, part of speech, number of the meaning."""
    match = _NAME.fullmatch(name)
    if not match:
        raise AndornotError(f"{name!r} is no name of a synset; one is dog.n.01")
    lemma, part, number = match[1], match[2], int(match[3])
    net = wordnet(part)
    meanings = net.of(lemma)
    if not 1 <= number <= len(meanings):
        raise AndornotError(f"WordNet has {len(meanings)} meanings of {lemma!r} as {part}")
    return net, meanings[number - 1]


def is_synset_name(name: str) -> bool:
    """Whether a name has the form of a synset's.

    >>> is_synset_name("dog.n.01"), is_synset_name("family")
    (True, False)
    """
    return _NAME.fullmatch(name) is not None


def _read_index(path: Path) -> dict[str, tuple[int, ...]]:
    """Lemma -> the places of its synsets in the data file."""
    index = {}
    for number, line in enumerate(text_lines(path), start=1):
        if line.startswith(" "):
            continue  # the licence
        fields = line.split()
        try:
            count = int(fields[2])
            index[fields[0]] = tuple(int(place) for place in fields[-count:])
        except (IndexError, ValueError) as error:
            raise FileError(path, "no entry of WordNet's index", "get it again", line=number) from (
                error
            )
    return index


def _read_data(path: Path) -> dict[int, Synset]:
    """Place -> synset."""
    synsets = {}
    for number, line in enumerate(text_lines(path), start=1):
        if line.startswith(" "):
            continue
        fields = line.partition(" | ")[0].split()
        try:
            words = int(fields[3], 16)
            lemmas = tuple(re.sub(r"\((a|p|ip)\)$", "", fields[4 + 2 * i]) for i in range(words))
            start = 5 + 2 * words
            links = [
                (fields[start + 4 * i], int(fields[start + 4 * i + 1]))
                for i in range(int(fields[start - 1]))
                if fields[start + 4 * i + 2] in (fields[2], "s", "a")
            ]
            synsets[int(fields[0])] = Synset(
                lemmas,
                tuple(place for kind, place in links if kind in _DOWN),
                tuple(place for kind, place in links if kind in _UP),
                tuple(place for kind, place in links if kind == _SIMILAR),
                tuple(place for kind, place in links if kind == _ANTONYM),
            )
        except (IndexError, ValueError) as error:
            raise FileError(path, "no entry of WordNet's data", "get it again", line=number) from (
                error
            )
    return synsets
