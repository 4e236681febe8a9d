"""Connections: long heads, half-sent ones, too many of them, and clients that don't read."""

import json
import socket
import threading
import time
from contextlib import contextmanager, suppress

import pytest
from serving import need_server

need_server()
import uvicorn  # noqa: E402

from andornot.server import connections, process  # noqa: E402

REQUEST = b"GET /v1/health HTTP/1.1\r\nHost: localhost\r\n"
WAIT = REQUEST.replace(b"/v1/health", b"/wait") + b"\r\n"


left = threading.Event()  # set when the client of a request to /wait has gone


async def app(scope, receive, send):
    """Answers every request with what its path asks for."""
    if scope["type"] != "http":
        return
    if scope["path"] == "/wait":
        while (await receive())["type"] != "http.disconnect":
            pass
        left.set()
        return
    body = b"x" * 50_000_000 if scope["path"] == "/large" else b"ok"
    if scope["path"] == "/echo":
        body = (await receive())["body"]
    headers = [(b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": body})


@pytest.fixture
def port():
    """A service as the command starts it, in a thread of this process."""
    with process.listen("127.0.0.1", 0) as opened:
        server = uvicorn.Server(process.configuration(app, 1))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [opened]}, daemon=True)
        thread.start()
        yield opened.getsockname()[1]
        server.should_exit = server.force_exit = True
        thread.join(10)


@contextmanager
def connection(port, sent=b""):
    with socket.create_connection(("127.0.0.1", port), timeout=60) as opened:
        if sent:
            opened.sendall(sent)
        yield opened


def answer(opened) -> tuple[int, str]:
    """The status and the body of what is sent until the connection is closed."""
    data = bytearray()
    try:
        while block := opened.recv(1 << 16):
            data += block
    except ConnectionResetError:  # it was closed with bytes unread
        pass
    head, _, body = data.partition(b"\r\n\r\n")
    return (int(head.split()[1]) if head else 0), body.decode()


def header(size: int) -> bytes:
    return b"X-Long: " + b"a" * size + b"\r\n"


def is_served(port) -> bool:
    with connection(port, REQUEST + b"Connection: close\r\n\r\n") as opened:
        return answer(opened) == (200, "ok")


@pytest.mark.parametrize(
    "head",
    [
        REQUEST + header(70_000) + b"\r\n",
        REQUEST + header(50) * 1500 + b"\r\n",
        REQUEST + b"X-A: b\r\n" * 201 + b"\r\n",
        b"GET /" + b"a" * 70_000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n",
    ],
    ids=["one header", "many headers", "many short headers", "a path"],
)
def test_a_long_head_is_refused(port, head):
    with connection(port, head) as opened:
        status, body = answer(opened)
    assert status == 431
    assert json.loads(body)["kind"] == "limit"
    assert is_served(port)


def test_heads_below_the_limit_are_taken_one_after_the_other(port):
    request = REQUEST + header(40_000) + b"\r\n"
    last = REQUEST + header(40_000) + b"Connection: close\r\n\r\n"
    with connection(port, 5 * request + last) as opened:
        data = b""
        while block := opened.recv(1 << 16):
            data += block
    assert data.count(b"HTTP/1.1 200 OK") == 6


def test_an_endless_head_is_not_read_to_its_end(port):
    sent = 0
    long = connection(port, REQUEST + b"X-Long: ")
    with long as opened, suppress(BrokenPipeError, ConnectionResetError):
        while sent < 40 << 20:
            opened.sendall(b"a" * 65536)
            sent += 65536
    assert sent < 20 << 20  # what the system itself takes up, not the service
    assert is_served(port)


@pytest.mark.parametrize("sent", [b"", b"GET", REQUEST], ids=["nothing", "a word", "half a head"])
def test_a_head_that_does_not_end_is_given_up(port, sent, monkeypatch):
    monkeypatch.setattr(connections, "HEAD_SECONDS", 0.3)
    with connection(port, sent) as opened:
        status, body = answer(opened)
    assert status == 408
    assert json.loads(body)["kind"] == "timeout"


