"""Compute the WordNet hypernyms of many nouns at once, as a sparse matrix."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from andornot.base.progress import track
from andornot.base.regular_files import read_small
from andornot.datasets.locating import locate
from andornot.datasets.wordnet import GET_AGAIN, WordNet, wordnet

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

# WordNet's own rules for the base form of a noun; see its page morphy(7).
_ENDINGS = (
    ("s", ""),
    ("ses", "s"),
    ("xes", "x"),
    ("zes", "z"),
    ("ches", "ch"),
    ("shes", "sh"),
    ("men", "man"),
    ("ies", "y"),
)


def hypernym_rows(words: Sequence[str]) -> csr_matrix:
    """Return a row of unit length for each word, with weights of its synsets and hypernyms.

    All meanings of a noun are included. A synset has the weight log(n / k) if k of the n words are
    in or below it: rare synsets weigh more. Words that are not nouns of WordNet have a row of
    zeros. Plurals are replaced by their base form.

    Raises:
        AndornotError: If WordNet is not installed.

    For example the product of the rows of violin and cello is larger than that of violin and oak.
    """
    from scipy.sparse import csr_matrix, diags

    net = wordnet("n")
    irregular = _irregular_plurals()
    columns: dict[int, int] = {}
    indices: list[int] = []
    starts = [0]
    for word in track(words, "WordNet"):
        synsets = _closure(_meanings(word, net, irregular), net)
        indices += [columns.setdefault(offset, len(columns)) for offset in sorted(synsets)]
        starts.append(len(indices))
    shape = (len(words), max(1, len(columns)))
    ones = np.ones(len(indices))
    rows = csr_matrix((ones, np.array(indices, dtype=np.int32), np.array(starts)), shape=shape)
    found = np.bincount(rows.indices, minlength=shape[1])
    rows = rows @ diags(np.log(len(words) / np.maximum(found, 1)))
    lengths = np.sqrt(np.asarray(rows.multiply(rows).sum(axis=1)).ravel())
    scaled = diags(1 / np.where(lengths > 0, lengths, 1)) @ rows
    return csr_matrix(scaled, dtype=np.float32)


def _meanings(word: str, net: WordNet, irregular: dict[str, str]) -> tuple[int, ...]:
    """Return the synsets of a noun, or of its singular."""
    spelled = word.lower()
    known = net.meanings
    if spelled in known:
        return known[spelled]
    if irregular.get(spelled) in known:
        return known[irregular[spelled]]
    for ending, base in _ENDINGS:
        stem = spelled.removesuffix(ending)
        if stem != spelled and stem + base in known:
            return known[stem + base]
    return ()


def _closure(offsets: Sequence[int], net: WordNet) -> set[int]:
    """Return synsets and all their hypernyms."""
    found: set[int] = set()
    waiting = list(offsets)
    for offset in waiting:  # grows during the iteration
        if offset not in found:
            found.add(offset)
            waiting += net.all_above.get(offset, ())
    return found


def _irregular_plurals() -> dict[str, str]:
    """Read WordNet's list of irregular plurals; empty if the file is missing."""
    path = locate("wordnet-3.0") / "noun.exc"
    if not path.exists():
        return {}
    text = read_small(path, GET_AGAIN).decode("utf-8", "replace")
    lines = (line.split() for line in text.splitlines())
    return {fields[0]: fields[1] for fields in lines if len(fields) > 1}
