"""The service over HTTP: its answers are the library's, and nothing gets past its limits."""

import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

import andornot
from andornot import Logic
from andornot.algebra import explain
from andornot.postprocessing import postprocess
from andornot.postprocessing.sentences import encode

REASON = "needs the extras server and test"
pytest.importorskip("fastapi", reason=REASON)
pytest.importorskip("uvicorn", reason=REASON)
pytest.importorskip("plotly", reason=REASON)
httpx = pytest.importorskip("httpx", reason=REASON)

from serving import EXAMPLES, command, serving  # noqa: E402

from andornot.server.batching import Batcher  # noqa: E402
from andornot.server.projecting import principal_axes  # noqa: E402

QUERIES = [
    "royal & woman",
    "violin | piano",
    "queen",
    "!day @ {day, night, morning, evening}",
    "bank & !river @ {river, money, lake, finance}",
    "0.5*wine | 0.5*beer",
    "night @ {day, night, morning}",
    "!hot",
]
TOKEN = "a-secret-of-tests"


@pytest.fixture(scope="module")
def service():
    with serving("--space", "default", "--space", f"royal={EXAMPLES / 'royal.vec'}") as running:
        yield running


@pytest.fixture(scope="module")
def client(service):
    with httpx.Client(base_url=service.url, timeout=60) as opened:
        yield opened


@pytest.fixture(scope="module")
def logic():
    return Logic(andornot.default())


def post(client, path, **body):
    return client.post(f"/v1/{path}", json=body)


def expected(answer):
    return [(hit.word, pytest.approx(hit.score, abs=1e-5)) for hit in answer.hits]


def found(answer):
    return [(hit["word"], hit["score"]) for hit in answer["hits"]]


# --- answers -----------------------------------------------------------------------------------


@pytest.mark.parametrize("query", QUERIES)
def test_an_answer_is_the_librarys(client, logic, query):
    response = post(client, "ask", query=query, k=7)
    assert response.status_code == 200
    answer, own = response.json(), logic.ask(query, k=7)
    assert found(answer) == expected(own)
    assert answer["formula"] == str(own.concept.formula)
    assert answer["probability"] == pytest.approx(own.concept.probability)
    assert answer["notes"] == list(own.notes)


@pytest.mark.parametrize(
    "options",
    [
        {"postprocess": "none"},
        {"postprocess": "all-but-the-top", "weights": "uniform"},
        {"measure": "pmi"},
        {"everywhere": True, "keep_operands": True},
        {"among": ["night", "noon", "evening"]},
        {"exact": True},
    ],
)
def test_every_way_to_ask_is_the_librarys(client, options):
    query = "!day @ {day, night, morning, evening}"
    making = {key: options[key] for key in ("postprocess", "weights", "exact") if key in options}
    asking = {key: options[key] for key in options if key not in making}
    own = Logic(andornot.default(), **making).ask(query, **asking)
    assert found(post(client, "ask", query=query, **options).json()) == expected(own)


def test_asks_that_come_together_are_answered_as_if_alone(client, logic):
    words = [word for word in andornot.default().words[500:5000:35] if word.isalpha()]
    queries = [f"{a} {'&|'[i % 2]} {b}" for i, (a, b) in enumerate(pairwise(words))]
    queries += QUERIES
    with ThreadPoolExecutor(32) as pool:
        answers = list(pool.map(lambda query: post(client, "ask", query=query).json(), queries))
    for query, answer in zip(queries, answers, strict=True):
        own = logic.ask(query)
        assert [score for _, score in found(answer)] == pytest.approx(
            [hit.score for hit in own.hits], abs=1e-5
        ), query
        assert answer["query"] == query


def test_a_batch_holds_answers_and_errors_in_order(client, logic):
    queries = ["royal & woman", "royal &", "royal & womann", "!day"]
    response = post(client, "ask/batch", queries=queries, k=3)
    assert response.status_code == 200
    first, broken, unknown, last = response.json()["answers"]
    assert found(first) == expected(logic.ask(queries[0], k=3))
    assert (broken["kind"], broken["column"]) == ("syntax", 8)
    assert unknown["kind"] == "unknown-word"
    assert "woman" in unknown["suggestions"]
    assert found(last) == expected(logic.ask(queries[3], k=3))


