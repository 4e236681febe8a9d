"""`andornot info`: what a space or a folder of counts holds."""

import json

from commands import EXAMPLES
from commands import run_apart as run

import andornot

NURSERY = EXAMPLES / "nursery.txt"


def test_info_as_json(tmp_path, full_space):
    path = tmp_path / "s.safetensors"
    andornot.save(full_space, path)
    facts = json.loads(run("info", path, "--json").stdout)
    assert facts["words"] == 9
    assert facts["dimension"] == 5
    assert facts["counts"]["origin"] == "training"
    assert facts["counts"]["total"] == full_space.counts.sum()
    assert facts["context_vectors"] is True
    assert facts["biases"] is True
    assert facts["most_frequent"][:2] == ["the", "king"]
    assert facts["provenance"] == full_space.provenance.to_dict()
    assert facts["bytes"] > full_space.target.nbytes


def test_info_without_counts_does_not_speak_of_frequency(example):
    done = run("info", example)
    assert "counts           none" in done.stdout
    assert "most frequent" not in done.stdout
    assert "first words      the man" in done.stdout
    assert json.loads(run("info", example, "--json").stdout)["most_frequent"] is None


def test_words_with_control_characters_stay_on_their_line(tmp_path, full_space):
    andornot.save(full_space, tmp_path / "s.safetensors")
    done = run("info", tmp_path / "s.safetensors")
    assert "'line\\nbreak'" in done.stdout


def test_info_finishes_an_interrupted_replacement(tmp_path):
    run("count", NURSERY, "-o", "c", "--min-count", 2, cwd=tmp_path)
    (tmp_path / "c").rename(tmp_path / ".c.new")
    assert run("info", tmp_path / "c").returncode == 0
