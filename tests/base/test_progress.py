"""Progress of long work: who reports it, and what is shown."""

import io
import re
import threading

import numpy as np
import pytest
from commands import EXAMPLES
from watching import watching

import andornot
from andornot.base.progress import progress_bars, stage, track
from andornot.cooccurrence import count
from andornot.corpus import open_corpus
from andornot.training import Settings, train


def test_without_a_reporter_reports_go_nowhere():
    with stage("alone") as report:
        report(0.5, "a note")
    assert list(track([1, 2], "alone")) == [1, 2]


def test_stages_are_seen_within_the_block_alone():
    with watching() as seen:
        list(track("abcd", "letters"))
    list(track("ab", "after"))
    assert seen.stages == {"letters": [0, 0.25, 0.5, 0.75]}


def test_another_thread_has_no_reporter_of_its_own():
    with watching() as seen:
        thread = threading.Thread(target=lambda: list(track("ab", "elsewhere")))
        thread.start()
        thread.join()
    assert seen.stages == {}


@pytest.mark.parametrize("suffix", [".vec", ".vec.gz", ".bin", ".safetensors"])
def test_writing_and_reading_report_up_to_the_end(tmp_path, suffix):
    rng = np.random.default_rng(1)
    words = andornot.Vocabulary([f"w{i}" for i in range(300)])
    space = andornot.Space(words, rng.normal(size=(300, 20)).astype(np.float32))
    path = tmp_path / f"space{suffix}"
    with watching() as seen:
        andornot.save(space, path)
        andornot.load(path)
    assert seen.stages[f"writing {path.name}"][-1] == 1.0
    if suffix != ".safetensors":  # which is mapped, not read
        assert seen.stages[f"reading {path.name}"][-1] == 1.0


def test_text_counts_and_training_report(tmp_path):
    with watching() as seen:
        corpus = open_corpus([EXAMPLES / "nursery.txt"], tokenizer="words", cache=tmp_path)
        count(corpus, min_count=1)
        train(corpus, Settings(dim=2, epochs=2, solver="sampled"), min_count=1, threads=1)
    assert list(seen.stages) == ["tokenising", "counting", "training sgns, sampled"]
    for parts in seen.stages.values():
        assert parts == sorted(parts)
        assert parts[-1] == pytest.approx(1.0)


class Terminal(io.StringIO):
    """What rich takes for a terminal."""

    def isatty(self):
        return True


def test_bars_show_the_innermost_stage_and_leave_nothing(monkeypatch):
    terminal = Terminal()
    monkeypatch.setattr("sys.stderr", terminal)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "100")
    with progress_bars():
        with stage("outer", 1000, "tokens") as outer:
            outer(0.25, "a note")
            with stage("inner") as inner:
                inner(0.5)
        list(track("ab", "later"))
    shown = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", terminal.getvalue())
    assert {"outer", "inner", "later"} <= set(re.findall(r"outer|inner|later", shown))
    assert "a note" in shown
    assert terminal.getvalue().rstrip().endswith(("\x1b[?25h", "\x1b[2K"))  # erased, cursor back


def test_an_error_ends_the_bars(monkeypatch):
    terminal = Terminal()
    monkeypatch.setattr("sys.stderr", terminal)
    monkeypatch.setenv("TERM", "xterm")
    with progress_bars():
        with pytest.raises(ValueError, match="broken"), stage("first"):
            raise ValueError("broken")
        with stage("second") as report:  # a display that was left open would refuse a new one
            report(1.0)
