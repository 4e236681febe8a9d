"""Concepts of pickled answers: complete, but without their logic and its space."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NoReturn, cast

from andornot.algebra.concept import Concept
from andornot.base.errors import AndornotError

if TYPE_CHECKING:
    from andornot.algebra.logic import Logic


class DetachedError(AndornotError, AttributeError):
    """A concept of a pickled answer has no logic to compute with."""


class DetachedLogic:
    """The logic of a pickled answer, of which only the notes are kept."""

    def __init__(self, notes: Sequence[str]) -> None:
        self.notes = tuple(notes)

    def __getattr__(self, name: str) -> NoReturn:
        raise DetachedError(
            f"a pickled answer has no logic, and so no {name}; ask the query again with a Logic"
        )


def detached(concept: Concept) -> Concept:
    """Return a concept with its node and vector computed, but without its logic."""
    notes = concept.logic.notes
    found = replace(concept, logic=cast("Logic", DetachedLogic(notes)), resolved=concept.node)
    vars(found)["computed"] = concept.computed
    return found
