"""The service over HTTP: its answers are the library's."""

import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from commands import EXAMPLES
from errors import assert_names
from serving import expected, found, need_server, post

import andornot
from andornot import Logic
from andornot.algebra import explain
from andornot.base.formatting import known
from andornot.postprocessing import postprocess
from andornot.postprocessing.sentences import encode

need_server()
import httpx  # noqa: E402

QUERIES = [
    "royal & woman",
    "violin | piano",
    "queen",
    "!day @ {day, night, morning, evening}",
    "bank & !river @ {river, money, lake, finance}",
    "0.5*wine | 0.5*beer",
    "night @ {day, night, morning}",
    "!hot",
    "king - man + woman",
    "Paris & RIVER",
]


# --- answers -----------------------------------------------------------------------------------


@pytest.mark.parametrize("query", QUERIES)
def test_an_answer_is_the_librarys(client, logic, query):
    response = post(client, "ask", query=query, k=7)
    assert response.status_code == 200
    answer, own = response.json(), logic.ask(query, k=7)
    assert found(answer) == expected(own)
    assert answer["formula"] == str(own.concept.formula)
    assert answer["probability"] == pytest.approx(known(own.concept.probability))
    assert answer["notes"] == list(own.notes)


def test_a_text_is_answered_explained_and_drawn(client, logic):
    query = '"a large water bird" & zoo'
    own = logic.ask(query, k=7)
    answer = post(client, "ask", query=query, k=7).json()
    assert found(answer) == expected(own)
    assert (answer["probability"], answer["formula"]) == (None, query)
    steps = post(client, "explain", query=query).json()["parts"]
    assert [step["kind"] for step in steps] == ["AND", "text", "word", "word", "word", "word"]
    drawn = post(client, "ask", query=query, picture=True).json()["picture"]["points"]
    operands = [each["name"] for each in drawn if each["kind"] == "operand"]
    assert operands == ['"a large water bird"', "zoo"]
    unknown = post(client, "ask", query='queen & "foo1 bar1"')
    assert unknown.status_code == 422
    assert_names(unknown.json()["error"], "foo1 bar1", "did you mean", "'bar'")
    assert unknown.json()["column"] == 9


@pytest.mark.parametrize(
    "options",
    [
        {"postprocess": "none"},
        {"postprocess": "all-but-the-top", "weights": "uniform"},
        {"measure": "pmi"},
        {"everywhere": True, "keep_operands": True},
        {"among": ["night", "noon", "evening"]},
        {"pattern": "*n*", "length": "5-7"},
        {"frequency": "common", "everywhere": True},
        {"frequency": "rare", "pattern": "M*", "everywhere": True},
        {"exact": True},
    ],
)
def test_every_way_to_ask_is_the_librarys(client, options):
    query = "!day @ {day, night, morning, evening}"
    making = {key: options[key] for key in ("postprocess", "weights", "exact") if key in options}
    asking = {key: options[key] for key in options if key not in making}
    own = Logic(andornot.default(), **making).ask(query, **asking)
    assert found(post(client, "ask", query=query, **options).json()) == expected(own)


@pytest.mark.parametrize("options", [{}, {"pattern": "a*", "length": "5-12"}, {"k": 3}])
def test_a_description_is_answered_as_by_the_library(client, logic, options):
    text = "a person who studies <b>stars</b> & xyzzyx"
    answer = post(client, "describe", text=text, **options).json()
    own = logic.describe(text, **options)
    assert found(answer) == expected(own)
    assert (answer["query"], answer["measure"]) == (text, "description")
    assert answer["notes"] == list(own.notes)
    bare = post(client, "describe", text="a royal woman", space="royal").json()
    assert any("no context vectors" in note for note in bare["notes"])
    unknown = post(client, "describe", text="astronmer telescpoe").json()
    assert unknown["suggestions"] == ["astronomer", "telescope"]


def test_a_list_grows_as_in_the_library(client):
    yes, no = ["Violin", "piano"], ["concerto"]
    answer = post(client, "grow", yes=yes, no=no, k=5, pattern="*a*").json()
    words = andornot.WordList(andornot.default(), yes, rejected=no)
    own = words.propose(5, pattern="*a*")
    assert answer["proposals"] == [pytest.approx(asdict(each)) for each in own]
    assert answer["words"] == ["violin", "piano"]
    assert answer["notes"] == ["Violin was read as violin"]
    assert len(post(client, "grow", yes=["violin"]).json()["proposals"]) == 20
    bare = post(client, "grow", yes=["king"], space="royal").json()
    assert any("no context vectors" in note for note in bare["notes"])


