"""A service under valid and hostile requests at once: its answers, its memory, its speed.

All of it goes to loopback. Valid clients ask over connections that stay open; hostile ones send
long or half heads, garbage, bodies that lie and expensive queries, and forget connections.
"""

from __future__ import annotations

import asyncio
import json
import random
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

QUERIES = ["royal & woman", "violin | piano", "king - man + woman", "!day @ {day, night, morning}"]


@dataclass
class Load:
    """What came of a load: statuses of valid and hostile requests, times of the valid ones."""

    valid: Counter = field(default_factory=Counter)
    hostile: Counter = field(default_factory=Counter)
    seconds: list[float] = field(default_factory=list)
    memory: list[int] = field(default_factory=list)  # kB

    def percentile(self, part: float) -> float:
        """The time within which a part of the valid requests was answered."""
        return sorted(self.seconds)[min(len(self.seconds) - 1, int(part * len(self.seconds)))]

    @property
    def unexpected(self) -> dict[str, int]:
        """Answers that no request should have: errors of the service, or a valid one refused."""
        wrong = {f"valid {key}": n for key, n in self.valid.items() if key != "200"}
        wrong |= {
            f"hostile {key}": n
            for key, n in self.hostile.items()
            if key.startswith("5") and key != "503"
        }
        return wrong


def load(url: str, process: int, seconds: float, valid: int, hostile: int, seed: int = 1) -> Load:
    """Send requests over so many connections of each kind, for so many seconds."""
    return asyncio.run(_load(url, process, seconds, valid, hostile, seed))


async def _load(url, process, seconds, valid, hostile, seed) -> Load:
    place = urlsplit(url)
    assert place.hostname in ("127.0.0.1", "localhost")
    found = Load()
    end = time.monotonic() + seconds
    address = (place.hostname, place.port)
    kinds = [*[_valid] * valid, *[_hostile] * hostile]
    clients = [
        kind(address, end, random.Random(f"{seed} {i}"), found) for i, kind in enumerate(kinds)
    ]
    await asyncio.gather(*clients, _watch(process, end, found))
    return found


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


async def _answer(reader: asyncio.StreamReader) -> str:
    """Read an answer; its status."""
    head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), 60)
    length = next(
        int(line.split(b":")[1])
        for line in head.lower().split(b"\r\n")
        if line.startswith(b"content-length")
    )
    await asyncio.wait_for(reader.readexactly(length), 60)
    return head.split()[1].decode()


async def _valid(address, end: float, rng: random.Random, found: Load) -> None:
    """Ask, one query after the other, over a connection that stays open."""
    while time.monotonic() < end:
        writer = None
        try:
            reader, writer = await asyncio.open_connection(*address)
            while time.monotonic() < end:
                body = json.dumps({"query": rng.choice(QUERIES), "k": 5}).encode()
                began = time.perf_counter()
                writer.write(_post("/v1/ask", body))
                status = await _answer(reader)
                found.seconds.append(time.perf_counter() - began)
                found.valid[status] += 1
                await asyncio.sleep(rng.uniform(0, 0.1))
        except (OSError, asyncio.IncompleteReadError, TimeoutError) as error:
            found.valid[type(error).__name__] += 1
        finally:
            if writer is not None:
                writer.close()


def _attacks(rng: random.Random) -> list[bytes]:
    """Requests that no client should send."""
    words = " | ".join(f"!w{i}" for i in range(400))
    return [
        b"GET / HTTP/1.1\r\nHost: localhost\r\nX-A: " + b"a" * rng.choice((70_000, 2_000_000)),
        b"GET / HTTP/1.1\r\nHost: localhost\r\n" + b"X-A: b\r\n" * 20_000 + b"\r\n",
        b"GET /v1/spaces HTTP/1.1\r\nHost: ",
        b"",
        rng.randbytes(5000),
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
        b"GET /v1/spaces HTTP/1.1\r\nHost: example.org\r\n\r\n",
        b"GET /../../etc/passwd HTTP/1.1\r\nHost: localhost\r\n\r\n",
        _post("/v1/ask", b'{"query": "king"', Content_Length="999999999999"),
        _post("/v1/ask", b'{"query": "king"}', Content_Length="500"),
        _post("/v1/ask", b"[" * 100_000),
        _post("/v1/ask", b'{"query": "' + b"(" * 9000 + b'"}'),
        _post("/v1/ask", json.dumps({"query": words}).encode()),
        _post("/v1/ask", json.dumps({"query": "king", "k": 10**9}).encode()),
        _post("/v1/ask", json.dumps({"query": "king", "pattern": "*a" * 40}).encode()),
        _post("/v1/explain", json.dumps({"query": "!king & !queen & !man", "k": 5}).encode()),
        _post("/v1/ask/batch", json.dumps({"queries": ["!king"] * 1000}).encode()),
        _post("/v1/ask", b'{"query": "king"}') * 50,  # sent at once, and not read
    ]


async def _hostile(address, end: float, rng: random.Random, found: Load) -> None:
    """Attack, one connection after the other."""
    while time.monotonic() < end:
        writer = None
        try:
            reader, writer = await asyncio.open_connection(*address)
            writer.write(rng.choice(_attacks(rng)))
            if rng.random() < 0.7:
                found.hostile[await asyncio.wait_for(_answer(reader), rng.uniform(0.1, 2))] += 1
            else:  # forgotten for a while
                await asyncio.sleep(rng.uniform(0, 1))
                found.hostile["left"] += 1
        except (OSError, asyncio.IncompleteReadError, TimeoutError, StopIteration) as error:
            found.hostile[type(error).__name__] += 1
        finally:
            if writer is not None:
                writer.close()
