"""The first layer of models: against transformers' own embeddings, tokenizers and safetensors."""

import json
import pickle
import subprocess
import sys

import numpy as np
import pytest
from commands import run
from comparing import assert_same_space
from errors import assert_names, assert_refused, raises
from tiny_models import (
    DIM,
    TEXT,
    bert_config,
    bert_tensors,
    minilm,
    train_tokenizer,
    write_bert,
    write_model,
)

import andornot
from andornot import AndornotError, Logic
from andornot.base.errors import FileError, UnknownWordError
from andornot.base.tensors import header_bytes, read_header
from andornot.encoders.token_counting import count_tokens
from andornot.postprocessing import postprocess
from andornot.postprocessing.sentences import encode

# --- vectors and words ---------------------------------------------------------------------


@pytest.mark.slow  # the import of transformers
def test_the_vectors_are_those_of_transformers(tmp_path):
    transformers = pytest.importorskip("transformers", reason="needs the extra bert")
    folder = write_bert(tmp_path / "model", spare=5)
    space = andornot.load(folder)
    model = transformers.AutoModel.from_pretrained(folder)
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    rows = model.get_input_embeddings().weight.detach().numpy()
    expected = {
        token: rows[number]
        for token, number in tokenizer.get_vocab().items()
        if token not in tokenizer.all_special_tokens and not token.startswith("[unused")
    }
    assert set(space.words) == set(expected)
    for word, row in expected.items():
        assert np.array_equal(space.vector(word), row), word
    history = " ".join(space.provenance.history)
    assert "7 special" in history
    assert "[PAD]" in history
    assert "5 rows" in history
    assert space.context is None


@pytest.mark.parametrize("kind", ["wordpiece", "bpe", "unigram"])
def test_every_kind_of_tokenizer_has_words_and_pieces(tmp_path, kind):
    tokenizer = train_tokenizer(kind)
    size = tokenizer.get_vocab_size()
    rows = np.random.default_rng(1).normal(size=(size, DIM)).astype(np.float32)
    folder = write_model(tmp_path / kind, tokenizer, {"model.embed_tokens.weight": rows})
    space = andornot.load(folder)
    assert "king" in space
    assert any(word.startswith("##") for word in space.words)
    # a word of several pieces, cut by the tokenizer itself
    text = " unhappiness" if kind == "bpe" else "unhappiness"
    ids = tokenizer.encode(text, add_special_tokens=False).ids
    assert len(ids) > 1
    assert np.allclose(space.vector("unhappiness"), rows[ids].sum(axis=0), atol=1e-5)
    pieces = space.pieces_of("unhappiness")
    assert not pieces[0].startswith("##")
    assert all(piece.startswith("##") for piece in pieces[1:])
    # sentences are sums over the tokens that the tokenizer finds
    expected = [
        rows[tokenizer.encode(line, add_special_tokens=False).ids].sum(axis=0) for line in TEXT[:5]
    ]
    assert np.allclose(encode(space, TEXT[:5]), expected, atol=1e-4)


@pytest.mark.parametrize(
    "name",
    [
        "bert.embeddings.word_embeddings.weight",
        "roberta.embeddings.word_embeddings.weight",
        "distilbert.embeddings.word_embeddings.weight",
        "model.embed_tokens.weight",
        "transformer.wte.weight",
        "shared.weight",
        "transformer.embeddings.weight",
        "transformer.tokens_embed.weight",
        "model.embeddings.tok_embeddings.weight",
        "embedding.weight",
        "embeddings",
    ],
)
@pytest.mark.parametrize("dtype", ["f4", "f2"])
def test_names_and_types_of_embeddings(tmp_path, name, dtype):
    tokenizer = train_tokenizer("wordpiece")
    rng = np.random.default_rng(2)
    rows = rng.normal(size=(tokenizer.get_vocab_size(), DIM)).astype(dtype)
    others = {"encoder.layer.0.weight": rng.normal(size=(4, 4)).astype(np.float32)}
    folder = write_model(tmp_path / "m", tokenizer, {**others, name: rows})
    space = andornot.load(folder)
    expected = rows[tokenizer.token_to_id("king")].astype(np.float32)
    assert np.array_equal(space.vector("king"), expected)


