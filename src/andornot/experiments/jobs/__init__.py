"""Practical tasks ("jobs") for word vectors: each compares the naive method, the paper's and ours.

A job is a module with `datasets() -> list[str]`, the datasets that it reads, and
`run(space, lab) -> JobResult`: its tables, its bars and its numbers. `people.JOBS` lists the jobs
that `andornot reproduce people` runs with the default model. The shared modules:

    first_words   the candidates: the words of the first default model, or the whole vocabulary
    frames        the vectors with the post-processings that are compared
    halves        the choice of settings on one half of the items for the report on the other
    comparison    the figures of all items by setting: choices, means and gains with intervals
    measures      average precision, z-scores, percentiles
    job           the record of a job, its bars and its intervals

`exclusions` has the methods for "A and not B" that senses, properties and topics use. `text_scores`
and `topic_questions` belong to topics, and `list_growing` to word_lists.
"""
