"""`andornot serve`: who may ask, how it starts and how it ends."""

import asyncio
import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress

import pytest
from commands import EXAMPLES
from serving import command, need_server, serving

import andornot

need_server()
import httpx  # noqa: E402

TOKEN = "a-secret-of-tests"


# --- who may ask -------------------------------------------------------------------------------


def test_the_token():
    with serving("--host", "0.0.0.0", ANDORNOT_TOKEN=TOKEN) as running:
        ask = {"query": "queen"}
        with httpx.Client(base_url=running.url, timeout=60) as client:
            for headers in ({}, {"authorization": "Bearer wrong"}, {"authorization": TOKEN}):
                refused = client.post("/v1/ask", json=ask, headers=headers)
                assert refused.status_code == 401
                assert refused.headers["www-authenticate"].startswith("Bearer")
                assert refused.json()["kind"] == "token"
                assert client.get("/v1/spaces", headers=headers).status_code == 401
            right = {"authorization": f"Bearer {TOKEN}"}
            assert client.post("/v1/ask", json=ask, headers=right).status_code == 200
            assert client.get("/v1/health").status_code == 200
            assert client.head("/v1/health").status_code == 200
            assert client.get("/").status_code == 200
            assert client.get("/v1/health", headers={"host": "example.org"}).status_code == 200
            lower = {"authorization": f"bearer {TOKEN}"}
            assert client.get("/v1/spaces", headers=lower).status_code == 200
            described = client.get("/v1/openapi.json").json()  # the page has a link to it
            assert described["components"]["securitySchemes"]["HTTPBearer"]["scheme"] == "bearer"


@pytest.mark.parametrize("path", ["/", "/v1/health", "/v1/spaces"])
def test_on_loopback_it_answers_to_its_own_names_alone(client, path):
    for host in ("localhost", "localhost:8000", "127.0.0.1:1", "[::1]:8000"):
        assert client.get(path, headers={"host": host}).status_code == 200
    for host in ("example.org", "localhost.example.org", "127.0.0.1.example.org", "10.0.0.1", ""):
        assert client.get(path, headers={"host": host}).status_code == 421


@pytest.mark.parametrize(
    "path", ["/", "/page.js", "/plotly.min.js", "/v1/health", "/v1/nothing", "/nothing"]
)
def test_every_answer_has_strict_headers(client, path):
    headers = client.get(path, headers={"origin": "http://example.org"}).headers
    policy = dict(
        part.strip().split(" ", 1) for part in headers["content-security-policy"].split(";")
    )
    assert policy["default-src"] == "'none'"
    assert policy["script-src"] == "'self'"
    assert policy["frame-ancestors"] == "'none'"
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["cross-origin-resource-policy"] == "same-origin"
    assert not [name for name in headers if name.startswith("access-control")]
    assert "server" not in headers


def test_only_the_page_is_served(client):
    for path in ("/../app.py", "/%2e%2e/app.py", "/..%2fapp.py", "/app.py", "/page"):
        assert client.get(path).status_code == 404
    assert client.get("/").headers["content-type"].startswith("text/html")
    assert client.get("/page.js").headers["content-type"].startswith("text/javascript")
    assert len(client.get("/plotly.min.js").content) > 1e6


