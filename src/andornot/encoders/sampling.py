"""Sample lines from a text."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from andornot.base.errors import AndornotError, UsageError
from andornot.corpus.reading import find_files
from andornot.encoders.token_counting import batches_of_lines


def sample_lines(paths: Sequence[str | Path], size: int, *, seed: int = 1) -> list[str]:
    """Sample at most `size` lines of a text uniformly, and return them in order.

    Blank lines are ignored. The same seed gives the same lines.

    >>> sample_lines(["examples/nursery.txt"], 1)
    ['...']
    """
    if size < 1:
        raise UsageError(f"the number of lines must be at least 1, got {size}")
    rng = np.random.default_rng(seed)
    kept: list[tuple[int, str]] = []
    seen = 0
    for lines in batches_of_lines(find_files(paths), "drawing lines"):
        # one random number per line: the slot that it would take among all lines so far
        slots = (rng.random(len(lines)) * np.arange(seen + 1, seen + len(lines) + 1)).astype(int)
        for slot, line in zip(slots.tolist(), lines, strict=True):
            seen += 1
            if len(kept) < size:
                kept.append((seen, line))
            elif slot < size:
                kept[slot] = (seen, line)
    if not kept:
        raise AndornotError(f"{paths[0]}: the text has no lines; name another text")
    return [line for _, line in sorted(kept)]
