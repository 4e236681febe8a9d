"""The service: nothing gets past its limits, and nobody waits for what others ask."""

import asyncio
import socket
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from planted import SIZE, make_space
from serving import expected, found, need_server, post, serving

import andornot
from andornot import Logic

need_server()
import httpx  # noqa: E402

from andornot.server.batching import Batcher  # noqa: E402
from andornot.server.security import Guard  # noqa: E402

WORDS = [word for word in andornot.default().words[300:3000] if word.isalpha()]
SEVERAL = 64  # words that a query may have


@pytest.mark.parametrize(
    ("path", "options", "query"),
    [
        ("ask", {}, " | ".join(WORDS[: SEVERAL + 1])),
        ("ask", {}, " | ".join("!" + word for word in WORDS[:900])),
        ("ask", {}, " | ".join("!" + word for word in WORDS[:9])),
        ("explain", {}, " | ".join("!" + word for word in WORDS[:600])),
        ("explain", {}, f"!{WORDS[0]} @ {{{', '.join(WORDS[:300])}}}"),
        ("ask", {}, f"!{WORDS[0]} @ {{{', '.join(WORDS[:1001])}}}"),
        ("ask", {"exact": True}, f"!{WORDS[0]} @ {{{', '.join(WORDS[:985])}}}"),
        ("picture", {"exact": True}, f"!{WORDS[0]} @ {{{', '.join(WORDS[:985])}}}"),
    ],
)
def test_a_query_that_costs_too_much_is_refused_before_any_work(client, path, options, query):
    assert len(query) < 10_000
    response = post(client, path, query=query, **options)
    assert response.status_code == 422
    assert response.json()["kind"] == "limit"


@pytest.mark.parametrize(
    "query",
    [
        " | ".join(WORDS[:SEVERAL]),
        " | ".join("!" + word for word in WORDS[:8]),
        f"!{WORDS[0]} @ {{{', '.join(WORDS[:900])}}}",
    ],
)
def test_what_is_just_within_the_limits_is_answered(client, logic, query):
    assert found(post(client, "ask", query=query).json()) == expected(logic.ask(query))


def test_costs():
    from andornot.algebra.parser import parse
    from andornot.server.costs import Cost

    for query, cost in {
        "a & b | a": (3, 0, 0),
        "!a": (1, 0, 1),
        "!!!a": (1, 0, 1),  # one search
        "!!a": (1, 0, 0),
        "a & !b & !c": (3, 0, 0),
        "!b & !c": (2, 0, 1),
        "!(!a | b)": (2, 0, 1),
        "!(a | b) & !c": (3, 0, 1),
        "!(a | b) | !c": (3, 0, 2),
        "!a @ {a, b, c}": (1, 3, 0),
        "(!a | !b) @ {a, b, c}": (2, 3, 0),
        "!(a @ {a, b}) & !c": (2, 2, 0),
        "!a @ sizes & b @ {b, c}": (2, 2, 0, 1),
    }.items():
        assert Cost.of(parse(query)) == Cost(*cost), query


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"query": "royal & woman", "k": 3}, 200),
        ({"query": "royal & woman", "postprocess": "uniform", "weights": "uniform"}, 200),
        ({"query": "royal &"}, 422),
        ({"query": "rojal"}, 422),
        ({"query": "royal", "space": "nowhere"}, 404),
        ({"query": "royal", "k": "ten"}, 422),
        ({"query": "royal", "unknown": 1}, 422),
        ({"k": 3}, 422),
    ],
)
def test_the_status_of_an_ask(client, body, status):
    assert client.post("/v1/ask", json=body).status_code == status


def test_expensive_queries_hold_up_no_batch():
    """While one that takes long is computed, others are answered."""
    from andornot.server import answering
    from andornot.server.app import create_app

    many = " & ".join(f"w{n}" for n in range(10, 19))
    threads = {}
    answer_together = answering.answer_together

    def watched(key, queries, limits):
        threads[queries[0].query] = threading.current_thread().name
        return answer_together(key, queries, limits)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(answering, "answer_together", watched)
        app = create_app({"planted": make_space()})

        async def ask():
            transport = httpx.ASGITransport(app=app)
            async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as it:
                for options in (
                    {"query": "w0"},  # the logic is made
                    {"query": "w1"},
                    {"query": "!w2"},
                    {"query": "w3", "postprocess": "uniform"},
                    {"query": "w4", "picture": True, "k": 50},
                    {"query": "w5", "picture": True, "k": 51},
                    {"query": many, "picture": True},
                    {"query": "w6", "k": 1000},
                ):
                    assert (await it.post("/v1/ask", json=options)).status_code == 200

        asyncio.run(ask())
    assert {query: "batch" in name for query, name in threads.items()} == {
        "w0": False,
        "w1": True,
        "!w2": False,
        "w3": False,  # what nobody has asked for is made in the pool
        "w4": True,
        "w5": False,  # a picture of many words
        many: False,  # a picture of many operands
        "w6": True,
    }


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("ask", {"query": " | ".join(f"!w{n}" for n in range(8))}),
        ("ask/batch", {"queries": [f"!w{n % SIZE}" for n in range(100)]}),
    ],
)
def test_work_that_nobody_waits_for_ends(monkeypatch, path, body):
    from andornot.server.app import create_app
    from andornot.server.limits import Limits

    begun = []
    propose = Logic.propose_category

    def slow(logic, words, size=10):
        begun.append(words)
        time.sleep(0.15)
        return propose(logic, words, size)

    monkeypatch.setattr(Logic, "propose_category", slow)
    app = create_app({"planted": make_space()}, limits=Limits(seconds=0.5))

    async def ask():
        transport = httpx.ASGITransport(app=app)
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
            while (await client.post("/v1/ask", json={"query": "w0"})).status_code == 503:
                pass  # the logic is made
            answer = await client.post(f"/v1/{path}", json=body)
            assert answer.status_code == 503
            assert answer.json()["kind"] == "timeout"
            await asyncio.sleep(0.3)
            ended = len(begun)
            await asyncio.sleep(0.3)
            assert len(begun) == ended

    asyncio.run(ask())
    assert 0 < len(begun) < 6


