"""Every operation that /openapi.json describes, with what Schemathesis thinks of: no fault inside, and no answer that
is not as described. The live stream is left out: it never ends."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
import schemathesis
from fastapi import FastAPI
from fastapi.responses import JSONResponse, PlainTextResponse
from fastapi.routing import APIRoute
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from schemathesis.checks import not_a_server_error
from schemathesis.core.failures import FailureGroup
from schemathesis.generation import GenerationMode
from schemathesis.python import asgi
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from engine.journal import Source
from engine.views import AudienceView
from tests.web.phones import WHO, cookie, small_ball
from tests.web.web_table import JPEG
from web.app import create_app
from web.dependencies import DoneReply
from web.schema import DocumentedApp, reply_responses

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
SETTINGS = settings(
    max_examples=7,
    derandomize=True,
    database=None,
    deadline=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)
"""Seven requests to each operation from each role, right ones and wrong ones, the same each time."""

DOCUMENT = create_app(small_ball().port).openapi()
SCHEMA = schemathesis.openapi.from_dict(DOCUMENT)
DEFAULT = {"/api/answer", "/api/view", "/api/rolls", "/api/amend", "/api/game", "/api/phones"}
"""The operations that are tried by default; the others in a full run."""

OPERATIONS = [
    pytest.param(method, path, marks=[] if path in DEFAULT else [pytest.mark.slow])
    for path, methods in DOCUMENT["paths"].items()
    for method in methods
    if path != "/stream"
]


def table() -> FastAPI:
    """A game in which every operation has something to return."""
    port = small_ball()
    port.seats.answer_ask("away", 1, "bat", Source.PHONE)
    port.pictures.store_picture(1, 1, JPEG)
    port.library.create_deck("small-ball", "Mine", "house")
    return create_app(port.port)


def test_shapes_are_described_when_the_document_is_first_read() -> None:
    """Before, a route has no validators; later readings change nothing."""
    app = DocumentedApp()
    app.get("/view", responses=reply_responses(AudienceView))(lambda: None)
    (route,) = (one for one in app.routes if isinstance(one, APIRoute))
    assert not route.response_fields
    first = json.dumps(app.openapi())
    assert "#/components/schemas/AudienceView" in first
    assert "shape" not in first
    app.openapi_schema = None
    assert first == json.dumps(app.openapi())


def probe(app: FastAPI, method: str, path: str, schema: Any = SCHEMA) -> None:
    """Send generated requests from each role, the same each time; every answer must match the document."""
    schema.app = app
    operation = schema[path][method.upper()]
    modes = list(GenerationMode) if operation.body or any(operation.iter_parameters()) else [GenerationMode.POSITIVE]
    cases = st.one_of([operation.as_strategy(generation_mode=mode) for mode in modes])
    passes = [cookie(app.state.port.access, one) for one in WHO.values()]
    with asgi.get_client(app) as client:  # type: ignore[arg-type]

        @SETTINGS
        @given(case=cases)
        def send(case: Any) -> None:
            for one in passes:
                answer = case.call(session=client, headers={"Cookie": one})
                case.validate_response(answer, checks=CHECKS)

        send()


@pytest.mark.parametrize(("method", "path"), OPERATIONS)
def test_answers_are_as_described(method: str, path: str) -> None:
    probe(table(), method, path)


PLANTED: dict[str, Callable[[], Any]] = {
    "a fault": lambda: 1 / 0,
    "a shape": lambda: JSONResponse({"ok": "yes"}),
    "a status": lambda: JSONResponse({"ok": True}, 418),
    "a kind": lambda: PlainTextResponse("yes"),
}


@pytest.mark.parametrize("what", PLANTED)
def test_what_is_planted_is_found(what: str) -> None:
    """An operation that breaks, or answers differently than described, fails this test."""
    app = table()

    def route() -> Any:
        return PLANTED[what]()

    app.get("/api/planted", responses={200: {"model": DoneReply}})(route)
    with pytest.raises((FailureGroup, ZeroDivisionError)):
        probe(app, "get", "/api/planted", schemathesis.openapi.from_dict(app.openapi()))
