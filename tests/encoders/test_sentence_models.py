"""Centred sentence encoders and exported spaces, opened by the libraries they are for."""

import json
import shutil
import sys

import numpy as np
import pytest
from commands import run
from errors import assert_refused, raises
from hypothesis import given
from hypothesis import strategies as st
from tiny_models import (
    DIM,
    TEXT,
    add_sentence_modules,
    bert_config,
    bert_tensors,
    minilm,
    train_tokenizer,
    write_bert,
    write_model,
    write_sts,
)

import andornot
from andornot import AndornotError, Space, Vocabulary
from andornot.base.errors import FileError, UsageError
from andornot.base.folders import new_folder
from andornot.base.tensors import write_tensors
from andornot.encoders.sentence_models import centred_model, encoder, fit_model, is_static
from andornot.formats.model_folder import find_model
from andornot.formats.static_models import _words, write_static_model
from andornot.postprocessing import postprocess
from andornot.postprocessing.affine import fit
from andornot.postprocessing.sentences import encode, words_in
from andornot.words.pieces import Pieces

sentence_transformers = pytest.importorskip(
    "sentence_transformers", reason="needs the extra sentence (sentence-transformers)"
)
model2vec = pytest.importorskip("model2vec", reason="needs the extra sentence (model2vec)")

METHODS = ("frequency", "uniform", "zipfian-whitening")
ASKED = ["the king and the queen", "money in the bank", "a naïve woman walking to the river"]


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    path = tmp_path_factory.mktemp("corpus") / "text.txt"
    path.write_text("\n".join(TEXT) + "\n")
    return path


def transformer(tmp_path, **options):
    return add_sentence_modules(write_bert(tmp_path / "model"), **options)


def unit(rows):
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def open_st(folder):
    return sentence_transformers.SentenceTransformer(str(folder), device="cpu")


def centre(source, target, corpus, method="frequency", **options):
    folder = find_model(source)
    step, text = fit_model(folder, [corpus], method)
    with centred_model(folder, target, step, {"text": text}, **options) as (_, describe):
        describe("a card")


# --- models of sentence-transformers with context ------------------------------------------


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("normalize", [True, False])
def test_mean_pooling_is_centred_by_the_mean_over_tokens(tmp_path, corpus, method, normalize):
    source = transformer(tmp_path, normalize=normalize)
    centre(source, tmp_path / "out", corpus, method)
    # independently: all token vectors of the library, and the definitions in NumPy
    model = open_st(source)
    tokens = model.encode(TEXT, output_value="token_embeddings")
    rows = np.concatenate([each.numpy() for each in tokens]).astype(np.float64)
    numbers = np.concatenate([model.tokenizer(text)["input_ids"] for text in TEXT])
    weights = np.ones(len(rows))
    if method == "uniform":
        weights = 1 / np.bincount(numbers)[numbers]
    name = "zipfian-whitening" if method == "zipfian-whitening" else "frequency"
    step = fit(name, rows, weights)
    pooled = [
        each.numpy().mean(axis=0) for each in model.encode(ASKED, output_value="token_embeddings")
    ]
    expected = step(np.array(pooled, dtype=np.float64))
    found = open_st(tmp_path / "out").encode(ASKED)
    expected = unit(expected) if normalize else expected
    assert np.allclose(found, expected, rtol=1e-3, atol=1e-3)
    assert not np.allclose(found, model.encode(ASKED), atol=1e-2)


