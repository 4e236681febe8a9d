"""The two halves of a job's items: settings are chosen on one and reported on the other."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from andornot.base.errors import AndornotError

Scores = npt.NDArray[np.float64]


def is_reported(key: str) -> bool:
    """Return True if an item is in the reported half: the first byte of its SHA-256 is odd.

    >>> is_reported("violin"), is_reported("cello")
    (False, True)
    """
    return hashlib.sha256(key.encode()).digest()[0] % 2 == 1


@dataclass(frozen=True, eq=False)
class Choice:
    """The settings that were chosen on each half, to be reported on the other.

    Attributes:
        reported: True for each item of the reported half.
        for_reported: The setting with the highest mean on the tuning half.
        for_tuning: The setting with the highest mean on the reported half.
    """

    reported: npt.NDArray[np.bool_]
    for_reported: str
    for_tuning: str

    def of(self, figures: Mapping[str, npt.ArrayLike]) -> Scores:
        """Return the figure of each item with the setting that was chosen on the other half.

        Args:
            figures: For each setting, a figure of each item, such as its rank.

        >>> choice = Choice(np.array([True, False]), for_reported="a", for_tuning="b")
        >>> choice.of({"a": [1.0, 2.0], "b": [3.0, 4.0]}).tolist()
        [1.0, 4.0]
        """
        first, second = (
            np.asarray(figures[name], dtype=np.float64)
            for name in (self.for_reported, self.for_tuning)
        )
        return np.where(self.reported, first, second)

    def named(self, name: Callable[[str], str]) -> str:
        """Name the settings by a function of each, first the one for the reported half.

        >>> Choice(np.array([True, False]), "a", "b").named(str.upper)
        'A; B'
        """
        return "; ".join(dict.fromkeys((name(self.for_reported), name(self.for_tuning))))

    def __str__(self) -> str:
        """Name the settings.

        >>> str(Choice(np.array([True, False]), "a", "b"))
        'a; b'
        """
        return self.named(str)


def choose(scores: Mapping[str, npt.ArrayLike], keys: Sequence[str]) -> Choice:
    """Choose the setting with the highest mean score on each half, or the first of equal ones.

    Args:
        scores: For each setting, a score of each item; higher is better.
        keys: The key of each item, which decides its half.

    Raises:
        AndornotError: If a half has no items.

    >>> str(choose({"a": [1, 0, 0], "b": [0, 1, 1]}, ["violin", "piano", "cello"]))
    'a; b'
    """
    reported = np.array([is_reported(key) for key in keys], dtype=bool)
    if reported.all() or not reported.any():
        raise AndornotError(
            f"both halves need items, got {int(reported.sum())} reported of {len(keys)}; use the "
            "whole dataset"
        )
    values = {name: np.asarray(each, dtype=np.float64) for name, each in scores.items()}
    return Choice(
        reported,
        for_reported=max(values, key=lambda name: values[name][~reported].mean()),
        for_tuning=max(values, key=lambda name: values[name][reported].mean()),
    )
