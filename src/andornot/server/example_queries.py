"""Queries to begin with: those of the page that a space can answer, and some of its own words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from andornot.algebra import Logic
from andornot.algebra.expression import Given, Members, every_part, words_of
from andornot.algebra.notation import quoted
from andornot.algebra.parser import parse
from andornot.base.errors import AndornotError
from andornot.space import Space
from andornot.words.stop_words import is_stop_word

_OWN = {  # the default model answers them well
    "and": ("royal & woman", "ice & sport", "moon & landing", "river & bank"),
    "or": ("violin | piano", "sea | lake", "0.3*wine | 0.7*beer", "(violin | piano) & composer"),
    "not": (
        "apple & !fruit",
        "!day @ {day, night, morning, evening}",
        "!hot @ {hot, cold, warm, cool}",
        "bank & !river @ {river, money, lake, finance}",
        "!1 @ {1, 2, 3, 4, 5, 6, 7, 8, 9}",
    ),
}
_BESIDE = {"!1 @ {1, 2, 3, 4, 5, 6, 7, 8, 9}": ("-5", "-4", "-3", "-2", "-1")}
_FEWEST = 4  # examples of an operation, with those that are made
_SHOWN = 3  # words of an answer
_FUNCTION_WORDS = 0.02  # the share of the most frequent words that tell little
_MOST_SEEDS = 400
_NEIGHBOURS = 12
_SAME_START = 4  # letters that words of one stem share


@dataclass(frozen=True)
class Example:
    """A query with the first words of its answer.

    Attributes:
        query: The query.
        words: The first words of its answer.
        beside: Words that the page offers for its category.
    """

    query: str
    words: tuple[str, ...]
    beside: tuple[str, ...] = ()


def examples_of(logic: Logic) -> dict[str, list[Example]]:
    """Return examples of AND, OR and NOT that a logic answers, at least four of each if it can.

    >>> import andornot
    >>> found = examples_of(Logic(andornot.load("examples/royal.vec")))
    >>> found["and"][0].query, len(found["not"]) > 0
    ('royal & woman', True)
    """
    made = list(_made_of(logic))
    found: dict[str, list[Example]] = {}
    for number, (name, queries) in enumerate(_OWN.items()):
        known = [query for query in queries if is_known(query, logic.space)]
        turn = [*made[number :: len(_OWN)], *made]  # each operation with other words, if there are
        own = dict.fromkeys([*known, *(forms[name] for forms in turn)])
        found[name] = _answered(logic, list(own)[: max(len(known), _FEWEST)])
    return found


def is_known(query: str, space: Space) -> bool:
    """Return whether a space has every word of a query, those of its categories included.

    >>> import andornot
    >>> space = andornot.load("examples/royal.vec")
    >>> is_known("royal & woman", space), is_known("!day @ {day, night}", space)
    (True, False)
    """
    formula = parse(query)
    words = set(words_of(formula))
    for part in every_part(formula):
        if isinstance(part, Given) and isinstance(part.category, Members):
            words.update(part.category.words)
    return all(word in space for word in words)


def _answered(logic: Logic, queries: list[str]) -> list[Example]:
    """Return the queries that have an answer above zero, with its first words."""
    found = []
    for query, answer in zip(queries, logic.answer_all(queries, k=_SHOWN), strict=True):
        if isinstance(answer, AndornotError) or not answer.hits or answer.hits[0].score < 0:
            continue
        beside = tuple(word for word in _BESIDE.get(query, ()) if word in logic.space)
        found.append(Example(query, answer.words, beside))
    return found


def _made_of(logic: Logic) -> Iterator[dict[str, str]]:
    """Yield a query of each operation for words of the space, with their nearest words."""
    seeds = _seeds(logic.space)
    if not len(seeds):
        return
    rows = logic.target.of_block(logic.space.target[seeds])
    near = logic.search.nearest(rows, _NEIGHBOURS, leave_out=[[int(seed)] for seed in seeds])
    word = logic.space.vocabulary.word
    used: set[str] = set()
    for seed, ids in zip(seeds.tolist(), near.ids.tolist(), strict=True):
        own = word(seed)
        beside = [word(i) for i in ids if i >= 0]
        others = [other for other in beside if _is_word(other) and _differ(own, other)]
        if not others or used & {own, others[0]}:  # each example has words of its own
            continue
        used |= {own, *others[:3]}
        named, *beside = map(quoted, [own, *others[:3]])
        yield {
            "and": f"{named} & {beside[0]}",
            "or": f"{named} | {beside[-1]}",
            "not": f"!{named} @ {{{', '.join([named, *beside])}}}",
        }


def _seeds(space: Space) -> npt.NDArray[np.int64]:
    """Return words that examples are made of: frequent ones, without the most frequent."""
    order = np.argsort(-space.probability) if space.has_frequencies else np.arange(len(space))
    skipped = round(_FUNCTION_WORDS * min(len(space), 5_000))
    word = space.vocabulary.word
    kept = (i for i in order[skipped : skipped + 5 * _MOST_SEEDS].tolist() if _is_word(word(i)))
    chosen = [i for _, i in zip(range(_MOST_SEEDS), kept, strict=False)]
    return np.array(chosen[:: max(1, len(chosen) // 60)], dtype=np.int64)


def _is_word(text: str) -> bool:
    return text.isalpha() and len(text) >= 3 and not is_stop_word(text)


def _differ(word: str, other: str) -> bool:
    """Return whether two words seem to have different stems."""
    return word.lower()[:_SAME_START] != other.lower()[:_SAME_START]