def cased(tmp_path, *, lower=False, prompt="", include=True, limit=48):
    """A model whose settings change what the library makes of a text before it is cut."""
    from tokenizers import normalizers

    tokenizer = train_tokenizer("wordpiece")
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=False)
    size = tokenizer.get_vocab_size()
    source = write_model(tmp_path / "model", tokenizer, bert_tensors(size), bert_config(size))
    add_sentence_modules(source, normalize=False)
    tokens = {"unk_token": "[UNK]", "pad_token": "[PAD]", "cls_token": "[CLS]"}
    tokens |= {"sep_token": "[SEP]", "tokenizer_class": "PreTrainedTokenizerFast"}
    (source / "tokenizer_config.json").write_text(json.dumps(tokens))
    settings = {"max_seq_length": limit, "do_lower_case": lower}
    (source / "sentence_bert_config.json").write_text(json.dumps(settings))
    if prompt:
        prompts = {"prompts": {"query": prompt}, "default_prompt_name": "query"}
        (source / "config_sentence_transformers.json").write_text(json.dumps(prompts))
    pooling = source / "1_Pooling" / "config.json"
    pooling.write_text(json.dumps(json.loads(pooling.read_text()) | {"include_prompt": include}))
    return source


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"lower": True},
        {"prompt": "the king: "},
        {"prompt": "the king: ", "include": False},
        {"limit": 5},
    ],
)
def test_the_centre_is_over_what_the_library_pools(tmp_path, settings):
    source = cased(tmp_path, **settings)
    corpus = tmp_path / "titles.txt"
    corpus.write_text("\n".join(text.title() for text in TEXT) + "\n")
    step, _ = fit_model(find_model(source), [corpus])
    # lines weighted by how many of their tokens are pooled: the mean over these tokens
    model = open_st(source)
    lines = corpus.read_text().splitlines()
    kept = [len(each) for each in model.encode(lines, output_value="token_embeddings")]
    if settings.get("include") is False:
        kept = np.array(kept) - model.preprocess(["x"], prompt="the king: ")["prompt_length"]
    assert np.allclose(step.mean, np.average(model.encode(lines), axis=0, weights=kept), atol=1e-5)


def test_prompts_count_for_other_poolings(tmp_path, corpus):
    source = cased(tmp_path, prompt="the king: ")
    pooling = source / "1_Pooling" / "config.json"
    pooling.write_text(json.dumps({"word_embedding_dimension": DIM, "pooling_mode": "cls"}))
    step, _ = fit_model(find_model(source), [corpus])
    assert np.allclose(step.mean, open_st(source).encode(TEXT).mean(axis=0), atol=1e-5)


def test_too_few_or_damaged_vectors_make_no_step(tmp_path, corpus):
    source = transformer(tmp_path, pooling="cls")
    with raises(AndornotError, "3 vectors", "16 dimensions"):
        fit_model(find_model(source), [corpus], "zipfian-whitening", lines=3)
    weights = bert_tensors(
        len(json.loads((source / "tokenizer.json").read_text())["model"]["vocab"])
    )
    weights["encoder.layer.1.output.LayerNorm.bias"][0] = np.nan
    write_tensors(weights, source / "model.safetensors")
    with raises(AndornotError, "not finite", "weights"):
        fit_model(find_model(source), [corpus])
    static, model = static_model(tmp_path, corpus)
    short = tmp_path / "short.txt"
    short.write_text("the king\n")
    with raises(AndornotError, "2 vectors", "16 dimensions"):
        fit_model(find_model(static), [short], "zipfian-whitening")
    rows = np.array(model.embedding)
    rows[-1, 0] = np.inf
    write_tensors({"embeddings": rows}, static / "model.safetensors")
    with raises(FileError, static, "inf"):
        fit_model(find_model(static), [corpus])


def test_other_poolings_are_centred_by_their_own_mean(tmp_path, corpus):
    source = transformer(tmp_path, pooling="cls", normalize=False)
    centre(source, tmp_path / "out", corpus)
    before = open_st(source)
    expected = before.encode(ASKED) - before.encode(TEXT).mean(axis=0)
    assert np.allclose(open_st(tmp_path / "out").encode(ASKED), expected, atol=1e-4)
    with raises(AndornotError, "cls", "uniform", "frequency", "zipfian-whitening"):
        fit_model(find_model(source), [corpus], "uniform")


# --- models without context ----------------------------------------------------------------


