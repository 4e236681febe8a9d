"""Categories: sets of words, written out, named or proposed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from os import PathLike
from pathlib import Path

import numpy as np
import numpy.typing as npt

from andornot.algebra.notation import quoted
from andornot.base.errors import AndornotError, FileError
from andornot.base.formatting import counted
from andornot.words.spelling import closest_spellings
from andornot.words.vocabulary import Vocabulary

WRITTEN_OUT = "written out"
_MOST_NAMED = 8  # known categories in an error
_SHOWN = 12  # words of a category in an error or a note


@dataclass(frozen=True, eq=False)
class Category:
    """A set of words of the space. Categories with the same words are equal.

    Attributes:
        ids: The ids of the words.
        words: The words.
        origin: The origin of the category: written out, named, or proposed.
        missing: Words of a named category that are not in the space.
        respelled: Words that the vocabulary spells differently: as written, and as converted.
    """

    ids: npt.NDArray[np.int64]
    words: tuple[str, ...]
    origin: str
    missing: tuple[str, ...] = ()
    respelled: tuple[tuple[str, str], ...] = ()

    def __post_init__(self) -> None:
        self.ids.flags.writeable = False

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Category) and set(self.words) == set(other.words)

    def __hash__(self) -> int:
        return hash(frozenset(self.words))

    def __str__(self) -> str:
        return "{" + ", ".join(quoted(word) for word in self.words) + "}"

    def __iter__(self) -> Iterator[str]:
        return iter(self.words)

    def __len__(self) -> int:
        return len(self.words)

    @property
    def brief(self) -> str:
        """The origin, unless the category was written out, and the first words."""
        shown = "{" + ", ".join(quoted(word) for word in self.words[:_SHOWN])
        more = len(self.words) - _SHOWN
        shown += f", and {more:,} more}}" if more > 0 else "}"
        return shown if self.origin == WRITTEN_OUT else f"{self.origin}: {shown}"


def category_of(vocabulary: Vocabulary, words: Sequence[str], origin: str) -> Category:
    """Return the category of at least two words of the vocabulary.

    >>> category_of(Vocabulary(["mother", "father"]), ["father", "mother"], "written out").words
    ('father', 'mother')
    """
    unique = tuple(dict.fromkeys(words))
    if len(unique) < 2:
        raise AndornotError(
            f"a category must have at least two words, got {counted(len(unique), 'word')} of the "
            "vocabulary; add more"
        )
    ids = np.array([vocabulary.index(word) for word in unique], dtype=np.int64)
    return Category(ids, unique, origin)


def read_categories(path: str | PathLike[str]) -> dict[str, tuple[str, ...]]:
    """Read named categories, `name: word, word, word` on each line; # begins a comment.

    For example a line `family: mother, father, aunt, uncle`.

    Raises:
        FileError: If a line is malformed, a name occurs twice, or there is no category.
    """
    from andornot.datasets.lines import text_lines

    found: dict[str, tuple[str, ...]] = {}
    lines: dict[str, int] = {}
    for number, line in enumerate(text_lines(Path(path)), start=1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        name, colon, rest = line.partition(":")
        words = tuple(word.strip() for word in rest.split(",") if word.strip())
        if not colon or not name.strip() or len(words) < 2:
            raise FileError(
                path,
                f"expected `name: word, word`, got {line[:60]!r}",
                "write a name, a colon, and two or more words separated by commas",
                line=number,
            )
        name = name.strip()
        if name in found:
            raise FileError(
                path,
                f"the category {name!r} is already in line {lines[name]:,}",
                "rename one of them, or put all words in one line",
                line=number,
            )
        found[name], lines[name] = words, number
    if not found:
        raise FileError(path, "the file has no categories", "name another file")
    return found


def find_named(name: str, known: Mapping[str, Sequence[str]], vocabulary: Vocabulary) -> Category:
    """Return a category by its name: one of `known`, or a synset of WordNet."""
    from andornot.datasets.wordnet import is_synset_name, named_synset

    if name not in known and is_synset_name(name):
        net, synset = named_synset(name)
        lemmas = dict.fromkeys(w for each in net.all_below(synset) for w in each.lemmas)
        spelled = (s for word in lemmas for s in dict.fromkeys((word, word.lower())))
        words = [word for word in spelled if word in vocabulary]
        if len(words) < 2:
            raise AndornotError(
                f"WordNet has {counted(len(words), 'word')} of the vocabulary below {name}, and a "
                "category needs two; name a wider one"
            )
        return category_of(vocabulary, words, f"what WordNet has below {name}")
    if name not in known:
        raise unknown_category(name, known, "write its words in braces: {word, word}")
    spellings = {word: vocabulary.spelling(word) for word in known[name]}
    words = [word for word in spellings.values() if word is not None]
    missing = tuple(word for word, found in spellings.items() if found is None)
    if len(set(words)) < 2:
        raise AndornotError(
            f"the category {name!r} has {counted(len(set(words)), 'word')} of the vocabulary, and "
            f"needs two; not in the space: {', '.join(missing[:_SHOWN])}"
        )
    found = category_of(vocabulary, words, f"the category {name}")
    return replace(found, missing=missing, respelled=respelled_words(spellings))


def unknown_category(name: str, known: Iterable[str], otherwise: str) -> AndornotError:
    """Return the error for a name that is not known, with similar names or other ways to go on.

    >>> print(unknown_category("famly", ["family"], "write its words"))
    unknown category 'famly'; did you mean family?
    >>> print(unknown_category("x y", ["family"], "write its words"))
    unknown category 'x y'; known are family; otherwise write its words
    """
    names = sorted(known)
    if near := closest_spellings(name, names):
        return AndornotError(f"unknown category {name!r}; did you mean {', '.join(near)}?")
    shown = f"known are {', '.join(names[:_MOST_NAMED])}; otherwise " if names else ""
    return AndornotError(f"unknown category {name!r}; {shown}{otherwise}")


def respelled_words(spelled: Mapping[str, str | None]) -> tuple[tuple[str, str], ...]:
    """Return the words that the vocabulary spells differently, with the vocabulary's spelling.

    >>> respelled_words({"Paris": "paris", "rome": "rome", "nowhere": None})
    (('Paris', 'paris'),)
    """
    return tuple(
        (word, found) for word, found in spelled.items() if found is not None and found != word
    )
