"""The scores by which candidates and models are compared."""

from __future__ import annotations

import math
import re

import numpy as np

from andornot import Logic, Space
from andornot.algebra.expression import Given, Members, Not, Term
from andornot.base.errors import AndornotError
from andornot.datasets import locate, read_questions, read_word_pairs
from andornot.datasets.definitions import read_definitions
from andornot.datasets.relations import read_oppositions
from andornot.evaluation import analogies, similarity
from andornot.experiments.or_actual import cosines
from andornot.experiments.or_tuples import or_words
from andornot.experiments.ranks import ranks, unit_rows
from andornot.experiments.triples import reciprocal_ranks, triples
from andornot.postprocessing import postprocess
from andornot.postprocessing.sentences import encode
from andornot.words.stop_words import STOP_WORDS

SCORES = (
    "wordsim-353",
    "simlex-999",
    "mturk-771",
    "analogies",
    "AND",
    "OR",
    "NOT",
    "definitions",
)
FIRST_ANSWERS = 100  # a definition has found its word if the word is among so many


def scores_of(space: Space) -> dict[str, float]:
    """Return all scores of a space, and the mean that judges; higher is better in all of them."""
    centred = postprocess(space, "frequency")
    found = {
        name: similarity(centred, read_word_pairs(locate(name))).spearman
        for name in ("wordsim-353", "simlex-999", "mturk-771")
    }
    questions = analogies(centred, read_questions(locate("google-analogies")))
    found |= {"analogies": questions.accuracy, "coverage": questions.covered / questions.questions}
    own, random = cosines(space, "frequency", or_words(space, "n"), seed=1).means
    found |= {
        "AND": float(
            reciprocal_ranks(space, "frequency", triples(space))["without operands"].mean()
        ),
        "OR": own - random,
        "NOT": not_score(Logic(space, weights="frequency")),
    }
    places = definition_ranks(centred)
    found |= {
        "definitions": float(np.mean(places <= FIRST_ANSWERS)),
        "definitions, known": float(np.mean(places[np.isfinite(places)] <= FIRST_ANSWERS)),
    }
    return found | {"mean": float(np.mean([found[name] for name in SCORES]))}


def not_score(logic: Logic) -> float:
    """Return how often NOT ranks an antonym above a synonym, among a word's antonyms and synonyms."""
    kin: dict[str, dict[str, bool]] = {}
    for part in ("train", "val"):
        for a, b, opposite in read_oppositions(locate(f"antonyms-{part}")):
            if a != b and a in logic.space and b in logic.space:
                kin.setdefault(a, {})[b] = opposite
                kin.setdefault(b, {})[a] = opposite
    right = []
    for word, others in kin.items():
        if len(set(others.values())) < 2:
            continue
        query = Not(Given(Term(word), Members((word, *others))))
        try:
            place = {hit.word: hit.score for hit in logic.ask(query, k=len(others)).hits}
        except AndornotError:
            continue
        right += [
            place[a] > place[b]
            for a, is_a in others.items()
            for b, is_b in others.items()
            if is_a and not is_b
        ]
    return float(np.mean(right))


def definition_ranks(centred: Space) -> np.ndarray:
    """Return the rank of each word for its dictionary definition; infinite if it can't be found.

    The distinct known words of a definition, stop words left out, are added by SIF weights. All
    words but those of the definition are ranked by cosine. A word can't be found if the space
    doesn't have it, or if it stands in its own definition.
    """
    words = centred.vocabulary
    definitions = read_definitions(locate("definitions-seen"))
    places = np.full(len(definitions), np.inf)
    asked, texts, goals, left_out = [], [], [], []
    for number, (word, text) in enumerate(definitions):
        known = [w for w in dict.fromkeys(re.findall("[a-z]+", text.lower())) if w in words]
        if word not in words or word in known:
            continue
        asked.append(number)
        texts.append([w for w in known if w not in STOP_WORDS])
        goals.append(words.index(word))
        left_out.append([words.index(w) for w in known])
    queries = encode(centred, texts, weights="sif")
    places[asked] = ranks(unit_rows(centred.target), queries, goals, left_out)
    return places


def largest_product(space: Space) -> float:
    """Return the largest v.u of all pairs of a word and a context.

    The longest vectors come first: most of the others are too short for a larger product.
    """
    lengths, others = (np.linalg.norm(rows, axis=1) for rows in (space.target, space.context))
    order, facing = np.argsort(-lengths), np.argsort(-others)
    context, others = space.context[facing], others[facing]
    best = -math.inf
    for start in range(0, len(order), 1024):
        rows = order[start : start + 1024]
        enough = int(np.count_nonzero(others * lengths[rows[0]] > best))
        if not enough:
            break
        best = max(best, float((space.target[rows] @ context[:enough].T).max()))
    return best


def place_of_queen(logic: Logic) -> int:
    """Return the rank of queen among the answers to `royal & woman`."""
    return logic.ask("royal & woman", k=len(logic.space)).words.index("queen") + 1