def static_model(tmp_path, corpus, *, kind="wordpiece", merged=False, normalize=False):
    """A folder that model2vec itself has written."""
    tokenizer = train_tokenizer(kind)
    rng = np.random.default_rng(5)
    size = tokenizer.get_vocab_size()
    rows = rng.normal(size=(size, DIM)).astype(np.float32) + 1
    more = {}
    if merged:
        more = {"weights": rng.uniform(0.5, 2, size=size), "token_mapping": np.arange(size) % 30}
        rows = rows[:30]
    model = model2vec.StaticModel(rows, tokenizer, normalize=normalize, **more)
    model.save_pretrained(tmp_path / "static")
    return tmp_path / "static", model


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("merged", [False, True])
def test_the_centre_is_folded_into_static_models(tmp_path, corpus, method, merged):
    source, model = static_model(tmp_path, corpus, merged=merged)
    assert is_static(find_model(source))
    centre(source, tmp_path / "out", corpus, method)
    numbers = np.concatenate(model.tokenize(TEXT))
    rows = np.concatenate(model.encode_as_sequence(TEXT)).astype(np.float64)
    weights = np.ones(len(rows))
    if method != "uniform":
        name = "frequency" if method == "frequency" else "zipfian-whitening"
        step = fit(name, rows, weights)
    else:  # over the types of the vocabulary, whether they occur or not
        space = andornot.load(source)
        step = fit("uniform", space.target.astype(np.float64), None)
    assert len(numbers) == len(rows)
    expected = step(model.encode(ASKED).astype(np.float64))
    for opened in (model2vec.StaticModel.from_pretrained(tmp_path / "out"),):
        assert np.allclose(opened.encode(ASKED), expected, rtol=1e-3, atol=1e-3)
    again = open_st(tmp_path / "out").encode(ASKED)
    assert np.allclose(again, expected, rtol=1e-3, atol=1e-3)


def test_a_static_embedding_of_sentence_transformers(tmp_path):
    from sentence_transformers.models import Normalize, StaticEmbedding

    tokenizer = train_tokenizer("unigram")
    rows = np.random.default_rng(6).normal(size=(tokenizer.get_vocab_size(), DIM)) + 1
    static = StaticEmbedding(tokenizer, embedding_weights=rows.astype(np.float32))
    open_first = sentence_transformers.SentenceTransformer(
        modules=[static, Normalize()], device="cpu"
    )
    open_first.save(str(tmp_path / "in"))
    corpus = tmp_path / "unknown.txt"
    corpus.write_text("\n".join(f"{text} 東 京" for text in TEXT) + "\n")
    centre(tmp_path / "in", tmp_path / "out", corpus)
    lines = corpus.read_text().splitlines()
    found = [tokenizer.encode(line, add_special_tokens=False).ids for line in lines]
    assert tokenizer.token_to_id("<unk>") in found[0]  # the library adds its row like any other
    mean = rows[np.concatenate(found)].mean(axis=0)
    ids = [tokenizer.encode(text, add_special_tokens=False).ids for text in ASKED]
    expected = unit(np.array([rows[each].mean(axis=0) - mean for each in ids]))
    assert np.allclose(open_st(tmp_path / "out").encode(ASKED), expected, atol=1e-4)


OLD_CARD = """---
license: apache-2.0
datasets:
- somebody/data
language:
- en
- fr
pipeline_tag: sentence-similarity
---

# The old card

license: not this
"""


