"""Requests, and those answers that are not dataclasses of the library.

The OpenAPI description is made of both.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    StrictBool,
    StrictInt,
    field_validator,
    model_validator,
)

from andornot.algebra.facts import AnswerData
from andornot.algebra.filters import COMMON, LONGEST_PATTERN, RARE, WordFilter
from andornot.algebra.parser import LONGEST_QUERY
from andornot.base import defaults
from andornot.base.choices import (
    FrequencyFilter,
    Measure,
    OrWeights,
    Postprocess,
    SentenceWeights,
)
from andornot.base.errors import UsageError
from andornot.server.example_queries import Example

_EXAMPLE = "!day @ {day, night, morning, evening}"
Query = Annotated[str, Field(description="A query in the query language.", examples=[_EXAMPLE])]
# Lists fail at their first wrong item: an error for each of a million would stall the service.
# An error names a word, so that no word may be longer than a query of words.
Word = Annotated[str, Field(max_length=LONGEST_QUERY)]
Words = Annotated[
    list[Word], Field(min_length=1, fail_fast=True, examples=[["day", "night", "morning"]])
]


class _Request(BaseModel):
    """The fields of every request."""

    model_config = ConfigDict(extra="forbid")

    space: Annotated[
        str | None,
        Field(max_length=LONGEST_QUERY, description="The name of a space. Default: the first one."),
    ] = None

    @model_validator(mode="before")
    @classmethod
    def _check_number_of_fields(cls, given: object) -> object:
        """Refuse too many fields at once: each unknown one would be an error of its own."""
        most = len(cls.model_fields)
        if isinstance(given, dict) and len(given) > most:
            raise ValueError(
                f"the body has {len(given):,} fields, and this request takes at most {most}; "
                "remove the others, or see /v1/openapi.json"
            )
        return given


class _Ranking(_Request):
    """A request that ranks words, and chooses which."""

    k: Annotated[StrictInt, Field(ge=1, description="How many words.")] = defaults.K
    pattern: Annotated[
        str | None,
        Field(
            min_length=1,
            max_length=LONGEST_PATTERN,
            description="Rank words spelled like this: * is any characters, ? is one.",
            examples=["a*"],
        ),
    ] = None
    length: Annotated[
        str | None,
        Field(
            max_length=LONGEST_PATTERN,
            description="Rank words of so many characters: N or N-M.",
            examples=["3-5"],
        ),
    ] = None
    frequency: Annotated[
        FrequencyFilter,
        Field(
            description=f"Rank common words (the {COMMON:,} most frequent), rare ones (beyond the "
            f"{RARE:,} most frequent), or any; needs frequencies."
        ),
    ] = defaults.FREQUENCY

    @field_validator("length")
    @classmethod
    def _check_length(cls, length: str | None) -> str | None:
        try:
            return WordFilter(length=length).length
        except UsageError as error:
            raise ValueError(str(error)) from None


class _InSpace(_Request):
    """A request that chooses vectors."""

    postprocess: Annotated[
        Postprocess | None,
        Field(description="Post-processing. Default: the space's default_postprocess."),
    ] = None


class InLogic(_InSpace):
    """A request that chooses a logic."""

    weights: Annotated[
        OrWeights | None,
        Field(description="OR weights. Default: the space's default_weights."),
    ] = None
    exact: Annotated[
        StrictBool,
        Field(description="AND, OR, given and NOT from the model's PMI; needs context vectors."),
    ] = False


class _Asking(InLogic, _Ranking):
    """A request that ranks words for queries."""

    measure: Annotated[
        Measure, Field(description="By cosine, or by the model's PMI with contexts.")
    ] = defaults.MEASURE
    everywhere: Annotated[
        StrictBool, Field(description="NOT and given: rank the vocabulary, not the category.")
    ] = False
    keep_operands: Annotated[
        StrictBool, Field(description="The words of the query may be answers too.")
    ] = False
    among: Annotated[Words | None, Field(description="Rank these words alone.")] = None


class AskRequest(_Asking):
    """A query."""

    query: Query
    picture: Annotated[
        StrictBool, Field(description="Also return the positions of the words in a picture.")
    ] = False


class BatchRequest(_Asking):
    """Several queries, answered together."""

    queries: Annotated[list[Query], Field(min_length=1, fail_fast=True)]


class DescribeRequest(_Ranking):
    """A description of a word."""

    text: Annotated[
        str,
        Field(
            min_length=1,
            max_length=LONGEST_QUERY,
            description="What the word means.",
            examples=["a person who studies stars"],
        ),
    ]


class GrowRequest(_Ranking):
    """Examples and counter-examples of a word list that is to grow."""

    k: Annotated[StrictInt, Field(ge=1, description="How many words.")] = defaults.GROW_ROUND
    yes: Annotated[
        list[Word],
        Field(
            min_length=1,
            fail_fast=True,
            description="Its words.",
            examples=[["violin", "piano", "cello"]],
        ),
    ]
    no: Annotated[
        list[Word], Field(fail_fast=True, description="Other words.", examples=[["concerto"]])
    ] = []


class EncodeRequest(_InSpace):
    """Sentences to be turned into vectors, by adding those of their words."""

    sentences: Annotated[
        list[str], Field(min_length=1, fail_fast=True, examples=[["the queen of the north"]])
    ]
    weights: Annotated[
        SentenceWeights, Field(description="The sum, or the mean by SIF weights.")
    ] = defaults.SENTENCE_WEIGHTS


class CategoryRequest(_InSpace):
    """Words for which a category is wanted."""

    words: Words
    size: Annotated[StrictInt, Field(ge=1, description="How many words beside them.")] = (
        defaults.CATEGORY_SIZE
    )


class Error(BaseModel):
    """An error: one line, and for a query the column (from 1) and possible spellings."""

    error: str
    kind: str = Field(
        description="syntax, unknown-word, query, request, limit, busy, timeout, not-found, token, "
        "host, or failed."
    )
    query: str | None = None
    column: int | None = None
    at: str | None = Field(default=None, description="The query with a caret under the column.")
    word: str | None = None
    suggestions: list[str] | None = None
    correction: str | None = Field(default=None, description="The query that may be meant.")


@dataclass(frozen=True)
class DrawnAnswer(AnswerData):
    """An answer, with the positions of its words if they were asked for."""

    picture: dict[str, Any] | None


class BatchAnswers(BaseModel):
    """An answer for each query, in order, or its error."""

    answers: list[AnswerData | Error]


class ProposedWord(BaseModel):
    """A word that may belong to a list."""

    word: str
    score: float = Field(description="About the log-odds that it belongs to the list.")
    frequency: float | None = Field(description="Occurrences per million words.")
    nearest: str = Field(description="The nearest of the list's words.")


class Grown(BaseModel):
    """The next words of a list, the best first."""

    words: list[str]
    rejected: list[str]
    wordnet: bool = Field(description="Whether WordNet's hypernyms count.")
    proposals: list[ProposedWord]
    notes: list[str]


class Encoded(BaseModel):
    """A vector for each sentence, in order."""

    dimension: int
    vectors: list[list[float]]


class Proposed(BaseModel):
    """A category, the words that it was proposed for first."""

    words: list[str]
    probabilities: list[float | None]
    origin: str


class Examples(BaseModel):
    """Queries of AND, OR and NOT that the space answers, each with the first words found."""

    examples: dict[str, list[Example]]


class Completed(BaseModel):
    """Words that begin as asked, the most frequent first."""

    words: list[str]
    is_word: bool = Field(description="Whether the beginning is a word.")


class SpaceFacts(BaseModel):
    """A space that is served."""

    name: str
    words: int
    dimension: int
    counts: str | None
    context_vectors: bool
    postprocessings: list[Postprocess]
    default_postprocess: Postprocess
    weights: list[OrWeights]
    default_weights: OrWeights
    origin: str


class SpaceList(BaseModel):
    """All spaces; the first is asked where none is named."""

    spaces: list[SpaceFacts]


class Health(BaseModel):
    """The state of the service."""

    status: str
    version: str