def test_a_batch_of_misspelled_words_is_answered_in_time(client):
    """Other spellings take long to look for: only the first unknown words have them."""
    words = [f"{word}qx" for word in WORDS[:1000]]
    answer = post(client, "ask/batch", queries=words)
    assert answer.status_code == 200
    answers = answer.json()["answers"]
    assert [each["word"] for each in answers] == words
    assert all(each["kind"] == "unknown-word" and each["column"] == 1 for each in answers)
    assert sum("suggestions" in each for each in answers) == 10


def test_errors_of_texts_are_the_same_without_suggestions(client):
    words = [f"{word}qx" for word in WORDS[:10]]
    stop, unknown = '"the of"', '"qxqz zqxq"'
    answers = post(client, "ask/batch", queries=[*words, stop, unknown]).json()["answers"]
    assert answers[10]["error"] == post(client, "ask", query=stop).json()["error"]
    assert "only stop words" in answers[10]["error"]
    assert answers[11]["error"] == "no word of 'qxqz zqxq' is known"


def test_words_of_categories_are_bounded_for_exact_numbers_and_for_all(client):
    def refusal(query, **options):
        return post(client, "ask", query=query, **options).json()["error"]

    few, many = (f"!{WORDS[0]} @ {{{', '.join(WORDS[:count])}}}" for count in (300, 1001))
    for query in (few, many):
        assert "at most 200 are taken where exact numbers" in refusal(query, exact=True)
    assert "at most 1,000 are taken (--max-batch)" in refusal(many)


def test_a_batch_whose_answers_would_be_too_long(client):
    assert post(client, "ask/batch", queries=["queen"] * 101, k=1000).status_code == 413
    assert post(client, "ask/batch", queries=["queen"] * 100, k=1000).status_code == 200


@pytest.fixture(scope="module")
def narrow():
    options = ("--max-body", 20_000, "--max-depth", 3, "--max-k", 5, "--max-batch", 8)
    options += ("--max-words", 5)
    with serving(*options) as running, httpx.Client(base_url=running.url, timeout=60) as opened:
        yield opened


@pytest.mark.parametrize(
    ("path", "body", "status"),
    [
        ("ask", {"query": "queen", "k": 5}, 200),
        ("ask", {"query": "queen", "k": 6}, 422),
        ("ask", {"query": "a & (b | c)", "k": 5}, 200),
        ("ask", {"query": "a & (b | (c & (d | e)))", "k": 5}, 422),
        ("explain", {"query": "a & (b | (c & (d | e)))"}, 422),
        ("ask", {"query": "a & b & c & d", "k": 5}, 200),
        ("ask", {"query": "a & b & c & d & e & f", "k": 5}, 422),
        ("ask", {"query": '"b c d e" & f', "k": 5}, 200),
        ("ask", {"query": '"b c d e f" & g', "k": 5}, 422),
        ("describe", {"text": "b queen d e f", "k": 5}, 200),
        ("describe", {"text": "b queen d e f g", "k": 5}, 422),
        ("describe", {"text": "queen", "k": 6}, 422),
        ("ask/batch", {"queries": ["queen"] * 8, "k": 5}, 200),
        ("ask/batch", {"queries": ["queen"] * 9, "k": 5}, 413),
        ("ask", {"query": "queen", "k": 5, "among": ["king"] * 9}, 413),
        ("encode", {"sentences": ["a"] * 9}, 413),
        ("picture", {"query": "a", "k": 10**6}, 422),
        ("category", {"words": ["hot"], "size": 6}, 422),
        ("ask", {"query": "a" * 20_001}, 413),
    ],
)
def test_each_limit_has_its_status(narrow, path, body, status):
    response = narrow.post(f"/v1/{path}", json=body)
    assert response.status_code == status
    if status != 200:
        assert response.json()["kind"] == "limit"