# --- the command ---------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["static", "transformer"])
def test_the_command_writes_a_card_with_its_table(tmp_path, corpus, monkeypatch, kind):
    monkeypatch.setenv("ANDORNOT_DATA", str(tmp_path / "data"))
    write_sts(tmp_path / "data")
    if kind == "static":
        source, _ = static_model(tmp_path, corpus)
    else:
        source = transformer(tmp_path)
        (source / "README.md").write_text(OLD_CARD)
    out = tmp_path / "out folder"
    done = run("center-model", source, out, "--corpus", corpus, "--seed", 7)
    assert done.returncode == 0, done.stderr
    card = (out / "README.md").read_text()
    assert "| STS16 |" in card
    assert "frequency-weighted mean" in card
    table = next(line for line in card.splitlines() if line.startswith("| STS12"))
    before, after = (float(cell) / 100 for cell in table.split("|")[2:4])
    # the figures are those of the library itself
    from andornot.datasets.sentence_pairs import read_sts
    from andornot.evaluation import sentence_similarity

    sets = read_sts(tmp_path / "data" / "sts" / "STS12-en-test")
    folder = find_model(source)
    assert sentence_similarity(encoder(folder), sets).mean == pytest.approx(before, abs=6e-4)
    assert sentence_similarity(encoder(folder, out), sets).mean == pytest.approx(after, abs=6e-4)
    if kind == "transformer":
        assert (out / "README-original.md").read_text() == OLD_CARD
        header = card.split("---")[1]
        assert "license: apache-2.0\nlanguage:\n- en\n- fr\npipeline_tag: sentence-sim" in header
        assert "datasets" not in header
    made = card.split("Made by `")[1].split("`")[0]
    assert made == f"andornot center-model {source} '{out}' --corpus {corpus} --seed 7"
    assert json.loads((out / "record.json").read_text())["postprocess"] == "frequency"

    again = run("center-model", source, out, "--corpus", corpus)
    assert_refused(again, 1, out, "--force")
    forced = run("center-model", source, out, "--corpus", corpus, "--force", "--no-sts")
    assert forced.returncode == 0, forced.stderr
    assert "| STS16 |" not in (out / "README.md").read_text()


def test_what_center_model_refuses(tmp_path, corpus, monkeypatch):
    plain = write_bert(tmp_path / "plain")
    static, _ = static_model(tmp_path, corpus)
    out = tmp_path / "out"

    def refused(code, source, target, *named, text=corpus, options=()):
        done = run("center-model", source, target, "--corpus", text, *options)
        assert_refused(done, code, *named)

    refused(1, plain, out, plain, "modules.json", "SentenceTransformer")
    refused(1, static, out, "nowhere.txt", "no such file", text="nowhere.txt")
    (tmp_path / "own").mkdir()
    refused(1, plain, tmp_path / "own", tmp_path / "own", "another", options=["--force"])
    refused(1, plain, tmp_path / "a" / "b", tmp_path / "a" / "b", "make the folder")
    assert run("center-model", plain, out).returncode == 2  # no corpus
    unknown = run(
        "center-model", static, out, "--corpus", corpus, "--postprocess", "all-but-the-top"
    )
    assert unknown.returncode == 2
    assert "zipfian-whitening" in unknown.stderr
    with raises(UsageError, "all-but-the-top", "zipfian-whitening"):
        fit_model(find_model(static), [corpus], "all-but-the-top")
    monkeypatch.setitem(sys.modules, "model2vec", None)
    refused(1, static, out, "model2vec", "andornot[sentence]")
    assert not out.exists()
    assert not list(tmp_path.glob(".out*"))


def test_a_model_is_not_written_over_itself(tmp_path, corpus):
    source, _ = static_model(tmp_path, corpus)
    with raises(FileError, "itself", "another") as caught:
        centre(source, source, corpus)
    assert caught.value.path == source


def sealed(folder):
    """The bytes of every file of a folder."""
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("absolute", [True, False])
def test_modules_outside_the_folder_are_neither_read_nor_written(tmp_path, corpus, absolute):
    victim, _ = static_model(tmp_path, corpus)
    evil = tmp_path / "evil"
    shutil.copytree(victim, evil)
    modules = json.loads((evil / "modules.json").read_text())
    modules[0]["path"] = str(victim) if absolute else "../static"
    (evil / "modules.json").write_text(json.dumps(modules))
    before = sealed(victim)
    done = run("center-model", evil, tmp_path / "out", "--corpus", corpus, "--no-sts")
    assert_refused(done, 1, evil / "modules.json", modules[0]["path"], "outside")
    with raises(FileError, modules[0]["path"], "outside") as caught:
        andornot.load(evil)
    assert caught.value.path == evil / "modules.json"
    assert sealed(victim) == before
    assert not (tmp_path / "out").exists()


