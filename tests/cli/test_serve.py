"""`andornot serve`: who may ask, how it starts and how it ends."""

import asyncio
import gc
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from contextlib import contextmanager, suppress
from dataclasses import fields, replace
from pathlib import Path

import numpy as np
import pytest
from commands import EXAMPLES, run
from errors import assert_refused
from serving import command, need_server, post, serving
from tiny_models import train_tokenizer

import andornot
from andornot.words.pieces import Pieces
from andornot.words.subwords import Subwords

need_server()
import httpx  # noqa: E402

TOKEN = "a-secret-of-tests"
ROYAL = EXAMPLES / "royal.vec"


# --- who may ask -------------------------------------------------------------------------------


def test_the_token(monkeypatch):
    from starlette.testclient import TestClient

    monkeypatch.setenv("ANDORNOT_TOKEN", TOKEN)
    started = []
    monkeypatch.setattr("andornot.server.process.run", lambda app, *_, **__: started.append(app))
    options = ("--no-browser", "--host", "0.0.0.0", "--port", 0, "--space", ROYAL)
    assert run("serve", *options).returncode == 0
    ask = {"query": "queen"}
    with TestClient(started[0]) as client:
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
    others = ("example.org", "localhost.example.org", "127.0.0.1.example.org", "10.0.0.1", "")
    for host in (*others, "[::1].example.org", "[::1"):
        assert client.get(path, headers={"host": host}).status_code == 421
    with socket.create_connection((client.base_url.host, client.base_url.port), 60) as opened:
        hosts = "Host: example.org\r\nHost: localhost\r\n"
        opened.sendall(f"GET {path} HTTP/1.1\r\n{hosts}\r\n".encode())
        assert b" 421 " in opened.recv(1000)


def test_an_odd_host_changes_no_answer_to_other_machines():
    """FastAPI's lowest version takes the path of a request from the Host header, too."""
    from andornot.server.app import create_app

    app = create_app({"royal": andornot.load(ROYAL)}, token=TOKEN, only_loopback=False)
    statuses = {"/": 200, "/page.js": 200, "/v1/spaces": 200, "/nothing": 404}

    async def ask(host):
        headers = {"authorization": f"Bearer {TOKEN}", "host": host}
        transport = httpx.ASGITransport(app=app)
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
            return {
                path: (await client.get(path, headers=headers)).status_code for path in statuses
            }

    for host in ("a/b", "a?x", "a#b", "a@b", "[", "]", "[::1", "a:b:c"):
        assert asyncio.run(ask(host)) == statuses


@pytest.mark.parametrize(
    "path", ["/", "/page.js", "/lesson.html", "/v1/health", "/v1/nothing", "/nothing"]
)
def test_every_answer_has_strict_headers(client, path):
    headers = client.get(path, headers={"origin": "http://example.org"}).headers
    policy = dict(
        part.strip().split(" ", 1) for part in headers["content-security-policy"].split(";")
    )
    assert policy["default-src"] == "'none'"
    assert policy["script-src"] == "'self'"
    assert policy["style-src"] == "'self'"
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
    assert client.get("/lesson.html").headers["content-type"].startswith("text/html")


