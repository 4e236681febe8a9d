"""The application: the API under /v1, and the page."""

from __future__ import annotations

import gc
import threading
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from typing import Annotated, ParamSpec

from fastapi import Depends, FastAPI, Query, Request
from fastapi.exceptions import RequestValidationError
from fastapi.security import HTTPBearer
from pydantic import ValidationError
from starlette.exceptions import HTTPException
from starlette.responses import Response
from threadpoolctl import threadpool_limits

from andornot import __version__
from andornot.algebra import AskOptions, Explanation, Logic
from andornot.algebra.facts import AnswerData
from andornot.base import defaults
from andornot.base.choices import OrWeights
from andornot.base.errors import AndornotError
from andornot.base.parallel import thread_count
from andornot.server import answering, schemas
from andornot.server.answering import BatchKey, LogicChoice, ParsedQuery
from andornot.server.batching import Batcher
from andornot.server.costs import is_short
from andornot.server.failures import (
    ServiceError,
    as_json,
    empty_body,
    encode_json,
    json_response,
    query_error,
)
from andornot.server.invalid_requests import invalid_request
from andornot.server.limits import Limits
from andornot.server.page_api import add_page_api
from andornot.server.page_files import add_page
from andornot.server.route_answers import route_answers
from andornot.server.security import Guard
from andornot.server.served_spaces import ServedSpace, Spaces
from andornot.server.workers import Workers
from andornot.space import Space

P = ParamSpec("P")
BATCH_SIZE = 64  # asks that one matrix product answers at most
_DESCRIPTION = (
    "AND, OR and NOT for word embeddings. A query is an expression such as `royal & woman`, "
    "`violin | piano` or `!day @ {day, night, morning, evening}`."
)


_ASK_BODY = {
    "requestBody": {
        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/AskRequest"}}},
        "required": True,
    }
}


def create_app(
    spaces: Mapping[str, Space],
    *,
    limits: Limits | None = None,
    token: str | None = None,
    only_loopback: bool = True,
    batch_size: int = BATCH_SIZE,
    freeze: bool = False,
) -> FastAPI:
    """Create the service.

    Args:
        spaces: The spaces by name; the first answers requests that name none.
        limits: What a request may cost.
        token: The bearer token that every request of the API must have, or None.
        only_loopback: Answer only requests to the names of this machine.
        batch_size: How many asks one matrix product answers at most.
        freeze: Exempt what is loaded from garbage collection; for a process of its own.

    >>> import andornot
    >>> app = create_app({"royal": andornot.load("examples/royal.vec")})
    >>> sorted(path for path in app.openapi()["paths"] if "ask" in path)
    ['/v1/ask', '/v1/ask/batch']
    """
    limits = limits or Limits()
    threads = max(1, thread_count(None) - 1)  # one core is left for the event loop
    service = _Service(Spaces(spaces, threads), limits, batch_size, threads, freeze)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        with threadpool_limits(threads, "blas"):  # more threads would wait for each other
            service.warm_up()
            yield
            service.close()

    app = FastAPI(
        title="andornot",
        version=__version__,
        description=_DESCRIPTION,
        docs_url=None,  # they load scripts from other sites
        redoc_url=None,
        openapi_url="/v1/openapi.json",
        lifespan=lifespan,
        # for the description only: the guard checks the token
        dependencies=[Depends(HTTPBearer(auto_error=False))] if token else [],
    )
    _add_failures(app)
    _add_api(app, service)
    add_page_api(app, service)
    app.add_middleware(
        Guard,
        token=token,
        only_loopback=only_loopback,
        body=limits.body,
        seconds=limits.seconds,
        posts=frozenset(path for path, item in app.openapi()["paths"].items() if "post" in item),
    )
    add_page(app)
    return app


