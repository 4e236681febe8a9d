"""`andornot grow`: the ranking for programs, and the prompt with real keys and real kills."""

import csv
import json
import os
import random
import re
import select
import signal
import subprocess
import time

import pytest
from commands import PROGRAM, run
from errors import assert_refused
from planted_groups import planted
from terminals import needs_terminal

from andornot import WordList, load, save
from andornot.growing import Grower
from andornot.growing.decision_file import read_decisions

KEYS = {"y": "yes", "n": "no", "s": "skip", " ": "skip"}


@pytest.fixture(scope="module")
def space(tmp_path_factory):
    path = tmp_path_factory.mktemp("space") / "groups.safetensors"
    save(planted(), path)
    return path


@pytest.fixture(scope="module")
def grower(space):
    return Grower(load(space), wordnet=False)


def grow(space, *arguments, **options):
    return run("grow", *arguments, "--space", space, "--no-wordnet", **options)


def in_json(space, *arguments):
    done = grow(space, *arguments, "--json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def written(path, *words):
    path.write_text("\n".join(words) + "\n")
    return path


def rows_of(path):
    with path.open(newline="") as file:
        return [(row["word"], row["decision"]) for row in csv.DictReader(file)]


# --- for programs ------------------------------------------------------------------------------


def test_the_ranking_is_that_of_the_library(space, grower):
    expected = WordList(grower, ["w5", "w12"]).propose()
    facts = in_json(space, "w5", "w12")
    assert [each["word"] for each in facts["proposals"]] == [each.word for each in expected]
    assert facts["proposals"][0]["score"] == pytest.approx(expected[0].score)
    assert facts["proposals"][0]["nearest"] == expected[0].nearest
    assert (facts["words"], facts["wordnet"]) == (["w5", "w12"], False)
    shown = grow(space, "w5", "w12").stdout.splitlines()
    assert [line.split()[1] for line in shown] == [each.word for each in expected]


def test_words_of_files(space, grower, tmp_path):
    examples = written(tmp_path / "examples", "w5", "", "W12 ", "nosuchword")
    yes, no = written(tmp_path / "yes", "w19"), written(tmp_path / "no", "w6", "w13")
    expected = WordList(grower, ["w5", "w12"], accepted=["w19"], rejected=["w6", "w13"])
    done = grow(space, "--file", examples, "--yes", yes, "--no", no, "-k", "7", "--json")
    facts = json.loads(done.stdout)
    assert [each["word"] for each in facts["proposals"]] == [
        each.word for each in expected.propose(7)
    ]
    assert "nosuchword" in done.stderr
    assert "W12 was read as w12" in done.stderr
    assert facts["rejected"] == ["w6", "w13"]
    only_yes = in_json(space, "--yes", examples)
    assert only_yes["words"] == ["w5", "w12"]


def test_filters(space):
    facts = in_json(space, "w5", "--length", "3", "--pattern", "w?2")
    assert facts["proposals"]
    assert all(re.fullmatch("w.2", each["word"]) for each in facts["proposals"])
    assert_refused(grow(space, "w5", "--length", "x"), 2, "length", "'x'")
    assert grow(space, "w5", "--pattern", "zz*").returncode == 1


def test_a_file_is_written_filled_in_and_gone_on_from(space, grower, tmp_path):
    path = tmp_path / "list.csv"
    assert grow(space, "w5", "-k", "3", "-o", path).returncode == 0
    rows = rows_of(path)
    assert rows[0] == ("w5", "seed")
    assert [said for _, said in rows[1:]] == ["", "", ""]
    first = [word for word, _ in rows[1:]]
    text = path.read_text().replace(f"{first[0]},,", f"{first[0]},yes,")
    path.write_text(text.replace(f"{first[1]},,", f"{first[1]},n,"))
    assert grow(space, "-k", "5", "-o", path).returncode == 0
    expected = WordList(grower, ["w5"], accepted=[first[0]], rejected=[first[1]]).propose(5)
    assert rows_of(path) == [
        ("w5", "seed"),
        (first[0], "yes"),
        (first[1], "no"),
        *((each.word, "") for each in expected),
    ]


def test_wrong_calls_are_refused(space, tmp_path):
    assert_refused(grow(space), 2, "at least one word", "--file")
    assert_refused(grow(space, "wv5"), 1, "'wv5'", "did you mean", "'w5'")
    assert_refused(grow(space, "--file", tmp_path / "none"), 1, "none", "no such file")
    other = written(tmp_path / "other.csv", "a,b")
    assert_refused(grow(space, "w5", "-o", other), 1, other, "not a list")
    assert other.read_text() == "a,b\n"
    words = written(tmp_path / "words", "w7")
    done = grow(space, "w5", "--yes", words, "--no", words)
    assert_refused(done, 2, "'w7'", "an accepted word and a rejected word")
    assert_refused(grow(space, "w5", "-o", tmp_path / "no" / "list.csv"), 1, "folder")


def test_without_contexts_and_counts_notes_say_so(tmp_path):
    path = tmp_path / "plain.safetensors"
    save(planted(context=False, counts=False), path)
    done = grow(path, "w5")
    assert done.returncode == 0
    assert done.stderr.count("note: ") == 2


def test_without_a_terminal_nothing_is_asked(space):
    reader, writer = os.pipe()  # an input that never comes
    command = [*PROGRAM, "grow", "w5", "--space", str(space), "--no-wordnet"]
    done = subprocess.run(command, stdin=reader, capture_output=True, text=True, timeout=120)
    os.close(reader)
    os.close(writer)
    assert (done.returncode, len(done.stdout.splitlines())) == (0, 20)


# --- at a terminal -----------------------------------------------------------------------------


class Terminal:
    """`andornot grow` in a pseudo-terminal: what it shows, and keys for it."""

    def __init__(self, *arguments, cwd=None):
        import fcntl
        import pty
        import termios

        def prepare():  # Ctrl-C reaches the program, also where it is ignored for the tests
            fcntl.ioctl(0, termios.TIOCSCTTY, 0)
            signal.signal(signal.SIGINT, signal.SIG_DFL)

        self.leader, follower = pty.openpty()
        self.process = subprocess.Popen(
            [*PROGRAM, "grow", *map(str, arguments)],
            stdin=follower,
            stdout=follower,
            stderr=follower,
            cwd=cwd,
            env=os.environ | {"TERM": "dumb", "COLUMNS": "200"},
            start_new_session=True,
            preexec_fn=prepare,
        )
        os.close(follower)
        self.shown = ""

    def wait_for(self, count, seconds=120.0):
        """Read until so many words have been shown; return whether they were."""
        end = time.monotonic() + seconds
        while len(self.words) < count:
            left = end - time.monotonic()
            if left <= 0 or not self.read(left):
                return False
        return True

    def read(self, seconds):
        """Read what is shown within the time; return whether the program is there."""
        if not select.select([self.leader], [], [], seconds)[0]:
            return True
        try:
            data = os.read(self.leader, 65536)
        except OSError:  # the other end is closed
            return False
        self.shown += data.decode()
        return bool(data)

    @property
    def words(self):
        """The words that were shown, in order."""
        return re.findall(r"^ +(w\d+|dogs?|cat|poodle|animal) .*?near \S+  \?", self.shown, re.M)

    def press(self, keys):
        os.write(self.leader, keys.encode())

    def end(self):
        """Read to the end of the program; return its exit code."""
        last = time.monotonic() + 120
        while self.read(1):
            assert time.monotonic() < last, self.shown
        os.close(self.leader)
        return self.process.wait(60)


@needs_terminal
@pytest.mark.slow
def test_keys_decide_and_the_next_round_has_learnt(space, grower, tmp_path):
    terminal = Terminal("w5", "-k", "3", "--space", space, "--no-wordnet", cwd=tmp_path)
    first = [each.word for each in WordList(grower, ["w5"]).propose(3)]
    shown = 1
    for key in "uyxny":  # nothing to undo; x means nothing; y, n, y are a round
        assert terminal.wait_for(shown)
        terminal.press(key)
        shown += key != "x"
    assert terminal.wait_for(shown)
    second = WordList(grower, ["w5"], accepted=[first[0], first[2]], rejected=[first[1]])
    expected = [each.word for each in second.propose(3)]
    for key in "snuy":
        terminal.press(key)
        shown += 1
        assert terminal.wait_for(shown)
    terminal.press("q")
    assert terminal.end() == 0
    assert terminal.words == [first[0], *first, *expected, *expected[1:]]
    decisions = {each.word: each.decision for each in read_decisions(tmp_path / "w5.csv")}
    assert decisions == {
        "w5": "seed",
        first[0]: "yes",
        first[1]: "no",
        first[2]: "yes",
        expected[0]: "skip",
        expected[1]: "yes",
    }
    assert "undo" not in (tmp_path / "w5.csv").read_text()
    again = Terminal("w5", "--space", space, "--no-wordnet", cwd=tmp_path)
    assert again.end() == 1
    assert "-o w5.csv" in again.shown


@needs_terminal
@pytest.mark.slow
def test_no_decision_is_lost_when_it_is_killed(space, tmp_path):
    """Kill it at random moments; every key after which another word was shown is in the file."""
    chance = random.Random(5)
    path = tmp_path / "list.csv"
    decided = []  # word and decision, as the file must have them
    for _ in range(8):
        arguments = ["-o", path, "-k", "4", "--space", space, "--no-wordnet"]
        terminal = Terminal(*(["w5"] if not path.exists() else []), *arguments)
        sent = []
        for number in range(1, chance.randint(2, 25)):
            assert terminal.wait_for(number)
            key = chance.choice("yns ")
            sent.append((terminal.words[number - 1], KEYS[key]))
            terminal.press(key)
        terminal.read(chance.random() * 0.05)
        terminal.process.send_signal(signal.SIGKILL)
        terminal.end()
        acknowledged = len(terminal.words) - 1
        found = [(each.word, str(each.decision)) for each in read_decisions(path)][1:]
        new = found[len(decided) :]
        assert found[: len(decided)] == decided
        assert len(new) >= acknowledged
        assert new == sent[: len(new)]
        decided = found
    assert len(decided) > 30


@needs_terminal
@pytest.mark.slow
def test_ctrl_c_and_the_end_of_the_input_end_it(space, tmp_path):
    for number, key in enumerate(("\x03", "\x04", "q")):
        path = tmp_path / f"{number}.csv"
        terminal = Terminal("w5", "-o", path, "--space", space, "--no-wordnet")
        assert terminal.wait_for(1)
        terminal.press("y")
        assert terminal.wait_for(2)
        terminal.press(key)
        assert terminal.end() == 0
        assert [each.decision for each in read_decisions(path)] == ["seed", "yes"]
        assert "2 words, 0 rejected" in terminal.shown


@needs_terminal
@pytest.mark.slow
def test_a_list_belongs_to_one_process_at_a_time(space, tmp_path):
    path = tmp_path / "list.csv"
    arguments = ["-o", path, "--space", space, "--no-wordnet"]
    terminal = Terminal("w5", *arguments)
    assert terminal.wait_for(1)
    before = path.read_bytes()
    done = run("grow", "w12", *arguments)  # would write over what is decided meanwhile
    assert_refused(done, 1, path, "another andornot process", "wait")
    assert path.read_bytes() == before
    terminal.press("y")
    assert terminal.wait_for(2)
    terminal.process.send_signal(signal.SIGKILL)  # leaves the lock file, and holds it no longer
    terminal.end()
    assert run("grow", "w12", *arguments).returncode == 0
    assert {"w5", "w12"} <= {each.word for each in read_decisions(path)}
    assert sorted(each.name for each in tmp_path.iterdir()) == ["list.csv"]
