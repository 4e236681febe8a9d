"""The routes of the page: its files, examples of a space, the lesson, the picture as a file."""

import gzip
import json

import numpy as np
import pytest
from commands import EXAMPLES
from errors import assert_names
from serving import need_server, post

import andornot
from andornot import Logic, Space
from andornot.algebra.parser import parse
from andornot.algebra.picture import picture_facts
from andornot.postprocessing import postprocess

need_server()
from fastapi.testclient import TestClient  # noqa: E402

from andornot.server.app import create_app  # noqa: E402
from andornot.server.example_queries import examples_of, is_known  # noqa: E402
from andornot.server.lesson import QUERIES, lesson_of, pmi_errors, stop_origins  # noqa: E402
from andornot.server.page_files import PAGE  # noqa: E402

ROYAL = EXAMPLES / "royal.vec"


@pytest.fixture(scope="module")
def small():
    """The 2,000 most frequent words of the default model."""
    return andornot.default().top(2000)


@pytest.fixture(scope="module")
def client(small):
    spaces = {"small": small, "royal": andornot.load(ROYAL)}
    with TestClient(create_app(spaces), base_url="http://localhost") as opened:
        yield opened


# --- files -------------------------------------------------------------------------------------


def test_files_are_sent_with_gzip_to_those_who_take_it(client):
    own = (PAGE / "page.js").read_bytes()
    packed = client.get("/page.js", headers={"accept-encoding": "gzip, br"})
    assert packed.headers["content-encoding"] == "gzip"
    assert int(packed.headers["content-length"]) < len(own)
    assert packed.content == own  # the client unpacks it
    plain = client.get("/page.js", headers={"accept-encoding": "identity"})
    assert "content-encoding" not in plain.headers
    assert plain.content == own
    assert packed.headers["vary"] == plain.headers["vary"] == "accept-encoding"


def test_a_file_that_the_client_has_is_not_sent_again(client):
    tag = client.get("/page.css").headers["etag"]
    again = client.get("/page.css", headers={"if-none-match": tag})
    assert (again.status_code, again.content) == (304, b"")
    assert client.get("/page.css", headers={"if-none-match": '"other"'}).status_code == 200


def test_the_page_is_light():
    files = [path for path in PAGE.iterdir() if path.is_file()]
    assert sum(len(gzip.compress(path.read_bytes())) for path in files) < 150_000


# --- the picture -------------------------------------------------------------------------------


def test_an_answer_has_a_picture_if_it_is_asked_for(client, small):
    query = "royal & woman"
    plain = post(client, "ask", query=query).json()
    drawn = post(client, "ask", query=query, picture=True).json()
    assert plain["picture"] is None
    assert drawn | {"picture": None} == plain
    own = picture_facts(Logic(small).ask(query))
    for point, expected in zip(drawn["picture"]["points"], own["points"], strict=True):
        assert point["name"] == expected["name"]
        assert point["x"] == pytest.approx(expected["x"], abs=1e-5)
        assert point["y"] == pytest.approx(expected["y"], abs=1e-5)


def test_a_ranking_by_pmi_has_no_picture(client):
    drawn = post(client, "ask", query="royal & woman", measure="pmi", picture=True).json()
    assert drawn["picture"]["exists"] is False
    assert drawn["picture"]["reason"]


# --- corrections and sentences -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("query", "meant"),
    [
        ("royal and woman", "royal & woman"),
        ("royal woman", "royal & woman"),
        ("royal and not woman", "royal & !woman"),
        ("royal or woman", "royal | woman"),
    ],
)
def test_an_error_has_the_query_that_may_be_meant(client, query, meant):
    assert post(client, "ask", query=query).json()["correction"] == meant
    assert post(client, "ask", query=meant).status_code == 200


def test_an_error_without_a_correction_has_none(client):
    assert "correction" not in post(client, "ask", query="royal &").json()


def test_an_answer_is_a_sentence(client, small):
    found = post(client, "ask", query="royal & woman").json()
    first = ", ".join(Logic(small).ask("royal & woman", k=3).words)
    assert found["sentence"] == f"Nearest to royal and woman together: {first}."


# --- examples ----------------------------------------------------------------------------------


def test_examples_are_answers_of_the_space_itself(client, small):
    found = client.get("/v1/examples", params={"space": "small"}).json()["examples"]
    logic = Logic(small)
    assert list(found) == ["and", "or", "not"]
    for examples in found.values():
        assert len(examples) >= 4
        for each in examples:
            assert is_known(each["query"], small)
            assert tuple(each["words"]) == logic.ask(each["query"], k=3).words, each["query"]


def test_examples_of_an_operation_have_it():
    found = examples_of(Logic(andornot.default()))
    signs = {"and": "&", "or": "|", "not": "!"}
    for name, examples in found.items():
        assert all(signs[name] in each.query for each in examples)
        assert all(parse(each.query) for each in examples)
    assert found["and"][0].query == "royal & woman"


