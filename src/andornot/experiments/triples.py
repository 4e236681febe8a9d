"""Triples x + y = z from BATS, such as thailand + capital = bangkok, and the ranks of z.

The paper makes its triples from ten relations of BATS, which it doesn't list. Here they are the ten
encyclopaedic relations: y is the name of the relation, and z is the first answer.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from andornot.base.moments import unit_rows
from andornot.datasets.locating import locate
from andornot.datasets.relations import read_relation, relation_files
from andornot.experiments.centring import centred
from andornot.experiments.lab import Asks, asks_all
from andornot.experiments.ranks import ranks
from andornot.space import Space

RELATIONS = {
    "E01": "capital",
    "E02": "language",
    "E03": "county",
    "E04": "nationality",
    "E05": "occupation",
    "E06": "young",
    "E07": "sound",
    "E08": "shelter",
    "E09": "color",
    "E10": "female",
}


class Triple(NamedTuple):
    """The ids of x, y and z, where x + y should be z; `others` are all answers, including z."""

    relation: str
    x: int
    y: int
    z: int
    others: tuple[int, ...]


def triples(space: Space, asks: Asks = asks_all) -> list[Triple]:
    """Return the triples whose words a space knows and that `asks` admits."""
    found = []
    words = space.vocabulary
    files = relation_files(locate("bats"))
    for relation, name in RELATIONS.items():
        for word, answers in read_relation(files[relation]):
            # the first relation is written capital, country
            x, z = (answers[0], word) if relation == "E01" else (word, answers[0])
            known_all = all(each in words for each in (x, name, z))
            if not known_all or not asks(x, name, z) or z in (x, name):
                continue
            known = [z]
            if relation != "E01":
                known = [a for a in answers if a in words and a not in (x, name)]
            x_id, y_id, z_id = (words.index(each) for each in (x, name, z))
            others = tuple(words.index(each) for each in known)
            found.append(Triple(relation, x_id, y_id, z_id, others))
    return found


def reciprocal_ranks(
    space: Space, method: str, asked: list[Triple]
) -> dict[str, npt.NDArray[np.float64]]:
    """Return 1/rank of z for each x + y: among all words, without x and y, for the best answer."""
    rows = centred(space, method).target
    words = unit_rows(rows)
    queries = np.array([rows[t.x] + rows[t.y] for t in asked])
    operands = [(t.x, t.y) for t in asked]
    goals = [t.z for t in asked]
    best = np.full(len(asked), np.inf)
    for number in range(max(len(t.others) for t in asked)):
        some = [n for n, t in enumerate(asked) if number < len(t.others)]
        found = ranks(words, queries[some], [asked[n].others[number] for n in some])
        best[some] = np.minimum(best[some], found)
    return {
        "all words": 1 / ranks(words, queries, goals),
        "without operands": 1 / ranks(words, queries, goals, operands),
        "best answer": 1 / best,
    }
