"""A service under valid and hostile requests at once: its answers, its memory, its speed.

All of it goes to loopback. Valid clients ask over connections that stay open: one half sends quick
asks, the other all else that a service is asked. Hostile ones send long or half heads, garbage,
bodies that lie and expensive queries, and forget connections. They run in a process of their own,
because their work would delay the clocks of the valid ones.
"""

from __future__ import annotations

import asyncio
import json
import random
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from itertools import cycle, repeat
from pathlib import Path
from urllib.parse import urlsplit

QUERIES = ["royal & woman", "violin | piano", "king - man + woman", "!day @ {day, night, morning}"]
QUICK = ("ask", "page")  # they don't wait for slow work


@dataclass
class Load:
    """What came of a load: statuses of valid and hostile requests, times of the valid ones.

    Valid requests are counted by kind and status, such as "ask 200".
    """

    valid: Counter = field(default_factory=Counter)
    hostile: Counter = field(default_factory=Counter)
    seconds: dict[str, list[float]] = field(default_factory=dict)
    memory: list[int] = field(default_factory=list)  # kB

    def __add__(self, other: Load) -> Load:
        """Return both loads as one."""
        return Load(
            self.valid + other.valid,
            self.hostile + other.hostile,
            {
                kind: self.seconds.get(kind, []) + other.seconds.get(kind, [])
                for kind in self.seconds | other.seconds
            },
            self.memory + other.memory,
        )

    def percentile(self, part: float, kind: str = "ask") -> float:
        """Return the time within which a part of the valid requests of a kind was answered."""
        seconds = sorted(self.seconds[kind])
        return seconds[min(len(seconds) - 1, int(part * len(seconds)))]

    @property
    def unexpected(self) -> dict[str, int]:
        """Answers that no request should have: errors of the service, or a valid one refused.

        Slow requests may find the queue full.
        """
        allowed = {f"{kind} 503" for kind in valid_requests() if kind not in QUICK}
        wrong = {
            f"valid {key}": n
            for key, n in self.valid.items()
            if not key.endswith(" 200") and key not in allowed
        }
        wrong |= {
            f"hostile {key}": n
            for key, n in self.hostile.items()
            if key.startswith("5") and key != "503"
        }
        return wrong


def load(url: str, process: int, seconds: float, valid: int, hostile: int, seed: int = 1) -> Load:
    """Send requests over so many connections of each kind, for so many seconds."""
    command = [sys.executable, __file__, url, seconds, hostile, seed]
    attackers = None
    if hostile:
        attackers = subprocess.Popen(map(str, command), stdout=subprocess.PIPE, text=True)
    found = asyncio.run(_ask(url, process, seconds, valid, seed))
    if attackers is not None:
        said, _ = attackers.communicate()
        found.hostile = Counter(json.loads(said))
    return found


async def _ask(url: str, process: int, seconds: float, valid: int, seed: int) -> Load:
    """Send valid requests, and watch the memory of the service."""
    found = Load()
    end = time.monotonic() + seconds
    others = [kind for kind in valid_requests() if kind != "ask"]
    clients = []
    for i in range(valid):
        first = i // 2 % len(others)
        kinds = cycle(others[first:] + others[:first]) if i % 2 else repeat("ask")
        rng = random.Random(f"{seed} {i}")
        clients.append(_valid(_address(url), end, rng, kinds, found))
    await asyncio.gather(*clients, _watch(process, end, found))
    return found


async def _attack(url: str, seconds: float, hostile: int, seed: int) -> Counter:
    """Send hostile requests."""
    found: Counter = Counter()
    end = time.monotonic() + seconds
    clients = [
        _hostile(_address(url), end, random.Random(f"hostile {seed} {i}"), found)
        for i in range(hostile)
    ]
    await asyncio.gather(*clients)
    return found


def _address(url: str) -> tuple[str, int]:
    place = urlsplit(url)
    assert place.hostname in ("127.0.0.1", "localhost")
    return place.hostname, place.port or 80


async def _watch(process: int, end: float, found: Load) -> None:
    """Note the memory of the service from time to time."""
    while time.monotonic() < end:
        text = Path(f"/proc/{process}/status").read_text()
        line = next(line for line in text.splitlines() if line.startswith("VmRSS"))
        found.memory.append(int(line.split()[1]))
        await asyncio.sleep(1)


def _post(path: str, body: bytes, **headers: str) -> bytes:
    lines = [f"POST {path} HTTP/1.1", "Host: localhost", "Content-Type: application/json"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    if "Content_Length" not in headers:
        lines.append(f"Content-Length: {len(body)}")
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


def _get(path: str) -> bytes:
    return f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()


async def _answer(reader: asyncio.StreamReader) -> str:
    """Read an answer, and return its status."""
    head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), 60)
    length = next(
        int(line.split(b":")[1])
        for line in head.lower().split(b"\r\n")
        if line.startswith(b"content-length")
    )
    await asyncio.wait_for(reader.readexactly(length), 60)
    return head.split()[1].decode()