@pytest.mark.slow  # the import of torch
def test_bfloat16_and_shards_as_torch_writes_them(tmp_path):
    torch = pytest.importorskip("torch", reason="needs the extra bert (torch)")
    from safetensors.torch import save_file

    tokenizer = train_tokenizer("wordpiece")
    folder = write_model(tmp_path / "m", tokenizer, {})
    (folder / "model.safetensors").unlink()
    rows = torch.randn(tokenizer.get_vocab_size(), DIM).to(torch.bfloat16)
    names = {"a.weight": "model-00001-of-00002.safetensors"}
    names["model.embed_tokens.weight"] = "model-00002-of-00002.safetensors"
    save_file({"a.weight": torch.ones(2)}, folder / names["a.weight"])
    key = "model.embed_tokens.weight"
    save_file({key: rows}, folder / names[key])
    (folder / "model.safetensors.index.json").write_text(json.dumps({"weight_map": names}))
    space = andornot.load(folder)
    expected = rows[tokenizer.token_to_id("queen")].float().numpy()
    assert np.array_equal(space.vector("queen"), expected)


def edit_header(folder, edit):
    path = folder / "model.safetensors"
    header, start, _ = read_header(path)
    edit(header)
    path.write_bytes(header_bytes(header, path) + path.read_bytes()[start:])


def test_tensors_that_are_not_chosen_may_have_any_type(tmp_path):
    tokenizer = train_tokenizer("wordpiece")
    rows = np.ones((tokenizer.get_vocab_size(), DIM), dtype=np.float32)
    mask = np.zeros(4, dtype=np.uint8)
    folder = write_model(tmp_path / "m", tokenizer, {"wte.weight": rows, "attn.bias": mask})
    edit_header(folder, lambda header: header["attn.bias"].update(dtype="BOOL"))
    assert np.array_equal(andornot.load(folder).vector("king"), rows[0])
    edit_header(folder, lambda header: header["wte.weight"].update(dtype="F8_E4M3"))
    with raises(FileError, "'wte.weight'", "F8_E4M3", "float32"):
        andornot.load(folder)
    edit_header(folder, lambda header: header["wte.weight"].update(shape=[float("inf"), 2]))
    with raises(FileError, "'wte.weight'", "malformed"):
        andornot.load(folder)


def test_merged_rows_of_model2vec(tmp_path):
    tokenizer = train_tokenizer("wordpiece")
    size = tokenizer.get_vocab_size()
    rng = np.random.default_rng(3)
    rows = rng.normal(size=(10, DIM)).astype(np.float32)
    mapping = rng.integers(10, size=size)
    weights = rng.uniform(size=size)
    tensors = {"embeddings": rows, "mapping": mapping, "weights": weights}
    space = andornot.load(write_model(tmp_path / "m", tokenizer, tensors))
    number = tokenizer.token_to_id("king")
    assert np.allclose(space.vector("king"), rows[mapping[number]] * weights[number])


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("mapping", np.zeros(117, dtype=np.float32)),
        ("mapping", np.full(117, -1, dtype=np.int64)),
        ("mapping", np.full(117, 999, dtype=np.int64)),
        ("mapping", np.zeros((117, 1), dtype=np.int64)),
        ("weights", np.ones(3)),
        ("weights", np.ones((117, 1))),
    ],
)
def test_what_stands_beside_the_rows_of_model2vec_fits_them(tmp_path, name, value):
    tokenizer = train_tokenizer("wordpiece")
    assert tokenizer.get_vocab_size() == 117
    tensors = {"embeddings": np.ones((117, DIM), dtype=np.float32), name: value}
    folder = write_model(tmp_path / "m", tokenizer, tensors)
    with raises(FileError, folder / "model.safetensors", f"'{name}'", "rows"):
        andornot.load(folder)


# --- the head ------------------------------------------------------------------------------


