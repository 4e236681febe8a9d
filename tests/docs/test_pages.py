"""The examples of README.md and of every page in docs/ run and print what the pages show."""

import re
from functools import cache
from itertools import pairwise

import pytest
from commands import run
from pages import Runner, agree, commands_of, examples, pages

PAGES = pages()


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", [name for name, path in PAGES.items() if examples(path.read_text())]
)
def test_the_examples_run_and_print_what_the_page_shows(name, tmp_path):
    runner = Runner(tmp_path)
    missing = set()
    for example in examples(PAGES[name].read_text()):
        if not example.runs or example.missing():
            missing.update(example.missing())
            continue
        printed = runner.run(example)
        if example.output is not None and example.marks.get("output") != "varies":
            assert agree(example.output, printed), f"{example.code}prints\n{printed}"
    if missing:
        pytest.skip(f"{name}: not all examples ran, missing {', '.join(sorted(missing))}")


@cache
def help_of(*command):
    return run(*command, "--help").stdout


@pytest.mark.parametrize("name", PAGES)
def test_every_command_has_the_options_that_a_page_gives_it(name):
    for example in examples(PAGES[name].read_text()):
        for words in commands_of(example) if example.language == "sh" else []:
            command = words[: 2 if words[:1] == ["data"] else 1]
            known = set(re.findall(r"(?<!\S)--?[a-z][\w-]*", help_of(*command)))
            given = {word.partition("=")[0] for word in words if re.match(r"--?[a-z]", word)}
            assert given <= known, f"{name}: andornot {' '.join(words)}"


def outputs_of(command):
    """Return the files and folders that a command writes, by options or as a second argument."""
    writes = {"-o", "--output", "--plot", "--save-counts", "--save-vocab"}
    found = {after for option, after in pairwise(command) if option in writes}
    return found | {command[2]} if command[0] == "convert" else found


def test_pages_write_different_files():
    """Whoever pastes the commands of several pages in one folder replaces nothing."""
    writers = {}
    for name, path in PAGES.items():
        shells = [each for each in examples(path.read_text()) if each.language == "sh"]
        commands = [command for each in shells for command in commands_of(each) if command]
        for output in {output for command in commands for output in outputs_of(command)}:
            writers.setdefault(output, []).append(name)
    assert {output: names for output, names in writers.items() if len(names) > 1} == {}


def test_a_mark_is_one_of_the_four():
    known = {"needs", "not run", "output", "exits"}
    for name, path in PAGES.items():
        for example in examples(path.read_text()):
            assert set(example.marks) <= known, name


def test_the_readme_has_the_two_commands_and_is_short():
    text = PAGES["README.md"].read_text()
    assert 'pip install . && andornot ask "royal & woman"\n' in text
    assert "pip install -e '.[test]' && pytest\n" in text
    assert len(text.splitlines()) <= 150


@pytest.mark.parametrize(
    ("shown", "printed", "same"),
    [
        ("  1  queen  0.590\n", "  1  queen   0.589\n", True),
        ("  1  queen  0.590\n", "  1  queen  0.570\n", False),
        ("  1  queen  0.590\n", "  1  king  0.590\n", False),
        ("  1  queen  0.590\n", "  1  queen  0.590\n  2  king  0.5\n", False),
        ("took ... s for 12 words\n", "took 3.1 s for 12 words\n", True),
        ("took ... s for 12 words\n", "took 3.1 s for 13 words\n", False),
        ("(cosine 0.30 to 0.01)\n", "(cosine 0.30 to 0.01)\n", True),
        ("[0.1, 0.2]\n", "[0.1, 0.3]\n", False),
    ],
)
def test_outputs_are_compared_by_words_and_by_rounded_numbers(shown, printed, same):
    assert agree(shown, printed) is same
