"""Running the service: the socket, the browser, and a graceful end."""

from __future__ import annotations

import os
import signal
import socket
import sys
import threading
import webbrowser
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import uvicorn

from andornot.base.errors import AndornotError
from andornot.server.connections import Connection

if TYPE_CHECKING:
    from starlette.types import ASGIApp

_BACKLOG = 1024
_TURN = 0.0005  # seconds that a thread keeps the interpreter while others wait for it
_IDLE = 60  # seconds that a connection may be idle


class _Server(uvicorn.Server):
    """A server that reports when it has started, and exits with 0 after a signal."""

    def __init__(self, config: uvicorn.Config, started: Callable[[], None]) -> None:
        super().__init__(config)
        self._tell = started

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, and report it."""
        await super().startup(sockets)
        if self.started:
            self._tell()
            if self.should_exit:  # uvicorn would return without ending the application
                await self.shutdown(sockets)

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """SIGINT and SIGTERM end the service; a second SIGINT ends it at once."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before: dict[int, Any] = {
            number: signal.signal(number, self.handle_exit)
            for number in (signal.SIGINT, signal.SIGTERM)
        }
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)


def listen(host: str, port: int) -> socket.socket:
    """Return a listening socket.

    >>> with listen("127.0.0.1", 0) as opened:
    ...     opened.getsockname()[0]
    '127.0.0.1'
    """
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
    except (socket.gaierror, UnicodeError) as error:
        raise AndornotError(f"{host!r} is not an address of this machine; try 127.0.0.1") from error
    opened = socket.socket(family, kind, protocol)
    try:
        opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        opened.bind(address)
        opened.listen(_BACKLOG)
    except OSError as error:
        opened.close()
        reason = (error.strerror or str(error)).lower()
        raise AndornotError(
            f"can't listen at {host} port {port}: {reason}; choose another with --port"
        ) from error
    return opened


def address_of(opened: socket.socket, host: str) -> str:
    """Return the address of the page.

    >>> with listen("127.0.0.1", 0) as opened:
    ...     address_of(opened, "127.0.0.1").startswith("http://127.0.0.1:")
    True
    """
    port = opened.getsockname()[1]
    if host in ("0.0.0.0", "::"):  # noqa: S104  it listens on loopback too
        host = "127.0.0.1"
    return f"http://{f'[{host}]' if ':' in host else host}:{port}/"


def configuration(app: ASGIApp, seconds: float) -> uvicorn.Config:
    """Return how uvicorn serves the application; open requests may end within `seconds`."""
    return uvicorn.Config(
        app,
        http=Connection,
        ws="none",
        log_level="error",  # what a client sends wrongly would fill a log
        access_log=False,
        server_header=False,
        timeout_keep_alive=_IDLE,
        timeout_graceful_shutdown=max(1, round(seconds)),
    )


def run(
    app: ASGIApp, opened: socket.socket, address: str, *, browser: bool, seconds: float
) -> None:
    """Serve until a signal comes, finish open requests, and end the process.

    Args:
        app: The service.
        opened: The socket that listens.
        address: The address to print and to open.
        browser: Open the page in a browser.
        seconds: The time for open requests after the signal.
    """
    unwritten: list[OSError] = []

    def started() -> None:
        try:
            print(f"andornot is at {address} (Ctrl-C ends it)", flush=True)
        except OSError as error:  # its address would be unknown
            unwritten.append(error)
            server.should_exit = True
            return
        if browser:
            threading.Thread(target=webbrowser.open, args=[address], daemon=True).start()

    # a batch gets the interpreter back soon after its product, however many requests come in
    sys.setswitchinterval(_TURN)
    config = configuration(app, seconds)
    server = _Server(config, started)
    server.run(sockets=[opened])
    if not server.started:
        raise AndornotError("the service could not start; see the message above")
    if unwritten:
        raise unwritten[0]
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)  # threads may still compute what was given up, and cannot be stopped