def test_the_head_gives_context_vectors(tmp_path):
    tokenizer = train_tokenizer("wordpiece")
    size = tokenizer.get_vocab_size()
    base = {f"bert.{name}": value for name, value in bert_tensors(size).items()}
    head = np.random.default_rng(4).normal(size=(size, DIM)).astype(np.float32)
    bias = {"cls.predictions.bias": np.ones(size, dtype=np.float32)}
    config = bert_config(size, architectures=["BertForMaskedLM"])
    number = tokenizer.token_to_id("king")

    own = {**base, **bias, "cls.predictions.decoder.weight": head}
    space = andornot.load(write_model(tmp_path / "own", tokenizer, own, config))
    assert np.array_equal(space.context[space.vocabulary.index("king")], head[number])

    tied = andornot.load(write_model(tmp_path / "tied", tokenizer, {**base, **bias}, config))
    assert np.array_equal(tied.context, tied.target)
    assert tied.provenance.settings["output_embeddings"] == "tied"

    free = {**config, "tie_word_embeddings": False}
    assert andornot.load(write_model(tmp_path / "free", tokenizer, base, free)).context is None


@pytest.mark.slow
def test_the_head_is_that_of_transformers(tmp_path):
    transformers = pytest.importorskip("transformers", reason="needs the extra bert")
    tokenizer = train_tokenizer("wordpiece")
    size = tokenizer.get_vocab_size()
    for tied in (True, False):
        config = transformers.BertConfig(
            **bert_config(size, tie_word_embeddings=tied, architectures=None)
        )
        model = transformers.BertForMaskedLM(config)
        folder = tmp_path / str(tied)
        model.save_pretrained(folder)
        tokenizer.save(str(folder / "tokenizer.json"))
        space = andornot.load(folder)
        number = tokenizer.token_to_id("king")
        expected = model.get_output_embeddings().weight[number].detach().numpy()
        assert np.array_equal(space.context[space.vocabulary.index("king")], expected)


def test_no_contexts_are_made_up(tmp_path):
    tokenizer = train_tokenizer("wordpiece")
    size = tokenizer.get_vocab_size()
    head = np.random.default_rng(4).normal(size=(size + 8, DIM)).astype(np.float32)
    name = "cls.predictions.decoder.weight"

    def opened(architecture, **more):
        config = bert_config(size, architectures=[architecture])
        folder = tmp_path / f"{architecture}{len(more)}{sum(len(each) for each in more.values())}"
        return andornot.load(write_model(folder, tokenizer, bert_tensors(size) | more, config))

    assert opened("ElectraForPreTraining").context is None
    assert opened("FunnelForPreTraining").context is None
    assert opened("BertForPreTraining").provenance.settings["output_embeddings"] == "tied"
    padded = opened("BertForMaskedLM", **{name: head})
    number = tokenizer.token_to_id("king")
    assert np.array_equal(padded.context[padded.vocabulary.index("king")], head[number])
    assert padded.provenance.settings["output_embeddings"] == name
    assert opened("BertForMaskedLM", **{name: head[: size - 3]}).context is None
    assert opened("BertForMaskedLM", **{name: head[:, :4].copy()}).context is None


# --- the whole algebra, files and commands -------------------------------------------------


@pytest.fixture
def corpus(tmp_path):
    path = tmp_path / "text.txt"
    path.write_text("\n".join(TEXT) + "\n")
    return path


@pytest.fixture
def counted(tmp_path, corpus):
    return count_tokens(andornot.load(write_bert(tmp_path / "model")), [corpus])


def test_pieces_are_added_after_centring(counted):
    logic = Logic(counted)
    pieces = counted.pieces_of("unhappiness")
    mean = counted.probability @ counted.target.astype(np.float64)
    rows = np.array([counted.vector(piece) - mean for piece in pieces])
    concept = logic["unhappiness"]
    assert np.allclose(concept.vector, rows.sum(axis=0), atol=1e-5)
    p = [counted.probability[counted.vocabulary.index(piece)] for piece in pieces]
    assert concept.probability == pytest.approx(np.prod(p))
    assert np.allclose(postprocess(counted).vector("unhappiness"), concept.vector, atol=1e-5)
    both = logic.ask("Unhappiness & king", k=3)
    assert str(both.concept.formula) == " & ".join([*pieces, "king"])
    assert not set(both.words) & {*pieces, "king"}


def test_the_operations_work(counted):
    logic = Logic(counted)
    assert logic.ask("King | queen").words
    assert set(logic.ask("!King @ {king, queen, bank}").words) == {"queen", "bank"}
    pieces = " ".join(counted.pieces_of("unhappiness"))
    with raises(AndornotError, "'unhappiness'", pieces, "leave it out"):
        logic.ask("!king @ {king, unhappiness}")
    with raises(UnknownWordError, "'東京'"):
        logic.ask("東京")


