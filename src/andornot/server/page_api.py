"""The routes that only the page needs: the picture as a file, examples, the lesson."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from typing import Annotated, ParamSpec, Protocol

from fastapi import FastAPI, Query
from starlette.responses import Response

from andornot.server import answering, schemas
from andornot.server.answering import BatchKey
from andornot.server.failures import encode_json, json_response
from andornot.server.lesson import Lesson
from andornot.server.limits import Limits
from andornot.server.route_answers import route_answers
from andornot.server.served_spaces import Spaces

P = ParamSpec("P")
SVG = "image/svg+xml"
SpaceName = Annotated[str | None, Query(description="The name of a space.")]


class PageService(Protocol):
    """The parts of the service that these routes use."""

    spaces: Spaces
    limits: Limits

    def batch_key(self, asked: schemas.AskRequest) -> BatchKey:
        """Return how a query is answered."""

    async def run(
        self, query: str, work: Callable[P, bytes], *args: P.args, **kwargs: P.kwargs
    ) -> bytes:
        """Run work in a thread."""


def add_page_api(app: FastAPI, service: PageService) -> None:
    """Add the routes."""

    @app.post(
        "/v1/picture",
        response_class=Response,  # without a type of its own: errors are JSON
        responses=route_answers(None)
        | {200: {"description": "The picture.", "content": {SVG: {}}}},
        tags=["page"],
    )
    async def picture(asked: schemas.AskRequest) -> Response:
        """Return the picture of an answer as an SVG file."""
        key = service.batch_key(asked)
        work = answering.draw_query
        drawn = await service.run(asked.query, work, key, asked.query, service.limits)
        return Response(drawn, media_type=SVG)

    @app.get("/v1/examples", responses=route_answers(schemas.Examples), tags=["page"])
    async def examples(space: SpaceName = None) -> Response:
        """Return queries to begin with, each with the first words of its answer."""
        served = service.spaces.find(space)

        def work() -> bytes:
            found = served.examples
            return encode_json(
                {"examples": {name: list(map(asdict, each)) for name, each in found.items()}}
            )

        return json_response(await service.run("", work))

    @app.get("/v1/lesson", responses=route_answers(Lesson), tags=["page"])
    async def lesson(space: SpaceName = None) -> Response:
        """Return answers and the error of PMI while the origin of the vectors moves."""
        served = service.spaces.find(space)
        return json_response(await service.run("", lambda: encode_json(served.lesson.to_dict())))
