"""Read WordNet's database files: synsets, their hyponyms, and related words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

from andornot.base.caching import cached_property
from andornot.base.errors import AndornotError, FileError
from andornot.base.formatting import counted
from andornot.base.regular_files import read_small
from andornot.datasets.locating import find, locate

_SET = "wordnet-3.0"
GET_AGAIN = "get WordNet's files again"
_FILES = {"n": "noun", "v": "verb", "a": "adj", "r": "adv"}
_NAME = re.compile(r"(.+)\.([nvasr])\.(\d{1,4})")
_DOWN, _UP = ("~", "~i"), ("@", "@i")
_LINKS_UP = re.compile(rb" @i? (\d{8}) [nv] 0000")
_SIMILAR, _ANTONYM, _ATTRIBUTE = "&", "!", "="


@dataclass(frozen=True)
class Synset:
    """A meaning: its lemmas, the most usual first, and the offsets of related synsets.

    `attributes` link nouns and adjectives: temperature to hot and cold, and hot to temperature.
    `topic` is the number of WordNet's lexicographer file, such as animals or artefacts; `gloss` is
    the definition, without examples.
    """

    lemmas: tuple[str, ...]
    below: tuple[int, ...]
    above: tuple[int, ...]
    similar: tuple[int, ...]
    opposite: tuple[int, ...]
    attributes: tuple[int, ...]
    topic: int
    gloss: str


class WordNet:
    """The synsets of one part of speech, read from the files on demand.

    For example `wordnet("n").of("dog")[0].lemmas` is `("dog", "domestic_dog", "Canis_familiaris")`.
    """

    def __init__(self, folder: Path, part: str) -> None:
        name = _FILES["a" if part == "s" else part]
        self._index = _Lines(folder / f"index.{name}")
        self._data = _Lines(folder / f"data.{name}")
        self._read: dict[int, Synset] = {}

    def of(self, lemma: str) -> list[Synset]:
        """Return the synsets of a lemma, the most usual first."""
        return [self.synset(offset) for offset in self._entry(lemma)[0]]

    def attested(self, lemma: str) -> list[Synset]:
        """Return the synsets of a lemma that occur in WordNet's tagged texts, most usual first."""
        offsets, tagged = self._entry(lemma)
        return [self.synset(offset) for offset in offsets[:tagged]]

    def _entry(self, lemma: str) -> tuple[list[int], int]:
        """Return the offsets of the synsets of a lemma, and the number of tagged ones."""
        entry = lemma.lower().replace(" ", "_").encode(errors="replace")
        start = self._index.text.find(b"\n" + entry + b" ")
        if start < 0 or not entry or b"\n" in entry:
            return [], 0
        fields = self._index.at(start).split()
        try:
            count = int(fields[2])
            return [int(offset) for offset in fields[-count:]], int(fields[-count - 1])
        except (IndexError, ValueError) as error:
            raise self._index.damaged("not an entry of WordNet's index", start) from error

    def synset(self, offset: int) -> Synset:
        """Return the synset at an offset of the data file."""
        if offset not in self._read:
            line = self._data.at(offset)
            try:
                if int(line[:8]) != offset:
                    raise ValueError
                self._read[offset] = _synset(line)
            except (IndexError, ValueError) as error:
                raise self._data.damaged("not an entry of WordNet's data", offset) from error
        return self._read[offset]

    def __iter__(self) -> Iterator[Synset]:
        """Iterate over all synsets, in the order of the file."""
        offset = 0
        while (end := self._data.text.find(b"\n", offset + 1)) >= 0:
            if self._data.text[offset + 1 : offset + 2] not in (b" ", b""):  # the licence
                yield self.synset(offset)
            offset = end

    @cached_property
    def meanings(self) -> dict[str, tuple[int, ...]]:
        """The offsets of the synsets of every lemma, read in one pass over the index."""
        found = {}
        for line in self._index.text.decode("utf-8", "replace").splitlines():
            if line and not line.startswith(" "):  # the licence
                fields = line.split()
                try:
                    found[fields[0]] = tuple(map(int, fields[-int(fields[2]) :]))
                except (IndexError, ValueError) as error:
                    start = self._index.text.find(line.encode())
                    raise self._index.damaged("not an entry of WordNet's index", start) from error
        return found

    @cached_property
    def all_above(self) -> dict[int, tuple[int, ...]]:
        """The offsets of the direct hypernyms of each synset, read in one pass over the data."""
        found = {}
        for line in self._data.text.splitlines():
            if line[:1].isdigit():
                links = _LINKS_UP.findall(line.partition(b" | ")[0])
                if not line[:8].isdigit():
                    start = self._data.text.find(line)
                    raise self._data.damaged("not an entry of WordNet's data", start)
                found[int(line[:8])] = tuple(map(int, links))
        return found

    def all_below(self, synset: Synset) -> list[Synset]:
        """Return all synsets below another, the nearest first."""
        found: dict[int, Synset] = {}
        waiting = list(synset.below)
        for offset in waiting:  # grows during the iteration
            if offset not in found:
                found[offset] = self.synset(offset)
                waiting += found[offset].below
        return list(found.values())

    def beside(self, lemma: str) -> list[str]:
        """Return lemmas that share a direct hypernym, or a similar adjective, with this lemma.

        For nouns and verbs these are co-hyponyms; for adjectives, opposites and adjectives similar
        to either. Only single words, those of the most usual meaning first.
        """
        names: list[str] = []
        for synset in self.of(lemma):
            near: list[int] = []
            for offset in synset.above:
                near += self.synset(offset).below
            for offset in (*synset.opposite, *synset.similar):
                near += [offset, *self.synset(offset).similar]
            names += synset.lemmas
            names += [name for offset in near for name in self.synset(offset).lemmas]
        return [name for name in dict.fromkeys(names) if "_" not in name]


