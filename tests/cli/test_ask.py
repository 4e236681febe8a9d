"""`andornot ask` as users type it: answers, batches, errors with a caret, a prompt."""

import inspect
import json
import os
import re
import shlex
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest
from commands import EXAMPLES, PROGRAM, run, run_apart
from errors import assert_names, assert_refused
from queries import FAMILIAR, WAYS, asked
from terminals import needs_terminal, on_a_terminal

import andornot
from andornot import Logic
from andornot.algebra import explain
from andornot.base.choices import Postprocess
from andornot.base.formatting import known
from andornot.cli import ask as ask_module
from andornot.cli.asking import ask_queries
from andornot.postprocessing import postprocess

ROYAL = EXAMPLES / "royal.vec"


@pytest.fixture
def space(tmp_path):
    path = tmp_path / "royal.safetensors"
    loaded = andornot.load(ROYAL).with_counts(EXAMPLES / "royal.counts")
    andornot.save(loaded, path)
    return path


def ask(*arguments, **options):
    return run("ask", *arguments, **options)


def test_one_query(space):
    done = ask("royal & woman", "--space", space, "-k", 2)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    first, second = done.stdout.splitlines()
    assert first.split()[:2] == ["1", "queen"]
    assert second.startswith("  2  ")


def test_a_question_waits_for_no_compiler(space):
    code = (
        "import sys; sys.argv[1:] = sys.argv[2:]; from andornot.cli import main\n"
        "try: main()\nexcept SystemExit: pass\n"
        "heavy = {'numba', 'scipy', 'sklearn', 'rich.table', 'torch'} & set(sys.modules)\n"
        "sys.exit(f'imported {heavy}' if heavy else 0)"
    )
    queries = ("royal & woman", "king | queen", "!man @ {man, woman, king}", '"royal woman"')
    command = [sys.executable, "-c", code, "-", "ask", *queries, "--space", space]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("  1  ") == 4


def test_json_is_what_the_library_says(space):
    done = ask(
        "royal & woman", "!man @ {man, woman, king}", "--space", space, "--json", "--explain"
    )
    assert done.returncode == 0, done.stderr
    plain, negated = json.loads(done.stdout)
    logic = Logic(andornot.load(space))
    expected = logic.ask("royal & woman")
    assert [hit["word"] for hit in plain["hits"]] == list(expected.words)
    assert plain["hits"][0]["score"] == pytest.approx(expected.hits[0].score)
    assert plain["explanation"]["parts"][0]["kind"] == "AND"
    assert negated["category"] == ["man", "woman", "king"]
    assert {hit["word"] for hit in negated["hits"]} == {"woman", "king"}


def test_a_batch_on_standard_input(space):
    done = ask("--space", space, "-k", 1, input="royal & woman\n\nking | queen\n")
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[0] == "royal & woman"
    assert lines[1].split()[:2] == ["1", "queen"]
    assert lines[3] == "king | queen"


def test_a_wrong_query_has_a_caret_and_spoils_no_other(space):
    done = ask("royal &", "king", "qeuen", "--space", space, "-k", 1)
    assert done.returncode == 1
    first, *pointer, third = done.stderr.splitlines()
    assert_names(first, "error: query 1: column 8: ")
    assert pointer == ["royal &", "       ^"]
    assert_names(third, "error: query 3: ", "'qeuen'", "'queen'")
    assert done.stdout.split() == ["royal", "&", "king", "1", "prince", "1.000", "qeuen"]
    found = json.loads(ask("royal &", "king", "--space", space, "--json").stdout)
    assert found[0]["column"] == 8
    assert found[1]["hits"]


def test_explanations_and_notes(space):
    done = ask("king | queen", "--space", space, "--explain")
    assert "OR     king | queen" in done.stdout
    assert "validity   not applicable" in done.stdout
    assert max(map(len, done.stdout.splitlines())) <= 80
    done = ask("!king", "--space", space)
    reading, rest, first, *_ = done.stdout.splitlines()
    assert reading.startswith("!king was read as the rest of {king, prince, royal, ")
    assert rest.endswith("(nearest words of king)")
    assert first.split()[0] == "1"


