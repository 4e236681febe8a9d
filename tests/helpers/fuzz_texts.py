"""Targets of the fuzzer that read text: datasets, lists, phrases, results, archives."""

from __future__ import annotations

import gzip
import json
import os
import random
import shutil
import tarfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from unittest.mock import patch

from fuzz_inputs import Input, Target, naming, one_damaged

import andornot


def texts(folder: Path) -> Target:
    """Files of datasets, of counts, of lists and of phrases, and text to be tokenised."""
    home = folder / "case"
    readers = _readers(folder / "cache")

    def draw(rng: random.Random) -> Input:
        choice = rng.choice(sorted(readers))
        return Input(choice, one_damaged(rng, readers[choice][1]))

    def take(given: Input) -> object:
        read, seed = readers[given.choice]
        shutil.rmtree(home, ignore_errors=True)
        written = given.write(home)
        path = written if len(seed) > 1 else written / next(iter(seed))
        with naming(path):
            return read(path)

    return Target(draw, take)


def _readers(cache: Path) -> dict[str, tuple[Callable[[Path], object], dict[str, bytes]]]:
    """Return the readers by name, each with the files that it reads."""
    from small_wordnet import DATA, INDEX

    from andornot.algebra.categories import read_categories
    from andornot.base.choices import Tokenizer
    from andornot.cli.count import _read_phrases
    from andornot.corpus import open_corpus
    from andornot.datasets import (
        analogy,
        category_norms,
        compounds,
        definitions,
        feature_norms,
        game_words,
        negated_nouns,
        relations,
        sentence_pairs,
        similarity,
        tuples,
    )
    from andornot.experiments import Finding, Result
    from andornot.experiments.report import Claim, Verdict
    from andornot.growing.decision_file import read_decisions
    from andornot.words.counts import read_counts_file

    definition = [{"word": "king", "definitions": "a male sovereign", "lexnames": []}]
    found: dict[str, tuple[Callable[[Path], object], dict[str, bytes]]] = {}
    for read, data in (
        (similarity.read_word_pairs, b"old\tnew\t1.58\nsmart\tbright\t9.2\n"),
        (analogy.read_questions, b": capitals\nAthens Greece Oslo Norway\n"),
        (relations.read_relation, b"good\tbetter/best\nbad\tworse\n"),
        (relations.read_oppositions, b"old\tnew\t1\nold\taged\t0\n"),
        (tuples.read_tuples, b"color\tred\tgreen\nfruit\tapple\tpear\n"),
        (definitions.read_definitions, json.dumps(definition).encode()),
        (compounds.read_farahmand, b"compound noun,1,0,1,0\nhot dog,1,1,1,1\n"),
        (compounds.read_reddy, b"climate change\t4.97 0.18 4.9 0.3 4.8 0.2\n"),
        (compounds.read_ramisch, b"target,cpd\nclimate change,4.9\n"),
        (game_words.read_game_words, b"africa\nagent\n"),
        (
            category_norms.read_category_norms,
            b"Category,Response,Production.frequency,Mean.rank\nfruit,apple,12,1.5\n",
        ),
        (
            feature_norms.read_feature_norms,
            b"Concept\tFeature\tBR_Label\tProd_Freq\nviolin\tmade_of_wood\tvisual\t8\n",
        ),
        (
            negated_nouns.read_alternatives,
            b"a\tb\tc\td\te\ngoat\tbeard\tx\t1.3\ttrain\ngoat\tsheep\tx\t4.3\ttest\n",
        ),
        (read_categories, b"# mine\nfamily: mother, father, aunt\ntimes: day, night\n"),
        (
            read_decisions,
            b"word,decision,score,frequency,nearest\nviolin,seed,,,\nviola,yes,1.5,2.0,violin\n",
        ),
        (andornot.Vocabulary.read, b"the 12\nking 3\n"),
    ):
        found[read.__name__] = (read, {"a.txt": data})
    counts = {"a.txt": b"the 12\nking 3\nnew york 2\n"}
    found["read_counts_file"] = (lambda path: list(read_counts_file(path)), counts)
    text = "The naïve 東京 isn't <b>bold</b> {{cite|a}} &amp; [[link]] http://a.b".encode()
    for tokenizer in ("words", "whitespace"):
        for markup in (False, True):
            opened = partial(
                open_corpus, tokenizer=tokenizer, without_markup=markup, cache=cache, threads=1
            )
            name = f"open_corpus {tokenizer} {markup}"
            found[name] = (lambda path, opened=opened: opened([path]), {"a.txt": text})
        phrases = partial(_read_phrases, tokenizer=Tokenizer(tokenizer))
        found[f"phrases {tokenizer}"] = (phrases, {"a.txt": b"The Cat\nnew york \n na\xc3\xafve\n"})
    claims = (Claim("freq | orig", Verdict.IN_PART, "1.1 [1.0, 1.2]", "the text is small"),)
    findings = (Finding("MRR", 0.25, 0.5), Finding("size", 3))
    result = Result("words", "Words", "a text", "It is.", (), {"n": 1}, findings, claims=claims)
    result.write(cache / "words")
    written = (cache / "words" / "result.json").read_bytes()
    found["result"] = (_summarise, {"result.json": written, "figure.svg": b""})
    sentences = {"STS.input.a.txt": b"One.\tTwo.\n" * 3, "STS.gs.a.txt": b"1\n\n4.5\n"}
    found["read_sts"] = (sentence_pairs.read_sts, sentences)
    net = {"data.noun": DATA.encode(), "index.noun": INDEX.encode()}
    found["wordnet"] = (_walk_wordnet, net)
    found["hypernyms"] = (_hypernyms, net | {"noun.exc": b"geese cat\n"})
    return found


