"""Bodies of requests: one error says what is wrong, however often it is."""

import json

import pytest
from errors import assert_names
from planted import make_space
from serving import need_server

need_server()
from pydantic import ValidationError  # noqa: E402

from andornot.server import schemas  # noqa: E402

MANY = 2000
REQUESTS = [
    each
    for each in vars(schemas).values()
    if isinstance(each, type)
    and issubclass(each, schemas.BaseModel)
    and each.model_config.get("extra") == "forbid"
]


def errors_of(model, body):
    """What is wrong with a body, as FastAPI reads it and as JSON."""
    for read, given in (
        (model.model_validate, body),
        (model.model_validate_json, json.dumps(body)),
    ):
        with pytest.raises(ValidationError) as caught:
            read(given)
        yield caught.value.errors()


@pytest.fixture(scope="module")
def client():
    from starlette.testclient import TestClient

    from andornot.server.app import create_app

    return TestClient(create_app({"planted": make_space()}), base_url="http://localhost")


@pytest.mark.parametrize("model", REQUESTS, ids=lambda each: each.__name__)
def test_a_wrong_list_has_one_error_for_all_its_items(model):
    """An error for each of a million items took seconds, in which nobody was answered."""
    for name in model.model_fields:
        for wrong in (1, None, [], {}):
            for errors in errors_of(model, {name: [wrong] * MANY}):
                assert sum(each["loc"][0] == name for each in errors) == 1


@pytest.mark.parametrize("model", REQUESTS, ids=lambda each: each.__name__)
def test_unknown_fields_have_one_error_if_they_are_many(model):
    for errors in errors_of(model, {f"x{number}": 1 for number in range(MANY)}):
        assert len(errors) == 1


@pytest.mark.parametrize(
    ("path", "body", "named"),
    [
        ("ask", {"query": "w0", "among": ["w1", *[1] * MANY]}, ["among[1]", "string", 1]),
        ("ask/batch", {"queries": ["w0", *[[]] * MANY]}, ["queries[1]", "string"]),
        ("grow", {"yes": ["w0"], "no": [{}] * MANY}, ["no[0]", "string"]),
        ("ask", {"query": "w0"} | {f"x{n}": 1 for n in range(MANY)}, ["2,001 fields", "remove"]),
        ("encode", {"sentences": ["w0"], "unknown": 1}, ["unknown", "remove"]),
    ],
)
def test_the_first_of_many_errors_is_the_answer(client, path, body, named):
    answer = client.post(f"/v1/{path}", json=body)
    assert answer.status_code == 422
    assert_names(answer.json()["error"], *named)


LONG = "x" * 400_000


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("ask", {"query": "w0", "space": LONG}),
        ("ask", {"query": "w0", "length": LONG}),
        ("ask", {"query": "w0", "among": [LONG]}),
        ("ask", {"query": "w0", LONG: 1}),
        ("category", {"words": [LONG]}),
        ("grow", {"yes": [LONG]}),
        ("grow", {"yes": ["w0"], "no": [LONG]}),
    ],
)
def test_an_error_repeats_no_long_value(client, path, body):
    answer = client.post(f"/v1/{path}", json=body)
    assert answer.status_code == 422
    assert len(answer.content) < 1000


def test_a_wrong_method_or_path_says_which_is_right(client):
    method, path = client.get("/v1/ask"), client.get("/v1/nothing")
    assert (method.status_code, path.status_code) == (405, 404)
    assert_names(method.json()["error"], "GET", "use POST")
    assert_names(path.json()["error"], "/v1/openapi.json")