@pytest.mark.parametrize("exact", [False, True])
def test_an_explanation_is_the_librarys(client, exact):
    query = "bank & !river @ {river, money, lake, finance}"
    answer = post(client, "explain", query=query, exact=exact).json()
    own = explain(Logic(andornot.default(), exact=exact).concept(query)).to_dict()
    assert answer["parts"] == json.loads(json.dumps(own["parts"]))
    assert answer["categories"] == json.loads(json.dumps(own["categories"]))
    assert answer["residual"] == pytest.approx(own["residual"])


@pytest.mark.parametrize("method", ["none", "frequency", "all-but-the-top", "zipfian-whitening"])
@pytest.mark.parametrize("weights", ["sum", "sif"])
def test_sentences_are_those_of_a_post_processed_space(client, method, weights):
    sentences = ["The queen of the north.", "unheardofword", "Water, and more water"]
    answer = post(client, "encode", sentences=sentences, postprocess=method, weights=weights).json()
    own = encode(postprocess(andornot.default(), method), sentences, weights=weights)
    assert np.allclose(answer["vectors"], own, atol=2e-3)
    assert answer["dimension"] == 200


def test_a_proposed_category_is_the_librarys(client, logic):
    answer = post(client, "category", words=["hot"], size=5).json()
    own = logic.propose_category("hot", 5)
    assert answer["words"] == list(own.words)
    assert answer["origin"] == own.origin
    assert answer["probabilities"] == pytest.approx(logic.space.probability[own.ids])


def test_words_are_completed(client):
    words = client.get("/v1/complete", params={"beginning": "quee", "most": 3}).json()["words"]
    assert words == [word for word in andornot.default().words if word.startswith("quee")][:3]
    nothing = client.get("/v1/complete", params={"beginning": ""}).json()
    assert nothing == {"words": [], "is_word": False}
    assert client.get("/v1/complete", params={"beginning": "queen"}).json()["is_word"]


def test_spaces_say_what_can_be_done_with_them(client):
    default, royal = client.get("/v1/spaces").json()["spaces"]
    assert (default["name"], default["words"], default["dimension"]) == ("default", 38_000, 200)
    assert default["weights"] == ["frequency", "uniform"]
    assert royal["counts"] is None
    assert "frequency" not in royal["postprocessings"]
    answer = post(client, "ask", query="royal & woman", space="royal", postprocess="uniform", k=1)
    own = Logic(andornot.load(EXAMPLES / "royal.vec"), postprocess="uniform")
    assert found(answer.json()) == expected(own.ask("royal & woman", k=1))
    refused = post(client, "ask", query="royal", space="royal", postprocess="frequency")
    assert refused.status_code == 422
    assert "needs word frequencies" in refused.json()["error"]


def test_where_nothing_is_said_a_space_does_the_best_it_can(client):
    default, royal = client.get("/v1/spaces").json()["spaces"]
    assert (default["default_postprocess"], default["default_weights"]) == ("frequency",) * 2
    assert (royal["default_postprocess"], royal["default_weights"]) == ("uniform",) * 2
    own = Logic(andornot.load(EXAMPLES / "royal.vec"), postprocess="uniform", weights="uniform")
    answer = post(client, "ask", query="royal | woman", space="royal")
    assert found(answer.json()) == expected(own.ask("royal | woman"))
    for path, body in {
        "ask/batch": {"queries": ["royal | woman"]},
        "explain": {"query": "royal | woman"},
        "encode": {"sentences": ["royal woman"]},
        "category": {"words": ["royal"], "size": 2},
        "project": {"query": "royal | woman"},
    }.items():
        assert post(client, path, space="royal", **body).status_code == 200, path


def test_counts_for_spaces_without_any():
    from andornot.cli.serve import open_spaces

    named = ["default", f"royal={EXAMPLES / 'royal.vec'}"]
    opened = open_spaces(named, str(EXAMPLES / "royal.counts"))
    assert opened["royal"].vocabulary.counts is not None
    own = andornot.default().vocabulary.counts
    assert opened["default"].vocabulary.counts.origin == own.origin


# --- the plane ---------------------------------------------------------------------------------


