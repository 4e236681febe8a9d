"""The model that comes with the package: how its settings were chosen, and how it is made.

    python models/default_model.py compare --write results/default-model
    python models/default_model.py sizes --write results/default-model-sizes
    python models/default_model.py make

Needs ANDORNOT_DATA with corpora/enwiki-sample.txt.xz, the evaluation sets and WordNet. `compare`
trains each candidate and scores it, centred by frequency as it will be asked. `sizes` cuts the
chosen one to fewer words and fewer bits. `make` trains the chosen one, rounds it, keeps its first
words, scores it again, and writes src/andornot/data/default.safetensors with its card,
docs/default-model.md. Counts and trainings are kept in the folder --keep and used again.
"""

from __future__ import annotations

import argparse
import json
import math
import re
import subprocess
import sys
import tempfile
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent / "benchmarks"))
from reporting import kept, machine, write_report

import andornot
from andornot import Logic, Space
from andornot.algebra.expression import Given, Members, Not, Term
from andornot.base.choices import Solver
from andornot.base.errors import AndornotError
from andornot.base.folders import user_cache
from andornot.base.tensors import find_tensor, read_header, write_tensors
from andornot.cooccurrence import Cooccurrence, count, load_counts
from andornot.corpus import Corpus, open_corpus
from andornot.corpus.corpus import digest_of
from andornot.datasets import locate, read_questions, read_word_pairs
from andornot.datasets.definitions import read_definitions
from andornot.datasets.relations import read_oppositions
from andornot.evaluation import analogies, similarity
from andornot.experiments.or_actual import cosines
from andornot.experiments.or_tuples import or_words
from andornot.experiments.ranks import ranks, unit_rows
from andornot.experiments.triples import reciprocal_ranks, triples
from andornot.postprocessing import postprocess
from andornot.postprocessing.sentences import encode
from andornot.training import Settings, train
from andornot.words.provenance import Provenance

Row = dict[str, float | str | None]

ROOT = Path(__file__).parent.parent
MODEL = ROOT / "src/andornot/data/default.safetensors"
CARD = ROOT / "docs/default-model.md"
COMPARISON = ROOT / "results/default-model.json"
PREVIOUS = "96a36f65e17b8c441e5520dd74439798a8d787fd"  # the commit of the model that came before
SHOWN = (
    "royal & woman",
    "money & bank",
    "river & bank",
    "violin | piano",
    "sea | lake",
    "!day @ {day, night, morning, evening}",
    "!mother @ {mother, father, uncle, aunt, brother, sister}",
    "bank & !river @ {river, money, lake, finance}",
    "queen",
)


@dataclass(frozen=True)
class Candidate:
    """The settings of a training, and how many of the most frequent words are trained."""

    settings: Settings
    words: int

    def but(self, **settings: object) -> Candidate:
        """Return the same candidate with some settings changed."""
        return replace(self, settings=replace(self.settings, **settings))

    def columns(self) -> Row:
        """Return what a table shows of the candidate."""
        chosen = self.settings
        return {
            "words": self.words,
            "solver": str(chosen.solver),
            "dim": chosen.dim,
            "window": chosen.window,
            "prior": chosen.prior,
            "sample": chosen.sample,
            "version": chosen.version,
        }