def test_a_text_has_one_vector_whatever_stands_beside_it(counted):
    alone = encode(counted, ["unhappiness of kings"])
    words = ["unhappiness", "king", "東"]
    mixed = encode(counted, [words, "unhappiness of kings", []])
    assert np.array_equal(mixed[1], alone[0])
    expected = counted.vector("unhappiness") + counted.vector("king")
    assert np.allclose(mixed[0], expected, atol=1e-5)
    assert not mixed[2].any()
    assert np.allclose(encode(counted, [words]), mixed[:1])


def test_native_files_keep_the_tokenizer(tmp_path, counted):
    path = tmp_path / "s.safetensors"
    andornot.save(counted, path)
    again = andornot.load(path)
    assert_same_space(again, counted)
    assert np.array_equal(again.vector("unhappiness"), counted.vector("unhappiness"))
    assert np.array_equal(encode(again, TEXT[:2]), encode(counted, TEXT[:2]))
    few = again.top(20)
    numbers, _ = counted.pieces.cut(TEXT[:1])
    spelled = [counted.pieces.words[number] for number in numbers.tolist()]
    kept = [counted.vector(piece) for piece in spelled if piece in few]
    assert 0 < len(kept) < len(spelled)  # what is no longer there counts nothing
    assert np.allclose(encode(few, TEXT[:1])[0], np.sum(kept, axis=0), atol=1e-5)


def test_a_space_can_be_pickled_by_others(counted):
    again = pickle.loads(pickle.dumps(counted))
    assert_same_space(again, counted)
    assert again.provenance == counted.provenance
    with pytest.raises(TypeError):
        again.provenance.settings["changed"] = 1
    assert np.array_equal(encode(again, TEXT[:2]), encode(counted, TEXT[:2]))


def test_the_commands(tmp_path, corpus, example):
    folder = write_bert(tmp_path / "model")
    shown = run("info", folder)
    assert shown.returncode == 0, shown.stderr
    assert "WordPiece" in shown.stdout
    alike = run("ask", "king", "-s", folder)
    assert alike.returncode == 0, alike.stderr
    assert_names(alike.stderr, "counts", "--corpus")
    missing = run("ask", "king", "-s", folder, "--postprocess", "frequency")
    assert_refused(missing, 1, "frequencies", "--corpus TEXT")
    native = tmp_path / "s.safetensors"
    done = run("convert", folder, native, "--corpus", corpus)
    assert done.returncode == 0, done.stderr
    asked = run("ask", "unhappiness & king", "-s", native, "--json")
    assert asked.returncode == 0, asked.stderr
    at_once = run("ask", "unhappiness & king", "-s", folder, "--corpus", corpus, "--json")
    assert json.loads(asked.stdout) == json.loads(at_once.stdout)
    both = run("ask", "king", "-s", folder, "--corpus", "a", "--counts", "rank")
    assert_refused(both, 2, "--corpus", "--counts")
    plain = run("ask", "king", "-s", example, "--corpus", corpus)
    assert_refused(plain, 1, "tokenizer", "--counts")


# --- the real model ------------------------------------------------------------------------


def test_the_real_first_layer_without_torch():
    folder = minilm()
    code = (
        "import sys, andornot\n"
        f"space = andornot.load({str(folder)!r})\n"
        "assert len(space) == 29523 and space.dim == 384\n"
        "space.vector('king'); space.vector('embeddings')\n"
        "andornot.SentenceEncoder(space).encode(['a king'])\n"
        "heavy = {'torch', 'transformers', 'sentence_transformers'} & set(sys.modules)\n"
        "assert not heavy, heavy\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.slow
def test_the_real_words_are_those_of_transformers():
    transformers = pytest.importorskip("transformers", reason="needs the extra bert")
    folder = minilm()
    space = andornot.load(folder)
    model = transformers.AutoModel.from_pretrained(folder)
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    rows = model.get_input_embeddings().weight.detach().numpy()
    for word in ("king", "##ing", "thailand", "!"):
        number = tokenizer.convert_tokens_to_ids(word)
        assert np.array_equal(space.vector(word), rows[number])
    ids = tokenizer("compositionality", add_special_tokens=False)["input_ids"]
    assert len(ids) > 1
    assert np.allclose(space.vector("compositionality"), rows[ids].sum(axis=0), atol=1e-6)