def test_an_answer_says_what_words_had_to_pass(client):
    answer = post(client, "ask", query="night", pattern="E*", length="7", k=3).json()
    assert answer["filter"] == {"pattern": "E*", "length": "7", "frequency": "any"}
    assert all(word.startswith("e") and len(word) == 7 for word, _ in found(answer))
    assert answer["category"] is None
    assert post(client, "ask", query="night").json()["filter"] is None
    batch = post(client, "ask/batch", queries=["night", "day"], pattern="zzqq*").json()
    assert [each["kind"] for each in batch["answers"]] == ["query", "query"]
    assert_names(batch["answers"][0]["error"], "no word", "'zzqq*'")


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({"pattern": "a" * 101}, ["pattern", "100"]),
        ({"pattern": ""}, ["pattern"]),
        ({"length": "5-3"}, ["length", "5-3"]),
        ({"frequency": "often"}, ["frequency", "common"]),
        ({"pattern": "zzqq*"}, ["no word", "zzqq*"]),
    ],
)
def test_filters_that_are_refused(client, options, named):
    response = post(client, "ask", query="night", **options)
    assert response.status_code == 422
    assert_names(response.json()["error"], *named)


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


@pytest.mark.parametrize(
    "options",
    [
        {"everywhere": True},
        {"measure": "pmi", "k": 3},
        {"weights": "uniform", "exact": True, "keep_operands": True},
        {"among": ["nothing at all"]},
        {"query": "(day | night) @ {day, night}"},
        {"space": "royal", "query": "king", "measure": "pmi"},
        {"k": 0},
    ],
    ids=str,
)
def test_what_is_explained_is_what_is_answered(client, options):
    body = {"query": "!day @ {day, night, morning, evening}"} | options
    answer, why = post(client, "ask", **body), post(client, "explain", **body)
    assert why.status_code == answer.status_code
    if answer.status_code == 200:
        assert why.json()["probability"] == pytest.approx(answer.json()["probability"])
        assert why.json()["notes"] == answer.json()["notes"]
        assert (why.json()["parts"][0]["kind"] == "lift") == (answer.json()["category"] is None)
    else:
        assert why.json() == answer.json()


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
    assert (default["name"], default["words"], default["dimension"]) == ("default", 66_000, 200)
    assert default["weights"] == ["frequency", "uniform"]
    assert royal["counts"] is None
    assert "frequency" not in royal["postprocessings"]
    answer = post(client, "ask", query="royal & woman", space="royal", postprocess="uniform", k=1)
    own = Logic(andornot.load(EXAMPLES / "royal.vec"), postprocess="uniform")
    assert found(answer.json()) == expected(own.ask("royal & woman", k=1))
    refused = post(client, "ask", query="royal", space="royal", postprocess="frequency")
    assert refused.status_code == 422
    assert_names(refused.json()["error"], "frequencies", "--counts")


def test_where_nothing_is_said_a_space_does_the_best_it_can(client):
    default, royal = client.get("/v1/spaces").json()["spaces"]
    assert (default["default_postprocess"], default["default_weights"]) == ("frequency", "uniform")
    assert (royal["default_postprocess"], royal["default_weights"]) == ("uniform",) * 2
    own = Logic(andornot.load(EXAMPLES / "royal.vec"), postprocess="uniform", weights="uniform")
    answer = post(client, "ask", query="royal | woman", space="royal")
    assert found(answer.json()) == expected(own.ask("royal | woman"))
    for path, body in {
        "ask/batch": {"queries": ["royal | woman"]},
        "explain": {"query": "royal | woman"},
        "encode": {"sentences": ["royal woman"]},
        "category": {"words": ["royal"], "size": 2},
        "picture": {"query": "royal | woman"},
    }.items():
        assert post(client, path, space="royal", **body).status_code == 200, path


def test_counts_for_spaces_without_any():
    from andornot.cli.serve import open_spaces

    named = ["default", f"royal={EXAMPLES / 'royal.vec'}"]
    opened = open_spaces(named, str(EXAMPLES / "royal.counts"))
    assert opened["royal"].vocabulary.counts is not None
    own = andornot.default().vocabulary.counts
    assert opened["default"].vocabulary.counts.origin == own.origin


# --- errors ------------------------------------------------------------------------------------


def test_a_syntax_error_has_its_column(client):
    response = post(client, "ask", query="royal & (woman")
    assert response.status_code == 422
    facts = response.json()
    assert (facts["kind"], facts["column"]) == ("syntax", 15)
    assert facts["at"].splitlines()[1] == " " * 14 + "^"