BASE = Candidate(
    Settings(
        dim=200,
        window=10,
        negative=15,
        solver=Solver.EXACT,
        prior=10.0,
        sample=1e-3,
        held_out=0,  # the scores judge: no text is needed for it
        seed=1,
    ),
    20_000,
)
LARGE = replace(BASE, words=80_000)
CANDIDATES = {  # at 20,000 words one thing is changed at a time
    "20k-base": BASE,
    "20k-window-5": BASE.but(window=5),
    "20k-prior-5": BASE.but(prior=5.0),
    "20k-prior-20": BASE.but(prior=20.0),
    "20k-prior-0": BASE.but(prior=0.0),
    "20k-dim-100": BASE.but(dim=100),
    "20k-dim-300": BASE.but(dim=300),
    "20k-no-sample": BASE.but(sample=None),
    "20k-sample-1e-4": BASE.but(sample=1e-4),
    "20k-window-5-sample-1e-4": BASE.but(window=5, prior=20.0, sample=1e-4),
    "80k-window-5": LARGE.but(window=5, prior=20.0, sample=1e-4),
    "80k-window-10": LARGE.but(prior=20.0, sample=1e-4),
}
CHOSEN, ROUNDED, BITS = "80k-window-10", 77_000, 4  # ROUNDED: words that the levels are fitted to
WORDS = 66_000  # the first of them, as many as the package has room for
PER_WORD = (  # tensors of the file with a row for each word
    *("counts", "marginal", "word_lengths"),
    *("target_codes", "target_scale", "context_codes", "context_scale"),
)
SIZES, WIDTHS = (40_000, 60_000, 80_000), (8, 4)
SCORES = (
    "wordsim-353",
    "simlex-999",
    "mturk-771",
    "analogies",
    "AND",
    "OR",
    "NOT",
    "definitions",
)
FIRST = 100  # a definition has found its word if the word is among so many
_STOP = """
a an the of to in on at by for from with without as and or but nor not no is are was were be been
being am do does did done has have had having it its they them their there this that these those
which who whom whose what when where why how you your i we our he she his her him me my one ones
someone something some any can could will would may might shall should must if then than so such
very more most much many also into onto out up down over under about between through during before
after again once each every other another same own too just used usually often
"""
STOP_WORDS = frozenset(_STOP.split())  # of definitions


# --- scores ------------------------------------------------------------------------------------


def scores_of(space: Space) -> dict[str, float]:
    """Return all scores of a space, and the mean that judges; higher is better in all of them."""
    centred = postprocess(space, "frequency")
    found = {
        name: similarity(centred, read_word_pairs(locate(name))).spearman
        for name in ("wordsim-353", "simlex-999", "mturk-771")
    }
    questions = analogies(centred, read_questions(locate("google-analogies")))
    found |= {"analogies": questions.accuracy, "coverage": questions.covered / questions.questions}
    own, random = cosines(space, "frequency", or_words(space, "n"), seed=1).means
    found |= {
        "AND": float(
            reciprocal_ranks(space, "frequency", triples(space))["without operands"].mean()
        ),
        "OR": own - random,
        "NOT": not_score(Logic(space, weights="frequency")),
    }
    places = definition_ranks(centred)
    found |= {
        "definitions": float(np.mean(places <= FIRST)),
        "definitions, known": float(np.mean(places[np.isfinite(places)] <= FIRST)),
    }
    return found | {"mean": float(np.mean([found[name] for name in SCORES]))}


def not_score(logic: Logic) -> float:
    """Return how often NOT ranks an antonym above a synonym, among a word's antonyms and synonyms."""
    kin: dict[str, dict[str, bool]] = {}
    for part in ("train", "val"):
        for a, b, opposite in read_oppositions(locate(f"antonyms-{part}")):
            if a != b and a in logic.space and b in logic.space:
                kin.setdefault(a, {})[b] = opposite
                kin.setdefault(b, {})[a] = opposite
    right = []
    for word, others in kin.items():
        if len(set(others.values())) < 2:
            continue
        query = Not(Given(Term(word), Members((word, *others))))
        try:
            place = {hit.word: hit.score for hit in logic.ask(query, k=len(others)).hits}
        except AndornotError:
            continue
        right += [
            place[a] > place[b]
            for a, is_a in others.items()
            for b, is_b in others.items()
            if is_a and not is_b
        ]
    return float(np.mean(right))


def definition_ranks(centred: Space) -> np.ndarray:
    """Return the rank of each word for its dictionary definition; infinite if it can't be found.

    The distinct known words of a definition, stop words left out, are added by SIF weights. All
    words but those of the definition are ranked by cosine. A word can't be found if the space
    doesn't have it, or if it stands in its own definition.
    """
    words = centred.vocabulary
    definitions = read_definitions(locate("definitions-seen"))
    places = np.full(len(definitions), np.inf)
    asked, texts, goals, left_out = [], [], [], []
    for number, (word, text) in enumerate(definitions):
        known = [w for w in dict.fromkeys(re.findall("[a-z]+", text.lower())) if w in words]
        if word not in words or word in known:
            continue
        asked.append(number)
        texts.append([w for w in known if w not in STOP_WORDS])
        goals.append(words.index(word))
        left_out.append([words.index(w) for w in known])
    queries = encode(centred, texts, weights="sif")
    places[asked] = ranks(unit_rows(centred.target), queries, goals, left_out)
    return places


