"""Targets of the fuzzer: the query language, and requests to the application."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Callable
from pathlib import Path

from fuzz_inputs import Input, Target
from mutations import VALUES, mutated

import andornot
from andornot.base.errors import AndornotError

QUERIES = (
    "royal & woman",
    "violin | piano",
    "!day @ {day, night, morning, evening}",
    "king - man + woman",
    "(royal & !man) | queen",
    '"a person who studies stars" & !astrology',
    "!(red | green) @ {red, green, blue}",
    "0.3*king | 0.7*queen",
    "Paris AND NOT London",
)
SIGNS = [*'&|!@{}()-+,:?"*^~ \t\n\\', "::", "king", "queen", "1e9", "0", "é", "\0", "''", " OR "]


def mutated_query(rng: random.Random) -> str:
    """Return a query with some signs or words put in, and some characters taken out."""
    query = rng.choice(QUERIES)
    for _ in range(rng.choice((0, 1, 1, 2, 3, 6))):
        at = rng.randrange(len(query) + 1)
        cut = rng.choice((0, 0, 1, 3))
        query = query[:at] + rng.choice(SIGNS) * rng.choice((1, 1, 1, 3)) + query[at + cut :]
    return query * rng.choice((10, 100)) if rng.random() < 0.01 else query


def queries(folder: Path) -> Target:
    """The query language: parsed, priced, asked and explained."""
    from andornot.algebra.explanation.explaining import explain

    logic = andornot.Logic(andornot.default().top(20_000))

    def draw(rng: random.Random) -> Input:
        choice = "explain" if rng.random() < 0.05 else "ask"
        return Input(choice, {"query": mutated_query(rng).encode()})

    def take(given: Input) -> object:
        answer = logic.ask(given.files["query"].decode(), k=2)
        return explain(answer) if given.choice == "explain" else answer

    return Target(draw, take)


def bodies(folder: Path) -> Target:
    """Bodies and addresses of requests, to the application itself."""
    from andornot.server.app import create_app

    app = create_app({"default": andornot.default().top(2000)})
    seeds: dict[str, dict[str, object]] = {
        "/v1/ask": {"query": "royal & woman", "k": 3, "exact": False, "pattern": "q*"},
        "/v1/ask/batch": {"queries": ["king", "queen | man"], "k": 2},
        "/v1/explain": {"query": "!day @ {day, night}", "k": 2, "weights": "uniform"},
        "/v1/describe": {"text": "the son of a king", "k": 2, "length": "3-9"},
        "/v1/grow": {"yes": ["king", "queen"], "no": ["day"], "k": 2},
        "/v1/encode": {"sentences": ["the old king"], "weights": "sif"},
        "/v1/category": {"words": ["king", "queen"], "size": 5},
        "/v1/picture": {"query": "king & !queen", "k": 2, "everywhere": True},
    }
    addresses = (
        "/",
        "/page.js",
        "/v1/health",
        "/v1/spaces",
        "/v1/complete?beginning=ki&space=default&most=3",
        "/v1/examples?space=default",
        "/v1/lesson?space=default",
    )
    loop = asyncio.new_event_loop()

    def draw(rng: random.Random) -> Input:
        if rng.random() < 0.2:
            address = rng.choice(addresses).encode()
            return Input("GET", {"address": mutated(rng, address)})
        path = rng.choice(sorted(seeds))
        body = dict(seeds[path])
        if rng.random() < 0.3 and "query" in body:
            data = json.dumps(body | {"query": mutated_query(rng)}).encode()
        elif rng.random() < 0.7:
            key = rng.choice([*body, "space", "postprocess", "length", "frequency", "among"])
            odd = (-0.0, "king", ["a"] * 3, "(" * 99, [1, 2], 10**30, ["king"] * 5_000)
            body[key] = rng.choice((*VALUES, *odd))
            data = json.dumps(body).encode()
        elif rng.random() < 0.05:  # more than a service should report
            body |= {rng.choice([*body]): [rng.choice((1, None, []))] * 150_000}
            body |= {f"x{i}": 1 for i in range(rng.choice((0, 5, 20_000)))}
            data = json.dumps(body, separators=(",", ":")).encode()
        else:
            data = mutated(rng, json.dumps(body).encode())
        return Input(path, {"body": data})

    def take(given: Input) -> object:
        if given.choice == "GET":
            path, _, query = given.files["address"].partition(b"?")
            asked = _answer(app, "GET", path.decode("latin-1"), query=query)
        else:
            asked = _answer(app, "POST", given.choice, body=given.files["body"])
        status = loop.run_until_complete(asked)
        if status >= 500 and status != 503:
            raise RuntimeError(f"status {status}")
        if status != 200:
            raise AndornotError(str(status))
        return status

    return Target(draw, take)


async def _answer(
    app: Callable, method: str, path: str, *, body: bytes = b"", query: bytes = b""
) -> int:
    """Return the status with which an application answers a request.

    Args:
        app: The application.
        method: GET or POST.
        path: The path of the address.
        body: What is sent.
        query: The part of the address after its question mark.
    """
    headers = [(b"host", b"localhost"), (b"content-type", b"application/json")]
    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": method,
        "scheme": "http",
        "path": path,
        "raw_path": path.encode("latin-1"),
        "query_string": query,
        "root_path": "",
        "headers": headers,
        "client": ("127.0.0.1", 1),
        "server": ("127.0.0.1", 80),
        "state": {},
    }
    status = 0
    sent = asyncio.Event()
    waiting: list[dict] = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive() -> dict:
        if waiting:
            return waiting.pop()
        await sent.wait()  # the client stays until it has its answer
        return {"type": "http.disconnect"}

    async def send(message: dict) -> None:
        nonlocal status
        status = message.get("status", status)
        if message["type"] == "http.response.body" and not message.get("more_body"):
            sent.set()

    await app(scope, receive, send)
    return status
