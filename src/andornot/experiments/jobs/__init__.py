"""Six jobs that people have for word vectors, each with its methods compared on both halves.

A job is a module with `datasets() -> list[str]`, the sets that it reads, and
`run(space, lab) -> JobResult`: its tables, its bars and its numbers. `people.py` runs them all with
the default model. What they share:

    first_words   the candidates: the words of the first default model, or the whole vocabulary
    frames        the vectors, post-processed in the ways that are compared
    halves        settings are chosen on one half of the items and reported on the other
    job           the record of a job, and its intervals
"""
