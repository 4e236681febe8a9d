"""Search questions on Reuters-21578: the texts with topics, and questions on one or two topics."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from itertools import combinations, permutations
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from andornot.datasets.news import NewsText
from andornot.experiments.jobs.first_words import Ids
from andornot.experiments.jobs.text_scores import counted
from andornot.space import Space
from andornot.words.stop_words import STOP_WORDS
from andornot.words.vocabulary import Vocabulary

NAMES = {
    "acq": "mergers acquisitions",
    "alum": "aluminium",
    "bop": "balance of payments",
    "cpi": "consumer price index",
    "crude": "crude oil",
    "dlr": "dollar",
    "earn": "earnings",
    "fuel": "fuel oil",
    "gas": "gasoline",
    "gnp": "gross national product",
    "heat": "heating oil",
    "housing": "housing starts",
    "interest": "interest rates",
    "ipi": "industrial production index",
    "jobs": "unemployment",
    "money-fx": "foreign exchange",
    "nat-gas": "natural gas",
    "pet-chem": "petrochemicals",
    "retail": "retail sales",
    "ship": "shipping",
    "stg": "sterling",
    "veg-oil": "vegetable oil",
    "wpi": "wholesale price index",
}
"""Names of the topics whose code is not a name, from the collection's list of codes."""

FEWEST, FEWEST_OF_PAIR = 20, 10  # texts of a topic; of both topics, and of only one
KINDS = ONE, BOTH, EITHER, WITHOUT = "A", "A & B", "A | B", "A & !B"
Mask = npt.NDArray[np.bool_]


class Collection(NamedTuple):
    """The texts with a topic: their words, the counts, and the topics of each."""

    words: Vocabulary
    counts: Any  # sparse matrix of texts by words
    about: dict[str, Mask]  # by topic, for topics with enough texts


def collect(texts: Iterable[NewsText]) -> Collection:
    """Count the words of the texts that have a topic, titles included."""
    kept = [each for each in texts if each.topics]
    sizes = Counter(topic for each in kept for topic in dict.fromkeys(each.topics))
    about = {
        topic: np.array([topic in each.topics for each in kept])
        for topic, size in sizes.items()
        if size >= FEWEST
    }
    return Collection(*counted(f"{each.title} {each.body}" for each in kept), about)


def content(topic: str) -> list[str]:
    """Return the content words of the name of a topic.

    >>> content("bop"), content("palm-oil")
    (['balance', 'payments'], ['palm', 'oil'])
    """
    words = re.findall("[a-z]+", NAMES.get(topic, topic))
    return [word for word in words if word not in STOP_WORDS]


class TopicQuestion(NamedTuple):
    """A question on one or two topics, and the texts that answer it."""

    kind: str
    topics: tuple[str, ...]
    relevant: Mask

    @property
    def key(self) -> str:
        """The key that decides its half: the sorted names of the topics."""
        return " ".join(sorted(self.topics))


def questions(about: dict[str, Mask]) -> list[TopicQuestion]:
    """Return all questions: on one topic, or on two with enough shared and separate texts."""
    asked = [TopicQuestion(ONE, (topic,), mask) for topic, mask in about.items()]
    for a, b in combinations(about, 2):
        shared, only = about[a] & about[b], (about[a] ^ about[b])
        if min(shared.sum(), (only & about[a]).sum(), (only & about[b]).sum()) >= FEWEST_OF_PAIR:
            asked += [
                TopicQuestion(BOTH, (a, b), shared),
                TopicQuestion(EITHER, (a, b), shared | only),
            ]
    for a, b in permutations(about, 2):
        rest = about[a] & ~about[b]
        if min((about[a] & about[b]).sum(), rest.sum()) >= FEWEST_OF_PAIR:
            asked.append(TopicQuestion(WITHOUT, (a, b), rest))
    return asked


class KnownTopics(NamedTuple):
    """The known words of a space, and the topics whose names consist of known words."""

    space: Space
    ids: dict[str, int]
    topics: dict[str, list[int]]  # the ids of the words of each name


def known_topics(space: Space, known: Ids, news: Collection) -> KnownTopics:
    """Return the topics whose content words are all known."""
    ids = {space.vocabulary.word(int(i)): int(i) for i in known}
    names = {topic: content(topic) for topic in news.about}
    topics = {t: [ids[w] for w in words] for t, words in names.items() if set(words) <= ids.keys()}
    return KnownTopics(space, ids, topics)