def largest_product(space: Space) -> float:
    """Return the largest v.u of all pairs of a word and a context.

    The longest vectors come first: most of the others are too short for a larger product.
    """
    lengths, others = (np.linalg.norm(rows, axis=1) for rows in (space.target, space.context))
    order, facing = np.argsort(-lengths), np.argsort(-others)
    context, others = space.context[facing], others[facing]
    best = -math.inf
    for start in range(0, len(order), 1024):
        rows = order[start : start + 1024]
        enough = int(np.count_nonzero(others * lengths[rows[0]] > best))
        if not enough:
            break
        best = max(best, float((space.target[rows] @ context[:enough].T).max()))
    return best


def place_of_queen(logic: Logic) -> int:
    """Return the rank of queen among the answers to `royal & woman`."""
    return logic.ask("royal & woman", k=len(logic.space)).words.index("queen") + 1


# --- training ----------------------------------------------------------------------------------


def text() -> Corpus:
    """Open the text that all candidates are trained on."""
    return open_corpus([locate("enwiki-sample")], tokenizer="words", without_markup=True)


def file_of(candidate: Candidate, corpus: Corpus) -> str:
    """Return the name under which a training is kept."""
    resolved = candidate.settings.resolved()
    settings = asdict(resolved) | {"prior": candidate.settings.prior}
    key = digest_of([corpus.key, settings, resolved.version, candidate.words])
    return f"{key}.safetensors"


def is_kept(folder: Path, file: str) -> bool:
    """Return whether `kept` has this file."""
    return (folder / f"{file}.json").exists()


def counted(candidate: Candidate, corpus: Corpus, folder: Path) -> Cooccurrence:
    """Count for a candidate; those of equal words, window, sample and held_out share the counts."""
    settings, words = candidate.settings, corpus.choose(max_size=candidate.words)
    asked = {
        "window": settings.window,
        "sample": settings.sample,
        "held_out": settings.held_out or None,
    }

    def make(path: Path) -> None:
        # what a run left that ended before it was recorded is replaced
        count(corpus, vocabulary=words, output=path, force=True, **asked)

    key = digest_of([corpus.key, asked, candidate.words])
    return load_counts(kept(folder, f"{key}.counts", make)[0])


def trained(name: str, corpus: Corpus, folder: Path) -> tuple[Space, float]:
    """Return a candidate, and the seconds that its training took without the counting."""
    candidate = CANDIDATES[name]
    settings, file = candidate.settings, file_of(candidate, corpus)
    counts = None
    if settings.solver == Solver.EXACT and not is_kept(folder, file):
        counts = counted(candidate, corpus, folder)

    def make(path: Path) -> None:
        if counts is not None:
            andornot.save(train(counts, settings), path, force=True)
        else:
            words = corpus.choose(max_size=candidate.words)
            andornot.save(train(corpus, settings, vocabulary=words), path, force=True)

    path, seconds = kept(folder, file, make)
    return andornot.load(path), seconds


# --- tables ------------------------------------------------------------------------------------


def compare(names: list[str], folder: Path, report: Path | None) -> None:
    """Train and score candidates, and print each when it is ready.

    A report has all candidates that are kept, not only those that are asked for. It also keeps the
    rows that it had before if they have the same settings and version of the solver.
    """
    corpus = text()
    rows: dict[str, Row] = {}
    missing, failed = [], {}
    before = recorded(report)
    for name, candidate in CANDIDATES.items():
        if name not in names:
            if report is None:
                continue
            if not is_kept(folder, file_of(candidate, corpus)):
                if name in before:
                    rows[name] = before[name]
                else:
                    missing.append(name)
                continue
        try:
            rows[name] = candidate_row(name, corpus, folder)
        except AndornotError as error:
            failed[name] = str(error)
            print(f"{name}: failed: {error}", file=sys.stderr, flush=True)
            continue
        print_row(name, rows[name])
    told = [
        "`python models/default_model.py compare --write results/default-model` on "
        f"{machine()}. docs/default-model.md explains the scores. The mean is that of "
        f"{', '.join(SCORES)}. Coverage: the share of the analogies whose words are known. "
        "Definitions, known: the share of those whose word can be found. Min count: the count of "
        "the rarest word. Place of queen: its rank for `royal & woman`. Seconds: of the training, "
        "without the counting. No v.u may exceed log N, N being the total count.",
        *([f"Not trained yet: {', '.join(missing)}."] if missing else []),
        *(f"{name} failed: {problem}." for name, problem in failed.items()),
    ]
    if not rows:
        raise SystemExit("no candidate was scored; name some with --only")
    heading = "# Candidates for the default model\n\n" + "\n\n".join(told)
    write_report(report, rows, table_of(rows, heading))
    if failed:
        raise SystemExit(f"{len(failed)} of the candidates failed: {', '.join(failed)}")


