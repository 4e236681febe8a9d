"""The model that comes with the package; docs/default-model.md is its model card."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from andornot.formats.native import read_native
from andornot.space import Space

PATH = Path(__file__).parent.parent / "data" / "default.safetensors"


@cache
def default() -> Space:
    """Open the default model: 66,000 English words, SGNS, with contexts and true frequencies.

    >>> from andornot import Logic
    >>> "queen" in Logic(default()).ask("royal & woman").words
    True
    """
    return read_native(PATH)
