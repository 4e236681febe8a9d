"""The client of the request that a task answers: whether it is still there."""

from __future__ import annotations

import asyncio
from contextvars import ContextVar
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from starlette.types import Receive

_current: ContextVar[Receive | None] = ContextVar("client", default=None)


def answer_to(receive: Receive) -> None:
    """Note from where the messages of the client come whose request this task answers."""
    _current.set(receive)


async def client_left() -> None:
    """Return when the client of this task's request has closed its connection.

    The body must have been read. A task without a request waits for ever.
    """
    receive = _current.get()
    if receive is None:
        await asyncio.get_running_loop().create_future()
        return
    while (await receive())["type"] != "http.disconnect":
        pass