@pytest.mark.parametrize("kind", ["bare", "counted", "post-processed"])
def test_command_library_and_service_choose_the_same_defaults(tmp_path, kind):
    path = ROYAL
    loaded = andornot.load(path)
    if kind != "bare":
        loaded = loaded.with_counts(EXAMPLES / "royal.counts")
        loaded = loaded if kind == "counted" else postprocess(loaded, "all-but-the-top")
        path = tmp_path / "royal.safetensors"
        andornot.save(loaded, path)
    expected = {
        "bare": ("uniform", "uniform"),
        "counted": ("frequency", "uniform"),
        "post-processed": ("none", "uniform"),
    }[kind]
    logic = Logic(andornot.load(path))
    assert (logic.postprocess, logic.weights) == expected
    query = "(royal | man) & woman"
    (answer,) = json.loads(ask(query, "--space", path, "--json").stdout)
    own = logic.ask(query)
    assert [(hit["word"], hit["score"]) for hit in answer["hits"]] == [
        tuple(hit) for hit in own.hits
    ]
    assert answer["probability"] == known(own.concept.probability)
    pytest.importorskip("fastapi", reason="needs the extra server")
    from andornot.server.served_spaces import ServedSpace

    facts = ServedSpace("royal", andornot.load(path)).facts()
    assert (facts["default_postprocess"], facts["default_weights"]) == expected


def test_the_settings_of_the_paper_are_one_flag():
    query = "violin | piano"
    paper = ask(query, "--paper").stdout
    assert paper == ask(query, "--postprocess", "frequency", "--weights", "frequency").stdout
    assert paper != ask(query).stdout
    assert ask(query).stdout == ask(query, "--weights", "uniform").stdout
    assert_refused(ask(query, "--paper", "--weights", "uniform"), 2, "--paper", "--weights")


@pytest.fixture(scope="module")
def familiar(tmp_path_factory):
    """A small part of the default model that knows the words of generated queries."""
    whole = andornot.default()
    words = dict.fromkeys([*whole.words[:1000], *FAMILIAR])
    ids = np.array([whole.vocabulary.index(word) for word in words])
    path = tmp_path_factory.mktemp("familiar") / "familiar.safetensors"
    some = whole.take(ids, "familiar words")
    cut = replace(some, target=some.target[:, :40], context=some.context[:, :40])
    andornot.save(cut, path)
    return path


@pytest.mark.parametrize("way", WAYS, ids=str)
def test_the_command_explains_as_the_library_does(way, familiar):
    """The page does so too: tests/server/test_page.py asks the whole hundred."""
    queries = [query for query, how in asked() if how == way][:12]
    making = {key: way[key] for key in ("weights", "exact") if key in way}
    logic = Logic(andornot.load(familiar), **making)
    options = {key: way[key] for key in way if key not in making}
    expected = [explain(answer) for answer in logic.ask_many(queries, **options)]
    flags = [f"--{key}" if value is True else f"--{key}={value}" for key, value in way.items()]
    lines = "\n".join(queries)
    done = ask("--space", familiar, "--explain", "--json", *flags, input=lines)
    assert done.returncode == 0, done.stderr
    found = [answer["explanation"] for answer in json.loads(done.stdout)]
    assert found == json.loads(json.dumps([each.to_dict() for each in expected]))
    shown = ask("--space", familiar, "--explain", *flags, input=lines).stdout
    for query, each in zip(queries, expected, strict=True):
        shown = shown.partition(f"{query}\n")[2]
        assert f"\n\n{each.text()}\n" in shown[: len(each.text()) + 2000], query


def test_an_explanation_has_the_notes_of_its_answer(space):
    options = ("man @ {man, woman}", "--space", space, "--among", "man")
    for shown in (ask(*options).stdout, ask(*options, "--explain").stdout):
        assert "no word is left to rank" in shown


def test_words_to_rank_are_separated_by_commas(space):
    for among in ("queen prince", "queen;prince"):
        done = ask("king", "--space", space, "--among", among)
        assert_refused(done, 1, f"unknown category {among!r}", "separate words by commas")
        assert "braces" not in done.stderr
    for among in ("", " ", "{}"):
        assert_refused(ask("king", "--space", space, "--among", among), 1, "leave --among off")


def test_the_papers_settings_need_counts():
    assert_refused(ask("king", "--space", ROYAL, "--paper"), 1, "--paper needs word frequencies")