def test_completions_are_limited_too(narrow):
    ask = {"beginning": "a", "most": 6}
    assert narrow.get("/v1/complete", params=ask).status_code == 422


def test_a_body_without_a_length_is_measured_as_it_comes(narrow):
    pieces = (b" " * 1000 for _ in range(30))
    headers = {"content-type": "application/json"}
    assert narrow.post("/v1/ask", content=pieces, headers=headers).status_code == 413


@pytest.mark.slow
def test_too_many_at_once_are_told_to_come_back():
    with serving("--max-waiting", 2) as running:

        def ask(_):
            body = {"query": "(king | queen) & woman", "exact": True}
            return httpx.post(f"{running.url}v1/explain", json=body, timeout=60)

        with ThreadPoolExecutor(24) as pool:
            answers = list(pool.map(ask, range(48)))
        refused = [answer for answer in answers if answer.status_code != 200]
        assert len(refused) < 48
        assert refused
        for answer in refused:
            assert answer.status_code == 503
            assert answer.json()["kind"] == "busy"
            assert int(answer.headers["retry-after"]) >= 1
        assert ask(0).status_code == 200  # and it is well again


@pytest.mark.slow
def test_what_takes_too_long_is_given_up():
    with serving("--time-limit", 0.2) as running:
        queries = ["(king | queen) & (woman | man)"] * 1000
        body = {"queries": queries, "exact": True}
        answer = httpx.post(f"{running.url}v1/ask/batch", json=body, timeout=60)
        assert answer.status_code == 503
        assert answer.json()["kind"] == "timeout"
        assert "retry-after" in answer.headers
        host, port = running.url.removeprefix("http://").rstrip("/").split(":")
        with socket.create_connection((host, int(port)), timeout=30) as slow:
            slow.sendall(
                b"POST /v1/ask HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                b"Content-Length: 100\r\n\r\n{"
            )
            assert slow.recv(100).startswith(b"HTTP/1.1 408")


def test_a_batch_has_one_key_and_no_more_than_it_may():
    seen = []

    def work(key, questions):
        seen.append((key, list(questions)))
        return [(key, question) for question in questions]

    async def ask():
        batcher = Batcher(work, most=3)
        asked = [("ab"[n % 2], n) for n in range(10)]
        return asked, await asyncio.gather(*(batcher.submit(*each) for each in asked))

    asked, answers = asyncio.run(ask())
    assert answers == asked
    assert all(len(questions) <= 3 for _, questions in seen)
    assert len(seen) == 4
    assert sorted(n for _, questions in seen for n in questions) == list(range(10))


def test_a_question_that_nobody_waits_for_is_dropped_and_an_error_reaches_its_asker_alone():
    seen = []
    go = threading.Event()

    def work(key, questions):
        go.wait(10)
        seen.append(list(questions))
        if 5 in questions:
            raise ValueError("broken")
        return questions

    async def ask():
        batcher = Batcher(work, most=8)
        first = batcher.submit("good", 1)
        await asyncio.sleep(0.05)
        left, kept = batcher.submit("good", 2), batcher.submit("good", 3)
        bad = [batcher.submit("bad", n) for n in (4, 5)]
        left.cancel()
        go.set()
        return await asyncio.gather(first, kept, *bad, return_exceptions=True)

    first, kept, beside, bad = asyncio.run(ask())
    assert (first, kept, beside) == (1, 3, 4)
    assert str(bad) == "broken"
    assert seen == [[1], [3], [4, 5], [4], [5]]


def test_threads_may_ask_the_same_logic(logic):
    words = [word for word in logic.space.words[1000:1400] if word.isalpha()]
    queries = [
        f"!{a} @ {{{a}, {b}, {c}}}" for a, b, c in zip(words, words[1:], words[2:], strict=False)
    ]
    alone = [logic.ask(query).words for query in queries]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(lambda query: logic.ask(query).words, queries)) == alone


@pytest.mark.parametrize(
    ("length", "status"),
    [
        (b"0" * 5000 + b"2", 200),
        (b"0" * 5001, 200),
        (b"9" * 5001, 413),
        (b"1" + b"0" * 19, 413),
        (b"101", 413),
        (b"100", 200),
    ],
    ids=["zeros and 2", "zeros", "nines", "20 digits", "more", "as much"],
)
def test_a_length_of_any_number_of_digits(length, status):
    sent = []

    async def app(scope, receive, send):
        await send({"type": "http.response.start", "status": 200, "headers": []})

    async def receive():
        return {"type": "http.request", "body": b"{}", "more_body": False}

    async def send(message):
        sent.append(message)

    posts = frozenset(["/v1/ask"])
    guard = Guard(app, token=None, only_loopback=True, body=100, seconds=9, posts=posts)
    headers = [
        (b"host", b"localhost"),
        (b"content-type", b"application/json"),
        (b"content-length", length),
    ]
    scope = {"type": "http", "method": "POST", "path": "/v1/ask", "headers": headers}
    asyncio.run(guard(scope, receive, send))
    assert sent[0]["status"] == status
