"""Generated queries: every operation, nested, over given words."""

import random

FAMILIAR = [
    "day",
    "night",
    "river",
    "money",
    "bank",
    "water",
    "fire",
    "king",
    "queen",
    "woman",
    "man",
    "child",
    "music",
    "piano",
    "war",
    "peace",
    "city",
    "village",
    "sea",
    "lake",
    "mountain",
    "red",
    "blue",
    "green",
    "hot",
    "cold",
    "summer",
    "winter",
    "doctor",
    "school",
]
WAYS = ({}, {"everywhere": True}, {"weights": "uniform", "exact": True})
JOINED = ("and", "or", "weighted")
WITHIN = ("within", "stranger")


def generated(count, words, seed=0, depth=2):
    """Distinct queries in the language: each can be resolved."""
    chance = random.Random(seed)
    found = {}
    while len(found) < count:
        found[_query(chance, depth, words)] = None
    return list(found)


def asked():
    """A hundred queries over words that the default model knows, each with a way to ask it."""
    return [(query, WAYS[i % len(WAYS)]) for i, query in enumerate(generated(100, FAMILIAR))]


def drawn(words, seed=0):
    """Two hundred queries of every form, each with a way to ask it."""
    chance = random.Random(seed)
    found = {}
    while len(found) < 150:
        a, b, c, d = chance.sample(words, 4)
        form = chance.choice(
            [
                f"{a} & {b}",
                f"{a} & {b} & {c}",
                f"{a} | {b}",
                f"0.3*{a} | 0.7*{b}",
                f"{a} | {b} | {c}",
                f"!{a} @ {{{a}, {b}, {c}, {d}}}",
                f"!({a} | {b}) @ {{{a}, {b}, {c}, {d}}}",
                f"({a} | {b}) @ {{{a}, {b}, {c}, {d}}}",
                f"!{a}",
                f"{a} & !{b}",
                f"{a} & {b} & !{c}",
                f"{a} & !{b} @ {{{b}, {c}, {d}}}",
                f"{a} - {b} + {c}",
                a,
            ]
        )
        found[form] = None
    forms = [*found, *generated(50, words, seed)]
    return [(query, WAYS[i % len(WAYS)]) for i, query in enumerate(forms)]


def _query(chance, depth, words, forbidden=()):
    if depth == 0:  # a word, or a bare NOT
        return "!" * (chance.random() < 0.2) + chance.choice(words)
    kinds = JOINED if depth > 1 and chance.random() < 0.8 else JOINED + WITHIN
    kind = chance.choice([each for each in kinds if each not in forbidden])

    def several(*forbidden):
        count = chance.randint(2, 3)
        return [_query(chance, depth - 1, words, forbidden) for _ in range(count)]

    if kind == "and":
        return f"({' & '.join(several())})"
    if kind == "or":
        return f"({' | '.join(several('weighted'))})"
    if kind == "weighted":  # it can't hold another OR
        parts = several("or", "weighted")
        return f"({' | '.join(f'{chance.choice([0.5, 1, 3])}*{part}' for part in parts)})"
    members = chance.sample(words, chance.randint(2, 5))
    category = f"{{{', '.join(members)}}}"
    if kind == "stranger":
        return f"({members[0]} & {chance.choice(words)}) @ {category}"
    some = chance.sample(members, chance.randint(1, len(members) - 1))
    return f"{chance.choice(['', '!', '!!'])}({' | '.join(some)}) @ {category}"