def test_force_replaces_models_alone(tmp_path, corpus):
    source, _ = static_model(tmp_path, corpus)
    other = tmp_path / "counted"
    with new_folder(other) as writer:
        writer.finish("andornot corpus", {})
    (other / "precious.txt").write_text("x")
    before = sealed(other)
    done = run("center-model", source, other, "--corpus", corpus, "--no-sts", "--force")
    assert_refused(done, 1, other, "andornot model", "another folder")
    with raises(FileError, other, "andornot model"):
        write_static_model(word_space(), other, force=True)
    assert sealed(other) == before


def test_neither_model_is_inside_the_other(tmp_path, corpus):
    source, _ = static_model(tmp_path, corpus)
    before = sealed(source)
    done = run("center-model", source, source / "out", "--corpus", corpus, "--no-sts")
    assert_refused(done, 1, source, source / "out", "inside", "another folder")
    assert sealed(source) == before
    out = tmp_path / "out"
    assert run("center-model", source, out, "--corpus", corpus, "--no-sts").returncode == 0
    inner = out / "inner"
    shutil.copytree(source, inner)
    before = sealed(out)
    done = run("center-model", inner, out, "--corpus", corpus, "--no-sts", "--force")
    assert_refused(done, 1, inner, out, "inside", "another folder")
    assert sealed(out) == before


@pytest.mark.parametrize("place", ["core", "dense"])
def test_no_library_opens_a_pickle(tmp_path, corpus, monkeypatch, place):
    import torch

    source = transformer(tmp_path)
    pickled = source / "pytorch_model.bin"
    if place == "core":
        (source / "model.safetensors").unlink()
    else:
        modules = json.loads((source / "modules.json").read_text())
        dense = {"idx": 3, "name": "3", "path": "3_Dense"}
        modules.append(dense | {"type": "sentence_transformers.models.Dense"})
        (source / "modules.json").write_text(json.dumps(modules))
        pickled = source / "3_Dense" / "pytorch_model.bin"
        pickled.parent.mkdir()
        config = {"in_features": DIM, "out_features": DIM, "bias": False}
        config["activation_function"] = "torch.nn.modules.linear.Identity"
        (pickled.parent / "config.json").write_text(json.dumps(config))
    torch.save({"linear.weight": torch.eye(DIM)}, pickled)
    opened = []
    monkeypatch.setattr("torch.load", lambda *args, **_: opened.append(args))
    done = run("center-model", source, tmp_path / "out", "--corpus", corpus, "--no-sts")
    assert_refused(done, 1, pickled, "pickle", "safetensors")
    assert not opened


def test_a_centred_model_can_be_centred_again(tmp_path, corpus):
    source = transformer(tmp_path, normalize=False)
    for name, source_name in (("one", "model"), ("two", "one"), ("three", "two")):
        centre(tmp_path / source_name, tmp_path / name, corpus)
    # every step is after the pooling, and the newest comes first
    steps = [fit_model(find_model(tmp_path / "model"), [corpus])[0].mean] * 3
    expected = open_st(source).encode(ASKED) - np.sum(steps, axis=0)
    assert np.allclose(open_st(tmp_path / "three").encode(ASKED), expected, atol=1e-4)


def test_a_pooling_that_is_not_there(tmp_path, corpus):
    source = transformer(tmp_path)
    shutil.rmtree(source / "1_Pooling")
    done = run("center-model", source, tmp_path / "out", "--corpus", corpus, "--no-sts")
    assert_refused(done, 1, "1_Pooling")


def test_no_code_of_a_model_runs(tmp_path, corpus):
    source = transformer(tmp_path)
    modules = json.loads((source / "modules.json").read_text())
    modules[2]["type"] = "own_code.Normalize"
    (source / "modules.json").write_text(json.dumps(modules))
    (source / "own_code.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w')\n")
    done = run("center-model", source, tmp_path / "out", "--corpus", corpus, "--no-sts")
    assert_refused(done, 1, source, "own_code")
    assert not (tmp_path / "ran").exists()


# --- exports -------------------------------------------------------------------------------


