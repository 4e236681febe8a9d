"""Find the categories of a query in a space: written out, named, proposed, or words to rank."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from andornot.algebra.categories import (
    WRITTEN_OUT,
    Category,
    category_of,
    find_named,
    respelled_words,
    unknown_category,
)
from andornot.algebra.expression import Members, Named
from andornot.algebra.query_words import whole_word
from andornot.base.errors import AndornotError, UsageError
from andornot.base.remedies import option, remedy
from andornot.space import Space

if TYPE_CHECKING:
    from andornot.algebra.logic import Logic

_NEIGHBOURHOOD = 200  # nearest words among which WordNet chooses a category
_FEWEST_KIN = 3  # words of WordNet's choice that make a category


def find_category(
    where: Members | Named, known: Mapping[str, Sequence[str]], space: Space
) -> Category:
    """Return a category that is written out, or one by its name: see `find_named`."""
    if isinstance(where, Members):
        spelled = _spelled(where.words, space)
        found = category_of(space.vocabulary, list(spelled.values()), WRITTEN_OUT)
        return replace(found, respelled=respelled_words(spelled))
    if where.name in known:
        words = [whole_word(word, space.pieces_of) or word for word in known[where.name]]
        known = {where.name: words}
    return find_named(where.name, known, space.vocabulary)


def whole_words(words: Iterable[str], space: Space) -> tuple[str, ...]:
    """Return words as the vocabulary spells them, each once.

    Raises:
        AndornotError: If one is cut into several pieces.
    """
    return tuple(dict.fromkeys(_spelled(words, space).values()))


def words_to_rank(words: Iterable[str], space: Space) -> Category:
    """Return the category of words that an answer ranks; one word is enough."""
    spelled = _spelled(words, space)
    unique = tuple(dict.fromkeys(spelled.values()))
    if not unique:
        raise AndornotError(f"no words to rank; name some, or leave {option('among')} off")
    ids = np.array([space.vocabulary.index(word) for word in unique], dtype=np.int64)
    origin = "the words that were asked for"
    return Category(ids, unique, origin, respelled=respelled_words(spelled))


def find_among(logic: Logic, among: Iterable[str] | str) -> Category:
    """Return the category of the words to rank, or of a name.

    Raises:
        AndornotError: If a name is unknown, or there are no words.
    """
    from andornot.datasets.wordnet import is_synset_name

    if not isinstance(among, str):
        return logic.words_to_rank(among)
    is_word = logic.space.vocabulary.spelling(among) is not None
    if among in logic.categories or (is_synset_name(among) and not is_word):
        return logic.category(Named(among))
    if among.strip() and not is_word:
        otherwise = remedy(python="give a list of words", command="separate words by commas")
        raise unknown_category(among, logic.categories, otherwise)
    return logic.words_to_rank([among] if is_word else [])


def propose_category(logic: Logic, words: str | Sequence[str], size: int) -> Category:
    """Propose a category for words; see `Logic.propose_category`."""
    space = logic.space
    own = whole_words([words] if isinstance(words, str) else words, space)
    if not own:
        raise AndornotError(
            "a category is proposed for at least one word, got none; NOT of a vector turns "
            "another part of an AND away from it: a & ~x"
        )
    if size < 1:
        raise UsageError(f"size must be at least 1, got {size}")
    numbers = [space.vocabulary.index(word) for word in own]
    row = logic.target.of_block(space.target[numbers[:1]])
    near = logic.search.nearest(row, max(size, _NEIGHBOURHOOD), leave_out=[numbers])
    others = [space.vocabulary.word(int(i)) for i in near.ids[0] if i >= 0]
    from andornot.datasets.wordnet import beside_in_wordnet

    beside = beside_in_wordnet(own[0])
    kin = [word for word in others if word.lower() in beside]
    if len(kin) >= _FEWEST_KIN:
        origin = f"neighbours of {own[0]} that are beside it in WordNet"
        return category_of(space.vocabulary, [*own, *kin[:size]], origin)
    origin = f"nearest words of {own[0]}"
    return category_of(space.vocabulary, [*own, *others[:size]], origin)


def _spelled(words: Iterable[str], space: Space) -> dict[str, str]:
    """Return each word with the vocabulary's spelling of it; unknown words stay as they are."""
    found: dict[str, str] = {}
    for word in words:
        whole = whole_word(word, space.pieces_of)
        if whole is None:
            pieces = " ".join(space.pieces_of(word) or ())
            raise AndornotError(
                f"{word!r} is cut into {pieces}, and a category holds whole words of the "
                "vocabulary; leave it out"
            )
        found[whole] = space.vocabulary.spelling(whole) or whole
    return found