def test_a_head_that_trickles_is_given_up(port, monkeypatch):
    monkeypatch.setattr(connections, "HEAD_SECONDS", 0.5)
    sent = 0
    with connection(port, REQUEST) as opened, suppress(BrokenPipeError, ConnectionResetError):
        while sent < 200:
            opened.sendall(b"X-A: b\r\n")
            sent += 1
            time.sleep(0.05)
    assert sent < 200


def test_a_second_request_has_its_time_too(port, monkeypatch):
    monkeypatch.setattr(connections, "HEAD_SECONDS", 0.4)
    with connection(port, REQUEST + b"\r\n") as opened:
        assert opened.recv(1000).endswith(b"ok")
        time.sleep(0.6)  # idle, which is allowed for longer
        opened.sendall(REQUEST + b"\r\n")
        assert opened.recv(1000).endswith(b"ok")
        opened.sendall(REQUEST)
        assert answer(opened)[0] == 408


def test_many_half_sent_heads_leave_room_for_others(port, monkeypatch):
    monkeypatch.setattr(connections, "MOST_CONNECTIONS", 8)
    held = [socket.create_connection(("127.0.0.1", port), timeout=10) for _ in range(40)]
    for opened in held:
        with suppress(OSError):  # it may be closed for a later one
            opened.sendall(REQUEST)
    assert is_served(port)
    closed = 0
    for opened in held:
        opened.settimeout(0.05)
        try:
            closed += opened.recv(10) == b""
        except TimeoutError:
            pass
        except ConnectionResetError:
            closed += 1
        opened.close()
    assert closed >= 32


def test_where_every_connection_is_at_work_a_new_one_is_told(port, monkeypatch):
    monkeypatch.setattr(connections, "MOST_CONNECTIONS", 2)
    with connection(port, WAIT), connection(port, WAIT):
        time.sleep(0.2)
        with connection(port, REQUEST + b"\r\n") as third:
            status, said = answer(third)
    assert status == 503
    assert json.loads(said)["kind"] == "busy"


UNFINISHED = {
    "a length": b"Content-Length: 1000000\r\n\r\nx",
    "chunks": b"Transfer-Encoding: chunked\r\n\r\n1\r\nx\r\n",
}


@pytest.mark.parametrize("body", UNFINISHED.values(), ids=UNFINISHED)
def test_unfinished_bodies_leave_room_for_others(port, monkeypatch, body):
    """The request was answered without its body, which never comes."""
    monkeypatch.setattr(connections, "MOST_CONNECTIONS", 4)
    held = [socket.create_connection(("127.0.0.1", port), timeout=10) for _ in range(4)]
    for opened in held:
        opened.sendall(REQUEST + body)
        assert opened.recv(1000).endswith(b"ok")
        opened.sendall(b"1")  # of the body, or of the length of a chunk
    assert is_served(port)
    for opened in held:
        opened.close()


@pytest.mark.parametrize("body", UNFINISHED.values(), ids=UNFINISHED)
def test_a_body_that_does_not_end_is_given_up(port, monkeypatch, body):
    monkeypatch.setattr(connections, "BODY_SECONDS", 0.3)
    with connection(port, REQUEST + body) as opened:
        assert answer(opened) == (200, "ok")  # it ends with the connection
    with connection(port, WAIT[:-2] + body) as opened:
        status, said = answer(opened)
    assert status == 408
    assert json.loads(said)["kind"] == "timeout"


def test_a_client_that_takes_no_answer_is_left(port, monkeypatch):
    monkeypatch.setattr(connections, "READ_SECONDS", 0.3)
    with connection(port, b"GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n") as opened:
        time.sleep(1)
        _, body = answer(opened)
    assert len(body) < 50_000_000
    assert is_served(port)


def test_every_request_learns_that_its_client_has_gone(port):
    left.clear()
    with connection(port, WAIT + 3 * (REQUEST + b"\r\n")):
        assert not left.wait(0.2)
    assert left.wait(60)  # though it isn't the last request of its connection
    assert is_served(port)


