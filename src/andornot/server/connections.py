"""Connections with limits: on the head of a request, on its time, on the number of both.

uvicorn limits heads only with its slower parser (h11), and has no time limit for a head. A head is
read before the token is checked, so that anyone who reaches the port could stall all others.
"""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress
from http import HTTPStatus
from typing import Any

import httptools
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle


def most_connections(files: int) -> int:
    """Return the number of connections to hold, for the number of files a process may open.

    Half of the files are left for models, sockets that are just closing, and modules.

    >>> most_connections(1024), most_connections(256)
    (512, 128)
    """
    return max(1, min(512, files // 2))


def _open_files() -> int:
    """Return the number of files that this process may open."""
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return 1 << 20
    files = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return 1 << 20 if files == resource.RLIM_INFINITY else files


LONGEST_HEAD = 1 << 16  # bytes of the request line and the headers
MOST_HEADERS = 200  # a browser sends about 20; each takes a call in Python
HEAD_SECONDS = 10.0  # from the first byte of a head, or from the connection, to its end
BODY_SECONDS = 60.0  # from the end of a head to that of its body, whether it is read or not
READ_SECONDS = 60.0  # for a client to take what was sent
MOST_UNREAD = 1 << 28  # bytes of all answers that clients have not taken yet
MOST_CONNECTIONS = most_connections(_open_files())
MOST_PIPELINED = 64  # requests that a client may send before it has the answer to the first


class _Parser(httptools.HttpRequestParser):
    """Takes a request to upgrade its connection as a plain one, as HTTP allows.

    The parser of httptools ends at such a head: it drops a body, such as a POST of Java's client
    has, and would take bytes of it that come later for the next request.
    """

    def __init__(self, connection: Connection) -> None:
        super().__init__(connection)
        with suppress(AttributeError):  # httptools before 0.6.3 is always so lenient
            self.set_dangerous_leniencies(lenient_data_after_close=True)  # as uvicorn does
        self._connection = connection

    def feed_data(self, data: Any) -> None:
        """Parse bytes; those after a head that asks for an upgrade too."""
        try:
            super().feed_data(data)
        except httptools.HttpParserUpgrade as upgrade:
            head = self._connection.head_without_upgrade()
            self._connection.parser = _Parser(self._connection)
            self._connection.parser.feed_data(head + data[upgrade.args[0] :])


class Connection(HttpToolsProtocol):
    """A connection that is closed if its request doesn't arrive whole, small and in time."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.parser = _Parser(self)
        self._in_head = True
        self._received = 0  # bytes of this head that have come
        self._parsed = 0  # bytes of this head that were parsed
        self._headers = 0  # of this head
        self._is_too_long = False
        self._has_too_many = False
        self._has_asked = False
        self._cycles: list[RequestResponseCycle] = []  # of requests without their answer
        self._timer: asyncio.TimerHandle | None = None  # for the rest of a request
        self._taking: asyncio.TimerHandle | None = None  # for the client to take its answer
        self._waits_since = 0.0

    # --- the life of a connection ----------------------------------------------------------

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Take a connection; where there are too many, close the one that waits longest."""
        crowded = len(self.connections) >= MOST_CONNECTIONS
        super().connection_made(transport)
        self._waits_since = self.loop.time()
        if crowded and not self._close_another():
            self._refuse(503, "busy", f"more than {MOST_CONNECTIONS} connections are open")
            return
        self._start_timer()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection, and tell every request of it, not only the last one."""
        self._stop_timer()
        self._stop_taking()
        self.pipeline.clear()
        for cycle in self._cycles:
            if not cycle.response_complete:
                cycle.disconnected = True
                cycle.message_event.set()
        super().connection_lost(exc)

    def _close_another(self) -> bool:
        """Close a connection that waits for its client, if any does: rather one that never asked.

        A new client so gets its turn, however many connections are held open.
        """
        waiting = [
            each
            for each in self.connections
            if isinstance(each, Connection) and each is not self and each._is_waiting
        ]
        if not waiting:
            return False
        oldest = min(waiting, key=lambda each: (each._has_asked, each._waits_since))
        self.connections.discard(oldest)  # it is counted no longer
        oldest.transport.abort()
        return True

    @property
    def _is_waiting(self) -> bool:
        """Return True if the next step is the client's: a request, or the rest of one."""
        idle = self.cycle is None or self.cycle.response_complete
        return (idle or not self._in_head) and not self.transport.is_closing()

    # --- the head of a request -------------------------------------------------------------

    def data_received(self, data: bytes) -> None:
        """Take bytes, unless the head of a request grows too long."""
        if self.transport.is_closing():
            return
        if self._in_head:
            if self._received > LONGEST_HEAD:  # what came before didn't end it
                self._refuse_head()
                return
            self._received += len(data)
            if self._timer is None:
                self._waits_since = self.loop.time()
                self._start_timer()
        super().data_received(data)

    def on_url(self, url: bytes) -> None:
        """Take a part of the request line."""
        self._check_head(len(url))
        super().on_url(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        """Take a header."""
        self._headers += 1
        self._check_head(len(name) + len(value) + 4)
        super().on_header(name, value)

    def _check_head(self, size: int) -> None:
        self._parsed += size
        if self._parsed > LONGEST_HEAD or self._headers > MOST_HEADERS:
            self._is_too_long = True
            raise ValueError("the head is too long")  # ends the parser

    def send_400_response(self, msg: str) -> None:
        """Answer to what the parser has given up."""
        if self._is_too_long:
            self._refuse_head()
        elif self._has_too_many:
            said = f"more than {MOST_PIPELINED} requests were sent before the first answer"
            self._refuse(429, "limit", f"{said}; wait for answers")
        else:
            self._refuse(400, "request", "this is not an HTTP request")

    def head_without_upgrade(self) -> bytes:
        """Return the head that was parsed last, and forget it; it says no longer "upgrade"."""
        method, version = self.parser.get_method(), self.parser.get_http_version()
        lines = [b"%s %s HTTP/%s" % (method, self.url, version.encode())]
        for name, value in self.headers:
            if name == b"connection":
                options = [each.strip() for each in value.split(b",")]
                value = b", ".join(each for each in options if each.lower() != b"upgrade")
            if name != b"upgrade":
                lines.append(name + b": " + value)
        self._parsed = self._headers = 0
        return b"\r\n".join([*lines, b"", b""])

    def on_headers_complete(self) -> None:
        """Go on with a request whose head is whole."""
        if self.parser.should_upgrade():
            if self.parser.get_method() == b"CONNECT":  # it has no plain form
                raise ValueError("this service is not a proxy")  # ends the parser
            return  # it is parsed again
        self._in_head, self._has_asked = False, True
        self._stop_timer()
        if len(self.pipeline) >= MOST_PIPELINED:
            self._has_too_many = True
            raise ValueError("too many requests at once")  # ends the parser
        self._timer = self.loop.call_later(BODY_SECONDS, self._give_up_body)
        super().on_headers_complete()
        if self.cycle is not None:
            left = [each for each in self._cycles if not each.response_complete]
            self._cycles = [*left, self.cycle]

    def on_message_complete(self) -> None:
        """Expect the next request."""
        if self.parser.should_upgrade():
            return
        super().on_message_complete()
        self._stop_timer()
        self._in_head = True
        self._received = self._parsed = self._headers = 0
        self._waits_since = self.loop.time()

    # --- slow clients ----------------------------------------------------------------------

    def pause_writing(self) -> None:
        """Wait for a client that doesn't take its answer, but not without end.

        If the clients together leave more than the memory should hold, those that wait longest
        are left.
        """
        super().pause_writing()
        self._stop_taking()
        self._taking = self.loop.call_later(READ_SECONDS, self.transport.abort)
        waiting = [each for each in self.connections if isinstance(each, Connection)]
        waiting = sorted((each for each in waiting if each._taking), key=Connection._end_of_taking)
        unread = sum(each.transport.get_write_buffer_size() for each in waiting)
        for each in waiting:
            if unread <= MOST_UNREAD:
                break
            unread -= each.transport.get_write_buffer_size()
            each._stop_taking()
            each.transport.abort()

    def _end_of_taking(self) -> float:
        assert self._taking is not None
        return self._taking.when()

    def resume_writing(self) -> None:
        """Go on."""
        self._stop_taking()
        super().resume_writing()

    def _stop_taking(self) -> None:
        if self._taking is not None:
            self._taking.cancel()
            self._taking = None

    def _start_timer(self) -> None:
        self._stop_timer()
        self._timer = self.loop.call_later(HEAD_SECONDS, self._give_up)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _give_up(self) -> None:
        self._timer = None
        self._refuse(408, "timeout", f"no request arrived within {HEAD_SECONDS:g} seconds")

    def _give_up_body(self) -> None:
        self._timer = None
        if self.cycle is not None and self.cycle.response_started:
            self.transport.abort()
        else:
            said = f"the body of the request did not arrive within {BODY_SECONDS:g} seconds"
            self._refuse(408, "timeout", said)

    def _refuse_head(self) -> None:
        most = f"{LONGEST_HEAD:,} bytes or {MOST_HEADERS:,} headers"
        self._refuse(431, "limit", f"the head of the request has more than {most}")

    def _refuse(self, status: int, kind: str, problem: str) -> None:
        """Answer with an error, and close the connection."""
        if self.transport.is_closing():
            return
        self._stop_timer()
        body = json.dumps({"error": problem, "kind": kind}).encode()
        head = (
            f"HTTP/1.1 {status} {HTTPStatus(status).phrase}\r\n"
            f"content-type: application/json\r\ncontent-length: {len(body)}\r\n"
            "connection: close\r\n\r\n"
        )
        self.transport.write(head.encode() + body)
        self.transport.close()
