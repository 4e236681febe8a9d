"""The card of the default model, docs/default-model.md."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from candidates import BASE, CANDIDATES, CHOSEN
from score_tables import Row, print_row, shown, table_of
from scores import FIRST_ANSWERS, SCORES, place_of_queen, scores_of
from shipped_model import BITS, MODEL, previous_model

import andornot
from andornot import Logic, Space

CARD = Path(__file__).parent.parent / "docs/default-model.md"
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
it if no space is named. All of them, and `convert`, also take the name `default`.

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
| definitions | share of 500 dictionary definitions for which the defined word is among the first {FIRST_ANSWERS} answers; a word that the model lacks counts as not found |
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