def candidate_row(name: str, corpus: Corpus, folder: Path) -> Row:
    """Train a candidate, or open what is kept of it, and score it."""
    space, seconds = trained(name, corpus, folder)
    return {
        **CANDIDATES[name].columns(),
        "min count": int(space.counts.min()),
        **scores_of(space),
        "place of queen": place_of_queen(Logic(space)),
        "seconds": round(seconds),
        "largest v.u": largest_product(space),
        "log N": math.log(space.marginal.sum()),
    }


def sizes(folder: Path, report: Path | None) -> None:
    """Cut the chosen candidate to fewer words, round it, and print file size and scores."""
    trained_words = CANDIDATES[CHOSEN].words
    if max(SIZES) > trained_words:
        raise SystemExit(
            f"SIZES must be at most {trained_words:,}, the words of {CHOSEN}, got {max(SIZES):,}"
        )
    space, _ = trained(CHOSEN, text(), folder)
    rows: dict[str, Row] = {}
    with tempfile.TemporaryDirectory() as temporary:
        for words in SIZES:
            for bits in WIDTHS:
                path = Path(temporary) / f"{words}-{bits}.safetensors"
                andornot.save(space.top(words), path, bits=bits, force=True)
                name = f"{words:,} words, {bits} bits"
                rows[name] = {"MB": path.stat().st_size / 1e6, **scores_of(andornot.load(path))}
                print_row(name, rows[name])
    heading = (
        "# The default model by size\n\n`python models/default_model.py sizes --write "
        f"results/default-model-sizes` on {machine()}: the candidate {CHOSEN}, cut to its most "
        "frequent words and rounded. docs/default-model.md explains the scores."
    )
    write_report(report, rows, table_of(rows, heading))


def table_of(rows: dict[str, Row], heading: str = "") -> str:
    """Format rows as a table in Markdown; a row may lack columns that others have."""
    names = list(dict.fromkeys(key for row in rows.values() for key in row))
    lines = [f"| | {' | '.join(names)} |", "|---" * (len(names) + 1) + "|"]
    for name, row in rows.items():
        cells = [shown(key, row[key]) if key in row else "" for key in names]
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return "\n".join([*([heading, ""] if heading else []), *lines]) + "\n"


def print_row(name: str, row: Row) -> None:
    """Print a row to standard error at once."""
    cells = ", ".join(f"{key} {shown(key, value)}" for key, value in row.items())
    print(f"{name}: {cells}", file=sys.stderr, flush=True)


def shown(key: str, value: float | str | None) -> str:
    """Format a value: three decimals for scores, as few digits as needed for settings."""
    if value is None:
        return "none"
    if isinstance(value, str):
        return value
    if isinstance(value, int):
        return f"{value:,}"
    if key in ("prior", "sample"):
        return f"{value:g}"
    return f"{value:+.3f}" if key == "change" else f"{value:.3f}"


# --- the model and its card --------------------------------------------------------------------


def make(folder: Path) -> None:
    """Train the chosen candidate, round it, keep its first words, and write it with its card."""
    candidates = compared_candidates()
    space, seconds = trained(CHOSEN, text(), folder)
    settings = {**space.provenance.settings, "corpus": "enwiki-sample.txt.xz"}
    del settings["corpus_key"]
    record = replace(
        space.provenance, origin="trained by models/default_model.py", settings=settings
    )
    space = replace(space, provenance=record).top(ROUNDED)
    MODEL.parent.mkdir(exist_ok=True)
    andornot.save(space, MODEL, bits=BITS, force=True)
    rounded = andornot.load(MODEL).in_memory()
    keep_first(MODEL, WORDS)
    full = {**scores_of(space), "words": len(space), "seconds": round(seconds)}
    write_card(full, rounded, candidates)