def _walk_wordnet(folder: Path) -> object:
    """Read every entry, and what is above, below and beside it."""
    from andornot.datasets.wordnet import WordNet

    net = WordNet(folder, "n")
    below = [net.all_below(synset) for synset in net]
    return below, net.all_above, net.meanings, [net.beside(word) for word in ("dog", "poodle")]


def _hypernyms(folder: Path) -> object:
    """Compute the rows of a few words."""
    from small_wordnet import forget_wordnet

    from andornot.datasets.hypernyms import hypernym_rows

    (folder / "wordnet-3.0").mkdir()
    for path in [path for path in folder.iterdir() if path.is_file()]:
        path.rename(folder / "wordnet-3.0" / path.name)
    forget_wordnet()
    with patch.dict(os.environ, ANDORNOT_DATA=str(folder)):
        return hypernym_rows(["Dog", "cats", "poodle", "law", "geese"])


def _summarise(folder: Path) -> object:
    """Write the page of all results, and ask whether a result may be replaced."""
    from andornot.experiments.report import check_result_folder
    from andornot.experiments.summary import write_summary

    (folder / "words").mkdir()
    (folder / "result.json").rename(folder / "words" / "result.json")
    write_summary(folder)
    return check_result_folder(folder / "words", "", force=False)


# --- archives ------------------------------------------------------------------------------------

_NEWS = (
    b'<REUTERS NEWID="1"><TOPICS><D>cocoa</D></TOPICS><TEXT><TITLE>a &lt; b</TITLE>'
    b"<BODY>x</BODY></TEXT></REUTERS>"
)


def archives(folder: Path) -> Target:
    """Archives of every kind: unpacked, and read as news."""
    from downloads import tarred, zipped

    from andornot.base.errors import AndornotError
    from andornot.datasets.news import read_reuters
    from andornot.datasets.unpacking import unpack

    long_name = {f"d/{'l' * 150}.sgm": _NEWS}
    gnu = tarred(long_name, format=tarfile.GNU_FORMAT)
    seeds = {
        "a.tgz": tarred({"d/a.sgm": _NEWS, "d/b.sgm": _NEWS * 3}),
        "gnu.tgz": gnu,
        "a.zip": zipped({"d/a.sgm": _NEWS}),
        "gnu.tar": gzip.decompress(gnu),
        "pax.tar": gzip.decompress(tarred(long_name)),
        "a.tar": gzip.decompress(tarred({"d/a.sgm": _NEWS})),
    }
    home = folder / "case"

    def draw(rng: random.Random) -> Input:
        name = rng.choice(sorted(seeds))
        return Input(name, one_damaged(rng, {name: seeds[name]}))

    def take(given: Input) -> object:
        shutil.rmtree(home, ignore_errors=True)
        path = given.write(home) / given.choice
        refused = None
        for read in (partial(unpack, inside="d", target=home / "out"), read_reuters):
            try:
                with naming(path):
                    read(path)
            except AndornotError as error:
                refused = error
        if refused is not None:
            raise refused
        return path

    return Target(draw, take)