def test_an_answer_without_words_is_a_failure(space):
    done = ask("king", "--space", space, "--pattern", "king")
    assert done.returncode == 1
    (line,) = " ".join(done.stdout.split()).split("note: ")[1:]
    assert_names(line, "no word is left", "query words are excluded", "add --keep-operands")
    kept = ask("king", "--space", space, "--pattern", "king", "--keep-operands")
    assert (kept.returncode, kept.stdout.split()[:2]) == (0, ["1", "king"])
    assert ask("king", "--space", space, "--pattern", "king", "--json").returncode == 1


def test_categories_from_a_file(space, tmp_path):
    names = tmp_path / "categories.txt"
    names.write_text("# of people\nfolk: man, woman, prince, stranger\n")
    done = ask("!man @ folk", "--space", space, "--categories", names)
    assert done.returncode == 0, done.stderr
    *hits, note = done.stdout.splitlines()
    assert {line.split()[1] for line in hits} == {"woman", "prince"}
    assert_names(note, "note: ", "folk: stranger")
    names.write_text("folk man woman\n")
    done = ask("!man @ folk", "--space", space, "--categories", names)
    assert_refused(done, 1, names, "line 1", "'folk man woman'", "colon")


@pytest.mark.parametrize(
    ("options", "named"),
    [
        (["--exact"], ["exact", "context vectors"]),
        (["--measure", "pmi"], ["PMI", "context vectors"]),
        (["--space", "none.safetensors"], ["none.safetensors", "no such file"]),
        (
            ["--space", ROYAL, "--postprocess=frequency", "--weights=uniform"],
            ["frequencies", "--counts"],
        ),
    ],
)
def test_what_a_space_lacks_is_said_in_one_line(space, tmp_path, options, named):
    done = ask("king", "--space", space, *options, cwd=tmp_path)
    assert_refused(done, 1, *named)
    assert len(done.stderr.splitlines()) == 1


def test_without_counts_words_weigh_alike_and_it_says_so():
    uniform = ("--postprocess", "uniform", "--weights", "uniform")
    for query in ("king", "king | queen"):
        done = ask(query, "--space", ROYAL, "--json")
        named = ask(query, "--json", "--space", ROYAL, *uniform)
        assert done.stdout == named.stdout
        assert_names(done.stderr, "note: ", "--counts")
        assert named.stderr == ""
    assert json.loads(done.stdout)[0]["probability"] is None


def test_estimated_counts_are_noted():
    done = ask("royal & woman", "--space", ROYAL, "--counts", "rank", "-k", 1)
    assert done.returncode == 0
    assert done.stderr == ""
    hit, note = done.stdout.splitlines()
    assert hit.split()[0] == "1"
    assert_names(note, "note: ", "estimated", "rank")


def test_explained_against_counts(tmp_path):
    text = tmp_path / "text.txt"
    words = np.random.default_rng(1).choice(["king", "queen", "man", "woman", "crown"], 4000)
    text.write_text(" ".join(words))
    counts, space = tmp_path / "counts", tmp_path / "s.safetensors"
    for command in (
        ["count", text, "-o", counts],
        ["train", counts, "-o", space, "--dim", "3", "--epochs", "3"],
    ):
        assert run(*command).returncode == 0
    done = ask("king | queen", "--space", space, "--against", counts)
    shown = " ".join(done.stdout.split())  # lines are wrapped
    assert "misses the model's PMI" in shown, done.stderr
    assert "in the model's PMI, first order to exact" in shown
    assert "the rms between v.u of the centred vectors and the counted PMI (contexts" in shown
    (found,) = json.loads(ask("king", "--space", space, "--against", counts, "--json").stdout)
    assert 0 <= found["explanation"]["measured"]["rms"] < 1
    assert_refused(ask("king", "--space", space, "--against", text), 1, text)


def test_ranking_some_words_and_output_that_fits(space):
    done = ask("royal & woman", "--space", space, "--among", "{king, prince}")
    assert [line.split()[1] for line in done.stdout.splitlines()] == ["prince", "king"]
    done = ask("!king", "--space", space)
    assert max(map(len, done.stdout.splitlines())) <= 80
    done = ask("king", "king " * 3000, "--space", space)
    assert len(done.stdout) < 1000