@pytest.mark.parametrize("path", ["ask", "explain", "picture"])
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
        ("describe", {"text": "a bird", "space": "nowhere"}, 404, "not-found"),
        ("grow", {"yes": ["violin"], "space": "nowhere"}, 404, "not-found"),
        ("grow", {"yes": []}, 422, "request"),
        ("grow", {"no": ["violin"]}, 422, "request"),
        ("grow", {"yes": ["violin"], "no": ["violin"]}, 422, "query"),
        ("grow", {"yes": ["violni"]}, 422, "unknown-word"),
        ("grow", {"yes": ["violin"], "length": "9-3"}, 422, "request"),
        ("grow", {"yes": ["a"] * 300, "no": ["b"] * 201}, 422, "limit"),
        ("grow", {"yes": ["violin"], "k": 1001}, 422, "limit"),
        ("describe", {"text": ""}, 422, "request"),
        ("describe", {"text": " "}, 422, "query"),
        ("describe", {"text": "who is it"}, 422, "query"),
        ("describe", {"text": "astronmer telescpoe"}, 422, "unknown-word"),
        ("describe", {"text": "a bird", "k": 0}, 422, "request"),
        ("describe", {"text": "a bird", "measure": "pmi"}, 422, "request"),
        ("describe", {"text": "a bird", "length": "9-3"}, 422, "request"),
        ("describe", {"text": "a" * 10_001}, 422, "request"),
        ("describe", {"query": "a bird"}, 422, "request"),
        ("picture", {"query": "king", "measure": "pmi"}, 422, "query"),
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


@pytest.mark.parametrize(
    ("path", "body", "error"),
    [
        ("ask", {}, "query is required, and the body has none; add it"),
        ("explain", {}, "query is required, and the body has none; add it"),
        ("ask", [], "the body must be a JSON object, got a list of length 0; correct it"),
        ("explain", [], "the body must be a JSON object, got a list of length 0; correct it"),
        ("ask", {"query": 5}, "query must be a string, got 5; correct it"),
        ("ask", {"query": "a", "k": "3"}, 'k must be an integer, got "3"; correct it'),
        ("ask", {"query": "a", "k": 0}, "k must be at least 1, got 0; correct it"),
        ("ask", {"query": "a", "exact": 1}, "exact must be true or false, got 1; correct it"),
        ("ask", {"query": "a", "among": "b"}, 'among must be a list, got "b"; correct it'),
        (
            "ask",
            {"query": "a", "K": 3},
            "K is not a field of this request; remove it, or see /v1/openapi.json",
        ),
        (
            "ask",
            {"query": "a", "frequency": "x"},
            "frequency must be 'common', 'any' or 'rare', got \"x\"; correct it",
        ),
        (
            "ask",
            {"query": "a", "length": "5-3"},
            "length must be N or N-M with 1 <= N <= M, got '5-3'",
        ),
        (
            "ask/batch",
            {"queries": []},
            "queries must be a list with at least 1 item, got a list of length 0; correct it",
        ),
        ("ask/batch", {"queries": ["a", 5]}, "queries[1] must be a string, got 5; correct it"),
        ("describe", {"text": ""}, 'text must have at least 1 character, got ""; correct it'),
    ],
)
def test_an_invalid_field_has_a_sentence_of_its_own(client, path, body, error):
    response = client.post(f"/v1/{path}", json=body)
    assert response.status_code == 422
    assert response.json() == {"error": error, "kind": "request"}


def test_an_invalid_parameter_of_the_address_too(client):
    missing = client.get("/v1/complete").json()["error"]
    assert missing == "beginning is required, and the address has none; add it"
    most = client.get("/v1/complete", params={"beginning": "a", "most": "x"}).json()["error"]
    assert most == 'most must be an integer, got "x"; correct it'


def test_a_body_that_is_no_json(client):
    kind = {"content-type": "application/json"}
    for path in ("ask", "explain"):
        broken = client.post(f"/v1/{path}", content=b"{", headers=kind)
        assert broken.status_code == 400
        assert_names(broken.json()["error"], "the body must be JSON", "correct it")
    empty = client.post("/v1/ask", content=b"", headers=kind)
    assert empty.status_code == 400
    assert_names(empty.json()["error"], "empty", "JSON")
    untyped = client.post("/v1/ask", content=b"{}")
    assert untyped.status_code == 415
    assert_names(untyped.json()["error"], "send the header Content-Type: application/json")
    assert client.post("/v1/ask", data={"query": "queen"}).status_code == 415
    assert client.get("/v1/ask").status_code == 405


# --- the description ---------------------------------------------------------------------------


def test_the_description_names_everything(client):
    paths = client.get("/v1/openapi.json").json()["paths"]
    names = "ask ask/batch describe grow explain encode category complete spaces health"
    of_the_page = "picture examples lesson"
    assert set(paths) == {f"/v1/{name}" for name in f"{names} {of_the_page}".split()}
    for path, methods in paths.items():
        for operation in methods.values():
            assert operation["description"]
            content = operation["responses"]["200"]["content"]
            if path == "/v1/picture":
                assert list(content) == ["image/svg+xml"]
            else:
                assert "$ref" in content["application/json"]["schema"]


@pytest.mark.slow
def test_schemathesis_finds_nothing(service, tmp_path):
    pytest.importorskip("schemathesis", reason="needs the extra test")
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
