"""The route that is asked most, without the framework, which takes longer than an answer does."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from pydantic import ValidationError

from andornot.server.failures import ServiceError, json_response
from andornot.server.schemas import AskRequest
from andornot.server.security import again

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send


class Direct:
    """Answers requests to `path` that are asks; every other one goes on to `app`.

    The application has the same route: it describes it, and says what is wrong with a body that
    can't be read. The body is there in one piece: see Guard.
    """

    def __init__(
        self, app: ASGIApp, *, path: str, answer: Callable[[AskRequest], Awaitable[bytes]]
    ) -> None:
        self._app = app
        self._path = path
        self._answer = answer

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, or let it pass."""
        if scope["type"] != "http" or scope["path"] != self._path or scope["method"] != "POST":
            await self._app(scope, receive, send)
            return
        message = await receive()
        try:
            asked = AskRequest.model_validate_json(message.get("body", b""))
        except ValidationError:
            await self._app(scope, again(message, receive), send)
            return
        try:
            response = json_response(await self._answer(asked))
        except ServiceError as failure:
            response = failure.response()
        await response(scope, receive, send)