def test_the_plane_is_that_of_scikit_learn(client):
    from sklearn.decomposition import PCA

    words = ["1", "2", "3", "4", "5", "6", "7", "-1", "-2", "-3"]
    answer = post(client, "project", words=words).json()
    space = postprocess(andornot.default(), "frequency")
    rows = np.array([space.vector(word) for word in words], dtype=np.float64)
    fitted = PCA(2).fit(rows)
    placed = np.array([[word["x"], word["y"]] for word in answer["words"]])
    theirs = fitted.transform(rows)
    signs = np.sign((placed * theirs).sum(axis=0))
    assert np.allclose(placed * signs, theirs, atol=1e-4)
    assert answer["explained"] == pytest.approx(fitted.explained_variance_ratio_, rel=1e-4)
    origins = {o["name"]: [o["x"], o["y"]] for o in answer["origins"]}
    plain = space.target.astype(np.float64).mean(axis=0)
    for name, mean in {"frequency": np.zeros(200), "uniform": plain}.items():
        assert np.allclose(np.array(origins[name]) * signs, fitted.transform(mean[None]), atol=1e-3)


def test_the_plane_of_a_query_has_its_category_and_its_result(client, logic):
    query = "!day @ {day, night, morning, evening}"
    answer = post(client, "project", query=query, words=["noon"]).json()
    places = {w["word"]: np.array([w["x"], w["y"]]) for w in answer["words"]}
    assert set(places) == {"noon", "day", "night", "morning", "evening"}
    assert [w["word"] for w in answer["words"] if w["is_operand"]] == ["day"]
    (category,) = answer["categories"]
    p = {word: logic.space.probability[logic.space.vocabulary.index(word)] for word in places}
    members = category["words"]
    mean = sum(p[w] * places[w] for w in members) / sum(p[w] for w in members)
    assert np.allclose([category["x"], category["y"]], mean)  # projecting keeps means
    rest = [w for w in members if w != "day"]
    without = sum(p[w] * places[w] for w in rest) / sum(p[w] for w in rest)
    assert np.allclose([answer["result"]["x"], answer["result"]["y"]], without)


def test_the_origin_moves_with_the_category_and_the_axes_stay(client):
    words = ["day", "night", "morning", "evening"]
    one, other = (
        post(client, "project", words=words, query=f"!day @ {{{', '.join(members)}}}").json()
        for members in (words, words[:3])
    )
    assert [w["x"] for w in one["words"]] == pytest.approx([w["x"] for w in other["words"]])
    assert one["categories"][0]["x"] != pytest.approx(other["categories"][0]["x"])


def test_the_axes_can_be_weighted_by_frequency(client, logic):
    words = ["day", "night", "morning", "evening"]
    answer = post(client, "project", words=words, axes="frequency").json()
    p = logic.space.probability[[logic.space.vocabulary.index(word) for word in words]]
    places = np.array([[word["x"], word["y"]] for word in answer["words"]])
    assert np.allclose(p @ places / p.sum(), 0)  # their mean by frequency is the middle
    assert not np.allclose(places.mean(axis=0), 0, atol=0.1)


def test_principal_axes_are_weighted():
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(6, 4))
    weights = np.array([1.0, 2, 3, 1, 2, 1])
    repeated = np.repeat(rows, weights.astype(int), axis=0)
    centre, axes, shares = principal_axes(rows, weights)
    again, other, same = principal_axes(repeated, np.ones(len(repeated)))
    assert np.allclose(centre, again)
    assert np.allclose(axes, other)
    assert np.allclose(shares, same)


# --- errors ------------------------------------------------------------------------------------


def test_a_syntax_error_has_its_column(client):
    response = post(client, "ask", query="royal & (woman")
    assert response.status_code == 422
    facts = response.json()
    assert (facts["kind"], facts["column"]) == ("syntax", 15)
    assert facts["at"].splitlines()[1] == " " * 14 + "^"


@pytest.mark.parametrize("path", ["ask", "explain", "project"])
def test_an_unknown_word_has_its_column_and_spellings(client, path):
    facts = post(client, path, query='"royal" & womann').json()
    assert (facts["kind"], facts["word"], facts["column"]) == ("unknown-word", "womann", 11)
    assert facts["suggestions"][0] == "woman"