def test_more_requests_than_answers_are_refused(port):
    with connection(port, WAIT + 70 * (REQUEST + b"\r\n")) as opened:
        status, body = answer(opened)
    assert status == 429
    assert json.loads(body)["kind"] == "limit"
    with connection(port, 60 * (REQUEST + b"\r\n")) as opened:
        data = b""
        while data.count(b"HTTP/1.1 200 OK") < 60:
            data += opened.recv(1 << 16)


def test_what_is_no_http_is_told(port):
    with connection(port, b"\x16\x03\x01 hello\r\n\r\n") as opened:
        status, body = answer(opened)
    assert status == 400
    assert json.loads(body)["kind"] == "request"


UPGRADES = {
    "h2c": b"Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAM\r\n",
    "websocket": b"Upgrade: websocket\r\nConnection: keep-alive, upgrade\r\n",
}
ECHO = b"POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 6\r\n"


@pytest.mark.parametrize("upgrade", UPGRADES.values(), ids=UPGRADES)
def test_a_request_for_an_upgrade_is_answered_as_any_other(port, upgrade):
    """Java's client and `curl --http2` ask for it with a body, which must not get lost."""
    last = REQUEST + b"Connection: close\r\n\r\n"
    with connection(port, ECHO + upgrade + b"\r\nhidden" + last) as opened:
        _, said = answer(opened)
    assert "hidden" in said
    assert said.endswith("ok")


@pytest.mark.parametrize("upgrade", UPGRADES.values(), ids=UPGRADES)
def test_a_body_after_an_upgrade_is_no_request(port, upgrade):
    body = REQUEST + b"\r\n"
    head = ECHO.replace(b"6", str(len(body)).encode()) + upgrade
    with connection(port, head + b"\r\n") as opened:
        time.sleep(0.2)  # the body comes later
        opened.sendall(body)
        data = b""
        while not data.endswith(body) and (block := opened.recv(1 << 16)):
            data += block
        assert data.endswith(body)
        opened.sendall(REQUEST + b"Connection: close\r\n\r\n")
        assert answer(opened) == (200, "ok")
    assert data.count(b"200 OK") == 1


@pytest.mark.parametrize("upgrade", ["", *UPGRADES])
def test_bytes_after_the_last_request_are_ignored(port, upgrade):
    last = b"Connection: close, Upgrade\r\n\r\n"
    with connection(port, REQUEST + UPGRADES.get(upgrade, b"") + last + b"\r\nmore") as opened:
        assert answer(opened) == (200, "ok")


def test_an_upgrade_hides_no_long_head(port):
    head = REQUEST + UPGRADES["h2c"] + header(40_000)
    with connection(port, head + header(40_000) + b"\r\n") as opened:
        assert answer(opened)[0] == 431
    with connection(port, 3 * (head + b"\r\n") + REQUEST + b"Connection: close\r\n\r\n") as opened:
        assert answer(opened)[1].endswith("ok")


def test_a_service_is_no_proxy(port):
    with connection(port, b"CONNECT localhost:80 HTTP/1.1\r\nHost: localhost\r\n\r\n") as opened:
        assert answer(opened)[0] == 400
    assert is_served(port)


def test_unread_answers_take_little_memory_together(port, monkeypatch):
    monkeypatch.setattr(connections, "MOST_UNREAD", 100_000_000)
    request = b"GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n"
    with connection(port, request) as first:
        first.recv(10, socket.MSG_PEEK)
        with connection(port, request) as second:
            second.recv(10, socket.MSG_PEEK)
            with connection(port, request) as third:
                third.recv(10, socket.MSG_PEEK)
                _, body = answer(first)  # it has waited longest
                assert len(body) < 49_000_000
                left = 20_000_000  # more than the system holds, so that the service sends it
                while left > 0:
                    size = len(second.recv(1 << 20))
                    assert size
                    left -= size
