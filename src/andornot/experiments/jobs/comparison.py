"""Comparison of settings on the items of a job, each chosen on the other half of the items."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from andornot.experiments.intervals import Interval
from andornot.experiments.jobs.exclusions import way_of
from andornot.experiments.jobs.halves import Choice, choose
from andornot.experiments.jobs.job import ANY, mean_of


def of_method(method: str, frame: str | None = None) -> Callable[[str], bool]:
    """Return a filter of the settings of a method, which are named "frame: method, numbers".

    Args:
        method: The method, or ANY for all.
        frame: The frame; default: all.

    >>> wanted = of_method("re-ranking", "freq")
    >>> wanted("freq: re-ranking, 30, 0.5"), wanted("white: re-ranking, 30, 0.5")
    (True, False)
    """

    def wanted(setting: str) -> bool:
        its_frame, _, its_method = setting.partition(": ")
        return frame in (None, its_frame) and method in (ANY, way_of(its_method))

    return wanted


@dataclass(frozen=True, eq=False)
class Comparison:
    """The figure of every item by setting.

    Attributes:
        keys: The key of each item, which decides its half.
        figures: For each setting, the figure of each item; a higher mean is better.
        clusters: The cluster of each item; items of a cluster are drawn together.
    """

    keys: Sequence[str]
    figures: Mapping[str, Sequence[float] | npt.NDArray[np.float64]]
    clusters: Sequence[str] | None = None

    def choose(self, wanted: Callable[[str], bool] = lambda setting: True) -> Choice:
        """Choose the best setting on each half, among all or the wanted ones."""
        return choose(
            {name: self.figures[name] for name in self.figures if wanted(name)}, self.keys
        )

    @property
    def methods(self) -> list[str]:
        """The methods of settings that are named as in `of_method`, in their order."""
        names = (way_of(setting.partition(": ")[2]) for setting in self.figures)
        return list(dict.fromkeys(names))

    def mean(self, choice: Choice) -> Interval:
        """Return the mean of the chosen settings over all items."""
        return mean_of(choice.of(self.figures), self.clusters)

    def gain(self, choice: Choice, before: Choice | Callable[[str], str]) -> Interval:
        """Return the gain of the chosen settings over others.

        Args:
            choice: The chosen settings.
            before: Another choice, or a function from a setting to the one it is compared with.
        """
        after = choice.of(self.figures)
        if isinstance(before, Choice):
            return mean_of(after - before.of(self.figures), self.clusters)
        others = {
            name: self.figures[before(name)] for name in (choice.for_reported, choice.for_tuning)
        }
        return mean_of(after - choice.of(others), self.clusters)

    @property
    def means(self) -> dict[str, float]:
        """The mean of every setting over all items."""
        return {name: float(np.mean(values)) for name, values in self.figures.items()}
