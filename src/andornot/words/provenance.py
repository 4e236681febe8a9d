"""Provenance of a space: origin, settings and history, stored with its vectors."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from types import MappingProxyType
from typing import Any

from andornot.base.errors import AndornotError


@dataclass(frozen=True)
class Provenance:
    """The origin of vectors, the settings that the theory needs, and later processing steps.

    Unknown values are None.

    Args:
        origin: The source of the vectors.
        model: The name of the model, such as "sgns" or "glove".
        window: The number of words on each side, or "line".
        weighting: The weighting by distance: "flat", "linear" (word2vec's shrinking window) or
            "harmonic" (GloVe's 1/distance).
        negatives: k in PMI(w,c) = v.u + log(q(c)/p(c)) + log k.
        negative_exponent: The power of the counts to which q(c) is proportional.
        noise_total: The sum of these powers over all trained words, if the space has fewer.
        kept_share: The share of p(w) that the words of the space had among all trained words, if
            the space has fewer.
        subsample: The rate of subsampling.
        epochs: The number of epochs.
        postprocess: The post-processing of the vectors.
        settings: Any other settings.
        history: Later steps, in order.

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
    kept_share: float | None = None
    subsample: float | None = None
    epochs: int | None = None
    postprocess: str | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)
    history: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "settings", MappingProxyType(dict(self.settings)))

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "settings": dict(self.settings)}  # a proxy can't be pickled

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self.__post_init__()

    def then(self, step: str) -> Provenance:
        """Return a copy with one more step at the end of its history."""
        return replace(self, history=(*self.history, step))

    def to_dict(self) -> dict[str, Any]:
        """Return all known values, ready for JSON.

        >>> Provenance("file v.txt", model="glove").to_dict()
        {'origin': 'file v.txt', 'model': 'glove'}
        """
        values = {item.name: getattr(self, item.name) for item in fields(self)}
        values |= {"settings": dict(self.settings), "history": list(self.history)}
        return {key: value for key, value in values.items() if value not in (None, {}, [])}

    @classmethod
    def from_dict(cls, record: dict[str, Any]) -> Provenance:
        """Return the record that `to_dict` wrote; an unknown key is an error.

        >>> Provenance.from_dict({"origin": "file v.txt"})
        Provenance(origin='file v.txt', ...)
        """
        try:
            known = dict(record)
            known["history"] = tuple(known.get("history", ()))
            return cls(**known)
        except (TypeError, ValueError) as error:
            raise AndornotError(f"the provenance record is malformed ({error})") from error
