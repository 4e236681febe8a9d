"""Search your own texts: AND, OR and NOT over documents, by their vectors and by their words.

The texts are Reuters-21578 (`andornot data path reuters-21578` says where it is, or where to get
it): news of 1987 with the topics that indexers gave them, so that the right answers are known. With
texts of your own, `Documents(names, texts)` is all you need.
"""

import re

import numpy as np
import numpy.typing as npt

from andornot import Logic, SentenceVectors, Space
from andornot.algebra import Concept
from andornot.datasets.locating import locate
from andornot.datasets.news import read_reuters
from andornot.experiments.intervals import mean_interval
from andornot.experiments.jobs.measures import average_precision, standardised
from andornot.experiments.jobs.text_scores import bm25, counted
from andornot.experiments.jobs.topic_questions import collect, content

Scores = npt.NDArray[np.float64]


class Documents:
    """Texts that are found by their vectors, by their words, or by both."""

    def __init__(self, names: list[str], texts: list[str]) -> None:
        # Words are whitened under the frequencies of these very texts, and weighed by them.
        self.encoder = SentenceVectors(postprocess="zipfian-whitening", weights="sif").fit(texts)
        space = Space.from_arrays(names, self.encoder.transform(texts))
        self.logic = Logic(space, postprocess="none")
        self.words, self.counts = counted(texts)

    def __getitem__(self, text: str) -> Concept:
        """Return a text as an operand: its vector, beside those of the documents."""
        return self.logic.vector(self.encoder.transform([text])[0], name=text)

    def by_vectors(self, text: str) -> Scores:
        """Return the cosine of every document."""
        found = dict(self.logic.ask(self[text], k=len(self.logic.space)))
        return np.array([found.get(name, 0.0) for name in self.logic.space.words], dtype=float)

    def by_words(self, text: str) -> Scores:
        """Return the BM25 score of every document; your search engine has it too."""
        words = re.findall("[a-z]+", text.lower())
        columns = [self.words.index(word) for word in words if word in self.words]
        return np.asarray(bm25(self.counts, [columns])[:, 0])

    def by_both(self, text: str) -> Scores:
        """Return both scores together: BM25 counts half, each in units of its spread."""
        words = standardised(self.by_words(text)) / 2
        return np.asarray(standardised(self.by_vectors(text)) + words)


def main() -> None:
    """Print the first texts of some queries, and how well each way finds the topics."""
    news = [each for each in read_reuters(locate("reuters-21578")) if each.topics]
    titles = [f"{number}: {' '.join(each.title.split())}" for number, each in enumerate(news)]
    documents = Documents(titles, [f"{each.title} {each.body}" for each in news])

    oil, ships = documents["crude oil"], documents["shipping"]
    coffee, cocoa = documents["coffee"], documents["cocoa"]
    for concept in (oil, oil & ships, coffee | cocoa, ships & ~oil):
        print(concept.formula)
        for title, score in documents.logic.ask(concept, k=3):
            topics = news[int(str(title).split(":")[0])].topics
            print(f"  {score:.3f}  {title}  [{', '.join(topics)}]")

    about = collect(news).about  # the topics of at least 20 texts
    names = {topic: " ".join(content(topic)) for topic in about}
    known = documents.encoder.space_
    asked = [topic for topic in about if all(word in known for word in names[topic].split())]
    ways = {"vectors": documents.by_vectors, "BM25": documents.by_words, "both": documents.by_both}
    found = {
        way: np.array([average_precision(score(names[t]), about[t]) for t in asked])
        for way, score in ways.items()
    }
    print(f"mean average precision over {len(asked)} topics of {len(news):,} texts")
    for way, precisions in found.items():
        print(f"  {way}: {mean_interval(precisions)}")
    for way in ("vectors", "both"):
        print(f"  {way} - BM25: {mean_interval(found[way] - found['BM25'])}")


if __name__ == "__main__":
    main()
