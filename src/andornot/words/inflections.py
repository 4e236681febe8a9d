"""Find possible base forms of an English word by its ending: singulars and infinitives."""

from __future__ import annotations

_VOWELS = frozenset("aeiouy")


def base_forms(word: str) -> list[str]:
    """Return possible base forms of a word; not all of them need to be words.

    The endings are those of the genitive, the plural, the third person, the past tense and the
    present participle. Irregular forms are not handled. Every base form is shorter than the word.

    >>> base_forms("studies"), base_forms("running")
    (['studie', 'study', 'studi'], ['runn', 'runne', 'run'])
    >>> base_forms("glass"), base_forms("string")
    ([], [])
    """
    if word.endswith("'s"):
        return [word[:-2]] if len(word) > 2 else []
    if word.endswith("s"):
        return _without_s(word)
    for ending in ("ed", "ing"):
        stem = word.removesuffix(ending)
        if stem != word:
            return _infinitives(stem, ending)
    return []


def _without_s(word: str) -> list[str]:
    if len(word) < 4 or word.endswith("ss"):
        return []
    found = [word[:-1]]
    if len(word) > 4 and word.endswith("ies"):
        found.append(f"{word[:-3]}y")
    if len(word) > 4 and word.endswith("es"):
        found.append(word[:-2])
    if word.endswith("ves"):
        found += [f"{word[:-3]}f", f"{word[:-3]}fe"]
    return found


def _infinitives(stem: str, ending: str) -> list[str]:
    if len(stem) < 2 or _VOWELS.isdisjoint(stem):
        return []
    found = [stem, f"{stem}e"]
    if ending == "ed" and stem.endswith("i"):
        found.append(f"{stem[:-1]}y")
    if len(stem) > 2 and stem[-1] == stem[-2]:
        found.append(stem[:-1])
    return found
