"""The spaces that are served, each with the logics that were requested."""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from andornot.algebra import Logic
from andornot.base import defaults
from andornot.base.caching import cached_property
from andornot.base.choices import OrWeights, Postprocess
from andornot.base.defaults import default_postprocess
from andornot.growing import Grower
from andornot.server.example_queries import Example, examples_of, is_known
from andornot.server.failures import ServiceError
from andornot.server.lesson import QUERIES, Lesson, lesson_of
from andornot.space import Space
from andornot.words.completion import Completion

_Settings = tuple[str, str, bool]
_NEED_COUNTS = (Postprocess.FREQUENCY, Postprocess.ZIPFIAN_WHITENING)


class ServedSpace:
    """A space with its name, its logics and its completion.

    >>> import andornot
    >>> served = ServedSpace("royal", andornot.load("examples/royal.vec"))
    >>> served.postprocessings
    ('none', 'uniform', 'all-but-the-top')
    """

    def __init__(self, name: str, space: Space, threads: int = 1) -> None:
        self.name = name
        self._threads = threads
        self.space = space
        self._logics: dict[_Settings, Logic] = {}
        self._locks: defaultdict[_Settings, threading.Lock] = defaultdict(threading.Lock)
        self._preparing_descriptions = threading.Lock()
        self._preparing_lists = threading.Lock()
        self._preparing_examples = threading.Lock()
        self._preparing_lesson = threading.Lock()

    @property
    def postprocessings(self) -> tuple[str, ...]:
        """The post-processings that are possible for the space."""
        if self.space.provenance.postprocess:
            return (str(Postprocess.NONE),)
        possible = tuple(Postprocess)
        if not self.space.has_frequencies:
            possible = tuple(method for method in Postprocess if method not in _NEED_COUNTS)
        return tuple(map(str, possible))

    @property
    def default_postprocess(self) -> Postprocess:
        """The default post-processing for the space."""
        return default_postprocess(self.space)

    def has_logic(self, postprocess: str, weights: str, exact: bool) -> bool:
        """Return whether the logic with these settings has been made."""
        return (str(postprocess), str(weights), exact) in self._logics

    def logic(self, postprocess: str, weights: str, exact: bool) -> Logic:
        """Return the logic with these settings; it is made at the first request."""
        key = (str(postprocess), str(weights), exact)
        if key in self._logics:
            return self._logics[key]
        with self._locks[key]:  # one lock per logic: making one does not block others
            if key not in self._logics:
                logic = Logic(
                    self.space,
                    postprocess=key[0],
                    weights=key[1],
                    exact=exact,
                    threads=self._threads,
                )
                _ = logic.search.lengths
                self._logics[key] = logic
            return self._logics[key]

    @property
    def describing(self) -> Logic:
        """The default logic, ready for descriptions; one thread prepares it."""
        logic = self._default_logic
        with self._preparing_descriptions:
            _ = logic.descriptions
        return logic

    @property
    def grower(self) -> Grower:
        """The data that word lists grow by; one thread prepares it, at the first request."""
        with self._preparing_lists:
            return self._grower

    @property
    def examples(self) -> dict[str, list[Example]]:
        """Queries to begin with; one thread answers them, at the first request."""
        with self._preparing_examples:
            return self._examples

    @property
    def lesson(self) -> Lesson:
        """The lesson of the page; one thread computes it, at the first request."""
        with self._preparing_lesson:
            return self._lesson

    @cached_property
    def _examples(self) -> dict[str, list[Example]]:
        return examples_of(self._default_logic)

    @cached_property
    def _lesson(self) -> Lesson:
        return lesson_of(self._default_logic, self._lesson_queries)

    @cached_property
    def _lesson_queries(self) -> list[str]:
        """The queries of the lesson; empty if the space can answer none."""
        known = [query for query in QUERIES if is_known(query, self.space)]
        made = [each.query for name in ("and", "or") for each in self.examples[name]]
        return list(dict.fromkeys([*known, *made]))[: len(QUERIES)]

    @property
    def _default_logic(self) -> Logic:
        return self.logic(self.default_postprocess, defaults.OR_WEIGHTS, False)

    @cached_property
    def _grower(self) -> Grower:
        return Grower(self.space)

    def warm_up(self) -> None:
        """Prepare for the first requests: the default logic, the kernel, words, descriptions."""
        logic = self._default_logic
        logic.search.nearest(np.zeros((64, self.space.dim), dtype=np.float32), 1)
        _ = self.completion
        _ = self.describing

    @cached_property
    def completion(self) -> Completion:
        """Words by their beginnings."""
        return Completion(self.space.vocabulary)

    def facts(self) -> dict[str, Any]:
        """Return what clients need to know of the space."""
        counts = self.space.vocabulary.counts
        return {
            "name": self.name,
            "words": len(self.space),
            "dimension": self.space.dim,
            "counts": None if counts is None else str(counts.origin),
            "context_vectors": self.space.has_context,
            "postprocessings": list(self.postprocessings),
            "default_postprocess": str(self.default_postprocess),
            "weights": [str(w) for w in OrWeights if self.space.has_frequencies or w == "uniform"],
            "default_weights": str(defaults.OR_WEIGHTS),
            "origin": self.space.provenance.origin,
        }


class Spaces:
    """The spaces by name; the first answers requests that name none."""

    def __init__(self, spaces: Mapping[str, Space], threads: int) -> None:
        self._served = {name: ServedSpace(name, space, threads) for name, space in spaces.items()}

    def __iter__(self) -> Iterator[ServedSpace]:
        return iter(self._served.values())

    def find(self, name: str | None) -> ServedSpace:
        """Return the space with this name, or the first."""
        if name is None:
            return next(iter(self._served.values()))
        if name not in self._served:
            known = ", ".join(self._served)
            raise ServiceError(404, "not-found", f"there is no space {name!r}; choose from {known}")
        return self._served[name]
