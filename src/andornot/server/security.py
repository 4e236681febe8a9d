"""Checks before every request: host, token, size and type of the body; strict headers."""

from __future__ import annotations

import asyncio
import hmac
import ipaddress
import re
from functools import lru_cache
from typing import TYPE_CHECKING

from andornot.server.clients import answer_to
from andornot.server.failures import ServiceError

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
    "img-src 'self' data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
HEADERS = {
    "content-security-policy": _POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}
_API = "/v1/"
_MOST_DIGITS = 19  # of the length of a body
_PORT = re.compile(r":\d*\Z")
_OPEN = frozenset(["/v1/health", "/v1/openapi.json"])  # they reveal nothing of what is served


@lru_cache(maxsize=64)  # asked for every request
def is_loopback(host: str) -> bool:
    """Return whether a host is a name or an address of loopback.

    >>> is_loopback("127.0.0.1"), is_loopback("::1"), is_loopback("localhost")
    (True, True, True)
    >>> is_loopback("0.0.0.0"), is_loopback("example.org")
    (False, False)
    """
    if host.lower() in ("localhost", "localhost."):
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def host_of(header: str) -> str:
    """Return the name in a Host header, without the port.

    >>> host_of("localhost:8000"), host_of("[::1]:8000"), host_of("[::1].example.org")
    ('localhost', '[::1]', '[::1].example.org')
    """
    return _PORT.sub("", header)


class Guard:
    """Passes on requests to the right host, with the token, and with a body of limited size.

    On loopback, a page of another site that has its name point here (DNS rebinding) is told by the
    name. The body is read whole before anything is done with it, within `seconds`; the paths of
    `posts` take JSON.
    """

    def __init__(
        self,
        app: ASGIApp,
        *,
        token: str | None,
        only_loopback: bool,
        body: int,
        seconds: float,
        posts: frozenset[str],
    ) -> None:
        self._app = app
        self._token = None if token is None else token.encode()
        self._only_loopback = only_loopback
        self._body = body
        self._seconds = seconds
        self._posts = posts
        self._headers = [(name.encode(), value.encode()) for name, value in HEADERS.items()]
        self._api_headers = [*self._headers, (b"cache-control", b"no-store")]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        of_api = scope["path"].startswith(_API)
        extra = self._api_headers if of_api else self._headers

        has_started = False

        async def with_headers(message: Message) -> None:
            nonlocal has_started
            if message["type"] == "http.response.start":
                has_started = True
                message["headers"] = [*message["headers"], *extra]
            await send(message)

        try:
            self._check(scope, dict(scope["headers"]), of_api)
            if scope["method"] in ("POST", "PUT", "PATCH"):
                receive = await self._whole(receive)
            answer_to(receive)
        except ServiceError as failure:
            await failure.response()(scope, receive, with_headers)
            return
        try:
            await self._app(scope, receive, with_headers)
        except Exception:
            if not has_started:
                said = "internal error; see the log of the service"
                await ServiceError(500, "failed", said).response()(scope, receive, with_headers)
            raise  # to the log

    def _check(self, scope: Scope, headers: dict[bytes, bytes], of_api: bool) -> None:
        hosts = [value.decode("latin-1") for name, value in scope["headers"] if name == b"host"]
        is_local = bool(hosts) and all(is_loopback(host_of(host)) for host in hosts)
        if self._only_loopback and not is_local:
            raise ServiceError(
                421, "host", "this service answers to localhost and loopback addresses alone"
            )
        if not of_api:
            return
        if self._token is not None and scope["path"] not in _OPEN:
            scheme, _, given = headers.get(b"authorization", b"").partition(b" ")
            if scheme.lower() != b"bearer" or not hmac.compare_digest(given, self._token):
                raise ServiceError(
                    401,
                    "token",
                    "a token is needed: Authorization: Bearer TOKEN",
                    {"www-authenticate": 'Bearer realm="andornot"'},
                )
        if scope["method"] != "POST" or scope["path"] not in self._posts:
            return
        kind = headers.get(b"content-type", b"").partition(b";")[0].strip().lower()
        if kind != b"application/json":  # forms of other sites can't send it unasked
            raise ServiceError(
                415,
                "request",
                "the body must be JSON; send the header Content-Type: application/json",
            )
        length = headers.get(b"content-length", b"0")
        if length.isdigit():
            digits = length.lstrip(b"0") or b"0"  # Python converts no more than 4,300 digits
            if len(digits) > _MOST_DIGITS or int(digits) > self._body:
                raise self._too_large()

    def _too_large(self) -> ServiceError:
        # what is left of the body stays unread, so the connection ends
        return ServiceError(
            413,
            "limit",
            f"the body is larger than {self._body:,} bytes (--max-body)",
            {"connection": "close"},
        )

    async def _whole(self, receive: Receive) -> Receive:
        """Read the body, and return a receiver that gives it in one piece."""
        body = bytearray()
        more = True
        try:
            async with asyncio.timeout(self._seconds):
                while more:
                    message = await receive()
                    if message["type"] == "http.disconnect":
                        break
                    body += message.get("body", b"")
                    more = message.get("more_body", False)
                    if len(body) > self._body:
                        raise self._too_large()
        except TimeoutError:
            raise ServiceError(
                408,
                "timeout",
                f"the body did not arrive within {self._seconds:g} seconds",
                {"connection": "close"},
            ) from None
        whole: list[Message] = [{"type": "http.request", "body": bytes(body), "more_body": False}]

        async def give() -> Message:
            return whole.pop() if whole else await receive()

        return give