class _Service:
    """Spaces, threads, batches and limits together."""

    def __init__(
        self, spaces: Spaces, limits: Limits, batch_size: int, threads: int, freeze: bool
    ) -> None:
        self.spaces = spaces
        self._freeze = freeze
        self.limits = limits
        self.workers = Workers(limits, max(2, threads))  # a slow request does not block the others
        self._batcher: Batcher[BatchKey, ParsedQuery, bytes | AndornotError] = Batcher(
            lambda key, queries: answering.answer_together(key, queries, limits), batch_size
        )

    def warm_up(self) -> None:
        """Prepare for the first requests in the background, while requests are answered."""
        threading.Thread(target=self._warm_up, daemon=True).start()

    def _warm_up(self) -> None:
        for served in self.spaces:
            served.warm_up()
        if self._freeze:  # collecting garbage in all that is loaded would delay every answer
            gc.collect()
            gc.freeze()

    def close(self) -> None:
        self._batcher.close()
        self.workers.close()

    def choice(self, asked: schemas.InLogic) -> LogicChoice:
        """Return the logic that a request wants, by default the space's own."""
        served = self.spaces.find(asked.space)
        return LogicChoice(
            served,
            asked.postprocess or served.default_postprocess,
            asked.weights or defaults.OR_WEIGHTS,
            asked.exact,
        )

    def batch_key(self, asked: schemas.AskRequest | schemas.BatchRequest) -> BatchKey:
        """Return how queries are answered, within the limits."""
        self.workers.check_k(asked.k)
        self.workers.check_batch(len(asked.among or ()), "words")
        options = AskOptions(
            k=asked.k,
            measure=asked.measure,
            everywhere=asked.everywhere,
            keep_operands=asked.keep_operands,
            among=None if asked.among is None else tuple(asked.among),
            pattern=asked.pattern,
            length=asked.length,
            frequency=asked.frequency,
        )
        draws = isinstance(asked, schemas.AskRequest) and asked.picture
        return BatchKey(self.choice(asked), options, draws)

    async def ask(self, asked: schemas.AskRequest) -> bytes:
        """Answer a query: together with others if it is cheap, else in a thread of its own."""
        key = self.batch_key(asked)
        parsed = None
        if is_short(asked.query):
            parsed = ParsedQuery.of(asked.query, self.limits, exact=asked.exact)
            is_cheap = parsed.is_cheap and not asked.exact and key.options.filter is None
            is_cheap = is_cheap and (not asked.picture or parsed.is_drawn_quickly(asked.k))
            if is_cheap and key.choice.is_ready:
                return await self._ask_with_others(key, parsed)
        work = answering.answer_one
        return await self.run(asked.query, work, key, asked.query, parsed, self.limits)

    async def _ask_with_others(self, key: BatchKey, parsed: ParsedQuery) -> bytes:
        with self.workers.admitted_quick():
            answer: bytes | AndornotError
            if isinstance(parsed.expression, AndornotError):
                answer = parsed.expression
            else:
                answer = await self.workers.within_time(self._batcher.submit(key, parsed))
            if isinstance(answer, AndornotError):
                raise await self.workers.run(query_error, parsed.query, answer)
        return answer

    async def run(
        self, query: str, work: Callable[P, bytes], *args: P.args, **kwargs: P.kwargs
    ) -> bytes:
        """Run work in a thread; an error of the query is returned with its column."""

        def guarded() -> bytes | ServiceError:
            try:
                return work(*args, **kwargs)
            except AndornotError as error:
                return query_error(query, error)

        with self.workers.admitted():
            found = await self.workers.run(guarded)
        if isinstance(found, ServiceError):
            raise found
        return found