def test_a_space_of_other_words_has_examples_of_its_own():
    rng = np.random.default_rng(3)
    names = [f"item{chr(97 + i // 26)}{chr(97 + i % 26)}"[::-1] for i in range(60)]
    space = Space.from_arrays(names, rng.normal(size=(60, 5)))
    found = examples_of(Logic(space))
    assert all(found.values())
    queries = [each.query for examples in found.values() for each in examples]
    assert len(set(queries)) == len(queries)
    assert all(is_known(query, space) for query in queries)


def test_a_space_of_one_word_has_no_examples():
    space = Space.from_arrays(["alone"], [[1.0, 0.0]])
    assert examples_of(Logic(space, postprocess="none")) == {"and": [], "or": [], "not": []}


# --- the lesson --------------------------------------------------------------------------------


@pytest.mark.slow  # three logics over the default model
def test_the_ranks_at_the_stops_are_those_of_the_three_post_processings():
    space = andornot.default()
    lesson = lesson_of(Logic(space), QUERIES)
    for stop, method in enumerate(("none", "uniform", "frequency")):
        logic = Logic(space, postprocess=method)
        for track in lesson.tracks:
            answer = logic.ask(track.query, k=200).words
            ranks = {word: ranks[stop * lesson.between] for word, ranks in _pairs(track)}
            for word, rank in ranks.items():
                assert word not in answer or answer.index(word) + 1 == rank, (method, word)
            assert set(answer[:5]) <= set(ranks)
    assert lesson.rms[2] < lesson.rms[1] < lesson.rms[0]  # of this model; the paper's claim


def _pairs(track):
    return zip(track.words, track.ranks, strict=True)


def test_the_error_of_pmi_is_that_of_its_definition(small):
    origins = list(stop_origins(small).values())
    found = pmi_errors(small, origins)
    p = small.probability
    drawn = np.random.default_rng(0).choice(len(p), found.shape[1], p=p)
    for number in (0, 7):
        context = small.context[drawn[number]].astype(np.float64)
        for row, origin in zip(found, origins, strict=True):
            products = (small.target.astype(np.float64) - origin) @ context
            assert row[number] == pytest.approx(np.log(p @ np.exp(products)), abs=1e-4)


def test_the_error_of_pmi_of_many_words_with_a_count_of_0():
    """More of them side by side than are computed at a time."""
    rng = np.random.default_rng(3)
    size = 17_000  # three blocks
    counts = np.where(np.arange(size) < 100, 5.0, 0.0)
    rows = rng.normal(size=(2, size, 4)).astype(np.float32)
    words = [f"w{number}" for number in range(size)]
    space = Space.from_arrays(words, rows[0], counts=counts, context=rows[1])
    origins = list(stop_origins(space).values())
    found = pmi_errors(space, origins)
    seen = space.take(np.arange(100), "kept the words that were seen")
    np.testing.assert_allclose(found, pmi_errors(seen, origins), atol=1e-5)
    lesson = lesson_of(Logic(space, postprocess="none"), ["w1 & w2"])
    assert np.isfinite(lesson.rms).all()


def test_a_space_without_frequencies_has_two_stops_and_no_errors(client):
    lesson = client.get("/v1/lesson", params={"space": "royal"}).json()
    assert lesson["stops"] == ["as trained", "plain mean"]
    assert lesson["errors"] is None
    ranks = [each for track in lesson["tracks"] for each in track["ranks"]]
    assert {len(each) for each in ranks} == {lesson["between"] + 1}


def test_vectors_that_were_centred_have_no_lesson(small):
    done = postprocess(small, "frequency")
    with TestClient(create_app({"done": done}), base_url="http://localhost") as client:
        found = client.get("/v1/lesson")
    assert found.status_code == 422
    assert "frequency" in found.json()["error"]


def test_a_space_without_any_example_has_no_lesson(monkeypatch):
    space = Space.from_arrays(["1", "2", "3"], [[1.0, 0.0], [0.5, 1.0], [0.0, 2.0]])
    asked = []

    def counted(*arguments):
        asked.append(arguments)
        return is_known(*arguments)

    monkeypatch.setattr("andornot.server.served_spaces.is_known", counted)
    with TestClient(create_app({"numbers": space}), base_url="http://localhost") as client:
        answers = [client.get("/v1/lesson") for _ in range(2)]
    assert len(asked) == len(QUERIES)  # the second time nothing is computed again
    for answer in answers:
        assert answer.status_code == 422
        assert_names(answer.json()["error"], "lesson", "another space")


def test_the_lesson_is_small(client):
    found = client.get("/v1/lesson").content
    assert json.loads(found)["contexts"] == 256
    assert len(found) < 40_000
