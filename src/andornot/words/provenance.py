"""How a space came to be: the record that travels with its vectors."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from types import MappingProxyType
from typing import Any

from andornot.base.errors import AndornotError


@dataclass(frozen=True)
class Provenance:
    """Where the vectors come from, the settings the theory needs, and what was done since.

    `negatives` is k and `negative_exponent` the power of the counts that gives q(c) in
    PMI(w,c) = v.u + log(q(c)/p(c)) + log k; `noise_total` is what these powers add up to over all
    words that were trained, where the space has fewer; `window` is a number of words, or "line";
    `weighting` is how the distance in it was weighted: "flat", "linear" (word2vec's shrinking
    window) or "harmonic" (GloVe's 1/distance).
    `postprocess` is what was done to the vectors since. What isn't known is None; anything else
    worth keeping goes to `settings`.

    >>> Provenance("file v.txt").then("kept the 10 most frequent words").history
    ('kept the 10 most frequent words',)
    """

    origin: str = "made in memory"
    model: str | None = None
    window: int | str | None = None
    weighting: str | None = None
    negatives: int | None = None
    negative_exponent: float | None = None
    noise_total: float | None = None
    subsample: float | None = None
    epochs: int | None = None
    postprocess: str | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)
    history: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "settings", MappingProxyType(dict(self.settings)))

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "settings": dict(self.settings)}  # a read-only view can't be saved

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self.__post_init__()

    def then(self, step: str) -> Provenance:
        """The same record with one more step at the end of its history."""
        return replace(self, history=(*self.history, step))

    def to_dict(self) -> dict[str, Any]:
        """Everything that is known, ready for JSON.

        >>> Provenance("file v.txt", model="glove").to_dict()
        {'origin': 'file v.txt', 'model': 'glove'}
        """
        values = {item.name: getattr(self, item.name) for item in fields(self)}
        values |= {"settings": dict(self.settings), "history": list(self.history)}
        return {key: value for key, value in values.items() if value not in (None, {}, [])}

    @classmethod
    def from_dict(cls, record: dict[str, Any]) -> Provenance:
        """The record that `to_dict` gave; an unknown key is an error.

        >>> Provenance.from_dict({"origin": "file v.txt"})
        Provenance(origin='file v.txt', ...)
        """
        try:
            known = dict(record)
            known["history"] = tuple(known.get("history", ()))
            return cls(**known)
        except (TypeError, ValueError) as error:
            raise AndornotError(f"the record of provenance is malformed ({error})") from error