def word_space():
    words = [
        "the",
        "king",
        "don't",
        "covid-19",
        "3.14",
        "-3",
        "1,000",
        "naïve",
        "東京",
        "l'eau",
        "5",
    ]
    rng = np.random.default_rng(8)
    counts = {word: 100 - n for n, word in enumerate(words)}
    return Space(Vocabulary(words).with_counts(counts), rng.normal(size=(len(words), DIM)))


HARD = [
    "The king; don't panic: COVID-19 is 3.14 (−3) or -3, 5-3 -- naïve!",
    "東京 the 1,000 kings, l’eau ‘the’ “-3” 3.14.",
    "nothing known",
    "",
]


def same_direction(a, b):
    lengths = np.linalg.norm(a, axis=1) * np.linalg.norm(b, axis=1)
    assert ((np.linalg.norm(a, axis=1) > 0) == (np.linalg.norm(b, axis=1) > 0)).all()
    known = lengths > 0
    assert np.allclose((a * b).sum(axis=1)[known] / lengths[known], 1, atol=1e-5)


def test_a_space_of_words_opens_in_both_libraries(tmp_path):
    space = postprocess(word_space())
    write_static_model(space, tmp_path / "m")
    expected = encode(space, HARD)
    assert np.linalg.norm(expected[:2], axis=1).all()
    same_direction(model2vec.StaticModel.from_pretrained(tmp_path / "m").encode(HARD), expected)
    same_direction(open_st(tmp_path / "m").encode(HARD), expected)
    long = ["the king " * 600 + "naïve " * 2000]
    same_direction(
        model2vec.StaticModel.from_pretrained(tmp_path / "m").encode(long), encode(space, long)
    )
    with raises(FileError, tmp_path / "m", "force=True"):
        andornot.save(space, tmp_path / "m", format="model2vec")
    again = andornot.load(tmp_path / "m")
    assert again.words == space.words
    assert np.array_equal(again.target, space.target)


LETTERS = "the king don't -3 3.14 5 1,000 l’eau ‐− (“ 東京."


def test_exported_words_are_cut_as_ours():
    space = word_space()
    pieces = Pieces(json.dumps(_words(space)[0]).encode())

    @given(st.text(LETTERS, max_size=30))
    def check(text):
        numbers, _ = pieces.cut([text])
        found = [pieces.tokens[number] for number in numbers.tolist()]
        ours = words_in([text], "words")[0]
        assert found == [word if word in space else pieces.unknown for word in ours]

    check()


@pytest.mark.parametrize("kind", ["wordpiece", "bpe", "unigram"])
def test_a_first_layer_opens_in_both_libraries(tmp_path, corpus, kind):
    tokenizer = train_tokenizer(kind)
    rows = np.random.default_rng(9).normal(size=(tokenizer.get_vocab_size(), DIM))
    folder = write_model(tmp_path / "in", tokenizer, {"wte.weight": rows.astype(np.float32)})
    native = tmp_path / "s.safetensors"
    assert run("convert", folder, native, "--corpus", corpus).returncode == 0
    out = tmp_path / "out"
    done = run("convert", native, out, "--to", "model2vec", "--postprocess", "frequency")
    assert done.returncode == 0, done.stderr
    expected = encode(postprocess(andornot.load(native)), ASKED)
    same_direction(model2vec.StaticModel.from_pretrained(out).encode(ASKED), expected)
    same_direction(open_st(out).encode(ASKED), expected)
    assert_refused(run("convert", native, out, "--to", "model2vec"), 1, out, "--force")
    assert run("convert", native, out, "--to", "model2vec", "--force").returncode == 0


# --- scikit-learn and MTEB -----------------------------------------------------------------