@pytest.mark.parametrize(
    ("path", "body", "status", "kind"),
    [
        ("ask", {"query": "queen", "space": "nowhere"}, 404, "not-found"),
        ("ask", {"query": "queen", "k": 0}, 422, "request"),
        ("ask", {"query": "queen", "unheard": 1}, 422, "request"),
        ("ask", {"query": "queen", "among": "king, lady"}, 422, "request"),
        ("ask", {}, 422, "request"),
        ("ask", {"query": "a & !a @ {a}"}, 422, "query"),
        ("project", {}, 422, "query"),
        ("category", {"words": []}, 422, "request"),
        ("nothing", {}, 404, "not-found"),
    ],
)
def test_what_is_wrong_is_said_in_json(client, path, body, status, kind):
    response = client.post(f"/v1/{path}", json=body)
    assert response.status_code == status
    facts = response.json()
    assert facts["kind"] == kind
    assert "\n" not in facts["error"]


def test_a_body_that_is_no_json(client):
    kind = {"content-type": "application/json"}
    assert client.post("/v1/ask", content=b"{", headers=kind).status_code == 400
    assert client.post("/v1/ask", content=b"{}").status_code == 415
    assert client.post("/v1/ask", data={"query": "queen"}).status_code == 415
    assert client.get("/v1/ask").status_code == 405


# --- limits ------------------------------------------------------------------------------------

WORDS = [word for word in andornot.default().words[300:3000] if word.isalpha()]
SEVERAL = 64  # words that a query may have