def keep_first(path: Path, words: int) -> None:
    """Cut a space in 4 bits to its first words; the bits of all that is kept stay the same.

    Saving a part of an opened space would round it again, by levels fitted to that part.
    """
    header, start, size = read_header(path)
    metadata = header.pop("__metadata__")
    tensors = {
        name: np.array(find_tensor(path, name, entry, start, size).map())
        for name, entry in header.items()
    }
    before = len(tensors["word_lengths"])
    if not 0 < words <= before:
        raise SystemExit(f"{path} has {before:,} words; keep at least one and at most all of them")
    letters = int(tensors["word_lengths"][:words].sum(dtype=np.int64))
    kept = {"words": letters, **dict.fromkeys(PER_WORD, words)}
    part = {name: tensor[: kept.get(name)] for name, tensor in tensors.items()}
    record = Provenance.from_dict(json.loads(metadata["provenance"]))
    record = record.then(f"kept the first {words:,} of {before:,} words")
    metadata["provenance"] = json.dumps(record.to_dict(), ensure_ascii=False)
    write_tensors(part, path, metadata)


def write_card(full: Row, rounded: Space, candidates: dict[str, Row]) -> None:
    """Score the shipped model beside the full, the rounded and the previous one: its card."""
    shipped, before = andornot.load(MODEL), previous_model()
    rows: dict[str, Row] = {"full": full}
    parts = {
        f"rounded to {BITS} bits": rounded,
        "shipped": shipped,
        "previous": before,
        "shipped, common words": common_part(shipped, before),
        "previous, common words": common_part(before, shipped),
    }
    for name, part in parts.items():
        rows[name] = {**scores_of(part), "words": len(part)}
        print_row(name, rows[name])
    CARD.write_text(card(shipped, rows, candidates))
    print(CARD.read_text())


def recorded(report: Path | None) -> dict[str, Row]:
    """Return the rows of a report that was written before, if their settings are the present ones."""
    path = None if report is None else report.with_suffix(".json")
    rows = json.loads(path.read_text())["result"] if path and path.exists() else {}
    return {
        name: rows[name]
        for name, candidate in CANDIDATES.items()
        if candidate.columns().items() <= rows.get(name, {}).items()
    }


def compared_candidates() -> dict[str, Row]:
    """Read the table of candidates, which the card reports."""
    rows = recorded(COMPARISON)
    for name in ("20k-base", CHOSEN):
        if name not in rows:
            raise SystemExit(
                f"{COMPARISON.name} must have the candidate {name} with its present settings; run "
                "`python models/default_model.py compare --write results/default-model` first"
            )
    return rows


def previous_model() -> Space:
    """Open the model that was shipped before, from the history of the repository."""
    file = MODEL.relative_to(ROOT).as_posix()
    asked = ["git", "-C", str(ROOT), "show", f"{PREVIOUS}:{file}"]
    done = subprocess.run(asked, capture_output=True, check=False)
    if done.returncode:
        raise SystemExit(
            f"the previous model must be in the history: {done.stderr.decode().strip()}; fetch "
            f"commit {PREVIOUS}"
        )
    with tempfile.TemporaryDirectory() as temporary:
        path = Path(temporary) / MODEL.name
        path.write_bytes(done.stdout)
        return andornot.load(path)


def common_part(space: Space, other: Space) -> Space:
    """Return the part of a space whose words another one has too."""
    ids = np.array([number for number, word in enumerate(space.words) if word in other])
    return space.take(ids, "kept the words that both models have")


