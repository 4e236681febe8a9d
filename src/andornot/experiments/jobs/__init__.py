"""Jobs that people have for word vectors: each compares the naive way, the paper's and ours.

A job is a module with `datasets() -> list[str]`, the sets that it reads, and
`run(space, lab) -> JobResult`: its tables, its bars and its numbers. `people.JOBS` lists those that
`andornot reproduce people` runs with the default model. What they share:

    first_words   the candidates: the words of the first default model, or the whole vocabulary
    frames        the vectors, post-processed in the ways that are compared
    halves        settings are chosen on one half of the items and reported on the other
    comparison    the figures of all items by setting: choices, means and gains with intervals
    measures      average precision, z-scores, percentiles
    job           the record of a job, its bars and its intervals

`exclusions` are the ways of "A and not B" that properties and topics share; `text_scores` and
`topic_questions` serve topics.
"""
