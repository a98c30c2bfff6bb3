"""The OpenAPI document, with responses derived from the dataclasses that are sent, and rejections.

Responses are not validated, because they come from the engine and the device, not from outside.
"""

from __future__ import annotations

from dataclasses import is_dataclass
from types import ModuleType
from typing import Any

from anyio import CapacityLimiter, to_thread
from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse, Response
from fastapi.routing import APIRoute
from fastapi.utils import create_model_field
from pydantic import ConfigDict

from device import shapes
from engine import ask_views, box_score, innings, scoreboard, views
from engine.league import league, stats
from engine.league import views as league_views
from web.errors import RejectionReply
from web.security.admission import LARGE_BODY, LARGE_PHOTOGRAPH, LARGE_UPLOAD, SLOW_BODY

RouteResponses = dict[int | str, dict[str, Any]]
"""The responses of a route by status, as in FastAPI, but with the shape under `SHAPE_KEY` in place of "model"."""

SHAPE_KEY = "shape"
"""FastAPI would build a validator for each "model" at the start, 2 MiB for a document that is hardly ever read."""

DOCUMENTED_MODULES: tuple[ModuleType, ...] = (
    *(ask_views, box_score, innings, scoreboard, views, shapes),
    *(league, stats, league_views),
)
"""The modules whose dataclasses appear in the document."""

for _module in DOCUMENTED_MODULES:
    for _shape in vars(_module).values():
        if isinstance(_shape, type) and is_dataclass(_shape) and _shape.__module__ == _module.__name__:
            # The docstring below a field becomes its description. The engine must not know pydantic.
            setattr(_shape, "__pydantic_config__", ConfigDict(use_attribute_docstrings=True))  # noqa: B010 - mypy


def reply_responses(shape: Any) -> RouteResponses:
    """Return the `responses` entry of a route that answers 200 with JSON of this shape."""
    return {200: {SHAPE_KEY: shape}}


def rejection_responses(words: dict[int, str]) -> RouteResponses:
    """Return the `responses` entries of these rejections, each with its reason."""
    return {status: {SHAPE_KEY: RejectionReply, "description": reason} for status, reason in words.items()}


class DocumentedApp(FastAPI):
    """An application whose document is built in a thread when it is first read. It takes a second, and more on a Pi."""

    def setup(self) -> None:
        making = CapacityLimiter(1)

        async def serve_document(_: Request) -> Response:
            return JSONResponse(await to_thread.run_sync(self.openapi, limiter=making))

        assert self.openapi_url is not None
        self.add_route(self.openapi_url, serve_document, include_in_schema=False)

    def openapi(self) -> dict[str, Any]:
        for route in self.routes:
            if isinstance(route, APIRoute):
                _describe_responses(route)
        return super().openapi()


def _describe_responses(route: APIRoute) -> None:
    """Give a route the shapes of its responses, as FastAPI does with "model". May be called again."""
    for status, response in route.responses.items():
        if SHAPE_KEY in response:
            name = f"Response_{status}_{route.unique_id}"
            route.response_fields[status] = create_model_field(name, response[SHAPE_KEY], mode="serialization")
    route.responses = {
        status: {key: value for key, value in response.items() if key != SHAPE_KEY}
        for status, response in route.responses.items()
    }


REJECTION_RESPONSES = rejection_responses(
    {
        400: "It cannot be read at all",
        401: "No cookie of this table",
        403: "The wrong seat or role",
        409: "Stale: that ask is no longer open",
        408: f"The body took longer than {SLOW_BODY.limit} seconds",
        413: f"A body over {LARGE_BODY.limit} kB, of an import over {LARGE_UPLOAD.limit} kB, or a picture over "
        f"{LARGE_PHOTOGRAPH.limit} kB",
        503: "The disk cannot keep it; nothing has changed",
        422: "Malformed, or not allowed by the rules; the sentence names the field",
    }
)
"""The rejections of each changing operation."""

SWITCH_RESPONSES = REJECTION_RESPONSES | rejection_responses(
    {429: "Set too often: ask again after `Retry-After` seconds"}
)
"""The rejections of changes of a seat's settings."""

SEAT_RESPONSES: RouteResponses = {status: REJECTION_RESPONSES[status] for status in (401, 403, 422)}
"""The rejections of reads for a seat."""

OPERATOR_RESPONSES: RouteResponses = {status: REJECTION_RESPONSES[status] for status in (401, 403)}
"""The rejections of reads for the operator."""

READ_RESPONSES = rejection_responses({503: "Too many are reading this at once: ask again after `Retry-After` seconds"})
"""The rejection of slow reads."""

STREAM_RESPONSES = rejection_responses({429: "Too many streams from this address", 503: "Too many streams in all"}) | {
    200: {"content": {"text/event-stream": {}}, "description": "`view`, `panel`, `beat`, `over`, `freed`"}
}
"""The responses of a stream."""
