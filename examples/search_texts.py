"""Search your own texts: AND, OR and NOT over documents, by their vectors and by their words.

The texts are Reuters-21578 (`andornot data fetch reuters-21578`): news of 1987 with the topics that
indexers gave them, so that the right answers are known. With texts of your own, replace `titles`
and `texts`.
"""

from collections import Counter

import numpy as np
import numpy.typing as npt
from sklearn.feature_extraction.text import CountVectorizer

from andornot import Logic, SentenceVectors, Space
from andornot.algebra import Concept
from andornot.datasets.locating import locate
from andornot.datasets.news import NewsText, read_reuters
from andornot.experiments.intervals import mean_interval

FEWEST = 20  # texts of a topic
HALF = 0.5  # the weight of BM25 beside the vectors
QUERIES = ("crude", "crude & shipping", "coffee | cocoa")

Scores = npt.NDArray[np.float64]


class Documents:
    """Texts that are found by their vectors, by their words, or by both."""

    def __init__(self, names: list[str], texts: list[str]) -> None:
        # Whitened under the frequencies of these very texts, and weighed by them.
        self.encoder = SentenceVectors(postprocess="zipfian-whitening", weights="sif").fit(texts)
        matrix = self.encoder.transform(texts)
        self.logic = Logic(Space.from_arrays(names, matrix), postprocess="none")
        self.words = CountVectorizer()
        self.counts = self.words.fit_transform(texts).tocsc()

    def concept(self, text: str) -> Concept:
        """Return a text as an operand: its vector beside those of the documents."""
        return self.logic.vector(self.encoder.transform([text])[0], name=text)

    def ask(self, query: str) -> Concept:
        """Return the concept of `a`, `a & b`, `a | b` or `a & !b`."""
        first, *rest = query.split()
        concept = self.concept(first)
        for sign, word in zip(rest[::2], rest[1::2], strict=True):
            other = self.concept(word.removeprefix("!"))
            other = ~other if word.startswith("!") else other
            concept = concept & other if sign == "&" else concept | other
        return concept

    def by_vectors(self, concept: Concept) -> Scores:
        """Return the cosine of every document."""
        found = dict(self.logic.ask(concept, k=len(self.logic.space)))
        return np.array([found.get(name, 0.0) for name in self.logic.space.words], dtype=float)

    def by_words(self, text: str) -> Scores:
        """Return the BM25 score of every document (k1 = 1.2, b = 0.75)."""
        number = self.counts.shape[0]
        lengths = np.asarray(self.counts.sum(axis=1)).ravel()
        norms = 1.2 * (1 - 0.75 + 0.75 * lengths / lengths.mean())
        scores = np.zeros(number)
        for word in text.split():
            if word in self.words.vocabulary_:
                column = self.counts[:, [self.words.vocabulary_[word]]].tocoo()
                idf = np.log1p((number - column.nnz + 0.5) / (column.nnz + 0.5))
                scores[column.row] += idf * column.data * 2.2 / (column.data + norms[column.row])
        return scores

    def by_both(self, text: str) -> Scores:
        """Return both scores together, each standardised."""
        return _standardised(self.by_vectors(self.concept(text))) + HALF * _standardised(
            self.by_words(text)
        )


def _standardised(scores: Scores) -> Scores:
    return np.asarray((scores - scores.mean()) / (scores.std() or 1))


def average_precision(scores: Scores, relevant: npt.NDArray[np.bool_]) -> float:
    """Return the mean, over the relevant texts, of the precision down to each."""
    places = np.flatnonzero(relevant[np.argsort(-scores, kind="stable")]) + 1
    return float(np.mean(np.arange(1, len(places) + 1) / places))


def topics_of(news: list[NewsText], documents: Documents) -> list[str]:
    """Return the topics with enough texts whose names are known words."""
    sizes = Counter(topic for each in news for topic in set(each.topics))
    known = documents.encoder.space_
    return [
        topic
        for topic, size in sorted(sizes.items())
        if size >= FEWEST and all(word in known for word in topic.split("-"))
    ]


def main() -> None:
    """Print the first texts of some queries, and how well each way finds the topics."""
    news = [each for each in read_reuters(locate("reuters-21578")) if each.topics]
    titles = [f"{number}: {each.title.strip()}" for number, each in enumerate(news)]
    documents = Documents(titles, [f"{each.title} {each.body}" for each in news])

    for query in QUERIES:
        answer = documents.logic.ask(documents.ask(query), k=5)
        print(f"{query}")
        for title, score in answer:
            topics = news[int(title.split(":")[0])].topics
            print(f"  {score:.3f}  {title}  [{', '.join(topics)}]")

    topics = topics_of(news, documents)
    precision: dict[str, list[float]] = {"vectors": [], "BM25": [], "both": []}
    for topic in topics:
        relevant = np.array([topic in each.topics for each in news])
        text = topic.replace("-", " ")
        for way, scores in (
            ("vectors", documents.by_vectors(documents.concept(text))),
            ("BM25", documents.by_words(text)),
            ("both", documents.by_both(text)),
        ):
            precision[way].append(average_precision(scores, relevant))
    print(f"mean average precision over {len(topics)} topics of {len(news):,} texts")
    for way, values in precision.items():
        print(f"  {way}: {mean_interval(values)}")
    for way in ("vectors", "both"):
        difference = np.array(precision[way]) - precision["BM25"]
        print(f"  {way} - BM25: {mean_interval(difference)}")


if __name__ == "__main__":
    main()
