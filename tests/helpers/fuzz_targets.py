"""Everything that reads: a target for each kind of input."""

from collections.abc import Callable
from pathlib import Path

from fuzz_folders import checkpoints, corpora, counts, parquet, partial_counts, token_counts
from fuzz_inputs import Input, Target
from fuzz_requests import bodies, queries
from fuzz_texts import archives, texts
from fuzz_vectors import models, spaces

__all__ = ["TARGETS", "Input", "Target"]

TARGETS: dict[str, Callable[[Path], Target]] = {
    each.__name__: each
    for each in (
        spaces,
        models,
        texts,
        archives,
        queries,
        bodies,
        counts,
        parquet,
        partial_counts,
        corpora,
        token_counts,
        checkpoints,
    )
}