def _add_failures(app: FastAPI) -> None:
    @app.exception_handler(ServiceError)
    async def failure(_: Request, error: Exception) -> Response:
        assert isinstance(error, ServiceError)
        return error.response()

    @app.exception_handler(RequestValidationError)
    async def invalid(_: Request, error: Exception) -> Response:
        assert isinstance(error, RequestValidationError)
        return invalid_request(error.errors()[0]).response()

    @app.exception_handler(HTTPException)
    async def refused(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        kind, said = "request", str(error.detail)
        if error.status_code == 404:
            kind, said = "not-found", "no such path; /v1/openapi.json has those of the API"
        elif error.status_code == 405:
            allowed = (error.headers or {}).get("Allow", "another method")
            said = f"this path doesn't take {request.method}; use {allowed}"
        return ServiceError(error.status_code, kind, said, error.headers).response()


def _add_api(app: FastAPI, service: _Service) -> None:
    limits = service.limits

    @app.get("/v1/health", responses={200: {"model": schemas.Health}}, tags=["service"])
    async def health() -> Response:
        """Report that the service is running."""
        return as_json({"status": "ok", "version": __version__})

    async def is_there(_: Request) -> Response:
        return as_json({"status": "ok", "version": __version__})

    app.add_route("/v1/health", is_there, methods=["HEAD"], include_in_schema=False)

    @app.get("/v1/spaces", responses=route_answers(schemas.SpaceList), tags=["service"])
    async def spaces() -> Response:
        """List the spaces."""
        return as_json({"spaces": [served.facts() for served in service.spaces]})

    @app.post(
        "/v1/ask",
        responses=route_answers(schemas.DrawnAnswer),
        tags=["ask"],
        openapi_extra=_ASK_BODY,
    )
    async def ask(request: Request) -> Response:
        """Answer a query with its nearest words, best first."""
        return json_response(await service.ask(_read_ask(await request.body())))

    @app.post("/v1/ask/batch", responses=route_answers(schemas.BatchAnswers), tags=["ask"])
    async def batch(asked: schemas.BatchRequest) -> Response:
        """Answer several queries; an error of one is returned in its place."""
        service.workers.check_batch(len(asked.queries), "queries")
        key = service.batch_key(asked)
        service.workers.check_hits(len(asked.queries) * asked.k)
        return json_response(
            await service.run("", answering.answer_batch, key, asked.queries, limits)
        )

    @app.post("/v1/explain", responses=route_answers(Explanation), tags=["ask"])
    async def explain(asked: schemas.AskRequest) -> Response:
        """Explain an answer: how it was computed, and how far it can be trusted."""
        key = service.batch_key(asked)
        work = answering.explain_query
        return json_response(await service.run(asked.query, work, key, asked.query, limits))

    @app.post("/v1/describe", responses=route_answers(AnswerData), tags=["ask"])
    async def describe(asked: schemas.DescribeRequest) -> Response:
        """Return the words that fit a description, best first."""
        service.workers.check_k(asked.k)
        options = AskOptions(
            k=asked.k, pattern=asked.pattern, length=asked.length, frequency=asked.frequency
        )
        served = service.spaces.find(asked.space)
        work = answering.describe_text
        return json_response(
            await service.run(asked.text, work, served, asked.text, options, limits)
        )

    @app.post("/v1/grow", responses=route_answers(schemas.Grown), tags=["ask"])
    async def grow(asked: schemas.GrowRequest) -> Response:
        """Return the next words of a list, given examples and counter-examples."""
        service.workers.check_k(asked.k)
        filters = asked.model_dump(include={"pattern", "length", "frequency"})
        served = service.spaces.find(asked.space)
        work = answering.grow_list
        return json_response(
            await service.run("", work, served, asked.yes, asked.no, asked.k, filters, limits)
        )

    @app.post("/v1/encode", responses=route_answers(schemas.Encoded), tags=["words"])
    async def encode(asked: schemas.EncodeRequest) -> Response:
        """Return a vector for each sentence."""
        service.workers.check_batch(len(asked.sentences), "sentences")
        served = service.spaces.find(asked.space)

        def work() -> bytes:
            return answering.encode_sentences(
                _unweighted(served, asked), asked.sentences, asked.weights
            )

        return json_response(await service.run("", work))

    @app.post("/v1/category", responses=route_answers(schemas.Proposed), tags=["words"])
    async def category(asked: schemas.CategoryRequest) -> Response:
        """Propose a category for words."""
        service.workers.check_k(asked.size)
        service.workers.check_batch(len(asked.words), "words")
        served = service.spaces.find(asked.space)

        def work() -> bytes:
            return answering.propose(_unweighted(served, asked), asked.words, asked.size)

        return json_response(await service.run("", work))

    @app.get("/v1/complete", responses=route_answers(schemas.Completed), tags=["words"])
    async def complete(
        beginning: Annotated[str, Query(description="The beginning of the words.")],
        space: Annotated[str | None, Query(description="The name of a space.")] = None,
        most: Annotated[int, Query(ge=1, description="How many words.")] = defaults.K,
    ) -> Response:
        """Complete the beginning of a word; the most frequent words come first."""
        service.workers.check_k(most)
        served = service.spaces.find(space)

        def work() -> bytes:
            words = served.completion(beginning, most)
            return encode_json({"words": words, "is_word": beginning in served.space})

        return json_response(await service.run("", work))


def _read_ask(body: bytes) -> schemas.AskRequest:
    """Validate the body of the route that is asked most, in one step instead of FastAPI's two."""
    if not body:
        raise empty_body()
    try:
        return schemas.AskRequest.model_validate_json(body)
    except ValidationError as error:
        found = error.errors(include_url=False)
        raise RequestValidationError([{**e, "loc": ("body", *e["loc"])} for e in found]) from None


def _unweighted(
    served: ServedSpace, asked: schemas.EncodeRequest | schemas.CategoryRequest
) -> Logic:
    return served.logic(asked.postprocess or served.default_postprocess, OrWeights.UNIFORM, False)