def test_json_is_ascii_where_the_output_is_not_utf8(tmp_path):
    words = andornot.Vocabulary(["café", "thé"]).with_counts({"café": 2, "thé": 1})
    andornot.save(andornot.Space(words, np.eye(2)), tmp_path / "s.safetensors")
    environment = os.environ | {"PYTHONIOENCODING": "ascii"}
    options = ("--space", tmp_path / "s.safetensors", "--json")
    done = run_apart("ask", "thé", *options, env=environment)
    assert json.loads(done.stdout)[0]["hits"][0]["word"] == "café"


def test_a_byte_order_mark_on_standard_input_is_left_out(space):
    done = ask("--space", space, "-k", 1, input=b"\xef\xbb\xbfking\nqueen\n")
    assert done.returncode == 0, done.stderr
    assert done.stdout == ask("--space", space, "-k", 1, input="king\nqueen\n").stdout


def test_input_that_is_not_utf8_is_an_unknown_word(space):
    done = ask("--space", space, input=b"caf\xe9\nking\n")
    assert done.returncode == 1
    assert_names(done.stderr, "error: query 1: ", "'caf\ufffd'")
    assert "  1  " in done.stdout


def test_a_number_of_thousands_of_digits_spoils_no_other_query(space):
    done = ask(f"dog @ dog.n.{'1' * 5000}", "king", "--space", space)
    assert done.returncode == 1
    assert_names(done.stderr, "error: query 1: ")
    assert "  1  " in done.stdout


def test_no_query(space):
    assert_refused(ask("--space", space, input="\n\n"), 2, "no query")


def test_words_that_would_change_a_terminal_are_escaped(tmp_path):
    words = andornot.Vocabulary(["a\x1b[31mred", "b\nc", "d"]).with_counts("rank")
    andornot.save(andornot.Space(words, np.eye(3) + 1), tmp_path / "s.safetensors")
    for options in ([], ["--explain"]):
        done = ask('"b\nc"', "d", "--space", tmp_path / "s.safetensors", *options)
        assert "\x1b" not in done.stdout
        assert "'a\\x1b[31mred'" in done.stdout


@pytest.mark.parametrize(
    ("query", "named"),
    [
        ("Qeen", ["'Qeen'", "'queen'"]),
        ("new york", ["column 5", "two words side by side", "did you mean 'new & york'?"]),
        ("royal and woman", ["column 7", "in capitals", "did you mean 'royal & woman'?"]),
        ("royal & king - man", ["column 14", "analogy", "alone"]),
        ("-1*king | 1*queen", ["column 1", "-1", "at least 0"]),
    ],
)
def test_what_is_wrong_with_a_query_is_named(space, query, named):
    """Two hyphens end the options, so that a query may begin with one."""
    assert_refused(ask("--space", space, "--", query), 1, *named)


@pytest.mark.parametrize("query", ["-king", "-king & queen", "-5"])
def test_a_query_that_looks_like_an_option(query):
    assert_refused(ask(query), 2, repr(query), "put -- before", f"ask -- {shlex.quote(query)}")


def test_a_wrong_value_of_an_option_is_not_taken_for_a_query():
    done = ask("king", "-k", "-5")
    assert done.returncode == 2
    assert "put --" not in done.stderr


def test_filters(logic):
    options = {"pattern": "A*", "length": "5-10", "frequency": "common"}
    flags = [f"--{name}={value}" for name, value in options.items()]
    (found,) = json.loads(ask("star & science", *flags, "--json").stdout)
    own = logic.ask("star & science", **options)
    assert [hit["word"] for hit in found["hits"]] == list(own.words)
    assert found["filter"] == options
    assert_refused(ask("star", "--pattern", "zzqq*"), 1, "no word", "'zzqq*'")
    assert_refused(ask("star", "--length", "x"), 2, "length", "'x'")
    assert_refused(ask("king", "--space", ROYAL, "--frequency", "rare"), 1, "--counts")


def test_analogies_and_capitals(logic):
    done = ask("king - man + woman", "PARIS", "-k", 2)
    assert done.returncode == 0, done.stderr
    for word in logic.ask("king - man + woman", k=2).words:
        assert f"  {word} " in done.stdout
    assert "note: read as an analogy: king - man + woman" in done.stdout
    assert "note: PARIS was read as paris" in done.stdout


