"""Categories: sets of words, written out, named or proposed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from os import PathLike
from pathlib import Path

import numpy as np
import numpy.typing as npt

from andornot.algebra.notation import quoted
from andornot.base.errors import AndornotError, FileError
from andornot.words.spelling import closest_spellings
from andornot.words.vocabulary import Vocabulary

WRITTEN_OUT = "written out"
_SHOWN = 12  # words of a category in an error or a note


@dataclass(frozen=True, eq=False)
class Category:
    """A set of words of the space. Categories with the same words are equal.

    Attributes:
        ids: The ids of the words.
        words: The words.
        origin: The origin of the category: written out, named, or proposed.
        missing: Words of a named category that are not in the space.
        respelled: Words that were converted to lower case: as written, and as converted.
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
            f"a category must have at least two words, got {len(unique)} "
            f"word{'s' * (len(unique) != 1)} of the vocabulary; add more"
        )
    ids = np.array([vocabulary.index(word) for word in unique], dtype=np.int64)
    return Category(ids, unique, origin)


def read_categories(path: str | PathLike[str]) -> dict[str, tuple[str, ...]]:
    """Read named categories, `name: word, word, word` on each line; # begins a comment.

    For example a line `family: mother, father, aunt, uncle`.
    """
    from andornot.datasets.lines import text_lines

    found: dict[str, tuple[str, ...]] = {}
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
        found[name.strip()] = words
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
                f"WordNet has {len(words)} words of the vocabulary below {name}, and a category "
                "needs two; name a wider one"
            )
        return category_of(vocabulary, words, f"what WordNet has below {name}")
    if name not in known:
        near = closest_spellings(name, list(known))
        hint = f"; did you mean {', '.join(near)}?" if near else ""
        if not hint:
            hint = f"; known are {', '.join(sorted(known)[:8])}" if known else ""
        raise AndornotError(
            f"unknown category {name!r}{hint or '; write its words in braces: {word, word}'}"
        )
    spellings = {word: vocabulary.spelling(word) for word in known[name]}
    words = [word for word in spellings.values() if word is not None]
    missing = tuple(word for word, found in spellings.items() if found is None)
    if len(set(words)) < 2:
        raise AndornotError(
            f"the category {name!r} has {len(set(words))} words of the vocabulary, and needs two; "
            f"not in the space: {', '.join(missing[:_SHOWN])}"
        )
    found = category_of(vocabulary, words, f"named {name}")
    return replace(found, missing=missing, respelled=respelled_words(spellings))


def respelled_words(spelled: Mapping[str, str | None]) -> tuple[tuple[str, str], ...]:
    """Return the words that the vocabulary spells differently, with the vocabulary's spelling.

    >>> respelled_words({"Paris": "paris", "rome": "rome", "nowhere": None})
    (('Paris', 'paris'),)
    """
    return tuple(
        (word, found) for word, found in spelled.items() if found is not None and found != word
    )
