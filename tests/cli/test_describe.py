"""`andornot describe` as users type it: the library's answer, filters, JSON, errors."""

import json

import pytest
from commands import EXAMPLES, run
from errors import assert_refused

import andornot
from andornot import Logic

ROYAL = EXAMPLES / "royal.vec"
COUNTS = ("--counts", EXAMPLES / "royal.counts")


def describe(*arguments):
    return run("describe", *arguments)


@pytest.fixture(scope="module")
def royal():
    return Logic(andornot.load(ROYAL).with_counts(EXAMPLES / "royal.counts"))


@pytest.mark.parametrize("words", [["a royal woman"], ["a", "royal", "woman"]])
def test_words_and_scores_are_the_librarys(royal, words):
    done = describe(*words, "--space", ROYAL, *COUNTS, "-k", 3)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    own = royal.describe("a royal woman", k=3)
    lines = [line.split() for line in done.stdout.splitlines()[:3]]
    assert [line[1] for line in lines] == list(own.words)
    assert [line[2] for line in lines] == [f"{hit.score:.3f}" for hit in own.hits]
    assert "note: the space has no context vectors" in done.stdout


def test_json_has_the_fields_of_an_answer(royal):
    done = describe("a royal xyzzy woman", "--space", ROYAL, *COUNTS, "--json", "--length", "4-6")
    facts = json.loads(done.stdout)
    own = royal.describe("a royal xyzzy woman", length="4-6")
    assert [hit["word"] for hit in facts["hits"]] == list(own.words)
    assert facts["query"] == "a royal xyzzy woman"
    assert facts["measure"] == "description"
    assert facts["filter"] == {"pattern": None, "length": "4-6", "frequency": "any"}
    assert any("xyzzy" in note for note in facts["notes"])
    asked = json.loads(run("ask", "king", "--space", ROYAL, *COUNTS, "--json").stdout)[0]
    assert list(facts) == list(asked)


def test_the_default_model_is_asked_without_a_space():
    done = describe("a person who studies stars", "--pattern", "ast????mer")
    assert done.returncode == 0, done.stderr
    assert done.stdout.split()[1] == "astronomer"


def test_a_note_repeats_only_the_beginning_of_a_long_text_in_lines():
    text = "a royal qqzzx\nwoman " + "of the palace\n" * 50
    done = describe(text, "--space", ROYAL, *COUNTS, "-k", 1)
    note = done.stdout.partition("note: ")[2].partition("\nnote: ")[0]
    assert note.startswith("not in the space, and left out of ")
    assert len(note) < 150


@pytest.mark.parametrize(
    ("arguments", "code", "named"),
    [
        (["xyzzy plugh"], 1, ["'xyzzy plugh'", "other words"]),
        (["roial womann"], 1, ["'royal'", "'woman'"]),
        (["who is it"], 1, ["stop words"]),
        (["royal", "--pattern", "zz*"], 1, ["'zz*'"]),
        (["royal", "--frequency", "common", "--from", "word2vec"], 1, ["--counts"]),
        ([" "], 2, ["empty"]),
        (["royal", "--length", "x"], 2, ["length", "'x'"]),
        (["royal", "-k", "0"], 2, ["-k"]),
        (["royal", "--space", "missing.vec"], 1, ["missing.vec"]),
        ([], 2, ["DESCRIPTION"]),
    ],
)
def test_what_is_wrong_is_said_in_a_line(arguments, code, named):
    given = [] if "--space" in arguments else ["--space", ROYAL]
    assert_refused(describe(*arguments, *given), code, *named)
