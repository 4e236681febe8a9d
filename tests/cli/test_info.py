"""`andornot info`: what a space or a folder of counts holds."""

import json
from dataclasses import replace

import numpy as np
import pytest
from commands import EXAMPLES, run
from errors import assert_refused

import andornot
from andornot.cooccurrence import load_counts
from andornot.cooccurrence.pmi import largest_pmi
from andornot.formats.quantising import EightBits
from andornot.quality import quality_of

NURSERY = EXAMPLES / "nursery.txt"


def shown(*arguments):
    """What is printed, by its labels."""
    done = run("info", *arguments)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return {line[:16].strip(): line[17:] for line in done.stdout.splitlines()}


def test_a_space(tmp_path, example):
    path = tmp_path / "royal.safetensors"
    andornot.save(andornot.load(example).with_counts(EXAMPLES / "royal.counts"), path)
    facts = shown(path)
    assert facts["space"] == str(path)
    assert (facts["words"], facts["dimension"]) == ("8", "3")
    assert (facts["context vectors"], facts["biases"]) == ("no", "no")
    assert facts["counts"].startswith("file ")
    assert facts["most frequent"] == "the man woman king royal queen prince princess"


def test_a_space_as_json(tmp_path, full_space):
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


def test_without_counts_no_word_is_the_most_frequent(example):
    facts = shown(example)
    assert facts["counts"].startswith("none ")
    assert "--counts" in facts["counts"]
    assert "most frequent" not in facts
    assert facts["first words"].startswith("the man ")
    assert json.loads(run("info", example, "--json").stdout)["most_frequent"] is None


def test_settings_without_a_value_are_left_out(tmp_path, full_space):
    settings = {"loss": 0.25, "held_out_loss": None, "prior": 0.0}
    record = replace(full_space.provenance, settings=settings)
    andornot.save(replace(full_space, provenance=record), tmp_path / "s.safetensors")
    done = run("info", tmp_path / "s.safetensors")
    assert "training loss 0.25, prior 0" in " ".join(done.stdout.split())
    assert "None" not in done.stdout


def test_estimated_counts_are_labelled(tmp_path, example):
    andornot.save(andornot.load(example).with_counts("rank"), tmp_path / "s.safetensors")
    assert "estimated from rank" in shown(tmp_path / "s.safetensors")["counts"]


def test_words_with_control_characters_stay_on_their_line(tmp_path, full_space):
    andornot.save(full_space, tmp_path / "s.safetensors")
    assert "'line\\nbreak'" in run("info", tmp_path / "s.safetensors").stdout