@pytest.mark.parametrize(
    ("path", "options", "query"),
    [
        ("ask", {}, " | ".join(WORDS[: SEVERAL + 1])),
        ("ask", {}, " | ".join("!" + word for word in WORDS[:900])),
        ("ask", {}, " & ".join("!" + word for word in WORDS[:9])),
        ("explain", {}, " | ".join("!" + word for word in WORDS[:600])),
        ("explain", {}, f"!{WORDS[0]} @ {{{', '.join(WORDS[:300])}}}"),
        ("ask", {}, f"!{WORDS[0]} @ {{{', '.join(WORDS[:1001])}}}"),
        ("ask", {"exact": True}, f"!{WORDS[0]} @ {{{', '.join(WORDS[:985])}}}"),
        ("project", {"exact": True}, f"!{WORDS[0]} @ {{{', '.join(WORDS[:985])}}}"),
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
    from andornot.algebra.expression import DEEPEST
    from andornot.algebra.parser import parse
    from andornot.server import limits
    from andornot.server.costs import Cost

    assert limits.DEEPEST == DEEPEST
    for query, cost in {
        "a & b | a": (3, 0, 0),
        "!a": (1, 0, 1),
        "!(a | b) & !c": (3, 0, 2),
        "!a @ {a, b, c}": (1, 3, 0),
        "(!a | !b) @ {a, b, c}": (2, 3, 0),
        "!(a @ {a, b}) & !c": (2, 2, 1),
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
def test_the_direct_route_answers_as_the_framework_does(body, status):
    """Asks go around FastAPI; taken away, its own route gives the same bytes."""
    from andornot.server.app import create_app
    from andornot.server.direct import Direct

    answers = []
    for is_direct in (True, False):
        app = create_app({"default": andornot.default()})
        layers = [each for each in app.user_middleware if is_direct or each.cls is not Direct]
        assert len(layers) == len(app.user_middleware) - (not is_direct)
        app.user_middleware = layers
        transport = httpx.ASGITransport(app=app)

        async def ask(transport=transport):
            address = "http://localhost"
            async with httpx.AsyncClient(transport=transport, base_url=address) as opened:
                return await opened.post("/v1/ask", json=body)

        answers.append(asyncio.run(ask()))
    direct, framed = answers
    assert direct.status_code == status
    assert direct.content == framed.content
    assert dict(direct.headers) == dict(framed.headers)


def test_expensive_queries_hold_up_no_batch():
    """While one that takes long is computed, others are answered."""
    from andornot.server import answering
    from andornot.server.app import create_app

    threads = {}
    answer_together = answering.answer_together

    def watched(manner, questions):
        threads[questions[0].query] = threading.current_thread().name
        return answer_together(manner, questions)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(answering, "answer_together", watched)
        app = create_app({"default": andornot.default()})

        async def ask():
            transport = httpx.ASGITransport(app=app)
            async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as it:
                for options in (
                    {"query": "queen"},  # the logic is made
                    {"query": "king"},
                    {"query": "!hot"},
                    {"query": "man", "postprocess": "all-but-the-top"},
                ):
                    assert (await it.post("/v1/ask", json=options)).status_code == 200

        asyncio.run(ask())
    assert {query: "batch" in name for query, name in threads.items()} == {
        "queen": False,
        "king": True,
        "!hot": False,
        "man": False,  # what nobody has asked for is made in the pool
    }


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("ask", {"query": " | ".join("!" + word for word in WORDS[:8])}),
        ("ask/batch", {"queries": ["!" + word for word in WORDS[:100]]}),
    ],
)
def test_work_that_nobody_waits_for_ends(monkeypatch, path, body):
    from andornot.server.app import create_app
    from andornot.server.limits import Limits

    begun = []
    propose = Logic.propose_category

    def slow(logic, words, size=10):
        begun.append(words)
        time.sleep(0.3)
        return propose(logic, words, size)

    monkeypatch.setattr(Logic, "propose_category", slow)
    app = create_app({"default": andornot.default()}, limits=Limits(seconds=1))

    async def ask():
        transport = httpx.ASGITransport(app=app)
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
            while (await client.post("/v1/ask", json={"query": "queen"})).status_code == 503:
                pass  # the logic is made
            answer = await client.post(f"/v1/{path}", json=body)
            assert answer.status_code == 503
            assert answer.json()["kind"] == "timeout"
            await asyncio.sleep(3)

    asyncio.run(ask())
    assert 0 < len(begun) < 6


def test_a_batch_of_misspelled_words_is_answered_in_time():
    with serving("--time-limit", 20) as running:
        words = [f"{word}qx" for word in WORDS[:1000]]
        body = {"queries": words}
        answer = httpx.post(f"{running.url}v1/ask/batch", json=body, timeout=60)
        assert answer.status_code == 200
        answers = answer.json()["answers"]
        assert [each["word"] for each in answers] == words
        assert all(each["kind"] == "unknown-word" and each["column"] == 1 for each in answers)
        assert sum("suggestions" in each for each in answers) == 10


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
        ("ask/batch", {"queries": ["queen"] * 8, "k": 5}, 200),
        ("ask/batch", {"queries": ["queen"] * 9, "k": 5}, 413),
        ("ask", {"query": "queen", "k": 5, "among": ["king"] * 9}, 413),
        ("encode", {"sentences": ["a"] * 9}, 413),
        ("project", {"words": ["a"] * 9}, 413),
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

    monkeypatch.setattr(answering, "explained", broken)
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
from andornot.server.running import listen, run

answering.explained = lambda *_: time.sleep(100)
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


# --- parts -------------------------------------------------------------------------------------


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


# --- the description ---------------------------------------------------------------------------


def test_the_description_names_everything(client):
    paths = client.get("/v1/openapi.json").json()["paths"]
    names = "ask ask/batch explain encode category project complete spaces health"
    assert set(paths) == {f"/v1/{name}" for name in names.split()}
    for methods in paths.values():
        for operation in methods.values():
            assert operation["description"]
            assert "$ref" in operation["responses"]["200"]["content"]["application/json"]["schema"]


def test_schemathesis_finds_nothing(service, tmp_path):
    pytest.importorskip("schemathesis", reason=REASON)
    program = Path(sys.executable).with_name("schemathesis")
    options = ["--generation-deterministic", "--max-examples=15", "--no-color"]
    # that a word is in a vocabulary is nothing that a schema can say
    options += ["--checks=all", "--exclude-checks=positive_data_acceptance"]
    done = subprocess.run(
        [program, "run", f"{service.url}v1/openapi.json", *options],
        capture_output=True,
        text=True,
        cwd=tmp_path,
    )
    assert done.returncode == 0, done.stdout[-5000:]
    assert httpx.get(f"{service.url}v1/health").status_code == 200