def test_an_error_of_its_own_is_said_without_telling_more(monkeypatch):
    from andornot.server import answering
    from andornot.server.app import create_app

    def broken(*_):
        raise RuntimeError("a secret")

    monkeypatch.setattr(answering, "explain_query", broken)
    app = create_app({"royal": andornot.load(ROYAL)})

    async def ask():
        transport = httpx.ASGITransport(app=app, raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
            return await client.post("/v1/explain", json={"query": "queen"})

    answer = asyncio.run(ask())
    assert answer.status_code == 500
    assert answer.json()["kind"] == "failed"
    assert "secret" not in answer.text
    assert answer.headers["x-content-type-options"] == "nosniff"


# --- how it starts -----------------------------------------------------------------------------


@pytest.fixture
def refused(monkeypatch):
    """Check that it doesn't start, and what it says."""

    def never(*_, **__):
        raise AssertionError("the service runs")

    def refuse(code, options, *named):
        monkeypatch.setattr("andornot.server.process.run", never)
        done = run("serve", "--no-browser", *options)
        assert_refused(done, code, *named)
        assert len(done.stderr.splitlines()) == 1, done.stderr

    return refuse


def test_beyond_loopback_a_token_is_needed(refused, monkeypatch):
    monkeypatch.setenv("ANDORNOT_TOKEN", "")
    options = ("--host", "0.0.0.0", "--port", 0)
    refused(2, options, "0.0.0.0", "--token", "ANDORNOT_TOKEN")
    refused(2, (*options, "--token", "two words"), "token", "spaces")


def test_a_port_that_is_taken(refused, service):
    port = service.url.rstrip("/").rpartition(":")[2]
    refused(1, ("--port", port), f"port {port}", "--port")


def test_spaces_that_cannot_be_served(refused, tmp_path):
    refused(1, ("--port", 0, "--space", tmp_path / "nowhere.vec"), "nowhere.vec", "no such file")
    refused(2, ("--port", 0, "--space", ROYAL, "--space", ROYAL), "royal", "NAME=FILE")


def test_without_the_extra_it_says_what_to_install(refused, monkeypatch):
    monkeypatch.setitem(sys.modules, "fastapi", None)
    refused(1, (), "fastapi", "pip install 'andornot[server]'")


# --- how it ends -------------------------------------------------------------------------------

SLOW = """
import sys, time
from andornot.cli import main
from andornot.server import answering

explained, seconds = answering.explain_query, float(sys.argv.pop(1))

def slow(*arguments):
    print("asked", flush=True)
    time.sleep(seconds)
    return explained(*arguments)

answering.explain_query = slow
main()
"""


@contextmanager
def asked(seconds, limit):
    """A service that is asked for an explanation which takes this long: process, thread, answer."""
    options = ["serve", "--no-browser", "--port", 0, "--space", ROYAL, "--time-limit", limit]
    command = [sys.executable, "-c", SLOW, *map(str, [seconds, *options])]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        line = process.stdout.readline()
        url = next(word for word in line.split() if word.startswith("http://"))
        answers = []

        def ask():
            with suppress(httpx.HTTPError):
                body = {"query": "queen"}
                answers.append(httpx.post(f"{url}v1/explain", json=body, timeout=90))

        asking = threading.Thread(target=ask)
        asking.start()
        try:
            assert process.stdout.readline() == "asked\n"  # it is under way
            yield process, asking, answers
            with pytest.raises(httpx.ConnectError):
                httpx.get(f"{url}v1/health")
        finally:
            process.kill()
            asking.join()


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="signals are different there")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_the_end_finishes_what_is_under_way(number):
    with asked(seconds=0.5, limit=60) as (process, asking, answers):
        assert not answers
        process.send_signal(number)
        assert process.wait(60) == 0
        asking.join()
        assert answers[0].status_code == 200
        assert answers[0].json()["parts"]


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="signals are different there")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_work_that_was_given_up_does_not_hold_up_the_end(number):
    with asked(seconds=100, limit=0.3) as (process, asking, answers):
        asking.join()
        assert answers[0].status_code == 503
        process.send_signal(number)
        assert process.wait(30) == 0


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="signals are different there")
def test_a_second_ctrl_c_ends_it_at_once():
    with asked(seconds=100, limit=80) as (process, _, _):
        for _ in range(2):
            process.send_signal(signal.SIGINT)
            time.sleep(0.2)
        assert process.wait(30) == 0


def test_a_space_that_is_cut_off_does_not_end_the_service(tmp_path):
    path = tmp_path / "space.safetensors"
    rng = np.random.default_rng(1)
    pieces = Pieces(train_tokenizer("wordpiece").to_str().encode())
    words = [*pieces.words.values(), *(f"w{i}" for i in range(20_000))]
    vectors = [rng.normal(size=(len(words), 50)).astype(np.float32) for _ in range(2)]
    vocabulary = andornot.Vocabulary(words).with_counts("rank")
    andornot.save(andornot.Space(vocabulary, *vectors, pieces=pieces), path)
    with serving("--space", path) as running:
        os.truncate(path, 1000)  # reading a mapped page beyond the end is a SIGBUS
        with httpx.Client(base_url=running.url, timeout=60) as client:
            for query in ("w19999", "w3 & !w4", "w19 | w7", "kingly"):  # the last one in pieces
                for way in ("ask", "explain"):
                    answer = post(client, way, query=query)
                    assert answer.status_code == 200
        assert running.process.poll() is None


@pytest.mark.skipif(not Path("/proc/self/maps").exists(), reason="only Linux lists what is mapped")
@pytest.mark.parametrize("bits", [None, 8, 4])
def test_nothing_of_a_served_file_stays_mapped(tmp_path, full_space, bits):
    from andornot.cli.serve import open_spaces

    path = tmp_path / "whole.safetensors"
    whole = replace(
        full_space,
        target_mean=np.ones(5),
        context_mean=np.ones(5),
        subwords=Subwords(np.ones((9, 5), dtype=np.float32), 3, 6),
        pieces=Pieces(json.dumps({"model": {"vocab": {"king": 0}}}).encode()),
    )
    assert all(getattr(whole, each.name) is not None for each in fields(whole))
    andornot.save(whole, path, bits=bits)
    opened = open_spaces([str(path)])
    gc.collect()
    assert path.name not in Path("/proc/self/maps").read_text()
    read = opened["whole"]
    assert read.pieces.words == {0: "king"}
    assert not read.pieces.utf8.flags.writeable
    assert read.vector("kingly") == pytest.approx(np.ones(5))
    mapped = andornot.load(path)  # what is looked for is found where it is
    assert path.name in Path("/proc/self/maps").read_text()
    assert mapped.words == read.words


def test_files_of_vectors_are_named_as_arguments_too():
    with serving(f"own={EXAMPLES / 'royal.vec'}", "--space", EXAMPLES / "royal.vec") as running:
        spaces = httpx.get(f"{running.url}v1/spaces").json()["spaces"]
    assert [each["name"] for each in spaces] == ["own", "royal"]


def test_an_output_that_is_full_ends_the_service_with_one_line():
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            command("--no-browser", "--port", 0),
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            timeout=120,
        )
    assert done.returncode == 1
    assert len(done.stderr.splitlines()) == 1, done.stderr
    assert "standard output: No space left" in done.stderr
