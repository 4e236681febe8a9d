"""Answers of every kind, to be drawn."""

from functools import cache

from planted import SPACE, WORDS
from queries import drawn

from andornot import Logic
from andornot.base.errors import AndornotError


@cache
def answers(space=SPACE, words=tuple(WORDS)):
    """The answers to two hundred queries over words of a space; a few have no direction."""
    logics = {False: Logic(space), True: Logic(space, exact=True)}
    found = []
    for query, way in drawn(words):
        logic = logics[way.get("exact", False)]
        try:
            found.append(logic.ask(query, everywhere=way.get("everywhere", False)))
        except AndornotError as error:
            assert "it has no direction" in str(error)
    assert len(found) >= 190
    return [answer for answer in found if answer.hits]