def test_no_control_character_of_a_file_is_printed(tmp_path, full_space):
    hostile = "a\x1b]0;title\x07\nwarning: b\x9b31m"
    vocabulary = full_space.vocabulary
    counts = replace(vocabulary.counts, detail=hostile)
    provenance = replace(
        full_space.provenance,
        origin=hostile,
        settings={hostile: 1, "corpus": hostile, "list": [hostile]},
        history=(hostile,),
    )
    space = replace(full_space, vocabulary=vocabulary.with_counts(counts), provenance=provenance)
    path = tmp_path / "s.safetensors"
    andornot.save(space, path)
    done = run("info", path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.replace("\n", "").isprintable()
    assert done.stdout.count(r"\x1b]0;title\x07") == 6
    assert not any(line.startswith("warning: b") for line in done.stdout.splitlines())


def test_the_default_model_is_shown_where_none_is_named():
    assert json.loads(run("info", "--json").stdout)["words"] == len(andornot.default())


def test_the_frequency_bands_of_the_default_model(logic):
    done = run("info")
    assert done.returncode == 0, done.stderr
    expected = quality_of(logic.space)
    found = json.loads(run("info", "--json").stdout)["quality"]
    assert found.keys() == expected.to_dict().keys()
    assert found["error_term"] == pytest.approx(expected.error_term)
    for band, own in zip(found["bands"], expected.to_dict()["bands"], strict=True):
        assert band == pytest.approx(own)
    lines = done.stdout.splitlines()
    assert max(map(len, lines)) <= 80
    start = next(i for i, line in enumerate(lines) if line.startswith("words by rank"))
    for line, band in zip(lines[start + 1 : start + 6], expected.bands, strict=True):
        ranks, *figures = line.split()
        assert ranks == f"{band.first:,}-{band.last:,}"
        assert [float(figure) for figure in figures] == pytest.approx(
            [
                band.norm_ratio,
                band.cosine_with_mean,
                band.cosine,
                band.centred_cosine,
                band.normaliser,
                band.error_term,
                band.largest_pmi,
            ],
            rel=0.01,
            abs=0.0005,
        )
    assert "eps_bar" in lines[start + 6]
    assert "Delta" in lines[start + 7]
    assert "warning" not in done.stdout


def test_figures_that_a_space_cannot_have_are_left_out(example):
    done = run("info", example)
    assert "in file order" in done.stdout
    assert "sum p(c|w)" not in done.stdout
    facts = shown(example)
    assert facts["model's PMI"].startswith("not applicable: ")
    assert "no counts" in facts["centred"]
    assert facts["8-8"].split()[-1] == "-"  # one word has no pair


def test_rounded_contexts_are_not_decoded_in_vain(tmp_path, full_space, monkeypatch):
    space = replace(full_space, provenance=replace(full_space.provenance, postprocess="none"))
    path = tmp_path / "s.safetensors"
    andornot.save(space, path, bits=8)
    before = json.loads(run("info", path, "--json").stdout)
    assert before["context_vectors"] is True
    assert before["bytes"] >= 2 * full_space.target.nbytes
    decoded = []
    rows = EightBits.rows
    monkeypatch.setattr(EightBits, "rows", lambda each: decoded.append(each) or rows(each))
    assert run("info", path).returncode == 0
    assert len(decoded) == 1  # the target vectors


@pytest.mark.parametrize("side", ["target", "context"])
def test_vectors_that_are_not_finite_are_refused(tmp_path, full_space, side):
    path = tmp_path / "s.safetensors"
    andornot.save(full_space, path)
    data = bytearray(path.read_bytes())
    last = getattr(full_space, side)[-1].tobytes()
    at = data.index(last)
    data[at : at + 4] = np.float32(np.inf).tobytes()
    path.write_bytes(data)
    assert_refused(run("info", path), 1, f"word {len(full_space)}", "is inf", "correct or remove")


def test_collapsed_rare_words_are_warned_of(tmp_path):
    rng = np.random.default_rng(4)
    vectors = rng.normal(size=(500, 10))
    vectors[400:] *= 0.1
    vectors[:, 0] = np.where(np.arange(500) < 400, 4, 1)
    words = andornot.Vocabulary([f"w{i}" for i in range(500)])
    andornot.save(andornot.Space(words, vectors).with_counts("rank"), tmp_path / "s.safetensors")
    assert shown(tmp_path / "s.safetensors")["warning"].startswith("rare words have collapsed")
    facts = json.loads(run("info", tmp_path / "s.safetensors", "--json").stdout)
    assert "--min-count" in facts["quality"]["warning"]


def test_a_folder_of_counts(tmp_path):
    folder = tmp_path / "counts"
    run("count", NURSERY, "-o", folder, "--tokenizer", "words", "--min-count", 2)
    facts = shown(folder)
    assert facts["counts"] == str(folder)
    assert facts["tokens"] == "23"  # of 45, those of the words that come twice
    assert facts["window"] == "5 words, linear weights"
    assert facts["most frequent"].startswith("the mouse cat")
    facts = json.loads(run("info", folder, "--json").stdout)
    assert facts["settings"]["min_count"] == 2
    assert facts["pairs"] == load_counts(folder).pairs
    assert facts["largest_pmi"] == pytest.approx(largest_pmi(load_counts(folder)))
    assert shown(folder)["Delta"].startswith(f"{facts['largest_pmi']:.3f}, ")


def test_an_interrupted_replacement_of_counts_is_finished(tmp_path):
    run("count", NURSERY, "-o", "c", "--min-count", 2, cwd=tmp_path)
    (tmp_path / "c").rename(tmp_path / ".c.new")
    assert shown(tmp_path / "c")["counts"] == str(tmp_path / "c")


@pytest.mark.parametrize(
    ("arguments", "code", "named"),
    [
        (["none.vec"], 1, ["none.vec", "no such file"]),
        (["."], 1, [".:", "folder"]),
        (["EXAMPLE", "--from", "nonsense"], 2, ["nonsense", "--from", " glove,"]),
        (["EXAMPLE", "--undecodable", "maybe"], 2, ["maybe", "--undecodable", "replace"]),
    ],
)
def test_what_is_wrong_is_named(tmp_path, example, arguments, code, named):
    arguments = [example if part == "EXAMPLE" else part for part in arguments]
    assert_refused(run("info", *arguments, cwd=tmp_path), code, *named)
    assert list(tmp_path.iterdir()) == []