def test_pipelines_of_scikit_learn(tmp_path):
    import joblib
    from sklearn.base import clone
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import GridSearchCV
    from sklearn.pipeline import make_pipeline

    from andornot.postprocessing.transformers import Centering, SentenceVectors

    space = word_space()
    texts = ["the king", "don't", "5 kings", "the naïve king", "3.14", "1,000"] * 4
    labels = [1, 0, 0, 1, 0, 0] * 4
    step = SentenceVectors(space, postprocess="none", weights="sum")
    pipeline = make_pipeline(step, Centering(), LogisticRegression())
    assert clone(pipeline)[0].space is space
    search = GridSearchCV(pipeline, {"sentencevectors__weights": ["sum", "sif"]}, cv=2)
    assert search.fit(texts, labels).score(texts, labels) == 1
    step = pipeline[:2].fit_transform(texts)
    rows = encode(space, texts)
    assert np.allclose(step, rows - rows.mean(axis=0), atol=1e-5)
    assert len(pipeline[0].get_feature_names_out()) == DIM
    joblib.dump(search.best_estimator_, tmp_path / "pipeline.joblib")
    again = joblib.load(tmp_path / "pipeline.joblib")
    assert np.array_equal(again.predict(texts), search.predict(texts))


@pytest.mark.slow
def test_a_space_is_an_encoder_of_mteb(tmp_path):
    mteb = pytest.importorskip("mteb", reason="needs the extra bench-bert (mteb)")
    import datasets
    from mteb.models.models_protocols import EncoderProtocol

    space = postprocess(word_space())
    encoder = andornot.SentenceEncoder(space)
    assert isinstance(encoder, EncoderProtocol)
    first = ["the king", "don't the", "naïve 5", "東京", "l'eau king"]
    second = ["king", "don't", "1,000", "東京 5", "the"]
    scores = [5.0, 4.0, 1.0, 3.0, 2.0]

    class Made(mteb.abstasks.sts.AbsTaskSTS):
        metadata = mteb.TaskMetadata(
            name="MadeSTS",
            description="pairs made for a test",
            dataset={"path": "nobody/made", "revision": "1"},
            type="STS",
            category="t2t",
            eval_splits=["test"],
            eval_langs=["eng-Latn"],
            main_score="cosine_pearson",
        )
        min_score, max_score = 0, 5

        def load_data(self, **_):
            rows = {"sentence1": first, "sentence2": second, "score": scores}
            self.dataset = datasets.DatasetDict(test=datasets.Dataset.from_dict(rows))
            self.data_loaded = True

    task = Made()
    result = mteb.evaluate(encoder, task, cache=None, overwrite_strategy="always")
    found = result.task_results[0].scores["test"][0]["cosine_pearson"]
    a, b = encode(space, first), encode(space, second)
    cosines = (unit(a) * unit(b)).sum(axis=1)
    assert found == pytest.approx(np.corrcoef(cosines, scores)[0, 1], abs=1e-5)
    assert np.allclose(encoder.similarity_pairwise(a, b), cosines, atol=1e-6)
    assert np.allclose(np.diag(encoder.similarity(a, b)), cosines, atol=1e-6)


def test_encode_refuses_keywords_of_nobody():
    with pytest.raises(TypeError, match="'weight'"):
        andornot.SentenceEncoder(word_space()).encode(["the"], weight="sif")
    batches = [{"text": ["the king"]}, {"text": ["5"]}]
    encoder = andornot.SentenceEncoder(word_space())
    found = encoder.encode(batches, task_metadata=None, hf_split="test", hf_subset="default")
    assert np.array_equal(found, encode(word_space(), ["the king", "5"]))


# --- the real model ------------------------------------------------------------------------


@pytest.mark.slow
def test_the_real_model_centred(tmp_path, corpus):
    source = minilm()
    centre(source, tmp_path / "out", corpus)
    before, after = open_st(source), open_st(tmp_path / "out")
    assert [type(module).__name__ for module in after] == [
        "Transformer",
        "Pooling",
        "Dense",
        "Normalize",
    ]
    tokens = [each.numpy() for each in before.encode(TEXT, output_value="token_embeddings")]
    mean = np.concatenate(tokens).mean(axis=0)
    tokens = before.encode(ASKED, output_value="token_embeddings")
    pooled = [each.numpy().mean(axis=0) for each in tokens]
    assert np.allclose(after.encode(ASKED), unit(np.array(pooled) - mean), atol=1e-4)