def card(space: Space, rows: dict[str, Row], candidates: dict[str, Row]) -> str:
    """Write the model card; every sentence that states a result is computed from the figures."""
    record, logic = space.provenance, Logic(space)
    chosen = CANDIDATES[CHOSEN]
    settings = chosen.settings.resolved()
    sampling = (
        "no subsampling"
        if settings.sample is None
        else f"subsampling threshold {settings.sample:g}"
    )
    full, rounded, shipped = rows["full"], rows[f"rounded to {BITS} bits"], rows["shipped"]
    new, old = rows["shipped, common words"], rows["previous, common words"]
    examples = "\n".join(
        f"| `{query.replace('|', chr(92) + '|')}` | {', '.join(logic.ask(query, k=5).words)} |"
        for query in SHOWN
    )
    queens = [row["place of queen"] for row in candidates.values()]
    return f"""# The default model

The default model is the space that comes with the package. It has {len(space):,} English words. Each word has a target vector and a
context vector of dimension {space.dim}, its count in the text, and its marginal: the total of its co-occurrence counts, which gives
p(w). The file takes {MODEL.stat().st_size / 1e6:.1f} MB.

In Python, `andornot.default()` opens the model. On the command line, `ask`, `describe`, `grow`, `serve`, `info` and `evaluate` use
it if no space is named, and `convert` takes the name `default`.

## How it was made

`python models/default_model.py make` made the model and this page.

- **Text.** The text is enwiki-sample, the oldest and longest articles of the English Wikipedia. It was split into lower-case tokens
  by `--tokenizer words --without-markup`. {space.counts.sum() / 1e6:.0f} million of its tokens are words of the model. Wikipedia's text is under CC BY-SA.
  The model contains no text, only vectors and counts computed from it.
- **Training.** The model is SGNS, trained by the [{settings.solver} solver](solvers.md) on the {chosen.words:,} most frequent words. The settings are
  dimension {space.dim}, window {record.window}, {record.weighting} window weights, k = {record.negatives} negatives drawn from count^{record.negative_exponent}, {sampling},
  prior {settings.prior:g} and seed {settings.seed}. The training took {record.epochs} iterations.
- **Rounding.** The {rounded["words"]:,} most frequent words were kept. Every value of their vectors was rounded to {BITS} bits. Each vector has
  its own scale.
- **Words.** Only the {len(space):,} most frequent of these words are shipped, so that the installed package takes at most 20 MB. Their
  vectors are the same as in the model of {rounded["words"]:,} words.

## Scores

The vectors are centred by frequency before they are scored, as `ask` does by default. A higher score is better.

| column | meaning |
|---|---|
| wordsim-353, simlex-999, mturk-771 | Spearman's correlation with people's ratings of word pairs |
| analogies | accuracy on the Google analogy questions whose words are all in the model |
| coverage | share of the analogy questions whose words are all in the model |
| AND | mean reciprocal rank of the right answer to `word & relation`, such as bangkok for `thailand & capital`; ten relations of BATS, query words excluded (`andornot reproduce words`) |
| OR | mean cosine between a noun and the OR of its hyponyms (its kinds) in WordNet, minus the mean cosine between a random noun and that OR (`andornot reproduce or-actual`) |
| NOT | how often NOT ranks an antonym above a synonym, for the adjectives of AntSynNET; the category is the word with its antonyms and synonyms, and chance is 0.5 |
| definitions | share of 500 dictionary definitions for which the defined word is among the first {FIRST} answers; a word that the model lacks counts as not found |
| definitions, known | the same share, over the definitions whose word can be found: it is in the model and not in its own definition |
| mean | mean of {", ".join(SCORES)} |
| words | number of words |
| seconds | time of the training, without the counting |

| row | meaning |
|---|---|
| full | the {rounded["words"]:,} most frequent words, before rounding |
| rounded to {BITS} bits | the same words, after rounding |
| shipped | the model in the package |
| previous | the model that was shipped before this one |
| common words | only the words that the shipped and the previous model share |

{table_of(rows).strip()}

- **Effect of rounding.** {difference(rounded, full, "before rounding")}
- **Effect of leaving out words.** {difference(shipped, rounded, f"with all {rounded['words']:,} words")}
- **Comparison with the previous model.** Both models were cut to the {new["words"]:,} words that they share. {difference(new, old, "for the previous model")}

`andornot evaluate --postprocess frequency` computes the first four scores again. It needs their [datasets](data.md).

## How the settings were chosen

The settings were chosen by the mean of the {len(SCORES)} scores, from {len(candidates)} candidates. The candidates with {BASE.words:,} words show the effect of
each setting. {place_among(candidates)}

The table has the candidates with {BASE.words:,} words. The first row, the base, has dimension {BASE.settings.dim}, window {BASE.settings.window}, prior {BASE.settings.prior:g} and
subsampling threshold {BASE.settings.sample:g}. Each other row names the settings in which it differs from the base. The
[results page](../results/default-model.md) has every score of all candidates.

{table_of(changes(candidates)).strip()}

## Example answers

| query | first words |
|---|---|
{examples}

## Known limits

- **NOT in a larger category.** The paper's example turns *mother* into *father* in one category, and into *daughter* in another. In
  this model:
{mother_example(logic)}
- **Word forms.** All words are lower case, and there are no phrases. `bank's` and `bank` are different words.
- **Text.** The text is one encyclopaedia, with few but long articles. A rare word may occur in only a handful of them. The vectors
  repeat what the articles say about people and places.
- **Variation.** Another training gives other answers. For `royal & woman`, *queen* has rank {place_of_queen(logic)} in this model, and ranks {min(queens)} to {max(queens)}
  among the {len(candidates)} candidates. So read more than the first word.
- **Several meanings.** A word with several meanings has one vector. The most frequent meaning in the text dominates it.
- **Antonyms.** NOT gives a direction within a category. It is not a dictionary of antonyms: it ranks an antonym above a synonym
  {shipped["NOT"]:.0%} of the time, and chance is 50%. Name a category whose members differ by the opposition, such as day and night.
- **NOT without a category.** `!word` alone uses a proposed category: the word's siblings in WordNet if WordNet is installed, otherwise
  its nearest words. These need not be alternatives to the word, so name the category yourself.
"""