def test_an_error_of_its_own_is_said_without_telling_more(monkeypatch):
    from andornot.server import answering
    from andornot.server.app import create_app

    def broken(*_):
        raise RuntimeError("a secret")

    monkeypatch.setattr(answering, "explain_query", broken)
    app = create_app({"default": andornot.default()})

    async def ask():
        transport = httpx.ASGITransport(app=app, raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
            return await client.post("/v1/explain", json={"query": "queen"})

    answer = asyncio.run(ask())
    assert answer.status_code == 500
    assert answer.json()["kind"] == "failed"
    assert "secret" not in answer.text
    assert answer.headers["x-content-type-options"] == "nosniff"


# --- the command -------------------------------------------------------------------------------


def fails(*options, **environment):
    done = subprocess.run(
        command("--no-browser", *options),
        capture_output=True,
        text=True,
        timeout=60,
        env=os.environ | environment,
    )
    assert done.stdout == ""
    assert len(done.stderr.splitlines()) == 1, done.stderr
    return done.returncode, done.stderr


def test_beyond_loopback_a_token_is_needed():
    code, said = fails("--host", "0.0.0.0", "--port", 0, ANDORNOT_TOKEN="")
    assert code == 2
    assert "set a token" in said


def test_a_port_that_is_taken(service):
    port = service.url.rstrip("/").rpartition(":")[2]
    code, said = fails("--port", port)
    assert code == 1
    assert f"port {port}" in said
    assert "--port" in said


def test_spaces_that_cannot_be_served(tmp_path):
    code, said = fails("--port", 0, "--space", tmp_path / "nowhere.vec")
    assert code == 1
    assert "nowhere.vec" in said
    code, said = fails(
        "--port", 0, "--space", EXAMPLES / "royal.vec", "--space", EXAMPLES / "royal.vec"
    )
    assert code == 2
    assert "NAME=FILE" in said


def test_without_the_extra_it_says_what_to_install():
    code = (
        "import sys; sys.modules['fastapi'] = None; sys.argv[1:] = ['serve', '--no-browser']\n"
        "from andornot.cli import main; main()"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 1
    assert done.stderr == "error: the service needs fastapi; pip install 'andornot[server]'\n"


def test_the_help_waits_for_no_server():
    code = (
        "import sys, andornot.cli; heavy = {'fastapi', 'uvicorn', 'pydantic', 'plotly', 'numpy'};"
        "heavy &= set(sys.modules); sys.exit(f'imported {heavy}' if heavy else 0)"
    )
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0


@pytest.mark.skipif(os.name == "nt", reason="signals are different there")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_the_end_finishes_what_is_under_way(number):
    words = [word for word in andornot.default().words[300:2500] if word.isalpha()]
    queries = [f"(king | {word}) & (woman | man)" for word in words[:500]]
    with serving("--time-limit", 300) as running:
        httpx.post(f"{running.url}v1/ask", json={"query": "queen", "exact": True}, timeout=60)
        answers = []

        def ask():
            body = {"queries": queries, "exact": True, "k": 1}
            answers.append(httpx.post(f"{running.url}v1/ask/batch", json=body, timeout=300))

        asking = threading.Thread(target=ask)
        asking.start()
        time.sleep(1)
        assert not answers  # it is under way
        assert running.stop(number) == 0
        asking.join()
        assert answers[0].status_code == 200
        assert len(answers[0].json()["answers"]) == len(queries)
        with pytest.raises(httpx.ConnectError):
            httpx.get(f"{running.url}v1/health")


SLOW = """
import sys, threading, time
import andornot
from andornot.server import answering
from andornot.server.app import create_app
from andornot.server.limits import Limits
from andornot.server.process import listen, run

answering.explain_query = lambda *_: time.sleep(100)
app = create_app({"default": andornot.default()}, limits=Limits(seconds=float(sys.argv[1])))
with listen("127.0.0.1", 0) as opened:
    address = f"http://127.0.0.1:{opened.getsockname()[1]}/"
    run(app, opened, address, browser=False, seconds=float(sys.argv[1]))
"""


@pytest.mark.skipif(os.name == "nt", reason="signals are different there")
@pytest.mark.parametrize(
    ("limit", "signals"),
    [(1, [signal.SIGTERM]), (1, [signal.SIGINT]), (80, [signal.SIGINT, signal.SIGINT])],
)
def test_work_that_was_given_up_does_not_hold_up_the_end(limit, signals):
    """After the time limit, or at once by a second Ctrl-C."""
    command = [sys.executable, "-c", SLOW, str(limit)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        url = process.stdout.readline().split()[3]

        def ask():
            with suppress(httpx.HTTPError):
                httpx.post(f"{url}v1/explain", json={"query": "queen"}, timeout=90)

        asking = threading.Thread(target=ask)
        asking.start()
        time.sleep(2)
        began = time.monotonic()
        for number in signals:
            process.send_signal(number)
            time.sleep(0.5)
        assert process.wait(60) == 0
        assert time.monotonic() - began < 30
        asking.join()