def test_whole_spaces_with_contexts(tmp_path):
    rng = np.random.default_rng(0)
    words = andornot.Vocabulary([f"w{i}" for i in range(50)]).with_counts("rank")
    vectors = rng.normal(size=(2, 50, 6)) * 0.3
    andornot.save(andornot.Space(words, *vectors), tmp_path / "s.safetensors")
    for options in (["--exact"], ["--measure", "pmi"], ["--everywhere"], ["--weights", "uniform"]):
        done = ask("!w1 @ {w1, w2, w3}", "w1 | w2", "--space", tmp_path / "s.safetensors", *options)
        assert done.returncode == 0, done.stderr
    for method in Postprocess:
        done = ask("w1", "--space", tmp_path / "s.safetensors", "--postprocess", method, "-k", 3)
        assert len(done.stdout.splitlines()) == 4  # and that the frequencies are estimated


@needs_terminal
def test_the_prompt(space, tmp_path):
    import pty  # Windows has none

    main, other = pty.openpty()
    environment = os.environ | {"XDG_STATE_HOME": str(tmp_path), "TERM": "dumb"}
    process = subprocess.Popen(
        [*PROGRAM, "ask", "--space", str(space), "-k", "1"],
        stdin=other,
        stdout=other,  # readline wants both ends to be a terminal
        stderr=subprocess.PIPE,
        env=environment,
    )
    os.close(other)
    os.write(main, b'royal & woman\nroyal &\nhelp\n?\n"help"\nexit\n')
    _, errors = process.communicate(timeout=60)
    output = os.read(main, 100_000)
    os.close(main)
    assert process.returncode == 0, errors
    assert b"queen" in output
    assert b"column 8" in errors
    assert output.count(b"king - man + woman") == 2
    assert b"unknown word 'help'" in errors  # in quotation marks it is asked for
    assert "royal & woman" in (tmp_path / "andornot" / "history").read_text()


def test_the_default_model_answers_where_none_is_named(logic):
    (found,) = json.loads(ask("royal & woman", "--json").stdout)
    assert [hit["word"] for hit in found["hits"]] == list(logic.ask("royal & woman").words)


@needs_terminal
def test_on_a_terminal_the_explanation_is_a_table(space):
    query = "!man @ {man, woman, king}"
    code, shown = on_a_terminal("ask", query, "--explain", "--space", space)
    assert code == 0
    text = re.sub(r"\x1b\[[0-9;]*m", "", shown)
    assert "A: written out" in text
    assert "█" in text
    assert max(len(line.rstrip()) for line in text.splitlines()) <= 80


# --- without options, without typer ------------------------------------------------------------


def test_a_plain_question_imports_no_typer():
    code = (
        "import sys; from andornot.cli import main\n"
        "sys.argv = ['andornot', 'ask', 'royal & woman']; main()\n"
        "sys.exit('typer' in sys.modules or 'pydantic' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    "queries",
    [
        ("royal & woman",),
        ("king - man + woman", "!day @ {day, night, morning}"),
        ('"a small flying insect"', "apple & !fruit"),
        ("kinng", "queen"),  # an unknown word
        ("royal & & woman",),  # a syntax error
        ("",),
        (" ", "queen"),
        ("{",),
        ("Königin",),
    ],
)
def test_both_ways_to_read_the_arguments_agree(queries):
    plain, parsed = ask(*queries), ask("--", *queries)
    assert plain.stdout == parsed.stdout
    assert plain.stderr == parsed.stderr
    assert plain.returncode == parsed.returncode


def test_both_ways_have_the_same_defaults():
    parameters = [
        {name: each.default for name, each in inspect.signature(function).parameters.items()}
        for function in (ask_module.ask, ask_queries)
    ]
    assert parameters[0] == parameters[1]


@pytest.mark.parametrize("arguments", [("ask", "queen"), ("ask", "--", "queen")])
def test_ctrl_c_during_a_question(arguments):
    code = (
        "import andornot.algebra, os, signal, sys, time\n"
        "from andornot.cli import main\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "def interrupted(*_, **__): os.kill(os.getpid(), signal.SIGINT), time.sleep(30)\n"
        "andornot.algebra.Logic = interrupted\n"
        "sys.argv[0] = 'andornot'\n"
        "main()"
    )
    done = subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (130, "interrupted; no output was changed\n")