@cache
def wordnet(part: str) -> WordNet:
    """Return the nouns (n), verbs (v), adjectives (a) or adverbs (r) of WordNet."""
    return WordNet(locate(_SET), part)


def wordnet_folder() -> Path | None:
    """Return the folder of WordNet, or None."""
    return find(_SET)


@lru_cache(maxsize=64)
def beside_in_wordnet(word: str) -> frozenset[str]:
    """Return co-hyponyms and similar words, in lower case; none if WordNet isn't installed."""
    if wordnet_folder() is None:
        return frozenset()
    return frozenset(name.lower() for part in "nav" for name in wordnet(part).beside(word))


@lru_cache(maxsize=64)
def poles_in_wordnet(word: str) -> tuple[frozenset[str], frozenset[str]]:
    """Return adjectives similar to a word, and adjectives similar to its opposites.

    For example "torrid" is in the first for "hot", "frigid" in the second.
    """
    net = wordnet("a")
    own = _cluster(net, net.of(word))
    opposite = [net.synset(offset) for each in own for offset in each.opposite]
    near, far = (_names(_cluster(net, heads)) for heads in (own, opposite))
    return near, far - near


@lru_cache(maxsize=64)
def attribute_in_wordnet(word: str) -> frozenset[str]:
    """Return adjectives, in lower case, that describe the same attribute, and similar ones.

    For example "cold" for "hot", through temperature. The most usual meaning of the word that has
    an attribute is used.
    """
    net, nouns = wordnet("a"), wordnet("n")
    for meaning in net.of(word):
        offsets = [offset for each in _cluster(net, [meaning]) for offset in each.attributes]
        values = [net.synset(value) for n in offsets for value in nouns.synset(n).attributes]
        if values:
            return _names(_cluster(net, values))
    return frozenset()


def _cluster(net: WordNet, synsets: list[Synset]) -> list[Synset]:
    """Return synsets, each followed by its similar synsets."""
    return [s for each in synsets for s in (each, *map(net.synset, each.similar))]


def _names(synsets: list[Synset]) -> frozenset[str]:
    """Return the single-word lemmas of synsets, in lower case."""
    return frozenset(n.lower() for each in synsets for n in each.lemmas if "_" not in n)


def named_synset(name: str) -> tuple[WordNet, Synset]:
    """Return a synset by a name such as dog.n.01: lemma, part of speech, meaning."""
    match = _NAME.fullmatch(name)
    if not match:
        raise AndornotError(f"{name!r} is not the name of a synset; write it like dog.n.01")
    lemma, part, number = match[1], match[2], int(match[3])
    net = wordnet(part)
    meanings = net.of(lemma)
    if not meanings:
        raise AndornotError(f"{name}: WordNet has no {lemma!r} as {part}; check the spelling")
    if not 1 <= number <= len(meanings):
        raise AndornotError(
            f"{name}: WordNet has {counted(len(meanings), 'meaning')} of {lemma!r} as {part}; "
            f"choose a number from 01 to {len(meanings):02}"
        )
    return net, meanings[number - 1]


def is_synset_name(name: str) -> bool:
    """Return True if a name has the form of a synset's name.

    >>> is_synset_name("dog.n.01"), is_synset_name("family")
    (True, False)
    """
    return _NAME.fullmatch(name) is not None


class _Lines:
    """A file whose lines are found by their offset."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.text = b"\n" + read_small(path, GET_AGAIN)

    def at(self, offset: int) -> str:
        """Return the line that begins at an offset of the file (in `text`, one further)."""
        end = self.text.find(b"\n", offset + 1)
        return self.text[offset + 1 : end if end >= 0 else None].decode("utf-8", "replace")

    def damaged(self, problem: str, offset: int) -> FileError:
        """Return the error for the line at an offset."""
        line = self.text.count(b"\n", 0, offset + 1)
        return FileError(self._path, problem, "get it again", line=line)


def _synset(line: str) -> Synset:
    """Parse a line of the data file."""
    facts, _, text = line.partition(" | ")
    fields = facts.split()
    words = int(fields[3], 16)
    lemmas = tuple(re.sub(r"\((a|p|ip)\)$", "", fields[4 + 2 * i]) for i in range(words))
    start = 5 + 2 * words
    every = [
        (fields[start + 4 * i], int(fields[start + 4 * i + 1]), fields[start + 4 * i + 2])
        for i in range(int(fields[start - 1]))
    ]
    links = [(kind, offset) for kind, offset, part in every if part in (fields[2], "s", "a")]
    return Synset(
        lemmas,
        tuple(offset for kind, offset in links if kind in _DOWN),
        tuple(offset for kind, offset in links if kind in _UP),
        tuple(offset for kind, offset in links if kind == _SIMILAR),
        tuple(offset for kind, offset in links if kind == _ANTONYM),
        tuple(offset for kind, offset, _ in every if kind == _ATTRIBUTE),
        int(fields[1]),
        text.partition(";")[0].strip(),
    )