def difference(row: Row, other: Row, where: str) -> str:
    """Say how the scores of a row compare with those of another one."""
    lower = [
        f"{key} ({row[key]:.3f} instead of {other[key]:.3f})"
        for key in SCORES
        if round(row[key], 3) < round(other[key], 3)
    ]
    said = f"The mean is {row['mean']:.3f}; {where} it is {other['mean']:.3f}. "
    return said + (f"Lower scores: {', '.join(lower)}." if lower else "No score is lower.")


def place_among(candidates: dict[str, Row]) -> str:
    """Say how the chosen candidate ranks among those with as many words."""
    mean, words = candidates[CHOSEN]["mean"], CANDIDATES[CHOSEN].words
    means = [row["mean"] for row in candidates.values() if row["words"] == words]
    place = 1 + sum(other > mean for other in means)
    count = (
        "is the only candidate"
        if len(means) == 1
        else f"has rank {place} among the {len(means)} candidates"
    )
    return f"The chosen one has a mean of {mean:.3f}. It {count} with {words:,} words."


def changes(candidates: dict[str, Row]) -> dict[str, Row]:
    """Return the mean of the base, and of each candidate of its size with what it changes."""
    base = candidates["20k-base"]
    rows: dict[str, Row] = {}
    for row in candidates.values():
        if row["words"] != BASE.words:
            continue
        changed = [
            f"{key} {shown(key, row[key])}" for key in BASE.columns() if row[key] != base[key]
        ]
        rows[", ".join(changed) or "base"] = {
            "mean": row["mean"],
            "change": row["mean"] - base["mean"],
        }
    return rows


def mother_example(logic: Logic) -> str:
    """Say whether mother becomes father, and daughter, in categories with other members."""
    found = []
    for goal, others in {
        "father": "uncle, aunt, brother, sister, father",
        "daughter": "grandmother, granddaughter, daughter",
    }.items():
        words = logic.ask(f"!mother @ {{mother, {others}}}").words
        place = words.index(goal) + 1
        said = f"  - `!mother @ {{mother, {others}}}` gives {words[0]} first"
        found.append(said + f", {goal} in place {place}" * (place > 1) + ".")
    return "\n".join(found)


def main() -> None:
    """Run a part."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("part", choices=("compare", "sizes", "make"))
    parser.add_argument(
        "--only",
        nargs="*",
        default=list(CANDIDATES),
        choices=CANDIDATES,
        metavar="NAME",
        help="compare: train these candidates; no name: score what is kept",
    )
    parser.add_argument("--write", type=Path, help="compare, sizes: write FILE.json and FILE.md")
    parser.add_argument("--keep", type=Path, default=user_cache("candidates"), metavar="FOLDER")
    options = parser.parse_args()
    options.keep.mkdir(parents=True, exist_ok=True)
    if options.part == "compare":
        compare(options.only, options.keep, options.write)
    elif options.part == "sizes":
        sizes(options.keep, options.write)
    else:
        make(options.keep)


if __name__ == "__main__":
    main()