@cache
def valid_requests() -> dict[str, list[bytes]]:
    """Return requests of each kind that a client may send."""
    bodies = {
        "explain": {"query": QUERIES[-1], "k": 5},
        "describe": {"text": "a person who studies stars", "k": 5},
        "grow": {"yes": ["violin", "piano", "cello"], "no": ["concerto"], "k": 5},
        "encode": {"sentences": ["the queen of the north", "an old violin"]},
    }
    made = {
        kind: [_post(f"/v1/{kind}", json.dumps(body).encode())] for kind, body in bodies.items()
    }
    made["ask"] = [
        _post("/v1/ask", json.dumps({"query": query, "k": 5}).encode()) for query in QUERIES
    ]
    made["complete"] = [_get(f"/v1/complete?beginning={word}") for word in ("qu", "th")]
    made["page"] = [_get(path) for path in ("/", "/page.js", "/page.css")]
    return made


async def _valid(
    address: tuple[str, int], end: float, rng: random.Random, kinds: Iterator[str], found: Load
) -> None:
    """Send requests of these kinds, one after the other, over a connection that stays open."""
    while time.monotonic() < end:
        writer, kind = None, next(kinds)
        try:
            reader, writer = await asyncio.open_connection(*address)
            while time.monotonic() < end:
                began = time.perf_counter()
                writer.write(rng.choice(valid_requests()[kind]))
                status = await _answer(reader)
                if status == "200":
                    seconds = time.perf_counter() - began
                    found.seconds.setdefault(kind, []).append(seconds)
                found.valid[f"{kind} {status}"] += 1
                await asyncio.sleep(rng.uniform(0, 0.1))
                kind = next(kinds)
        except (OSError, asyncio.IncompleteReadError, TimeoutError) as error:
            found.valid[f"{kind} {type(error).__name__}"] += 1
        finally:
            if writer is not None:
                writer.close()


@cache
def _attacks() -> list[Callable[[random.Random], bytes]]:
    """Return makers of requests that no client should send."""
    words = json.dumps({"query": " | ".join(f"!w{i}" for i in range(400))}).encode()
    batch = json.dumps({"queries": ["!king"] * 1000}).encode()
    fields = json.dumps({f"{i:x}": 1 for i in range(80_000)})
    known = [*"bcdefghjklmnopqrstuvwx", *(a + b for a in "abcdefgh" for b in "aeiou")]
    drawn = json.dumps({"query": " & ".join(known), "k": 1000, "picture": True}).encode()
    explained = json.dumps({"query": "!king & !queen & !man", "k": 5}).encode()
    fixed = [
        b"GET / HTTP/1.1\r\nHost: localhost\r\n" + b"X-A: b\r\n" * 20_000 + b"\r\n",
        b"GET /v1/spaces HTTP/1.1\r\nHost: ",
        b"",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
        b"GET /v1/spaces HTTP/1.1\r\nHost: example.org\r\n\r\n",
        b"GET /../../etc/passwd HTTP/1.1\r\nHost: localhost\r\n\r\n",
        _post("/v1/ask", b'{"query": "king"', Content_Length="999999999999"),
        _post("/v1/ask", b'{"query": "king"}', Content_Length="500"),
        _post("/v1/ask", b"[" * 100_000),
        _post("/v1/ask", b'{"query": "king", "among": [1' + b",1" * 490_000 + b"]}"),
        _post("/v1/grow", b'{"yes": [{}' + b",{}" * 300_000 + b"]}"),
        _post("/v1/ask/batch", fields.encode()),
        _post("/v1/ask", b'{"query": "' + b"(" * 9000 + b'"}'),
        _post("/v1/ask", words),
        _post("/v1/ask", drawn),
        _post("/v1/ask", json.dumps({"query": "king", "k": 10**9}).encode()),
        _post("/v1/ask", json.dumps({"query": "king", "pattern": "*a" * 40}).encode()),
        _post("/v1/explain", explained),
        _post("/v1/ask/batch", batch),
        _post("/v1/ask", b'{"query": "king"}') * 50,  # sent at once, and not read
    ]
    long = b"GET / HTTP/1.1\r\nHost: localhost\r\nX-A: "
    return [
        lambda rng: long + b"a" * rng.choice((70_000, 2_000_000)),
        lambda rng: rng.randbytes(5000),
        *(lambda _, sent=sent: sent for sent in fixed),
    ]


async def _hostile(address, end: float, rng: random.Random, found: Counter) -> None:
    """Attack, one connection after the other."""
    while time.monotonic() < end:
        writer = None
        try:
            reader, writer = await asyncio.open_connection(*address)
            writer.write(rng.choice(_attacks())(rng))
            if rng.random() < 0.7:
                found[await asyncio.wait_for(_answer(reader), rng.uniform(0.1, 2))] += 1
            else:  # forgotten for a while
                await asyncio.sleep(rng.uniform(0, 1))
                found["left"] += 1
        except (OSError, asyncio.IncompleteReadError, TimeoutError, StopIteration) as error:
            found[type(error).__name__] += 1
        finally:
            if writer is not None:
                writer.close()


if __name__ == "__main__":
    url, seconds, number, seed = sys.argv[1:]
    print(json.dumps(asyncio.run(_attack(url, float(seconds), int(number), int(seed)))))
