"""A word list that grows: seeds, accepted and rejected words, and the next proposals."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from andornot.algebra.filters import WordFilter
from andornot.base import defaults
from andornot.base.arguments import shown
from andornot.base.choices import Decision
from andornot.base.errors import AndornotError, UsageError
from andornot.growing.grower import Grower
from andornot.search import check_k, largest
from andornot.space import Space

Ids = npt.NDArray[np.int64]
_ROLES = {
    Decision.SEED: "an example",
    Decision.YES: "an accepted word",
    Decision.NO: "a rejected word",
    Decision.SKIP: "a skipped word",
}


@dataclass(frozen=True, slots=True)
class Proposal:
    """A word that may belong to the list.

    Attributes:
        word: The word.
        score: Roughly the log-odds that it belongs to the list; see `Grower.scores`.
        frequency: Its occurrences per million words, or None without frequencies.
        nearest: The nearest seed.
    """

    word: str
    score: float
    frequency: float | None
    nearest: str


class WordList:
    """A word list with accepted and rejected words, which proposes the next words.

    It is deterministic: the same decisions, in any order, lead to the same proposals.

    >>> import andornot
    >>> space = andornot.load("examples/royal.vec").with_counts("examples/royal.counts")
    >>> words = WordList(space, ["king", "queen"], wordnet=False)
    >>> [each.word for each in words.propose(2)]
    ['royal', 'prince']
    >>> words.accept("prince")
    >>> words.reject("royal")
    >>> words.words, words.rejected
    (('king', 'queen', 'prince'), ('royal',))
    >>> words.propose(1)[0].word in ("prince", "royal")
    False
    """

    def __init__(
        self,
        space: Space | Grower,
        seeds: Iterable[str],
        *,
        accepted: Iterable[str] = (),
        rejected: Iterable[str] = (),
        wordnet: bool | None = None,
    ) -> None:
        """Start a list.

        Args:
            space: The vectors, or a Grower, which several lists can share.
            seeds: The first words of the list, at least one. A word that the vocabulary
                has only in lower case is converted.
            accepted: Other words of the list.
            rejected: Words that do not belong to it.
            wordnet: Use WordNet's hypernyms. Default: use them if WordNet is installed. Not
                allowed with a Grower.

        Raises:
            UnknownWordError: If a word is unknown.
            UsageError: If there are no seeds, a word is both accepted and rejected, or a string
                is given instead of a list.
        """
        if isinstance(space, Grower) and wordnet is not None:
            raise UsageError("wordnet can't be combined with a Grower; set it in the Grower")
        given = {"seeds": seeds, "accepted": accepted, "rejected": rejected}
        for name, words in given.items():
            if isinstance(words, str):
                raise UsageError(
                    f"{name} must be a list of words, got {shown(words)}; split it into words"
                )
        self.grower = space if isinstance(space, Grower) else Grower(space, wordnet=wordnet)
        self.space = self.grower.space
        self._decisions: dict[int, Decision] = {}
        self._respelled: dict[str, str] = {}
        for words, decision in (
            (seeds, Decision.SEED),
            (accepted, Decision.YES),
            (rejected, Decision.NO),
        ):
            for word in words:
                self.decide(word, decision)
        if not self.seeds:
            raise UsageError("a list needs at least one word; name one")

    # --- decisions -------------------------------------------------------------------------

    def accept(self, word: str) -> None:
        """Add a word to the list."""
        self.decide(word, Decision.YES)

    def reject(self, word: str) -> None:
        """Record that a word does not belong to the list."""
        self.decide(word, Decision.NO)

    def skip(self, word: str) -> None:
        """Leave a word undecided, and don't propose it again. Nothing is learnt from it."""
        self.decide(word, Decision.SKIP)

    def undo(self, word: str) -> None:
        """Undo the decision about a word."""
        number = self._number(word)
        if self._decisions.get(number, Decision.SEED) == Decision.SEED:
            raise AndornotError(f"there is no decision about {word!r} to undo; name another word")
        del self._decisions[number]

    def decide(self, word: str, decision: Decision) -> None:
        """Decide about a word.

        Raises:
            UnknownWordError: If it is unknown.
            UsageError: If another decision exists, or the decision is unknown.
        """
        if decision not in tuple(Decision):
            raise UsageError(f"unknown decision {decision!r}; choose one of {', '.join(Decision)}")
        number = self._number(word)
        before = self._decisions.get(number, decision)
        inside = (Decision.SEED, Decision.YES)
        if before in inside and decision in inside:
            decision = before
        elif before != decision:
            kept = "decide on one, or undo the first"
            if Decision.SEED in (before, decision):
                kept = "remove it from one"
            raise UsageError(f"{word!r} is {_ROLES[before]} and {_ROLES[decision]}; {kept}")
        self._decisions[number] = decision

    def _number(self, word: str) -> int:
        vocabulary = self.space.vocabulary
        spelled = vocabulary.spelling(word) if isinstance(word, str) else None
        if spelled is not None and spelled != word:
            self._respelled[word] = spelled
        return vocabulary.index(word if spelled is None else spelled)

    def _with(self, *decisions: Decision) -> list[int]:
        return [number for number, found in self._decisions.items() if found in decisions]

    def _words_with(self, *decisions: Decision) -> tuple[str, ...]:
        return tuple(self.space.vocabulary.word(number) for number in self._with(*decisions))

    @property
    def seeds(self) -> tuple[str, ...]:
        """The seeds of the list."""
        return self._words_with(Decision.SEED)

    @property
    def words(self) -> tuple[str, ...]:
        """The list: seeds and accepted words, in the order of the decisions."""
        return self._words_with(Decision.SEED, Decision.YES)

    @property
    def rejected(self) -> tuple[str, ...]:
        """The rejected words."""
        return self._words_with(Decision.NO)

    @property
    def skipped(self) -> tuple[str, ...]:
        """The skipped words."""
        return self._words_with(Decision.SKIP)

    @property
    def notes(self) -> tuple[str, ...]:
        """Warnings about the proposals: changed spellings, missing contexts or counts."""
        found = [f"{word} was read as {spelled}" for word, spelled in self._respelled.items()]
        if self.space.context is None:
            found.append("this space has no context vectors; only target vectors are compared")
        if not self.space.has_frequencies:
            found.append("this space has no counts; all words have the same weight")
        if self.space.provenance.postprocess:
            done = self.space.provenance.postprocess
            found.append(
                f"this space was post-processed already ({done}); its vectors are unchanged"
            )
        return tuple(found)

    # --- proposals -------------------------------------------------------------------------

    def propose(
        self,
        k: int = defaults.GROW_ROUND,
        *,
        pattern: str | None = None,
        length: int | str | None = None,
        frequency: str = defaults.FREQUENCY,
    ) -> list[Proposal]:
        """Return the next words, the best first, without words that were decided.

        Args:
            k: Number of words; fewer are returned if fewer are left.
            pattern: Propose only words that match, where * matches any characters
                and ? matches one; case is ignored.
            length: Propose only words of this many characters, N or "N-M".
            frequency: Propose "common" words (the 10,000 most frequent), "rare" words (beyond the
                30,000 most frequent), or "any".

        Raises:
            AndornotError: If k or a filter is invalid.
        """
        check_k(k)
        passing = WordFilter(pattern, None if length is None else str(length), frequency)
        scores = self.scores()
        scores[list(self._decisions)] = -np.inf
        among = passing.passed(self.space)
        among = among[np.isfinite(scores[among])]
        best = among[largest(scores[among], k)]
        if not len(best):
            return []
        near = self.grower.nearest(best, np.array(self._with(Decision.SEED), dtype=np.int64))
        per_million = self._per_million(best)
        word = self.space.vocabulary.word
        return [
            Proposal(word(int(i)), float(scores[i]), per_million[place], word(int(seed)))
            for place, (i, seed) in enumerate(zip(best, near, strict=True))
        ]

    def scores(self) -> npt.NDArray[np.float32]:
        """Return the score of every word, including words of the list."""
        yes = sorted(self._with(Decision.SEED, Decision.YES))
        return self.grower.scores(yes, sorted(self._with(Decision.NO)))

    def _per_million(self, ids: Ids) -> list[float] | list[None]:
        """Return the occurrences of words per million words of the text."""
        counts = self.space.vocabulary.counts
        if counts is not None:
            return [float(each) for each in counts.values[ids] * (1e6 / counts.values.sum())]
        if not self.space.has_frequencies:
            return [None] * len(ids)
        return [float(each) for each in self.space.probability[ids] * 1e6]


def list_facts(word_list: WordList, proposals: Sequence[Proposal]) -> dict[str, Any]:
    """Return a list and its proposals, ready for JSON."""
    return {
        "words": list(word_list.words),
        "rejected": list(word_list.rejected),
        "wordnet": word_list.grower.uses_wordnet,
        "proposals": [asdict(each) for each in proposals],
        "notes": list(word_list.notes),
    }
